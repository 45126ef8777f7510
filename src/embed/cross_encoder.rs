//! A question and a passage read together: how well the passage answers. Layers of their own over the word
//! embeddings of the sentence model, of which the first token's row gives the score.

use rayon::prelude::*;

use super::kernel::{Batch, Layer};
use super::linear::Linear;
use super::weights::Weights;
use super::{Error, Model, batches, encoder};
use crate::processor_time::Account;

/// Tokens of a question and a passage together that are read.
pub const PAIR_TOKENS_MAX: usize = 128;
/// Tokens that are read at once, of pairs of one length.
const BATCH_TOKENS: usize = 128;

/// The layers and the head.
#[derive(Debug)]
pub struct CrossEncoder {
    layers: Vec<Layer>,
    head: Linear,
}

impl CrossEncoder {
    /// Reads a safetensors file whose layers are named as BERT's, with `head` beside them.
    ///
    /// # Errors
    /// When the file is not of its format, or a tensor is missing or has another shape.
    pub fn of(model: &Model, weights: &[u8], layers: usize) -> Result<Self, Error> {
        let shape = model.encoder()?.shape();
        let weights = Weights::of(weights, shape.norm_epsilon)?;
        let layer = |number| encoder::layer(&weights, shape, number);
        let layers = (0..layers).map(layer).collect::<Result<_, _>>()?;
        Ok(Self { layers, head: Linear::of(&weights, "head", shape.hidden, 1)? })
    }

    /// The logarithm of the odds that each passage answers the question, in the order of the passages: a millisecond
    /// for two or three of them on one core.
    pub fn scores(
        &self,
        model: &Model,
        question: &str,
        passages: &[String],
    ) -> Result<Vec<f32>, Error> {
        let account = Account::current();
        let pair = |passage: &String| {
            let mut ids = model.tokens.of_pair(question, passage)?;
            ids.truncate(PAIR_TOKENS_MAX);
            Ok(ids)
        };
        let pairs = passages.par_iter().map(|passage| account.charge(|| pair(passage)));
        let pairs = pairs.collect::<Result<Vec<Vec<u32>>, Error>>()?;
        let batches = batches::by_length(&pairs, BATCH_TOKENS);
        let read = |batch: &Vec<usize>| {
            let ids: Vec<&[u32]> = batch.iter().map(|at| pairs[*at].as_slice()).collect();
            account.charge(|| self.read(model, &ids))
        };
        let scored: Vec<Vec<f32>> = batches.par_iter().map(read).collect::<Result<_, Error>>()?;
        let mut scores = vec![0.0; pairs.len()];
        for (at, score) in batches.into_iter().flatten().zip(scored.into_iter().flatten()) {
            scores[at] = score;
        }
        Ok(scores)
    }

    /// The scores of pairs of equally many tokens.
    fn read(&self, model: &Model, pairs: &[&[u32]]) -> Result<Vec<f32>, Error> {
        let encoder = model.encoder()?;
        let rows = encoder.with_scratch(|scratch| {
            let (mut rows, batch) = encoder.embed_tokens(pairs);
            if let Some((last, lower)) = self.layers.split_last() {
                encoder.run_layers(lower, batch, &mut rows, scratch);
                // The head looks at the first token alone.
                let first = Batch { kept: 1, ..batch };
                encoder.run_layers(std::slice::from_ref(last), first, &mut rows, scratch);
            }
            rows
        });
        let mut scores = Vec::with_capacity(pairs.len());
        for row in rows.chunks_exact(model.dimensions()).take(pairs.len()) {
            self.head.apply(row, &mut scores);
        }
        Ok(scores)
    }
}
