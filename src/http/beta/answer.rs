//! What the search answers: the filters as they were understood, and a page of nonprofits.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::json;

use super::asked::Asked;
use crate::http::intent::{Spoken, arguments, given};
use crate::http::profile::Profile;
use crate::index::columns::FacetCount;
use crate::query::Figure;
use crate::record::{Ein, OrgSize, State, Zip5, as_written};
use crate::search::interpret::Interpretation;
use crate::search::nonprofits::{Found, Row};
use crate::understand::Otherwise;

/// The answer.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Answer<'a> {
    intent_details: Intent<'a>,
    nonprofits: Vec<Nonprofit<'a>>,
    /// Only where it is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    facets: Option<BTreeMap<&'static str, Vec<Value<'a>>>>,
}

/// A value that is counted.
#[derive(Debug, Serialize)]
struct Value<'a> {
    /// `null` for those of which it is not known.
    value: Option<&'a str>,
    count: u64,
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
    /// Added to the specification's: tells namesakes apart.
    #[serde(rename = "alt_name")]
    alt_name: Option<&'a str>,
}

const SEARCH: &str = "search_nonprofits";

impl<'a> Answer<'a> {
    pub(super) fn of(asked: &'a Asked, understood: &'a Interpretation, found: &'a Found) -> Self {
        let frame = &understood.frame;
        let named = frame.organization.as_ref();
        let mut arguments = arguments(frame, asked.max_vector_distance);
        if asked.q.as_deref().is_some_and(|q| !q.trim().is_empty()) {
            arguments.insert("model".to_owned(), json!(asked.model.name()));
        }
        let spans = understood.spans(asked.q.as_deref().unwrap_or_default());
        if !spans.is_empty() {
            arguments.insert("spans".to_owned(), json!(spans));
        }
        match &understood.heard.otherwise {
            Some(Otherwise::Name(one)) => {
                let name = json!({ "ein": one.ein, "name": one.name });
                arguments.insert("did_you_mean".to_owned(), name);
            }
            Some(Otherwise::Kind(query)) => {
                arguments.insert("did_you_mean".to_owned(), json!({ "query": query }));
            }
            None => {}
        }
        let interpretation = Spoken {
            function_name: SEARCH,
            arguments,
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
            min_revenue: frame.ranges[Figure::Revenue].min,
            max_revenue: frame.ranges[Figure::Revenue].max,
            sdgs: (!goals.is_empty()).then_some(goals),
            ntee_codes: given(&frame.ntee),
            organization_name: named.map(|named| named.name.as_str()),
            organization_ein: match frame.eins[..] {
                [only] => Some(only),
                _ => named.and_then(|named| named.ein),
            },
            min_score: frame.ranges[Figure::Score].min,
            max_score: frame.ranges[Figure::Score].max,
            min_rating: frame.ranges[Figure::Rating].min,
            max_rating: frame.ranges[Figure::Rating].max,
            org_size: given(&frame.sizes),
        };
        let nonprofits = found.rows.iter().map(Nonprofit::of).collect();
        let counted = |counts: &'a Vec<FacetCount>| {
            counts.iter().map(|(value, count)| Value { value: value.as_deref(), count: *count })
        };
        let facets = found.facets.iter().map(|(facet, of)| (facet.name(), counted(of).collect()));
        let facets = (!found.facets.is_empty()).then(|| facets.collect());
        Self { intent_details, nonprofits, facets }
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
            alt_name: organization.alt_name.as_deref(),
        }
    }
}
