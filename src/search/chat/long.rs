//! Messages longer than the reader takes at once: which of their sentences are answered.

use std::ops::Range;

use super::reading::is_story;
use crate::search::interpret::QUERY_CHARACTERS_MAX;
use crate::understand::sentences;

/// The sentences of a message in stretches of at most [`QUERY_CHARACTERS_MAX`] characters; what is longer by itself is cut
/// between words.
pub(super) fn stretches(text: &str) -> Vec<&str> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for bytes in pieces(text) {
        match found.last_mut() {
            Some(last) if fits(&text[last.start..bytes.end]) => last.end = bytes.end,
            _ => found.push(bytes),
        }
    }
    found.into_iter().map(|bytes| &text[bytes]).collect()
}

/// What of a long message is answered: the last sentences that do not tell of the asker, as many as the reader takes; where
/// all do, the last stretch.
pub(super) fn asked(text: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut characters = 0;
    for piece in pieces(text).into_iter().rev().map(|bytes| &text[bytes]) {
        let length = piece.chars().count() + 1;
        if is_story(piece) || characters + length > QUERY_CHARACTERS_MAX {
            continue;
        }
        characters += length;
        kept.push(piece);
    }
    if kept.is_empty() {
        return stretches(text).last().copied().unwrap_or_default().to_owned();
    }
    kept.reverse();
    kept.join(" ")
}

fn fits(text: &str) -> bool {
    text.chars().count() <= QUERY_CHARACTERS_MAX
}

/// The sentences of a text, each with the sign that ends it, or pieces of them that fit.
fn pieces(text: &str) -> Vec<Range<usize>> {
    let with_end = |bytes: Range<usize>| {
        let sign = text[bytes.end..].starts_with(['.', '?', '!', ';']);
        bytes.start..bytes.end + usize::from(sign)
    };
    sentences(text).into_iter().map(with_end).flat_map(|bytes| cut(text, bytes)).collect()
}

/// A sentence, or pieces of it that fit; a word that does not fit by itself is left out.
fn cut(text: &str, sentence: Range<usize>) -> Vec<Range<usize>> {
    if fits(&text[sentence.clone()]) {
        return vec![sentence];
    }
    let mut pieces: Vec<Range<usize>> = Vec::new();
    for word in text[sentence].split_whitespace().filter(|word| fits(word)) {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        let bytes = start..start + word.len();
        match pieces.last_mut() {
            Some(last) if fits(&text[last.start..bytes.end]) => last.end = bytes.end,
            _ => pieces.push(bytes),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_message_is_answered_by_what_it_asks() {
        let story =
            "I have been a nurse for thirty years and I moved to Maine with my sister. ".repeat(6);
        let text = format!("{story}Which food banks are there in Bangor? I am so tired of this.");
        assert_eq!(asked(&text), "Which food banks are there in Bangor?");
        let all: String = stretches(&text).join(" ");
        assert!(stretches(&text).iter().all(|stretch| fits(stretch)));
        assert!(all.contains("Bangor") && all.ends_with("this."));
    }

    #[test]
    fn what_has_no_end_is_cut_between_words() {
        let text = "food ".repeat(400);
        let pieces = stretches(&text);
        assert!(pieces.len() > 1 && pieces.iter().all(|piece| fits(piece) && !piece.is_empty()));
        let word = "x".repeat(2_000);
        assert!(stretches(&word).is_empty());
        assert_eq!(asked(&word), "");
    }
}
