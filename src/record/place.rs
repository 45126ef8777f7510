//! States, ZIP codes and points.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::named::text_serde;

/// Why a text is not a state or a ZIP code, or numbers are not a point.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found {found:?}")]
pub struct PlaceError {
    expected: &'static str,
    found: String,
}

/// A USPS code: a state, the District of Columbia, a territory or freely associated state, or a
/// military region (AA, AE, AP).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State(u8);

/// Code and name, sorted by code. Source: USPS Publication 28, appendix B.
#[rustfmt::skip]
const STATES: [(&str, &str); 62] = [
    ("AA", "Armed Forces Americas"), ("AE", "Armed Forces Europe"), ("AK", "Alaska"),
    ("AL", "Alabama"), ("AP", "Armed Forces Pacific"), ("AR", "Arkansas"),
    ("AS", "American Samoa"), ("AZ", "Arizona"), ("CA", "California"), ("CO", "Colorado"),
    ("CT", "Connecticut"), ("DC", "District of Columbia"), ("DE", "Delaware"), ("FL", "Florida"),
    ("FM", "Federated States of Micronesia"), ("GA", "Georgia"), ("GU", "Guam"), ("HI", "Hawaii"),
    ("IA", "Iowa"), ("ID", "Idaho"), ("IL", "Illinois"), ("IN", "Indiana"), ("KS", "Kansas"),
    ("KY", "Kentucky"), ("LA", "Louisiana"), ("MA", "Massachusetts"), ("MD", "Maryland"),
    ("ME", "Maine"), ("MH", "Marshall Islands"), ("MI", "Michigan"), ("MN", "Minnesota"),
    ("MO", "Missouri"), ("MP", "Northern Mariana Islands"), ("MS", "Mississippi"),
    ("MT", "Montana"), ("NC", "North Carolina"), ("ND", "North Dakota"), ("NE", "Nebraska"),
    ("NH", "New Hampshire"), ("NJ", "New Jersey"), ("NM", "New Mexico"), ("NV", "Nevada"),
    ("NY", "New York"), ("OH", "Ohio"), ("OK", "Oklahoma"), ("OR", "Oregon"),
    ("PA", "Pennsylvania"), ("PR", "Puerto Rico"), ("PW", "Palau"), ("RI", "Rhode Island"),
    ("SC", "South Carolina"), ("SD", "South Dakota"), ("TN", "Tennessee"), ("TX", "Texas"),
    ("UT", "Utah"), ("VA", "Virginia"), ("VI", "U.S. Virgin Islands"), ("VT", "Vermont"),
    ("WA", "Washington"), ("WI", "Wisconsin"), ("WV", "West Virginia"), ("WY", "Wyoming"),
];

impl State {
    /// Every state, sorted by code.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..STATES.len() as u8).map(Self)
    }

    /// The two capital letters.
    pub fn code(self) -> &'static str {
        STATES[usize::from(self.0)].0
    }

    /// The name in full.
    pub fn name(self) -> &'static str {
        STATES[usize::from(self.0)].1
    }

    /// Its place in the order of codes, 0 to 61, for columns.
    pub fn index(self) -> u8 {
        self.0
    }

    /// The state of an index, if there is one.
    pub fn from_index(index: u8) -> Option<Self> {
        (usize::from(index) < STATES.len()).then_some(Self(index))
    }
}

impl FromStr for State {
    type Err = PlaceError;

    /// Reads a code in any case.
    fn from_str(text: &str) -> Result<Self, PlaceError> {
        let code = text.to_ascii_uppercase();
        STATES
            .binary_search_by_key(&code.as_str(), |state| state.0)
            .map(|at| Self(at as u8))
            .map_err(|_| PlaceError {
                expected: "a USPS state code, such as OH",
                found: text.chars().take(20).collect(),
            })
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "State({})", self.code())
    }
}

text_serde!(State, code);

/// A five-digit ZIP code, leading zeros kept.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Zip5(u32);

impl Zip5 {
    /// The number, 0 to 99,999, for columns; sorts as the digits do.
    pub fn pack(self) -> u32 {
        self.0
    }

