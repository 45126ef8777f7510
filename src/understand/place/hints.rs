//! Words of a text that may be a place, though without certainty; the extent of place names; places of words that are
//! read as some, in the language of whoever says them, and what they are called.

use std::ops::Range;

use super::super::area::{self, Item, NamedArea};
use super::super::frame::NamedPlace;
use super::super::region::{self, RegionKind};
use super::super::token::{Token, Tokens};
use super::super::{cause, phrases};
use super::{
    Lead, TYPO_LETTERS_MIN, Trust, WORDS_MAX, is_supported, item_at, lead, lists, places_in,
};
use crate::naming::normalise;
use crate::places;
use crate::reader::{Language, Message, Role, Span};

/// Counties of one name that it may mean without the word for one.
const BARE_COUNTIES_MAX: usize = 2;
/// The letter that no state has: `la montaña` is not Montana.
const SPANISH_LETTER: char = 'ñ';

/// Whether some words name a state, alone or behind a city.
pub fn names_state(words: &str) -> bool {
    let lists = lists(&Tokens::of(words), Trust::Surely, |_| false);
    let is_one =
        |item: &Item| matches!(item.named, NamedArea::State(_) | NamedArea::City(_, Some(_)));
    lists.iter().flat_map(|list| &list.items).any(is_one)
}

/// Whether a preposition or a comma leads to the words at a byte.
pub(in crate::understand) fn is_led(text: &str, byte: usize) -> bool {
    let tokens = Tokens::of(text);
    let at = tokens.position(byte);
    let follows_comma = at.checked_sub(1).is_some_and(|before| tokens.has_sign(before, ','));
    follows_comma || lead(&tokens, at) > Lead::Nothing
}

/// Takes a name before the kind of a street for no place: `near Capitol Street`.
pub fn leave_streets(text: &str, mut message: Message) -> Message {
    let is_kind = |word: &str| phrases::has("kind of street", &normalise(word));
    let is_of_street = |span: &Span| {
        let words = &text[span.bytes.clone()];
        let ends = words.split_whitespace().next_back().is_some_and(is_kind);
        let mut behind = text[span.bytes.end..].split_whitespace();
        let next = behind.next().filter(|word| is_kind(word));
        // `Boston street medicine` is no street.
        let is_name = |word: &str| word.starts_with(char::is_uppercase) || behind.next().is_none();
        (ends && !words.contains(',')) || next.is_some_and(is_name)
    };
    message.spans.retain(|span| span.role != Role::Place || !is_of_street(span));
    message
}

/// The longest name of a state or a region that some bytes are part of: of *Virgin* in `the Virgin Islands` all of it.
pub(in crate::understand) fn widened(tokens: &Tokens, bytes: Range<usize>) -> Range<usize> {
    let (first, end) = (tokens.position(bytes.start), tokens.position(bytes.end));
    let is_name = |range: &Range<usize>| {
        let name = tokens.words(range.clone());
        name.is_some_and(|name| {
            region::find(&name).is_some() || places::state_named(&name).is_some()
        })
    };
    let starts = first.saturating_sub(WORDS_MAX - 1)..=first;
    let ranges = starts
        .flat_map(|start| (end..=(start + WORDS_MAX).min(tokens.len())).map(move |end| start..end));
    let longer = ranges.filter(|range| range.len() > end - first && is_name(range));
    longer.max_by_key(Range::len).map_or(bytes, |range| tokens.span(range))
}

/// A list of places with the states and regions that go on behind it, where these are free: `Idaho and the Dakotas`.
pub(in crate::understand) fn continued(
    tokens: &Tokens,
    bytes: Range<usize>,
    is_free: impl Fn(&Range<usize>) -> bool,
) -> Range<usize> {
    let (start, mut end) = (tokens.position(bytes.start), tokens.position(bytes.end));
    let is_name = |range: &Range<usize>| {
        let name = tokens.words(range.clone());
        let is_region = |name: &str| {
            !phrases::has("wordy region", name)
                && region::find(name).is_some_and(|found| found.kind != RegionKind::People)
        };
        name.is_some_and(|name| is_region(&name) || places::state_named(&name).is_some())
    };
    loop {
        let mut next = end;
        while tokens.get(next).is_some_and(Token::is_joint) {
            next += 1;
        }
        let is_joined = next > end && end > start;
        next += usize::from(phrases::has("leading article", tokens.form(next)));
        let ends = (next + 1..=(next + WORDS_MAX).min(tokens.len())).rev();
        let mut names = ends.map(|end| next..end).filter(|_| is_joined);
        let found = names.find(|range| is_name(range) && is_free(&tokens.span(range.clone())));
        match found {
            Some(range) => end = range.end,
            None if tokens.position(bytes.end) == end => return bytes,
            None => return tokens.span(start..end),
        }
    }
}

