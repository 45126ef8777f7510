//! The filters of nonprofits: those of every search, and those of an endpoint that reads no sentence.

use crate::http::interface::declared::{CITY, COUNTIES, NTEE_CODES, STATE, ZIP_CODE, flag, goals};
use crate::http::interface::filters::{ChoiceFilters, FigureRanges, FlagFilters};
use crate::http::interface::parameter::{
    AllOf, Many, Optional, Parameter, many, optional, parameters,
};
use crate::http::interface::parameter_type::{Code, Number, Text};
use crate::query::{Area, Choices, Filters, Flag, Flags, Ranges};
use crate::record::{Point, Sdg, State, Subsection, Zip5};
use crate::understand::{Frame, NamedPlace};

pub(crate) const LATITUDE: Parameter<Number, Optional> = optional(
    "latitude",
    Number::between(-90.0, 90.0),
    "Degrees north of the point to search around; with `longitude`.",
);

pub(crate) const LONGITUDE: Parameter<Number, Optional> = optional(
    "longitude",
    Number::between(-180.0, 180.0),
    "Degrees east of the point to search around; with `latitude`.",
);

const SUBSECTION_CODES: Parameter<Code<Subsection>, Many> = many(
    "subsection_codes",
    Code::matching(r"^\d{2}$"),
    "Only these subsections of section 501(c): `03` is 501(c)(3).",
);

const FLAGS: FlagFilters = FlagFilters(&[
    Flag::Foundation,
    Flag::Operating,
    Flag::Church,
    Flag::Deductible,
    Flag::Form1023Ez,
    Flag::HasReturn,
]);

const LOCATION_RANGE: Parameter<Number, Optional> =
    optional("location_range", Number::at_least(0.0), "Miles around the point; 0 is unlimited.");

/// Flags from the operator's records.
const MARKS: FlagFilters = FlagFilters(&[Flag::Vetted, Flag::Video]);

const NO_SOURCE: &str =
    "No source that is read says, so nobody satisfies it, whichever way it is asked for.";

parameters! {
    /// What nonprofits of any search must satisfy.
    SearchFilters {
        subsection_codes: Vec<Subsection> = SUBSECTION_CODES,
        flags: Flags = FLAGS,
        latitude: Option<f64> = LATITUDE,
        longitude: Option<f64> = LONGITUDE,
        location_range: Option<f64> = LOCATION_RANGE,
        city: Option<String> = CITY,
        county: Option<String> = COUNTIES,
        state: Option<State> = STATE,
        zip_code: Option<Zip5> = ZIP_CODE,
        ranges: Ranges = FigureRanges,
        sdgs: Vec<Sdg> = goals("sdgs"),
        ntee_codes: Vec<String> = NTEE_CODES,
        choices: Choices = ChoiceFilters,
    }
    joined |_input, errors| {
        match (&latitude, &longitude) {
            (Some(None), Some(None)) => {}
            (Some(None), _) => LATITUDE.missing(errors),
            (_, Some(None)) => LONGITUDE.missing(errors),
            _ => {}
        }
    }
}

parameters! {
    /// What nonprofits must satisfy where parameters alone say so.
    NonprofitFilters {
        search: SearchFilters = SEARCH_FILTERS,
        marks: Flags = MARKS,
        impact_url: Option<bool> = flag("impact_url", NO_SOURCE),
        has_social_media: Option<bool> = flag("has_social_media", NO_SOURCE),
        social_media: Vec<String> = many("social_media", Text::ANY, NO_SOURCE),
    }
}

pub(crate) const SEARCH_FILTERS: AllOf<SearchFilters> =
    AllOf::new(SearchFilters::DECLARED, SearchFilters::read);

pub(crate) const NONPROFIT_FILTERS: AllOf<NonprofitFilters> =
    AllOf::new(NonprofitFilters::DECLARED, NonprofitFilters::read);

impl SearchFilters {
    /// What distances are measured from.
    pub(crate) fn origin(&self) -> Option<Point> {
        let (north, east) = self.latitude.zip(self.longitude)?;
        Point::new(north, east).ok()
    }

    /// What they ask for.
    pub(crate) fn frame(&self) -> Frame {
        let area = Area {
            state: self.state,
            county: self.county.clone(),
            city: self.city.clone(),
            zip: self.zip_code,
            near: self.origin().map(|point| (point, self.location_range.unwrap_or(0.0))),
        };
        Frame {
            places: NamedPlace::of(area).into_iter().collect(),
            subsections: self.subsection_codes.clone(),
            flags: self.flags,
            ranges: self.ranges,
            sdgs: self.sdgs.iter().copied().collect(),
            ntee: self.ntee_codes.clone(),
            choices: self.choices.clone(),
            ..Frame::default()
        }
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
        let flags = self.search.flags.overridden_by(&self.marks);
        // Where parameters alone ask, the amount of a revenue has to be known.
        Filters { flags, admits_ceilings: false, ..self.search.frame().filters() }
    }
}
