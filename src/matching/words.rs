//! The words that are compared in their own way (`data/match_words.tsv`), by what they are.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::record::ordinal;
use crate::table::table;

/// The lists of the table.
#[derive(Debug, Default)]
pub(super) struct Words {
    /// North, south and the like, in names and streets: the letters they are short for.
    pub directions: HashMap<&'static str, &'static str>,
    /// Kinds of streets: the Postal Service's abbreviation of each.
    pub streets: HashMap<&'static str, &'static str>,
    /// What announces a part of a building.
    pub units: HashSet<&'static str>,
    /// What announces a post office box, longest first, as words.
    pub boxes: Vec<Vec<&'static str>>,
    /// Ordinals and Roman numerals.
    pub numbers: HashMap<&'static str, u64>,
    /// Words for a related body of the same name: `foundation`, `auxiliary`.
    pub kin: HashSet<&'static str>,
    /// Words for a local body of a larger one, of which the number tells more: `post`, `council`.
    pub chapters: HashSet<&'static str>,
    /// Words of what kind of body it is, which lists add and leave out: `association`.
    pub forms: HashSet<&'static str>,
    /// What stands between two names of one organization, longest first.
    pub aliases: Vec<&'static str>,
    /// What stands before a person in whose care something is, longest first.
    pub cares: Vec<&'static str>,
}

/// The table, read once.
pub(super) static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let mut words = Words::default();
    let rows = table!("data/match_words.tsv").each(|[list, word, meaning]| {
        match (list, meaning) {
            ("direction", _) => _ = words.directions.insert(word, meaning),
            ("street", _) => _ = words.streets.insert(word, meaning),
            ("unit", _) => _ = words.units.insert(word),
            ("box", _) => words.boxes.push(word.split(' ').collect()),
            ("number", _) => _ = words.numbers.insert(word, meaning.parse().ok()?),
            ("kin", _) => _ = words.kin.insert(word),
            ("chapter", _) => _ = words.chapters.insert(word),
            ("form", _) => _ = words.forms.insert(word),
            ("alias", "alias") => words.aliases.push(word),
            ("alias", "care") => words.cares.push(word),
            _ => return None,
        }
        Some(())
    });
    rows.for_each(drop);
    words.boxes.sort_by_key(|phrase| std::cmp::Reverse(phrase.len()));
    words.aliases.sort_by_key(|phrase| std::cmp::Reverse(phrase.len()));
    words.cares.sort_by_key(|phrase| std::cmp::Reverse(phrase.len()));
    words
});

/// The number that a word of a name is: digits, an ordinal, a Roman numeral.
pub(super) fn number(word: &str) -> Option<u64> {
    WORDS.numbers.get(word).copied().or_else(|| ordinal(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::naming::normalise;

    #[test]
    fn every_word_is_in_normal_form_and_of_a_known_list() {
        assert!(!WORDS.boxes.is_empty() && !WORDS.aliases.is_empty() && !WORDS.cares.is_empty());
        let lists = [&WORDS.directions, &WORDS.streets].map(|list| list.keys().copied());
        let sets = [&WORDS.units, &WORDS.kin, &WORDS.chapters, &WORDS.forms]
            .map(|list| list.iter().copied());
        let phrases = WORDS.aliases.iter().chain(&WORDS.cares).copied();
        for word in lists.into_iter().flatten().chain(sets.into_iter().flatten()).chain(phrases) {
            assert_eq!(normalise(word), word);
        }
    }

    #[test]
    fn numbers() {
        for (word, expected) in [
            ("32", Some(32)),
            ("032", Some(32)),
            ("21st", Some(21)),
            ("third", Some(3)),
            ("iv", Some(4)),
            ("street", None),
            ("4h", None),
            ("", None),
        ] {
            assert_eq!(number(word), expected, "{word}");
        }
    }
}
