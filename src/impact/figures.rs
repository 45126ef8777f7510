//! The trained model of figures: whether a number in a report is one of impact. Coefficients stand in
//! `models/figures.tsv`, learned by `scripts/figure_model.py` from the reports of `data/reports`.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::features::REFUSAL;
use crate::table::{Table, table};

/// A logistic regression over features; see the file's head.
pub(super) struct FigureModel {
    weights: HashMap<&'static str, f32>,
    bias: f32,
    /// From which probability on a number is a figure.
    threshold: f32,
}

static MODEL: LazyLock<FigureModel> =
    LazyLock::new(|| FigureModel::of(table!("models/figures.tsv")));

impl FigureModel {
    /// The one of the binary.
    pub(super) fn shared() -> &'static Self {
        &MODEL
    }

    /// # Panics
    /// Where the table has something else.
    fn of(table: Table) -> Self {
        let mut model = Self { weights: HashMap::new(), bias: 0.0, threshold: 1.0 };
        for [part, feature, weight] in table.rows() {
            let weight = weight.parse().expect("the table has numbers");
            match part {
                "bias" => model.bias = weight,
                "threshold" => model.threshold = weight,
                _ => drop(model.weights.insert(feature, weight)),
            }
        }
        model
    }

    /// Whether a number with these features is a figure.
    pub(super) fn accepts(&self, features: &[String]) -> bool {
        let weights = features.iter().filter_map(|feature| self.weights.get(&**feature));
        let score = self.bias + weights.sum::<f32>();
        let is_refused = features.iter().any(|feature| feature == REFUSAL);
        !is_refused && 1.0 / (1.0 + (-score).exp()) >= self.threshold
    }
}
