//! The vector index: build time, queries a second, and recall against exact search in f32, without
//! a filter and at falling selectivity, of filters by chance and by place.
//!
//! `ALMONER_BENCH_VECTORS` names a folder with `base.f32` and `queries.f32`: vectors of 384 f32,
//! little-endian, one after another, those of `base.f32` in the order of places. Without it, names
//! of fictional organizations are embedded. `scripts/vector_peers.py` makes such a folder from a
//! master file. The index is built into the folder's `index`; with `ALMONER_BENCH_BUILT` set, the one
//! that is there is asked again. `ALMONER_BENCH_HNSWLIB` names `hnswlib.cpp` as a shared library (which that
//! script compiles): then the curves of both are printed in place of the filters.

// Figures go to standard output.
#![allow(clippy::print_stdout)]

mod curve;
mod hnswlib;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

use almoner::embed::Model;
use almoner::index::columns::Bitmap;
use almoner::index::vectors::{Builder, Codec, Matching, Nearest, Query, Vectors};
use almoner::mapped::files_in;
use almoner::record::OrgId;
use rayon::prelude::*;

const DIMS: usize = 384;
/// Neighbours wanted.
const K: usize = 10;
/// Shares of the organizations that a filter lets pass, percent.
const SELECTIVITIES: [f64; 6] = [100.0, 50.0, 10.0, 1.0, 0.1, 0.01];
/// Queries that each filter is tried with.
const FILTERED_QUERIES: usize = 400;
/// Fictional organizations, and queries held out of them.
const FICTIONAL: (u64, usize) = (20_000, 500);
/// Times that all queries are asked; the quickest counts.
const ROUNDS: usize = 3;

fn main() {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let folder = match std::env::var_os("ALMONER_BENCH_VECTORS") {
        Some(folder) => PathBuf::from(folder),
        None => {
            embed_fictional(temporary.path());
            temporary.path().to_owned()
        }
    };
    let (base, queries) = (read(&folder.join("base.f32")), read(&folder.join("queries.f32")));
    let index = folder.join("index");
    if std::env::var_os("ALMONER_BENCH_BUILT").is_none() {
        build(&index, &base);
    }
    let vectors = open(&index);
    let statistics = vectors.statistics().expect("a whole index");
    println!(
        "{} vectors, {} nodes, {:.1} links each, kernel {}",
        statistics.organizations,
        statistics.nodes,
        statistics.links as f64 / statistics.nodes as f64,
        statistics.kernel
    );
    let bytes: u64 = statistics.bytes.iter().sum();
    println!("{:.0} bytes a vector in all", bytes as f64 / statistics.organizations as f64);

    if let Some(library) = std::env::var_os("ALMONER_BENCH_HNSWLIB") {
        curve::print(&library, &vectors, &base, &queries);
        return;
    }
    let filters = filters(base.len() / DIMS);
    let (all, few) = (queries.len() / DIMS, FILTERED_QUERIES.min(queries.len() / DIMS));
    println!(
        "filter      matches   recall@10   fewer   median µs   p99 µs   queries/s   visits   plan"
    );
    for (at, filter) in filters.iter().enumerate() {
        // Without a filter all queries are asked, and each filter is tried with some.
        let asked = &queries[..if at == 0 { all } else { few } * DIMS];
        row(&vectors, &base, asked, filter);
    }
}

/// A set of organizations that match.
struct Filter {
    name: String,
    set: Option<Bitmap>,
    count: u64,
}

fn filters(organizations: usize) -> Vec<Filter> {
    let mut filters = vec![Filter { name: "none".into(), set: None, count: organizations as u64 }];
    let mut draws = fastrand::Rng::with_seed(7);
    for percent in SELECTIVITIES {
        let share = percent / 100.0;
        let random: Vec<_> = (0..organizations).filter(|_| draws.f64() < share).collect();
        let length = (organizations as f64 * share) as usize;
        let start = (draws.f64() * (organizations - length) as f64) as usize;
        let place: Vec<usize> = (start..start + length).collect();
        for (kind, orgs) in [("random", random), ("place", place)] {
            let orgs = orgs.into_iter().map(|org| OrgId::new(org as u32));
            let set = Bitmap::of(organizations as u32, orgs);
            let count = set.count();
            let name = format!("{kind} {percent}%");
            filters.push(Filter { name, set: Some(set), count });
        }
    }
    filters
}

