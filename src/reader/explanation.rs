//! Whether a message asks for an explanation, and which entry of the knowledge base gives it.
//!
//! A multinomial linear model over sequences of the reader's labels, beginnings of words, the vector of the sentence and
//! that of the message before it. Coefficients stand in `models/explanations.tsv`, learned by `scripts/message_model.py`
//! from the questions of `data/knowledge.ndjson` and from messages that ask for something else.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::linear::{add_scaled, coefficient, distinct, word_prefix};
use super::questions::message_features;
use super::{Message, Reader, log_softmax};
use crate::embed::Error;
use crate::naming;
use crate::table::table;

/// Entries that an explanation names.
const LIKELIEST_MAX: usize = 8;

/// How likely a message asks for an explanation, and of what.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The probability that it asks for one, 0 to 1.
    pub probability: f32,
    /// The likeliest entries, the likeliest first: their identifiers without the ending of a language, and the probability
    /// of each if the message asks for an explanation.
    pub entries: Vec<(&'static str, f32)>,
}

/// The coefficients of each entry, and last those of no entry.
struct EntryModel {
    entries: Vec<&'static str>,
    features: HashMap<&'static str, Vec<(usize, f32)>>,
    /// Of the vector, number by number.
    vector: Vec<Vec<f32>>,
    /// Of the vector of the message before.
    before: Vec<Vec<f32>>,
}

static MODEL: LazyLock<EntryModel> = LazyLock::new(EntryModel::of_table);

impl EntryModel {
    /// The model of the table.
    ///
    /// # Panics
    /// Where the table has something else than its head says.
    fn of_table() -> Self {
        let (mut entries, mut features) = (Vec::new(), HashMap::new());
        let (mut vector, mut before) = (Vec::new(), Vec::new());
        let numbers = |text: &'static str| text.split(' ').map(coefficient);
        for [part, name, weights] in table!("models/explanations.tsv").rows() {
            match part {
                "entry" => entries.push(name),
                "vector" => vector.push(numbers(weights).collect()),
                "before" => before.push(numbers(weights).collect()),
                _ => {
                    let sparse = weights.split(' ').map(|pair| {
                        let (at, weight) = pair.split_once(':').expect("a position and a weight");
                        (at.parse().expect("a position"), coefficient(weight))
                    });
                    features.insert(name, sparse.collect());
                }
            }
        }
        Self { entries, features, vector, before }
    }

    /// The logarithm of the probability of each entry and of none.
    fn log_probabilities(&self, features: &[String], vector: &[f32], before: &[f32]) -> Vec<f32> {
        let mut scores = vec![0.0; self.entries.len()];
        for (at, weight) in features.iter().filter_map(|one| self.features.get(&**one)).flatten() {
            scores[*at] += weight;
        }
        let of_vectors = self.vector.iter().zip(vector).chain(self.before.iter().zip(before));
        for (weights, value) in of_vectors {
            add_scaled(&mut scores, weights, *value);
        }
        log_softmax(&mut scores);
        scores
    }
}

impl Reader {
    /// Whether a text asks for an explanation after the message before it, and for which.
    pub fn explanation(
        &self,
        text: &str,
        message: &Message,
        before: Option<&str>,
    ) -> Result<Explanation, Error> {
        let features = act_features(text, message, before);
        Ok(explanation_of(&features, &self.vector(text)?, &self.vector_before(before)?))
    }
}

/// The explanation that a message with these features and vectors asks for.
pub(super) fn explanation_of(features: &[String], vector: &[f32], before: &[f32]) -> Explanation {
    let scores = MODEL.log_probabilities(features, vector, before);
    let (none, of_entries) = scores.split_last().expect("the last is no entry");
    let probability = 1.0 - none.exp();
    let share = |score: &f32| score.exp() / probability.max(f32::MIN_POSITIVE);
    let mut entries: Vec<(&'static str, f32)> =
        MODEL.entries.iter().copied().zip(of_entries.iter().map(share)).collect();
    entries.sort_by(|one, other| other.1.total_cmp(&one.1));
    entries.truncate(LIKELIEST_MAX);
    Explanation { probability, entries }
}

/// What this model and that of acts are given of a message beside the vectors: each feature once.
pub fn act_features(text: &str, message: &Message, before: Option<&str>) -> Vec<String> {
    let form = naming::normalise(text);
    let mut features = message_features(text, message);
    features.extend(form.split_whitespace().map(word_prefix));
    features.push(format!("l:{}", message.language.label.name()));
    features.extend(before.map(|_| "prev".to_owned()));
    distinct(features)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explanation(text: &str) -> Explanation {
        let reader = Reader::shared().unwrap();
        reader.explanation(text, &reader.read(text, &[]).unwrap(), None).unwrap()
    }

    #[test]
    fn who_asks_how_something_is_done_is_given_the_entry_about_it() {
        for (text, expected) in [
            ("how does it work if we give them shares rather than a check", "kb-donate-stock"),
            ("which day in the spring must our return be in", "kb-990-due-dates"),
            ("¿Puedo cambiar mi testamento si ya dejé algo a la iglesia?", "kb-change-bequest"),
        ] {
            let Explanation { probability, entries } = explanation(text);
            assert!(probability > 0.5, "{text}: {probability}");
            assert!(entries[..2].iter().any(|entry| entry.0 == expected), "{text}: {entries:?}");
        }
    }

    #[test]
    fn who_looks_for_somebody_asks_for_no_explanation() {
        for text in [
            "food pantries in Bangor Maine",
            "who runs it",
            "sort them by assets",
            "¿cuál es la más grande?",
            "only those with more than a million",
        ] {
            let asked = explanation(text);
            assert!(asked.probability < 0.4, "{text}: {asked:?}");
        }
    }
}
