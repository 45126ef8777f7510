//! Clients that send slowly, read nothing, or go away half-way, many more than the server serves
//! at once.
//!
//! Kind by kind, a crowd connects and is connected again when it is cut, while others ask as usual,
//! some on connections that stay and some on a new one each time. The same is asked without the
//! crowd, by turns, so that whatever else slows the machine slows both. What must hold: those are
//! all answered, at the 99th percentile in less than twice the quiet time; every slow client is cut
//! within the limit stated for it; and afterwards the server holds no more than before.

mod crowd;

use std::thread;
use std::time::{Duration, Instant};

use almoner::http::{CONNECTIONS_MAX, HEAD_BYTES_MAX};
use almoner::record::thousands;
use clap::ValueEnum as _;

use crate::Options;
use crate::chance::Rng;
use crate::load::{Live, Load, Pace, Reuse, Tally};
use crate::report::Report;
use crate::requests::{self, Mix};
use crate::server::{Process, Server};
use crate::times::{Ms, Times};
pub use crowd::Kind;
use crowd::{Crowd, Cuts};

/// Clients of a crowd.
const CLIENTS: usize = 2_000;
const QUICK_CLIENTS: usize = 1_000;
/// In the quick form: each that does not read takes half a megabyte of the system's buffers.
const QUICK_UNREAD: usize = 100;
/// Good clients: connections that stay, and requests a second on them.
const STAYING: usize = 8;
const STAYING_RATE: f64 = 100.0;
/// Requests a second on a connection of their own, and how many at once.
const NEW: usize = 8;
const NEW_RATE: f64 = 20.0;
/// How many times slower good clients may be at the 99th percentile.
const FACTOR_MAX: f64 = 2.0;
/// Turns without and with the crowd, and how long a turn takes.
const TURNS: usize = 4;
const TURN_SECONDS: u64 = 10;
/// Good requests needed to tell.
const SAMPLES_MIN: usize = 2_000;
/// What memory may stay with the allocator when all crowds are gone: what all connections together
/// hold at most.
const MEMORY_MAX_KB: u64 = (CONNECTIONS_MAX * HEAD_BYTES_MAX / 1_024) as u64;
/// Descriptors may be so many more: just being closed, once all are gone and while they come.
const DESCRIPTORS_SLACK: u64 = 2;
const DESCRIPTORS_CLOSING: u64 = 32;
/// How long the server may take to let go of what the crowd held.
const RELEASE_MAX: Duration = Duration::from_secs(5);
const POLL: Duration = Duration::from_millis(50);

pub fn run(options: &Options, report: &mut Report) {
    let further = ["--warm", "--log-level", "warn"];
    let server = Server::start(&options.program, &options.data_dir, &further);
    let mut chance = Rng::new(options.seed());
    let mix = Mix::new(requests::Kind::Light, &server, &mut chance);
    let first = server.figures();
    let all = Kind::value_variants();
    for kind in options.amounts.kind.as_ref().map_or(all, std::slice::from_ref) {
        try_kind(options, report, &server, &mix, *kind);
    }
    let last = server.figures();
    report.holds(
        last.anonymous_kb <= first.anonymous_kb + MEMORY_MAX_KB,
        format!(
            "{} kB anonymous before all crowds, {} after them",
            thousands(first.anonymous_kb),
            thousands(last.anonymous_kb)
        ),
    );
    report.log(&server);
}

