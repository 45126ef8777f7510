//! The probability that a candidate is the organization of a row, and that no candidate is.
//!
//! A nested logit, as of names alone (`index/names`): which candidate it is, given that it is one of them,
//! is a conditional logit over all; whether it is any is a logistic model of the likeliest and of the row.
//! Indistinguishable namesakes share their probability, also with those that the candidates leave out. The
//! coefficients are in `models/matching.tsv` (`scripts/matching_model.py`).

use std::sync::LazyLock;

use super::features::{FEATURES, Features};
use crate::index::names::coefficients;
use crate::table::{Table, table};

const TABLE: Table = table!("models/matching.tsv");

/// What is known of a row besides its candidates, in the order of the model's coefficients: 1, the
/// logarithm of the likeliest candidate's share, the mass of the name by which it was found (a tenth),
/// whether the row has a street or box, a ZIP code or city, a state.
pub const OF_ROW: usize = 6;

/// What a row says itself: the last four of [`OF_ROW`].
pub(super) type RowFeatures = [f32; OF_ROW - 2];

struct Model {
    choice: [f64; FEATURES],
    of_row: [f64; OF_ROW],
    likeliest: [f64; FEATURES],
}

static MODEL: LazyLock<Model> = LazyLock::new(|| {
    let values: Vec<f64> = coefficients(TABLE).map(|(_, value)| value).collect();
    let (choice, rest) = values.split_at(FEATURES);
    let (of_row, likeliest) = rest.split_at(OF_ROW);
    Model {
        choice: choice.try_into().expect("a coefficient for every feature"),
        of_row: of_row.try_into().expect("and for what is known of a row"),
        likeliest: likeliest.try_into().expect("and again for every feature"),
    }
});

/// The probability of each candidate, in their order. `of_row` gives what the row says beside each.
pub(super) fn probabilities(candidates: &[(Features, RowFeatures)]) -> Vec<f64> {
    let dot = |coefficients: &[f64], features: &[f32]| {
        coefficients.iter().zip(features).map(|(a, b)| a * f64::from(*b)).sum::<f64>()
    };
    let sums: Vec<f64> = candidates.iter().map(|(one, _)| dot(&MODEL.choice, one)).collect();
    let greatest = sums.iter().copied().enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
    let Some((likeliest, greatest)) = greatest else { return Vec::new() };
    let shares: Vec<f64> = sums.iter().map(|sum| (sum - greatest).exp()).collect();
    let all: f64 = shares.iter().sum();
    let (features, row) = &candidates[likeliest];
    let somebody = MODEL.of_row[0]
        + MODEL.of_row[1] * (1.0 / all).ln()
        + dot(&MODEL.of_row[2..], row)
        + dot(&MODEL.likeliest, features);
    let somebody = 1.0 / (1.0 + (-somebody).exp());
    shares.into_iter().map(|share| somebody * share / all).collect()
}

#[cfg(test)]
mod tests {
    use super::super::features::Feature;
    use super::*;

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
