//! What the search answers: the filters as they were understood, and a page of nonprofits.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::asked::Asked;
use crate::http::profile::Profile;
use crate::record::{Ein, OrgSize, Sdg, State, Zip5};
use crate::search::nonprofits::{Found, Order, Row};

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
    llm_response: Interpretation,
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
struct Interpretation {
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
    pub(super) fn of(asked: &'a Asked, found: &'a Found) -> Self {
        let goals: Vec<u8> = asked.sdgs.iter().copied().map(Sdg::number).collect();
        let interpretation = Interpretation {
            function_name: SEARCH,
            arguments: arguments(asked),
            message: message(asked, found),
        };
        let intent_details = Intent {
            llm_response: interpretation,
            intent: Some(SEARCH),
            prompt: asked.q.as_deref(),
            cause: None,
            city: asked.city.as_deref(),
            state: asked.state,
            zip: asked.zip_code,
            min_revenue: asked.min_revenue,
            max_revenue: asked.max_revenue,
            sdgs: (!goals.is_empty()).then_some(goals),
            ntee_codes: given(&asked.ntee_codes),
            organization_name: None,
            organization_ein: None,
            min_score: asked.min_score,
            max_score: asked.max_score,
            min_rating: asked.min_rating,
            max_rating: asked.max_rating,
            org_size: given(&asked.org_size),
        };
        let nonprofits = found.rows.iter().map(Nonprofit::of).collect();
        Self { intent_details, nonprofits }
    }
}

impl<'a> Nonprofit<'a> {
    fn of(row: &'a Row) -> Self {
        let organization = &row.organization;
        let finances = &organization.finances;
        Self {
            profile: Profile::of(organization),
            cn_score: None,
            cn_rating: None,
            cn_size: OrgSize::of(finances.expenses, finances.revenue),
            vector_score: row.cosine.map(f64::from),
        }
    }
}

/// What was done, in plain words.
fn message(asked: &Asked, found: &Found) -> String {
    let plural = |count: u64, one: &str, more: &str| match count {
        1 => format!("1 nonprofit {one}"),
        _ => format!("{count} nonprofits {more}"),
    };
    let mut message = plural(found.total, "satisfies the filters", "satisfy the filters");
    if asked.q.as_deref().is_some_and(|q| !q.trim().is_empty()) {
        if let Some(distance) = asked.max_vector_distance {
            message.push_str(&match found.plan.meaning {
                Some(_) => format!(" within a distance of {distance} in meaning"),
                None => " (max_vector_distance asks nothing: there are no embeddings)".to_owned(),
            });
        }
        message.push_str(match asked.sort.first() {
            None | Some(Order::Relevance) => ", ranked by how well they fit the query",
            Some(Order::By(_)) => "; those that fit the query best are shown, sorted",
        });
    }
    message.push('.');
    if found.unknown > 0 {
        let left_out = plural(found.unknown, "more was left out", "more were left out");
        message.push_str(&format!(" {left_out}: a figure that a filter asks about is not known."));
    }
    message
}

/// The filters that apply, under the names of their parameters; those not given are left out.
fn arguments(asked: &Asked) -> Map<String, Value> {
    let codes: Vec<_> = asked.subsection_codes.iter().map(ToString::to_string).collect();
    let goals: Vec<_> = asked.sdgs.iter().copied().map(Sdg::number).collect();
    let all = [
        ("subsection_codes", json!(given(&codes))),
        ("foundation", json!(asked.foundation)),
        ("deductible_donations", json!(asked.deductible_donations)),
        ("latitude", json!(asked.latitude)),
        ("longitude", json!(asked.longitude)),
        ("location_range", json!(asked.location_range)),
        ("city", json!(asked.city)),
        ("county", json!(asked.county)),
        ("state", json!(asked.state)),
        ("zip_code", json!(asked.zip_code)),
        ("min_revenue", json!(asked.min_revenue)),
        ("max_revenue", json!(asked.max_revenue)),
        ("min_expenses", json!(asked.min_expenses)),
        ("max_expenses", json!(asked.max_expenses)),
        ("min_assets", json!(asked.min_assets)),
        ("max_assets", json!(asked.max_assets)),
        ("min_employees", json!(asked.min_employees)),
        ("max_employees", json!(asked.max_employees)),
        ("min_score", json!(asked.min_score)),
        ("max_score", json!(asked.max_score)),
        ("min_rating", json!(asked.min_rating)),
        ("max_rating", json!(asked.max_rating)),
        ("sdgs", json!(given(&goals))),
        ("ntee_codes", json!(given(&asked.ntee_codes))),
        ("org_size", json!(given(&asked.org_size))),
    ];
    all.into_iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}
