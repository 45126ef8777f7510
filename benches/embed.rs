//! The embedder: texts a second on one thread and on all, a query's latency, and stock candle.
//!
//! `cargo bench --bench embed` takes fictional names; `ALMONER_BENCH_TEXTS` names a file of texts,
//! one a line. `scripts/embed_peers.py` compares with ONNX Runtime on the same weights and texts.
//! Before criterion's own figures it prints those that docs/benchmarks.md quotes.

// Figures go to standard output.
#![allow(clippy::print_stdout)]

use std::arch::asm;
use std::time::Instant;

use almoner::embed::Model;
use almoner::fictional;
use candle_core::Device;
use criterion::Criterion;

/// Texts whose throughput is measured.
const TEXTS: usize = 5_000;
/// Texts that stock candle is measured on: it is slower.
const REFERENCE_TEXTS: usize = 400;
/// Queries whose latency is measured.
const QUERIES: usize = 2_000;
/// Tokens of such a query, the two at its ends included.
const QUERY_TOKENS: usize = 9;
/// Products of weights that a token takes: six layers of 4 · 384² for attention and 2 · 384 · 1536.
const PRODUCTS_PER_TOKEN: f64 = 6.0 * (4.0 * 384.0 * 384.0 + 2.0 * 384.0 * 1536.0);
/// Rounds of the loop that measures the CPU's peak, and runs of which the quickest counts.
const PEAK_ROUNDS: u64 = 10_000_000;
const PEAK_RUNS: usize = 5;

