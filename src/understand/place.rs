//! Places of a text: which words name one, by the gazetteer and `data/regions.tsv`.
//!
//! The longest match counts. What the places are as filters is for `area` to say.

mod hints;
mod unknown;

use std::cmp::Reverse;
use std::ops::Range;

use super::area::{self, Item, List, NamedArea};
use super::frame::NamedPlace;
use super::phrases;
use super::region::{self, RegionKind};
use super::token::{Case, Token, Tokens};
use super::{Names, cause};
use crate::mapped::Damage;
use crate::naming::{edits, edits_max};
use crate::places::{self, Locality};
use crate::record::{State, Zip5};
pub(super) use hints::{continued, hints, is_led, start_of_places, widened};
pub use hints::{leave_streets, named, names_state, places_named};
pub(super) use unknown::unknown_counties;

/// Words of the longest names of cities, counties, regions and states.
pub(super) const WORDS_MAX: usize = 5;
/// ZIP codes of a city that is known without a preposition or a state.
pub(super) const KNOWN_ZIPS: usize = 3;
/// ZIP codes of a city that a misspelt name may mean, where no state follows; fewer where the name is long.
const TYPO_ZIPS: usize = 4;
/// Letters of a misspelt city, and of a state.
const TYPO_LETTERS_MIN: usize = 5;
const TYPO_STATE_LETTERS_MIN: usize = 6;
const LONG_ZIPS: usize = 2;
const LONG_LETTERS_MIN: usize = 10;
/// Words of a misspelt name.
const TYPO_WORDS_MAX: usize = 3;
/// Letters more than other words need for two mistakes.
const TYPO_ROOM: usize = 2;
/// Words of a misspelt place at the end of a text, and letters of a word that may be one.
const MISSPELT_WORDS_MAX: usize = 3;
const MISSPELT_LETTERS_MIN: usize = 4;
/// Words between a preposition and its place, and between two places of a list.
const LEADING_MAX: usize = 3;

/// How a text is known to name places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    /// It does, perhaps misspelt.
    Surely,
    /// It may: the context of a name has to support it.
    Perhaps,
}

/// Places of a text that is known to name some; misspelt ones too.
pub(super) fn places_in(text: &str) -> Vec<NamedPlace> {
    let tokens = Tokens::of(text);
    let radius = area::radius(&tokens).map_or(0..0, |radius| radius.tokens);
    // Where its first words name none, perhaps the rest does: `state=OR`.
    let starts = (0..tokens.len()).filter(|at| *at == 0 || !radius.contains(at));
    let found = |at: usize| places_of(&Tokens::of(&text[tokens.list[at].span.start..]));
    starts.map(found).find(|places| !places.is_empty()).unwrap_or_default()
}

/// The place that the last words of a text misspell, and the byte at which they begin: `soup kitchen
/// morgentown`. What is a word elsewhere is misspelt nowhere.
pub(super) fn misspelt_at_end(
    text: &str,
    names: &dyn Names,
) -> Result<Option<(usize, Vec<NamedPlace>)>, Damage> {
    let tokens = Tokens::of(text);
    let mut found: Option<(usize, Vec<NamedPlace>)> = None;
    let mut is_misspelt = false;
    for at in (0..tokens.len()).rev().take(MISSPELT_WORDS_MAX) {
        let token = &tokens.list[at];
        let is_long = token.form.chars().count() >= MISSPELT_LETTERS_MIN;
        is_misspelt |=
            is_long && !cause::is_in_table(&token.form) && !names.is_word(&token.form)?;
        let start = token.span.start;
        let rest = Tokens::of(&text[start..]);
        // All that follows is the place: `anacostia river cleanup` is none.
        let is_whole = |list: &List| list.tokens.start == 0 && list.tokens.end == rest.len();
        let is_one = is_misspelt && lists(&rest, Trust::Surely, |_| false).iter().any(is_whole);
        let places = if is_one { places_of(&rest) } else { Vec::new() };
        let is_new = found.as_ref().is_none_or(|(_, known)| *known != places);
        if !places.is_empty() && is_new {
            found = Some((start, places));
        }
    }
    Ok(found)
}

