//! Names of cities and counties that the gazetteer does not have, each with the nearest that it has: a filter by a
//! misspelt place matches nobody, which would otherwise be taken for "there is none".

use std::fmt;

use super::{Locality, cities, city_key, counties, county_key, find_cities, find_counties};
use crate::naming::{edits, edits_max};
use crate::record::State;

/// Near names that are given, at most.
const NEAREST_MAX: usize = 3;

/// What a name is one of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Division {
    City,
    County,
}

impl Division {
    /// What people and the parameters of filters call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::City => "city",
            Self::County => "county",
        }
    }

    fn key(self, name: &str) -> String {
        match self {
            Self::City => city_key(name),
            Self::County => county_key(name),
        }
    }

    fn all(self) -> &'static [Locality] {
        match self {
            Self::City => cities(),
            Self::County => counties(),
        }
    }

    fn of_key(self, key: &str) -> &'static [Locality] {
        match self {
            Self::City => find_cities(key),
            Self::County => find_counties(key),
        }
    }
}

/// A city or a county that is not in the gazetteer, or not in that state.
#[derive(Debug, Clone, PartialEq)]
pub struct UnknownPlace {
    pub division: Division,
    /// As it was typed.
    pub name: String,
    /// Where it was looked for; `None` everywhere.
    pub state: Option<State>,
    /// Known ones, the nearest by name first: those of the state, else of the very name elsewhere.
    pub nearest: Vec<&'static Locality>,
}

impl UnknownPlace {
    /// `None` where there is a place of that name. Costs a look at each place of the country where there is none.
    pub fn of(division: Division, name: &str, state: Option<State>) -> Option<Self> {
        let key = division.key(name);
        let namesakes = division.of_key(&key);
        let is_there = |one: &Locality| state.is_none_or(|state| one.state == state);
        if key.is_empty() || namesakes.iter().any(is_there) {
            return None;
        }
        let here = division.all().iter().filter(|one| is_there(one));
        let mut near: Vec<_> = here.filter_map(|one| Some((apart(&key, &one.key)?, one))).collect();
        // Of many names that are as near, the largest is the likeliest.
        near.sort_by_key(|(apart, one)| (*apart, std::cmp::Reverse(one.zips.len())));
        let near = near.into_iter().map(|(_, one)| one).chain(namesakes);
        let nearest = near.take(NEAREST_MAX).collect();
        Some(Self { division, name: name.to_owned(), state, nearest })
    }
}

/// How far apart two keys are: edits, or words that only one of them has; `None` where they are not near.
fn apart(asked: &str, known: &str) -> Option<usize> {
    let by_letters = edits(asked, known, edits_max(asked.chars().count())).map(|edits| 2 * edits);
    by_letters.or_else(|| {
        let [asked, known] = [asked, known].map(|key| key.split(' ').collect::<Vec<_>>());
        let (few, many) = if asked.len() < known.len() { (asked, known) } else { (known, asked) };
        few.iter().all(|word| many.contains(word)).then(|| 2 * (many.len() - few.len()) + 1)
    })
}

/// A clause without a full stop.
impl fmt::Display for UnknownPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { division, name, state, nearest } = self;
        write!(f, "no {} “{name}” is known", division.name())?;
        if let Some(state) = state {
            write!(f, " in {}", state.name())?;
        }
        for (at, one) in nearest.iter().enumerate() {
            f.write_str(match at {
                0 => "; nearest by name: ",
                _ if at + 1 == nearest.len() => " or ",
                _ => ", ",
            })?;
            match *state {
                Some(state) if state == one.state => f.write_str(one.name)?,
                _ => write!(f, "{} ({})", one.name, one.state)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_place_comes_with_the_nearest_names() {
        let check = |division, name: &str, state: Option<&str>, said: Option<&str>| {
            let state = state.map(|code| code.parse().unwrap());
            let unknown = UnknownPlace::of(division, name, state).map(|one| one.to_string());
            assert_eq!(unknown.as_deref(), said);
        };
        let (city, county) = (Division::City, Division::County);
        check(county, "Saint Lawrence County", Some("NY"), None);
        check(county, "st. lawrence", None, None);
        check(
            county,
            "Saint Lawrence",
            Some("VT"),
            Some(
                "no county “Saint Lawrence” is known in Vermont; nearest by name: St. Lawrence (NY)",
            ),
        );
        check(
            county,
            "Chitenden County",
            Some("VT"),
            Some("no county “Chitenden County” is known in Vermont; nearest by name: Chittenden"),
        );
        check(
            county,
            "Baton Rouge",
            Some("LA"),
            Some(
                "no county “Baton Rouge” is known in Louisiana; nearest by name: East Baton Rouge or West Baton Rouge",
            ),
        );
        check(county, "Xyzzyx", None, Some("no county “Xyzzyx” is known"));
        check(county, "", Some("VT"), None);
        check(city, "S BURLINGTON", Some("VT"), None);
        check(
            city,
            "Montpeliar",
            Some("VT"),
            Some("no city “Montpeliar” is known in Vermont; nearest by name: Montpelier"),
        );
    }
}
