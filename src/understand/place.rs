//! Places: which words of a query name one, told from words that only look like it.
//!
//! The longest match of the gazetteer counts. A preposition, a state behind it, a capital and the
//! size of the city speak for a place; that the name is an ordinary word speaks against it.

use std::ops::Range;

use super::area::{self, Named};
use super::cause;
use super::phrases;
use super::reader::Reader;
use super::region;
use super::state_name::{self, Before};
use super::token::{Case, Mark, Tokens};
use super::typo::is_one_edit;
use crate::index::columns::Area;
use crate::places::{self, City};
use crate::record::Zip5;

/// Words of the longest city and county names.
const WORDS_MAX: usize = 5;
/// ZIP codes of a city that is known without a preposition or a state.
const KNOWN_ZIPS: usize = 3;
/// ZIP codes of a city that a misspelt name may mean.
const TYPO_ZIPS: usize = 4;
const TYPO_LETTERS_MIN: usize = 6;

/// Where the reading stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expected {
    /// After a preposition of place, or within a list of places.
    Yes,
    /// After `of`, `from`, `serving`.
    Perhaps,
    No,
    /// The text is known to name a place.
    Surely,
}

/// A place at some tokens.
struct Found {
    tokens: Range<usize>,
    named: Named,
    confidence: f32,
}

/// Reads every place.
pub(super) fn read(reader: &mut Reader<'_>) {
    let radius = area::radius(reader);
    let mut lists: Vec<area::List> = Vec::new();
    let mut at = 0;
    while at < reader.tokens.len() {
        match list_at(&reader.tokens, at) {
            Some((list, found)) => {
                at = list.end;
                let is_announced = expected_at(&reader.tokens, list.start) == Expected::Yes;
                lists.push(area::List::new(&reader.tokens, list, found, is_announced));
            }
            None => at += 1,
        }
    }
    area::settle(reader, lists, radius);
    if reader.frame.places.is_empty() && reader.frame.not_places.is_empty() {
        read_people(reader);
    }
    read_near_me(reader);
}

/// A list of places: `Ohio`, `Cleveland, Columbus and Dayton, OH`.
fn list_at(tokens: &Tokens, start: usize) -> Option<(Range<usize>, Vec<area::Item>)> {
    let expected = expected_at(tokens, start);
    let first = place_at(tokens, start, expected)?;
    let mut end = first.tokens.end;
    let mut items = vec![area::Item::new(first.tokens, first.named, first.confidence)];
    loop {
        let mut next = end;
        while let Some(token) = tokens.free_at(next) {
            if !token.is_joint() || next - end >= 3 {
                break;
            }
            next += 1;
        }
        if next == end {
            break;
        }
        let next_expected = if tokens.names_places { expected } else { Expected::Yes };
        let Some(more) = place_at(tokens, next, next_expected) else { break };
        // `in Boise, hope for kids`: a comma alone does not make a word a place.
        if more.confidence < 0.7 {
            break;
        }
        end = more.tokens.end;
        items.push(area::Item::new(more.tokens, more.named, more.confidence));
    }
    Some((start..end, items))
}

fn expected_at(tokens: &Tokens, at: usize) -> Expected {
    if tokens.names_places {
        return Expected::Surely;
    }
    let mut before = at;
    while before > 0 && at - before < 3 {
        before -= 1;
        let Some(token) = tokens.free_at(before) else { return Expected::No };
        if phrases::has("preposition", &token.form) {
            let strong = !phrases::has("weak preposition", &token.form);
            return if strong { Expected::Yes } else { Expected::Perhaps };
        }
        if !phrases::has("before place", &token.form) {
            return Expected::No;
        }
    }
    Expected::No
}

