//! Predicts what each organization is for, and writes it.

use std::ops::Range;
use std::path::Path;

use rayon::prelude::*;

use super::embedding::Texts;
use super::error::BuildError;
use crate::classify::CodeClassifier;
use crate::index::causes::{Builder, PREDICTED, Predicted};
use crate::index::typeahead::Weight;
use crate::record::Ntee;
use crate::taxonomy;

/// What is predicted of the organizations so far.
pub(super) struct Causes<'a> {
    classifier: &'static CodeClassifier,
    texts: &'a Texts,
    filed: &'a [(Weight, Option<Ntee>)],
    builder: Builder,
}

impl<'a> Causes<'a> {
    /// `texts` are what is embedded of each organization, `filed` the weight and the filed code of each.
    pub(super) fn new(
        texts: &'a Texts,
        filed: &'a [(Weight, Option<Ntee>)],
    ) -> Result<Self, BuildError> {
        let classifier = CodeClassifier::shared()?;
        Ok(Self { classifier, texts, filed, builder: Builder::default() })
    }

    /// Predicts the next organizations, of which `start` is the first, by their texts and their vectors, one
    /// after the other; `None` where the classifier doesn't read vectors of this model.
    pub(super) fn predict(&mut self, start: usize, vectors: Option<&[f32]>) {
        let end = self.texts.window_end(start);
        let vectors = vectors.filter(|vectors| !vectors.is_empty());
        self.add(start..end, |number| {
            let vectors = vectors?;
            let dimensions = vectors.len() / (end - start);
            let at = (number - start) * dimensions;
            Some(&vectors[at..at + dimensions])
        });
    }

    /// Predicts all by their words alone.
    pub(super) fn predict_by_words(&mut self) {
        let mut start = 0;
        while start < self.texts.len() {
            let end = self.texts.window_end(start);
            self.add(start..end, |_| None);
            start = end;
        }
    }

    fn add<'v>(
        &mut self,
        numbers: Range<usize>,
        vector: impl Fn(usize) -> Option<&'v [f32]> + Sync,
    ) {
        let of = |number: usize| self.of(number, vector(number));
        let made: Vec<Vec<Predicted>> = numbers.clone().into_par_iter().map(of).collect();
        for ((weight, filed), predicted) in self.filed[numbers].iter().zip(&made) {
            self.builder.add(*weight, *filed, predicted);
        }
    }

    /// What is predicted of one. Where a code was filed, its title begins the text and is in the vector: the
    /// rest of the words alone tell something that the code does not.
    fn of(&self, number: usize, vector: Option<&[f32]>) -> Vec<Predicted> {
        let text = self.texts.get(number);
        let title = self.filed[number].1.and_then(taxonomy::title);
        let own = title.and_then(|title| text.strip_prefix(title.trim_end_matches('.')));
        let vector = vector.filter(|_| own.is_none());
        self.classifier.codes_of(own.unwrap_or(text), vector).likeliest(PREDICTED)
    }

    /// Writes the index below a snapshot's folder.
    pub(super) fn write(self, folder: &Path) -> Result<(), BuildError> {
        Ok(self.builder.finish(folder)?)
    }
}
