//! Tokens to unit vectors: embeddings, layers, mean over the tokens, unit length.
//!
//! What goes from layer to layer is `f32[texts · tokens][hidden]`, changed in place: what is between the parts of a
//! layer stays in a thread's scratch, and in its core's cache.

use std::sync::{Mutex, PoisonError};

use half::f16;
use half::slice::HalfFloatSliceExt;
use rayon::prelude::*;
use serde::Deserialize;

use super::Error;
use super::kernel::{Batch, Kernel, Layer, Norm, Scratch};
use super::weights::{WORDS, Weights};

/// Shapes of the embedded model, as its `config.json` has them.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Shape {
    /// Numbers in a token's vector, and in a text's.
    #[serde(rename = "hidden_size")]
    pub(super) hidden: usize,
    #[serde(rename = "num_hidden_layers")]
    pub(super) layers: usize,
    #[serde(rename = "num_attention_heads")]
    heads: usize,
    #[serde(rename = "intermediate_size")]
    intermediate: usize,
    #[serde(rename = "vocab_size")]
    vocabulary: usize,
    #[serde(rename = "max_position_embeddings")]
    positions: usize,
    #[serde(rename = "type_vocab_size")]
    token_types: usize,
    #[serde(rename = "layer_norm_eps")]
    pub(super) norm_epsilon: f32,
}

/// The embedded model's weights, laid out for this CPU; shared by all threads.
#[derive(Debug)]
pub(super) struct Encoder {
    kernel: Kernel,
    shape: Shape,
    /// `f16[vocabulary][hidden]`, the larger part of the weights, where the binary has it.
    words: &'static [u8],
    /// `f32[positions][hidden]`, the embedding of the first token type added.
    positions: Vec<f32>,
    norm: Norm,
    layers: Vec<Layer>,
    /// Scratch of threads that are not encoding just now.
    idle: Mutex<Vec<Scratch>>,
}

impl Encoder {
    /// Reads the weights that the binary has.
    pub(super) fn of(bytes: &'static [u8], shape: Shape) -> Result<Self, Error> {
        let weights = Weights::of(bytes, shape.norm_epsilon)?;
        let hidden = shape.hidden;
        let layers = (0..shape.layers).into_par_iter();
        let layers = layers.map(|number| layer(&weights, &shape, number)).collect::<Result<_, _>>();
        let types = weights
            .tensor("embeddings.token_type_embeddings.weight", &[shape.token_types, hidden])?;
        let mut positions =
            weights.tensor("embeddings.position_embeddings.weight", &[shape.positions, hidden])?;
        for row in positions.chunks_exact_mut(hidden) {
            row.iter_mut().zip(&types).for_each(|(value, kind)| *value += kind);
        }
        Ok(Self {
            kernel: Kernel::detect(),
            words: weights.half(WORDS, &[shape.vocabulary, hidden])?,
            positions,
            norm: weights.norm("embeddings.LayerNorm", hidden)?,
            layers: layers?,
            idle: Mutex::default(),
            shape,
        })
    }

    /// The shapes of its weights.
    pub(super) fn shape(&self) -> &Shape {
        &self.shape
    }

