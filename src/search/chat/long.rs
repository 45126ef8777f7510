//! Messages longer than the reader takes at once, and the choice of their sentences to answer.

use std::ops::Range;

use super::Result;
use super::reading::is_story;
use crate::naming::normalise;
use crate::places::state_named;
use crate::reader::{Operation, Reader, Role, Span};
use crate::text::place_in;
use crate::understand::{
    Lookup, NamedPlace, QUERY_CHARACTERS_MAX, clauses, decode, is_kind_word, opens_with, says,
    sentences, tells,
};

/// A message longer than the reader takes.
pub(super) struct LongMessage<'a> {
    reader: &'a Reader,
    text: &'a str,
    /// Its sentences, each with the sign that ends it, or pieces of them that fit.
    pieces: Vec<Piece>,
}

/// A sentence, or a piece of one.
struct Piece {
    bytes: Range<usize>,
    /// Whether its sentence is about the asker.
    is_story: bool,
}

impl<'a> LongMessage<'a> {
    /// `None` where the reader takes all of it.
    pub(super) fn of(reader: &'a Reader, text: &'a str) -> Option<Self> {
        if fits(reader, text) {
            return None;
        }
        let with_end = |bytes: Range<usize>| {
            let sign = text[bytes.end..].starts_with(['.', '?', '!', ';']);
            bytes.start..bytes.end + usize::from(sign)
        };
        let sentences = sentences(text).into_iter().map(with_end);
        let pieces = sentences.flat_map(|bytes| {
            let is_story = is_story(&text[bytes.clone()]);
            cut(reader, text, bytes).into_iter().map(move |bytes| Piece { bytes, is_story })
        });
        Some(Self { reader, text, pieces: pieces.collect() })
    }

    /// Its sentences in stretches that the reader takes.
    pub(super) fn stretches(&self) -> Vec<&'a str> {
        let mut found: Vec<Range<usize>> = Vec::new();
        for bytes in self.pieces.iter().map(|piece| piece.bytes.clone()) {
            match found.last_mut() {
                Some(last) if fits(self.reader, &self.text[last.start..bytes.end]) => {
                    last.end = bytes.end;
                }
                _ => found.push(bytes),
            }
        }
        found.into_iter().map(|bytes| &self.text[bytes]).collect()
    }

    /// The part that is answered: the last sentences that are not about the asker, as many as the reader takes; where
    /// all are, the last stretch; where no word fits, the beginning, unless that is too long as well.
    pub(super) fn asked(&self) -> String {
        let mut kept = String::new();
        for Piece { bytes, is_story } in self.pieces.iter().rev() {
            let piece = &self.text[bytes.clone()];
            let with_it = [piece, &kept].join(if kept.is_empty() { "" } else { " " });
            if !is_story && fits(self.reader, &with_it) {
                kept = with_it;
            }
        }
        if !kept.is_empty() {
            return self.with_story(kept);
        }
        let prefix = || {
            let prefix = self.reader.readable_prefix(self.text).unwrap_or_default();
            if fits(self.reader, prefix) { prefix } else { "" }
        };
        self.stretches().last().copied().unwrap_or_else(prefix).to_owned()
    }
    /// What is asked, behind the causes and the place of the story where the question says none: `hospice nurses, Bangor,
    /// Maine: What's out there?`. Of several places it is the state, or the last one that is not excluded and is not only
    /// where the asker lives.
    fn with_story(&self, asked: String) -> String {
        let Ok(mut read) = self.reader.read(&asked, &[]) else { return asked };
        let asked = match read.spans.iter().find(|span| is_excluded(&asked, span)) {
            Some(span) => without_exclusion(&asked, span),
            None => asked,
        };
        if let Ok(left) = self.reader.read(&asked, &[]) {
            read = left;
        }
        let says = |role: Role| read.spans.iter().any(|span| span.role == role);
        let mut told: Vec<&str> = Vec::new();
        // `the hospice there` names nobody.
        let is_kind = |word: &str| !tells(word) || is_kind_word(word);
        let is_named =
            read.words(&asked, Role::Name).any(|words| !normalise(words).split(' ').all(is_kind));
        if !says(Role::Name) && !says(Role::Cause) {
            told.extend(self.words(Role::Cause));
        }
        if !is_named && !says(Role::Place) {
            let places = self.places_told();
            let state = places.iter().find(|words| state_named(&normalise(words)).is_some());
            told.extend(state.or(places.last()));
        }
        let with_it = format!("{}: {asked}", told.join(", "));
        if !told.is_empty() && fits(self.reader, &with_it) { with_it } else { asked }
    }

    /// The places of the story: those of clauses about the asker alone only where there are no others, and none that is excluded.
    fn places_told(&self) -> Vec<&'a str> {
        let (mut told, mut own, mut excluded) = (Vec::new(), Vec::new(), Vec::new());
        for piece in &self.pieces {
            let text = &self.text[piece.bytes.clone()];
            let Ok(read) = self.reader.read(text, &[]) else { continue };
            for span in read.spans.iter().filter(|span| span.role == Role::Place) {
                let words = &text[span.bytes.clone()];
                match () {
                    () if is_excluded(text, span) => excluded.push(normalise(words)),
                    () if is_of_asker(text, span) => own.push(words),
                    () => told.push(words),
                }
            }
        }
        let mut places = if told.is_empty() { own } else { told };
        places.retain(|words| !excluded.contains(&normalise(words)));
        places
    }

    /// The words of a role in all of it.
    fn words(&self, role: Role) -> Vec<&'a str> {
        let mut words = Vec::new();
        for stretch in self.stretches() {
            if let Ok(read) = self.reader.read(stretch, &[]) {
                words.extend(read.words(stretch, role));
            }
        }
        words
    }

    /// The places in it.
    pub(super) fn places(&self, snapshot: &Lookup<'_>) -> Result<Vec<NamedPlace>> {
        for stretch in self.stretches() {
            let read = self.reader.read(stretch, &[])?;
            let places = decode(stretch, &read, None, snapshot)?.heard.frame.places;
            if !places.is_empty() {
                return Ok(places);
            }
        }
        Ok(Vec::new())
    }
}

