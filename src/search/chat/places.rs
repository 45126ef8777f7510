//! The places of a message, where words around them say that they are more, less or other than the reader takes them for.

use std::ops::Range;

use super::listed_towns::{self, is_sign};
use super::says_any;
use crate::naming::normalise;
use crate::places;
use crate::reader::{Intent, Message, Operation, Role, Span};
use crate::text::place_in;
use crate::understand::{opens_with, regions_led, says};

/// Words of the longest town that is looked for before a state.
const TOWN_WORDS_MAX: usize = 3;

/// Takes towns whole, and for no names.
pub(super) fn read(text: &str, message: &mut Message) {
    leave_towns(text, message);
    list_towns(text, message);
    listed_towns::join(text, message);
    widen_towns(text, message);
    widen_to_towns(text, message);
}

/// Takes a region behind a preposition for a place where the message has none: `theres 20 cats behind my apt in vegas`.
pub(super) fn seek_regions(text: &str, message: &mut Message) {
    if message.intent.label != Intent::Find
        || message.spans.iter().any(|span| span.role == Role::Place)
    {
        return;
    }
    for bytes in regions_led(text) {
        let is_free = |other: &Span| other.role == Role::Nothing || other.is_apart(&bytes);
        if message.spans.iter().all(is_free) {
            message.spans.push(Span::told(Role::Place, bytes, Operation::Set));
        }
    }
}

/// Takes a word in small letters for no code of a state, unless a preposition leads to it: of `or only me` the last one.
pub(super) fn leave_pronouns(text: &str, message: &mut Message) {
    message.spans.retain(|span| {
        let words = text[span.bytes.clone()].trim();
        let is_small = words.starts_with(char::is_lowercase) && opens_with(words, "wordy code");
        let before = text[..span.bytes.start].trim_end();
        let word = before.split_whitespace().next_back().unwrap_or_default();
        let is_led = before.ends_with(',')
            || (says(word, "preposition") && !says_any(word, &["weak preposition", "near"]));
        span.role != Role::Place || !is_small || words.contains(' ') || is_led
    });
}

/// Takes the town before a state into its place: `Portsmouth, Ohio`.
fn widen_to_towns(text: &str, message: &mut Message) {
    for at in 0..message.spans.len() {
        let Span { role: Role::Place, bytes, .. } = message.spans[at].clone() else { continue };
        let Some(state) = places::state_named(&normalise(&text[bytes.clone()])) else { continue };
        let before = text[..bytes.start].trim_end();
        let Some(before) = before.strip_suffix(',') else { continue };
        let starts = before.char_indices().rev().filter(|(at, _)| is_begin(before, *at));
        let is_town = |at: &usize| {
            let town = &before[*at..];
            town.starts_with(char::is_uppercase) && places::has_city(&places::city_key(town), state)
        };
        let starts = starts.map(|(at, _)| at).take(TOWN_WORDS_MAX).filter(is_town);
        let Some(start) = starts.min() else { continue };
        message.spans[at].bytes.start = start;
        let own = message.spans[at].bytes.clone();
        message.spans.retain(|span| span.bytes == own || span.is_apart(&own));
        return;
    }
}

/// Whether a word of a text begins at a byte.
fn is_begin(text: &str, at: usize) -> bool {
    text[..at].chars().next_back().is_none_or(char::is_whitespace)
}

/// Takes a town behind a word for where for no name: `an outfit around Bozeman`.
fn leave_towns(text: &str, message: &mut Message) {
    for span in message.spans.iter_mut().filter(|span| span.role == Role::Name) {
        let before = text[..span.bytes.start].split_whitespace().next_back();
        let is_where = |word: &str| says(word, "preposition") && !says(word, "weak preposition");
        if before.is_some_and(is_where) && places::is_city(&text[span.bytes.clone()]) {
            span.role = Role::Place;
        }
    }
}

