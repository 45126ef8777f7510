//! The probability of each candidate, and of the event that the text names none of them.
//!
//! A nested logit ([`NestedLogit`]): whether anybody in the data is meant depends on the question as well.
//! Indistinguishable namesakes share their probability. The coefficients are learned from questions made of the
//! IRS's own names (`scripts/name_model.py`) and stored in `models/names.tsv`.

use std::sync::LazyLock;

use super::score::{FEATURES, Features};
use crate::model::NestedLogit;
use crate::table::{Table, table};

/// What speaks for somebody besides the likeliest candidate's features: a constant, the logarithm of
/// its share, the number of terms (a tenth), the mass of the question (a hundredth).
const OF_QUESTION: usize = 4;

const TABLE: Table = table!("models/names.tsv");

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
    use crate::model::coefficients;

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
