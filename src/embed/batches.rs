//! Many texts at once: texts of one length together, on the threads of the CPU or on a device of candle.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Error, Model};

/// Tokens of a batch: enough that the weights are read from memory once for many rows, few enough
/// that the rows between two layers stay in a core's second-level cache.
const ROWS: usize = 128;

/// Tokens of a batch on a device, one batch after another: enough to keep a GPU busy.
#[cfg(feature = "stock")]
const DEVICE_ROWS: usize = 16 * 1024;

/// Texts whose tokens a thread cuts at a time.
const CUT: usize = 256;

/// The vectors of the texts, in their order.
pub(super) fn embed<T: AsRef<str> + Sync>(
    model: &Model,
    texts: &[T],
    threads: usize,
) -> Result<Vec<f32>, Error> {
    let threads = threads.max(1);
    let cut = in_parallel(texts.len().div_ceil(CUT), threads, |at| {
        let texts = texts[at * CUT..].iter().take(CUT);
        texts.map(|text| model.tokens.of_text(text.as_ref())).collect::<Result<Vec<_>, _>>()
    });
    let tokens: Vec<Vec<u32>> =
        cut.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();

    // Longest first, so that no thread begins a long batch when the others are done.
    let mut order: Vec<usize> = (0..tokens.len()).collect();
    order.sort_by_key(|&text| (std::cmp::Reverse(tokens[text].len()), text));
    let dimensions = model.dimensions();
    let encode = |texts: &[&[u32]]| -> Result<Vec<f32>, Error> {
        #[cfg(feature = "stock")]
        if let Some(stock) = &model.stock {
            return stock.encode(texts);
        }
        model.encoder.with_scratch(|scratch| model.encoder.encode(texts, scratch))
    };
    #[cfg(feature = "stock")]
    let (rows, threads) = model.stock.as_ref().map_or((ROWS, threads), |_| (DEVICE_ROWS, 1));
    #[cfg(not(feature = "stock"))]
    let rows = ROWS;
    let batches = batches(&order, &tokens, rows);
    let encoded = in_parallel(batches.len(), threads, |at| {
        let texts = order[batches[at].clone()].iter().map(|&text| tokens[text].as_slice());
        encode(&texts.collect::<Vec<_>>())
    });
    let mut vectors = vec![0.0; texts.len() * dimensions];
    for (batch, encoded) in batches.into_iter().zip(encoded) {
        for (&text, vector) in order[batch].iter().zip(encoded?.chunks_exact(dimensions)) {
            vectors[text * dimensions..][..dimensions].copy_from_slice(vector);
        }
    }
    Ok(vectors)
}

/// Runs of the order whose texts have equally many tokens, `rows` at most unless one has more.
fn batches(order: &[usize], tokens: &[Vec<u32>], rows: usize) -> Vec<Range<usize>> {
    let mut batches = Vec::new();
    let mut start = 0;
    while start < order.len() {
        let length = tokens[order[start]].len();
        let most = (rows / length).max(1);
        let same = order[start..].iter().take(most);
        let end = start + same.take_while(|&&text| tokens[text].len() == length).count();
        batches.push(start..end);
        start = end;
    }
    batches
}

/// The results of `run` for each number below `count`, in order, computed on `threads` threads.
fn in_parallel<R: Send>(count: usize, threads: usize, run: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= count {
                return done;
            }
            done.push((at, run(at)));
        }
    };
    let mut all: Vec<(usize, R)> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads.min(count)).map(|_| scope.spawn(work)).collect();
        let mut all = work();
        for other in others {
            match other.join() {
                Ok(done) => all.extend(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    });
    all.sort_unstable_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, result)| result).collect()
}