/// Words before a place among which it is excluded.
const EXCLUDING_WORDS: usize = 3;

/// Whether a place is one where not to look: `close to me, not in Huntington`.
fn is_excluded(text: &str, span: &Span) -> bool {
    span.role == Role::Place && exclusion_start(text, span).is_some()
}

/// Where the words that exclude a place begin.
fn exclusion_start(text: &str, span: &Span) -> Option<usize> {
    let before = &text[..span.bytes.start];
    let words: Vec<&str> = before.split_whitespace().rev().take(EXCLUDING_WORDS).collect();
    let starts = words.iter().map(|word| place_in(text, word).start);
    let found = starts.into_iter().find(|start| says(&before[*start..], "place left out"));
    found.or_else(|| (span.operation == Operation::Not).then_some(span.bytes.start))
}

/// A text without what excludes a place, to the end of its sentence.
fn without_exclusion(text: &str, span: &Span) -> String {
    let sentence = sentences(text).into_iter().find(|range| range.contains(&span.bytes.start));
    let (Some(start), Some(sentence)) = (exclusion_start(text, span), sentence) else {
        return text.to_owned();
    };
    let kept = text[..start].trim_end_matches([' ', ',']);
    format!("{kept}{}", &text[sentence.end..])
}

/// Whether a place is in a clause of which the asker is the subject: `I live in Lexington now`.
fn is_of_asker(text: &str, span: &Span) -> bool {
    let clauses = clauses(text);
    let clause = clauses.iter().find(|clause| clause.contains(&span.bytes.start));
    clause.is_some_and(|clause| opens_with(text[clause.clone()].trim_start(), "asker as subject"))
}

/// Whether the reader takes the whole text.
fn fits(reader: &Reader, text: &str) -> bool {
    let is_read = || reader.readable_prefix(text).is_ok_and(|read| read.len() == text.len());
    text.chars().count() <= QUERY_CHARACTERS_MAX && is_read()
}

