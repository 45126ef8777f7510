//! Linear models over named features: coefficients of a table, and the scores that they add up to.

use std::collections::HashMap;

use super::log_softmax;
use crate::table::Table;

/// A multinomial model over the features of a message and its vector, which predicts one of `LABELS` labels.
pub(super) struct MessageModel<const LABELS: usize> {
    features: HashMap<&'static str, [f32; LABELS]>,
    /// Of the vector, number by number.
    vector: Vec<[f32; LABELS]>,
    /// From which probability on a label is believed; 1 in a table that has none.
    pub(super) threshold: f32,
}

impl<const LABELS: usize> MessageModel<LABELS> {
    /// The model of a table whose rows are a part, a feature and coefficients.
    ///
    /// # Panics
    /// Where the table has something else.
    pub(super) fn of(table: Table) -> Self {
        let mut model = Self { features: HashMap::new(), vector: Vec::new(), threshold: 1.0 };
        for [part, feature, weights] in table.rows() {
            match part {
                "word" => drop(model.features.insert(feature, coefficients(weights))),
                "vector" => model.vector.push(coefficients(weights)),
                _ => model.threshold = coefficient(weights),
            }
        }
        model
    }

    /// The logarithm of the probability of each label.
    pub(super) fn log_probabilities(&self, features: &[String], vector: &[f32]) -> [f32; LABELS] {
        let mut scores = Scores::new();
        for weights in features.iter().filter_map(|feature| self.features.get(&**feature)) {
            scores.add(weights, 1.0);
        }
        scores.add_vector(&self.vector, vector);
        scores.log_probabilities()
    }
}

/// The coefficients of a feature, one for each label, divided by blanks.
///
/// # Panics
/// Where the table has something else, or too many or too few.
pub(super) fn coefficients<const LABELS: usize>(text: &str) -> [f32; LABELS] {
    let all: Vec<f32> = text.split(' ').map(coefficient).collect();
    all.try_into().expect("a coefficient for each label")
}

/// A single one.
///
/// # Panics
/// Where the table has something else.
pub(super) fn coefficient(text: &str) -> f32 {
    text.parse().expect("the table has numbers")
}

/// What the features of a message add up to, for each label.
pub(super) struct Scores<const LABELS: usize>([f32; LABELS]);

impl<const LABELS: usize> Scores<LABELS> {
    pub(super) fn new() -> Self {
        Self([0.0; LABELS])
    }

    /// Adds a feature of this value.
    pub(super) fn add(&mut self, weights: &[f32; LABELS], value: f32) {
        self.0.iter_mut().zip(weights).for_each(|(score, weight)| *score += weight * value);
    }

    /// Adds a vector; `weights` has a row for each of its numbers.
    pub(super) fn add_vector(&mut self, weights: &[[f32; LABELS]], vector: &[f32]) {
        weights.iter().zip(vector).for_each(|(weights, value)| self.add(weights, *value));
    }

    /// The logarithm of the probability of each label.
    pub(super) fn log_probabilities(mut self) -> [f32; LABELS] {
        log_softmax(&mut self.0);
        self.0
    }
}
