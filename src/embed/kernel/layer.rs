//! One layer of the encoder over a batch of texts of one length: attention, then two linear maps.

use std::array;

use super::lanes::{self, LANES};
use super::{Multiply, Packed, Rows, Step};

/// The weights of a layer.
#[derive(Debug)]
pub struct Layer {
    /// Query, key and value side by side: hidden to 3 · hidden.
    pub attention_in: Packed,
    pub attention_out: Packed,
    pub attention_norm: Norm,
    /// Hidden to intermediate.
    pub widen: Packed,
    /// Intermediate to hidden.
    pub narrow: Packed,
    pub norm: Norm,
}

/// The weights of a layer normalisation.
#[derive(Debug)]
pub struct Norm {
    pub gain: Vec<f32>,
    pub bias: Vec<f32>,
    pub epsilon: f32,
}

/// Texts that are encoded together.
#[derive(Debug, Clone, Copy)]
pub struct Batch {
    pub texts: usize,
    /// Tokens of each: all have as many.
    pub tokens: usize,
    /// Tokens of each whose rows a layer leaves, the first ones: of the last layer not all may be looked at.
    pub kept: usize,
    pub heads: usize,
}

/// What a thread works in; grows to what the largest batch needs.
#[derive(Debug, Default)]
pub struct Scratch {
    activations: Activations,
    wide: Vec<f32>,
    context: Vec<f32>,
    keys: Vec<f32>,
    scores: Vec<f32>,
}

/// The rows of a batch in bytes.
#[derive(Debug, Default)]
struct Activations {
    /// `u8[rows][width]`.
    values: Vec<u8>,
    steps: Vec<Step>,
}

impl Layer {
    /// Numbers of a row that it takes and leaves.
    pub fn hidden(&self) -> usize {
        self.norm.gain.len()
    }
}

/// Runs the layer over `f32[rows][hidden]`, a row a token, in place: the rows that are kept stand side by side at the
/// front, behind them nothing of use. Inlined whole into each kernel, so that
/// its loops are compiled for that kernel's instructions.
#[inline(always)]
pub(super) fn run<M: Multiply>(
    layer: &Layer,
    batch: Batch,
    state: &mut [f32],
    scratch: &mut Scratch,
) {
    let hidden = layer.hidden();
    let rows = batch.texts * batch.tokens;
    let Scratch { activations, wide, context, keys, scores } = scratch;
    assert_eq!(state.len(), rows * hidden, "a row a token");

    resize(wide, rows * layer.attention_in.outputs());
    activations.apply::<M>(&layer.attention_in, state, wide);
    let kept = batch.kept * hidden;
    resize(context, batch.texts * kept);
    attend(wide, batch, hidden, context, keys, scores);
    for text in 1..batch.texts {
        let first = text * batch.tokens * hidden;
        state.copy_within(first..first + kept, text * kept);
    }
    let (state, rows) = (&mut state[..batch.texts * kept], batch.texts * batch.kept);

    resize(wide, rows * hidden);
    activations.apply::<M>(&layer.attention_out, context, wide);
    add_and_norm(state, wide, &layer.attention_norm);

    let intermediate = layer.widen.outputs();
    resize(wide, rows * intermediate);
    activations.apply::<M>(&layer.widen, state, wide);
    for row in wide.chunks_exact_mut(intermediate) {
        lanes::gelu(row);
    }

    activations.apply::<M>(&layer.narrow, wide, context);
    add_and_norm(state, context, &layer.norm);
}

impl Activations {
    /// A linear map of rows of f32: quantised, multiplied.
    #[inline(always)]
    fn apply<M: Multiply>(&mut self, map: &Packed, rows: &[f32], out: &mut [f32]) {
        let width = map.inputs();
        resize(&mut self.values, rows.len());
        self.steps.clear();
        for (row, values) in rows.chunks_exact(width).zip(self.values.chunks_exact_mut(width)) {
            self.steps.push(lanes::quantise(row, &map.reciprocals, values));
        }
        M::multiply(Rows { values: &self.values, steps: &self.steps }, map, out);
    }
}

/// Makes a vector that long, without clearing what is written over anyway.
#[inline(always)]
fn resize<T: Copy + Default>(values: &mut Vec<T>, length: usize) {
    if values.len() < length {
        values.resize(length, T::default());
    } else {
        values.truncate(length);
    }
}

#[inline(always)]
fn add_and_norm(state: &mut [f32], change: &[f32], norm: &Norm) {
    let width = norm.gain.len();
    for (row, change) in state.chunks_exact_mut(width).zip(change.chunks_exact(width)) {
        lanes::add(row, change);
        lanes::norm(row, &norm.gain, &norm.bias, norm.epsilon);
    }
}

/// Attention of every head over every text: from `f32[rows][3][hidden]` to `f32[kept rows][hidden]`.
#[inline(always)]
fn attend(
    joined: &[f32],
    batch: Batch,
    hidden: usize,
    context: &mut [f32],
    keys: &mut Vec<f32>,
    scores: &mut Vec<f32>,
) {
    let tokens = batch.tokens;
    let width = hidden / batch.heads;
    let scale = 1.0 / (width as f32).sqrt();
    let padded = tokens.next_multiple_of(LANES);
    resize(scores, padded);
    // What stands behind the tokens of a key's row is never looked at but must be a number.
    keys.clear();
    keys.resize(width * padded, 0.0);
    let texts = joined.chunks_exact(tokens * 3 * hidden);
    for (joined, context) in texts.zip(context.chunks_exact_mut(batch.kept * hidden)) {
        for head in 0..batch.heads {
            let first = head * width;
            // Keys by dimension, so that a query's scores with sixteen keys stand side by side.
            for token in 0..tokens {
                let key = &joined[token * 3 * hidden + hidden + first..][..width];
                for (dimension, value) in key.iter().enumerate() {
                    keys[dimension * padded + token] = *value;
                }
            }
            for token in 0..batch.kept {
                let query = &joined[token * 3 * hidden + first..][..width];
                score(query, keys, scale, scores);
                lanes::softmax(scores, tokens);
                let out = &mut context[token * hidden + first..][..width];
                blend(&joined[2 * hidden + first..], 3 * hidden, &scores[..tokens], out);
            }
        }
    }
}

/// The scaled products of a query with every key.
#[inline(always)]
fn score(query: &[f32], keys: &[f32], scale: f32, scores: &mut [f32]) {
    let padded = scores.len();
    for (at, scores) in scores.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
        let mut sums = [0_f32; LANES];
        for (value, keys) in query.iter().zip(keys.chunks_exact(padded)) {
            let keys = &keys.as_chunks::<LANES>().0[at];
            sums = array::from_fn(|lane| sums[lane] + value * keys[lane]);
        }
        *scores = sums.map(|sum| sum * scale);
    }
}

/// The values, `stride` apart, weighted by their scores.
#[inline(always)]
fn blend(values: &[f32], stride: usize, scores: &[f32], out: &mut [f32]) {
    for (at, out) in out.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
        let mut sums = [0_f32; LANES];
        for (token, score) in scores.iter().enumerate() {
            let values = values[token * stride + at * LANES..].first_chunk::<LANES>();
            let values = values.expect("a row's values");
            sums = array::from_fn(|lane| sums[lane] + score * values[lane]);
        }
        *out = sums;
    }
}
