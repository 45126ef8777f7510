//! What the search takes, and what its explicit parameters ask for.

use uuid::Uuid;

use crate::http::declared::{
    CITY, COUNTY, NTEE_CODES, PAGE, SESSION, STATE, ZIP_CODE, flag, goals, size,
};
use crate::http::kind::{Choice, Code, Flag, Goal, Number, Renamed, Text, Whole};
use crate::http::parameter::{
    Defaulted, Many, Optional, Parameter, check_range, defaulted, many, optional, parameters,
};
use crate::index::columns::{Area, Facet, Range, Sort, SortKey};
use crate::record::{OrgSize, Point, Sdg, State, Subsection, Zip5};
use crate::search::interpret::{Model, Presentation, QUERY_CHARACTERS_MAX};
use crate::search::nonprofits::Order;
use crate::understand::{Frame, Place};

const Q: Parameter<Text, Optional> = optional(
    "q",
    Text::at_most(QUERY_CHARACTERS_MAX),
    "What to search for, in plain words: places, amounts and the like become filters, the rest ranks.",
);

pub(in crate::http) const SUBSECTION_CODES: Parameter<Code<Subsection>, Many> = many(
    "subsection_codes",
    Code::matching(r"^\d{2}$"),
    "Only these subsections of section 501(c): `03` is 501(c)(3).",
);

pub(in crate::http) const FOUNDATION: Parameter<Flag, Optional> = flag(
    "foundation",
    "Only private foundations, or none of them; whose foundation code is not known is in neither.",
);

pub(in crate::http) const DEDUCTIBLE_DONATIONS: Parameter<Flag, Optional> = flag(
    "deductible_donations",
    "Only (or only not) nonprofits contributions to which are deductible, which those to a revoked one \
     are not; of which no list says is in neither.",
);

pub(in crate::http) const LATITUDE: Parameter<Number, Optional> = optional(
    "latitude",
    Number::between(-90.0, 90.0),
    "Degrees north of the point to search around; with `longitude`.",
);

pub(in crate::http) const LONGITUDE: Parameter<Number, Optional> = optional(
    "longitude",
    Number::between(-180.0, 180.0),
    "Degrees east of the point to search around; with `latitude`.",
);

pub(in crate::http) const LOCATION_RANGE: Parameter<Number, Optional> =
    optional("location_range", Number::at_least(0.0), "Miles around the point; 0 is unlimited.");

/// A bound of an amount that is not negative.
const fn amount(name: &'static str, description: &'static str) -> Parameter<Number, Optional> {
    optional(name, Number::at_least(0.0), description)
}

pub(in crate::http) const MIN_REVENUE: Parameter<Number, Optional> =
    amount("min_revenue", "At least this annual revenue, in dollars.");
pub(in crate::http) const MAX_REVENUE: Parameter<Number, Optional> =
    amount("max_revenue", "At most this annual revenue, in dollars; not below `min_revenue`.");
pub(in crate::http) const MIN_EXPENSES: Parameter<Number, Optional> =
    amount("min_expenses", "At least these annual expenses, in dollars.");
pub(in crate::http) const MAX_EXPENSES: Parameter<Number, Optional> =
    amount("max_expenses", "At most these annual expenses, in dollars; not below `min_expenses`.");
pub(in crate::http) const MIN_ASSETS: Parameter<Number, Optional> =
    amount("min_assets", "At least these total assets, in dollars.");
pub(in crate::http) const MAX_ASSETS: Parameter<Number, Optional> =
    amount("max_assets", "At most these total assets, in dollars; not below `min_assets`.");
pub(in crate::http) const MIN_EMPLOYEES: Parameter<Number, Optional> =
    amount("min_employees", "At least this many employees.");
pub(in crate::http) const MAX_EMPLOYEES: Parameter<Number, Optional> =
    amount("max_employees", "At most this many employees; not below `min_employees`.");
pub(in crate::http) const MIN_SCORE: Parameter<Number, Optional> =
    optional("min_score", Number::between(0.0, 100.0), "At least this organization score.");
