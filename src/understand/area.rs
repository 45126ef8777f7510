//! Places that were read, made into areas: nearness and radius, which of several cities of a name is
//! meant, what is left out, and what belongs together.

use std::ops::Range;

use super::amount;
use super::frame::Place;
use super::phrases;
use super::place;
use super::reader::Reader;
use super::region::Region;
use super::token::{Kind, Tokens};
use crate::index::columns::Area;
use crate::places::{self, City};
use crate::record::{State, Zip5};

/// Miles around a city that is asked for with `near`, `greater` or `area`.
const NEAR_CITY_MILES: f64 = 25.0;
/// Miles around a ZIP code that is asked for with `near`.
const NEAR_ZIP_MILES: f64 = 10.0;
/// Farthest that a radius may reach: the breadth of the country.
const RADIUS_MAX_MILES: f64 = 3_000.0;
const MILES_PER_KILOMETRE: f64 = 0.621_371;
/// How many times as many ZIP codes as the next of its name a city has that is meant without its
/// state.
const DOMINANCE: usize = 8;
/// ZIP codes of a city that is named without a preposition, apart from its state.
const BARE_ZIPS_MIN: usize = 2;
/// Cities of one name that a radius is drawn around when it is open which is meant.
const NAMESAKES_MAX: usize = 12;

/// Words that say around, not within.
const NEAR: [&str; 7] =
    ["near", "nearby", "around", "surrounding", "greater", "cerca", "alrededor"];

