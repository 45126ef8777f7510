//! Places as filters: nearness and radius, the choice among cities of one name, and places that
//! belong together.

use std::ops::Range;

use super::frame::NamedPlace;
use super::phrases;
use super::region::{Region, RegionKind};
use super::token::Tokens;
use crate::naming::capitalised;
use crate::places::{self, Locality};
use crate::query::Area;
use crate::record::{Point, State, Zip5};

/// Miles around a city that is asked for with `near`, `greater` or `area`.
const NEAR_CITY_MILES: f64 = 25.0;
/// Miles around a place that are near it.
const NEARBY_MILES: f64 = 40.0;
/// Circles that are drawn around the places of one question.
const SURROUNDINGS_MAX: usize = 16;
/// Miles around a ZIP code for `near`.
const NEAR_ZIP_MILES: f64 = 10.0;
/// The largest radius: the breadth of the country.
const RADIUS_MAX_MILES: f64 = 3_000.0;
/// How many times the ZIP codes, or nonprofits, of its next namesake a city must have to be chosen
/// without its state.
pub(super) const DOMINANCE: usize = 8;
/// ZIP codes of a city that is named apart from its state.
const BARE_ZIPS_MIN: usize = 2;
/// Cities of one name around which a radius is drawn if the choice is open.
const NAMESAKES_MAX: usize = 12;

/// The kind of a place.
#[derive(Debug, Clone)]
pub(super) enum NamedArea {
    State(State),
    /// And the state that it is named with.
    Zip(Zip5, Option<State>),
    /// The key of a county.
    County(String, Option<State>),
    /// The key of a city.
    City(String, Option<State>),
    Region(String, &'static Region),
}

/// One place of a list.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) named: NamedArea,
    pub(super) tokens: Range<usize>,
    /// Where the name ends: a state may follow.
    pub(super) name_end: usize,
}

impl Item {
    pub(super) fn new(named: NamedArea, tokens: Range<usize>) -> Self {
        Self { named, name_end: tokens.end, tokens }
    }
}

/// Places that are named together: `Cleveland, Columbus and Dayton, OH`.
#[derive(Debug)]
pub(super) struct List {
    /// With what follows and belongs to it: `area`.
    pub(super) tokens: Range<usize>,
    pub(super) items: Vec<Item>,
    /// Whether a preposition leads to it.
    pub(super) is_led: bool,
    /// Whether what follows means what is around it.
    pub(super) is_around: bool,
}

/// How far around a place.
#[derive(Debug, Clone)]
pub(super) struct Radius {
    /// The number and its unit.
    pub(super) tokens: Range<usize>,
    pub(super) miles: f64,
}

/// The first radius: `25 miles`, `10-mile`.
pub(super) fn radius(tokens: &Tokens) -> Option<Radius> {
    (0..tokens.len()).find_map(|at| {
        let number = tokens.number_at(at)?;
        let unit = at + 1 + usize::from(tokens.has_sign(at + 1, '-'));
        let miles: f64 = phrases::meaning("miles", tokens.form(unit))?.parse().ok()?;
        Some(Radius { tokens: at..unit + 1, miles: (number * miles).min(RADIUS_MAX_MILES) })
    })
}

/// The places of the lists in one text.
pub(super) fn places(tokens: &Tokens, mut lists: Vec<List>, miles: Option<f64>) -> Vec<NamedPlace> {
    for list in &mut lists {
        // `Cleveland and Dayton, Ohio`: the state is of both.
        if let Some(Item { named: NamedArea::City(_, Some(state)), .. }) = list.items.last() {
            let state = *state;
            for item in &mut list.items {
                if let NamedArea::City(key, of @ None) = &mut item.named
                    && places::has_city(key, state)
                {
                    *of = Some(state);
                }
            }
        }
    }
    join_states(&mut lists);
    drop_lookalikes(&mut lists);
    let city = join_zip(&mut lists);
    let is_named = |at: usize| lists.iter().any(|list| list.tokens.contains(&at));
    let is_near = (0..tokens.len())
        .any(|at| !is_named(at) && tokens.any_phrase(at, phrases::of("near")).is_some());
    let mut found: Vec<NamedPlace> = Vec::new();
    for list in &lists {
        for item in &list.items {
            let mut place = named_place(&item.named, miles, is_near || list.is_around);
            if let Some((key, state)) = &city {
                place.city = likely_cities(key, *state).first().map(|city| city.name.to_owned());
                place.state = place.state.or(*state);
            }
            if !found.contains(&place) {
                found.push(place);
            }
        }
    }
    found
}