fn place_at(tokens: &Tokens, at: usize, expected: Expected) -> Option<Found> {
    let token = tokens.list.get(at)?;
    if token.mark == Mark::Cause {
        return None;
    }
    let token = tokens.free_at(at)?;
    if token.is_number() {
        return zip_at(tokens, at);
    }
    if !token.is_word() {
        return None;
    }
    let is_sure = expected == Expected::Surely;
    let is_expected = expected == Expected::Yes || is_sure;
    let city = city_at(tokens, at, expected);
    let longest = |end: usize| city.as_ref().is_none_or(|city| city.tokens.end <= end);
    if let Some(found) = county_at(tokens, at, is_expected) {
        return Some(found);
    }
    let state = state_name::name_at(tokens, at, expected != Expected::No);
    if let Some(found) = region_at(tokens, at, expected)
        && longest(found.tokens.end)
        && state.is_none_or(|(_, end)| end <= found.tokens.end)
    {
        return Some(found);
    }
    let before = match expected {
        Expected::Surely => Before::Surely,
        Expected::Yes => Before::Place,
        _ => Before::Other,
    };
    if let Some((state, end)) = state
        && longest(end)
    {
        // `Washington state`.
        let end =
            if tokens.free_at(end).is_some_and(|t| t.form == "state") { end + 1 } else { end };
        return Some(Found { tokens: at..end, named: Named::State(state), confidence: 0.95 });
    }
    if city.is_some() {
        return city;
    }
    if let Some((state, end)) = state_name::code_at(tokens, at, before) {
        return Some(Found { tokens: at..end, named: Named::State(state), confidence: 0.9 });
    }
    let is_known = cause::is_known_word(&token.form) || phrases::is_generic(&token.form);
    if is_known && !is_sure {
        return None;
    }
    let next_is_strange = tokens.list.get(at + 1).is_some_and(|next| next.is_strange);
    let may_be_misspelt = token.is_strange || next_is_strange || is_sure;
    if !may_be_misspelt || region::find(&token.form).is_some() {
        return None;
    }
    if let Some((state, end)) = state_name::misspelt_at(tokens, at) {
        return Some(Found { tokens: at..end, named: Named::State(state), confidence: 0.7 });
    }
    misspelt_city_at(tokens, at, is_expected)
}

fn zip_at(tokens: &Tokens, at: usize) -> Option<Found> {
    let token = &tokens.list[at];
    let zip: Zip5 = token.form.parse().ok()?;
    let after = tokens.list.get(at + 1);
    let before = at.checked_sub(1).map_or("", |before| tokens.form(before));
    let is_sure = at == 0 || token.form.starts_with('0');
    let is_counted = after.is_some_and(|next| {
        (phrases::is_counted(&next.form) && !is_sure)
            || (next.glued && next.is_word())
            || next.is_sign('%')
    });
    if before == "$"
        || before == "#"
        || (is_counted && !matches!(before, "in" | "zip" | "code" | "near"))
    {
        return None;
    }
    places::zip(zip)?;
    // ZIP+4.
    let extended = after.is_some_and(|next| next.is_sign('-') && next.glued)
        && tokens.list.get(at + 2).is_some_and(|four| four.glued && four.form.len() == 4);
    let end = if extended { at + 3 } else { at + 1 };
    let start = tokens
        .any_phrase_before(
            at,
            ["zip", "zip code", "zipcode", "postal code", "codigo postal", "zip codes"],
        )
        .unwrap_or(at);
    Some(Found { tokens: start..end, named: Named::Zip(zip), confidence: 0.9 })
}

