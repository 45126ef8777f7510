//! Linear models over named features: coefficients of a table, and the scores that they add up to.

use std::collections::HashMap;

use super::log_softmax;
use crate::table::Table;

/// A multinomial model over the features of a message, its vector and that of the message before it, which predicts one of
/// `LABELS` labels.
pub(crate) struct MessageModel<const LABELS: usize> {
    features: HashMap<&'static str, [f32; LABELS]>,
    /// Of the vector, number by number.
    vector: Vec<[f32; LABELS]>,
    /// Of the vector of the message before, if it is looked at.
    before: Vec<[f32; LABELS]>,
    /// From which probability on a label is believed; 1 in a table that has none.
    pub(crate) threshold: f32,
}

impl<const LABELS: usize> MessageModel<LABELS> {
    /// The model of a table whose rows are a part, a feature and coefficients, divided by blanks; `features` is the
    /// part of the features.
    ///
    /// # Panics
    /// Where these parts of the table have something else, or too many or too few.
    pub(crate) fn of(table: Table, features: &str) -> Self {
        let coefficients = |text: &str| -> [f32; LABELS] {
            let all: Vec<f32> = text.split(' ').map(coefficient).collect();
            all.try_into().expect("a coefficient for each label")
        };
        let mut model = Self {
            features: HashMap::new(),
            vector: Vec::new(),
            before: Vec::new(),
            threshold: 1.0,
        };
        for [part, feature, weights] in table.rows() {
            match part {
                "vector" => model.vector.push(coefficients(weights)),
                "before" => model.before.push(coefficients(weights)),
                "threshold" => model.threshold = coefficient(weights),
                part if part == features => {
                    model.features.insert(feature, coefficients(weights));
                }
                _ => {}
            }
        }
        model
    }

    /// The logarithm of the probability of each label; `before` is empty where there is none.
    pub(crate) fn log_probabilities(
        &self,
        features: impl IntoIterator<Item = String>,
        vector: &[f32],
        before: &[f32],
    ) -> [f32; LABELS] {
        let mut scores = [0.0; LABELS];
        let mut add = |weights: &[f32; LABELS], value| add_scaled(&mut scores, weights, value);
        let known = features.into_iter().filter_map(|feature| self.features.get(&*feature));
        known.for_each(|weights| add(weights, 1.0));
        self.vector.iter().zip(vector).for_each(|(weights, value)| add(weights, *value));
        self.before.iter().zip(before).for_each(|(weights, value)| add(weights, *value));
        log_softmax(&mut scores);
        scores
    }
}

/// Adds coefficients to scores, each multiplied by a value.
pub(super) fn add_scaled(scores: &mut [f32], weights: &[f32], value: f32) {
    scores.iter_mut().zip(weights).for_each(|(score, weight)| *score += weight * value);
}

/// Bytes of a word's beginning that is a feature, so that forms of a word share it.
const BEGINNING_BYTES: usize = 5;

/// The beginning of a word, as a feature.
pub(crate) fn word_prefix(word: &str) -> String {
    format!("b:{}", &word[..word.floor_char_boundary(BEGINNING_BYTES)])
}

/// Features, each once.
pub(crate) fn distinct(mut features: Vec<String>) -> Vec<String> {
    features.sort_unstable();
    features.dedup();
    features
}

/// A coefficient of a table.
///
/// # Panics
/// Where the table has something else.
pub(crate) fn coefficient(text: &str) -> f32 {
    text.parse().expect("the table has numbers")
}