/// Takes towns among other places of one list for no name: the first of `St. Johnsbury, Lyndonville or Newport`.
fn list_towns(text: &str, message: &mut Message) {
    let is_between = |from: usize, to: usize| {
        text.get(from..to).is_some_and(|between| {
            let form = normalise(between);
            says(&form, "joint of places") || (form.is_empty() && between.contains(is_sign))
        })
    };
    let is_place = |span: &Span| span.role == Role::Place;
    let of_places: Vec<Range<usize>> =
        message.spans.iter().filter(|span| is_place(span)).map(|span| span.bytes.clone()).collect();
    let is_beside = |own: &Range<usize>| {
        of_places
            .iter()
            .any(|place| is_between(own.end, place.start) || is_between(place.end, own.start))
    };
    let mut spans = Vec::with_capacity(message.spans.len());
    for span in std::mem::take(&mut message.spans) {
        let towns: Vec<Range<usize>> = split(text, &span.bytes);
        let are_towns = span.role == Role::Name
            && is_beside(&span.bytes)
            && towns.iter().all(|town| places::is_city(&text[town.clone()]));
        if !are_towns {
            spans.push(span);
            continue;
        }
        spans.extend(towns.into_iter().map(|town| Span::told(Role::Place, town, Operation::Set)));
        message.names_one = 0.0;
        if message.intent.label == Intent::Details {
            message.intent.label = Intent::Find;
        }
    }
    message.spans = spans;
}

/// The parts of a stretch between signs.
fn split(text: &str, bytes: &Range<usize>) -> Vec<Range<usize>> {
    let parts = text[bytes.clone()].split(is_sign).map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| place_in(text, part)).collect()
}

/// Takes the article of a town for part of its name: `Las Cruces`, not `Cruces`.
fn widen_towns(text: &str, message: &mut Message) {
    for at in 0..message.spans.len() {
        let Span { role: Role::Place, bytes, .. } = message.spans[at].clone() else { continue };
        let before = text[..bytes.start].trim_end();
        let start = before
            .rfind(|c: char| !c.is_alphanumeric())
            .map_or(0, |sign| sign + before[sign..].chars().next().map_or(0, char::len_utf8));
        let article = &before[start..];
        let is_part = says(article, "leading article") || article.starts_with(char::is_uppercase);
        let is_apart = before.len() < bytes.start && !article.is_empty();
        if is_apart
            && is_part
            && places::is_city(&text[start..bytes.end])
            && !places::is_city(&text[bytes.clone()])
        {
            message.spans[at].bytes.start = start;
            message.spans.retain(|span| {
                !(start..bytes.start).contains(&span.bytes.start) || span.role == Role::Place
            });
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::{Known, Reader};
    use crate::search::chat::message::read;

    #[test]
    fn towns_have_their_article_and_are_no_names() {
        let reader = Reader::shared().unwrap();
        for (text, expected) in [
            ("¿Y alguna en Las Cruces o cerca de la frontera?", "Las Cruces"),
            ("There's an outfit around Bozeman that protects wolves.", "Bozeman"),
        ] {
            let known = [Known::Started, Known::Cause, Known::Place, Known::ShownNonprofits];
            let message = read(reader, text, &known).unwrap();
            assert_eq!(message.words(text, Role::Place).next(), Some(expected), "{text}");
            assert_eq!(message.words(text, Role::Reference).count(), 0, "{text}");
            let names: Vec<&str> = message.words(text, Role::Name).collect();
            assert!(!names.contains(&expected), "{text}: {names:?}");
        }
    }

    #[test]
    fn towns_among_places_are_no_names() {
        let reader = Reader::shared().unwrap();
        for (text, name, expected) in [
            (
                "Are any of those in St. Johnsbury, Lyndonville, Newport or Barton?",
                "St. Johnsbury",
                "St. Johnsbury",
            ),
            ("¿Hay algo cerca de Anthony, Chaparral o Deming?", "Anthony, Chaparral", "Chaparral"),
        ] {
            let known = [Known::Started, Known::Cause, Known::Place, Known::ShownNonprofits];
            let mut message = reader.read(text, &known).unwrap();
            let at = text.find(name).unwrap();
            let bytes = at..at + name.len();
            message.spans.retain(|span| span.is_apart(&bytes));
            message.spans.push(Span::told(Role::Name, bytes, Operation::Set));
            list_towns(text, &mut message);
            assert_eq!(message.words(text, Role::Name).count(), 0, "{text}");
            assert!(message.words(text, Role::Place).any(|place| place == expected), "{text}");
        }
    }

    #[test]
    fn a_town_before_its_state_is_of_the_place() {
        let reader = Reader::shared().unwrap();
        let text = "a place like that in Portsmouth, Ohio";
        let mut message = read(reader, text, &[]).unwrap();
        let at = text.find("Ohio").unwrap();
        message.spans = vec![Span::told(Role::Place, at..text.len(), Operation::Set)];
        widen_to_towns(text, &mut message);
        assert_eq!(message.words(text, Role::Place).next(), Some("Portsmouth, Ohio"));
    }
}
