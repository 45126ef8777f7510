//! What the search answers: the filters as they were understood, and a page of nonprofits.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::asked::Asked;
use crate::http::profile::Profile;
use crate::index::columns::Area;
use crate::record::{Ein, OrgSize, State, Zip5, as_written};
use crate::search::interpret::Interpretation;
use crate::search::nonprofits::{Found, Row};
use crate::understand::{Frame, Wanted, order_said};

/// The answer.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Answer<'a> {
    intent_details: Intent<'a>,
    nonprofits: Vec<Nonprofit<'a>>,
}

/// How the request was understood.
#[derive(Debug, Serialize)]
struct Intent<'a> {
    llm_response: Spoken,
    intent: Option<&'static str>,
    prompt: Option<&'a str>,
    cause: Option<&'a str>,
    city: Option<&'a str>,
    state: Option<State>,
    zip: Option<Zip5>,
    min_revenue: Option<f64>,
    max_revenue: Option<f64>,
    sdgs: Option<Vec<u8>>,
    ntee_codes: Option<&'a [String]>,
    organization_name: Option<&'a str>,
    organization_ein: Option<Ein>,
    min_score: Option<f64>,
    max_score: Option<f64>,
    min_rating: Option<f64>,
    max_rating: Option<f64>,
    org_size: Option<&'a [OrgSize]>,
}

/// The interpreter's own words.
#[derive(Debug, Serialize)]
struct Spoken {
    function_name: &'static str,
    arguments: Map<String, Value>,
    message: String,
}

/// A nonprofit found.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Nonprofit<'a> {
    #[serde(flatten)]
    profile: Profile<'a>,
    cn_score: Option<f64>,
    cn_rating: Option<f64>,
    cn_size: Option<OrgSize>,
    vector_score: Option<f64>,
}

const SEARCH: &str = "search_nonprofits";

/// A list, unless it is empty: an empty one asks nothing.
fn given<T>(list: &[T]) -> Option<&[T]> {
    (!list.is_empty()).then_some(list)
}

impl<'a> Answer<'a> {
    pub(super) fn of(asked: &'a Asked, understood: &'a Interpretation, found: &'a Found) -> Self {
        let frame = &understood.frame;
        let named = frame.organization.as_ref();
        let itself = named.filter(|named| named.wanted == Wanted::Itself);
        let interpretation = Spoken {
            function_name: SEARCH,
            arguments: arguments(frame, asked.max_vector_distance),
            message: understood.sentence(found, asked.max_vector_distance),
        };
        let goals = frame.goals();
        let intent_details = Intent {
            llm_response: interpretation,
            intent: Some(SEARCH),
            prompt: asked.q.as_deref(),
            cause: frame.cause.as_deref(),
            city: frame.city(),
            state: frame.state(),
            zip: frame.zip(),
            min_revenue: frame.revenue.min,
            max_revenue: frame.revenue.max,
            sdgs: (!goals.is_empty()).then_some(goals),
            ntee_codes: given(&frame.ntee),
            organization_name: named.map(|named| named.name.as_str()),
            organization_ein: match frame.eins[..] {
                [only] => Some(only),
                _ => itself.and_then(|named| named.ein),
            },
            min_score: frame.score.min,
            max_score: frame.score.max,
            min_rating: frame.rating.min,
            max_rating: frame.rating.max,
            org_size: given(&frame.sizes),
        };
        let nonprofits = found.rows.iter().map(Nonprofit::of).collect();
        Self { intent_details, nonprofits }
    }
}

impl<'a> Nonprofit<'a> {
    fn of(row: &'a Row) -> Self {
        let organization = &row.organization;
        let overlay = organization.overlay.as_deref();
        Self {
            profile: Profile::of(organization),
            cn_score: overlay.and_then(|overlay| overlay.score).map(as_written),
            cn_rating: overlay.and_then(|overlay| overlay.rating).map(as_written),
            cn_size: organization.size(),
            vector_score: row.cosine.map(f64::from),
        }
    }
}

/// The filters that apply, under the names of their parameters; those that ask nothing are left
/// out, and what no parameter can ask for has a name of its own.
fn arguments(frame: &Frame, max_vector_distance: Option<f64>) -> Map<String, Value> {
    let codes: Vec<_> = frame.subsections.iter().map(ToString::to_string).collect();
    let goals = frame.goals();
    let areas: Vec<&Area> = frame.places.iter().flat_map(|place| &place.areas).collect();
    let not_areas: Vec<Value> =
        frame.not_places.iter().flat_map(|place| &place.areas).map(area_arguments).collect();
    let similar = frame.organization.as_ref().filter(|named| named.wanted == Wanted::Similar);
    let mut all = vec![
        ("cause", json!(frame.cause)),
        ("subsection_codes", json!(given(&codes))),
        ("foundation", json!(frame.foundation)),
        ("deductible_donations", json!(frame.deductible)),
        ("inactive", json!(frame.inactive)),
        ("eins", json!(given(&frame.eins))),
        ("similar_to", json!(similar.and_then(|named| named.ein))),
        ("min_revenue", json!(frame.revenue.min)),
        ("max_revenue", json!(frame.revenue.max)),
        ("min_expenses", json!(frame.expenses.min)),
        ("max_expenses", json!(frame.expenses.max)),
        ("min_assets", json!(frame.assets.min)),
        ("max_assets", json!(frame.assets.max)),
        ("min_employees", json!(frame.employees.min)),
        ("max_employees", json!(frame.employees.max)),
        ("min_score", json!(frame.score.min)),
        ("max_score", json!(frame.score.max)),
        ("min_rating", json!(frame.rating.min)),
        ("max_rating", json!(frame.rating.max)),
        ("sdgs", json!(given(&goals))),
        ("ntee_codes", json!(given(&frame.ntee))),
        ("not_ntee_codes", json!(given(&frame.not_ntee))),
        ("org_size", json!(given(&frame.sizes))),
        ("not_in", json!(given(&not_areas))),
        ("max_vector_distance", json!(max_vector_distance)),
    ];
    let several: Vec<Value> = match areas[..] {
        [] | [_] => Vec::new(),
        _ => areas.iter().copied().map(area_arguments).collect(),
    };
    all.push(("any_of", json!(given(&several))));
    let mut arguments: Map<String, Value> = all
        .into_iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
    if let [only] = areas[..]
        && let Value::Object(place) = area_arguments(only)
    {
        arguments.extend(place);
    }
    let sort: Vec<&str> = frame.sort.iter().map(|sort| order_said(*sort)).collect();
    if !sort.is_empty() {
        arguments.insert("sorted_by".to_owned(), json!(sort));
    }
    arguments
}

/// An area under the names of the parameters.
fn area_arguments(area: &Area) -> Value {
    let near = area.near;
    let all = [
        ("latitude", json!(near.map(|near| near.0.latitude()))),
        ("longitude", json!(near.map(|near| near.0.longitude()))),
        ("location_range", json!(near.map(|near| near.1))),
        ("city", json!(area.city)),
        ("county", json!(area.county)),
        ("state", json!(area.state)),
        ("zip_code", json!(area.zip)),
    ];
    let known = all.into_iter().filter(|(_, value)| !value.is_null());
    Value::Object(known.map(|(name, value)| (name.to_owned(), value)).collect())
}
