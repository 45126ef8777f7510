//! Queries a second at a recall: Almoner and hnswlib in one process, on the same vectors and queries, one
//! thread, each at the best of its own settings.

use std::ffi::OsStr;
use std::time::Instant;

use almoner::index::vectors::{Query, SearchParams, Vectors};
use rayon::prelude::*;

use super::hnswlib::Index;
use super::{DIMS, K, dot, last_of_nearest};

/// Values of recall@10 that are wanted.
const RECALLS: [f64; 4] = [0.95, 0.98, 0.99, 0.995];
/// Widths of a search that are tried: each some quarter larger than the one before.
const EF_RANGE: (usize, usize) = (20, 1_400);
/// Slacks of Almoner's searches that are tried.
const SLACKS: [f32; 5] = [0.0, 0.1, 0.16, 0.22, 0.3];
/// Links and widths of construction of hnswlib that are tried: what its guide names, and more.
const BUILDS: [(usize, usize); 2] = [(16, 200), (32, 200)];
/// Rounds in which the two take turns.
const ROUNDS: usize = 5;

/// Gives the numbers of the nearest to a query, in any order.
type Search<'a> = Box<dyn Fn(&[f32]) -> Vec<u32> + 'a>;

/// A way to search.
struct Setting<'a> {
    name: String,
    search: Search<'a>,
    recall: f64,
    /// Queries a second, as first measured.
    rate: f64,
}

/// Prints the curve as a table of Markdown.
pub fn print(library: &OsStr, vectors: &Vectors, base: &[f32], queries: &[f32]) {
    let scores = |query: &[f32]| base.chunks_exact(DIMS).map(|row| dot(row, query)).collect();
    let last = |query| last_of_nearest(scores(query), K);
    let lasts: Vec<f32> = queries.par_chunks_exact(DIMS).map(last).collect();
    let mut ours = Vec::new();
    for slack in SLACKS {
        sweep(&lasts, base, queries, &mut ours, |ef| {
            let params = SearchParams { ef, slack };
            let search = move |query: &[f32]| {
                let ask = Query { params, ..Query::new(query, K) };
                let found = vectors.nearest(&ask).expect("a whole index");
                found.hits.iter().map(|hit| hit.row.0).collect()
            };
            (format!("ef {ef}, slack {slack}"), Box::new(search))
        });
    }
    let mut indexes = Vec::new();
    for (m, ef_construction) in BUILDS {
        let start = Instant::now();
        let index = Index::build(library, base, m, ef_construction);
        let name = format!("M {m}, ef_construction {ef_construction}");
        println!(
            "hnswlib {name}: built in {:.1} s, {} bytes a vector",
            start.elapsed().as_secs_f64(),
            index.bytes() * DIMS / base.len()
        );
        indexes.push((name, index));
    }
    let mut theirs = Vec::new();
    for (build, index) in &indexes {
        sweep(&lasts, base, queries, &mut theirs, |ef| {
            let search = move |query: &[f32]| index.search::<K>(query, ef);
            (format!("{build}, ef {ef}"), Box::new(search))
        });
    }
    println!(
        "\n| recall@{K} | Almoner | recall | queries/s | hnswlib | recall | queries/s | ratio |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for wanted in RECALLS {
        let (Some(one), Some(other)) = (best(&ours, wanted), best(&theirs, wanted)) else {
            println!("| {wanted} | not reached | | | | | | |");
            continue;
        };
        let (rates, ratio) = compare(one, other, queries);
        println!(
            "| {wanted} | {} | {:.4} | {:.0} | {} | {:.4} | {:.0} | {ratio:.2} |",
            one.name, one.recall, rates[0], other.name, other.recall, rates[1]
        );
    }
}

/// Adds settings of rising width, until one finds what is wanted at most.
fn sweep<'a>(
    lasts: &[f32],
    base: &[f32],
    queries: &[f32],
    settings: &mut Vec<Setting<'a>>,
    of: impl Fn(usize) -> (String, Search<'a>),
) {
    let mut ef = EF_RANGE.0;
    while ef <= EF_RANGE.1 {
        let (name, search) = of(ef);
        let start = Instant::now();
        let found: Vec<Vec<u32>> = queries.chunks_exact(DIMS).map(&search).collect();
        let rate = found.len() as f64 / start.elapsed().as_secs_f64();
        let queries = queries.chunks_exact(DIMS);
        let hits = queries.zip(&found).zip(lasts).map(|((query, found), &last)| {
            let row = |at: u32| &base[at as usize * DIMS..][..DIMS];
            found.iter().filter(|&&at| dot(row(at), query) >= last).count()
        });
        let recall = hits.sum::<usize>() as f64 / (K * found.len()) as f64;
        settings.push(Setting { name, search, recall, rate });
        if RECALLS.iter().all(|&wanted| recall >= wanted) {
            return;
        }
        ef += ef.div_ceil(4);
    }
}

/// The quickest setting that finds so much.
fn best<'s, 'a>(settings: &'s [Setting<'a>], wanted: f64) -> Option<&'s Setting<'a>> {
    let enough = settings.iter().filter(|setting| setting.recall >= wanted);
    enough.max_by(|a, b| a.rate.total_cmp(&b.rate))
}

/// The median rates of two settings that take turns, and the median of the ratios of the rounds.
fn compare(one: &Setting, other: &Setting, queries: &[f32]) -> ([f64; 2], f64) {
    let rate = |setting: &Setting| {
        let start = Instant::now();
        for query in queries.chunks_exact(DIMS) {
            std::hint::black_box((setting.search)(query));
        }
        (queries.len() / DIMS) as f64 / start.elapsed().as_secs_f64()
    };
    let rounds: Vec<[f64; 2]> = (0..ROUNDS).map(|_| [rate(one), rate(other)]).collect();
    let median = |of: &dyn Fn(&[f64; 2]) -> f64| {
        let mut values: Vec<f64> = rounds.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    let rates = [median(&|round| round[0]), median(&|round| round[1])];
    (rates, median(&|round| round[0] / round[1]))
}
