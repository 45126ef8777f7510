//! Regions, metros, nicknames, demonyms and short names of states (`data/regions.tsv`), and parts of states by the
//! points of the compass (`southwest Kansas`): the counties whose middle lies there. A name that the table has is
//! that, as people draw it.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use super::phrases;
use super::token::Tokens;
use crate::naming::normalise;
use crate::places::{self, Locality};
use crate::query::Area;
use crate::record::{Point, State, named};
use crate::table::table;

/// Words of the longest name of a region that is looked for.
const NAME_WORDS_MAX: usize = 5;
/// Counties from which on a state has parts.
const COUNTIES_MIN: usize = 8;
/// How much of the breadth or the height of a state a side of it is.
const SIDE: f64 = 0.4;
/// The same of a side that a corner is of: `southwest`.
const SIDE_OF_CORNER: f64 = 0.5;

named! {
    /// What a name of the table is.
    RegionKind {
        Region = "region",
        City = "city",
        /// A demonym, singular.
        People = "people",
        /// A state by another name.
        State = "state",
    }
}

/// A name of the table.
#[derive(Debug)]
pub(super) struct Region {
    pub(super) kind: RegionKind,
    pub(super) areas: Vec<Area>,
}

impl Region {
    /// The state that it is another name of.
    pub(super) fn whole_state(&self) -> Option<State> {
        match self.areas[..] {
            [Area { state, county: None, city: None, .. }] => state,
            _ => None,
        }
    }

    /// The state that all of it lies in.
    pub(super) fn state(&self) -> Option<State> {
        let first = self.areas.first()?.state?;
        self.areas.iter().all(|area| area.state == Some(first)).then_some(first)
    }
}

/// The region of a name in normal form, its state perhaps by its code (`eastern ky`); of people, one or many.
pub(super) fn find(name: &str) -> Option<&'static Region> {
    let people = || TABLE.get(name.strip_suffix('s')?).filter(|one| one.kind == RegionKind::People);
    let spelled_out = || {
        let (part, code) = name.rsplit_once(' ').filter(|(_, code)| code.len() == 2)?;
        let state: State = code.to_ascii_uppercase().parse().ok()?;
        TABLE.get(&format!("{part} {}", normalise(state.name())))
    };
    TABLE.get(name).or_else(people).or_else(spelled_out)
}

static TABLE: LazyLock<HashMap<String, Region>> = LazyLock::new(|| {
    let named = table!("data/regions.tsv").each(parse);
    let named = named.map(|(name, region)| (name.to_owned(), region));
    let parts = parts_of_states().into_iter();
    let parts = parts.map(|(name, areas)| (name, Region { kind: RegionKind::Region, areas }));
    let borders =
        borders_of_states().map(|(name, areas)| (name, Region { kind: RegionKind::Region, areas }));
    // Of two of one name the later is kept.
    parts.chain(borders).chain(named).collect()
});

/// The states around each, by the words that ask for these: `states bordering wyoming`.
fn borders_of_states() -> impl Iterator<Item = (String, Vec<Area>)> {
    let rows = table!("data/state_borders.tsv").each(|[state, borders]| {
        let areas: Option<Vec<Area>> = borders.split(',').map(area).collect();
        Some((normalise(state.parse::<State>().ok()?.name()), areas?))
    });
    rows.flat_map(|(name, areas)| {
        let named = phrases::of("states around").map(move |around| format!("{around} {name}"));
        named
            .filter(|name| name.split(' ').count() <= NAME_WORDS_MAX)
            .map(move |name| (name, areas.clone()))
    })
}

