//! New snapshots under load.
//!
//! Two sets of fictional data are published in turn while clients ask. What a path answers under
//! either set is known beforehand from `almoner get`. What must hold: every answer is wholly that
//! of one set, byte for byte; between the log's word that a snapshot is swapped in and the next
//! build it is that of the new set; a connection that saw the new set never sees the old one again;
//! no connection breaks; and memory, descriptors and mapped files do not grow with the swaps.
//!
//! The data is its own: a data directory named for the bench is not used.

mod watcher;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use almoner::http::REQUEST_DEADLINE;
use almoner::record::thousands;
use serde_json::Value;

use crate::Options;
use crate::chance::Rng;
use crate::program::{Program, Vectors};
use crate::report::Report;
use crate::requests::encoded;
use crate::server::{Process, Server, mean_kb};
use crate::times::{Ms, Times};
use watcher::{Era, Expected, Seen, Watcher};

/// Organizations of each set.
const ORGANIZATIONS: u64 = 5_000;
const QUICK_ORGANIZATIONS: u64 = 1_000;
const SWAPS: usize = 100;
const QUICK_SWAPS: usize = 4;
/// Connections that ask.
const CONNECTIONS: u64 = 4;
/// Nonprofits of each set that are asked for.
const NONPROFITS: usize = 30;
const QUICK_NONPROFITS: usize = 3;
/// A build, and the swap that follows it, may take so long.
const SWAP_MAX: Duration = Duration::from_secs(60);
const POLL: Duration = Duration::from_millis(5);
/// How long only the new snapshot is looked for.
const SETTLED: Duration = Duration::from_millis(300);
/// What the server says once a snapshot is in use.
const SWAPPED_IN: &str = "swapped in";
/// Swaps after which memory is looked at first, each time averaged over as many as these.
const EARLY: usize = 12;
/// How much more anonymous memory there may be at the end; in the quick form, which has hardly
/// begun by then, so many kilobytes more.
const GROWTH_MAX: f64 = 1.05;
const QUICK_GROWTH_KB: u64 = 2_048;
/// The server removes a replaced snapshot after its deadline for requests.
const REMOVED_MAX: Duration = REQUEST_DEADLINE.saturating_add(Duration::from_secs(5));
/// Descriptors and maps may be so many more or fewer: a thread's stack, a file just being opened.
const DESCRIPTORS_SLACK: u64 = 2;
const MAPS_SLACK: u64 = 16;

/// One of the two sets.
struct Set {
    files: PathBuf,
    /// Where it is published alone.
    data_dir: PathBuf,
}

pub fn run(options: &Options, report: &mut Report) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sets = [1, 2].map(|number| set(options, folder.path(), number));
    let expected = expected(options, &sets);
    let differ = expected.iter().filter(|one| one.answers[0] != one.answers[1]).count();
    report.figure("paths", format!("{}, of which {differ} differ by set", expected.len()));
    report.holds(differ * 2 > expected.len(), "most answers tell which set they are of");

    let data_dir = folder.path().join("served");
    options.program.build(&data_dir, &sets[0].files, Vectors::Without);
    let server = Server::start(&options.program, &data_dir, &["--log-level", "info"]);
    let (era, ended) = (Era::default(), AtomicBool::new(false));
    let (seen, published) = thread::scope(|scope| {
        let watchers: Vec<_> = (0..CONNECTIONS)
            .map(|number| {
                let chance = Rng::new(options.seed() + number);
                let watcher = Watcher::new(server.address(), server.key(), &expected, &era, chance);
                scope.spawn(|| watcher.run(&ended))
            })
            .collect();
        let published = publish(options, &server, &data_dir, &sets, &era);
        ended.store(true, Ordering::Relaxed);
        let mut seen = Seen::default();
        watchers.into_iter().for_each(|one| seen.join(one.join().expect("a client")));
        (seen, published)
    });
    tell(report, options, &seen, published);
    look_for_remains(report, options, &server, &data_dir);
    report.log(&server);
}

fn set(options: &Options, folder: &Path, number: u64) -> Set {
    let organizations = options.either(ORGANIZATIONS, QUICK_ORGANIZATIONS);
    let files = folder.join(format!("files{number}"));
    let data_dir = folder.join(format!("data{number}"));
    options.program.publish(&data_dir, &files, organizations, options.seed() + number);
    Set { files, data_dir }
}

/// What every path answers under either set.
fn expected(options: &Options, sets: &[Set; 2]) -> Vec<Expected> {
    let count = options.either(NONPROFITS, QUICK_NONPROFITS);
    let mut paths = Vec::new();
    for set in sets {
        let (_, body) = options.program.get(
            &set.data_dir,
            &format!("/beta/nonprofits/search?size={count}&min_assets=1&sort=-revenue"),
        );
        let found: Value = serde_json::from_slice(&body).expect("JSON");
        for row in found["nonprofits"].as_array().expect("nonprofits") {
            let ein = row["ein"].as_str().expect("an EIN");
            let name = row["name"].as_str().unwrap_or("first").to_lowercase();
            let word = name.split(' ').next().unwrap_or("first").to_owned();
            paths.push(format!("/nonprofits/details/{ein}"));
            paths.push(format!("/nonprofits/filings/{ein}"));
            paths.push(format!("/typeahead/nonprofits?q={}", encoded(&word)));
            paths.push(format!("/beta/nonprofits/search?q={}", encoded(&word)));
            paths.push(format!("/feed/posts?eins={ein}"));
        }
    }
    for page in 1..=options.either(10, 2) {
        paths.push(format!("/feed/posts?page={page}"));
        paths.push(format!("/beta/nonprofits/search?sort=-revenue&page={page}"));
        paths.push(format!("/impact/metrics?page={page}"));
        paths.push(format!("/impact/stories?page={page}&size=5"));
    }
    paths.sort();
    paths.dedup();
    let program: &Program = &options.program;
    let answers = |path: &str| [0, 1].map(|set: usize| program.get(&sets[set].data_dir, path));
    paths.into_iter().map(|path| Expected { answers: answers(&path), path }).collect()
}