/// What lies in the one state that is named apart is there, and the state goes.
fn join_states(lists: &mut Vec<List>) {
    let items = lists.iter().flat_map(|list| &list.items);
    let states: Vec<State> = items
        .filter_map(|item| match item.named {
            NamedArea::State(state) => Some(state),
            _ => None,
        })
        .collect();
    let [state] = states[..] else { return };
    let mut joined = false;
    for item in lists.iter_mut().flat_map(|list| &mut list.items) {
        let of = match &mut item.named {
            NamedArea::City(key, of) if of.is_none_or(|of| of == state) => {
                // A word that happens to be a hamlet's name there is no place beside the state.
                let zips_min = if of.is_some() { 0 } else { BARE_ZIPS_MIN };
                let city = places::city(key, state);
                city.filter(|city| city.primary_zips >= zips_min).map(|_| of)
            }
            NamedArea::County(key, of) if of.is_none_or(|of| of == state) => {
                places::county(key, state).map(|_| of)
            }
            NamedArea::Zip(zip, of) => {
                places::zip(*zip).is_some_and(|place| place.state == state).then_some(of)
            }
            NamedArea::Region(_, region) => {
                joined |= region.state() == Some(state);
                None
            }
            _ => None,
        };
        if let Some(of) = of {
            (*of, joined) = (Some(state), true);
        }
    }
    lists.retain(|list| {
        !(joined && matches!(list.items[..], [Item { named: NamedArea::State(_), .. }]))
    });
}

/// What looks like a city is none beside a state, or behind a place that a preposition leads to: `Casa de
/// Maryland`, `near Mobile Bay`.
fn drop_lookalikes(lists: &mut Vec<List>) {
    let is_state =
        |list: &List| matches!(list.items[..], [Item { named: NamedArea::State(_), .. }]);
    let mut is_surer = lists.iter().any(is_state);
    lists.retain(|list| {
        let is_city = matches!(list.items[..], [Item { named: NamedArea::City(_, None), .. }]);
        let stays = list.is_led || !is_city || !is_surer;
        is_surer |= list.is_led;
        stays
    });
}

/// A ZIP code and its city are the ZIP code: the key of the city, and its state.
fn join_zip(lists: &mut [List]) -> Option<(String, Option<State>)> {
    let items = || lists.iter().flat_map(|list| &list.items);
    let is_zip = |item: &&Item| matches!(item.named, NamedArea::Zip(..));
    let mut others = items().filter(|item| !is_zip(item));
    let city = match &others.next()?.named {
        NamedArea::City(key, state) => Some((key.clone(), *state)),
        NamedArea::Region(_, region) if region.kind == RegionKind::City => None,
        _ => return None,
    };
    if others.next().is_some() || items().filter(is_zip).count() != 1 {
        return None;
    }
    lists.iter_mut().for_each(|list| list.items.retain(|item| is_zip(&item)));
    city
}

/// The cities that are meant: of a state, the one far larger than its namesakes, or all.
fn likely_cities(key: &str, state: Option<State>) -> Vec<&'static Locality> {
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

/// Whether a key belongs to one city, or to one far larger than its namesakes.
pub(super) fn is_one_city(key: &str) -> bool {
    matches!(likely_cities(key, None)[..], [_])
}

/// The surroundings of a place: its state, and its coordinates if known.
#[derive(Debug, Clone, PartialEq)]
pub struct Surroundings {
    pub state: State,
    pub point: Option<Point>,
}

impl Surroundings {
    /// The vicinity, across state borders too.
    pub fn circle(&self) -> Option<Area> {
        Some(Area { near: Some((self.point?, NEARBY_MILES)), ..Area::default() })
    }

    pub fn whole_state(&self) -> Area {
        Area { state: Some(self.state), ..Area::default() }
    }
}

/// The surroundings of cities, counties and ZIP codes, for each that a name may stand for; empty for a whole state.
pub fn surroundings(places: &[NamedPlace]) -> Vec<Surroundings> {
    let mut all: Vec<Surroundings> = Vec::new();
    for place in places {
        let of = |state, point| Surroundings { state, point };
        let found: Vec<Surroundings> = match (&place.city, place.zip.and_then(places::zip)) {
            (Some(city), _) => {
                let cities = likely_cities(&places::city_key(city), place.state).into_iter();
                cities.map(|city| of(city.state, city.point)).collect()
            }
            (None, Some(zip)) => vec![of(zip.state, zip.point)],
            (None, None) => place.areas.iter().filter_map(around_area).collect(),
        };
        for one in found {
            if all.len() < SURROUNDINGS_MAX && !all.contains(&one) {
                all.push(one);
            }
        }
    }
    all
}

/// The states that places are in, or may be.
pub fn states_of(places: &[NamedPlace]) -> Vec<State> {
    let around = surroundings(places).into_iter().map(|around| around.state);
    places.iter().filter_map(|place| place.state).chain(around).collect()
}

/// What lies around a county or a city of a region.
fn around_area(area: &Area) -> Option<Surroundings> {
    let state = area.state?;
    let point = match (&area.county, &area.city) {
        (Some(county), _) => places::county(&places::county_key(county), state)?.point,
        (None, Some(city)) => places::city(&places::city_key(city), state)?.point,
        (None, None) => return None,
    };
    Some(Surroundings { state, point })
}

/// The cities that a place without a state may be, each as a place of its own.
pub(super) fn namesakes(place: &NamedPlace) -> Vec<NamedPlace> {
    let is_city = matches!(&place.areas[..], [Area { city: Some(_), state: None, near: None, .. }]);
    let Some(name) = place.city.as_ref().filter(|_| is_city) else { return Vec::new() };
    let key = places::city_key(name);
    likely_cities(&key, None).into_iter().map(|one| city(&key, Some(one.state), None)).collect()
}