/// What a text may name anywhere as a place, each with its bytes: what is no ordinary word as well.
pub(in crate::understand) fn hints(text: &str) -> Vec<(NamedPlace, Range<usize>)> {
    let tokens = Tokens::of(text);
    tokens.scan(|at| {
        let item = item_at(&tokens, at, Trust::Perhaps).filter(|item| is_hint(&tokens, item));
        let item = item.or_else(|| bare_county_at(&tokens, at))?;
        let end = item.tokens.end;
        Some(((area::exact_place(&item.named), tokens.span(item.tokens)), end))
    })
}

fn is_hint(tokens: &Tokens, item: &Item) -> bool {
    match &item.named {
        NamedArea::City(key, None) => {
            !region::is_word(key) && !cause::is_known_word(key) && !phrases::is_common(key)
        }
        NamedArea::Region(name, region) => {
            region.kind != RegionKind::State && !phrases::has("wordy region", name)
        }
        _ => is_supported(tokens, item, lead(tokens, item.tokens.start)),
    }
}

/// A county without the word for one: `terrebonne`, where no more than [`BARE_COUNTIES_MAX`] are called so.
fn bare_county_at(tokens: &Tokens, at: usize) -> Option<Item> {
    let first = tokens.get(at).filter(|token| token.is_word())?;
    let key = places::county_key(&first.form);
    let count = places::find_counties(&key).len();
    let is_plain = !region::is_word(&key) && !cause::is_in_table(&key) && !phrases::is_common(&key);
    let is_one = (1..=BARE_COUNTIES_MAX).contains(&count)
        && key.len() >= TYPO_LETTERS_MIN
        && is_plain
        && !places::is_city(&key);
    is_one.then(|| Item::new(NamedArea::County(key, None), at..at + 1))
}

/// What places are called, in words.
pub fn named(places: &[NamedPlace]) -> String {
    let names: Vec<&str> = places.iter().map(|place| place.name.as_str()).collect();
    names.join(" or ")
}

/// Places of words that are known to name some, as somebody who speaks a language means them.
pub fn places_named(words: &str, language: Language) -> Vec<NamedPlace> {
    let mut places = places_in(words);
    let has_letter = words.contains(SPANISH_LETTER);
    places.retain(|place| !(has_letter && place.is_state()));
    if language == Language::Spanish
        && let Some((article, bare)) = words.trim().split_once(' ')
        && phrases::has("before place", &normalise(article))
        && (!places::is_city(words) || cause::is_in_table(&normalise(bare)))
    {
        // `la montaña` is not in Los Angeles.
        let mut others = places_in(bare);
        others.retain(|place| !(has_letter && place.is_state()));
        if others.len() < places.len() {
            return others;
        }
    }
    places
}

/// The byte at which the places of a text begin, behind an acronym that is no part of them: `MCLA in Maine`.
pub(in crate::understand) fn start_of_places(text: &str) -> usize {
    let tokens = Tokens::of(text);
    let is_acronym = |token: &Token| tokens.is_cased && token.is_acronym();
    match &tokens.list[..] {
        [first, second, ..]
            if is_acronym(first)
                && phrases::has("preposition", &second.form)
                && places_in(&text[first.span.clone()]).is_empty() =>
        {
            second.span.start
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_acronym_before_places_is_no_part_of_them() {
        for (text, expected) in
            [("MCLA in Maine", "in Maine"), ("DC or Maine", "DC or Maine"), ("MCLA", "MCLA")]
        {
            assert_eq!(&text[start_of_places(text)..], expected);
        }
    }

    #[test]
    fn spanish_words_are_no_states_and_cities() {
        for (words, language, expected) in [
            ("la montaña", Language::Spanish, vec![]),
            ("el paso", Language::Spanish, vec!["El Paso, TX"]),
            ("montana", Language::Spanish, vec!["Montana"]),
            ("Las Piedras", Language::Spanish, vec!["Las Piedras, PR"]),
            ("Ponce", Language::Spanish, vec!["Ponce, PR"]),
            ("Montana", Language::English, vec!["Montana"]),
        ] {
            let places = places_named(words, language);
            let names: Vec<&str> = places.iter().map(|place| place.name.as_str()).collect();
            assert_eq!(names, expected, "{words}");
        }
    }
}
