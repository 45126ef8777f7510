//! Parts of the country.

use crate::record::{Point, State, Zip5};

/// A part of the country. What is given must all hold; an area of which nothing is given is the
/// whole of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Area {
    pub state: Option<State>,
    /// As people type it.
    pub county: Option<String>,
    /// As people type it.
    pub city: Option<String>,
    pub zip: Option<Zip5>,
    /// Within this many miles of a point; 0 is unlimited.
    pub near: Option<(Point, f64)>,
}

impl Area {
    /// Whether it is the whole country, organizations of unknown place among it.
    pub fn is_whole(&self) -> bool {
        let Self { state, county, city, zip, near: _ } = self;
        state.is_none()
            && county.is_none()
            && city.is_none()
            && zip.is_none()
            && self.circle().is_none()
    }

    /// The point and the radius in miles, if it is limited.
    pub fn circle(&self) -> Option<(Point, f64)> {
        self.near.filter(|&(_, miles)| miles > 0.0)
    }
}
