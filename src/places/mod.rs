//! Gazetteer: ZIP codes, cities, counties, states.
//!
//! [`zip()`] answers from a table of the Postal Service's ZIP codes, [`full_city`] writes out what
//! the master file shortens, [`city_key`] and [`county_key`] are the forms in which places are
//! compared, and [`find_cities`] and [`find_counties`] look up by them. Distances are on
//! [`Point`]. [`UnknownPlace`] tells a misspelt place from one without nonprofits.

mod abbreviation;
mod abroad;
mod full_name;
mod gazetteer;
mod key;
mod unknown;
mod zip_table;

#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use crate::naming::normalise;
use crate::record::{Point, State, Zip5};

pub use abroad::{city_abroad, countries_in_texts, is_country};
pub use full_name::full_city;
pub use gazetteer::{
    Locality, cities, city, counties, county, county_of_city, find_cities, find_counties, has_city,
    is_city,
};
pub use key::{city_key, county_key};
pub use unknown::{Division, UnknownPlace};

/// What is known of a ZIP code.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ZipPlace {
    pub state: State,
    /// The primary city's full name, in title case.
    pub city: &'static str,
    /// Without “County” or “Parish”, in title case; an independent city keeps “City”.
    pub county: Option<&'static str>,
    /// The centroid.
    pub point: Option<Point>,
}

/// What is known of a ZIP code; `None` for one that the table lacks.
pub fn zip(zip: Zip5) -> Option<ZipPlace> {
    zip_table::row(zip).map(|row| row.place)
}

/// Miles that a degree of latitude has at least.
const DEGREE_MILES_MIN: f64 = 68.0;

/// The states that have a ZIP code within some miles of a point, in the order of their codes. Costs a look at each ZIP
/// code.
pub fn states_within(point: Point, miles: f64) -> Vec<State> {
    let mut found = BTreeSet::new();
    for row in zip_table::rows() {
        let place = &row.place;
        let is_within = |other: Point| {
            let north = (other.latitude() - point.latitude()).abs();
            north * DEGREE_MILES_MIN <= miles && other.distance_miles(point) <= miles
        };
        if !found.contains(&place.state) && place.point.is_some_and(is_within) {
            found.insert(place.state);
        }
    }
    found.into_iter().collect()
}

/// The state that a text says by its USPS code, also as `N.J.`, or by its name.
pub fn state(text: &str) -> Option<State> {
    let text = text.trim().trim_end_matches('.');
    text.replace('.', "").parse().ok().or_else(|| state_named(&normalise(text)))
}

/// The state of a name in normal form, written out.
pub fn state_named(name: &str) -> Option<State> {
    static STATES: LazyLock<HashMap<String, State>> =
        LazyLock::new(|| State::all().map(|state| (normalise(state.name()), state)).collect());
    STATES.get(name).copied()
}
