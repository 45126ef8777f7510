//! Token labels for a text: layers stacked on the model's lower ones, with linear heads on top. A
//! text passes through the lower layers once.

use std::ops::Range;

use super::kernel::Layer;
use super::linear::Linear;
use super::weights::Weights;
use super::{Error, Model, encoder};

/// Layers and heads that label tokens, on top of a model's lower layers.
#[derive(Debug)]
pub struct Labeller {
    /// Lower layers of the model whose output is the input here.
    shared: usize,
    layers: Vec<Layer>,
    /// From features of the whole text to a term added to every token.
    context: Linear,
    /// From features of a token to a term added to that token.
    hints: Linear,
    /// Each head, and whether it labels every token.
    heads: Vec<(Linear, bool)>,
    /// `f32[rows][columns]` each.
    tables: Vec<Vec<f32>>,
}

/// A head of a labeller, by its name in the weights.
#[derive(Debug, Clone, Copy)]
pub struct Head {
    pub name: &'static str,
    /// How many labels it tells apart.
    pub labels: usize,
    /// Whether it labels each token, or the whole by its first.
    pub is_of_tokens: bool,
}

/// A table of numbers beside the heads, by its name in the weights.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    pub name: &'static str,
    pub rows: usize,
    pub columns: usize,
}

/// What a labeller is made of: the shape that its weights must have.
#[derive(Debug, Clone, Copy)]
pub struct Shape<'a> {
    /// Lower layers of the model whose output is the input here.
    pub shared: usize,
    /// Length of the feature vector of the whole text.
    pub context: usize,
    /// Length of the feature vector of each token.
    pub hints: usize,
    pub heads: &'a [Head],
    pub tables: &'a [Table],
}

/// What the heads predict for a text and its tokens.
#[derive(Debug, Clone, PartialEq)]
pub struct Labels {
    /// Bytes of the text that each token stands for; empty for the two at the ends.
    pub tokens: Vec<Range<usize>>,
    /// For each head `f32[tokens][labels]`, of one that labels the whole `f32[labels]`: scores, of which the softmax is a probability.
    pub scores: Vec<Vec<f32>>,
}

impl Labeller {
    /// Reads the weights of a labeller on top of a model: a safetensors file whose layers are
    /// named as BERT's, with `context` and `heads.NAME` beside them.
    ///
    /// # Errors
    /// When the file is not of its format, or a tensor is missing or has another shape.
    pub fn of(model: &Model, weights: &[u8], shape: Shape<'_>) -> Result<Self, Error> {
        let base = model.encoder()?.shape();
        let weights = Weights::of(weights, base.norm_epsilon)?;
        let hidden = base.hidden;
        let linear = |name: &str, inputs, outputs| Linear::of(&weights, name, inputs, outputs);
        let layers = 0..base.layers.saturating_sub(shape.shared);
        Ok(Self {
            shared: shape.shared,
            layers: layers
                .map(|number| encoder::layer(&weights, base, number))
                .collect::<Result<_, Error>>()?,
            context: linear("context", shape.context, hidden)?,
            hints: linear("hints", shape.hints, hidden)?,
            heads: shape
                .heads
                .iter()
                .map(|head| {
                    let head_of = linear(&format!("heads.{}", head.name), hidden, head.labels)?;
                    Ok((head_of, head.is_of_tokens))
                })
                .collect::<Result<_, Error>>()?,
            tables: shape
                .tables
                .iter()
                .map(|table| weights.tensor(table.name, &[table.rows, table.columns]))
                .collect::<Result<_, Error>>()?,
        })
    }

    /// A table, by its position in the shape: `f32[rows][columns]`.
    pub fn table(&self, at: usize) -> &[f32] {
        self.tables.get(at).map_or(&[], Vec::as_slice)
    }

    /// Labels a text. `context` is what is known beside it, `hints` what is known of the token at some bytes,
    /// each as long as the labeller's shape says; `None` for what nothing is known of.
    pub fn label<'h>(
        &self,
        model: &Model,
        text: &str,
        context: &[f32],
        hints: impl Fn(&Range<usize>) -> Option<&'h [f32]>,
    ) -> Result<Labels, Error> {
        let (ids, tokens) = model.tokens.with_places(text)?;
        let mut told = Vec::with_capacity(model.dimensions());
        self.context.apply(context, &mut told);
        let hidden = told.len();
        let mut hinted = Vec::with_capacity(ids.len() * hidden);
        for bytes in &tokens {
            match hints(bytes) {
                Some(hints) => self.hints.apply(hints, &mut hinted),
                None => hinted.resize(hinted.len() + hidden, 0.0),
            }
        }
        let encoder = model.encoder()?;
        let states = encoder.with_scratch(|scratch| {
            let (mut rows, batch) = encoder.embed_tokens(&[&ids]);
            encoder.run_layers(encoder.lower(self.shared), batch, &mut rows, scratch);
            for ((value, told), hinted) in rows.iter_mut().zip(told.iter().cycle()).zip(hinted) {
                *value = *value + told + hinted;
            }
            encoder.run_layers(&self.layers, batch, &mut rows, scratch);
            rows
        });
        let score = |(head, is_of_tokens): &(Linear, bool)| {
            let rows = if *is_of_tokens { ids.len() } else { 1 };
            let mut scores = Vec::with_capacity(rows * head.bias().len());
            for row in states.chunks_exact(hidden).take(rows) {
                head.apply(row, &mut scores);
            }
            scores
        };
        let scores = self.heads.iter().map(score).collect();
        Ok(Labels { tokens, scores })
    }
}
