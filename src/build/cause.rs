//! Predicts what each organization is for, and writes it.

use std::ops::Range;
use std::path::Path;

use rayon::prelude::*;

use super::embedding::Texts;
use super::error::BuildError;
use crate::classify::CodeClassifier;
use crate::index::causes::{Builder, PREDICTED, Predicted};
use crate::index::typeahead::Weight;
use crate::record::{Ntee, Organization};
use crate::taxonomy::{self, Cause, CauseEvidence};

/// The cause of an organization by the master file, and its weight in lists.
pub(super) struct KnownCause {
    weight: Weight,
    filed: Option<Ntee>,
    /// Without a filed code, what other columns say.
    derived: Option<Cause>,
}

impl KnownCause {
    pub(super) fn of(organization: &Organization) -> Self {
        let filed = organization.ntee;
        let derived = Cause::of(organization).filter(|_| filed.is_none());
        Self { weight: Weight::of(organization), filed, derived }
    }
}

/// Predicted codes that are reweighted with what other columns tell.
const REWEIGHTED_MAX: usize = 8;

/// What is predicted of the organizations so far.
pub(super) struct Causes<'a> {
    classifier: &'static CodeClassifier,
    texts: &'a Texts,
    known: &'a [KnownCause],
    builder: Builder,
}

impl<'a> Causes<'a> {
    /// `texts` are what is embedded of each organization, `known` the cause of each by the master file.
    pub(super) fn new(texts: &'a Texts, known: &'a [KnownCause]) -> Result<Self, BuildError> {
        let classifier = CodeClassifier::shared()?;
        Ok(Self { classifier, texts, known, builder: Builder::default() })
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
        for (known, predicted) in self.known[numbers].iter().zip(&made) {
            self.builder.add(known.weight, known.filed, predicted);
        }
    }

    /// What is predicted of one. Where a code was filed, its title begins the text and is in the vector: the
    /// rest of the words alone tell something that the code does not.
    fn of(&self, number: usize, vector: Option<&[f32]>) -> Vec<Predicted> {
        let text = self.texts.get(number);
        let known = &self.known[number];
        let title = known.filed.and_then(taxonomy::title);
        let own = title.and_then(|title| text.strip_prefix(title.trim_end_matches('.')));
        let vector = vector.filter(|_| own.is_none());
        let codes = self.classifier.codes_of(own.unwrap_or(text), vector);
        match known.derived {
            None => codes.likeliest(PREDICTED),
            Some(derived) => reweighted(codes.likeliest(REWEIGHTED_MAX), derived),
        }
    }

    /// Writes the index below a snapshot's folder.
    pub(super) fn write(self, folder: &Path) -> Result<(), BuildError> {
        Ok(self.builder.finish(folder)?)
    }
}

/// Predicted codes, reweighted with the code nearest to what other columns tell: the likeliest first.
fn reweighted(predicted: Vec<Predicted>, cause: Cause) -> Vec<Predicted> {
    let derived = cause.code;
    // How much less probable a predicted code of another major group is, and how probable the derived code itself is,
    // where it says more than a major group. Among 6,415 members of groups that have a code of their own, the majority
    // of the others has the same major group in 96 of 100 cases and the same code in 92.
    let (other_major_factor, probability) = match cause.evidence {
        CauseEvidence::Group => (0.05, 0.9),
        _ => (0.3, 0.5),
    };
    let of_major = |one: &Predicted| match one.0.major() == derived.major() {
        true => one.1,
        false => one.1 * other_major_factor,
    };
    let before: f32 = predicted.iter().map(|one| one.1).sum();
    let after: f32 = predicted.iter().map(of_major).sum();
    let scale = if after > 0.0 { before / after } else { 1.0 };
    let mut codes: Vec<Predicted> =
        predicted.iter().map(|one| (one.0, of_major(one) * scale)).collect();
    if !taxonomy::is_general(derived) {
        codes.retain(|one| one.0 != derived || one.1 > probability);
        if codes.iter().all(|one| one.0 != derived) {
            codes.push((derived, probability));
        }
    }
    codes.sort_by(|a, b| b.1.total_cmp(&a.1));
    codes.truncate(PREDICTED);
    codes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ntee(code: &str) -> Ntee {
        code.parse().unwrap()
    }

    #[test]
    fn columns_weigh_what_words_predict() {
        let predicted = || vec![(ntee("N60"), 0.6), (ntee("E20"), 0.3), (ntee("E22"), 0.1)];
        let cause = |code, evidence| Cause { code: ntee(code), evidence };
        let codes = |derived| {
            let reweighted = reweighted(predicted(), cause(derived, CauseEvidence::Activity));
            reweighted.iter().map(|one| one.0.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(codes("E99"), ["E20", "N60", "E22"]);
        assert_eq!(codes("E32"), ["E20", "E32", "N60"]);
        let unpredicted = |code, evidence| reweighted(Vec::new(), cause(code, evidence));
        assert_eq!(unpredicted("E32", CauseEvidence::Foundation), [(ntee("E32"), 0.5)]);
        assert_eq!(unpredicted("E32", CauseEvidence::Group), [(ntee("E32"), 0.9)]);
        assert!(unpredicted("E99", CauseEvidence::Group).is_empty());
    }
}
