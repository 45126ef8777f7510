//! The probability that a candidate is the organization of a row, and that no candidate is.
//!
//! A nested logit, as of names alone (`index/names`): whether it is any candidate depends on the row as well.
//! Indistinguishable namesakes share their probability, also with those that the candidates leave out. The
//! coefficients are in `models/matching.tsv` (`scripts/matching_model.py`).

use std::sync::LazyLock;

use super::features::{FEATURES, Features};
use crate::model::{NestedLogit, dot};
use crate::table::{Table, table};

const TABLE: Table = table!("models/matching.tsv");

/// What is known of a row besides its candidates, in the order of the model's coefficients: 1, the
/// logarithm of the likeliest candidate's share, the mass of the name by which it was found (a tenth),
/// whether the row has a street or box, a ZIP code or city, a state.
pub const OF_ROW: usize = 6;

/// What a row says itself: the last four of [`OF_ROW`].
pub(super) type RowFeatures = [f32; OF_ROW - 2];

static MODEL: LazyLock<NestedLogit<FEATURES, OF_ROW>> = LazyLock::new(|| NestedLogit::of(TABLE));

/// The probability of each candidate, in their order, with what the row says beside each.
pub(super) fn probabilities(candidates: &[(Features, RowFeatures)]) -> Vec<f64> {
    let features = candidates.iter().map(|(features, _)| features);
    let of_row = |coefficients: &[f64; OF_ROW], likeliest: usize, share: f64| {
        coefficients[0]
            + coefficients[1] * share
            + dot(&coefficients[2..], &candidates[likeliest].1)
    };
    MODEL.probabilities(features, of_row).0
}

#[cfg(test)]
mod tests {
    use super::super::features::Feature;
    use super::*;
    use crate::model::coefficients;

    /// The order of the rows is that of the features: a number in another row would be silent.
    #[test]
    fn the_model_has_a_row_for_each_feature_in_its_place() {
        let rows: Vec<&str> = coefficients(TABLE).map(|(of, _)| of).collect();
        for feature in [Feature::Similarity, Feature::Cut, Feature::BoxDiffers, Feature::Group] {
            assert_eq!(rows[feature as usize], format!("{feature:?}"));
            assert_eq!(rows[FEATURES + OF_ROW + feature as usize], format!("{feature:?}"));
        }
        assert_eq!(rows[FEATURES], "Constant");
        assert_eq!(rows.len(), 2 * FEATURES + OF_ROW);
    }

    #[test]
    fn nobody_is_likelier_than_certain() {
        assert!(probabilities(&[]).is_empty());
        let alike = ([0.0; FEATURES], [0.0; OF_ROW - 2]);
        let found = probabilities(&[alike, alike]);
        assert!(found.iter().sum::<f64>() <= 1.0 && found[0] == found[1]);
    }
}
