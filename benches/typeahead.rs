//! Typeahead in process: how long one answer takes, by kind of query, against the plain way of
//! asking the same automaton (walk every name of the prefix, sort, keep the first).
//!
//! `cargo bench --bench typeahead` builds 200,000 fictional organizations; `ALMONER_BENCH_DATA_DIR`
//! names a data directory to use instead. Before criterion's own figures it prints the percentiles
//! of 10,000 random prefixes, which is what docs/benchmarks.md quotes.

// Figures go to standard output.
#![allow(clippy::print_stdout)]

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use almoner::index::typeahead::{Scope, Typeahead};
use almoner::record::OrgId;
use almoner::snapshot::{self, Snapshot};
use almoner::{naming, search};
use criterion::{BatchSize, Criterion};
use fst::{IntoStreamer as _, Streamer as _};

/// Queries whose percentiles are printed.
const QUERIES: usize = 10_000;
/// Suggestions asked for.
const LIMIT: usize = 25;
/// Characters of a query, from and to.
const CHARACTERS: (usize, usize) = (2, 20);

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data_dir = data_dir(folder.path());
    let snapshot = snapshot::open(&data_dir).expect("a snapshot");
    let queries = Queries::of(&snapshot);
    println!("{} organizations", snapshot.manifest.organizations);
    for (name, typed) in [("prefix", &queries.exact), ("one typo", &queries.mistyped)] {
        print_percentiles(name, &snapshot.typeahead, typed);
        print_percentiles_of(&format!("{name}, with records"), typed, |typed| {
            search::typeahead::suggest(&snapshot, typed, Scope::ActiveCharities, LIMIT)
                .expect("a whole snapshot")
                .len()
        });
    }

    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("typeahead");
    for (name, typed) in [("prefix", &queries.exact), ("one typo", &queries.mistyped)] {
        let mut next = typed.iter().cycle();
        group.bench_function(name, |bencher| {
            bencher.iter_batched(
                || next.next().expect("a cycle does not end"),
                |typed| snapshot.typeahead.suggest(typed, Scope::ActiveCharities, LIMIT),
                BatchSize::SmallInput,
            );
        });
    }
    let names = names_map(&data_dir, &snapshot);
    for typed in ["th", "first", "first baptist chu"] {
        group.bench_function(format!("best-first: {typed}"), |bencher| {
            bencher.iter(|| snapshot.typeahead.suggest(typed, Scope::ActiveCharities, LIMIT));
        });
        group.bench_function(format!("walk and sort: {typed}"), |bencher| {
            bencher.iter(|| walk_and_sort(&names, typed));
        });
    }
    group.finish();
    criterion.final_summary();
}

fn print_percentiles(name: &str, typeahead: &Typeahead, queries: &[String]) {
    print_percentiles_of(name, queries, |typed| {
        typeahead.suggest(typed, Scope::ActiveCharities, LIMIT).expect("a whole snapshot").len()
    });
}

fn print_percentiles_of(name: &str, queries: &[String], ask: impl Fn(&str) -> usize) {
    // Once without a clock: pages are read and blocks are verified on first touch.
    let found: usize = queries.iter().map(|typed| ask(typed)).sum();
    let mut times: Vec<f64> = queries
        .iter()
        .map(|typed| {
            let begun = Instant::now();
            std::hint::black_box(ask(typed));
            begun.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!(
        "{name}: p50 {:.0} us, p99 {:.0} us, p99.9 {:.0} us, worst {:.0} us; {:.1} suggestions",
        at(0.5),
        at(0.99),
        at(0.999),
        at(1.0),
        found as f64 / queries.len() as f64
    );
}

/// The beginnings of names by chance, as typed and with one typo.
struct Queries {
    exact: Vec<String>,
    mistyped: Vec<String>,
}

impl Queries {
    fn of(snapshot: &Snapshot) -> Self {
        let mut state = 1_u64;
        let mut below = |bound: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % bound as u64) as usize
        };
        let (mut exact, mut mistyped) = (Vec::new(), Vec::new());
        while exact.len() < QUERIES {
            let org = OrgId::new(below(snapshot.manifest.organizations as usize) as u32);
            let record = snapshot.records.organization(org).expect("a whole snapshot");
            let length = CHARACTERS.0 + below(CHARACTERS.1 - CHARACTERS.0 + 1);
            let mut typed: Vec<char> =
                naming::normalise(&record.name).chars().take(length).collect();
            exact.push(typed.iter().collect());
            let (at, letter) =
                (1 + below(typed.len().max(2) - 1), (b'a' + below(26) as u8) as char);
            match below(4) {
                0 if at < typed.len() => drop(typed.remove(at)),
                1 if at + 1 < typed.len() => typed.swap(at, at + 1),
                2 if at < typed.len() => typed[at] = letter,
                _ => typed.insert(at.min(typed.len()), letter),
            }
            mistyped.push(naming::normalise(&typed.iter().collect::<String>()));
        }
        Self { exact, mistyped }
    }
}

fn data_dir(folder: &Path) -> PathBuf {
    if let Some(named) = std::env::var_os("ALMONER_BENCH_DATA_DIR") {
        return named.into();
    }
    let (files, data_dir) = (folder.join("files"), folder.join("data"));
    let almoner = |arguments: &[&str]| {
        let status = Command::new(env!("CARGO_BIN_EXE_almoner")).args(arguments).status();
        assert!(status.expect("almoner runs").success(), "almoner {arguments:?} failed");
    };
    let text = |path: &Path| path.to_str().expect("a path in UTF-8").to_owned();
    almoner(&["generate", &text(&files), "--organizations", "200000"]);
    almoner(&["build", "--no-semantic", "--data-dir", &text(&data_dir), &text(&files)]);
    data_dir
}

/// The same map, read into memory for the peer.
fn names_map(data_dir: &Path, snapshot: &Snapshot) -> fst::Map<Vec<u8>> {
    let path =
        data_dir.join("snapshots").join(&snapshot.manifest.snapshot).join("typeahead/names.fst");
    let mut bytes = Vec::new();
    File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)).expect("the map of names");
    fst::Map::new(bytes).expect("a map")
}

/// The peer: every name of the prefix, sorted by value.
fn walk_and_sort(names: &fst::Map<Vec<u8>>, typed: &str) -> Vec<u64> {
    let mut stream = names.range().ge(typed).into_stream();
    let mut values = Vec::new();
    while let Some((name, value)) = stream.next() {
        if !name.starts_with(typed.as_bytes()) {
            break;
        }
        values.push(value);
    }
    values.sort_unstable();
    values.truncate(LIMIT);
    values
}