fn county_at(tokens: &Tokens, at: usize, is_expected: bool) -> Option<Found> {
    let is_kind =
        |form: &str| matches!(form, "county" | "counties" | "parish" | "borough" | "condado");
    if matches!(tokens.form(at), "county" | "condado") && matches!(tokens.form(at + 1), "of" | "de")
    {
        let (end, key) = (1..=WORDS_MAX).rev().find_map(|count| {
            let key = county_key(tokens, at + 2..at + 2 + count)?;
            Some((at + 2 + count, key))
        })?;
        return Some(county(tokens, at..end, key));
    }
    (1..=WORDS_MAX).find_map(|count| {
        let end = at + count;
        if !tokens.free_at(end).is_some_and(|token| is_kind(&token.form)) {
            return None;
        }
        // A parish is a congregation too.
        if tokens.form(end) == "parish" && !is_expected {
            let louisiana = state_after(tokens, end + 1, None);
            louisiana.filter(|(state, _)| state.code() == "LA")?;
        }
        let key = county_key(tokens, at..end)?;
        Some(county(tokens, at..end + 1, key))
    })
}

fn county_key(tokens: &Tokens, range: Range<usize>) -> Option<String> {
    let key = places::county_key(&tokens.free_words(range)?);
    (!places::find_counties(&key).is_empty()).then_some(key)
}

fn county(tokens: &Tokens, at: Range<usize>, key: String) -> Found {
    let (state, end) = match state_after(tokens, at.end, None) {
        Some((state, end)) if places::find_counties(&key).iter().any(|c| c.state == state) => {
            (Some(state), end)
        }
        _ => (None, at.end),
    };
    Found { tokens: at.start..end, named: Named::County(key, state), confidence: 0.95 }
}

fn region_at(tokens: &Tokens, at: usize, expected: Expected) -> Option<Found> {
    (1..=region::WORDS_MAX).rev().find_map(|count| {
        let end = at + count;
        let name = tokens.free_words(at..end)?;
        let words = &tokens.list[at..end];
        let region = region::find(&name)?;
        if region.kind == region::Kind::People {
            return None;
        }
        // `la`, `sf`, `the south`: where a place is expected, or in capitals.
        let is_short = name.len() <= 3 || matches!(&*name, "south" | "north" | "west" | "east");
        let is_upper = tokens.is_cased && words[0].case == Case::Upper;
        let is_title = tokens.is_cased && words[0].case == Case::Title;
        let common = matches!(
            &*name,
            "south"
                | "north"
                | "west"
                | "east"
                | "southwest"
                | "southeast"
                | "northeast"
                | "northwest"
                | "indy"
                | "atl"
                | "kc"
        );
        let good = match &*name {
            _ if expected == Expected::Surely => true,
            "la" if is_beside_a_code(tokens, at) => false,
            "la" => is_upper || (expected == Expected::Yes && tokens.form(at - 1) != "en"),
            "dc" | "nyc" | "philly" | "pnw" | "dfw" | "dmv" => true,
            _ if common => expected != Expected::No || is_upper || is_title,
            _ if is_short => expected == Expected::Yes || is_upper,
            _ => true,
        };
        // `Bay Area`, `Pittsburgh area`.
        let end = if tokens.free_at(end).is_some_and(|t| matches!(&*t.form, "area" | "region")) {
            end + 1
        } else {
            end
        };
        let named = match &region.areas[..] {
            [Area { state: Some(state), county: None, city: None, .. }] => Named::State(*state),
            _ => Named::Region(name, region),
        };
        good.then_some(Found { tokens: at..end, named, confidence: 0.9 })
    })
}

/// Whether another code of a state stands in one list with a token: `AR, LA and MS`.
fn is_beside_a_code(tokens: &Tokens, at: usize) -> bool {
    let is_code = |at: usize| {
        tokens.list.get(at).is_some_and(|token| {
            token.case == Case::Upper && token.form.parse::<crate::record::State>().is_ok()
        })
    };
    let joins = |at: usize| matches!(tokens.form(at), "," | "and" | "or" | "/");
    let before = at >= 2
        && joins(at - 1)
        && (is_code(at - 2) || (joins(at - 2) && at >= 3 && is_code(at - 3)));
    let after = joins(at + 1) && (is_code(at + 2) || (joins(at + 2) && is_code(at + 3)));
    before || after
}

