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

    /// An area for each county of a list with commas, alike in all else: counties have no commas in their names.
    pub fn of_each_county(self) -> Vec<Self> {
        let counties = self.county.iter().flat_map(|list| list.split(',')).map(str::trim);
        let of = |county: &str| Self { county: Some(county.to_owned()), ..self.clone() };
        let each: Vec<Self> = counties.filter(|county| !county.is_empty()).map(of).collect();
        if each.is_empty() { vec![self] } else { each }
    }

    /// The point and the radius in miles, if it is limited.
    pub fn circle(&self) -> Option<(Point, f64)> {
        self.near.filter(|&(_, miles)| miles > 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_counties_is_an_area_each() {
        let of = |county: &str| {
            let area = Area { county: Some(county.to_owned()), ..Area::default() };
            let each = area.of_each_county().into_iter().map(|area| area.county.unwrap());
            each.collect::<Vec<_>>()
        };
        assert_eq!(of("Pike, Floyd County,Bell"), ["Pike", "Floyd County", "Bell"]);
        assert_eq!(of("Pike"), ["Pike"]);
        assert_eq!(of(" ,"), [" ,"]);
        assert_eq!(Area::default().of_each_county(), [Area::default()]);
    }
}
