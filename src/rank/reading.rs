//! The cross-encoder that reads a question beside the texts of rows, and how what it says joins what the trees say.
//! `scripts/cross_encoder.py` trains it; `models/README.md` has its figures.

use std::sync::{Arc, LazyLock, OnceLock};

use crate::embed::{CrossEncoder, Error, Lazy};
use crate::model::{coefficients, logistic};
use crate::table::{Table, table};

static WEIGHTS: &[u8] = include_bytes!("../../models/cross-encoder/model.safetensors");

/// Layers that it has.
const LAYERS: usize = 4;

/// Rows that are read of one ranking: the likeliest by the trees.
pub const READ_MAX: usize = 16;

/// From the scores of the trees and of the cross-encoder to log odds: a constant, and a factor of each.
const BLEND: Table = table!("models/cross-encoder/blend.tsv");

static FACTORS: LazyLock<[f64; 3]> = LazyLock::new(|| {
    let values: Vec<f64> = coefficients(BLEND).map(|(_, value)| value).collect();
    values.try_into().expect("a constant and two factors")
});

/// Reads questions beside passages.
#[derive(Debug)]
pub struct Reading(CrossEncoder);

impl Reading {
    /// The one of the binary, prepared when first asked for.
    pub fn shared() -> Result<&'static Self, Arc<Error>> {
        static SHARED: OnceLock<Result<Reading, Arc<Error>>> = OnceLock::new();
        let read = || {
            let model = Lazy::embedded()?;
            CrossEncoder::of(model, WEIGHTS, LAYERS).map(Self).map_err(Arc::new)
        };
        SHARED.get_or_init(read).as_ref().map_err(Arc::clone)
    }

    /// The probability that each of some rows is what was asked for, by their texts and the trees' probabilities.
    pub fn probabilities(
        &self,
        question: &str,
        passages: &[String],
        by_trees: &[f64],
    ) -> Result<Vec<f64>, Arc<Error>> {
        let model = Lazy::embedded()?;
        let scores = self.0.scores(model, question, passages).map_err(Arc::new)?;
        let [constant, of_trees, of_reading] = *FACTORS;
        let joined = by_trees.iter().zip(scores).map(|(trees, score)| {
            let odds = constant + of_trees * log_odds(*trees) + of_reading * f64::from(score);
            logistic(odds)
        });
        Ok(joined.collect())
    }
}

fn log_odds(probability: f64) -> f64 {
    let probability = probability.clamp(1e-6, 1.0 - 1e-6);
    (probability / (1.0 - probability)).ln()
}