/// A state right behind a city, with or without a comma.
fn state_after(
    tokens: &Tokens,
    at: usize,
    city: Option<&str>,
) -> Option<(crate::record::State, usize)> {
    // `Louisville, Kentucky`, `Louisville in Kentucky`.
    let joins = tokens.free_at(at).is_some_and(|token| token.is_sign(',') || token.form == "in");
    // `Gary IN` ends with a state's code.
    let at = if joins && at + 1 < tokens.len() { at + 1 } else { at };
    state_name::name_at(tokens, at, true).or_else(|| {
        let before = city.map_or(Before::Place, Before::City);
        state_name::code_at(tokens, at, before)
    })
}

fn city_at(tokens: &Tokens, at: usize, expected: Expected) -> Option<Found> {
    (1..=WORDS_MAX).rev().find_map(|count| {
        let end = at + count;
        let words = tokens.list.get(at..end)?;
        let plain = |token: &super::token::Token| {
            token.is_free()
                && (token.is_word() || (token.is_sign('-') && token.glued) || token.is_sign('.'))
        };
        if !words.iter().all(plain) || !words[count - 1].is_word() {
            return None;
        }
        let key = places::city_key(&tokens.joined(at..end));
        let cities = places::find_cities(&key);
        if cities.is_empty() {
            return None;
        }
        let followed = state_after(tokens, end, Some(&key))
            .filter(|(state, _)| cities.iter().any(|city| city.state == *state));
        // `New York`, `Washington`, `Nevada`: the state, unless a state follows behind a comma.
        let is_state = state_name::name_at(tokens, at, true).is_some_and(|(_, to)| to >= end);
        if is_state {
            let (state, end) = followed?;
            let comma = tokens.list.get(at + count).is_some_and(|token| token.is_sign(','));
            let listed = matches!(tokens.form(end), "," | "and" | "or");
            let is_city = (comma && !listed)
                || count > 1
                || key == "washington"
                || expected == Expected::Surely;
            if !is_city {
                return None;
            }
            let named = Named::City(key, Some(state));
            return Some(Found { tokens: at..end, named, confidence: 0.9 });
        }
        let trust = trust(tokens, at..end, &key, cities, expected, followed.is_some())?;
        let (state, end) = followed.map_or((None, end), |(state, end)| (Some(state), end));
        Some(Found { tokens: at..end, named: Named::City(key, state), confidence: trust })
    })
}

/// How sure it is that some words name a city; `None` when they rather do not.
fn trust(
    tokens: &Tokens,
    at: Range<usize>,
    key: &str,
    cities: &[City],
    expected: Expected,
    has_state: bool,
) -> Option<f32> {
    if expected == Expected::Surely {
        return Some(0.9);
    }
    let size = cities.iter().map(|city| city.primary_zips).max().unwrap_or(0);
    let words = &tokens.list[at.clone()];
    let single = words.len() == 1;
    let form = &*words[0].form;
    if single && (form.len() < 3 || phrases::is_lead(form) || phrases::is_generic(form)) {
        return None;
    }
    if phrases::has("owned", tokens.form(at.end)) {
        return None;
    }
    let is_capital = tokens.is_cased && words[0].case != Case::Lower;
    let is_word = region::is_word(key) || (single && cause::is_known_word(form));
    if has_state {
        let comma = tokens.list.get(at.end).is_some_and(|token| token.is_sign(','));
        // `hazard ky`, but not `clean energy texas`.
        let is_cause = single && cause::is_known_word(form);
        let leads = at.start == 0 && !is_cause;
        let good = !is_word || expected != Expected::No || comma || leads || size >= KNOWN_ZIPS;
        return good.then_some(0.97);
    }
    if phrases::has("abroad", key) {
        return None;
    }
    match expected {
        Expected::Yes if is_word => (is_capital || size >= KNOWN_ZIPS).then_some(0.7),
        Expected::Yes => Some(if size >= KNOWN_ZIPS || is_capital { 0.9 } else { 0.75 }),
        Expected::Perhaps if !is_word => {
            (size >= KNOWN_ZIPS || (is_capital && size > 0)).then_some(0.8)
        }
        Expected::No if !is_word && is_of_a_name(tokens, at.end) => None,
        Expected::No if !is_word => {
            let known = size >= KNOWN_ZIPS || (!single && size > 0) || (is_capital && size >= 2);
            known.then_some(if size >= KNOWN_ZIPS { 0.8 } else { 0.7 })
        }
        _ => None,
    }
}

