//! The places of a message, where words around them say that they are more, less or other than the reader takes them for.

use std::ops::Range;

use super::listed_towns::{self, is_sign, words_in};
use super::says_any;
use crate::naming::normalise;
use crate::places;
use crate::reader::{Intent, Message, Operation, Role, Span};
use crate::text::place_in;
use crate::understand::{
    is_kind_word, is_town, is_wordy_town, names_state, opens_with, ordinals, regions_led, says,
    tells,
};

/// Words of the longest town that is looked for before a state.
const TOWN_WORDS_MAX: usize = 3;

/// Takes towns whole, and for no names.
pub(super) fn read(text: &str, message: &mut Message) {
    leave_towns(text, message);
    seek_town_alone(text, message);
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

/// Takes the town before a state into its place: `Portsmouth, Ohio`, `en las cruces nuevo mexico`.
fn widen_to_towns(text: &str, message: &mut Message) {
    for at in 0..message.spans.len() {
        let Span { role: Role::Place, bytes, .. } = message.spans[at].clone() else { continue };
        let Some(state) = places::state_named(&normalise(&text[bytes.clone()])) else { continue };
        let before = text[..bytes.start].trim_end();
        let is_parted = before.ends_with(',');
        let before = before.trim_end_matches(',');
        let starts = before.char_indices().rev().filter(|(at, _)| is_begin(before, *at));
        let is_led = |at: usize| {
            let word = before[..at].split_whitespace().next_back();
            word.is_some_and(|word| says(word, "preposition") && !says(word, "weak preposition"))
        };
        let is_town = |at: &usize| {
            let town = &before[*at..];
            let is_told = (is_parted && town.starts_with(char::is_uppercase)) || is_led(*at);
            is_told && places::has_city(&places::city_key(town), state)
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

/// Takes a town behind a word for where for no name, up to a sign: `an outfit around Bozeman`, `in Silver Spring, Manna
/// something`.
fn leave_towns(text: &str, message: &mut Message) {
    let mut behind: Vec<Span> = Vec::new();
    for span in &mut message.spans {
        if !matches!(span.role, Role::Name | Role::Cause) {
            continue;
        }
        let before = text[..span.bytes.start].split_whitespace().next_back();
        let is_where = |word: &str| says(word, "preposition") && !says(word, "weak preposition");
        let words = &text[span.bytes.clone()];
        let first = words.split(is_sign).next().unwrap_or(words).trim_end();
        let is_name = span.role == Role::Name || first.contains(' ');
        if !(before.is_some_and(is_where) && is_name && places::is_city(first)) {
            continue;
        }
        let rest = place_in(text, words[first.len()..].trim_start_matches(is_punctuation));
        if !rest.is_empty() {
            behind.push(Span { bytes: rest, ..span.clone() });
        }
        span.bytes.end = span.bytes.start + first.len();
        span.role = Role::Place;
    }
    message.spans.extend(behind);
    message.spans.sort_by_key(|span| span.bytes.start);
}

/// Takes what stands before the first sign, if it is nothing but a town, for a place: `hm and Council Bluffs?`, `sioux falls`.
fn seek_town_alone(text: &str, message: &mut Message) {
    let Some(town) = town_alone(text) else { return };
    // `extension?`
    let is_read =
        |span: &Span| matches!(span.role, Role::Name | Role::Place) && !span.is_apart(&town);
    let is_led = text[..town.start].contains(char::is_alphanumeric);
    if !is_led && !text[town.clone()].contains(' ') && !message.spans.iter().any(is_read) {
        return;
    }
    if !message.spans.iter().any(|span| is_place_of(span, &town)) {
        message.spans.retain(|span| span.is_apart(&town));
        message.spans.push(Span::told(Role::Place, town, Operation::Set));
        message.spans.sort_by_key(|span| span.bytes.start);
    }
    message.names_one = 0.0;
    if message.intent.label == Intent::Details {
        message.intent.label = Intent::Find;
    }
}

/// Whether a message says nothing but a town before its first sign, and seeks nothing else behind that.
pub(super) fn is_town_alone(text: &str, message: &Message) -> bool {
    let is_idle = |span: &Span| !matches!(span.role, Role::Cause | Role::Name | Role::Ein);
    town_alone(text).is_some_and(|town| {
        message.spans.iter().any(|span| is_place_of(span, &town))
            && message.spans.iter().all(is_idle)
    })
}

fn is_place_of(span: &Span, town: &Range<usize>) -> bool {
    span.role == Role::Place && span.bytes.start <= town.start && town.end <= span.bytes.end
}

/// The town or state that all is before the first sign of a text, but for words that open a sentence.
fn town_alone(text: &str) -> Option<Range<usize>> {
    let is_opening = |word: &&Range<usize>| {
        let word = text[Range::clone(word)].trim_matches(is_punctuation);
        says_any(word, &["asks the same", "interjection", "preposition", "leading article"])
    };
    let parts = text.split(['.', '?', '!', ',', ';']);
    let mut parts = parts.map(|part| words_in(text, place_in(text, part)));
    // `ok. and nome?`
    let words = parts.find(|words| !words.iter().all(|word| is_opening(&word)))?;
    let end = words.last()?.end;
    let opening = words.iter().take_while(is_opening).count();
    // `y en el paso`: the article may belong to it.
    let starts = words.iter().take(opening + 1).map(|word| word.start);
    let mut towns =
        starts.map(|start| place_in(text, text[start..end].trim_matches(is_punctuation)));
    towns.find(|town| {
        let name = &text[town.clone()];
        let is_word = !name.contains(' ') && is_wordy_town(name);
        // El Segundo is a town, too.
        (is_town(name) && !is_word && ordinals(name).is_empty())
            || places::state_named(&normalise(name)).is_some()
    })
}

fn is_punctuation(c: char) -> bool {
    !c.is_alphanumeric()
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
        let is_article =
            says(article, "leading article") || article.starts_with(char::is_uppercase);
        let is_alone = !places::is_city(&text[bytes.clone()]);
        // `juana diaz`, though there is a Diaz elsewhere.
        let is_part = tells(article) && !is_kind_word(&normalise(article));
        let is_apart = before.len() < bytes.start && !article.is_empty();
        let may_be = (is_article && is_alone) || is_part;
        // `las cruces nuevo mexico`, of which only the rest was read as the place.
        let is_town = |end: usize| {
            let rest = normalise(&text[end..bytes.end]);
            places::is_city(&text[start..end]) && (rest.is_empty() || names_state(&rest))
        };
        let ends = words_in(text, bytes.clone()).into_iter().map(|word| word.end);
        if is_apart && may_be && ends.rev().any(is_town) {
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
    fn a_town_alone_is_a_place() {
        let reader = Reader::shared().unwrap();
        for (text, expected) in [
            ("hm and council bluffs? its right across the river", Some("council bluffs")),
            ("sioux falls", Some("sioux falls")),
            ("y cerca? juana diaz, guayama, por el sur", Some("juana diaz")),
            ("y en el paso?", Some("el paso")),
            ("ok. and nome?", Some("nome")),
            ("maine, sorry", Some("maine")),
            ("y el segundo", None),
            ("land trusts in Maine by assets", Some("Maine")),
            ("cuantas hay en las cruces", Some("las cruces")),
            ("hope", None),
            ("and the humane society", None),
        ] {
            let message = read(reader, text, &[Known::Started, Known::Cause]).unwrap();
            assert_eq!(message.words(text, Role::Place).next(), expected, "{text}");
            assert!(expected != Some("Maine") || !is_town_alone(text, &message), "{text}");
            assert_eq!(
                message.words(text, Role::Name).filter(|name| Some(*name) == expected).count(),
                0
            );
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
        let text = "organizaciones q ayudan a inmigrantes en las cruces nuevo mexico";
        let message = read(reader, text, &[]).unwrap();
        assert_eq!(message.words(text, Role::Place).next(), Some("las cruces nuevo mexico"));
        let text = "next applicant is in Silver Spring, Manna something food center";
        let message = read(reader, text, &[]).unwrap();
        assert_eq!(message.words(text, Role::Place).next(), Some("Silver Spring"));
    }
}