fn places_of(tokens: &Tokens) -> Vec<NamedPlace> {
    let radius = area::radius(tokens);
    let is_of_radius = |at: usize| radius.as_ref().is_some_and(|found| found.tokens.contains(&at));
    let mut found = lists(tokens, Trust::Surely, is_of_radius);
    let is_left = |(at, token): (usize, &Token)| {
        token.is_word()
            && !is_of_radius(at)
            && !found.iter().any(|list| list.tokens.contains(&at))
            && !phrases::is_edge(&token.form)
            && !is_preposition(&token.form)
            && !phrases::has("beside place", &token.form)
    };
    // `urban areas` is no place called Urban: where words are left over, only what reads as a place
    // anywhere is one.
    if tokens.list.iter().enumerate().any(is_left) {
        found = lists(tokens, Trust::Perhaps, is_of_radius);
    }
    area::places(tokens, found, radius.map(|radius| radius.miles))
}

/// Every list of places, but for tokens that are something else.
pub(super) fn lists(tokens: &Tokens, trust: Trust, is_other: impl Fn(usize) -> bool) -> Vec<List> {
    tokens.scan(|at| {
        let list = list_at(tokens, at, trust)?;
        let end = list.tokens.end;
        (!list.tokens.clone().any(&is_other)).then_some((list, end))
    })
}

fn list_at(tokens: &Tokens, start: usize, trust: Trust) -> Option<List> {
    let mut items: Vec<Item> = Vec::new();
    let (mut end, mut next) = (start, start);
    while let Some(item) = item_at(tokens, next, trust)
        && (trust == Trust::Surely
            || is_supported(
                tokens,
                &item,
                if next > start { Lead::Strong } else { lead(tokens, start) },
            ))
    {
        end = item.tokens.end;
        items.push(item);
        next = end;
        while next < end + LEADING_MAX && tokens.get(next).is_some_and(Token::is_joint) {
            next += 1;
        }
        if next == end {
            break;
        }
    }
    let first = end;
    while phrases::has("behind place", tokens.form(end)) {
        end += 1;
    }
    let is_around = (first..end).any(|at| phrases::has("around behind", tokens.form(at)));
    let is_led = lead(tokens, start) > Lead::Nothing;
    (!items.is_empty()).then_some(List { tokens: start..end, items, is_led, is_around })
}

/// Whether a word leads to a place.
pub(super) fn is_preposition(form: &str) -> bool {
    phrases::has("preposition", form) || phrases::has("before place", form)
}

/// What leads to a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Lead {
    Nothing,
    /// A preposition that leads to other things too: `of`, `for`.
    Weak,
    /// A preposition of place, or another place of the list.
    Strong,
}

fn lead(tokens: &Tokens, at: usize) -> Lead {
    let mut before = (at.saturating_sub(LEADING_MAX)..at).rev().map(|before| tokens.form(before));
    let is_between =
        |form: &&str| phrases::has("before place", form) && !phrases::has("preposition", form);
    match before.find(|form| !is_between(form)) {
        Some(form) if phrases::has("weak preposition", form) => Lead::Weak,
        Some(form) if phrases::has("preposition", form) => Lead::Strong,
        _ => Lead::Nothing,
    }
}

/// Whether the context of a name supports a place: a preposition that leads to it, a state behind
/// it, a capital letter, its size; that it is an ordinary word counts against it.
fn is_supported(tokens: &Tokens, item: &Item, lead: Lead) -> bool {
    let Range { start, end } = item.tokens;
    let (first, is_led) = (&tokens.list[start], lead > Lead::Nothing);
    let case = if tokens.is_cased { first.case } else { Case::Lower };
    let follows_comma = start > 0 && tokens.has_sign(start - 1, ',');
    match &item.named {
        NamedArea::Zip(..) => {
            let before = start.checked_sub(1).map_or("", |before| tokens.form(before));
            let is_counted = phrases::is_counted(tokens.form(end)) && start > 0 && !is_led;
            !(is_counted || matches!(before, "$" | "#") || tokens.has_sign(end, '%'))
        }
        NamedArea::County(..) => is_led || tokens.form(end - 1) != "parish",
        NamedArea::State(_) if first.form.len() == 2 && end == start + 1 => {
            !phrases::has("wordy code", &first.form)
                || (case == Case::Upper && (is_led || follows_comma))
                || (lead == Lead::Strong && end == tokens.len())
        }
        NamedArea::State(_) => {
            let known = tokens.words(start..end).and_then(|name| region::find(&name));
            is_led || known.is_none_or(|known| known.kind != RegionKind::State)
        }
        NamedArea::Region(name, _) => {
            is_led || case == Case::Upper || !phrases::has("wordy region", name)
        }
        NamedArea::City(key, state) => {
            let is_single = item.name_end == start + 1;
            let size = places::find_cities(key).iter().map(|city| city.primary_zips).max();
            let is_known = size.unwrap_or(0) >= KNOWN_ZIPS;
            let is_capital = case != Case::Lower;
            let is_word = region::is_word(key)
                || (is_single && (cause::is_known_word(key) || phrases::is_common(key)));
            let is_other =
                || phrases::has("abroad", key) || phrases::has("owned", tokens.form(end));
            match (lead, is_word) {
                _ if state.is_some() => !is_word || is_led || is_capital || is_known,
                _ if is_other() => false,
                (Lead::Strong, false) => true,
                (Lead::Strong, true) | (Lead::Weak, false) => is_known || is_capital,
                (Lead::Nothing, false) => is_known || (is_capital && !is_single),
                (_, true) => false,
            }
        }
    }
}