/// What a place is.
#[derive(Debug, Clone)]
pub(super) enum Named {
    State(State),
    Zip(Zip5),
    /// The key of a county.
    County(String, Option<State>),
    /// The key of a city.
    City(String, Option<State>),
    Region(String, &'static Region),
}

/// One place of a list.
#[derive(Debug)]
pub(super) struct Item {
    tokens: Range<usize>,
    named: Named,
    confidence: f32,
    /// The key of the city and the state that a ZIP code was named with.
    city: Option<String>,
    state: Option<State>,
}

impl Item {
    pub(super) fn new(tokens: Range<usize>, named: Named, confidence: f32) -> Self {
        Self { tokens, named, confidence, city: None, state: None }
    }
}

/// Places that are named together.
#[derive(Debug)]
pub(super) struct List {
    /// With what leads to them and what follows.
    tokens: Range<usize>,
    items: Vec<Item>,
    is_left_out: bool,
    is_near: bool,
    /// Whether a preposition of place leads to it.
    is_announced: bool,
}

impl List {
    pub(super) fn new(
        tokens: &Tokens,
        range: Range<usize>,
        mut items: Vec<Item>,
        is_announced: bool,
    ) -> Self {
        // `Cleveland and Dayton, Ohio`: the state is of both.
        if let Some(Item { named: Named::City(_, Some(state)), .. }) = items.last() {
            let state = *state;
            for item in &mut items {
                if let Named::City(key, of @ None) = &mut item.named
                    && places::has_city(key, state)
                {
                    *of = Some(state);
                }
            }
        }
        let mut start = range.start;
        let mut is_near = false;
        let mut is_left_out = false;
        while let Some(before) = start.checked_sub(1)
            && let Some(token) = tokens.free_at(before)
            && place::is_preposition(&token.form)
        {
            is_near |= NEAR.contains(&&*token.form);
            is_left_out |= matches!(&*token.form, "outside");
            start = before;
        }
        if let Some(from) =
            tokens.any_phrase_before(start, ["close to", "next to", "vicinity", "in or", "metro"])
        {
            (start, is_near) = (from, true);
        }
        if let Some(from) = tokens.any_phrase_before(start, phrases::of("left out")) {
            (start, is_left_out) = (from, true);
        }
        let mut end = range.end;
        while place::trailing(tokens, end) {
            let around = matches!(
                tokens.form(end),
                "area" | "region" | "metro" | "metropolitan" | "metroplex"
            );
            is_near |= around;
            end += 1;
        }
        let verbs = ["located", "based", "operating", "headquartered", "working", "active"];
        start = tokens.any_phrase_before(start, verbs).unwrap_or(start);
        Self { tokens: start..end, items, is_left_out, is_near, is_announced }
    }
}

/// How far around a place.
#[derive(Debug, Clone)]
pub(super) struct Radius {
    tokens: Range<usize>,
    miles: f64,
}

/// The first radius: `within 25 miles of`, `10-mile radius around`.
pub(super) fn radius(reader: &mut Reader<'_>) -> Option<Radius> {
    let tokens = &reader.tokens;
    let (at, value, unit) = (0..tokens.len()).find_map(|at| {
        let token = tokens.free_at(at)?;
        let value = match token.kind {
            Kind::Number(value) => value,
            _ => amount::small(&token.form)?,
        };
        let hyphen = tokens.free_at(at + 1).is_some_and(|token| token.is_sign('-'));
        let unit = if hyphen { at + 2 } else { at + 1 };
        let factor = match tokens.free_at(unit)?.form.as_str() {
            "mile" | "miles" | "mi" | "millas" => 1.0,
            "km" | "kms" | "kilometer" | "kilometers" | "kilometre" | "kilometres"
            | "kilometros" => MILES_PER_KILOMETRE,
            _ => return None,
        };
        Some((at, value * factor, unit))
    })?;
    let mut end = unit + 1;
    let tails = ["radius", "of", "from", "around", "away", "near", "outside", "to", "de", "in"];
    let mut place_words = 0;
    while let Some(token) = tokens.free_at(end)
        && tails.contains(&&*token.form)
    {
        place_words += 1;
        end += 1;
    }
    let lead = [
        "within",
        "within a",
        "in a",
        "inside",
        "up to",
        "less than",
        "under",
        "no more than",
        "a",
        "within about",
        "at most",
        "not more than",
        "a menos de",
        "dentro de",
        "no farther than",
        "no further than",
    ];
    let start = tokens.any_phrase_before(at, lead).unwrap_or(at);
    // `a 10 mile trail`: no distance from anything.
    (place_words > 0 || start < at)
        .then(|| Radius { tokens: start..end, miles: value.min(RADIUS_MAX_MILES) })
}

/// Makes places out of lists.
pub(super) fn settle(reader: &mut Reader<'_>, mut lists: Vec<List>, radius: Option<Radius>) {
    join_states(&mut lists);
    join_zips(&mut lists);
    for tokens in drop_lookalikes(&mut lists) {
        // It stays whole in what is left: `New York charities in Nevada`.
        reader.tokens.mark(tokens, super::token::Mark::Cause);
    }
    let mut radius = radius;
    for list in lists {
        let List { tokens, items, is_left_out, is_near, .. } = list;
        let mut span = tokens.clone();
        for item in items {
            let around = radius.as_ref().map(|radius| radius.miles);
            let mut place = made(&item.named, around, is_near && !is_left_out);
            if let Some(key) = &item.city {
                place.city = meant(key, item.state).first().map(|city| city.name.to_owned());
            }
            place.state = place.state.or(item.state);
            let is_around = place.areas.iter().any(|area| area.near.is_some());
            if is_around && let Some(radius) = radius.as_ref() {
                span.start = span.start.min(radius.tokens.start);
            }
            let verb = if is_left_out { "not " } else { "" };
            let part = reader.tokens.span(item.tokens.clone());
            // With what announces it: `zip 83001`.
            reader.tokens.mark(item.tokens.clone(), super::token::Mark::Read);
            reader.parts.push(super::frame::Part {
                span: part,
                meaning: format!("{verb}in {}", place.name),
                confidence: item.confidence,
            });
            let slot =
                if is_left_out { &mut reader.frame.not_places } else { &mut reader.frame.places };
            if !slot.contains(&place) {
                slot.push(place);
            }
        }
        if let Some(used) = radius.take() {
            let is_used = reader
                .frame
                .places
                .iter()
                .any(|place| place.areas.iter().any(|a| a.near.is_some()));
            if is_used {
                reader.tokens.mark(used.tokens, super::token::Mark::Read);
            } else {
                radius = Some(used);
            }
        }
        reader.tokens.mark(tokens, super::token::Mark::Read);
    }
    if let Some(unused) = radius {
        reader.leave_unread(unused.tokens);
    }
}

/// A city and the state it lies in, named apart, are one place.
fn join_states(lists: &mut [List]) {
    let states: Vec<State> = lists
        .iter()
        .filter(|list| !list.is_left_out)
        .flat_map(|list| &list.items)
        .filter_map(|item| match item.named {
            Named::State(state) => Some(state),
            _ => None,
        })
        .collect();
    let [state] = states[..] else { return };
    let mut joined = false;
    for list in lists.iter_mut().filter(|list| !list.is_left_out) {
        for item in &mut list.items {
            let is_there = match &mut item.named {
                Named::City(key, of) if of.is_none_or(|of| of == state) => {
                    // A word that happens to be a hamlet's name there is no place beside the state.
                    let zips_min =
                        if list.is_announced || of.is_some() { 0 } else { BARE_ZIPS_MIN };
                    let there = places::find_cities(key)
                        .iter()
                        .any(|city| city.state == state && city.primary_zips >= zips_min);
                    if there {
                        *of = Some(state);
                    }
                    there
                }
                Named::County(key, of) if of.is_none_or(|of| of == state) => {
                    let there = places::find_counties(key).iter().any(|c| c.state == state);
                    if there {
                        *of = Some(state);
                    }
                    there
                }
                Named::Zip(zip) => {
                    let there = places::zip(*zip).is_some_and(|place| place.state == state);
                    item.state = there.then_some(state).or(item.state);
                    there
                }
                Named::Region(_, region) => region.state() == Some(state),
                _ => false,
            };
            joined |= is_there;
        }
    }
    if joined {
        for list in lists.iter_mut() {
            let alone = list.items.len() == 1;
            if alone && matches!(list.items[0].named, Named::State(_)) && !list.is_left_out {
                list.items.clear();
            }
        }
    }
}

/// A ZIP code and its city, named apart, are the ZIP code.
fn join_zips(lists: &mut [List]) {
    let zips = lists
        .iter()
        .flat_map(|list| &list.items)
        .filter(|item| matches!(item.named, Named::Zip(_)));
    if zips.count() != 1 {
        return;
    }
    let mut city = None;
    for list in lists.iter_mut().filter(|list| !list.is_left_out) {
        let alone =
            list.items.iter().filter(|item| !matches!(item.named, Named::Zip(_))).count() == 1;
        list.items.retain(|item| {
            let named = match &item.named {
                Named::City(key, state) => Some((Some(key.clone()), *state)),
                Named::Region(_, region) if region.kind == super::region::Kind::City => {
                    Some((None, None))
                }
                _ => None,
            };
            let drops = alone && named.is_some();
            city = named.filter(|_| drops).or(city.take());
            !drops
        });
    }
    let Some((key, state)) = city else { return };
    for item in lists.iter_mut().flat_map(|list| &mut list.items) {
        if matches!(item.named, Named::Zip(_)) {
            item.city.clone_from(&key);
            item.state = state.or(item.state);
        }
    }
}

/// What looks like a city without a state or a preposition is none beside a place that has one
/// (`aurora research in Alaska`).
fn drop_lookalikes(lists: &mut Vec<List>) -> Vec<Range<usize>> {
    let is_sure = |list: &List| {
        list.is_announced || matches!(list.items[..], [Item { named: Named::State(_), .. }])
    };
    if !lists.iter().any(|list| !list.items.is_empty() && is_sure(list)) {
        return Vec::new();
    }
    let has_announced =
        lists.iter().any(|list| list.is_announced && !list.is_left_out && !list.items.is_empty());
    // A city next to nothing, `buffalo herds in South Dakota`.
    let mut dropped = Vec::new();
    lists.retain(|list| {
        let bare = matches!(list.items[..], [Item { named: Named::City(_, None), .. }]);
        // `New York charities in Nevada`.
        let state =
            has_announced && matches!(list.items[..], [Item { named: Named::State(_), .. }]);
        let stays = list.is_announced || list.is_left_out || !(bare || state);
        if !stays {
            dropped.extend(list.items.iter().map(|item| item.tokens.clone()));
        }
        stays
    });
    dropped
}

/// The cities that are meant: of a state, the one far larger than its namesakes, or all.
fn meant(key: &str, state: Option<State>) -> Vec<&'static City> {
    let cities = places::find_cities(key);
    if let Some(state) = state {
        return cities.iter().filter(|city| city.state == state).collect();
    }
    match cities {
        [first, rest @ ..] => {
            let next = rest.iter().map(|city| city.primary_zips).max().unwrap_or(0);
            let alone = rest.is_empty()
                || (first.primary_zips >= DOMINANCE
                    && first.primary_zips >= DOMINANCE * next.max(1));
            if alone { vec![first] } else { cities.iter().take(NAMESAKES_MAX).collect() }
        }
        [] => Vec::new(),
    }
}

