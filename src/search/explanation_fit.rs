//! Whether an entry of the knowledge base answers a question, or only comes nearest to it.
//!
//! A logistic regression over four numbers. `scripts/explanation_fit.py` learns it from `data/explanation_judgements.tsv`:
//! questions by writers who had not seen the knowledge base, and judges' grades of the entries that were given in answer.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::curated::own_knowledge;
use crate::naming::normalise;
use crate::reader::Explanation;
use crate::record::Knowledge;
use crate::search::library;
use crate::understand::tells;

/// Letters by which words are compared.
const STEM_LETTERS: usize = 5;
/// The end of the identifier of an entry in Spanish; without it the entry is in English.
pub const IN_SPANISH: &str = "-es";

/// How much each number counts, in the order of [`ExplanationFit::numbers`].
const WEIGHTS: [f32; 4] = [2.98, 4.52, 3.83, 2.73];
const INTERCEPT: f32 = -7.73;
/// The least probability at which an entry is given as the answer.
const ANSWERS_MIN: f32 = 0.5;

/// In how many of the program's own entries each stem stands.
static ENTRIES_WITH: LazyLock<HashMap<String, usize>> = LazyLock::new(|| {
    let mut counts = HashMap::new();
    for entry in own_knowledge() {
        stems_of(entry).into_iter().for_each(|stem| *counts.entry(stem).or_insert(0) += 1);
    }
    counts
});

/// How well an entry fits a question; each number is 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExplanationFit {
    /// The probability of the entry if the question asks for an explanation.
    pub entry: f32,
    /// The probability that the question asks for one.
    pub explained: f32,
    /// How well its words agree with the nearest title or question of the entry.
    pub wording: f32,
    /// The share of its words that stand in the entry, rare ones counting more.
    pub words: f32,
}

impl ExplanationFit {
    pub fn of(text: &str, explanation: &Explanation, entry: &Knowledge) -> Self {
        let id = entry.article_id.strip_suffix(IN_SPANISH).unwrap_or(&entry.article_id);
        let probability = explanation.entries.iter().find(|(own, _)| *own == id);
        Self {
            entry: probability.map_or(0.0, |(_, probability)| *probability),
            explained: explanation.probability,
            wording: library::shared_words(text, entry),
            words: words_covered(text, entry),
        }
    }

    pub fn numbers(&self) -> [f32; 4] {
        [self.entry, self.explained, self.wording, self.words]
    }

    /// Whether the entry probably answers the question.
    pub fn answers(&self) -> bool {
        self.probability() >= ANSWERS_MIN
    }

    /// The probability that the entry answers the question.
    pub fn probability(&self) -> f32 {
        let weighted =
            self.numbers().into_iter().zip(WEIGHTS).map(|(number, weight)| number * weight);
        let score = INTERCEPT + weighted.sum::<f32>();
        1.0 / (1.0 + (-score).exp())
    }
}

/// The share of the words of a text that stand in an entry, each weighted by how few entries have it.
fn words_covered(text: &str, entry: &Knowledge) -> f32 {
    let own = stems_of(entry);
    let entries = own_knowledge().len() as f32;
    let (mut all, mut covered) = (0.0, 0.0);
    for word in normalise(text).split(' ').filter(|word| tells(word)) {
        let stem = stem(word);
        let with = ENTRIES_WITH.get(&stem).copied().unwrap_or(0) as f32;
        let weight = ((entries + 1.0) / (with + 0.5)).ln();
        all += weight;
        if own.contains(&stem) {
            covered += weight;
        }
    }
    if all > 0.0 { covered / all } else { 0.0 }
}

fn stem(word: &str) -> String {
    word.chars().take(STEM_LETTERS).collect()
}

fn stems_of(entry: &Knowledge) -> HashSet<String> {
    let texts =
        entry.questions.iter().chain([&entry.title, &entry.content]).map(|text| normalise(text));
    texts.flat_map(|form| form.split(' ').map(stem).collect::<Vec<_>>()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::Reader;

    #[test]
    fn an_entry_answers_its_subject_and_not_what_comes_near() {
        let reader = Reader::shared().unwrap();
        for (text, entry, expected) in [
            ("can I still deduct a check I mail on December 31?", "kb-year-end-gifts", true),
            ("what does a food bank cost", "kb-shelter-stay", false),
            ("is a hot dog a sandwich", "kb-shelter-stay", false),
            ("do churches have to file a form 990?", "kb-who-need-not-file", true),
            ("¿cuánto mide un caballo?", "kb-donate-here-es", false),
        ] {
            let message = reader.read(text, &[]).unwrap();
            let explanation = reader.explanation(text, &message, None).unwrap();
            let entry = own_knowledge().iter().find(|own| own.article_id == entry).unwrap();
            let fit = ExplanationFit::of(text, &explanation, entry);
            assert_eq!(fit.answers(), expected, "{text}: {fit:?}");
        }
    }
}