fn item_at(tokens: &Tokens, at: usize, trust: Trust) -> Option<Item> {
    let item = |named: NamedArea, end: usize| Some(Item::new(named, at..end));
    if let Some((zip, end)) = zip_at(tokens, at) {
        return item(NamedArea::Zip(zip, None), end);
    }
    let first = tokens.get(at).filter(|token| token.is_word())?;
    let city = city_at(tokens, at);
    let is_longest = |end: usize| city.as_ref().is_none_or(|city| city.tokens.end <= end);
    if let Some((key, state, end)) = county_at(tokens, at) {
        return item(NamedArea::County(key, state), end);
    }
    let state = state_at(tokens, at);
    if let Some((named, end)) = region_at(tokens, at)
        && is_longest(end)
        && state.is_none_or(|(_, state_end)| state_end <= end)
    {
        return item(named, end);
    }
    if let Some((state, end)) = state.filter(|(_, end)| is_longest(*end)) {
        // `Washington state`.
        let end = end + usize::from(tokens.form(end) == "state");
        return item(NamedArea::State(state), end);
    }
    if city.is_some() {
        return city;
    }
    if let Some((state, end)) = code_at(tokens, at, None) {
        return item(NamedArea::State(state), end);
    }
    if trust == Trust::Perhaps || region::find(&first.form).is_some() {
        return None;
    }
    let misspelt = misspelt_state_at(tokens, at, None);
    misspelt
        .and_then(|(state, end)| item(NamedArea::State(state), end))
        .or_else(|| misspelt_city_at(tokens, at))
}

/// A ZIP code, with what announces it and with four more digits, and where it ends.
fn zip_at(tokens: &Tokens, at: usize) -> Option<(Zip5, usize)> {
    let at = tokens.any_phrase(at, phrases::of("zip")).unwrap_or(at);
    let zip: Zip5 = tokens.get(at).filter(|token| token.is_number())?.form.parse().ok()?;
    places::zip(zip)?;
    let four = tokens.get(at + 2).is_some_and(|four| four.glued && four.form.len() == 4);
    let is_glued = tokens.get(at + 1).is_some_and(|next| next.glued && next.is_word());
    let extended = four && tokens.has_sign(at + 1, '-');
    (!is_glued).then_some((zip, if extended { at + 3 } else { at + 1 }))
}

/// `Cook County, IL`, `condado de Cook`: the key, the state, and where it ends.
fn county_at(tokens: &Tokens, at: usize) -> Option<(String, Option<State>, usize)> {
    let is_kind = |at: usize| phrases::has("county", tokens.form(at));
    let key_of = |range: Range<usize>| {
        let key = places::county_key(&spelled(tokens, range)?);
        (!places::find_counties(&key).is_empty()).then_some(key)
    };
    let (key, kind, end) = match tokens.any_phrase(at, phrases::of("county of")) {
        Some(first) => (first + 1..=first + WORDS_MAX)
            .rev()
            .find_map(|end| Some((key_of(first..end)?, at, end)))?,
        None => {
            let mut ends = (at + 1..=at + WORDS_MAX).filter(|end| is_kind(*end));
            ends.find_map(|end| Some((key_of(at..end)?, end, end + 1)))?
        }
    };
    let is_there = |state: &State| places::county(&key, *state).is_some();
    let behind = state_behind(tokens, end, None).filter(|(state, _)| is_there(state));
    // Parishes are Louisiana's, boroughs Alaska's.
    let of_kind = || {
        let code = phrases::meaning("county of one state", tokens.form(kind))?;
        code.parse::<State>().ok().filter(is_there)
    };
    let (state, end) = behind.map_or_else(|| (of_kind(), end), |(state, end)| (Some(state), end));
    Some((key, state, end))
}