fn made(named: &Named, miles: Option<f64>, is_near: bool) -> Place {
    match named {
        Named::State(state) => Place {
            areas: vec![Area { state: Some(*state), ..Area::default() }],
            name: state.name().to_owned(),
            state: Some(*state),
            ..Place::default()
        },
        Named::Zip(zip) => {
            let place = places::zip(*zip);
            let miles = miles.or(is_near.then_some(NEAR_ZIP_MILES));
            let near = place.and_then(|place| place.point).zip(miles);
            let area = match near {
                Some(near) => Area { near: Some(near), ..Area::default() },
                None => Area { zip: Some(*zip), ..Area::default() },
            };
            Place {
                areas: vec![area],
                name: around(&zip.to_string(), near.map(|n| n.1)),
                zip: Some(*zip),
                ..Place::default()
            }
        }
        Named::County(key, state) => county(key, *state),
        Named::City(key, state) => city(key, *state, miles.or(is_near.then_some(NEAR_CITY_MILES))),
        Named::Region(name, region) => {
            if let [Area { city: Some(only), state, county: None, .. }] = &region.areas[..] {
                let near = miles.or(is_near.then_some(NEAR_CITY_MILES));
                return city(&places::city_key(only), *state, near);
            }
            // A city in several parts, such as New York with its boroughs.
            let is_city = region.kind == super::region::Kind::City;
            let city = region.areas.first().filter(|_| is_city).and_then(|area| area.city.clone());
            Place {
                areas: region.areas.clone(),
                name: titled(name),
                state: region.state(),
                city,
                zip: None,
            }
        }
    }
}

