//! Linear models over features: how features are declared, the coefficients of an embedded table, and the
//! probabilities that both give.

use crate::table::Table;

/// Declares the features of something in the order of a model's coefficients: what each is, and its value of `one`.
/// Makes the enumeration, how many there are, an array of a value each, and the function that fills one.
macro_rules! features {
    ($one:ident: $of:ty => $($(#[$doc:meta])* $feature:ident = $value:expr,)+) => {
        /// The features of a candidate, in the order of the model's coefficients.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(usize)]
        pub enum Feature {
            $($(#[$doc])* $feature,)+
        }

        /// How many features there are.
        pub const FEATURES: usize = [$(Feature::$feature,)+].len();

        /// A candidate's features.
        pub type Features = [f32; FEATURES];

        /// The features of a candidate.
        pub(super) fn features($one: &$of) -> Features {
            [$(f32::from($value),)+]
        }
    };
}

pub(crate) use features;

/// The rows of an embedded model: what each coefficient is of, and its value.
pub fn coefficients(table: Table) -> impl Iterator<Item = (&'static str, f64)> {
    table.each(|[of, value]| Some((of, value.parse().ok()?)))
}

/// The sum of features by their coefficients.
pub fn dot(coefficients: &[f64], features: &[f32]) -> f64 {
    coefficients.iter().zip(features).map(|(a, b)| a * f64::from(*b)).sum()
}

/// The probability of log odds.
pub fn logistic(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// A nested logit (McFadden, *Modelling the choice of residential location*, 1978) of candidates with `F` features
/// and of `O` other values: whether any is meant is a logistic model of the likeliest candidate, and which one,
/// given that, a conditional logit over all of them.
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
        let somebody = logistic(somebody);
        (shares.into_iter().map(|share| somebody * share / all).collect(), 1.0 - somebody)
    }
}
