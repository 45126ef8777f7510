//! A sentence as a part of a story.

use super::model::{Label, Scores};
use super::sentence::{Section, Sentence};

/// A sentence of a story.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part<'a> {
    pub(super) sentence: &'a Sentence<'a>,
    /// The section that it stands in.
    pub(super) section: &'a Section<'a>,
    pub(super) label: Label,
    /// How probable each label is, 0 to 1.
    pub(super) probabilities: Scores,
}

impl Part<'_> {
    /// How probable it is that the sentence is a part of a story, 0 to 1.
    pub(super) fn in_story(&self) -> f32 {
        1.0 - self.probabilities[Label::None as usize]
    }
}
