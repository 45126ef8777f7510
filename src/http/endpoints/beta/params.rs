//! What the search takes, and what its explicit parameters ask for.

use uuid::Uuid;

use crate::http::interface::declared::{
    CITY, COUNTY, NTEE_CODES, PAGE, SESSION, STATE, ZIP_CODE, goals, size,
};
use crate::http::interface::filters::FACETS;
use crate::http::interface::filters::{FigureRanges, FlagFilters, SortOrder};
use crate::http::interface::parameter::{
    Many, Optional, Parameter, defaulted, many, optional, parameters,
};
use crate::http::interface::parameter_type::{Choice, Code, Goal, Number, Text};
use crate::index::columns::Facet;
use crate::query::{Area, Flag, Flags, Ranges, Sort, SortKey};
use crate::record::{OrgSize, Point, Sdg, State, Subsection, Zip5};
use crate::search::nonprofits::{Order, Query};
use crate::understand::{Extent, Frame, Model, NamedPlace, QUERY_CHARACTERS_MAX};

pub(crate) const SUBSECTION_CODES: Parameter<Code<Subsection>, Many> = many(
    "subsection_codes",
    Code::matching(r"^\d{2}$"),
    "Only these subsections of section 501(c): `03` is 501(c)(3).",
);

pub(crate) const FLAGS: FlagFilters = FlagFilters(&[Flag::Foundation, Flag::Deductible]);

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

pub(crate) const LOCATION_RANGE: Parameter<Number, Optional> =
    optional("location_range", Number::at_least(0.0), "Miles around the point; 0 is unlimited.");

pub(crate) const RANGES: FigureRanges = FigureRanges;

pub(crate) const SDGS: Parameter<Goal, Many> = goals("sdgs");

pub(crate) const ORG_SIZE: Parameter<Choice<OrgSize>, Many> =
    many("org_size", Choice::of(&OrgSize::ALL, OrgSize::name), "Only nonprofits of these sizes.");

const SORT: Parameter<SortOrder, Many> = many(
    "sort",
    SortOrder,
    "What to sort by, in order, `-` in front for descending; what is not known comes last. \
     `relevance`, in either direction the best first, is how well a nonprofit fits `q`, or its \
     revenue without one; with `q`, other keys sort the nonprofits that fit it best. `distance` \
     needs a point.",
);

parameters! {
    /// What the search takes.
    Params {
        q: Option<String> = optional(
            "q",
            Text::at_most(QUERY_CHARACTERS_MAX),
            "What to search for, in plain words: places, amounts and the like become filters, the rest ranks.",
        ),
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
        org_size: Vec<OrgSize> = ORG_SIZE,
        sort: Vec<Order> = SORT,
        max_vector_distance: Option<f64> = optional(
            "max_vector_distance",
            Number::between(0.0, 1.0),
            "How far from `q` in meaning a nonprofit may be; higher is more lenient.",
        ),
        model: Model = defaulted(
            "model",
            Choice::of(&[Model::MiniLm, Model::Grammar], Model::name).or(&[("gemini-2.5-flash-lite", Model::MiniLm), ("gpt-3.5-turbo-0125", Model::MiniLm)]),
            Model::MiniLm,
            "What interprets `q`. The names of hosted models, which clients of another service send, mean `minilm`: \
             the member `model` of the arguments says what ran.",
        ),
        extent: Extent = defaulted(
            "extent",
            Choice::of(&Extent::ALL, Extent::name),
            Extent::All,
            "Which nonprofits are listed and counted for the words of `q`: `all` that satisfy the filters, those that do not \
             fit the words last; or `fitting`, those that have all the words or come close to what was asked for.",
        ),
        page: i64 = PAGE,
        size: i64 = size(10),
        facets: Vec<Facet> = FACETS,
        session: Option<Uuid> = SESSION,
    }
    joined |input, errors| {
        match (&latitude, &longitude) {
            (Some(None), Some(None)) => {
                let by_distance = |order: &Order| {
                    matches!(order, Order::By(Sort { key: SortKey::Distance, .. }))
                };
                let why = "distance needs a point: give latitude and longitude";
                SORT.unfit_items(input, by_distance, why, errors);
            }
            (Some(None), _) => LATITUDE.missing(errors),
            (_, Some(None)) => LONGITUDE.missing(errors),
            _ => {}
        }
    }
}

impl Params {
    /// What the explicit parameters ask for.
    pub(crate) fn explicit(&self) -> Frame {
        let near = self.origin().map(|point| (point, self.location_range.unwrap_or(0.0)));
        let area = Area {
            state: self.state,
            county: self.county.clone(),
            city: self.city.clone(),
            zip: self.zip_code,
            near,
        };
        Frame {
            places: NamedPlace::of(area).into_iter().collect(),
            subsections: self.subsection_codes.clone(),
            flags: self.flags,
            ranges: self.ranges,
            sdgs: self.sdgs.iter().copied().collect(),
            ntee: self.ntee_codes.clone(),
            sizes: self.org_size.clone(),
            ..Frame::default()
        }
    }

    /// What distances are measured from.
    fn origin(&self) -> Option<Point> {
        let (north, east) = self.latitude.zip(self.longitude)?;
        Point::new(north, east).ok()
    }

    /// The page that is asked for, and its order.
    pub(crate) fn page_query(&self) -> Query {
        Query {
            origin: self.origin(),
            distance_max: self.max_vector_distance,
            sort: self.sort.clone(),
            ends_with_text: self.extent == Extent::Fitting,
            page: self.page as u64,
            size: self.size as usize,
            facets: self.facets.clone(),
            ..Query::default()
        }
    }
}
