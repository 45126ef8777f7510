//! Causes: what nonprofits do, in the words of a query (`data/causes.tsv`).
//!
//! Words are compared by their stems, so that number does not matter. A phrase of the table stays
//! together and is nothing else (`little league` is no size, `5k run` no money).

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use super::Names;
use super::frame::Frame;
use super::phrases::{self, is_common, is_edge, is_generic};
use super::spelling;
use super::token::{Token, Tokens};
use crate::mapped::Damage;
use crate::naming::{edits, normalise};
use crate::table::table;
use crate::taxonomy;

/// Words of the longest phrase.
const WORDS_MAX: usize = 6;
/// Codes of illnesses, disabilities and griefs.
const CONDITION_CODES: [&str; 5] = ["F", "G", "H", "P86", "P87"];

/// A term of the table.
#[derive(Debug)]
struct Term {
    /// Prefixes of NTEE codes, the most telling first.
    ntee: Vec<&'static str>,
    /// The English meaning of a term in another language.
    english: Option<&'static str>,
}

impl Term {
    /// Its prefixes of codes; of a term without any, those of the term that it means in English.
    fn codes(&self) -> &[&'static str] {
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
fn term_at(tokens: &Tokens, at: usize) -> Option<(&'static Term, usize)> {
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
        let second =
            tokens.get(at + 1).filter(|token| token.form.len() >= spelling::TYPO_LETTERS_MIN)?;
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

/// What a text that says only that says nonprofits do, as a frame of nothing else: the words, the text to
/// rank by, and evidence. What is misspelt in it is mended.
pub fn read(text: &str, names: &dyn Names) -> Result<Frame, Damage> {
    let mut tokens = Tokens::of(text);
    spelling::correct(&mut tokens, &of_phrases(&Tokens::of(text)), names)?;
    let is_phrase = of_phrases(&tokens);
    let kept = cause_tokens(&tokens, &is_phrase);
    let is_telling = |at: &usize| {
        let token = &tokens.list[*at];
        token.is_word() && (is_phrase[*at] || !is_edge(&token.form))
    };
    if !kept.iter().any(is_telling) {
        return Ok(Frame::default());
    }
    let words: Vec<&str> = kept.iter().map(|&at| tokens.form(at)).collect();
    let mut text: Vec<&str> = Vec::new();
    let mut frame = Frame { cause: Some(words.join(" ")), ..Frame::default() };
    let mut position = 0;
    while position < kept.len() {
        // Not over a word that was dropped.
        let is_whole = |at: usize, end: usize| {
            let is_kept = |at: usize| {
                let token = &tokens.list[at];
                !(token.is_word() || token.is_number()) || kept.contains(&at)
            };
            (at..end).all(is_kept)
        };
        let at = kept[position];
        let found = term_at(&tokens, at).filter(|(_, end)| is_whole(at, *end));
        let next = found.map_or(position + 1, |(_, end)| kept.partition_point(|at| *at < end));
        if let Some((term, _)) = found {
            frame.cause_is_term = position == 0 && next == kept.len();
            for prefix in term.codes() {
                if !frame.cause_ntee.iter().any(|known| known == prefix) {
                    frame.cause_ntee.push((*prefix).to_owned());
                }
            }
        }
        let own = words[position..next].iter().filter(|word| found.is_some() || !is_edge(word));
        match found.and_then(|(term, _)| term.english) {
            Some(english) => text.push(english),
            None => text.extend(own),
        }
        position = next;
    }
    frame.text = (!text.is_empty()).then(|| text.join(" "));
    Ok(frame)
}

/// Which tokens are part of a term of several words.
pub(super) fn of_phrases(tokens: &Tokens) -> Vec<bool> {
    let mut found = vec![false; tokens.len()];
    let phrases = tokens.scan(|at| phrase_end(tokens, at).map(|end| (at..end, end)));
    phrases.into_iter().for_each(|phrase| found[phrase].fill(true));
    found
}

/// The words that say what nonprofits do: without what says nothing at the ends of a clause, and without
/// nouns for any nonprofit.
fn cause_tokens(tokens: &Tokens, is_phrase: &[bool]) -> Vec<usize> {
    let mut is_noise = vec![false; tokens.len()];
    for at in 0..tokens.len() {
        if let Some(end) = tokens.any_phrase(at, phrases::of("any nonprofit phrase")) {
            is_noise[at..end].fill(true);
        }
    }
    let mut kept = Vec::new();
    for clause in tokens.parts(|at| is_noise[at] || tokens.list[at].is_boundary()) {
        let is_text = |at: &usize| {
            let token: &Token = &tokens.list[*at];
            token.is_word() || token.is_number()
        };
        let run: Vec<usize> = clause.filter(is_text).collect();
        let is_dull = |at: &usize| is_common(tokens.form(*at)) && !is_phrase[*at];
        let start = run.iter().position(|at| !is_dull(at)).unwrap_or(run.len());
        let end = run.iter().rposition(|at| !is_dull(at)).map_or(start, |last| last + 1);
        let is_any = |at: &&usize| is_generic(tokens.form(**at)) && !is_phrase[**at];
        kept.extend(run[start..end].iter().filter(|at| !is_any(at)));
    }
    kept
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