/// The names of regions and the nicknames of cities that prepositions lead to, in bytes of a text: `my apt in vegas`.
pub fn regions_led(text: &str) -> Vec<Range<usize>> {
    let tokens = Tokens::of(text);
    let is_led = |at: usize| {
        let before = at.checked_sub(1).map(|before| tokens.form(before));
        before.is_some_and(|word| {
            phrases::has("preposition", word) && !phrases::has("weak preposition", word)
        })
    };
    let named = |at: usize| {
        let ends = (at + 1..=(at + NAME_WORDS_MAX).min(tokens.len())).rev();
        ends.into_iter().find(|end| {
            let name = tokens.words(at..*end).and_then(|name| find(&name));
            name.is_some_and(|region| matches!(region.kind, RegionKind::Region | RegionKind::City))
        })
    };
    tokens.scan(|at| {
        if !is_led(at) {
            return None;
        }
        let end = named(at)?;
        Some((tokens.span(at..end), end))
    })
}

fn parse([name, areas, kind]: [&'static str; 3]) -> Option<(&'static str, Region)> {
    let kind = RegionKind::named(kind)?;
    let areas = areas.split(',').map(|text| area(text.trim())).collect::<Option<_>>()?;
    Some((name, Region { kind, areas }))
}

/// `OH`, `CA/Alameda` or `NY:New York`.
fn area(text: &str) -> Option<Area> {
    let state = Some(text.get(..2)?.parse().ok()?);
    let rest = &text[2..];
    let area = Area { state, ..Area::default() };
    Some(match rest.chars().next() {
        None => area,
        Some('/') => Area { county: Some(rest[1..].to_owned()), ..area },
        Some(':') => Area { city: Some(rest[1..].to_owned()), ..area },
        Some(_) => return None,
    })
}

/// Whether some words are what a town is called, and nothing else: `Reno`, `abq`.
pub fn is_town(name: &str) -> bool {
    let is_other_name = |region: &Region| region.kind == RegionKind::City;
    places::is_city(name) || find(&normalise(name)).is_some_and(is_other_name)
}

/// Whether some words are a side or a corner of a state: `northern nevada`.
pub(super) fn is_part_of_state(name: &str) -> bool {
    static PARTS: LazyLock<HashSet<String>> =
        LazyLock::new(|| parts_of_states().into_iter().map(|(name, _)| name).collect());
    PARTS.contains(name)
}

/// Whether a town is called by an ordinary word: `Hope`.
pub fn is_wordy_town(name: &str) -> bool {
    is_word(&places::city_key(name))
}

/// Whether a key of a city is an ordinary word too (`data/word_cities.txt`).
pub(super) fn is_word(key: &str) -> bool {
    WORD_CITIES.binary_search(&key).is_ok()
}

static WORD_CITIES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let mut keys: Vec<&str> = table!("data/word_cities.txt").lines().collect();
    keys.sort_unstable();
    keys
});

/// The box around the middles of a state's counties.
struct Extent {
    south: f64,
    west: f64,
    height: f64,
    width: f64,
}

impl Extent {
    fn of(points: &[Point]) -> Self {
        let span = |values: &mut dyn Iterator<Item = f64>| {
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                (low.min(value), high.max(value))
            })
        };
        let (south, north) = span(&mut points.iter().map(|point| point.latitude()));
        let (west, east) = span(&mut points.iter().map(|point| point.longitude()));
        Self { south, west, height: north - south, width: east - west }
    }

    /// Whether a point lies in the part that letters of the compass name: `sw`; `c` is the middle.
    fn has(&self, point: Point, part: &str) -> bool {
        let up = (point.latitude() - self.south) / self.height.max(f64::EPSILON);
        let right = (point.longitude() - self.west) / self.width.max(f64::EPSILON);
        let side = if part.len() > 1 { SIDE_OF_CORNER } else { SIDE };
        part.chars().all(|letter| match letter {
            'n' => up >= 1.0 - side,
            's' => up <= side,
            'e' => right >= 1.0 - side,
            'w' => right <= side,
            _ => (0.25..=0.75).contains(&up) && (0.25..=0.75).contains(&right),
        })
    }
}

