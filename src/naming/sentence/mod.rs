//! Sentence case of prose that was filed in capitals, such as missions.
//!
//! A text is split into [`Word`]s, each gets a [`Form`] by itself (`forms`), by the names of
//! `data/proper_words.txt` and by its neighbours (`names`), and is written so (`writing`). Only the
//! case of letters changes. What is neither known nor unmistakable becomes small: a name in small
//! letters is read as easily as prose in capitals is not. Names of organizations are the matter of
//! `title`.

mod forms;
mod names;
#[cfg(test)]
mod tests;
mod writing;

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::LazyLock;

use super::normal_form::is_apostrophe;
use super::words::{self, List};

/// One in how many letters may be small in a text that still counts as written in capitals.
const SMALL_ONE_IN: usize = 5;

/// How a word is written.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// Small letters, with a capital where a sentence begins.
    Small,
    /// Small letters everywhere: an address, `e.g.`, `501(c)`.
    Lower,
    Capital,
    /// As filed.
    Kept,
    /// With a digit in it.
    Number,
    /// As the table has it; what follows in the text (`'s`) is small.
    Table(&'static str),
}

/// A maximal run of letters, digits and apostrophes between them.
struct Word<'a> {
    text: &'a str,
    start: usize,
    /// In ASCII capitals, without a possessive `'s`; empty where it is not ASCII.
    key: String,
    /// What stands between it and the word before.
    gap: &'a str,
}

impl Word<'_> {
    /// Whether a person chose its letters' case.
    fn has_small(&self) -> bool {
        self.text.chars().any(char::is_lowercase)
    }
}

/// A known name: its words in capitals and as they are written.
type Name = Vec<(String, &'static str)>;

/// The names of the table by first word, those with more words first.
static NAMES: LazyLock<HashMap<String, Vec<Name>>> = LazyLock::new(|| {
    let mut names: HashMap<String, Vec<Name>> = HashMap::new();
    for name in words::names() {
        let name: Name = split(name)
            .iter()
            .map(|word| (word.key.clone(), &word.text[..word.key.len()]))
            .collect();
        if let Some((first, _)) = name.first() {
            names.entry(first.clone()).or_default().push(name);
        }
    }
    names.values_mut().for_each(|names| names.sort_by_key(|name| Reverse(name.len())));
    names
});

/// A mission or description filed in capitals as sentences: `TO FEED VETERANS IN OHIO.` becomes
/// `To feed veterans in Ohio.` Only the case of letters changes; a text of which more than a fifth
/// of the letters are small stays as it is.
pub fn sentence_case(text: &str) -> String {
    let small = text.chars().filter(|c| c.is_lowercase()).count();
    let large = text.chars().filter(|c| c.is_uppercase()).count();
    if large == 0 || small * SMALL_ONE_IN > small + large {
        return text.to_owned();
    }
    let list = split(text);
    let mut prose = Prose { text, forms: vec![Form::Small; list.len()], list };
    prose.form_each();
    prose.form_addresses();
    prose.name_known();
    prose.name_explained();
    prose.name_storms();
    prose.name_places();
    prose.name_companies();
    prose.name_bodies();
    prose.begin_sentences();
    prose.write()
}

fn split(text: &str) -> Vec<Word<'_>> {
    let mut list = Vec::new();
    let mut from = 0;
    while let Some(skipped) = text[from..].find(char::is_alphanumeric) {
        let start = from + skipped;
        let mut end = start;
        let mut rest = text[start..].chars().peekable();
        while let Some(c) = rest.next() {
            let joins = is_apostrophe(c) && rest.peek().is_some_and(|next| next.is_alphanumeric());
            if !c.is_alphanumeric() && !joins {
                break;
            }
            end += c.len_utf8();
        }
        let word = &text[start..end];
        list.push(Word { text: word, start, key: key(word), gap: &text[from..start] });
        from = end;
    }
    list
}

fn key(word: &str) -> String {
    let plain = word.replace(is_apostrophe, "'").to_ascii_uppercase();
    let base = plain.strip_suffix("'S").unwrap_or(&plain);
    if base.is_ascii() { base.to_owned() } else { String::new() }
}

struct Prose<'a> {
    text: &'a str,
    list: Vec<Word<'a>>,
    forms: Vec<Form>,
}

impl Prose<'_> {
    /// The key of the word at an offset from another; empty where there is none.
    fn near(&self, at: usize, offset: isize) -> &str {
        at.checked_add_signed(offset).and_then(|at| self.list.get(at)).map_or("", |word| &word.key)
    }

    /// What follows a word, up to the next.
    fn gap_after(&self, at: usize) -> &str {
        match self.list.get(at + 1) {
            Some(next) => next.gap,
            None => self.list.get(at).map_or("", |word| &self.text[word.start + word.text.len()..]),
        }
    }

    /// Whether a word and the one before it belong together.
    fn is_joined(&self, at: usize) -> bool {
        self.list.get(at).is_some_and(|word| matches!(word.gap, " " | ". " | "." | "-"))
    }

    fn capitalise(&mut self, at: usize) {
        if let Some(form @ Form::Small) = self.forms.get_mut(at) {
            *form = Form::Capital;
        }
    }
}

/// Whether a word is no name where it stands before a county, a school or a river.
fn is_unnamed(word: &str) -> bool {
    word.len() < 2
        || List::Unnamed.has(word)
        || List::Small.has(word)
        || ["ING", "ED", "LY", "IVE", "ABLE", "IBLE", "ION", "MENT", "ARY", "IC"]
            .iter()
            .any(|ending| word.ends_with(ending))
}
