//! Names, places and queries to terms: the one analysis that the index and its questions share.
//!
//! A term is a word in normal form without its plural ending, short forms spelled out
//! (`data/short_forms.tsv`), letters that stand alone joined (`y m c a`), numbers without leading
//! zeros. Words that hardly tell names apart (`of`, `the`) and legal suffixes at the end are left
//! out (`data/name_words.tsv`), unless nothing else is there.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use xxhash_rust::xxh3::xxh3_64;

use crate::naming;
use crate::table::table;

/// Terms of one text, the first ones: more than any name has.
pub const TERMS_MAX: usize = 24;

/// Letters of the initials that a name is called by.
const INITIALS: std::ops::RangeInclusive<usize> = 3..=7;

/// Letters that a word must have for its plural ending to be one.
const PLURAL_CHARACTERS_MIN: usize = 4;

/// The tables, parsed once.
struct Tables {
    /// What a short form stands for, where it stands for one thing.
    spelled_out: HashMap<&'static str, Vec<String>>,
    /// Terms that an ambiguous short form may stand for, and the other way round.
    variants: HashMap<String, Vec<String>>,
    small: HashSet<&'static str>,
    suffixes: HashSet<&'static str>,
    /// What a county is announced by.
    counties: HashSet<&'static str>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut spelled_out = HashMap::new();
    let mut variants: HashMap<String, Vec<String>> = HashMap::new();
    for row in table!("data/short_forms.tsv").lines() {
        let mut columns = row.split('\t');
        let (Some(short), full) = (columns.next(), columns.collect::<Vec<_>>()) else { continue };
        if let [only] = full[..] {
            spelled_out.insert(short, only.split(' ').map(without_plural).collect());
            continue;
        }
        let short = without_plural(short);
        for meaning in full.into_iter().filter(|meaning| !meaning.contains(' ')) {
            let meaning = without_plural(meaning);
            variants.entry(short.clone()).or_default().push(meaning.clone());
            variants.entry(meaning).or_default().push(short.clone());
        }
    }
    let mut small = HashSet::new();
    let mut suffixes = HashSet::new();
    let mut counties = HashSet::new();
    let words = table!("data/name_words.tsv").each(|[list, word]| {
        let list = match list {
            "small" => &mut small,
            "suffix" => &mut suffixes,
            "county" => &mut counties,
            _ => return None,
        };
        Some(list.insert(word))
    });
    words.for_each(drop);
    Tables { spelled_out, variants, small, suffixes, counties }
});

/// The terms of a name, a place or a query, in order, at most [`TERMS_MAX`].
pub fn terms(text: &str) -> Vec<String> {
    let form = naming::normalise(text);
    let mut words = joined_letters(&form);
    let is_suffix = |word: &String| TABLES.suffixes.contains(&**word);
    while words.len() > 1 && words.last().is_some_and(is_suffix) {
        words.pop();
    }
    let is_small = |word: &String| TABLES.small.contains(&**word);
    if !words.iter().all(is_small) {
        words.retain(|word| !is_small(word));
    }
    let mut terms: Vec<String> = words.iter().flat_map(|word| terms_of(word)).collect();
    terms.truncate(TERMS_MAX);
    terms
}

/// How a text is spelled, but for case and punctuation: what tells apart names of the same terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Spelling {
    /// A hash of it without legal suffixes.
    pub hash: u16,
    /// Whether it has initials that stand for a phrase.
    pub has_initials: bool,
    /// Its words, small ones and short forms as they are: a bit each ([`bit`]), so that a word may be
    /// there though its bit is another's.
    pub words: u64,
}

impl Spelling {
    pub fn of(text: &str) -> Self {
        let form = naming::normalise(text);
        let words = joined_letters(&form);
        let is_phrase = |full: &Vec<String>| full.len() > 1;
        let has_initials =
            words.iter().any(|word| TABLES.spelled_out.get(word.as_str()).is_some_and(is_phrase));
        let words = words.iter().fold(0, |all, word| all | bit(word));
        let hash = xxh3_64(own_words(&form).as_bytes()) as u16;
        Self { hash, has_initials, words }
    }
}

