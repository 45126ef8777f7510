//! Three times as many requests as the server can answer.
//!
//! Saturation is what some connections reach that ask again at once. Then requests come by a clock
//! at three times that rate, costly searches among them, while `/health` is asked on connections of
//! its own. What must hold: nothing but 200 and 503, refusals at once, answers within the deadline,
//! `/health` 200 always, and searches at their quiet speed again soon after the load ends.

use std::time::{Duration, Instant};

use almoner::http::{REQUEST_DEADLINE, WAIT_MAX};

use crate::Options;
use crate::chance::Rng;
use crate::client::{self, Client};
use crate::load::{Live, Load, Pace, Reuse, Tally, because, one_by_one};
use crate::report::Report;
use crate::requests::{Kind, Mix};
use crate::server::Server;
use crate::times::Ms;

/// Connections that find out what saturation is.
const SATURATING: usize = 16;
const SATURATING_TIME: Duration = Duration::from_secs(10);
const QUICK_SATURATING_TIME: Duration = Duration::from_secs(1);
/// Times saturation.
const FACTOR: f64 = 3.0;
/// Connections of the load: fewer than the server serves at once, `CONNECTIONS_MAX`.
const CONNECTIONS: usize = 640;
/// Health checks a second.
const HEALTH_RATE: f64 = 10.0;
/// Within which 99 of 100 refusals come.
const REFUSAL_MAX: Duration = Duration::from_millis(250);
/// Within which everything is answered.
const ANSWER_MAX: Duration = REQUEST_DEADLINE.saturating_add(WAIT_MAX);
/// Searches one after another that tell the quiet speed.
const QUIET: usize = 200;
/// So many searches must be answered at that speed again, within so long after the load.
const RECOVERED: usize = 20;
const RECOVERY_MAX: Duration = Duration::from_secs(5);
/// A search is quiet while it takes no more than so many times what 99 of 100 quiet ones take.
const QUIET_FACTOR: u32 = 2;

pub fn run(options: &Options, report: &mut Report) {
    let further = ["--warm", "--log-level", "warn"];
    let server = Server::start(&options.program, &options.data_dir, &further);
    let mut chance = Rng::new(options.seed());
    let mix = Mix::new(Kind::Heavy, &server, &mut chance);
    let searches = Mix::new(Kind::Searches, &server, &mut chance);

    let asks: Vec<_> = (0..QUIET).map(|_| &*searches.draw(&mut chance).bytes).collect();
    let mut quiet = one_by_one(&server, asks.into_iter());
    report.figure("quiet searches, one after another", quiet.summary());
    let time = options.either(SATURATING_TIME, QUICK_SATURATING_TIME);
    let load = Load::saturating(&server, SATURATING, time, options.seed());
    let saturated = load.run(&mix, &Live::default());
    report.figure(
        "saturation",
        format!("{:.0} requests/s on {SATURATING} connections", saturated.per_second()),
    );

    let rate = options.amounts.rate.unwrap_or(FACTOR * saturated.per_second());
    let load = Load {
        connections: CONNECTIONS,
        pace: Pace::Clock(rate),
        time: options.seconds(20, 2),
        ..load
    };
    let (tally, health) = overload(&server, &load, &mix);
    let recovery = recovery(&server, &searches, QUIET_FACTOR * quiet.at(0.99), &mut chance);
    report.figure("load", format!("{rate:.0} requests/s by a clock"));
    tell(report, options, &tally);
    tell_health(report, options, &health);
    match recovery {
        Some(time) => report.holds(
            options.quick() || time <= RECOVERY_MAX,
            format!("{RECOVERED} searches at quiet speed {} after the load", Ms(time)),
        ),
        None => report.failed("searches do not come back to their quiet speed"),
    }
    report.log(&server);
}

/// The load, and health checks meanwhile.
fn overload(server: &Server, load: &Load, mix: &Mix) -> (Tally, Tally) {
    let checks = Mix::fixed("/health", client::request("/health", "none", None));
    let watch = Load {
        connections: HEALTH_RATE as usize,
        pace: Pace::Clock(HEALTH_RATE),
        reuse: Reuse::Never,
        address: server.address(),
        ..*load
    };
    std::thread::scope(|scope| {
        let health = scope.spawn(|| watch.run(&checks, &Live::default()));
        (load.run(mix, &Live::default()), health.join().expect("health checks"))
    })
}

fn tell(report: &mut Report, options: &Options, tally: &Tally) {
    let (mut answered, mut refused) = (tally.of_status(200), tally.of_status(503));
    let mut late = tally.late.clone();
    report.figure("statuses", format!("{:?}", tally.statuses()));
    report.figure("200", answered.summary());
    report.figure("503", refused.summary());
    report.figure("sent late", late.summary());
    report.figure("not sent, for no connection was free", tally.unsent);
    let other = tally.unexpected.keys().any(|status| *status != 503);
    let described = tally.described.iter().find(|text| !text.starts_with("503"));
    report.holds(
        !other && tally.broken == 0,
        format!(
            "nothing but 200 and 503, {} connections broken{}",
            tally.broken,
            described.map(|text| format!(": {text}")).unwrap_or_default()
        ),
    );
    report.holds(answered.len() > 0, "some are answered");
    report.holds(refused.len() > 0, "some are refused: the load is too much");
    report.holds(answered.max() <= ANSWER_MAX, format!("every answer within {}", Ms(ANSWER_MAX)));
    report.holds(
        options.quick() || refused.at(0.99) <= REFUSAL_MAX,
        format!("99 of 100 refusals within {}", Ms(REFUSAL_MAX)),
    );
}

fn tell_health(report: &mut Report, options: &Options, health: &Tally) {
    report.figure("/health", health.of_status(200).summary());
    let expected = (options.seconds(20, 2).as_secs_f64() * HEALTH_RATE) as usize;
    let trouble = health.trouble();
    report.holds(
        trouble.is_none() && health.of_status(200).len() == expected,
        format!("/health is 200 {expected} times of {expected}{}", because(trouble)),
    );
}

/// How long until so many searches in a row are answered within a time; none if that takes for
/// ever.
fn recovery(
    server: &Server,
    searches: &Mix,
    quiet_max: Duration,
    chance: &mut Rng,
) -> Option<Duration> {
    let begun = Instant::now();
    let mut client = Client::connect(server.address()).ok()?;
    let mut in_row = 0;
    while in_row < RECOVERED {
        let asked = Instant::now();
        let status = client.ask(&searches.draw(chance).bytes).ok()?.status;
        let is_quiet = status == 200 && asked.elapsed() <= quiet_max;
        in_row = if is_quiet { in_row + 1 } else { 0 };
        if begun.elapsed() > 4 * RECOVERY_MAX {
            return None;
        }
    }
    Some(begun.elapsed())
}