fn try_kind(options: &Options, report: &mut Report, server: &Server, mix: &Mix, kind: Kind) {
    let quick = if kind == Kind::Unread { QUICK_UNREAD } else { QUICK_CLIENTS };
    let clients = options.amounts.clients.unwrap_or(options.either(CLIENTS, quick));
    let time = options.seconds(TURN_SECONDS, 1);
    let before = server.figures();
    let [mut quiet, mut during] = [Times::default(), Times::default()];
    let mut cuts = Cuts::default();
    let (mut most, mut most_kb) = (before.descriptors, before.anonymous_kb);
    let mut after = before;
    let turns = options.either(TURNS, 1);
    for turn in 1..=turns {
        let seed = options.seed() + turn as u64;
        quiet.join(tell_trouble(report, options, kind, good(server, mix, time, seed)));
        let crowd = Crowd::gather(server.address(), server.key(), kind, clients);
        during.join(tell_trouble(report, options, kind, good(server, mix, time, seed)));
        let process = server.figures();
        most = most.max(process.descriptors);
        most_kb = most_kb.max(process.anonymous_kb);
        // Limits are waited for in the last turn, in the quick form not at all.
        let is_waiting = turn == turns && !options.quick();
        let wait = if is_waiting { kind.limit() + crowd::MARGIN } else { Duration::ZERO };
        cuts.join(crowd.disperse(wait));
        after = released(server, before.descriptors);
    }

    let name = kind.name();
    tell_good(report, options, name, [quiet, during]);
    tell_cuts(report, options, kind, cuts);
    report.holds(
        after.descriptors <= before.descriptors + DESCRIPTORS_SLACK,
        format!(
            "{name}: {} descriptors before, {} afterwards",
            before.descriptors, after.descriptors
        ),
    );
    report.holds(
        most <= before.descriptors + CONNECTIONS_MAX as u64 + DESCRIPTORS_CLOSING,
        format!("{name}: {most} descriptors at most, at the ends of turns"),
    );
    let memory = [before.anonymous_kb, most_kb, after.anonymous_kb].map(thousands);
    report.figure(
        &format!("{name}: anonymous memory"),
        format!(
            "{} kB before, {} at most at the ends of turns, {} afterwards",
            memory[0], memory[1], memory[2]
        ),
    );
}

/// Both kinds of good clients for some time.
fn good(server: &Server, mix: &Mix, time: Duration, seed: u64) -> [Tally; 2] {
    let load = Load::saturating(server, STAYING, time, seed);
    let staying = Load { pace: Pace::Clock(STAYING_RATE), ..load };
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

/// What went wrong with good clients; the times of what went right.
fn tell_trouble(report: &mut Report, options: &Options, kind: Kind, tallies: [Tally; 2]) -> Times {
    let mut times = Times::default();
    for (mut tally, whose) in tallies.into_iter().zip(["that stay", "that are new"]) {
        if options.quick() {
            // A limit of time, which others on the machine may break.
            tally.unsent = 0;
        }
        if let Some(trouble) = tally.trouble() {
            let name = kind.name();
            report.failed(format!("{name}: good clients, connections {whose}: {trouble}"));
        }
        times.join(tally.of_status(200));
    }
    times
}

fn tell_good(
    report: &mut Report,
    options: &Options,
    name: &str,
    [mut quiet, mut during]: [Times; 2],
) {
    report.figure(&format!("{name}: good clients, quiet"), quiet.summary());
    report.figure(&format!("{name}: good clients, during"), during.summary());
    let (p99_quiet, p99_during) = (quiet.at(0.99), during.at(0.99));
    let factor = p99_during.as_secs_f64() / p99_quiet.as_secs_f64().max(1e-9);
    let enough = |times: &Times| times.len() >= SAMPLES_MIN;
    if options.quick() {
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
            thousands(cuts.connected),
            thousands(cuts.most),
            thousands(cuts.refused),
            thousands(cuts.left),
        ),
    );
    report.figure(&format!("{name}: cut after"), cuts.lives.summary());
    // The quick form did not wait for limits.
    if options.quick() {
        return;
    }
    let limit = kind.limit() + crowd::MARGIN;
    let longest = cuts.lives.max();
    report.holds(
        cuts.uncut == 0 && longest <= limit,
        format!(
            "{name}: every one cut within {} (the longest {}), {} not cut",
            Ms(limit),
            Ms(longest),
            cuts.uncut
        ),
    );
}

/// The process once it has no more descriptors than before, or after some time.
fn released(server: &Server, descriptors: u64) -> Process {
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