/// A region, or the state that it is; where it ends.
fn region_at(tokens: &Tokens, at: usize) -> Option<(NamedArea, usize)> {
    (at + 1..=at + WORDS_MAX).rev().find_map(|end| {
        let name = tokens.words(at..end)?;
        let region = region::find(&name)?;
        // `Bay Area`, `Pittsburgh area`.
        let end = end + usize::from(phrases::has("area", tokens.form(end)));
        let named = region.whole_state().map_or(NamedArea::Region(name, region), NamedArea::State);
        Some((named, end))
    })
}

/// The longest name of a state at a position, and where it ends.
fn state_at(tokens: &Tokens, at: usize) -> Option<(State, usize)> {
    let other = |name: &str| region::find(name)?.whole_state();
    (at + 1..=at + WORDS_MAX).rev().find_map(|end| {
        let name = tokens.words(at..end)?;
        Some((places::state_named(&name).or_else(|| other(&name))?, end))
    })
}

/// The state whose code stands at a position, behind a city of a key or alone, if a code is meant.
fn code_at(tokens: &Tokens, at: usize, city: Option<&str>) -> Option<(State, usize)> {
    let token = tokens.get(at).filter(|token| token.is_word() && token.form.len() == 2)?;
    let state: State = token.form.parse().ok()?;
    let is_upper = tokens.is_cased && token.case == Case::Upper;
    let is_last = tokens.get(at + 1).is_none_or(Token::is_boundary);
    let good = match city {
        // `portland or`, but not `portland or salem`; `boise id`.
        Some(key) => {
            let may_join = phrases::has("joining code", &token.form);
            places::has_city(key, state) && (is_upper || is_last || !may_join)
        }
        // `cerca de El Paso`: a code that is also a word is one in capitals, or at the end.
        None => is_upper || is_last || !phrases::has("wordy code", &token.form),
    };
    good.then_some((state, at + 1))
}

/// A state right behind a place, with or without a comma: `Louisville, Kentucky`, `Louisville in Kentucky`.
fn state_behind(tokens: &Tokens, at: usize, city: Option<&str>) -> Option<(State, usize)> {
    let joins = tokens.has_sign(at, ',') || tokens.form(at) == "in";
    // `Gary IN` ends with a state's code.
    let at = if joins && at + 1 < tokens.len() { at + 1 } else { at };
    let found = state_at(tokens, at).or_else(|| code_at(tokens, at, city));
    found.or_else(|| misspelt_state_at(tokens, at, city))
}

/// Tokens as one name, with its points and hyphens: `St. Mary's`, `Winston-Salem`.
fn spelled(tokens: &Tokens, range: Range<usize>) -> Option<String> {
    let is_plain =
        |t: &Token| t.is_word() || (t.is_punctuation('-') && t.glued) || t.is_punctuation('.');
    let words = tokens.list.get(range.clone())?;
    let is_name = words.last()?.is_word() && words.iter().all(is_plain);
    is_name.then(|| tokens.joined(range))
}

fn city_at(tokens: &Tokens, at: usize) -> Option<Item> {
    (at + 1..=at + WORDS_MAX).rev().find_map(|end| {
        let key = places::city_key(&spelled(tokens, at..end)?);
        // `Ward 8`, `Post 12`.
        let is_numbered = tokens.get(end).is_some_and(Token::is_number) && region::is_word(&key);
        if places::find_cities(&key).is_empty() || is_numbered {
            return None;
        }
        let behind = state_behind(tokens, end, Some(&key))
            .filter(|(state, _)| places::has_city(&key, *state));
        // `New York`, `Washington`, `Nevada`: the state, unless a state follows.
        let is_state = state_at(tokens, at).is_some_and(|(_, state_end)| state_end >= end);
        if is_state && behind.is_none() {
            return None;
        }
        let (state, to) = behind.map_or((None, end), |(state, to)| (Some(state), to));
        Some(Item { name_end: end, ..Item::new(NamedArea::City(key, state), at..to) })
    })
}

/// Edits that the name of a place may have: fewer than other words, since there are many places.
fn place_edits_max(name: &str) -> usize {
    edits_max(name.len().saturating_sub(TYPO_ROOM)).max(1)
}

/// The state that the whole of a text misspells.
pub(super) fn misspelt_state(text: &str) -> Option<State> {
    let tokens = Tokens::of(text);
    misspelt_state_at(&tokens, 0, None)
        .filter(|(_, end)| *end == tokens.len())
        .map(|(state, _)| state)
}

