//! Causes: what nonprofits do, in the words of a query (`data/causes.tsv`).
//!
//! Words are compared by their stems, so that number does not matter. A phrase of the table stays
//! together and is nothing else (`little league` is no size, `5k run` no money).

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use super::phrases::is_generic;
use super::token::Tokens;
use crate::naming::{edits, normalise};
use crate::table::table;
use crate::taxonomy;

/// Words of the longest phrase.
const WORDS_MAX: usize = 6;
/// Least letters of a word that is corrected.
pub(super) const TYPO_LETTERS_MIN: usize = 5;
/// Codes of illnesses, disabilities and griefs.
const CONDITION_CODES: [&str; 5] = ["F", "G", "H", "P86", "P87"];

/// A term of the table.
#[derive(Debug)]
pub(super) struct Term {
    /// Prefixes of NTEE codes, the most telling first.
    ntee: Vec<&'static str>,
    /// The English meaning of a term in another language.
    pub(super) english: Option<&'static str>,
}

impl Term {
    /// Its prefixes of codes; of a term without any, those of the term that it means in English.
    pub(super) fn codes(&self) -> &[&'static str] {
        let english = self.english.filter(|_| self.ntee.is_empty());
        let meant = english.and_then(|english| TERMS.get(&stems(&normalise(english))));
        meant.map_or(&self.ntee, |meant| &meant.ntee)
    }
}

/// The terms by stems.
static TERMS: LazyLock<HashMap<String, Term>> = LazyLock::new(|| {
    rows().map(|(term, ntee, english)| (stems(term), Term { ntee, english })).collect()
});

/// Words of the table and of titles of codes.
pub(super) static VOCABULARY: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let terms = rows().flat_map(|(term, _, _)| term.split(' '));
    let titles = taxonomy::titles().flat_map(|(_, title)| title.split(' '));
    let words = terms.map(str::to_owned).chain(titles.map(normalise));
    words.filter(|word| word.len() >= 4 && word.chars().all(|c| c.is_ascii_lowercase())).collect()
});

/// Words that stand next to each other in terms and needs.
pub(super) static PAIRS: LazyLock<HashSet<(&str, &str)>> = LazyLock::new(|| {
    let phrases = rows().map(|(term, ..)| term).chain(taxonomy::needs());
    let pairs = |phrase: &'static str| phrase.split(' ').zip(phrase.split(' ').skip(1));
    phrases.flat_map(pairs).collect()
});

type Row = (&'static str, Vec<&'static str>, Option<&'static str>);

fn rows() -> impl Iterator<Item = Row> {
    table!("data/causes.tsv").rows().map(|[term, prefixes, english]| {
        let ntee = prefixes.split(',').filter(|prefix| !prefix.is_empty()).collect();
        (term, ntee, Some(english).filter(|english| !english.is_empty()))
    })
}

/// The stem of a word in normal form, the same for singular and plural.
pub(super) fn stem(word: &str) -> String {
    let mut stem = word.to_owned();
    let ends = |ends: &[&str]| ends.iter().any(|end| word.ends_with(end));
    // Consonants before it abbreviate: `ptas` are several, `bias` is one.
    let abbreviates = || !word[..word.len() - 2].contains(['a', 'e', 'i', 'o', 'u']);
    let keeps =
        ends(&["ss", "us", "is"]) || (word.len() < 5 && ends(&["as", "os"]) && !abbreviates());
    if stem.len() > 3 && stem.ends_with('s') && !keeps {
        stem.pop();
    }
    if stem.len() > 3 && stem.ends_with('e') {
        stem.pop();
    }
    if stem.len() > 3 && stem.ends_with('y') {
        stem.pop();
        stem.push('i');
    }
    stem
}

/// A phrase in normal form, each of its words in the singular as far as its end tells: `food bank`.
fn in_singular(phrase: &str) -> String {
    let one = |word: &str| match word.strip_suffix('s') {
        Some(one) if word.len() > 3 && !word.ends_with("ss") && !word.ends_with("us") => {
            match (one.strip_suffix("ie"), one.strip_suffix('e')) {
                (Some(stem), _) if stem.len() > 1 => format!("{stem}y"),
                (_, Some(stem)) if stem.ends_with(['h', 'x', 's']) => stem.to_owned(),
                _ => one.to_owned(),
            }
        }
        _ => word.to_owned(),
    };
    phrase.split(' ').map(one).collect::<Vec<_>>().join(" ")
}

/// A word in normal form, and its singular and plural as far as its end tells: `pantry`, `pantries`.
pub fn number_forms(word: &str) -> Vec<String> {
    let one = in_singular(word);
    let ends = |ends: &[&str]| ends.iter().any(|end| one.ends_with(end));
    let many = match one.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
        _ if ends(&["s", "x", "z", "ch", "sh"]) => format!("{one}es"),
        _ => format!("{one}s"),
    };
    let mut forms = vec![word.to_owned(), one, many];
    forms.sort_unstable();
    forms.dedup();
    forms
}

fn stems(phrase: &str) -> String {
    phrase.split(' ').map(stem).collect::<Vec<_>>().join(" ")
}

/// Whether a word alone is a term.
pub(super) fn is_known_word(word: &str) -> bool {
    TERMS.contains_key(&stem(word))
}

/// Whether a word stands in the table, or in a title of a code, misspelt ones aside.
pub fn is_in_table(word: &str) -> bool {
    let singular = || word.strip_suffix('s').is_some_and(|one| VOCABULARY.contains(one));
    VOCABULARY.contains(word) || is_known_word(word) || singular()
}

