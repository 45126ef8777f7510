//! The lookups in the data that understanding needs.

use std::cell::RefCell;
use std::collections::HashMap;

use super::frame::Frame;
use super::naming::{NAMESAKES_MAX, NameMatch, NameMatches};
use crate::embed::Lazy;
use crate::index::names::{Feature, Name, Question};
use crate::mapped::Damage;
use crate::snapshot::Snapshot;

/// Names that a token unknown to the model must be in to count as a word: at least this many, and
/// at least one in this many organizations, as misspelt names exist too.
const NAMES_OF_A_WORD: u64 = 20;
const ORGANIZATIONS_A_WORD: u64 = 2_000;

/// Lookups of names and counts in the data.
pub trait Names {
    /// The organizations that a text may name.
    fn named(&self, text: &str) -> Result<NameMatches, Damage>;

    /// How many nonprofits satisfy a frame.
    fn count(&self, frame: &Frame) -> Result<u64, Damage>;

    /// Whether this is a correctly spelt word.
    fn is_word(&self, word: &str) -> Result<bool, Damage>;

    /// The number of names with a word.
    fn frequency(&self, word: &str) -> Result<u64, Damage>;
}

impl Names for Snapshot {
    fn named(&self, text: &str) -> Result<NameMatches, Damage> {
        let found = self.names.find(&Question::of(text))?;
        let mut candidates = Vec::new();
        for one in found.candidates.iter().take(NAMESAKES_MAX) {
            let card = self.typeahead.card(one.org)?;
            candidates.push(NameMatch {
                ein: card.ein,
                name: card.name,
                other_name: card.alt_name.filter(|_| one.name != Name::Legal),
                probability: one.probability,
                features: one.features,
            });
        }
        // Only of a text that is somebody's name it matters how many have it.
        let has_its_terms = |one: &NameMatch| one.features[Feature::Equal as usize] == 1.0;
        let equal = match candidates.first().is_some_and(has_its_terms) {
            true => self.names.count(text)?,
            false => 0,
        };
        Ok(NameMatches { candidates, nobody: found.nobody, equal })
    }

    fn count(&self, frame: &Frame) -> Result<u64, Damage> {
        Ok(self.columns.select(&frame.filters())?.matching.count())
    }

    fn is_word(&self, word: &str) -> Result<bool, Damage> {
        // The model's tokenizer has common words whole and cuts what it does not know in pieces.
        const TOKENS_OF_A_WORD: usize = 3;
        // Of `fixes` it may have `fix` alone.
        let singular = ["es", "s"].into_iter().filter_map(|end| word.strip_suffix(end));
        let is_whole = |word: &str| {
            let count = Lazy::embedded().ok().and_then(|model| model.count_tokens(word).ok());
            count == Some(TOKENS_OF_A_WORD)
        };
        if std::iter::once(word).chain(singular).any(is_whole) {
            return Ok(true);
        }
        let share = u64::from(self.columns.organizations()) / ORGANIZATIONS_A_WORD;
        Ok(self.fulltext.frequency(word)? >= NAMES_OF_A_WORD.max(share))
    }

    fn frequency(&self, word: &str) -> Result<u64, Damage> {
        self.fulltext.frequency(word)
    }
}

/// The names and counts of a snapshot, as one request looks them up: each only once.
pub struct Lookup<'a> {
    names: &'a dyn Names,
    named: RefCell<HashMap<String, NameMatches>>,
    /// Frames, and how many rows satisfy them; few enough for a linear search.
    counts: RefCell<Vec<(Frame, u64)>>,
}

impl<'a> Lookup<'a> {
    /// Nothing is looked up yet.
    pub fn of(names: &'a dyn Names) -> Self {
        Self { names, named: RefCell::default(), counts: RefCell::default() }
    }
}

impl Names for Lookup<'_> {
    fn named(&self, text: &str) -> Result<NameMatches, Damage> {
        if let Some(known) = self.named.borrow().get(text) {
            return Ok(known.clone());
        }
        let found = self.names.named(text)?;
        self.named.borrow_mut().insert(text.to_owned(), found.clone());
        Ok(found)
    }

    fn count(&self, frame: &Frame) -> Result<u64, Damage> {
        if let Some((_, count)) = self.counts.borrow().iter().find(|(known, _)| known == frame) {
            return Ok(*count);
        }
        let count = self.names.count(frame)?;
        self.counts.borrow_mut().push((frame.clone(), count));
        Ok(count)
    }

    fn is_word(&self, word: &str) -> Result<bool, Damage> {
        self.names.is_word(word)
    }

    fn frequency(&self, word: &str) -> Result<u64, Damage> {
        self.names.frequency(word)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Counts the lookups.
    #[derive(Default)]
    struct Counted(Cell<u32>);

    impl Names for Counted {
        fn named(&self, _: &str) -> Result<NameMatches, Damage> {
            self.0.set(self.0.get() + 1);
            Ok(NameMatches::default())
        }

        fn count(&self, _: &Frame) -> Result<u64, Damage> {
            self.0.set(self.0.get() + 1);
            Ok(7)
        }

        fn is_word(&self, _: &str) -> Result<bool, Damage> {
            Ok(true)
        }

        fn frequency(&self, _: &str) -> Result<u64, Damage> {
            Ok(0)
        }
    }

    #[test]
    fn the_same_question_is_asked_once() {
        let names = Counted::default();
        let lookup = Lookup::of(&names);
        let other = Frame { cause: Some("arts".to_owned()), ..Frame::default() };
        for _ in 0..3 {
            lookup.named("food bank").unwrap();
            lookup.named("food bank of maine").unwrap();
            assert_eq!(lookup.count(&Frame::default()).unwrap(), 7);
            assert_eq!(lookup.count(&other).unwrap(), 7);
        }
        assert_eq!(names.0.get(), 4);
    }
}
