//! How probable it is that a nonprofit is what somebody asks for: features of the question and of the
//! row, and boosted trees learned from judgements (`data/judgements`, `scripts/ranking_model.py`).
//!
//! It reads no index: whoever ranks fills in the features.

mod reading;
mod trees;

use std::sync::LazyLock;

pub use reading::{READ_MAX, Reading};
use trees::Trees;

use crate::model::logistic;
use crate::record::named;

named! {
    /// What a row is judged by, in the order of the model's inputs. Shares and probabilities are 0 to 1; what is not
    /// known is 0.
    Feature {
        /// Cosine of the row's vector and the cause's; 0 without vectors.
        Cosine = "cosine",
        /// How far it is behind the best of the candidates.
        CosineBehind = "cosine_behind",
        /// How many standard deviations above the mean of the candidates.
        CosineAbove = "cosine_above",
        /// Cosine of the row's vector and the whole question's, and how far it is behind the best.
        WholeCosine = "whole_cosine",
        WholeCosineBehind = "whole_cosine_behind",
        /// BM25 of the cause in names and mission, as a share of the best.
        Words = "words",
        /// Of the cause's mass, by inverse document frequency, the share in the name.
        CauseInName = "cause_in_name",
        CauseInOtherName = "cause_in_other_name",
        CauseInPlace = "cause_in_place",
        CauseUnexplained = "cause_unexplained",
        CauseMisspelt = "cause_misspelt",
        /// Of the name's mass, the share that the cause leaves open; then that mass, a tenth.
        NameOpen = "name_open",
        NameOpenMass = "name_open_mass",
        CauseInOrder = "cause_in_order",
        /// Whether all of the name is in the cause, and all of the cause explained.
        NameComplete = "name_complete",
        CauseExplained = "cause_explained",
        CauseNameMass = "cause_name_mass",
        /// The same of the whole question, its place and all.
        WholeInName = "whole_in_name",
        WholeInPlace = "whole_in_place",
        WholeCityNamed = "whole_city_named",
        WholeUnexplained = "whole_unexplained",
        WholeExplained = "whole_explained",
        WholeEqual = "whole_equal",
        WholeOtherNumber = "whole_other_number",
        /// That the question names this row.
        Named = "named",
        /// Whether the question was read as a name.
        IsName = "is_name",
        /// How well the filed code is one of the cause's term; the same of predicted codes, by their
        /// probabilities; and whether the cause is a term with codes.
        FiledOfTerm = "filed_of_term",
        PredictedOfTerm = "predicted_of_term",
        IsTerm = "is_term",
        /// Whether a code was filed; how probable the cause makes that code, its decile, its major group.
        Filed = "filed",
        FiledCode = "filed_code",
        FiledDecile = "filed_decile",
        FiledMajor = "filed_major",
        /// The same of the predicted codes, by their probabilities.
        PredictedCode = "predicted_code",
        PredictedDecile = "predicted_decile",
        PredictedMajor = "predicted_major",
        /// The probability of the cause's likeliest code.
        CauseSure = "cause_sure",
        /// Whether the filed code is of philanthropy: funds and foundations.
        Grantmaker = "grantmaker",
        Weight = "weight",
        ActiveCharity = "active_charity",
        /// Where the row is in relation to the place that words name; all 0 where none does.
        InsidePlace = "inside_place",
        NearPlace = "near_place",
        InState = "in_state",
        Elsewhere = "elsewhere",
        /// The logarithm of how many rows satisfy the filters, a tenth.
        Matching = "matching",
    }
}

/// How many features there are.
pub const FEATURES: usize = Feature::ALL.len();

/// A row's features.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Features([f32; FEATURES]);

impl Default for Features {
    fn default() -> Self {
        Self([0.0; FEATURES])
    }
}

impl Features {
    pub fn set(&mut self, feature: Feature, value: f32) {
        self.0[feature as usize] = value;
    }

    pub fn get(&self, feature: Feature) -> f32 {
        self.0[feature as usize]
    }

    /// In the order of [`Feature::ALL`].
    pub fn values(&self) -> &[f32; FEATURES] {
        &self.0
    }
}

/// The least probability at which a row is reported as fitting.
pub const FIT_MIN: f64 = 0.33;

static MODEL: LazyLock<Trees> = LazyLock::new(|| {
    Trees::parse(include_str!("../../models/ranking.tsv")).expect("the embedded trees are whole")
});

/// The probability that each row is what was asked for, 0 to 1.
pub fn probabilities<'a>(rows: impl IntoIterator<Item = &'a Features>) -> Vec<f64> {
    let rows: Vec<&[f32; FEATURES]> = rows.into_iter().map(Features::values).collect();
    MODEL.scores(&rows).into_iter().map(logistic).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_trees_name_every_row_a_probability() {
        let mut features = Features::default();
        let mut rows = vec![features];
        for feature in Feature::ALL {
            features.set(feature, 1.0);
            rows.push(features);
        }
        let found = probabilities(&rows);
        assert!(found.len() == rows.len() && found.iter().all(|one| (0.0..=1.0).contains(one)));
    }
}