pub(in crate::http) const MAX_SCORE: Parameter<Number, Optional> = optional(
    "max_score",
    Number::between(0.0, 100.0),
    "At most this organization score; not below `min_score`.",
);
pub(in crate::http) const MIN_RATING: Parameter<Number, Optional> =
    optional("min_rating", Number::between(0.0, 4.0), "At least this star rating.");
pub(in crate::http) const MAX_RATING: Parameter<Number, Optional> = optional(
    "max_rating",
    Number::between(0.0, 4.0),
    "At most this star rating; not below `min_rating`.",
);

pub(in crate::http) const SDGS: Parameter<Goal, Many> = goals("sdgs");

pub(in crate::http) const ORG_SIZE: Parameter<Choice<OrgSize>, Many> = many(
    "org_size",
    Choice(&[
        ("Small", OrgSize::Small),
        ("Medium", OrgSize::Medium),
        ("Large", OrgSize::Large),
        ("Super-Size", OrgSize::SuperSize),
    ]),
    "Only nonprofits of these sizes.",
);

const fn up(key: SortKey) -> Order {
    Order::By(Sort { key, descending: false })
}

const fn down(key: SortKey) -> Order {
    Order::By(Sort { key, descending: true })
}

const SORT: Parameter<Choice<Order>, Many> = many(
    "sort",
    Choice(&[
        ("relevance", Order::Relevance),
        ("-relevance", Order::Relevance),
        ("name", up(SortKey::Name)),
        ("-name", down(SortKey::Name)),
        ("revenue", up(SortKey::Revenue)),
        ("-revenue", down(SortKey::Revenue)),
        ("expenses", up(SortKey::Expenses)),
        ("-expenses", down(SortKey::Expenses)),
        ("assets", up(SortKey::Assets)),
        ("-assets", down(SortKey::Assets)),
        ("employees", up(SortKey::Employees)),
        ("-employees", down(SortKey::Employees)),
        ("score", up(SortKey::Score)),
        ("-score", down(SortKey::Score)),
        ("rating", up(SortKey::Rating)),
        ("-rating", down(SortKey::Rating)),
        ("distance", up(SortKey::Distance)),
        ("-distance", down(SortKey::Distance)),
    ]),
    "What to sort by, in order, `-` in front for descending; what is not known comes last. \
     `relevance`, in either direction the best first, is how well a nonprofit fits `q`, or its \
     revenue without one; with `q`, other keys sort the nonprofits that fit it best. `distance` \
     needs a point.",
);

const MAX_VECTOR_DISTANCE: Parameter<Number, Optional> = optional(
    "max_vector_distance",
    Number::between(0.0, 1.0),
    "How far from `q` in meaning a nonprofit may be; higher is more lenient.",
);

const MODEL: Parameter<Renamed<Model>, Defaulted<Model>> = defaulted(
    "model",
    Renamed {
        choice: Choice(&[("minilm", Model::MiniLm), ("grammar", Model::Grammar)]),
        further: &[("gemini-2.5-flash-lite", Model::MiniLm), ("gpt-3.5-turbo-0125", Model::MiniLm)],
    },
    Model::MiniLm,
    "What interprets `q`. The names of hosted models, which clients of another service send, mean `minilm`: \
     the member `model` of the arguments says what ran.",
);

const FACETS: Parameter<Choice<Facet>, Many> = many(
    "facets",
    Choice(&[
        ("state", Facet::State),
        ("ntee_major", Facet::NteeMajor),
        ("org_size", Facet::OrgSize),
        ("subsection", Facet::Subsection),
        ("ruling_decade", Facet::RulingDecade),
    ]),
    "What all nonprofits that satisfy the filters are counted by, in the member `facets`.",
);

const SIZE: Parameter<Whole, Defaulted<i64>> = size(10);

