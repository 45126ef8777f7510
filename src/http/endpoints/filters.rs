//! The filters of nonprofits that are asked for by parameters alone, without a sentence.

use super::beta::params::{
    FLAGS, LATITUDE, LOCATION_RANGE, LONGITUDE, ORG_SIZE, RANGES, SDGS, SUBSECTION_CODES,
};
use crate::http::interface::declared::{CITY, COUNTY, NTEE_CODES, STATE, ZIP_CODE, flag};
use crate::http::interface::filters::FlagFilters;
use crate::http::interface::input::Input;
use crate::http::interface::parameter::{Declared, Documented, many, parameters};
use crate::http::interface::parameter_type::Text;
use crate::http::interface::validation_error::{
    ParameterLocation, ValidationError, ValidationErrors,
};
use crate::query::{Area, Filters, Flag, Flags, Ranges};
use crate::record::{OrgSize, Point, Sdg, State, Subsection, Zip5};

/// Flags from the operator's records.
const MARKS: FlagFilters = FlagFilters(&[Flag::Vetted, Flag::Video]);

const NO_SOURCE: &str =
    "No source that is read says, so nobody satisfies it, whichever way it is asked for.";

parameters! {
    /// What nonprofits must satisfy.
    NonprofitFilters {
        subsection_codes: Vec<Subsection> = SUBSECTION_CODES,
        flags: Flags = FLAGS,
        latitude: Option<f64> = LATITUDE,
        longitude: Option<f64> = LONGITUDE,
        location_range: Option<f64> = LOCATION_RANGE,
        city: Option<String> = CITY,
        county: Option<String> = COUNTY,
        state: Option<State> = STATE,
        zip_code: Option<Zip5> = ZIP_CODE,
        ranges: Ranges = RANGES,
        sdgs: Vec<Sdg> = SDGS,
        ntee_codes: Vec<String> = NTEE_CODES,
        marks: Flags = MARKS,
        impact_url: Option<bool> = flag("impact_url", NO_SOURCE),
        org_size: Vec<OrgSize> = ORG_SIZE,
        has_social_media: Option<bool> = flag("has_social_media", NO_SOURCE),
        social_media: Vec<String> = many("social_media", Text::ANY, NO_SOURCE),
    }
    joined |_input, errors| {
        match (&latitude, &longitude) {
            (Some(None), Some(Some(_))) => LATITUDE.missing(errors),
            (Some(Some(_)), Some(None)) => LONGITUDE.missing(errors),
            _ => {}
        }
    }
}

/// The filters, for an endpoint to declare among its parameters.
pub(crate) struct AllFilters;

impl Declared for AllFilters {
    type Output = NonprofitFilters;

    fn read(
        &self,
        input: &Input<'_>,
        errors: &mut Vec<ValidationError>,
    ) -> Option<NonprofitFilters> {
        match NonprofitFilters::read(input) {
            Ok(filters) => Some(filters),
            Err(ValidationErrors(found)) => {
                errors.extend(found);
                None
            }
        }
    }
}

impl Documented for AllFilters {
    fn names(&self) -> Vec<(&'static str, ParameterLocation)> {
        NonprofitFilters::DECLARED.iter().flat_map(|one| one.names()).collect()
    }

    fn documents(&self) -> Vec<serde_json::Value> {
        NonprofitFilters::DECLARED.iter().flat_map(|one| one.documents()).collect()
    }
}

impl NonprofitFilters {
    /// Whether they ask for what no source supplies for any nonprofit.
    pub(crate) fn is_of_no_source(&self) -> bool {
        self.impact_url.is_some()
            || self.has_social_media.is_some()
            || !self.social_media.is_empty()
    }

    /// What they ask for besides.
    pub(crate) fn filters(&self) -> Filters {
        let point = self.latitude.zip(self.longitude);
        let point = point.and_then(|(north, east)| Point::new(north, east).ok());
        let area = Area {
            state: self.state,
            county: self.county.clone(),
            city: self.city.clone(),
            zip: self.zip_code,
            near: point.map(|point| (point, self.location_range.unwrap_or(0.0))),
        };
        Filters {
            subsections: self.subsection_codes.clone(),
            flags: self.flags.overridden_by(&self.marks),
            areas: if area.is_whole() { Vec::new() } else { area.of_each_county() },
            ranges: self.ranges,
            sdgs: self.sdgs.iter().copied().collect(),
            ntee_prefixes: self.ntee_codes.clone(),
            sizes: self.org_size.clone(),
            ..Filters::default()
        }
    }
}
