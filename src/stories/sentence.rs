//! Passages cut into sentences with their words; what stands between two headings is one section.

use std::collections::HashSet;

use super::lexicon::{lower, words};
use crate::impact::is_abbreviation;
use crate::record::{Passage, PassageKind};

/// Bytes of a word before a mark that are looked at.
const WORD_MAX: usize = 48;

/// Sentences behind which a passage begins another section: reports without headings would be read as one.
const SECTION_SENTENCES_MAX: usize = 50;

/// A sentence of a passage.
#[derive(Debug)]
pub(super) struct Sentence<'a> {
    /// Number of its passage.
    pub(super) passage: usize,
    pub(super) kind: PassageKind,
    /// A part of its passage's text.
    pub(super) text: &'a str,
    /// Byte of the passage at which it begins.
    pub(super) start: usize,
    /// Whether it is the last of its passage.
    pub(super) is_last: bool,
    /// Its words as written.
    pub(super) raw: Vec<&'a str>,
    /// Its words in lower case.
    pub(super) words: Vec<String>,
}

/// What stands under a heading, or a part of that where it is long; rows of tables left out.
#[derive(Debug, Default)]
pub(super) struct Section<'a> {
    pub(super) heading: Option<&'a str>,
    pub(super) sentences: Vec<Sentence<'a>>,
}

/// The sections of a report, in order.
pub(super) fn sections(passages: &[Passage]) -> Vec<Section<'_>> {
    let mut sections = vec![Section::default()];
    for (number, passage) in passages.iter().enumerate() {
        match passage.kind {
            PassageKind::Heading => {
                sections.push(Section { heading: Some(&passage.text), sentences: Vec::new() });
            }
            PassageKind::TableRow => {}
            kind => {
                let all = sentences(&passage.text);
                let count = all.len();
                let mut last = sections.len() - 1;
                if sections[last].sentences.len() >= SECTION_SENTENCES_MAX {
                    let heading = sections[last].heading;
                    sections.push(Section { heading, sentences: Vec::new() });
                    last += 1;
                }
                let section = &mut sections[last];
                for (at, (start, text)) in all.into_iter().enumerate() {
                    let raw = words(text);
                    let words = raw.iter().map(|word| lower(word)).collect();
                    let is_last = at + 1 == count;
                    let sentence =
                        Sentence { passage: number, kind, text, start, is_last, raw, words };
                    section.sentences.push(sentence);
                }
            }
        }
    }
    sections
}

/// The words that a report has in small letters: a capital of theirs makes no name.
pub(super) fn small_words(sections: &[Section<'_>]) -> HashSet<String> {
    let sentences = sections.iter().flat_map(|section| &section.sentences);
    let words = sentences.flat_map(|sentence| sentence.raw.iter().zip(&sentence.words));
    words
        .filter(|(raw, _)| raw.starts_with(char::is_lowercase))
        .map(|(_, word)| word.clone())
        .collect()
}

/// The sentences of a text with the bytes at which they begin. A sentence ends with its mark and the quotation marks
/// behind it, unless a small letter follows.
pub(super) fn sentences(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let (mut start, mut word) = (0, 0);
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if c.is_whitespace() {
            word = at + c.len_utf8();
            continue;
        }
        if !is_mark(c) {
            continue;
        }
        while chars.next_if(|&(_, next)| is_mark(next)).is_some() {}
        while chars
            .next_if(|&(_, next)| matches!(next, '"' | '”' | '’' | '\'' | ')' | ']'))
            .is_some()
        {}
        let end = chars.peek().map_or(text.len(), |&(next, _)| next);
        let rest = text[end..].trim_start();
        if end < text.len() && rest.len() == text.len() - end {
            continue;
        }
        let goes_on = rest.starts_with(char::is_lowercase)
            || (!rest.is_empty() && c == '.' && end == at + 1 && is_short(&text[word..at]));
        if !goes_on {
            found.push((start, &text[start..end]));
            start = text.len() - rest.len();
        }
    }
    let last = text[start..].trim_end();
    if !last.is_empty() {
        found.push((start, last));
    }
    found
}

fn is_mark(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…')
}

/// Whether a dot behind a word shortens it: an abbreviation, an initial, `U.S`.
fn is_short(word: &str) -> bool {
    let word = word.trim_start_matches(['(', '"', '“', '‘', '\'']);
    if word.len() > WORD_MAX {
        return false;
    }
    let single = |part: &str| part.chars().count() == 1 && part.chars().all(char::is_alphanumeric);
    let initial = single(word) && word.starts_with(char::is_uppercase);
    let dotted = word.contains('.') && word.split('.').all(single);
    initial || dotted || is_abbreviation(&word.to_lowercase())
}