/// Asks all queries under a filter and prints what came of it.
fn row(vectors: &Vectors, base: &[f32], queries: &[f32], filter: &Filter) {
    let matching = filter.set.as_ref().map(|set| Matching { set, count: filter.count });
    let ask = |query| -> Nearest {
        let ask = Query { matching: matching.as_ref(), ..Query::new(query, K) };
        vectors.nearest(&ask).expect("a whole index")
    };
    let found: Vec<Nearest> = queries.chunks_exact(DIMS).map(ask).collect();
    let mut times: Vec<f64> = Vec::new();
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let round = Instant::now();
        for query in queries.chunks_exact(DIMS) {
            let start = Instant::now();
            std::hint::black_box(ask(query));
            times.push(start.elapsed().as_secs_f64() * 1e6);
        }
        best = best.min(round.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    let recalls: Vec<(f64, bool)> = queries
        .par_chunks_exact(DIMS)
        .zip(&found)
        .map(|(query, found)| recall(base, query, filter, found))
        .collect();
    let recall = recalls.iter().map(|recall| recall.0).sum::<f64>() / recalls.len() as f64;
    let fewer = recalls.iter().filter(|recall| recall.1).count();
    let visits = found.iter().map(|found| found.visits).sum::<u64>() / found.len() as u64;
    let plan = found.first().map_or_else(String::new, |found| found.plan.name().to_owned());
    println!(
        "{:<14} {:>7} {recall:>10.4} {fewer:>7} {:>11.1} {:>8.1} {:>11.0} {visits:>8}   {plan}",
        filter.name,
        filter.count,
        times[times.len() / 2],
        times[times.len() * 99 / 100],
        found.len() as f64 / best,
    );
}

/// The share of the exact nearest that was found, equally near ones counting as the same; and
/// whether fewer were found than there are.
fn recall(base: &[f32], query: &[f32], filter: &Filter, found: &Nearest) -> (f64, bool) {
    let passes =
        |org: usize| filter.set.as_ref().is_none_or(|set| set.contains(OrgId::new(org as u32)));
    let exact = |org: usize| dot(&base[org * DIMS..(org + 1) * DIMS], query);
    let scores: Vec<f32> = (0..base.len() / DIMS).filter(|&org| passes(org)).map(exact).collect();
    let wanted = K.min(scores.len());
    if wanted == 0 {
        return (1.0, !found.hits.is_empty());
    }
    let last = last_of_nearest(scores, wanted);
    let right = found
        .hits
        .iter()
        .filter(|hit| passes(hit.row.index()) && exact(hit.row.index()) >= last)
        .count();
    (right as f64 / wanted as f64, found.hits.len() < wanted)
}

/// The score of the last of so many nearest, less what rounding may do.
fn last_of_nearest(mut scores: Vec<f32>, wanted: usize) -> f32 {
    let (_, last, _) = scores.select_nth_unstable_by(wanted - 1, |a, b| b.total_cmp(a));
    *last - 1e-6
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; 16];
    for (a, b) in a.as_chunks::<16>().0.iter().zip(b.as_chunks::<16>().0) {
        for (lane, (a, b)) in lanes.iter_mut().zip(a.iter().zip(b)) {
            *lane += a * b;
        }
    }
    lanes.iter().sum()
}

fn build(folder: &Path, base: &[f32]) {
    std::fs::create_dir_all(folder.join("vectors")).expect("room for the index");
    let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let codec = Codec::new(DIMS).expect("as many dimensions");
    let start = Instant::now();
    let mut builder = Builder::create(folder, DIMS).expect("room for the index");
    let mut row = vec![0; codec.row_bytes()];
    for vector in base.chunks_exact(DIMS) {
        codec.encode(vector, &mut row);
        builder.push(&row).expect("room for the index");
    }
    let mut stage = None;
    let counts = builder
        .finish(threads, &mut |progress| {
            if stage != Some(progress.stage) {
                println!("{:6.1} s: {:?}", start.elapsed().as_secs_f64(), progress.stage);
                stage = Some(progress.stage);
            }
        })
        .expect("room for the index");
    println!("built {} nodes in {:.1} s", counts.nodes, start.elapsed().as_secs_f64());
}

fn open(folder: &Path) -> Vectors {
    Vectors::open(&mut files_in(folder)).expect("an index of this version")
}

fn read(path: &Path) -> Vec<f32> {
    let bytes = std::fs::read(path).expect("vectors of 384 f32 in base.f32 and queries.f32");
    assert_eq!(bytes.len() % (4 * DIMS), 0, "{} holds no whole vectors", path.display());
    bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
}

/// Embeds fictional names, in the order of the files, which is that of regions, one in so many held
/// out.
fn embed_fictional(folder: &Path) {
    let (organizations, queries) = FICTIONAL;
    let data = folder.join("data");
    let options = almoner::fictional::Options::new(organizations, 1);
    almoner::fictional::generate(&data, &options, &mut |_| {}).expect("room for the files");
    let mut names: Vec<String> = Vec::new();
    let files = std::fs::read_dir(&data).expect("the folder");
    let mut files: Vec<_> = files.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    for path in files {
        if path.extension().is_some_and(|extension| extension == "csv") {
            let mut reader = csv::Reader::from_path(path).expect("a master file");
            names.extend(reader.records().map(|row| row.expect("a row")[1].to_owned()));
        }
    }
    let model = Model::embedded().expect("the embedded model");
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let vectors = model.embed(&names, threads).expect("names");
    let step = names.len() / queries;
    let (mut held, mut base) = (Vec::new(), Vec::new());
    for (at, vector) in vectors.chunks_exact(DIMS).enumerate() {
        if at % step == 0 { held.extend(vector) } else { base.extend(vector) }
    }
    let kept: [(&str, Vec<&f32>); 2] = [("queries.f32", held), ("base.f32", base)];
    for (name, vectors) in kept {
        let bytes: Vec<u8> = vectors.iter().flat_map(|value| value.to_le_bytes()).collect();
        std::fs::write(folder.join(name), bytes).expect("room for the vectors");
    }
}
