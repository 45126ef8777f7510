//! Gazetteer: ZIP codes, cities, counties, states.

use crate::record::{Point, State, Zip5};

/// What is known of a ZIP code.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ZipPlace {
    pub state: State,
    /// The primary city's full name, in title case.
    pub city: &'static str,
    /// Without “County” or “Parish”, in title case.
    pub county: Option<&'static str>,
    pub point: Option<Point>,
}

/// What is known of a ZIP code; `None` for one that the table lacks.
pub fn zip(_zip: Zip5) -> Option<ZipPlace> {
    None
}

/// The full name, in title case, of a city as the master file spells it.
pub fn full_city(filed: &str, _zip: Option<Zip5>, _state: Option<State>) -> String {
    filed.to_owned()
}

/// The form in which city names are compared: normalised, abbreviations such as St and Ft spelled
/// out.
pub fn city_key(name: &str) -> String {
    name.to_lowercase()
}

/// The form in which county names are compared: as [`city_key`], without a trailing “County”,
/// “Parish”, “Borough” and the like.
pub fn county_key(name: &str) -> String {
    name.to_lowercase()
}
