//! Clients that send slowly, read nothing, or go away half-way, many more than the server serves
//! at once.
//!
//! Kind by kind, a crowd connects and is connected again when it is cut, while others ask as usual,
//! some on connections that stay and some on a new one each time. What must hold: those are all
//! answered, at the 99th percentile in less than twice the quiet time before; every slow client is
//! cut within the limit stated for it; and afterwards the server holds no more than before.

mod crowd;

use std::thread;
use std::time::{Duration, Instant};

use crate::Options;
use crate::asks::{Catalogue, Mix};
use crate::chance::Chance;
use crate::load::{Live, Load, Pace, Reuse, Tally};
use crate::percentiles::{Count, Ms, Times};
use crate::report::Report;
use crate::server::Server;
pub use crowd::Kind;
use crowd::{Crowd, Cuts};

/// Clients of a crowd.
const CLIENTS: usize = 2_000;
const QUICK_CLIENTS: usize = 1_000;
/// In the quick form: each that does not read takes megabytes of the system's buffers.
const QUICK_UNREAD: usize = 100;
/// Good clients: connections that stay, and requests a second on them.
const STAYING: usize = 8;
const STAYING_RATE: f64 = 100.0;
/// Requests a second on a connection of their own, and how many at once.
const NEW: usize = 8;
const NEW_RATE: f64 = 20.0;
/// How many times slower good clients may be at the 99th percentile.
const FACTOR_MAX: f64 = 2.0;
/// Good requests needed to tell.
const SAMPLES_MIN: usize = 2_000;
/// What memory may stay with the allocator when all crowds are gone: what `src/http` says that all
/// connections together hold at most.
const MEMORY_MAX_KB: u64 = 65 * 1_024;
/// Descriptors may be so many more: just being closed.
const DESCRIPTORS_SLACK: u64 = 2;
/// How long the server may take to let go of what the crowd held.
const RELEASE_MAX: Duration = Duration::from_secs(5);
const POLL: Duration = Duration::from_millis(50);

pub fn run(options: &Options, report: &mut Report) {
    let further = ["--warm", "--log-level", "warn"];
    let server = Server::start(&options.program, &options.data_dir, &further);
    let mut chance = Chance::new(options.seed);
    let mix = Catalogue::of(&server).light(&mut chance);
    let first = server.figures();
    let all = options.kind.as_ref().map_or(&Kind::ALL[..], std::slice::from_ref);
    for kind in all {
        try_kind(options, report, &server, &mix, *kind);
    }
    let last = server.figures();
    report.holds(
        last.anonymous_kb <= first.anonymous_kb + MEMORY_MAX_KB,
        format!(
            "{} kB anonymous before all crowds, {} after them",
            Count(first.anonymous_kb),
            Count(last.anonymous_kb)
        ),
    );
    for complaint in server.complaints() {
        report.failed(format!("log: {complaint}"));
    }
}

fn try_kind(options: &Options, report: &mut Report, server: &Server, mix: &Mix, kind: Kind) {
    let quick = if kind == Kind::Unread { QUICK_UNREAD } else { QUICK_CLIENTS };
    let clients = options.clients.unwrap_or(options.either(CLIENTS, quick));
    let time = options.seconds(20, 1);
    let before = server.figures();
    let quiet = good(server, mix, time, options.seed);
    let crowd = Crowd::gather(server.address(), server.key(), kind, clients);
    let during = good(server, mix, time, options.seed + 1);
    let most = server.figures();
    // The quick form does not wait for limits.
    let wait = if options.quick { Duration::ZERO } else { kind.limit() + crowd::MARGIN };
    let cuts = crowd.disperse(wait);
    let after = released(server, before.descriptors);

    let name = kind.name();
    tell_good(report, options, name, [quiet, during]);
    tell_cuts(report, options, kind, cuts);
    report.holds(
        after.descriptors <= before.descriptors + DESCRIPTORS_SLACK,
        format!(
            "{name}: {} descriptors before, {} at the end of the load, {} afterwards",
            before.descriptors, most.descriptors, after.descriptors
        ),
    );
    let memory = [before, most, after].map(|process| Count(process.anonymous_kb));
    report.figure(
        &format!("{name}: anonymous memory"),
        format!(
            "{} kB before, {} at the end of the load, {} afterwards",
            memory[0], memory[1], memory[2]
        ),
    );
}