/// Whether a word behind a city makes the two a name: `Norton Healthcare`, `Denver Broncos`.
fn is_of_a_name(tokens: &Tokens, at: usize) -> bool {
    tokens.is_cased
        && tokens.list.get(at).is_some_and(|next| {
            let known = cause::is_known_word(&next.form) || phrases::is_common(&next.form);
            next.is_word() && next.case == Case::Title && next.mark != Mark::Cause && !known
        })
}

fn misspelt_city_at(tokens: &Tokens, at: usize, is_expected: bool) -> Option<Found> {
    let (letters, zips) = if is_expected {
        (TYPO_LETTERS_MIN, TYPO_ZIPS)
    } else {
        (2 + TYPO_LETTERS_MIN, 4 * TYPO_ZIPS)
    };
    [2, 1].into_iter().find_map(|count| {
        let written = tokens.free_words(at..at + count)?;
        let is_strange = |token: &super::token::Token| token.is_strange || tokens.names_places;
        if !tokens.list[at..at + count].iter().any(is_strange) {
            return None;
        }
        // The state behind it vouches for it.
        let state = state_after(tokens, at + count, None);
        let letters = if state.is_some() { TYPO_LETTERS_MIN } else { letters };
        if written.len() < letters || region::is_word(&written) {
            return None;
        }
        let fits = |city: &&City| match state {
            Some((state, _)) => city.state == state,
            None => city.primary_zips >= zips,
        };
        let near =
            places::cities().iter().filter(fits).filter(|city| is_one_edit(&written, &city.key));
        let best = near.max_by_key(|city| city.primary_zips)?;
        let named = Named::City(best.key.clone(), state.map(|(state, _)| state));
        let end = state.map_or(at + count, |(_, end)| end);
        Some(Found { tokens: at..end, named, confidence: 0.6 })
    })
}

/// `Texan charities`.
fn read_people(reader: &mut Reader<'_>) {
    for at in 0..reader.tokens.len() {
        for count in [2, 1] {
            let Some(name) = reader.tokens.free_words(at..at + count) else { continue };
            let found = region::find(&name)
                .or_else(|| region::find(name.strip_suffix('s').unwrap_or(&name)));
            if let Some(region) = found.filter(|region| region.kind == region::Kind::People) {
                let named = match region.state() {
                    Some(state) if region.areas.len() == 1 && region.areas[0].city.is_none() => {
                        Named::State(state)
                    }
                    _ => Named::Region(name, region),
                };
                let item = area::Item::new(at..at + count, named, 0.7);
                let list = area::List::new(&reader.tokens, at..at + count, vec![item], true);
                area::settle(reader, vec![list], None);
                return;
            }
        }
    }
}

/// Nobody tells where `me` is.
fn read_near_me(reader: &mut Reader<'_>) {
    for at in 0..reader.tokens.len() {
        if let Some(end) = reader.tokens.any_phrase(at, phrases::of("nearest")) {
            reader.leave_unread(at..end);
        }
    }
}

/// Words that belong to the place before them.
pub(super) fn trailing(tokens: &Tokens, at: usize) -> bool {
    tokens.free_at(at).is_some_and(|token| phrases::has("behind place", &token.form))
}

/// Whether a word leads to a place.
pub(super) fn is_preposition(form: &str) -> bool {
    phrases::has("preposition", form) || phrases::has("before place", form)
}