    /// The ZIP code of a packed number, if it is below 100,000.
    pub fn unpack(packed: u32) -> Option<Self> {
        (packed < 100_000).then_some(Self(packed))
    }
}

impl FromStr for Zip5 {
    type Err = PlaceError;

    fn from_str(text: &str) -> Result<Self, PlaceError> {
        let good = text.len() == 5 && text.bytes().all(|byte| byte.is_ascii_digit());
        good.then(|| text.parse().ok().map(Self)).flatten().ok_or_else(|| PlaceError {
            expected: "a ZIP code of five digits",
            found: text.chars().take(20).collect(),
        })
    }
}

impl fmt::Display for Zip5 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:05}", self.0)
    }
}

impl fmt::Debug for Zip5 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Zip5({:05})", self.0)
    }
}

text_serde!(Zip5, packed: "a ZIP code of more than five digits");

/// Mean radius of the Earth in miles (6,371.0088 km, IUGG).
pub const EARTH_RADIUS_MILES: f64 = 3_958.761_3;

/// A point on the Earth: degrees north and east.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Point {
    latitude: f64,
    longitude: f64,
}

impl Point {
    /// The point of a latitude (−90 to 90) and a longitude (−180 to 180).
    ///
    /// # Errors
    /// When either is outside its range or not a number.
    pub fn new(latitude: f64, longitude: f64) -> Result<Self, PlaceError> {
        if (-90.0..=90.0).contains(&latitude) && (-180.0..=180.0).contains(&longitude) {
            return Ok(Self { latitude, longitude });
        }
        Err(PlaceError {
            expected: "a latitude of -90 to 90 and a longitude of -180 to 180",
            found: format!("{latitude}, {longitude}"),
        })
    }

    /// Degrees north.
    pub fn latitude(self) -> f64 {
        self.latitude
    }

    /// Degrees east.
    pub fn longitude(self) -> f64 {
        self.longitude
    }

    /// Great-circle distance in miles, by the haversine formula on a sphere of mean radius.
    pub fn distance_miles(self, other: Self) -> f64 {
        let (lat_a, lat_b) = (self.latitude.to_radians(), other.latitude.to_radians());
        let half_lat = (lat_b - lat_a) / 2.0;
        let half_lng = (other.longitude - self.longitude).to_radians() / 2.0;
        let h = half_lat.sin().powi(2) + lat_a.cos() * lat_b.cos() * half_lng.sin().powi(2);
        2.0 * EARTH_RADIUS_MILES * h.sqrt().min(1.0).asin()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_sorted_and_found_in_any_case() {
        assert!(STATES.is_sorted());
        assert_eq!("vt".parse::<State>().unwrap().name(), "Vermont");
        for state in State::all() {
            assert_eq!(state.code().parse::<State>(), Ok(state));
            assert_eq!(State::from_index(state.index()), Some(state));
        }
        for bad in ["", "ZZ", "V", "VTX", "éé"] {
            assert!(bad.parse::<State>().is_err(), "{bad:?}");
        }
        assert_eq!(State::from_index(62), None);
    }

    #[test]
    fn zip_codes_keep_their_zeros() {
        assert_eq!("00501".parse::<Zip5>().unwrap().to_string(), "00501");
        for bad in ["", "501", "005011", "0050a", "٠٠٥٠١"] {
            assert!(bad.parse::<Zip5>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn great_circle() {
        let burlington = Point::new(44.4759, -73.2121).unwrap();
        let boston = Point::new(42.3601, -71.0589).unwrap();
        let miles = burlington.distance_miles(boston);
        assert!((181.0..183.0).contains(&miles), "{miles}");
        let pole = Point::new(90.0, 0.0).unwrap().distance_miles(Point::new(-90.0, 0.0).unwrap());
        assert!((pole - std::f64::consts::PI * EARTH_RADIUS_MILES).abs() < 1e-6);
        assert_eq!(boston.distance_miles(boston), 0.0);
        assert!(Point::new(f64::NAN, 0.0).is_err());
        assert!(Point::new(0.0, 180.1).is_err());
    }
}
