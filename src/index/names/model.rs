//! The probability that a candidate is the one that was meant, or that none is.
//!
//! A conditional logit (McFadden, *Conditional logit analysis*, 1974): each candidate has the
//! exponential of a weighted sum of its features, so has that none is meant, and a probability is
//! one's share of all. Namesakes that nothing tells apart share theirs. The coefficients are
//! learned (`scripts/name_model.py`, from questions made of the IRS's own names) and stand in
//! `models/names.tsv`.

use std::sync::LazyLock;

use super::score::{FEATURES, Features};

/// Coefficients of the sum that speaks for nobody: a constant, the number of terms (a tenth), the
/// mass of the question (a hundredth).
const NOBODY: usize = 3;

/// What speaks for nobody.
pub type NobodyFeatures = [f32; NOBODY];

struct Model {
    candidate: [f64; FEATURES],
    nobody: [f64; NOBODY],
}

static MODEL: LazyLock<Model> = LazyLock::new(|| {
    let text = include_str!("../../../models/names.tsv");
    let rows = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let values: Vec<f64> = rows
        .map(|row| row.split('\t').nth(1).and_then(|value| value.parse().ok()))
        .collect::<Option<_>>()
        .expect("every row of the embedded model has a number");
    let (candidate, nobody) = values.split_at(FEATURES);
    Model {
        candidate: candidate.try_into().expect("a coefficient for every feature"),
        nobody: nobody.try_into().expect("and for what speaks for nobody"),
    }
});

/// The probability of each candidate, in their order, and that none is meant.
pub(super) fn probabilities(candidates: &[Features], nobody: &NobodyFeatures) -> (Vec<f64>, f64) {
    let dot = |coefficients: &[f64], features: &[f32]| {
        coefficients.iter().zip(features).map(|(a, b)| a * f64::from(*b)).sum::<f64>()
    };
    let sums: Vec<f64> = candidates.iter().map(|one| dot(&MODEL.candidate, one)).collect();
    let none = dot(&MODEL.nobody, nobody);
    let greatest = sums.iter().copied().fold(none, f64::max);
    let shares: Vec<f64> = sums.iter().map(|sum| (sum - greatest).exp()).collect();
    let none = (none - greatest).exp();
    let all: f64 = shares.iter().sum::<f64>() + none;
    (shares.into_iter().map(|share| share / all).collect(), none / all)
}