/// The longest term at a position, over hyphens: itself and where it ends.
pub(super) fn term_at(tokens: &Tokens, at: usize) -> Option<(&'static Term, usize)> {
    let mut phrase = String::new();
    let mut found = None;
    let mut next = at;
    for _ in 0..WORDS_MAX {
        let Some(token) = tokens.get(next).filter(|t| t.is_word() || t.is_number()) else { break };
        if !phrase.is_empty() {
            phrase.push(' ');
        }
        // `5k`, `12th`: a number with a suffix is one word in the table.
        let unit = tokens.get(next + 1).filter(|unit| unit.glued && unit.is_word());
        if let Some(unit) = unit.filter(|_| token.is_number()) {
            phrase.push_str(&token.form);
            phrase.push_str(&stem(&unit.form));
            next += 1;
        } else {
            phrase.push_str(&stem(&token.form));
        }
        next += 1;
        if let Some(term) = TERMS.get(&phrase) {
            found = Some((term, next));
        }
        next += usize::from(tokens.has_sign(next, '-'));
    }
    found
}

/// Where the term of several words that begins at a position ends: it stays together, away from filters.
pub(super) fn phrase_end(tokens: &Tokens, at: usize) -> Option<usize> {
    term_at(tokens, at).map(|(_, end)| end).filter(|end| *end > at + 1)
}

/// As [`phrase_end`]; its second word may be misspelt: `little leage`.
pub(super) fn spelled_phrase_end(tokens: &Tokens, at: usize) -> Option<usize> {
    let misspelt = || {
        let second = tokens.get(at + 1).filter(|token| token.form.len() >= TYPO_LETTERS_MIN)?;
        let near = |pair: &&(&str, &str)| {
            pair.0 == tokens.form(at) && edits(&second.form, pair.1, 1).is_some()
        };
        PAIRS.iter().find(near).map(|_| at + 2)
    };
    phrase_end(tokens, at).or_else(misspelt)
}

/// The codes that only organizations of the terms in a text carry.
pub(super) fn codes_of(text: &str) -> Vec<String> {
    let tokens = Tokens::of(text);
    let mut codes: Vec<String> = Vec::new();
    for term in tokens.scan(|at| term_at(&tokens, at).filter(|_| !is_generic(tokens.form(at)))) {
        // The first prefix is what the term means most; others belong to other causes too.
        let code = term.ntee.first().filter(|code| !codes.iter().any(|known| known == *code));
        codes.extend(code.map(|code| (*code).to_owned()));
    }
    codes
}

/// Where a text names an illness, a disability or a grief.
pub fn conditions_in(text: &str) -> Vec<Range<usize>> {
    let tokens = Tokens::of(text);
    let is_condition = |term: &Term| {
        let first = term.codes().first();
        first.is_some_and(|code| CONDITION_CODES.iter().any(|of| code.starts_with(of)))
    };
    let found = tokens.scan(|at| {
        let (term, end) = term_at(&tokens, at)?;
        Some((is_condition(term).then(|| tokens.span(at..end)), end))
    });
    found.into_iter().flatten().collect()
}

/// Which tokens are part of a term of several words.
pub(super) fn of_phrases(tokens: &Tokens) -> Vec<bool> {
    let mut found = vec![false; tokens.len()];
    let phrases = tokens.scan(|at| phrase_end(tokens, at).map(|end| (at..end, end)));
    phrases.into_iter().for_each(|phrase| found[phrase].fill(true));
    found
}

/// Whether a prefix of codes is one of the taxonomy.
#[cfg(test)]
fn exists(prefix: &str) -> bool {
    let code: crate::record::Ntee = prefix.parse().unwrap();
    taxonomy::titles().any(|(known, _)| known.starts_with(prefix)) || code.as_str().len() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_whole() {
        assert!(TERMS.len() > 600);
        for (term, ntee, _) in rows() {
            assert_eq!(crate::naming::normalise(term), term);
            assert!(term.split(' ').count() <= WORDS_MAX, "{term}");
            for prefix in ntee {
                assert!(exists(prefix), "{term}: {prefix}");
            }
        }
    }

    #[test]
    fn a_term_without_codes_has_those_of_its_english() {
        let codes = |term: &str| TERMS[&stems(term)].codes().to_vec();
        for (term, english) in [("zoologico", "zoo"), ("dv", "domestic violence")] {
            assert!(!codes(term).is_empty() && codes(term) == codes(english), "{term}");
        }
    }

    #[test]
    fn phrases_have_a_singular() {
        for (many, one) in [
            ("food banks", "food bank"),
            ("community theaters", "community theater"),
            ("churches", "church"),
            ("public libraries", "public library"),
            ("access", "access"),
            ("campus ministry", "campus ministry"),
        ] {
            assert_eq!(in_singular(many), one);
        }
    }

    #[test]
    fn words_have_two_numbers() {
        for (word, forms) in [
            ("pantries", &["pantries", "pantry"][..]),
            ("pantry", &["pantries", "pantry"]),
            ("bank", &["bank", "banks"]),
            ("churches", &["church", "churches"]),
            ("class", &["class", "classes"]),
            ("play", &["play", "plays"]),
        ] {
            assert_eq!(number_forms(word), forms, "{word}");
        }
    }

    #[test]
    fn stems_of_one_and_many_are_equal() {
        for (one, many) in [
            ("charity", "charities"),
            ("church", "churches"),
            ("service", "services"),
            ("house", "houses"),
            ("kid", "kids"),
            ("art", "arts"),
            ("joven", "jovenes"),
            ("perro", "perros"),
            ("bus", "bus"),
            ("class", "class"),
            ("food bank", "food banks"),
            ("theater", "theaters"),
            ("agency", "agencies"),
            ("pta", "ptas"),
        ] {
            assert_eq!(stems(one), stems(many), "{one}");
        }
    }
}