/// Both kinds of good clients for some time.
fn good(server: &Server, mix: &Mix, time: Duration, seed: u64) -> [Tally; 2] {
    let staying = Load {
        address: server.address(),
        connections: STAYING,
        pace: Pace::Clock(STAYING_RATE),
        reuse: Reuse::Always,
        time,
        seed,
    };
    let new = Load {
        connections: NEW,
        pace: Pace::Clock(NEW_RATE),
        reuse: Reuse::Never,
        seed: !seed,
        ..staying
    };
    thread::scope(|scope| {
        let new = scope.spawn(move || new.run(mix, &Live::default()));
        [staying.run(mix, &Live::default()), new.join().expect("good clients")]
    })
}

fn tell_good(report: &mut Report, options: &Options, name: &str, tallies: [[Tally; 2]; 2]) {
    let [mut quiet, mut during] = tallies.map(|[mut staying, mut new]| {
        for (tally, whose) in [(&mut staying, "that stay"), (&mut new, "that are new")] {
            if options.quick {
                // A limit of time, which others on the machine may break.
                tally.unsent = 0;
            }
            if let Some(trouble) = tally.trouble() {
                report.failed(format!("{name}: good clients, connections {whose}: {trouble}"));
            }
        }
        let mut times = staying.of_status(200);
        times.join(new.of_status(200));
        times
    });
    report.figure(&format!("{name}: good clients, quiet"), quiet.summary());
    report.figure(&format!("{name}: good clients, during"), during.summary());
    let (p99_quiet, p99_during) = (quiet.at(0.99), during.at(0.99));
    let factor = p99_during.as_secs_f64() / p99_quiet.as_secs_f64().max(1e-9);
    let enough = |times: &Times| times.len() >= SAMPLES_MIN;
    if options.quick {
        report.figure(&format!("{name}: p99 times"), format!("{factor:.2}"));
        return;
    }
    report.holds(
        factor < FACTOR_MAX && enough(&quiet) && enough(&during),
        format!(
            "{name}: p99 of good clients {} quiet, {} during, {factor:.2} times",
            Ms(p99_quiet),
            Ms(p99_during)
        ),
    );
}

fn tell_cuts(report: &mut Report, options: &Options, kind: Kind, mut cuts: Cuts) {
    let name = kind.name();
    report.figure(
        &format!("{name}: slow clients"),
        format!(
            "connected {} times, at most {} at once; {} could not connect; {} went away themselves",
            Count(cuts.connected),
            Count(cuts.most),
            Count(cuts.refused),
            Count(cuts.left),
        ),
    );
    report.figure(&format!("{name}: cut after"), cuts.lives.summary());
    let limit = kind.limit() + crowd::MARGIN;
    let longest = cuts.lives.max();
    report.holds(
        (cuts.uncut == 0 || options.quick) && longest <= limit,
        format!(
            "{name}: every one cut within {} (the longest {}), {} not cut",
            Ms(limit),
            Ms(longest),
            cuts.uncut
        ),
    );
}

/// The process once it has no more descriptors than before, or after some time.
fn released(server: &Server, descriptors: u64) -> crate::server::Process {
    let begun = Instant::now();
    loop {
        let process = server.figures();
        let is_back = process.descriptors <= descriptors + DESCRIPTORS_SLACK;
        if is_back || begun.elapsed() > RELEASE_MAX {
            return process;
        }
        thread::sleep(POLL);
    }
}
