//! Many texts at once: texts of one length together, on the threads of the CPU or on a device of candle.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Bulk, Error, Model};

/// Tokens of a batch: enough that the weights are read from memory once for many rows, few enough
/// that the rows between two layers stay in a core's second-level cache.
const ROWS: usize = 128;

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

    let dimensions = model.dimensions();
    let (rows, threads) = match model.bulk() {
        Bulk::Encoder(_) => (ROWS, threads),
        // Its operations take all threads themselves.
        Bulk::Transformer(transformer) => (transformer.batch_tokens(), 1),
    };
    let encode = |texts: &[&[u32]]| match model.bulk() {
        Bulk::Encoder(encoder) => {
            Ok(encoder.with_scratch(|scratch| encoder.encode(texts, scratch)))
        }
        Bulk::Transformer(transformer) => transformer.encode(texts),
    };
    let batches = by_length(&tokens, rows);
    let encoded = in_parallel(batches.len(), threads, |at| {
        let texts = batches[at].iter().map(|&text| tokens[text].as_slice());
        encode(&texts.collect::<Vec<_>>())
    });
    let mut vectors = vec![0.0; texts.len() * dimensions];
    for (batch, encoded) in batches.into_iter().zip(encoded) {
        for (text, vector) in batch.into_iter().zip(encoded?.chunks_exact(dimensions)) {
            vectors[text * dimensions..][..dimensions].copy_from_slice(vector);
        }
    }
    Ok(vectors)
}

/// Texts of equally many tokens together, `rows` tokens at most unless a text has more. Longest first, so that no
/// thread begins a long batch when the others are done.
pub(super) fn by_length(tokens: &[Vec<u32>], rows: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..tokens.len()).collect();
    order.sort_by_key(|&text| (std::cmp::Reverse(tokens[text].len()), text));
    let of_one_length = order.chunk_by(|one, other| tokens[*one].len() == tokens[*other].len());
    let batches =
        of_one_length.flat_map(|texts| texts.chunks((rows / tokens[texts[0]].len().max(1)).max(1)));
    batches.map(<[usize]>::to_vec).collect()
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
