//! Whether a message points at somebody of a kind in a place, who need not have been spoken of.

use crate::naming::normalise;
use crate::reader::{Message, Role};
use crate::understand::{is_kind_word, says, tells};

/// Words of a kind that is pointed at, at most.
const KIND_WORDS_MAX: usize = 3;

/// Whether a message, read alone, points at one of a kind in a place: `is the food bank in Bismarck deductible` asks of no
/// other nonprofit, whoever was spoken of. Several may be those that were shown.
pub(super) fn points_elsewhere(text: &str, alone: &Message) -> bool {
    let mut places = alone.spans.iter().filter(|span| span.role == Role::Place);
    places.any(|place| {
        let form = text[..place.bytes.start].to_lowercase();
        let before: Vec<&str> = form.split_whitespace().collect();
        let is_led = before.last().is_some_and(|word| says(word, "preposition"));
        let end = before.len() - usize::from(is_led);
        let mut near = (end.saturating_sub(KIND_WORDS_MAX + 1)..end).rev();
        let pointer = near.find(|at| says(before[*at], "points at"));
        pointer.is_some_and(|at| {
            let kind = &before[at + 1..end];
            let is_one = kind.last().is_some_and(|last| !last.ends_with('s'));
            is_one && is_kind(&kind.join(" "))
        })
    })
}

/// Whether some words are a kind of nonprofit, perhaps with its size, and nothing else: `the big food bank`.
pub(super) fn is_kind(words: &str) -> bool {
    let form = normalise(words);
    form.split(' ').any(is_kind_word)
        && form.split(' ').all(|word| is_kind_word(word) || says(word, "size") || !tells(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::Reader;

    #[test]
    fn one_of_a_kind_in_a_place_is_no_other() {
        let reader = Reader::shared().unwrap();
        for (text, expected) in [
            ("is the food bank in Bismarck deductible?", true),
            ("how do I donate to that hospice in Fargo?", true),
            ("is the humane society in Rapid City legit?", true),
            ("which of the hospices in Fargo is the largest?", false),
            ("is it in Bismarck?", false),
            ("whats that museum called", false),
            ("food banks in Bismarck", false),
        ] {
            let alone = reader.read(text, &[]).unwrap();
            assert_eq!(points_elsewhere(text, &alone), expected, "{text}");
        }
    }
}
