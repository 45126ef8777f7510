//! Names in texts, and how the name of a story's protagonist is shown.

use std::collections::HashSet;

use super::lexicon::{base, is_capital, is_no_name, lists, lower, words};
use super::model::Label;
use super::part::Part;
use crate::text::place_in;

/// Words of a name, titles included.
const NAME_WORDS_MAX: usize = 5;

/// Words of illness in a story from which its protagonist is a patient.
const PATIENT_WORDS_MIN: usize = 2;

/// Age below which somebody is a child.
const ADULT_AGE: u32 = 18;

/// A name where a text has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mention<'a> {
    /// With its title, without `'s`.
    pub(super) text: &'a str,
    /// Without its title.
    pub(super) name: &'a str,
    /// Byte of the text at which it begins.
    pub(super) start: usize,
    pub(super) is_titled: bool,
    /// Whether another word with a capital follows, as in the name of a place: `Red Wash`.
    pub(super) goes_on: bool,
}

impl Mention<'_> {
    /// The first word of the name in lower case.
    pub(super) fn key(&self) -> String {
        words(self.name).first().map_or_else(String::new, |word| lower(base(word)))
    }
}

/// The names in a text: words with a capital in a row that the report has nowhere in small letters.
pub(super) fn mentions<'a>(text: &'a str, small: &HashSet<String>) -> Vec<Mention<'a>> {
    let all = words(text);
    let place = |word: &str| place_in(text, word);
    let is_name = |word: &str| {
        let key = lower(base(word));
        is_capital(word)
            && !small.contains(&key)
            && !is_no_name(&key)
            && !lists("peoples", &key)
            && !lists("staff", &key)
            && !lists("openers", &key)
    };
    let is_initial = |word: &str| {
        word.len() == 1
            && word.starts_with(|c: char| c.is_ascii_uppercase())
            && text[place(word).end..].starts_with('.')
    };
    let is_title = |word: &str| is_capital(word) && lists("titles", &lower(word));
    let adjoins = |one: &str, next: &str| {
        let between = &text[place(one).end..place(next).start];
        matches!(between, " " | "-" | "–")
            || (between == ". " && is_title(one))
            || (between == "." && is_initial(one) && is_initial(next))
    };
    let mut found = Vec::new();
    let mut at = 0;
    while at < all.len() {
        let titles = (at..all.len().min(at + 2)).take_while(|&next| is_title(all[next])).count();
        let first = at + titles;
        let joined = |next: usize| next == at || adjoins(all[next - 1], all[next]);
        // `Mrs. S.`, `Eloy M.`, `M.J.`: an initial alone is no name.
        let begins = |at: usize, end: usize| {
            end > at
                || (end + 1 < all.len()
                    && adjoins(all[end], all[end + 1])
                    && is_initial(all[end + 1]))
        };
        let mut end = first;
        while end < all.len().min(at + NAME_WORDS_MAX)
            && joined(end)
            && (is_name(all[end]) || (is_initial(all[end]) && begins(at, end)))
            // `Halima's Alterations` is no name of Halima.
            && (end == first || base(all[end - 1]) == all[end - 1])
        {
            end += 1;
        }
        if end == first {
            at += 1;
            continue;
        }
        let (from, name, last) = (place(all[at]).start, place(all[first]).start, all[end - 1]);
        let until = place(last).start + base(last).len() + usize::from(is_initial(last));
        let body = all[first..end].iter().any(|word| lists("organizations", &lower(base(word))));
        if !body {
            found.push(Mention {
                text: &text[from..until],
                name: &text[name..until],
                start: from,
                is_titled: titles > 0,
                goes_on: end < all.len() && is_capital(all[end]) && adjoins(last, all[end]),
            });
        }
        at = end;
    }
    found
}

/// The name as it is shown: of a child or a patient only the first.
pub(super) fn display_name(longest: &str, key: &str, parts: &[Part<'_>]) -> String {
    let all = words(longest);
    let first = all.iter().find(|word| lower(base(word)) == *key);
    match first {
        Some(first) if all.len() > 1 && first.len() > 1 && is_private(key, parts) => {
            base(first).to_owned()
        }
        _ => longest.to_owned(),
    }
}

/// Whether somebody is a child, or a patient.
fn is_private(key: &str, parts: &[Part<'_>]) -> bool {
    let told = |part: &&Part<'_>| part.label != Label::None;
    let illness = parts
        .iter()
        .filter(told)
        .flat_map(|part| &part.sentence.words)
        .filter(|word| lists("patients", word));
    let distinct: HashSet<&String> = illness.collect();
    if distinct.len() >= PATIENT_WORDS_MIN {
        return true;
    }
    parts.iter().any(|part| {
        let words = &part.sentence.words;
        let Some(at) = words.iter().position(|word| base(word) == key) else { return false };
        let near = &words[at + 1..words.len().min(at + 7)];
        let is_young = |word: &String| word.parse().is_ok_and(|age: u32| age < ADULT_AGE);
        near.first().is_some_and(is_young)
            || near.iter().any(|word| lists("children", word))
                && !near.iter().any(|word| lists("kin", word))
    })
}
