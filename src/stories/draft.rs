//! From sentences to drafts of stories: sections that may have one are read with the sentence model, runs of their
//! sentences joined, and the stories of different people parted.

use std::collections::HashSet;
use std::sync::Arc;

use super::features::features;
use super::model::{Boundary, Label, Scores, StoryModel};
use super::part::Part;
use super::protagonist::{Protagonist, protagonist};
use super::sentence::{Section, Sentence};
use crate::embed::{Error, Lazy};

/// Sentences of a report that are embedded, about 5 ms each: the rest of its sections are left unread.
pub(super) const EMBEDDED_MAX: usize = 200;

/// The sentences of a story, in order, and its protagonist.
#[derive(Debug)]
pub(super) struct Draft<'a> {
    pub(super) parts: Vec<Part<'a>>,
    pub(super) protagonist: Option<Protagonist>,
}

impl<'a> Draft<'a> {
    fn of(parts: Vec<Part<'a>>, small: &HashSet<String>) -> Self {
        let protagonist = protagonist(&parts, small);
        Self { parts, protagonist }
    }

    pub(super) fn has(&self, labels: &[Label]) -> bool {
        self.parts.iter().any(|part| labels.contains(&part.label))
    }

    /// Whether there is a change: how it was or what changed it, and how it is since.
    pub(super) fn changes(&self) -> bool {
        self.has(&[Label::Before, Label::Turning]) && self.has(&[Label::After])
    }

    fn is_of_same(&self, other: &Self) -> bool {
        let key = |draft: &Self| draft.protagonist.as_ref().map(|one| one.key.clone());
        key(self).is_some() && key(self) == key(other)
    }
}

/// The logarithms of the labels of each sentence of a section, with the section's number.
pub(super) type ReadSection = (usize, Vec<Scores>);

/// The drafts of the sections of a report that were read.
pub(super) fn drafts<'a>(
    sections: &'a [Section<'a>],
    read: Vec<ReadSection>,
    small: &HashSet<String>,
) -> Vec<Draft<'a>> {
    let mut drafts: Vec<Draft<'a>> = Vec::new();
    for (number, scores) in read {
        let mut here: Vec<Draft<'a>> = Vec::new();
        for run in runs(&sections[number], &scores) {
            let draft = Draft::of(run, small);
            match here.last_mut() {
                Some(last) if belongs(last, &draft) => join(last, draft, small),
                _ => here.push(draft),
            }
        }
        for draft in here {
            // A story that another section goes on with: both halves name the same person.
            match drafts.last_mut() {
                Some(last) if !(last.changes() && draft.changes()) && last.is_of_same(&draft) => {
                    join(last, draft, small);
                }
                _ => drafts.push(draft),
            }
        }
    }
    drafts
}

/// Whether a run goes on with the one before it in its section: one of them is half a story, or both are of the same
/// person.
fn belongs(last: &Draft<'_>, next: &Draft<'_>) -> bool {
    !last.changes() || !next.changes() || last.is_of_same(next)
}

fn join<'a>(last: &mut Draft<'a>, next: Draft<'a>, small: &HashSet<String>) {
    let mut parts = std::mem::take(&mut last.parts);
    parts.extend(next.parts);
    *last = Draft::of(parts, small);
}

/// The sections that are read, with the logarithms of the labels of each of their sentences; those that say least of a
/// story are left out where there are too many.
pub(super) fn read(
    sections: &[Section<'_>],
    small: &HashSet<String>,
) -> Result<Vec<ReadSection>, Arc<Error>> {
    let model = StoryModel::shared();
    let told = |section: &Section<'_>| {
        let features = features(section, small);
        (model.strength(&features), features)
    };
    let told: Vec<(f32, Vec<Vec<String>>)> = sections.iter().map(told).collect();
    let mut chosen: Vec<usize> =
        (0..sections.len()).filter(|&number| model.passes(told[number].0)).collect();
    chosen.sort_by(|&one, &other| told[other].0.total_cmp(&told[one].0).then(one.cmp(&other)));
    let mut embedded = 0;
    chosen.retain(|&number| {
        let count = sections[number].sentences.len();
        let fits = embedded + count <= EMBEDDED_MAX;
        embedded += if fits { count } else { 0 };
        fits
    });
    chosen.sort_unstable();
    let texts: Vec<&str> = chosen
        .iter()
        .flat_map(|&number| sections[number].sentences.iter().map(|sentence| sentence.text))
        .collect();
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    let sentence_model = Lazy::embedded()?;
    let vectors = sentence_model.embed(&texts, 1).map_err(Arc::new)?;
    let mut vectors = vectors.chunks_exact(sentence_model.dimensions());
    let mut read = Vec::with_capacity(chosen.len());
    for number in chosen {
        let sentences = &sections[number].sentences;
        let own: Vec<&[f32]> = vectors.by_ref().take(sentences.len()).collect();
        let joined = with_context(sentences, &own);
        let scores = told[number].1.iter().zip(&joined);
        let scores = scores.map(|(features, vectors)| model.log_probabilities(features, vectors));
        read.push((number, scores.collect()));
    }
    Ok(read)
}

/// The vector of each sentence, and behind it the mean of those of its passage: what the model reads.
pub(super) fn with_context(sentences: &[Sentence<'_>], vectors: &[&[f32]]) -> Vec<Vec<f32>> {
    let passages = sentences.chunk_by(|one, other| one.passage == other.passage);
    let mut joined = Vec::with_capacity(sentences.len());
    let mut start = 0;
    for passage in passages {
        let own = &vectors[start..start + passage.len()];
        start += passage.len();
        let mut mean = vec![0.0; own.first().map_or(0, |vector| vector.len())];
        for vector in own {
            mean.iter_mut().zip(*vector).for_each(|(sum, value)| *sum += value);
        }
        mean.iter_mut().for_each(|sum| *sum /= own.len() as f32);
        joined.extend(own.iter().map(|vector| [*vector, &mean[..]].concat()));
    }
    joined
}

/// The runs of sentences of a section that are parts of stories. A passage that opens again after sentences on how it
/// is since begins another run.
fn runs<'a>(section: &'a Section<'a>, scores: &[Scores]) -> Vec<Vec<Part<'a>>> {
    let sentences = &section.sentences;
    let boundary = |sentence: &Sentence<'_>| match sentence.start {
        0 => Boundary::Passage,
        _ => Boundary::Sentence,
    };
    let observed: Vec<(Scores, Boundary)> = scores
        .iter()
        .zip(sentences)
        .map(|(scores, sentence)| (*scores, boundary(sentence)))
        .collect();
    let labels = StoryModel::shared().decode(&observed);
    let mut runs: Vec<Vec<Part<'a>>> = Vec::new();
    let mut is_open = false;
    for ((sentence, label), scores) in sentences.iter().zip(labels).zip(scores) {
        if label == Label::None {
            is_open = false;
            continue;
        }
        let part = Part { sentence, section, label, probabilities: scores.map(f32::exp) };
        let opens_again = sentence.start == 0
            && matches!(label, Label::Background | Label::Before)
            && runs.last().is_some_and(|run| run.iter().any(|part| part.label == Label::After));
        match runs.last_mut() {
            Some(run) if is_open && !opens_again => run.push(part),
            _ => runs.push(vec![part]),
        }
        is_open = true;
    }
    runs
}
