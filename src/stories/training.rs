//! What the model is trained on: the features and vectors of sentences, for `scripts/story_model.py`.

use std::sync::Arc;

use super::draft::{drafts, with_context};
use super::evidence::evidence;
use super::features::features;
use super::model::{LABELS, Scores};
use super::protagonist;
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

/// A draft of a story as the model that judges it is given it.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    pub protagonist: Option<String>,
    /// Numbers of its sentences, in the order of [`training_rows`].
    pub sentences: Vec<usize>,
    pub evidence: Vec<(&'static str, f32)>,
    /// The candidates for its protagonist, each with the evidence.
    pub names: Vec<(String, Vec<(&'static str, f32)>)>,
}

/// The drafts of a report, given the probabilities of the labels of its sentences; those of sections that are not read
/// are `None`.
pub fn candidates(passages: &[Passage], probabilities: &[Option<[f32; LABELS]>]) -> Vec<Candidate> {
    let sections = sections(passages);
    let small = small_words(&sections);
    let (mut read, mut starts, mut start) = (Vec::new(), Vec::new(), 0);
    for (number, section) in sections.iter().enumerate() {
        let own = &probabilities[start..start + section.sentences.len()];
        starts.push(start);
        start += own.len();
        let scores: Option<Vec<Scores>> =
            own.iter().map(|one| one.map(|one| one.map(|value| value.max(1e-9).ln()))).collect();
        read.extend(scores.map(|scores| (number, scores)));
    }
    let number = |section: usize, passage: usize, at: usize| {
        let own = &sections[section].sentences;
        let found = own.iter().position(|one| one.passage == passage && one.start == at);
        found.map(|found| starts[section] + found)
    };
    let of_draft = |draft: super::draft::Draft<'_>| Candidate {
        protagonist: draft.protagonist.as_ref().map(|one| one.name.clone()),
        sentences: draft
            .parts
            .iter()
            .filter_map(|part| {
                let section = sections.iter().position(|one| std::ptr::eq(one, part.section))?;
                number(section, part.sentence.passage, part.sentence.start)
            })
            .collect(),
        evidence: evidence(&draft),
        names: protagonist::candidates(&draft.parts, &small)
            .into_iter()
            .map(|one| (one.name, one.evidence.into_iter().collect()))
            .collect(),
    };
    drafts(&sections, read, &small).into_iter().map(of_draft).collect()
}