/// A sentence, or pieces of it between words that fit; a word that does not fit by itself is left out.
fn cut(reader: &Reader, text: &str, sentence: Range<usize>) -> Vec<Range<usize>> {
    if fits(reader, &text[sentence.clone()]) {
        return vec![sentence];
    }
    let mut pieces: Vec<Range<usize>> = Vec::new();
    for word in text[sentence].split_whitespace().filter(|word| fits(reader, word)) {
        let bytes = place_in(text, word);
        match pieces.last_mut() {
            Some(last) if fits(reader, &text[last.start..bytes.end]) => last.end = bytes.end,
            _ => pieces.push(bytes),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn long(text: &str) -> LongMessage<'_> {
        LongMessage::of(Reader::shared().unwrap(), text).unwrap()
    }

    #[test]
    fn a_long_message_is_answered_by_what_it_asks() {
        let story =
            "I have been a nurse for thirty years and I moved to Maine with my sister. ".repeat(6);
        let text = format!("{story}Which food banks are there in Bangor? I am so tired of this.");
        let message = long(&text);
        assert_eq!(message.asked(), "Which food banks are there in Bangor?");
        let stretches = message.stretches();
        let all: String = stretches.join(" ");
        assert!(stretches.iter().all(|stretch| fits(message.reader, stretch)));
        assert!(all.contains("Bangor") && all.ends_with("this."));
    }

    #[test]
    fn a_question_that_says_nothing_is_asked_of_what_the_story_tells() {
        let text = "My wife passed in March after two years with the cancer and the hospice nurses who came out to \
                    the house in Bangor, Maine were angels to us, I never knew people could be that kind, and now our \
                    daughter says instead of flowers we should have folks give to something like that. What's out there?";
        let asked = long(text).asked();
        assert!(asked.contains("Bangor, Maine") && asked.contains("hospice"), "{asked}");
        assert!(asked.ends_with("What's out there?"), "{asked}");
    }

    #[test]
    fn a_story_is_asked_of_where_it_happens_and_not_of_where_the_asker_lives() {
        for (text, expected) in [
            (
                "I grew up on Troublesome Creek and my aunt still lives outside Hazard, Kentucky. When the flood came in \
                 2022 she lost the house, and her church put her up for months. I've done all right for myself in \
                 Lexington since then and would like to send five thousand dollars to people who rebuild houses down \
                 there. Who would that be?",
                "Hazard",
            ),
            (
                "My nephew Danny got out of jail in Huntington in March and he's been clean for sixty days, which is the \
                 longest since he was nineteen. The sober house he was in closed, and now he's on my couch in \
                 Charleston, and I'm scared. I need to find him a recovery house or some program close to me, not in \
                 Huntington where all his old friends are. What is there?",
                "Charleston",
            ),
        ] {
            let places = long(text).places_told();
            assert!(places.last().is_some_and(|place| place.starts_with(expected)), "{places:?}");
            let asked = long(text).asked();
            assert!(asked.contains(expected) && !asked.contains("Huntington"), "{asked}");
        }
    }

    #[test]
    fn what_has_no_end_is_cut_between_words() {
        let text = "food ".repeat(400);
        let message = long(&text);
        let pieces = message.stretches();
        assert!(pieces.len() > 1);
        assert!(pieces.iter().all(|piece| fits(message.reader, piece) && !piece.is_empty()));
        let word = "x".repeat(2_000);
        assert!(long(&word).stretches().is_empty());
        assert_eq!(long(&word).asked(), "");
    }

    #[test]
    fn signs_count_by_tokens() {
        assert!(LongMessage::of(Reader::shared().unwrap(), "food banks in Ohio?").is_none());
        let signs = "\\".repeat(256);
        let asked = long(&signs).asked();
        assert!(!asked.is_empty() && asked.len() < signs.len(), "{asked}");
        let listed = "food, ".repeat(40);
        assert!(long(&listed).stretches().len() > 1);
    }
}
