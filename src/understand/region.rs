//! Regions, metros, nicknames, demonyms and short names of states (`data/regions.tsv`), and parts of states.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::state_part;
use crate::naming::normalise;
use crate::query::Area;
use crate::record::State;
use crate::table::table;

/// What a name of the table is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RegionKind {
    Region,
    City,
    /// A demonym, singular.
    People,
    /// A state by another name.
    State,
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
    let parts = state_part::all().into_iter();
    let parts = parts.map(|(name, areas)| (name, Region { kind: RegionKind::Region, areas }));
    // Of two of one name the later is kept.
    parts.chain(named).collect()
});

fn parse([name, areas, kind]: [&'static str; 3]) -> Option<(&'static str, Region)> {
    let kind = match kind {
        "region" => RegionKind::Region,
        "city" => RegionKind::City,
        "people" => RegionKind::People,
        "state" => RegionKind::State,
        _ => return None,
    };
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

/// Whether a key of a city is an ordinary word too (`data/word_cities.txt`).
pub(super) fn is_word(key: &str) -> bool {
    WORD_CITIES.binary_search(&key).is_ok()
}

static WORD_CITIES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let mut keys: Vec<&str> = table!("data/word_cities.txt").lines().collect();
    keys.sort_unstable();
    keys
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::places;
    use crate::understand::place::WORDS_MAX;

    fn exists(area: &Area) -> bool {
        let state = area.state.unwrap();
        let county = area.county.as_deref().is_none_or(|name| {
            places::find_counties(&places::county_key(name)).iter().any(|c| c.state == state)
        });
        let city = area.city.as_deref().is_none_or(|name| {
            places::find_cities(&places::city_key(name)).iter().any(|c| c.state == state)
        });
        county && city
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