fn county(key: &str, state: Option<State>) -> Place {
    let counties = places::find_counties(key);
    let state = match (state, counties) {
        (None, [only]) => Some(only.state),
        (state, _) => state,
    };
    let name = counties.first().map_or(key, |county| county.name);
    let kind = if state.is_some_and(|state| state.code() == "LA") { "Parish" } else { "County" };
    let comma = state.map(|state| format!(", {state}")).unwrap_or_default();
    Place {
        areas: vec![Area { state, county: Some(name.to_owned()), ..Area::default() }],
        name: format!("{name} {kind}{comma}"),
        state,
        ..Place::default()
    }
}

fn city(key: &str, state: Option<State>, miles: Option<f64>) -> Place {
    let cities = meant(key, state);
    let name = cities.first().map_or_else(
        || key.to_owned(),
        |city| places::full_city(city.name, city.zips.first().copied(), Some(city.state)),
    );
    let named = state;
    let state = match cities[..] {
        [only] => Some(only.state),
        _ => state,
    };
    let said = state.map_or_else(|| name.clone(), |state| format!("{name}, {state}"));
    let centres: Vec<Area> = match miles {
        Some(miles) => cities
            .iter()
            .filter_map(|city| city.point)
            .map(|point| Area { near: Some((point, miles)), ..Area::default() })
            .collect(),
        None => Vec::new(),
    };
    if centres.is_empty() {
        let area = Area { city: Some(name.clone()), state, ..Area::default() };
        return Place { areas: vec![area], name: said, city: Some(name), state, zip: None };
    }
    // What is near may lie in the next state, so that is no filter.
    Place { areas: centres, name: around(&said, miles), city: Some(name), state: named, zip: None }
}

fn around(name: &str, miles: Option<f64>) -> String {
    match miles {
        Some(miles) => format!("the {miles:.0} miles around {name}"),
        None => name.to_owned(),
    }
}

/// Each word with a capital.
fn titled(name: &str) -> String {
    let word = |word: &str| {
        let mut chars = word.chars();
        chars.next().map_or(String::new(), |c| c.to_uppercase().chain(chars).collect())
    };
    name.split(' ').map(word).collect::<Vec<_>>().join(" ")
}
