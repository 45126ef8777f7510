//! Below saturation, every endpoint mixed, for long.
//!
//! Saturation is what some connections reach that ask again at once; 70 % of that then come by a
//! clock, a small share of them wrong on purpose. What must hold: every status is the expected one
//! and no connection breaks, anonymous memory does not grow once everything was used, neither do
//! descriptors and threads, and the log tells of no panic.

use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use almoner::record::thousands;

use crate::Options;
use crate::chance::Rng;
use crate::load::{Live, Load, Pace, Tally, because};
use crate::report::Report;
use crate::requests::{Kind, Mix};
use crate::server::{Process, Server, mean_kb};
use crate::times::{Ms, Times};

/// Connections, as many for saturation as for the soak.
const CONNECTIONS: usize = 32;
/// Rounds that find out what saturation is.
const ROUNDS: u64 = 3;
const ROUND: Duration = Duration::from_secs(5);
const QUICK_ROUND: Duration = Duration::from_millis(500);
/// Share of saturation.
const SHARE: f64 = 0.7;
const QUICK_SHARE: f64 = 0.3;
const MINUTES: u64 = 30;
/// Share of requests that may come too late to be sent; with more, the machine had less to give
/// than when saturation was looked for.
const UNSENT_MAX: f64 = 0.001;
/// How often the process is looked at.
const SAMPLE: Duration = Duration::from_millis(500);
/// How much more anonymous memory the last third may have, on the average, than the second sixth:
/// a factor, and what an allocator keeps more or less of at times.
const GROWTH_MAX: f64 = 1.05;
const GROWTH_KB: f64 = 4_096.0;
/// In the quick form, where sessions and caches are still filling up.
const QUICK_GROWTH_KB: f64 = 32_768.0;
/// Descriptors and threads may be so many more or fewer: a connection or a file just being opened.
const SLACK: u64 = 2;

pub fn run(options: &Options, report: &mut Report) {
    let further = ["--warm", "--log-level", "warn"];
    let mut server = Server::start(&options.program, &options.data_dir, &further);
    let mix = Mix::new(Kind::Everything, &server, &mut Rng::new(options.seed()));
    let round = options.either(ROUND, QUICK_ROUND);
    let load = Load::saturating(&server, CONNECTIONS, round, options.seed());
    let saturation = saturation(&load, &mix, report);
    let rate = options.amounts.rate.unwrap_or(options.either(SHARE, QUICK_SHARE) * saturation);
    report
        .figure("rate", format!("{rate:.0} requests/s by a clock, saturation is {saturation:.0}"));
    let minutes = Duration::from_secs(60 * options.amounts.minutes.unwrap_or(MINUTES));
    let time = if options.quick() { options.seconds(0, 5) } else { minutes };
    let load = Load { pace: Pace::Clock(rate), time, seed: !options.seed(), ..load };

    let live = Live::default();
    let (tally, samples) = thread::scope(|scope| {
        let watched = scope.spawn(|| watch(&server, &live, time, report));
        (load.run(&mix, &live), watched.join().expect("samples"))
    });
    tell_table(&tally);
    let mut late = tally.late.clone();
    report.figure("sent late", late.summary());
    report.figure("statuses", format!("{:?}", tally.statuses()));
    let unsent = tally.unsent as f64 / (tally.answered() as f64 + tally.unsent as f64).max(1.0);
    report.holds(
        options.quick() || unsent <= UNSENT_MAX,
        format!("{} requests not sent, for every connection was busy", tally.unsent),
    );
    let trouble = Tally { unsent: 0, ..tally }.trouble();
    let text = format!("every status is the expected one{}", because(trouble.clone()));
    report.holds(trouble.is_none(), text);
    judge(report, options, &samples);
    report.holds(server.is_alive(), "the process lives");
    report.log(&server);
}

/// Requests a second where each connection asks again at once: the least of some rounds, since
/// others may use the machine too.
fn saturation(load: &Load, mix: &Mix, report: &mut Report) -> f64 {
    let mut least = f64::INFINITY;
    for round in 0..ROUNDS {
        let tally = Load { seed: load.seed + round, ..*load }.run(mix, &Live::default());
        // What is too much is refused.
        let mut others = tally.unexpected.keys().filter(|status| **status != 503);
        if tally.broken > 0 || others.next().is_some() {
            report.failed(format!("at saturation: {}", tally.trouble().unwrap_or_default()));
        }
        least = least.min(tally.per_second());
    }
    least
}

/// Looks at the process until just before the load ends, and tells a line a minute.
fn watch(server: &Server, live: &Live, time: Duration, report: &Report) -> Vec<Process> {
    let begun = Instant::now();
    let mut samples = Vec::new();
    let mut minutes = 0;
    while begun.elapsed() + 2 * SAMPLE < time {
        thread::sleep(SAMPLE);
        let process = server.figures();
        samples.push(process);
        if (begun.elapsed() + 2 * SAMPLE).as_secs() / 60 > minutes {
            minutes += 1;
            let answered = live.answered.load(Ordering::Relaxed);
            let failed = live.failed.load(Ordering::Relaxed);
            report.figure(
                &format!("minute {minutes}"),
                format!(
                    "{} requests, {failed} failed, {} kB anonymous, {} descriptors, {} threads",
                    thousands(answered),
                    thousands(process.anonymous_kb),
                    process.descriptors,
                    process.threads
                ),
            );
        }
    }
    samples
}

/// A table in Markdown: a row an endpoint.
fn tell_table(tally: &Tally) {
    println!("\n  | Endpoint | Status | Requests | p50 | p99 | max |\n  |---|---|---|---|---|---|");
    let row = |endpoint: &str, status: &str, mut times: Times| {
        let count = thousands(times.len() as u64);
        let [p50, p99, max] = [0.5, 0.99, 1.0].map(|share| Ms(times.at(share)));
        println!("  | `{endpoint}` | {status} | {count} | {p50} | {p99} | {max} |");
    };
    let mut all = Times::default();
    for ((endpoint, status), times) in &tally.answers {
        all.join(times.clone());
        row(endpoint, &status.to_string(), times.clone());
    }
    row("all", "", all);
    println!();
}

/// Whether the process took no more and more of anything.
fn judge(report: &mut Report, options: &Options, samples: &[Process]) {
    let count = samples.len();
    let early = mean_kb(&samples[count / 6..count / 3]);
    let late = mean_kb(&samples[count - count / 3..]);
    let most = samples.iter().map(|one| one.anonymous_kb).max().unwrap_or(0);
    let slack = options.either(GROWTH_KB, QUICK_GROWTH_KB);
    report.holds(
        late > 0.0 && late <= GROWTH_MAX * early + slack,
        format!(
            "anonymous memory: {early:.0} kB in the second sixth, {late:.0} kB in the last third, \
             at most {most} kB"
        ),
    );
    let (Some(first), Some(last)) = (samples.get(count / 6), samples.last()) else {
        report.failed("too short to look at the process");
        return;
    };
    report.holds(
        last.descriptors <= first.descriptors + SLACK && last.threads <= first.threads + SLACK,
        format!(
            "{} descriptors and {} threads, at the end {} and {}",
            first.descriptors, first.threads, last.descriptors, last.threads
        ),
    );
}