/// The circle around a city, used where none was asked for.
pub fn around_city(place: &NamedPlace) -> Option<NamedPlace> {
    let is_circle = place.areas.iter().any(|area| area.near.is_some());
    let name = place.city.as_ref().filter(|_| !is_circle)?;
    Some(city(&places::city_key(name), place.state, Some(NEAR_CITY_MILES)))
}

/// The state of the city in the middle of a circle.
pub fn state_of_circle(place: &NamedPlace) -> Option<State> {
    let middle = place.areas.iter().find_map(|area| area.near)?.0;
    let cities = places::find_cities(&places::city_key(place.city.as_ref()?));
    cities.iter().find(|city| city.point == Some(middle)).map(|city| city.state)
}

/// Every city of a place's name, each around as the place is; none of a place that is no city.
pub(super) fn all_namesakes(place: &NamedPlace) -> Vec<NamedPlace> {
    let Some(name) = &place.city else { return Vec::new() };
    let key = places::city_key(name);
    let miles = place.areas.iter().find_map(|area| area.near).map(|near| near.1);
    let cities = places::find_cities(&key).iter().take(NAMESAKES_MAX);
    cities.map(|one| city(&key, Some(one.state), miles)).collect()
}

/// The great city that some words name, where they are no more than the name of a state: `Washington`.
pub(super) fn city_called(state: State, words: &str) -> Option<NamedPlace> {
    let key = places::city_key(words);
    let [one] = likely_cities(&key, None)[..] else { return None };
    let is_great = one.state != state && one.primary_zips >= DOMINANCE;
    is_great.then(|| city(&key, Some(one.state), None))
}

/// A place without surroundings.
pub(super) fn exact_place(named: &NamedArea) -> NamedPlace {
    named_place(named, None, false)
}

fn named_place(named: &NamedArea, miles: Option<f64>, is_near: bool) -> NamedPlace {
    match named {
        NamedArea::State(state) => {
            NamedPlace::of(Area { state: Some(*state), ..Area::default() }).unwrap_or_default()
        }
        NamedArea::Zip(zip, state) => {
            let place = places::zip(*zip);
            let miles = miles.or(is_near.then_some(NEAR_ZIP_MILES));
            let near = place.and_then(|place| place.point).zip(miles);
            let area = match near {
                Some(near) => Area { near: Some(near), ..Area::default() },
                None => Area { zip: Some(*zip), ..Area::default() },
            };
            NamedPlace {
                areas: vec![area],
                name: around(&zip.to_string(), near.map(|n| n.1)),
                zip: Some(*zip),
                state: *state,
                ..NamedPlace::default()
            }
        }
        NamedArea::County(key, state) => county(key, *state),
        NamedArea::City(key, state) => {
            city(key, *state, miles.or(is_near.then_some(NEAR_CITY_MILES)))
        }
        NamedArea::Region(name, region) => {
            if let [Area { city: Some(only), state, county: None, .. }] = &region.areas[..] {
                let near = miles.or(is_near.then_some(NEAR_CITY_MILES));
                return city(&places::city_key(only), *state, near);
            }
            // A city in several parts, such as New York with its boroughs.
            let is_city = region.kind == RegionKind::City;
            let city = region.areas.first().filter(|_| is_city).and_then(|area| area.city.clone());
            NamedPlace {
                areas: region.areas.clone(),
                name: titled(name),
                state: region.state(),
                city,
                zip: None,
            }
        }
    }
}

pub(super) fn county(key: &str, state: Option<State>) -> NamedPlace {
    let counties = places::find_counties(key);
    let state = match (state, counties) {
        (None, [only]) => Some(only.state),
        (state, _) => state,
    };
    let name = counties.first().map_or(key, |county| county.name);
    let kind = if state.is_some_and(|state| state.code() == "LA") { "Parish" } else { "County" };
    let comma = state.map(|state| format!(", {state}")).unwrap_or_default();
    NamedPlace {
        areas: vec![Area { state, county: Some(name.to_owned()), ..Area::default() }],
        name: format!("{name} {kind}{comma}"),
        state,
        ..NamedPlace::default()
    }
}

pub(super) fn city(key: &str, state: Option<State>, miles: Option<f64>) -> NamedPlace {
    let cities = likely_cities(key, state);
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
        return NamedPlace { areas: vec![area], name: said, city: Some(name), state, zip: None };
    }
    // Nearby rows may lie in the next state, so the state is no filter.
    NamedPlace {
        areas: centres,
        name: around(&said, miles),
        city: Some(name),
        state: named,
        zip: None,
    }
}

fn around(name: &str, miles: Option<f64>) -> String {
    match miles {
        Some(miles) => format!("the {miles:.0} miles around {name}"),
        None => name.to_owned(),
    }
}

/// Each word with a capital.
fn titled(name: &str) -> String {
    name.split(' ').map(capitalised).collect::<Vec<_>>().join(" ")
}
