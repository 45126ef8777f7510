//! Towns of a list: those that it joins to a place are places, and wanted if that is.

use std::ops::Range;

use crate::places;
use crate::reader::{Language, Message, Operation, Role, Span};
use crate::record::State;
use crate::text::place_in;
use crate::understand::{is_town, is_wordy_town, names_state, places_named, says};

/// Words of the longest town that is looked for beside another.
const TOWN_WORDS_MAX: usize = 3;

/// Takes towns that a list joins to another place of their state for places, whatever they were read as: `Mayagüez y
/// Arecibo`, `add Box Elder, Sturgis and Spearfish`.
pub(super) fn join(text: &str, message: &mut Message) {
    for parts in lists(text) {
        // A town may join the next one.
        for _ in 0..parts.len() {
            let towns: Vec<Span> = towns_joined(text, &parts, message);
            for town in towns {
                message.spans.retain(|span| span.is_apart(&town.bytes));
                message.spans.push(town);
            }
        }
    }
    message.spans.sort_by_key(|span| span.bytes.start);
    want_listed(text, message);
}

/// Wants a place that a list joins to one that is wanted, where nothing between them excepts it: the last one of `Las Vegas,
/// Henderson y North Las Vegas por separado`.
fn want_listed(text: &str, message: &mut Message) {
    let is_place = |span: &Span| span.role == Role::Place;
    for at in 1..message.spans.len() {
        let [before, own] = [&message.spans[at - 1], &message.spans[at]];
        let between = &text[before.bytes.end..own.bytes.start.max(before.bytes.end)];
        let is_joint = between
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .all(|word| says(word, "joint of places"));
        let is_wanted = before.operation != Operation::Not && own.operation == Operation::Not;
        if is_place(before) && is_place(own) && is_wanted && is_joint && !between.is_empty() {
            message.spans[at].operation = before.operation;
        }
    }
}

/// The towns in parts of a list beside a part that has a place.
fn towns_joined(text: &str, parts: &[Range<usize>], message: &Message) -> Vec<Span> {
    let place_of = |part: &Range<usize>| {
        let mut spans = message.spans.iter();
        spans.find(|span| span.role == Role::Place && part.contains(&span.bytes.start))
    };
    let is_free = |bytes: &Range<usize>| {
        message.spans.iter().all(|span| {
            matches!(span.role, Role::Cause | Role::Nothing | Role::Unread) || span.is_apart(bytes)
        })
    };
    let joined = |(at, part): (usize, &Range<usize>)| {
        let before = at.checked_sub(1).and_then(|at| place_of(&parts[at]));
        let behind = parts.get(at + 1).and_then(place_of);
        let place = before.or(behind).filter(|_| place_of(part).is_none())?;
        let states = states_with(&text[place.bytes.clone()]);
        let words: Vec<Range<usize>> = words_in(text, part.clone());
        let counts = (1..=TOWN_WORDS_MAX.min(words.len())).rev();
        let first = |count: usize| words[0].start..words[count - 1].end;
        let last = |count: usize| words[words.len() - count].start..part.end;
        let mut towns = counts.flat_map(|count| {
            let first = before.is_some().then(|| first(count));
            first.into_iter().chain(behind.is_some().then(|| last(count)))
        });
        let is_there = |bytes: &Range<usize>| {
            let town = &text[bytes.clone()];
            // `hope and healing in Maine`, but `Reno and Sparks`.
            let is_name = !is_wordy_town(town) || town.starts_with(char::is_uppercase);
            is_town(town) && is_name && states_with(town).iter().any(|state| states.contains(state))
        };
        let town = towns.find(is_there).filter(is_free)?;
        Some(Span::told(Role::Place, town, place.operation))
    };
    parts.iter().enumerate().filter_map(joined).collect()
}

/// The parts of the lists of a text: between signs and conjunctions of one sentence.
pub(super) fn lists(text: &str) -> Vec<Vec<Range<usize>>> {
    let ends = |c: char| matches!(c, '.' | '?' | '!' | '(' | ')' | '\n');
    let sentences = text.split(ends).map(|sentence| {
        let mut parts: Vec<Range<usize>> = Vec::new();
        for clause in sentence.split(is_sign) {
            let words = words_in(text, place_in(text, clause));
            let of_list = words.split(|word| says(&text[word.clone()], "joint of places"));
            let of_list = of_list.filter_map(|part| Some(part.first()?.start..part.last()?.end));
            parts.extend(of_list);
        }
        parts
    });
    sentences.filter(|parts| parts.len() > 1).collect()
}

pub(super) fn words_in(text: &str, bytes: Range<usize>) -> Vec<Range<usize>> {
    text[bytes].split_whitespace().map(|word| place_in(text, word)).collect()
}

/// The states that have a town of a name, or of the place that it names.
fn states_with(name: &str) -> Vec<State> {
    let places = places_named(name, Language::English);
    let named = places.iter().filter_map(|place| place.state);
    if names_state(name) {
        return named.collect();
    }
    let cities = places::find_cities(&places::city_key(name)).iter().map(|city| city.state);
    cities.chain(named).collect()
}

/// Whether a sign parts the places of a list.
pub(super) fn is_sign(c: char) -> bool {
    matches!(c, ',' | ';' | ':')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::Reader;

    #[test]
    fn towns_that_a_list_joins_to_a_place_are_places() {
        for (text, place, expected) in [
            ("y en Mayagüez y Arecibo?", "Mayagüez", &["Mayagüez", "Arecibo"][..]),
            (
                "add box elder, sturgis and spearfish, same cutoff",
                "spearfish",
                &["box elder", "sturgis", "spearfish"],
            ),
            ("just abq and santa fe", "santa fe", &["abq", "santa fe"]),
            ("food and reading in Reno, Nevada", "Reno, Nevada", &["Reno, Nevada"]),
            ("shelters in Reno and Sparks tonight", "Reno", &["Reno", "Sparks"]),
        ] {
            let mut message = Reader::shared().unwrap().read(text, &[]).unwrap();
            let at = text.find(place).unwrap();
            message.spans = vec![Span::told(Role::Place, at..at + place.len(), Operation::Set)];
            join(text, &mut message);
            let found: Vec<&str> = message.words(text, Role::Place).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
