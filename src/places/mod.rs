//! Gazetteer: ZIP codes, cities, counties, states.
//!
//! [`zip()`] answers from a table of the Postal Service's ZIP codes, [`full_city`] writes out what
//! the master file shortens, [`city_key`] and [`county_key`] are the forms in which places are
//! compared, and [`find_cities`] and [`find_counties`] look up by them. Distances are on
//! [`Point`].

mod abbreviation;
mod abroad;
mod full_name;
mod gazetteer;
mod key;
mod zip_table;

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::naming::normalise;
use crate::record::{Point, State, Zip5};

pub use abroad::{city_abroad, countries_in_texts, is_country};
pub use full_name::full_city;
pub use gazetteer::{
    Locality, cities, city, counties, county, find_cities, find_counties, has_city,
};
pub use key::{city_key, county_key};

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

/// The state of a name in normal form, written out.
pub fn state_named(name: &str) -> Option<State> {
    static STATES: LazyLock<HashMap<String, State>> =
        LazyLock::new(|| State::all().map(|state| (normalise(state.name()), state)).collect());
    STATES.get(name).copied()
}