/// What publishing told.
struct Published {
    /// From the end of a build to the log's word.
    until_swapped: Times,
    /// The process after each swap.
    figures: Vec<Process>,
    /// Why it was given up.
    stopped: Option<String>,
}

/// Publishes the sets in turn.
fn publish(
    options: &Options,
    server: &Server,
    data_dir: &Path,
    sets: &[Set; 2],
    era: &Era,
) -> Published {
    let swaps = options.amounts.swaps.unwrap_or(options.either(SWAPS, QUICK_SWAPS));
    let mut published =
        Published { until_swapped: Times::default(), figures: Vec::new(), stopped: None };
    let mut read = 0;
    thread::sleep(SETTLED);
    for number in 1..=swaps {
        era.begin_swap();
        options.program.build(data_dir, &sets[number % 2].files, Vectors::Without);
        let built = Instant::now();
        let mut log = String::new();
        while !log.contains(SWAPPED_IN) {
            if built.elapsed() > SWAP_MAX {
                published.stopped = Some(format!("swap {number} is not told in the log"));
                return published;
            }
            thread::sleep(POLL);
            log.push_str(&server.log_since(&mut read));
        }
        era.end_swap();
        published.until_swapped.add(built.elapsed());
        thread::sleep(SETTLED);
        published.figures.push(server.figures());
    }
    published
}

fn tell(report: &mut Report, options: &Options, seen: &Seen, mut published: Published) {
    if let Some(stopped) = &published.stopped {
        report.failed(stopped);
    }
    report.figure("from a build's end to the swap", published.until_swapped.summary());
    let settled = thousands(seen.settled);
    let (old, new) = (thousands(seen.old), thousands(seen.new));
    report.figure(
        "answers",
        format!("{settled} while one set was in use; while builds ran {old} old, {new} new"),
    );
    report.holds(
        seen.wrong.is_empty() && seen.settled > 0,
        format!("every answer is wholly of the set in use{}", seen.described()),
    );
    report.holds(seen.old > 0 && seen.new > 0, "both sets are seen while builds run");
    report.holds(seen.broken == 0, format!("{} connections broken", seen.broken));
    compare(report, options, &published.figures);
}

/// The process after the first few swaps and after the last ones.
fn compare(report: &mut Report, options: &Options, figures: &[Process]) {
    let few = options.either(EARLY, 2).min(figures.len() / 2).max(1);
    if figures.len() < 2 {
        report.failed("too few swaps to compare");
        return;
    }
    let (early, late) = (&figures[..2 * few][few..], &figures[figures.len() - few..]);
    let memory = [early, late].map(mean_kb);
    let all: Vec<String> =
        figures.chunks(few).map(|part| format!("{:.0}", mean_kb(part))).collect();
    report.figure(&format!("anonymous kB, of {few} swaps each"), all.join(", "));
    report.holds(
        memory[1] <= GROWTH_MAX * memory[0] + options.either(0, QUICK_GROWTH_KB) as f64,
        format!(
            "anonymous memory {:.0} kB after {few} to {} swaps, {:.0} kB after {}",
            memory[0],
            2 * few,
            memory[1],
            figures.len()
        ),
    );
    let (first, last) = (early[0], late[late.len() - 1]);
    report.holds(
        last.descriptors.abs_diff(first.descriptors) <= DESCRIPTORS_SLACK
            && last.maps.abs_diff(first.maps) <= MAPS_SLACK,
        format!(
            "{} descriptors and {} maps, at the end {} and {}",
            first.descriptors, first.maps, last.descriptors, last.maps
        ),
    );
}

/// Whether a snapshot that was replaced is still mapped, or still there.
fn look_for_remains(report: &mut Report, options: &Options, server: &Server, data_dir: &Path) {
    let begun = Instant::now();
    let snapshots = data_dir.join("snapshots");
    let count = || std::fs::read_dir(&snapshots).map_or(0, Iterator::count);
    while !options.quick() && count() > 1 && begun.elapsed() < REMOVED_MAX {
        thread::sleep(POLL);
    }
    let maps = server.maps();
    let current = std::fs::read_to_string(data_dir.join("CURRENT")).expect("CURRENT");
    let is_old = |line: &&str| {
        let name = line.split_once("/snapshots/").map(|(_, rest)| rest.split('/').next());
        line.contains("(deleted)")
            || name.is_some_and(|name| name.is_none_or(|name| !current.contains(name)))
    };
    let old: Vec<&str> = maps.lines().filter(is_old).collect();
    report.holds(
        old.is_empty() && maps.contains("/snapshots/"),
        format!("nothing but the last snapshot is mapped {}", old.join("; ")),
    );
    if !options.quick() {
        let took = Ms(begun.elapsed());
        report.holds(count() == 1, format!("{} snapshot left on the disk after {took}", count()));
    }
}
