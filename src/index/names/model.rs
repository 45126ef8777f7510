//! The probability of each candidate, and of the event that the text names none of them.
//!
//! A nested logit (McFadden, *Modelling the choice of residential location*, 1978): whether anybody
//! in the data is meant is a logistic model of the likeliest candidate, and which one, given that,
//! a conditional logit over all of them. Indistinguishable namesakes share their probability. The
//! coefficients are learned from questions made of the IRS's own names (`scripts/name_model.py`)
//! and stored in `models/names.tsv`.

use std::sync::LazyLock;

use super::score::{FEATURES, Features};
use crate::table::{Table, table};

/// What speaks for somebody besides the likeliest candidate's features: a constant, the logarithm of
/// its share, the number of terms (a tenth), the mass of the question (a hundredth).
const OF_QUESTION: usize = 4;

const TABLE: Table = table!("models/names.tsv");

/// The rows of an embedded model: what each coefficient is of, and its value.
pub fn coefficients(table: Table) -> impl Iterator<Item = (&'static str, f64)> {
    table.each(|[of, value]| Some((of, value.parse().ok()?)))
}

/// A nested logit of candidates with `F` features and of `O` other values.
#[derive(Debug)]
pub struct NestedLogit<const F: usize, const O: usize> {
    choice: [f64; F],
    others: [f64; O],
    likeliest: [f64; F],
}

impl<const F: usize, const O: usize> NestedLogit<F, O> {
    /// The model of an embedded table.
    pub fn of(table: Table) -> Self {
        let values: Vec<f64> = coefficients(table).map(|(_, value)| value).collect();
        let (choice, rest) = values.split_at(F);
        let (others, likeliest) = rest.split_at(O);
        Self {
            choice: choice.try_into().expect("a coefficient for every feature"),
            others: others.try_into().expect("and for every other value"),
            likeliest: likeliest.try_into().expect("and again for every feature"),
        }
    }

    /// The probability of each candidate, in their order, and the probability that none of them is meant. `others`
    /// weighs the other values, by their coefficients, for the likeliest candidate and the logarithm of its share.
    pub fn probabilities<'a>(
        &self,
        candidates: impl Iterator<Item = &'a [f32; F]>,
        others: impl FnOnce(&[f64; O], usize, f64) -> f64,
    ) -> (Vec<f64>, f64) {
        let candidates: Vec<&[f32; F]> = candidates.collect();
        let sums: Vec<f64> = candidates.iter().map(|one| dot(&self.choice, *one)).collect();
        let greatest = sums.iter().copied().enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
        let Some((likeliest, greatest)) = greatest else { return (Vec::new(), 1.0) };
        let shares: Vec<f64> = sums.iter().map(|sum| (sum - greatest).exp()).collect();
        let all: f64 = shares.iter().sum();
        let somebody = others(&self.others, likeliest, (1.0 / all).ln())
            + dot(&self.likeliest, candidates[likeliest]);
        let somebody = 1.0 / (1.0 + (-somebody).exp());
        (shares.into_iter().map(|share| somebody * share / all).collect(), 1.0 - somebody)
    }
}

/// The sum of features by their coefficients.
pub fn dot(coefficients: &[f64], features: &[f32]) -> f64 {
    coefficients.iter().zip(features).map(|(a, b)| a * f64::from(*b)).sum()
}

static MODEL: LazyLock<NestedLogit<FEATURES, OF_QUESTION>> =
    LazyLock::new(|| NestedLogit::of(TABLE));

/// How many terms a question has, and their mass.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Size {
    pub terms: usize,
    pub mass: f32,
}

/// The probability of each candidate, in their order, and the probability that none of them is meant.
pub(super) fn probabilities(candidates: &[Features], size: Size) -> (Vec<f64>, f64) {
    MODEL.probabilities(candidates.iter(), |coefficients, _, share| {
        let values = [1.0, share, size.terms as f64 / 10.0, f64::from(size.mass) / 100.0];
        coefficients.iter().zip(values).map(|(a, b)| a * b).sum()
    })
}

#[cfg(test)]
mod tests {
    use super::super::score::Feature;
    use super::*;

    /// The order of the rows is that of the features: a number in another row would be silent.
    #[test]
    fn the_model_has_a_row_for_each_feature_in_its_place() {
        let rows: Vec<&str> = coefficients(TABLE).map(|(of, _)| of).collect();
        for feature in [Feature::InName, Feature::Misspelt, Feature::Weight, Feature::Literal] {
            assert_eq!(rows[feature as usize], format!("{feature:?}"));
            assert_eq!(rows[FEATURES + OF_QUESTION + feature as usize], format!("{feature:?}"));
        }
        assert_eq!(rows[FEATURES], "Constant");
    }
}
