//! The embedder: texts a second on one thread and on all, a query's latency, and stock candle.
//!
//! `cargo bench --bench embed` takes fictional names; `ALMONER_BENCH_TEXTS` names a file of texts,
//! one a line. `scripts/embed_peers.py` compares with ONNX Runtime on the same weights and texts.
//! Before criterion's own figures it prints those that README quotes.

// Figures go to standard output.
#![allow(clippy::print_stdout)]

use std::time::Instant;

use almoner::embed::{Model, Reference};
use almoner::fictional;
use criterion::Criterion;

/// Texts whose throughput is measured.
const TEXTS: usize = 5_000;
/// Texts that stock candle is measured on: it is slower.
const REFERENCE_TEXTS: usize = 400;
/// Queries whose latency is measured.
const QUERIES: usize = 2_000;
/// Tokens of such a query, the two at its ends included.
const QUERY_TOKENS: usize = 9;

fn main() {
    let model = Model::embedded().expect("the embedded model");
    let reference = Reference::load(None).expect("the embedded model");
    let texts = texts();
    let tokens: usize = texts.iter().map(|text| count(&model, text)).sum();
    println!(
        "{} texts, {:.2} tokens each in the mean, arithmetic {}",
        texts.len(),
        tokens as f64 / texts.len() as f64,
        model.kernel()
    );
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    for threads in [1, cores] {
        let start = Instant::now();
        model.embed(&texts, threads).expect("texts");
        println!("{threads} threads: {:.0} texts/s", rate(texts.len(), start));
    }
    let start = Instant::now();
    let few = &texts[..REFERENCE_TEXTS.min(texts.len())];
    for text in few {
        reference.embed_one(text).expect("a text");
    }
    println!("stock candle, text by text: {:.0} texts/s", rate(few.len(), start));

    let queries: Vec<&String> =
        texts.iter().filter(|text| count(&model, text) == QUERY_TOKENS).collect();
    let mut times: Vec<f64> = queries
        .iter()
        .cycle()
        .take(if queries.is_empty() { 0 } else { QUERIES })
        .map(|query| {
            let start = Instant::now();
            model.embed_one(query).expect("a text");
            start.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    if let (Some(median), Some(p99)) =
        (times.get(times.len() / 2), times.get(times.len() * 99 / 100))
    {
        println!("query {QUERY_TOKENS} tokens: median {median:.0} µs, p99 {p99:.0} µs");
    }

    let mut criterion = Criterion::default().configure_from_args();
    criterion.bench_function("embed/one query", |bencher| {
        bencher.iter(|| model.embed_one("after school tutoring for children").expect("a text"));
    });
    criterion.final_summary();
}

fn rate(texts: usize, start: Instant) -> f64 {
    texts as f64 / start.elapsed().as_secs_f64()
}

fn count(model: &Model, text: &str) -> usize {
    model.count_tokens(text).expect("a text")
}

fn texts() -> Vec<String> {
    match std::env::var_os("ALMONER_BENCH_TEXTS") {
        Some(path) => {
            let text = std::fs::read_to_string(path).expect("a file of texts, one a line");
            text.lines().map(str::to_owned).take(TEXTS).collect()
        }
        None => fictional_names(),
    }
}

/// Names of fictional organizations, as the master file would list them.
fn fictional_names() -> Vec<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let organizations = fictional::Organizations::new(TEXTS as u64).expect("a number in range");
    let options = fictional::Options::new(organizations, 1);
    fictional::generate(folder.path(), &options, &mut |_| {}).expect("room for the files");
    let files = std::fs::read_dir(folder.path()).expect("the folder");
    let mut files: Vec<_> = files.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "csv"))
        .flat_map(|path| {
            let mut reader = csv::Reader::from_path(path).expect("a master file");
            let rows: Vec<_> =
                reader.records().map(|row| row.expect("a row")[1].to_owned()).collect();
            rows
        })
        .collect()
}