/// The counties of every part of every state that has some, under each of its names in normal form.
fn parts_of_states() -> Vec<(String, Vec<Area>)> {
    let mut found = Vec::new();
    for state in State::all() {
        let own = |county: &&Locality| county.state == state;
        let located: Vec<(&Locality, Point)> = places::counties()
            .iter()
            .filter(own)
            .filter_map(|one| Some((one, one.point?)))
            .collect();
        if located.len() < COUNTIES_MIN {
            continue;
        }
        let points: Vec<Point> = located.iter().map(|(_, point)| *point).collect();
        let extent = Extent::of(&points);
        let name = normalise(state.name());
        for (part, words) in phrases::meanings("part of a state") {
            let there = located.iter().filter(|(_, point)| extent.has(*point, part));
            let area = |(county, _): &(&Locality, Point)| Area {
                state: Some(state),
                county: Some(county.name.to_owned()),
                ..Area::default()
            };
            let areas: Vec<Area> = there.map(area).collect();
            for word in words {
                let name = format!("{word} {name}");
                // `west virginia` is a state.
                if !areas.is_empty() && places::state_named(&name).is_none() {
                    found.push((name, areas.clone()));
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::understand::place::WORDS_MAX;

    fn exists(area: &Area) -> bool {
        let state = area.state.unwrap();
        let is_county = |name: &str| places::county(&places::county_key(name), state).is_some();
        let is_city = |name: &str| places::has_city(&places::city_key(name), state);
        area.county.as_deref().is_none_or(is_county) && area.city.as_deref().is_none_or(is_city)
    }

    #[test]
    fn states_around_one_and_nicknames_behind_prepositions_are_places() {
        let around = find("states bordering vermont").unwrap();
        let mut states: Vec<&str> =
            around.areas.iter().filter_map(|area| Some(area.state?.code())).collect();
        states.sort_unstable();
        assert_eq!(states, ["MA", "NH", "NY"]);
        for (text, expected) in [
            ("20 cats behind my apt in vegas who fixes strays", "vegas"),
            ("who feeds people around philly", "philly"),
            ("vegas magic", ""),
        ] {
            let found: Vec<&str> =
                regions_led(text).into_iter().map(|bytes| &text[bytes]).collect();
            assert_eq!(found.join("; "), expected, "{text}");
        }
    }

    #[test]
    fn a_state_in_a_name_may_be_its_code() {
        let areas = |name: &str| find(name).map(|region| region.areas.clone());
        assert!(areas("eastern kentucky").is_some());
        assert_eq!(areas("eastern ky"), areas("eastern kentucky"));
        assert_eq!(areas("eastern zz"), None);
    }

    #[test]
    fn every_place_of_the_table_exists() {
        assert!(TABLE.len() > 150);
        for (name, region) in TABLE.iter() {
            assert_eq!(normalise(name), *name);
            assert!(name.split(' ').count() <= WORDS_MAX, "{name}");
            for area in &region.areas {
                assert!(exists(area), "{name}: {area:?}");
            }
        }
    }

    #[test]
    fn cities_that_are_words() {
        for word in ["reading", "mobile", "hope"] {
            assert!(is_word(word), "{word}");
        }
        for name in ["boise", "chicago", "springfield", "houston"] {
            assert!(!is_word(name), "{name}");
        }
    }

    #[test]
    fn counties_lie_in_their_parts() {
        let has = |name: &str, county: &str| {
            let region = find(name).unwrap_or_else(|| panic!("{name}"));
            region.areas.iter().any(|area| area.county.as_deref() == Some(county))
        };
        for (part, inside, outside) in [
            ("southwest kansas", "Finney", "Johnson"),
            ("eastern montana", "Dawson", "Missoula"),
            ("western ks", "Finney", "Shawnee"),
            ("northern mississippi", "Lafayette", "Harrison"),
            ("central nebraska", "Custer", "Douglas"),
        ] {
            assert!(has(part, inside), "{part}: {inside}");
            assert!(!has(part, outside), "{part}: {outside}");
        }
    }

    #[test]
    fn states_are_no_parts_of_others() {
        assert!(find("west virginia").is_none());
    }
}