/// A name in normal form without its legal form: `animal rescue league` of `Animal Rescue League, Inc.`
pub fn without_legal_form(name: &str) -> String {
    own_words(&naming::normalise(name)).to_owned()
}

/// A name in normal form up to the legal suffixes at its end; one of nothing else keeps its first word.
fn own_words(mut form: &str) -> &str {
    while let Some((rest, last)) = form.rsplit_once(' ')
        && TABLES.suffixes.contains(last)
    {
        form = rest;
    }
    form
}

/// The bit of a word in normal form among 64.
pub(super) fn bit(word: &str) -> u64 {
    1 << (xxh3_64(word.as_bytes()) >> 58)
}

/// Other terms that a term of a query may stand for.
pub(super) fn variants(term: &str) -> &'static [String] {
    TABLES.variants.get(term).map_or(&[], Vec::as_slice)
}

/// What terms of regions begin with.
pub(super) const REGION: char = '=';

/// The term of a state's code or a ZIP code: begins with what no word has.
pub(super) fn region(code: &str) -> String {
    format!("{REGION}{}", code.to_ascii_lowercase())
}

/// The term of two words side by side: begins with what no word has.
pub(super) fn pair(first: &str, second: &str) -> String {
    format!("+{first} {second}")
}

/// The term of the initials of a name: begins with what no word has.
pub(super) fn initials(letters: &str) -> String {
    format!("~{letters}")
}

/// The terms of a name's initials, with its small words and without them, legal suffixes left out: `some` of
/// *So Others Might Eat*, `vins` of *Vermont Institute of Natural Science*.
pub(super) fn initials_of(name: &str) -> Vec<String> {
    let form = naming::normalise(name);
    let mut words: Vec<&str> = form.split(' ').filter(|word| !word.is_empty()).collect();
    while words.last().is_some_and(|word| TABLES.suffixes.contains(word)) {
        words.pop();
    }
    let telling = words.iter().filter(|word| !TABLES.small.contains(**word));
    let all = [words.iter().collect::<Vec<_>>(), telling.collect()];
    let mut found: Vec<String> = Vec::new();
    for words in all {
        let letters: String = words.iter().filter_map(|word| word.chars().next()).collect();
        let is_acronym = INITIALS.contains(&letters.len())
            && letters.bytes().all(|letter| letter.is_ascii_lowercase());
        if is_acronym && !found.iter().any(|known| known[1..] == letters) {
            found.push(initials(&letters));
        }
    }
    found
}

/// Whether a term is a word: no region, no pair, no initials.
pub(super) fn is_word(term: &str) -> bool {
    !term.starts_with(['=', '+', '~'])
}

/// Short forms that are words of their own, with the one term that each stands for: `three` is 3.
pub(super) fn short_words() -> impl Iterator<Item = (&'static str, &'static str)> {
    TABLES.spelled_out.iter().filter_map(|(short, full)| match &full[..] {
        [only] => Some((*short, only.as_str())),
        _ => None,
    })
}

/// Whether a word is left out of names: a small one, or a legal suffix.
pub(super) fn is_left_out(word: &str) -> bool {
    TABLES.small.contains(word) || TABLES.suffixes.contains(word)
}

/// Whether some words say that one of them is a county.
pub(super) fn names_county(words: &[String]) -> bool {
    words.iter().any(|word| TABLES.counties.contains(word.as_str()))
}

/// The words of a query, those that names leave out included.
pub(super) fn words(text: &str) -> Vec<String> {
    joined_letters(&naming::normalise(text))
}

/// The terms of one word: several where it is short for a phrase.
pub(super) fn terms_of(word: &str) -> Vec<String> {
    match TABLES.spelled_out.get(word).map(Vec::as_slice) {
        // Of a phrase, what is left out of names is left out here too.
        Some([only]) => vec![only.clone()],
        Some(full) => {
            full.iter().filter(|term| !TABLES.small.contains(term.as_str())).cloned().collect()
        }
        None => vec![term_of(word)],
    }
}