parameters! {
    /// What the search takes.
    Asked {
        q: Option<String> = Q,
        subsection_codes: Vec<Subsection> = SUBSECTION_CODES,
        foundation: Option<bool> = FOUNDATION,
        deductible_donations: Option<bool> = DEDUCTIBLE_DONATIONS,
        latitude: Option<f64> = LATITUDE,
        longitude: Option<f64> = LONGITUDE,
        location_range: Option<f64> = LOCATION_RANGE,
        city: Option<String> = CITY,
        county: Option<String> = COUNTY,
        state: Option<State> = STATE,
        zip_code: Option<Zip5> = ZIP_CODE,
        min_revenue: Option<f64> = MIN_REVENUE,
        max_revenue: Option<f64> = MAX_REVENUE,
        min_expenses: Option<f64> = MIN_EXPENSES,
        max_expenses: Option<f64> = MAX_EXPENSES,
        min_assets: Option<f64> = MIN_ASSETS,
        max_assets: Option<f64> = MAX_ASSETS,
        min_employees: Option<f64> = MIN_EMPLOYEES,
        max_employees: Option<f64> = MAX_EMPLOYEES,
        min_score: Option<f64> = MIN_SCORE,
        max_score: Option<f64> = MAX_SCORE,
        min_rating: Option<f64> = MIN_RATING,
        max_rating: Option<f64> = MAX_RATING,
        sdgs: Vec<Sdg> = SDGS,
        ntee_codes: Vec<String> = NTEE_CODES,
        org_size: Vec<OrgSize> = ORG_SIZE,
        sort: Vec<Order> = SORT,
        max_vector_distance: Option<f64> = MAX_VECTOR_DISTANCE,
        model: Model = MODEL,
        page: i64 = PAGE,
        size: i64 = SIZE,
        facets: Vec<Facet> = FACETS,
        session: Option<Uuid> = SESSION,
    }
    joined |input, faults| {
        match (&latitude, &longitude) {
            (Some(None), Some(None)) => {
                let by_distance = |order: &Order| {
                    matches!(order, Order::By(Sort { key: SortKey::Distance, .. }))
                };
                let why = "distance needs a point: give latitude and longitude";
                SORT.unfit_items(input, by_distance, why, faults);
            }
            (Some(None), _) => LATITUDE.missing(faults),
            (_, Some(None)) => LONGITUDE.missing(faults),
            _ => {}
        }
        check_range(input, (&MIN_REVENUE, &min_revenue), (&MAX_REVENUE, &max_revenue), faults);
        check_range(input, (&MIN_EXPENSES, &min_expenses), (&MAX_EXPENSES, &max_expenses), faults);
        check_range(input, (&MIN_ASSETS, &min_assets), (&MAX_ASSETS, &max_assets), faults);
        let low = (&MIN_EMPLOYEES, &min_employees);
        check_range(input, low, (&MAX_EMPLOYEES, &max_employees), faults);
        check_range(input, (&MIN_SCORE, &min_score), (&MAX_SCORE, &max_score), faults);
        check_range(input, (&MIN_RATING, &min_rating), (&MAX_RATING, &max_rating), faults);
    }
}

impl Asked {
    /// What the explicit parameters ask for.
    pub(in crate::http) fn explicit(&self) -> Frame {
        let range = |min, max| Range { min, max };
        let near = self.origin().map(|point| (point, self.location_range.unwrap_or(0.0)));
        let area = Area {
            state: self.state,
            county: self.county.clone(),
            city: self.city.clone(),
            zip: self.zip_code,
            near,
        };
        Frame {
            places: Place::of(area).into_iter().collect(),
            subsections: self.subsection_codes.clone(),
            foundation: self.foundation,
            deductible: self.deductible_donations,
            revenue: range(self.min_revenue, self.max_revenue),
            expenses: range(self.min_expenses, self.max_expenses),
            assets: range(self.min_assets, self.max_assets),
            employees: range(self.min_employees, self.max_employees),
            score: range(self.min_score, self.max_score),
            rating: range(self.min_rating, self.max_rating),
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

    pub(in crate::http) fn paging(&self) -> Presentation {
        Presentation {
            origin: self.origin(),
            distance_max: self.max_vector_distance,
            sort: self.sort.clone(),
            page: self.page as u64,
            size: self.size as usize,
            facets: self.facets.clone(),
            with_nearby: true,
        }
    }
}
