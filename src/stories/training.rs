//! What the model is trained on: the features and vectors of sentences, for `scripts/story_model.py`.

use std::sync::Arc;

use super::draft::with_context;
use super::features::features;
use super::sentence::{sections, small_words};
use crate::embed::{Error, Lazy};
use crate::record::Passage;

/// A sentence as the model is given it.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainingRow {
    /// Number of its section.
    pub section: usize,
    /// Number of its passage.
    pub passage: usize,
    pub features: Vec<String>,
    /// `f32[384]`, of the sentence.
    pub vector: Vec<f32>,
    /// `f32[384]`, the mean over its passage.
    pub context: Vec<f32>,
}

/// The features of every sentence of a report, section by section.
pub fn story_features(passages: &[Passage]) -> Vec<Vec<String>> {
    let sections = sections(passages);
    let small = small_words(&sections);
    sections.iter().flat_map(|section| features(section, &small)).collect()
}

/// Every sentence of a report, in order.
///
/// # Errors
/// Where the embedded sentence model is damaged.
pub fn training_rows(passages: &[Passage]) -> Result<Vec<TrainingRow>, Arc<Error>> {
    let model = Lazy::embedded()?;
    let sections = sections(passages);
    let small = small_words(&sections);
    let mut rows = Vec::new();
    for (number, section) in sections.iter().enumerate() {
        let texts: Vec<&str> = section.sentences.iter().map(|sentence| sentence.text).collect();
        let vectors = model.embed(&texts, 1).map_err(Arc::new)?;
        let vectors: Vec<&[f32]> = vectors.chunks_exact(model.dimensions()).collect();
        let joined = with_context(&section.sentences, &vectors);
        let told = section.sentences.iter().zip(features(section, &small)).zip(joined);
        rows.extend(told.map(|((sentence, features), mut vector)| {
            let context = vector.split_off(model.dimensions());
            TrainingRow { section: number, passage: sentence.passage, features, vector, context }
        }));
    }
    Ok(rows)
}