/// The words of a normal form, runs of letters that stand alone joined: `y m c a` is `ymca`.
fn joined_letters(form: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_run = false;
    for word in form.split(' ').filter(|word| !word.is_empty()) {
        let is_letter = word.len() == 1 && word.as_bytes()[0].is_ascii_alphabetic();
        match words.last_mut().filter(|_| is_run && is_letter) {
            Some(run) => run.push_str(word),
            None => words.push(word.to_owned()),
        }
        is_run = is_letter;
    }
    words
}

fn term_of(word: &str) -> String {
    if word.bytes().all(|byte| byte.is_ascii_digit()) {
        let number = word.trim_start_matches('0');
        return if number.is_empty() { "0" } else { number }.to_owned();
    }
    without_plural(word)
}

/// A word without its plural ending: Harman's S stemmer (*How effective is suffixing?*, 1991),
/// with `es` dropped whole behind a hiss. Names written with and without a possessive are one.
pub(super) fn without_plural(word: &str) -> String {
    if word.len() < PLURAL_CHARACTERS_MIN || !word.ends_with('s') || !word.is_ascii() {
        return word.to_owned();
    }
    let ends = |endings: &[&str]| endings.iter().any(|ending| word.ends_with(ending));
    let stem = &word[..word.len() - 1];
    if ends(&["ss", "us", "is"]) {
        word.to_owned()
    } else if ends(&["ies"]) && !ends(&["aies", "eies"]) && word.len() > PLURAL_CHARACTERS_MIN {
        format!("{}y", &stem[..stem.len() - 2])
    } else if ends(&["ches", "shes", "xes", "sses", "zes"]) {
        stem[..stem.len() - 1].to_owned()
    } else {
        stem.to_owned()
    }
}

/// The registered part of a website's host: `redcross` of `www.redcross.org/donate`.
pub(super) fn host(website: &str) -> Option<String> {
    let rest = website.split_once("://").map_or(website, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#', ':']).next()?.to_lowercase();
    let host = host.trim_start_matches("www.").trim_end_matches('.');
    let (label, _) = host.rsplit_once('.')?;
    let label = label.rsplit('.').next()?;
    (label.len() > 2).then(|| label.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(terms(text).join(" "), expected, "{text:?}");
    }

    #[test]
    fn names_in_short_and_long_spelling_are_the_same_terms() {
        for (short, long) in [
            ("Ministerial Assn of Ft. Worth", "ministerial association of fort worth"),
            ("1st Baptist Church", "FIRST BAPTIST CHURCH INC"),
            ("Y.M.C.A.", "Young Men's Christian Association"),
            ("St. Mary's Church", "Saint Marys Church"),
            ("VFW Post 032", "Veterans of Foreign Wars Post 32"),
            ("Friends of the Library", "friend library"),
            ("ladies churches", "lady church"),
        ] {
            assert_eq!(terms(short), terms(long), "{short:?}");
        }
    }

    #[test]
    fn what_tells_nothing_is_left_out_unless_it_is_all() {
        check("The Society for the Arts, Inc.", "society art");
        check("The The", "the the");
        check("Inc", "inc");
        check("", "");
        check("東京 協会", "東京 協会");
    }

    #[test]
    fn ambiguous_short_forms_lead_both_ways() {
        for (one, other) in [("st", "street"), ("street", "st"), ("comm", "community")] {
            assert!(variants(one).iter().any(|variant| variant == other), "{one}");
        }
        assert!(variants("xylophone").is_empty());
    }

    #[test]
    fn names_are_called_by_their_initials() {
        for (name, expected) in [
            ("So Others Might Eat Inc", "~some"),
            ("Vermont Institute of Natural Science", "~vions ~vins"),
            ("Innocence Project New Orleans", "~ipno"),
            ("Food Bank", ""),
            ("4-H Club of Ward 8", ""),
        ] {
            assert_eq!(initials_of(name).join(" "), expected, "{name}");
        }
    }

    #[test]
    fn hosts_of_websites() {
        for (website, expected) in [
            ("https://www.redcross.org/donate", Some("redcross")),
            ("HTTP://GIVE.EXAMPLE.ORG:80", Some("example")),
            ("bozemansymphony.org", Some("bozemansymphony")),
            ("n/a", None),
            ("", None),
        ] {
            assert_eq!(host(website).as_deref(), expected, "{website:?}");
        }
    }
}
