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

struct Model {
    choice: [f64; FEATURES],
    of_question: [f64; OF_QUESTION],
    likeliest: [f64; FEATURES],
}

static MODEL: LazyLock<Model> = LazyLock::new(|| {
    let values: Vec<f64> = coefficients(TABLE).map(|(_, value)| value).collect();
    let (choice, rest) = values.split_at(FEATURES);
    let (of_question, likeliest) = rest.split_at(OF_QUESTION);
    Model {
        choice: choice.try_into().expect("a coefficient for every feature"),
        of_question: of_question.try_into().expect("and for what is asked of the question"),
        likeliest: likeliest.try_into().expect("and again for every feature"),
    }
});

/// How many terms a question has, and their mass.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Size {
    pub terms: usize,
    pub mass: f32,
}

/// The probability of each candidate, in their order, and the probability that none of them is meant.
pub(super) fn probabilities(candidates: &[Features], size: Size) -> (Vec<f64>, f64) {
    let dot = |coefficients: &[f64; FEATURES], features: &Features| {
        coefficients.iter().zip(features).map(|(a, b)| a * f64::from(*b)).sum::<f64>()
    };
    let sums: Vec<f64> = candidates.iter().map(|one| dot(&MODEL.choice, one)).collect();
    let Some((likeliest, greatest)) =
        sums.iter().copied().enumerate().max_by(|a, b| a.1.total_cmp(&b.1))
    else {
        return (Vec::new(), 1.0);
    };
    let shares: Vec<f64> = sums.iter().map(|sum| (sum - greatest).exp()).collect();
    let all: f64 = shares.iter().sum();
    let of_question =
        [1.0, (1.0 / all).ln(), size.terms as f64 / 10.0, f64::from(size.mass) / 100.0];
    let somebody = dot(&MODEL.likeliest, &candidates[likeliest])
        + MODEL.of_question.iter().zip(of_question).map(|(a, b)| a * b).sum::<f64>();
    let somebody = 1.0 / (1.0 + (-somebody).exp());
    (shares.into_iter().map(|share| somebody * share / all).collect(), 1.0 - somebody)
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
