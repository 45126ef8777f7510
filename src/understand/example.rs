//! The intent of a message that its words alone do not tell, by its likeness to labelled examples
//! (`data/chat_examples.tsv`).
//!
//! The examples nearest in meaning speak for their intents. What is near to none is not guessed at.

use super::label::dot;

/// What a message asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Intent {
    FindNonprofits,
    SimilarNonprofits,
    NonprofitDetails,
    FindArticles,
    ArticleDetails,
    FindFunds,
    Knowledge,
    Greeting,
    Unknown,
}

impl Intent {
    /// Every intent.
    pub const ALL: [Self; 9] = [
        Self::FindNonprofits,
        Self::SimilarNonprofits,
        Self::NonprofitDetails,
        Self::FindArticles,
        Self::ArticleDetails,
        Self::FindFunds,
        Self::Knowledge,
        Self::Greeting,
        Self::Unknown,
    ];

    /// As answers call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::FindNonprofits => "find_nonprofits",
            Self::SimilarNonprofits => "similar_nonprofits",
            Self::NonprofitDetails => "nonprofit_details",
            Self::FindArticles => "find_articles",
            Self::ArticleDetails => "article_details",
            Self::FindFunds => "find_funds",
            Self::Knowledge => "knowledge",
            Self::Greeting => "greeting",
            Self::Unknown => "unknown",
        }
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|intent| intent.name() == name)
    }
}

/// How many examples speak for their intent: the nearest of each.
const SPEAKERS: usize = 2;
/// Least cosine of the nearest example: what is farther from all was not foreseen. Courtesies are of
/// few words that also occur elsewhere.
const NEAR: f32 = 0.25;
const NEAR_GREETING: f32 = 0.40;
/// What it is worth that a message names something that nonprofits do.
const CAUSE: f32 = 0.05;
/// What speaks against funds: examples of them are near to all that is about giving.
const FUNDS: f32 = 0.03;
/// How far ahead of what is off topic an intent has to be.
const LEAD: f32 = 0.05;

/// Examples and their vectors.
#[derive(Debug)]
pub struct Examples {
    intents: Vec<Intent>,
    /// `f32[examples][dimensions]`.
    vectors: Vec<f32>,
}

/// The lines of the table.
fn rows() -> impl Iterator<Item = (Intent, &'static str)> {
    include_str!("../../data/chat_examples.tsv")
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .filter_map(|line| {
            let (intent, example) = line.split_once('\t')?;
            Some((Intent::named(intent)?, example))
        })
}

impl Examples {
    /// The examples, embedded.
    ///
    /// # Errors
    /// Those of `embed`, which is to give the texts' unit vectors one after another.
    pub fn new<E>(embed: impl FnOnce(&[String]) -> Result<Vec<f32>, E>) -> Result<Self, E> {
        let (intents, texts): (Vec<_>, Vec<String>) =
            rows().map(|(intent, text)| (intent, text.to_owned())).unzip();
        Ok(Self { vectors: embed(&texts)?, intents })
    }

    /// The intent of the text of a unit vector, [`Intent::Unknown`] when it is near to none: the mean
    /// cosine of the nearest examples of an intent speaks for it. `names_cause` says whether the text
    /// names something that nonprofits do.
    pub fn intent(&self, vector: &[f32], names_cause: bool) -> Intent {
        let mut nearest = [[f32::MIN; SPEAKERS]; Intent::ALL.len()];
        let examples = self.vectors.chunks_exact(vector.len().max(1));
        for (example, intent) in examples.zip(&self.intents) {
            let [first, second] = &mut nearest[*intent as usize];
            let cosine = dot(example, vector);
            if cosine > *first {
                (*first, *second) = (cosine, *first);
            } else if cosine > *second {
                *second = cosine;
            }
        }
        let score = |intent: Intent| {
            let [first, second] = nearest[intent as usize];
            let bonus = match intent {
                Intent::FindNonprofits if names_cause => CAUSE,
                Intent::FindFunds => -FUNDS,
                _ => 0.0,
            };
            (first + second) / SPEAKERS as f32 + bonus
        };
        let mut ranked: Vec<(f32, Intent)> =
            Intent::ALL.into_iter().map(|intent| (score(intent), intent)).collect();
        ranked.sort_by(|one, other| other.0.total_cmp(&one.0));
        let [(best, intent), (next, second), ..] = ranked[..] else { return Intent::Unknown };
        let near = match intent {
            Intent::Greeting => NEAR_GREETING,
            _ => NEAR,
        };
        let too_far = nearest[intent as usize][0] < near;
        match intent {
            _ if too_far && names_cause => Intent::FindNonprofits,
            _ if too_far => Intent::Unknown,
            _ if second == Intent::Unknown && best - next < LEAD && !names_cause => Intent::Unknown,
            _ => intent,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_an_example_of_an_intent() {
        let lines = include_str!("../../data/chat_examples.tsv").lines();
        let lines = lines.filter(|line| !line.starts_with('#') && !line.is_empty()).count();
        assert_eq!(rows().count(), lines);
        for intent in [
            Intent::FindNonprofits,
            Intent::FindArticles,
            Intent::FindFunds,
            Intent::Knowledge,
            Intent::Greeting,
            Intent::Unknown,
        ] {
            assert!(rows().filter(|row| row.0 == intent).count() >= 20, "{intent:?}");
        }
    }

    /// Examples in as many dimensions as there are, each its own direction.
    #[test]
    fn a_text_is_what_its_nearest_examples_are() {
        let mut count = 0;
        let examples = Examples::new(|texts| {
            count = texts.len();
            let mut vectors = vec![0.0; count * count];
            (0..count).for_each(|at| vectors[at * count + at] = 1.0);
            Ok::<_, ()>(vectors)
        })
        .unwrap();
        for (at, intent) in rows().map(|row| row.0).enumerate() {
            let mut vector = vec![0.0; count];
            vector[at] = 0.9;
            assert_eq!(examples.intent(&vector, false), intent);
            vector[at] = NEAR - 0.01;
            assert_eq!(examples.intent(&vector, false), Intent::Unknown);
            assert_eq!(examples.intent(&vector, true), Intent::FindNonprofits);
        }
        assert_eq!(examples.intent(&[], false), Intent::Unknown);
    }
}