fn main() {
    let model = Model::embedded().expect("the embedded model");
    let stock = Model::load_on(None, &Device::Cpu).expect("the embedded model");
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
        let rate = rate(texts.len(), start);
        println!("{threads} threads: {rate:.0} texts/s");
        if threads == 1 {
            let products = rate * tokens as f64 / texts.len() as f64 * PRODUCTS_PER_TOKEN / 1e9;
            let peak = peak(model.kernel());
            let share = peak.map_or_else(String::new, |peak| {
                format!(
                    ", {:.0} % of the {peak:.0} of its instructions alone",
                    100.0 * products / peak
                )
            });
            println!(
                "1 thread: {products:.1} billion products/s, all that is between counted{share}"
            );
        }
    }
    let start = Instant::now();
    let few = &texts[..REFERENCE_TEXTS.min(texts.len())];
    for text in few {
        stock.embed(&[text], 1).expect("a text");
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

/// Billions of products a second of the kernel's instructions, with all of them in registers; `None`
/// for the portable kernel, which is what the compiler makes of it.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
fn peak(kernel: &str) -> Option<f64> {
    /// What is done in one round: instructions on sums that do not wait for one another.
    macro_rules! rounds {
        ($rounds:expr, $($instruction:literal),+) => {
            // SAFETY: the CPU has the instructions, as the kernel that uses them was chosen; the
            // registers that are written are declared.
            unsafe {
                asm!(
                    "2:", $($instruction),+, "dec {left}", "jnz 2b",
                    left = inout(reg) $rounds => _,
                    out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _, out("xmm4") _,
                    out("xmm5") _, out("xmm6") _, out("xmm7") _, out("xmm8") _, out("xmm9") _,
                    out("xmm10") _, out("xmm11") _, out("xmm12") _, out("xmm13") _,
                    out("xmm14") _, out("xmm15") _,
                    options(nomem, nostack),
                )
            }
        };
    }
    let seconds = |run: &dyn Fn()| {
        let runs = (0..PEAK_RUNS).map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64()
        });
        runs.fold(f64::INFINITY, f64::min)
    };
    let (products, seconds) = match kernel {
        "AVX-512 VNNI" => (
            12 * 64,
            seconds(&|| {
                rounds!(
                    PEAK_ROUNDS,
                    "vpdpbusd zmm0, zmm15, zmm15",
                    "vpdpbusd zmm1, zmm15, zmm15",
                    "vpdpbusd zmm2, zmm15, zmm15",
                    "vpdpbusd zmm3, zmm15, zmm15",
                    "vpdpbusd zmm4, zmm15, zmm15",
                    "vpdpbusd zmm5, zmm15, zmm15",
                    "vpdpbusd zmm6, zmm15, zmm15",
                    "vpdpbusd zmm7, zmm15, zmm15",
                    "vpdpbusd zmm8, zmm15, zmm15",
                    "vpdpbusd zmm9, zmm15, zmm15",
                    "vpdpbusd zmm10, zmm15, zmm15",
                    "vpdpbusd zmm11, zmm15, zmm15"
                )
            }),
        ),
        "AVX2" => (
            9 * 64,
            seconds(&|| {
                rounds!(
                    PEAK_ROUNDS,
                    "vpmaddubsw ymm10, ymm15, ymm15",
                    "vpmaddubsw ymm11, ymm15, ymm15",
                    "vpaddw ymm10, ymm10, ymm11",
                    "vpmaddwd ymm10, ymm10, ymm15",
                    "vpaddd ymm0, ymm0, ymm10",
                    "vpmaddubsw ymm12, ymm15, ymm15",
                    "vpmaddubsw ymm13, ymm15, ymm15",
                    "vpaddw ymm12, ymm12, ymm13",
                    "vpmaddwd ymm12, ymm12, ymm15",
                    "vpaddd ymm1, ymm1, ymm12",
                    "vpmaddubsw ymm10, ymm15, ymm15",
                    "vpmaddubsw ymm11, ymm15, ymm15",
                    "vpaddw ymm10, ymm10, ymm11",
                    "vpmaddwd ymm10, ymm10, ymm15",
                    "vpaddd ymm2, ymm2, ymm10",
                    "vpmaddubsw ymm12, ymm15, ymm15",
                    "vpmaddubsw ymm13, ymm15, ymm15",
                    "vpaddw ymm12, ymm12, ymm13",
                    "vpmaddwd ymm12, ymm12, ymm15",
                    "vpaddd ymm3, ymm3, ymm12",
                    "vpmaddubsw ymm10, ymm15, ymm15",
                    "vpmaddubsw ymm11, ymm15, ymm15",
                    "vpaddw ymm10, ymm10, ymm11",
                    "vpmaddwd ymm10, ymm10, ymm15",
                    "vpaddd ymm4, ymm4, ymm10",
                    "vpmaddubsw ymm12, ymm15, ymm15",
                    "vpmaddubsw ymm13, ymm15, ymm15",
                    "vpaddw ymm12, ymm12, ymm13",
                    "vpmaddwd ymm12, ymm12, ymm15",
                    "vpaddd ymm5, ymm5, ymm12",
                    "vpmaddubsw ymm10, ymm15, ymm15",
                    "vpmaddubsw ymm11, ymm15, ymm15",
                    "vpaddw ymm10, ymm10, ymm11",
                    "vpmaddwd ymm10, ymm10, ymm15",
                    "vpaddd ymm6, ymm6, ymm10",
                    "vpmaddubsw ymm12, ymm15, ymm15",
                    "vpmaddubsw ymm13, ymm15, ymm15",
                    "vpaddw ymm12, ymm12, ymm13",
                    "vpmaddwd ymm12, ymm12, ymm15",
                    "vpaddd ymm7, ymm7, ymm12",
                    "vpmaddubsw ymm10, ymm15, ymm15",
                    "vpmaddubsw ymm11, ymm15, ymm15",
                    "vpaddw ymm10, ymm10, ymm11",
                    "vpmaddwd ymm10, ymm10, ymm15",
                    "vpaddd ymm8, ymm8, ymm10"
                )
            }),
        ),
        _ => return None,
    };
    Some(f64::from(products) * PEAK_ROUNDS as f64 / seconds / 1e9)
}

#[cfg(not(target_arch = "x86_64"))]
fn peak(_: &str) -> Option<f64> {
    None
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
    let options = fictional::Options::new(TEXTS as u64, 1);
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