    pub(super) fn kernel(&self) -> &'static str {
        self.kernel.name()
    }

    /// The vector of one text.
    pub(super) fn encode_one(&self, tokens: &[u32]) -> Vec<f32> {
        self.with_scratch(|scratch| self.encode(&[tokens], scratch))
    }

    /// Lends scratch for a while.
    pub(super) fn with_scratch<T>(&self, run: impl FnOnce(&mut Scratch) -> T) -> T {
        let lock = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let mut scratch = lock().pop().unwrap_or_default();
        let result = run(&mut scratch);
        lock().push(scratch);
        result
    }

    /// The vectors of texts of equally many tokens: `f32[texts][hidden]`.
    pub(super) fn encode(&self, texts: &[&[u32]], scratch: &mut Scratch) -> Vec<f32> {
        let Some(tokens) = texts.first().map(|text| text.len()) else { return Vec::new() };
        let (mut rows, batch) = self.embed_tokens(texts);
        self.run_layers(&self.layers, batch, &mut rows, scratch);
        let hidden = self.shape.hidden;
        let mut vectors = vec![0.0; texts.len() * hidden];
        let texts = rows.chunks_exact(tokens * hidden);
        texts.zip(vectors.chunks_exact_mut(hidden)).for_each(|(rows, out)| pool(rows, out));
        vectors
    }

    /// The embeddings of texts of equally many tokens, at least one: what the first layer takes.
    pub(super) fn embed_tokens(&self, texts: &[&[u32]]) -> (Vec<f32>, Batch) {
        let tokens = texts.first().map_or(0, |text| text.len());
        let hidden = self.shape.hidden;
        assert!(texts.iter().all(|text| text.len() == tokens), "texts of one length");
        let mut embeddings = vec![0.0; texts.len() * tokens * hidden];
        let mut rows = embeddings.chunks_exact_mut(hidden);
        let mut halves = vec![f16::ZERO; hidden];
        for text in texts {
            for (&token, position) in text.iter().zip(self.positions.chunks_exact(hidden)) {
                let row = rows.next().expect("a row a token");
                let word = &self.words[token as usize * 2 * hidden..][..2 * hidden];
                for (half, bytes) in halves.iter_mut().zip(word.as_chunks::<2>().0) {
                    *half = f16::from_le_bytes(*bytes);
                }
                halves.convert_to_f32_slice(row);
                row.iter_mut().zip(position).for_each(|(value, position)| *value += position);
            }
        }
        self.kernel.norm(&self.norm, &mut embeddings);
        let batch = Batch { texts: texts.len(), tokens, kept: tokens, heads: self.shape.heads };
        (embeddings, batch)
    }

    /// The first `count` layers of the model.
    pub(super) fn lower(&self, count: usize) -> &[Layer] {
        &self.layers[..count.min(self.layers.len())]
    }

    /// Runs layers over rows `f32[texts · tokens][hidden]`, in place.
    pub(super) fn run_layers(
        &self,
        layers: &[Layer],
        batch: Batch,
        rows: &mut [f32],
        scratch: &mut Scratch,
    ) {
        layers.iter().for_each(|layer| self.kernel.layer(layer, batch, rows, scratch));
    }
}

/// The mean of the tokens' vectors, at unit length.
fn pool(rows: &[f32], out: &mut [f32]) {
    out.fill(0.0);
    for row in rows.chunks_exact(out.len()) {
        out.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
    }
    let square: f64 = out.iter().map(|value| f64::from(*value) * f64::from(*value)).sum();
    let length = square.sqrt().max(f64::MIN_POSITIVE) as f32;
    out.iter_mut().for_each(|value| *value /= length);
}

/// A layer of a model, by its number in the weights.
pub(super) fn layer(weights: &Weights<'_>, shape: &Shape, number: usize) -> Result<Layer, Error> {
    let (hidden, intermediate) = (shape.hidden, shape.intermediate);
    let name = |rest: &str| format!("encoder.layer.{number}.{rest}");
    let joined = ["query", "key", "value"].map(|part| name(&format!("attention.self.{part}")));
    let linear = |rest: &str, inputs, outputs| weights.linear(&[name(rest)], inputs, outputs);
    Ok(Layer {
        attention_in: weights.linear(&joined, hidden, hidden)?,
        attention_out: linear("attention.output.dense", hidden, hidden)?,
        attention_norm: weights.norm(&name("attention.output.LayerNorm"), hidden)?,
        widen: linear("intermediate.dense", hidden, intermediate)?,
        narrow: linear("output.dense", intermediate, hidden)?,
        norm: weights.norm(&name("output.LayerNorm"), hidden)?,
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::model;
    use super::*;

    #[test]
    fn rows_that_are_kept_are_those_of_all() {
        let encoder = model().encoder().unwrap();
        let (hidden, layer) = (encoder.lower(1)[0].hidden(), encoder.lower(1));
        let texts: [&[u32]; 2] = [&[101, 2833, 5085, 102], &[101, 4937, 3899, 102]];
        let run = |kept: usize| {
            let (mut rows, batch) = encoder.embed_tokens(&texts);
            let batch = Batch { kept, ..batch };
            encoder.run_layers(layer, batch, &mut rows, &mut Scratch::default());
            rows
        };
        let (all, first) = (run(4), run(1));
        assert_eq!(first[..hidden], all[..hidden]);
        assert_eq!(first[hidden..2 * hidden], all[4 * hidden..5 * hidden]);
    }
}
