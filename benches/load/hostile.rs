//! Malformed requests: bytes that are no HTTP, paths, queries, headers and messages that no
//! friendly client sends.
//!
//! What must hold: no panic and no answer of 5xx (503, for too much at once, is counted apart, and
//! so few connections must not meet it); every connection is answered or closed in time; a right
//! request on a fresh connection is answered rightly all the while; no answer is of another EIN
//! than was asked, nor of another request (each carries an identifier that its answer says again);
//! on no connection are there more answers than HTTP/1.1 says there are requests; nothing is
//! answered without a key; values that the interface's description refuses are refused, those that
//! it allows are not; and memory and descriptors do not grow.
//!
//! Seeded. What failed is printed with its bytes as `printf '%b'` takes them, to be sent again.
//! Clients that are slow are tried elsewhere (`slow`).

mod bodies;
mod broken;
mod framing;
mod interface;
mod judge;
mod request;
mod requests;
mod values;
mod work;

use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use almoner::record::thousands;

use crate::Options;
use crate::load::in_parallel;
use crate::report::Report;
use crate::server::{Process, Server};
use request::World;
use work::{Shared, Tally};

/// Requests of the full form and of the quick one.
const REQUESTS: u64 = 1_000_000;
const QUICK_REQUESTS: u64 = 20_000;
/// Before memory is looked at first, one in so many of them is sent: pools and caches have their
/// size by then.
const WARM_SHARE: u64 = 20;
/// Connections that send at once, well below what the server takes.
const WORKERS: usize = 4;
/// Broken connections that are left open until the server ends them, which takes it 15 s or more:
/// none in the quick form.
const LEFT_OPEN: u64 = 200;
/// A run takes no longer.
const RUN_MAX: Duration = Duration::from_secs(15 * 60);
/// Anonymous memory that may be added after warming up: sessions may take 32 MiB, and their messages
/// come all the while.
const GROWTH_KB_MAX: u64 = 64 * 1024;
/// Descriptors that may be added: what the server opens for its own.
const DESCRIPTORS_MAX: u64 = 4;
/// Connections that were closed are gone after so long.
const SETTLE: Duration = Duration::from_millis(500);
/// Of what failed, so many are told.
const FAILURES_TOLD: usize = 20;
/// Nonprofits that are asked for.
const EINS: usize = 200;

pub fn run(options: &Options, report: &mut Report) {
    let count = options.amounts.count.unwrap_or(options.either(REQUESTS, QUICK_REQUESTS));
    let mut server = Server::start(&options.program, &options.data_dir, &["--log-level", "warn"]);
    let shared = shared(options, &server);
    let warm = phase(&shared, count / WARM_SHARE);
    let before = server.figures();
    shared.to_leave_open.store(options.either(LEFT_OPEN, 0), Relaxed);
    let mut tally = phase(&shared, count);
    tally.join(warm);
    tell(&tally, &shared, report);
    check(&tally, &shared, count, report);
    let is_alive = server.is_alive();
    report.holds(is_alive, "the server is still there");
    if is_alive {
        std::thread::sleep(SETTLE);
        check_server(&server, before, report);
    }
}

/// What must hold of the server afterwards.
fn check_server(server: &Server, before: Process, report: &mut Report) {
    let after = server.figures();
    report.figure(
        "processor time of the server",
        format!("{:.0} s", server.telemetry("process_cpu_seconds_total")),
    );
    let memory =
        format!("{} kB, then {} kB", thousands(before.anonymous_kb), thousands(after.anonymous_kb));
    report.figure("anonymous memory", memory);
    let grown = after.anonymous_kb.saturating_sub(before.anonymous_kb);
    report
        .holds(grown <= GROWTH_KB_MAX, format!("anonymous memory grew by {} kB", thousands(grown)));
    let opened = after.descriptors.saturating_sub(before.descriptors);
    report.holds(opened <= DESCRIPTORS_MAX, format!("{opened} descriptors more"));
    report.figure("log", format!("{} lines", thousands(server.log().lines().count() as u64)));
    report.log(server);
}

/// Figures of what was sent and answered.
fn tell(tally: &Tally, shared: &Shared, report: &mut Report) {
    let (sent, connections) = (shared.sent.load(Relaxed), thousands(tally.connections));
    let rate = sent as f64 / tally.sending.as_secs_f64();
    let sent = format!("{} over {connections} connections, {rate:.0}/s", thousands(sent));
    report.figure("requests", sent);
    let mut kinds: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for ((kind, status), count) in &tally.statuses {
        let status = if *status == 0 { "closed".to_owned() } else { status.to_string() };
        kinds.entry(kind).or_default().push(format!("{status}: {}", thousands(*count)));
    }
    for (kind, counts) in kinds {
        report.figure(kind, counts.join(", "));
    }
    report.figure("connections reset", thousands(tally.resets));
    report.figure("a connection or 16 requests", tally.times.clone().summary());
    if tally.left_open.len() > 0 {
        report.figure("left open", tally.left_open.clone().summary());
    }
    report.figure("right requests meanwhile", tally.probes.clone().summary());
}

/// What must hold of what was sent and answered.
fn check(tally: &Tally, shared: &Shared, count: u64, report: &mut Report) {
    report.holds(
        shared.sent.load(Relaxed) >= count,
        format!("{} requests were sent", thousands(count)),
    );
    tally.failures.iter().take(FAILURES_TOLD).for_each(|failure| report.failed(failure));
    let failures = shared.failures.load(Relaxed);
    report.holds(failures == 0, format!("{} are wrong, or their answers are", thousands(failures)));
    let shed = tally.statuses.iter().filter(|((_, status), _)| *status == 503);
    let shed: u64 = shed.map(|(_, count)| count).sum();
    report.holds(shed == 0, format!("{} answers of 503", thousands(shed)));
}

/// What a server holds and declares.
fn shared(options: &Options, server: &Server) -> Shared {
    let pages = (1..=EINS / 100).map(|page| server.nonprofits(&format!("size=100&page={page}")));
    let eins: Vec<String> =
        pages.flatten().filter_map(|row| row["ein"].as_str().map(str::to_owned)).collect();
    assert!(!eins.is_empty(), "the snapshot has nonprofits");
    let lookup = format!("/nonprofits/details/{}", eins[0]);
    let probe = (server.request(&lookup), server.get(&lookup).into_bytes());
    let endpoints = interface::read(&server.get("/openapi.json"));
    Shared {
        address: server.address(),
        world: World { endpoints, eins, key: server.key().to_owned() },
        seed: options.seed(),
        probe,
        deadline: Instant::now() + RUN_MAX,
        batches: AtomicU64::new(0),
        sent: AtomicU64::new(0),
        failures: AtomicU64::new(0),
        to_leave_open: AtomicU64::new(0),
    }
}

/// Sends until so many requests went out.
fn phase(shared: &Shared, count: u64) -> Tally {
    let begun = Instant::now();
    let (sender, left_open) = channel();
    std::thread::scope(|scope| {
        let reaper = scope.spawn(move || work::reap(shared, &left_open));
        let mut tally = Tally::default();
        let work = |_| work::work(shared, count, &sender);
        in_parallel(WORKERS, work).into_iter().for_each(|one| tally.join(one));
        drop(sender);
        tally.sending = begun.elapsed();
        tally.join(reaper.join().expect("the reaper ends"));
        tally
    })
}