/// The state that a misspelt name means: a long one, or behind its city one as long as its own (`moab utha`).
fn misspelt_state_at(tokens: &Tokens, at: usize, city: Option<&str>) -> Option<(State, usize)> {
    (at + 1..=at + TYPO_WORDS_MAX).rev().find_map(|end| {
        let written = tokens.words(at..end)?;
        // `Greenwood, Indianola and Clarksdale`: a town of several states is spelled as it is meant.
        let is_city = || places::find_cities(&written).len() > 1;
        let mut near = State::all().filter(|state| {
            let name = crate::naming::normalise(state.name());
            let is_long = written.len() >= TYPO_STATE_LETTERS_MIN;
            let is_there = || city.is_some_and(|city| places::has_city(city, *state));
            name.split(' ').count() == end - at
                && !is_city()
                && (is_long || (name.len() == written.len() && is_there()))
                && edits(&written, &name, place_edits_max(&written)).is_some_and(|edits| edits > 0)
        });
        Some((near.next()?, end))
    })
}

fn misspelt_city_at(tokens: &Tokens, at: usize) -> Option<Item> {
    // `near Portland Maine` is no New Portland.
    if phrases::has("preposition", tokens.form(at)) {
        return None;
    }
    (at + 1..=at + TYPO_WORDS_MAX).rev().find_map(|end| {
        let written = tokens.words(at..end)?;
        // The state behind it vouches for it, a long name nearly for itself.
        let state = state_behind(tokens, end, None);
        if written.len() < TYPO_LETTERS_MIN || region::is_word(&written) {
            return None;
        }
        let zips_min = if written.len() >= LONG_LETTERS_MIN { LONG_ZIPS } else { TYPO_ZIPS };
        let fits = |city: &&Locality| match state {
            Some((state, _)) => city.state == state,
            None => city.primary_zips >= zips_min,
        };
        let most = place_edits_max(&written);
        let near = places::cities().iter().filter(fits).filter_map(|city| {
            let edits = edits(&written, &city.key, most).filter(|edits| *edits > 0)?;
            Some((Reverse(edits), city.primary_zips, city))
        });
        let (.., best) = near.max_by_key(|(edits, zips, _)| (*edits, *zips))?;
        let named = NamedArea::City(best.key.clone(), state.map(|(state, _)| state));
        let to = state.map_or(end, |(_, to)| to);
        Some(Item { name_end: end, ..Item::new(named, at..to) })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_of_a_text_misspells_a_state() {
        for (text, expected) in
            [("Arkansaw", Some("Arkansas")), ("Boise", None), ("Arkansas", None)]
        {
            assert_eq!(misspelt_state(text).map(State::name), expected, "{text}");
        }
    }

    fn read(text: &str) -> String {
        let names: Vec<String> = places_in(text).into_iter().map(|place| place.name).collect();
        names.join("; ")
    }

    #[test]
    fn texts_that_name_places() {
        for (text, expected) in [
            ("Ohio", "Ohio"),
            ("boise id", "Boise, ID"),
            ("portland or", "Portland, OR"),
            ("Portland or Salem, OR", "Portland, OR; Salem, OR"),
            ("Washington DC", "Washington, DC"),
            ("Washington state", "Washington"),
            ("New York, NY", "New York, NY"),
            ("Kansas City, MO", "Kansas City, MO"),
            ("west virginia", "West Virginia"),
            ("pa", "Pennsylvania"),
            ("penn", "Pennsylvania"),
            ("Orange County, California", "Orange County, CA"),
            ("condado de Cook", "Cook County"),
            ("zip code 40202", "40202"),
            ("near 97214", "the 10 miles around 97214"),
            ("within 10 miles of Boise", "the 10 miles around Boise, ID"),
            ("near anchorage", "the 25 miles around Anchorage, AK"),
            ("near Portland Maine", "the 25 miles around Portland, ME"),
            ("Ohio or Indiana", "Ohio; Indiana"),
            ("Cleveland, Columbus and Dayton, OH", "Cleveland, OH; Columbus, OH; Dayton, OH"),
            ("lousiana", "Louisiana"),
            ("pensylvania", "Pennsylvania"),
            ("clevland ohio", "Cleveland, OH"),
            ("cerca de Wichita", "the 25 miles around Wichita, KS"),
            ("state=OR", "Oregon"),
            ("Texan", "Texas"),
            ("urban areas", ""),
            ("within 10 miles", ""),
            ("around Mobile Bay", "the 25 miles around Mobile, AL"),
            ("Chicago o en Cicero", "Chicago, IL; Cicero"),
            ("st. louis county, missouri", "St. Louis County, MO"),
            ("Brooklyn 11226", "11226"),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }
}
