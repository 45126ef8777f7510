//! Tokens to unit vectors: embeddings, layers, mean over the tokens, unit length.
//!
//! What goes from layer to layer is `f32[texts · tokens][hidden]`, changed in place: what is between the parts of a
//! layer stays in a thread's scratch, and in its core's cache.

use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};

use half::f16;
use half::slice::HalfFloatSliceExt;
use rayon::prelude::*;

use super::Error;
use super::bundle::Bundle;
use super::config::Config;
use super::kernel::{Batch, Inputs, Kernel, Layer, Norm, Scratch};
use super::weights::{WORDS, Weights};

/// The model's weights, laid out for this CPU; shared by all threads.
#[derive(Debug)]
pub(super) struct Encoder {
    kernel: Kernel,
    config: Config,
    /// `f16[vocabulary][hidden]`, the larger part of the weights: of the embedded model where the binary has it.
    words: Cow<'static, [u8]>,
    /// `f32[positions][hidden]`, the embedding of the first token type added.
    positions: Vec<f32>,
    norm: Norm,
    layers: Vec<Layer>,
    /// Scratch of threads that are not encoding just now.
    idle: Mutex<Vec<Scratch>>,
}

impl Encoder {
    /// Reads the weights of a bundle.
    pub(super) fn of(bundle: &Bundle, config: &Config) -> Result<Self, Error> {
        let weights = Weights::of(&bundle.weights, config.norm_epsilon)?;
        let hidden = config.hidden;
        let shape = [config.vocabulary, hidden];
        let words = || match bundle.weights {
            Cow::Borrowed(embedded) => Weights::of(embedded, 0.0)?.half(WORDS, &shape),
            Cow::Owned(_) => Ok(Cow::Owned(weights.half(WORDS, &shape)?.into_owned())),
        };
        let layers = || {
            let numbers = (0..config.layers).into_par_iter();
            numbers.map(|number| layer(&weights, config, number, None)).collect::<Result<_, _>>()
        };
        let (words, layers) = rayon::join(words, layers);
        let types = weights
            .tensor("embeddings.token_type_embeddings.weight", &[config.token_types, hidden])?;
        let mut positions =
            weights.tensor("embeddings.position_embeddings.weight", &[config.positions, hidden])?;
        for row in positions.chunks_exact_mut(hidden) {
            row.iter_mut().zip(&types).for_each(|(value, kind)| *value += kind);
        }
        Ok(Self {
            kernel: Kernel::detect(),
            config: config.clone(),
            words: words?,
            positions,
            norm: weights.norm("embeddings.LayerNorm", hidden)?,
            layers: layers?,
            idle: Mutex::default(),
        })
    }

    /// Where the bundle has its maps in floating point, makes them of eight bits again, by what they take while
    /// the texts go through, which are asked for only then.
    pub(super) fn calibrate(
        &mut self,
        bundle: &Bundle,
        texts: impl FnOnce() -> Result<Vec<Vec<u32>>, Error>,
    ) -> Result<(), Error> {
        let weights = Weights::of(&bundle.weights, self.config.norm_epsilon)?;
        if weights.is_quantised("encoder.layer.0.intermediate.dense") {
            return Ok(());
        }
        let mut seen: Vec<Inputs> = Vec::new();
        let mut scratch = Scratch::default();
        for text in texts()? {
            scratch.record();
            self.encode(&[&text], &mut scratch);
            let found = scratch.recorded();
            seen.resize(found.len(), Inputs::default());
            seen.iter_mut().zip(&found).for_each(|(seen, found)| seen.join(found));
        }
        let layers = seen.par_chunks_exact(MAPS).enumerate();
        self.layers = layers
            .map(|(number, seen)| layer(&weights, &self.config, number, seen.try_into().ok()))
            .collect::<Result<_, Error>>()?;
        Ok(())
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
        let hidden = self.config.hidden;
        let mut vectors = vec![0.0; texts.len() * hidden];
        let texts = rows.chunks_exact(tokens * hidden);
        texts.zip(vectors.chunks_exact_mut(hidden)).for_each(|(rows, out)| pool(rows, out));
        vectors
    }

    /// The embeddings of texts of equally many tokens, at least one: what the first layer takes.
    pub(super) fn embed_tokens(&self, texts: &[&[u32]]) -> (Vec<f32>, Batch) {
        let tokens = texts.first().map_or(0, |text| text.len());
        let hidden = self.config.hidden;
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
        let batch = Batch { texts: texts.len(), tokens, kept: tokens, heads: self.config.heads };
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

/// Linear maps of a layer.
const MAPS: usize = 4;

/// A layer of a model, by its number in the weights. `seen` is what each of its maps takes, in the order in
/// which they are applied, where that is known.
pub(super) fn layer(
    weights: &Weights<'_>,
    config: &Config,
    number: usize,
    seen: Option<&[Inputs; MAPS]>,
) -> Result<Layer, Error> {
    let (hidden, intermediate) = (config.hidden, config.intermediate);
    let name = |rest: &str| format!("encoder.layer.{number}.{rest}");
    let joined = ["query", "key", "value"].map(|part| name(&format!("attention.self.{part}")));
    let seen = |map: usize| seen.map(|seen| &seen[map]);
    let linear =
        |rest: &str, inputs, outputs, seen| weights.linear(&[name(rest)], inputs, outputs, seen);
    Ok(Layer {
        attention_in: weights.linear(&joined, hidden, hidden, seen(0))?,
        attention_out: linear("attention.output.dense", hidden, hidden, seen(1))?,
        attention_norm: weights.norm(&name("attention.output.LayerNorm"), hidden)?,
        widen: linear("intermediate.dense", hidden, intermediate, seen(2))?,
        narrow: linear("output.dense", intermediate, hidden, seen(3))?,
        norm: weights.norm(&name("output.LayerNorm"), hidden)?,
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::model;
    use super::*;

    #[test]
    fn rows_that_are_kept_are_those_of_all() {
        let encoder = &model().encoder;
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
