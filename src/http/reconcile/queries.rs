//! Reconciliation queries: names with properties to candidates.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::entity::{self, EntityType, TypeName};
use crate::http::api_error::ApiError;
use crate::http::body::{self, BodyErrors, Object};
use crate::http::budget;
use crate::http::endpoint::Context;
use crate::http::r#match::{LIMIT_MAX, NOT_TRIED, OTHER_NAMES_MAX, QUERIES_MAX, rounded};
use crate::index::columns::Bitmap;
use crate::matching::{self, Decision, Evidence, Field, NAME_CHARACTERS_MAX, Query, YesMin};
use crate::query::{Filters, Flag};
use crate::record::{Ein, OrgId, Organization};
use crate::search::SearchError;
use crate::search::details::details;
use crate::snapshot::Snapshot;

/// Candidates of a query that asks for no number of them.
const LIMIT_DEFAULT: i64 = 5;
/// Properties and types of a query.
const PROPERTIES_MAX: usize = 32;
const TYPES_MAX: usize = 8;
/// Characters of an identifier of a property or a type.
const ID_CHARACTERS_MAX: usize = 64;
/// Score of what is certain.
const SCORE_MAX: f64 = 100.0;
/// Where queries stand in a request.
const PLACE: &[&str] = &["query", "queries"];

/// What was found for a query.
#[derive(Debug, Default, JsonSchema, Serialize)]
#[schemars(rename = "ReconciliationResult")]
pub(super) struct QueryResult {
    /// The likeliest first.
    result: Vec<Candidate>,
    /// Properties that were sent and that nothing is compared with; absent where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ignored: Vec<String>,
    /// What is wrong with the query, or that it was not tried; absent where there is a result.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// A nonprofit that a query may mean.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "ReconciliationCandidate")]
struct Candidate {
    /// Employer Identification Number: nine digits, leading zeros kept.
    id: Ein,
    /// Legal name in title case.
    name: String,
    /// City, state and what it does, as far as they are known.
    description: String,
    /// Its types.
    #[serde(rename = "type")]
    types: Vec<TypeName>,
    /// Probability that it is the one that is meant, 0 to 100.
    score: f64,
    /// Whether it is probable enough to go without a person.
    #[serde(rename = "match")]
    is_match: bool,
    /// How alike its parts are.
    features: Vec<Feature>,
}

/// How alike a part of a query and of a candidate is.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "ReconciliationFeature")]
struct Feature {
    /// The part: `name`, `numbers`, `street`, `zip`, `city`, `state` or `ein`.
    id: &'static str,
    /// 0 to 1, as in the answer of `/match`.
    value: f64,
}

/// A query that was read.
struct Asked {
    query: Query,
    /// An EIN that is asked for itself.
    ein: Option<Ein>,
    only_foundations: bool,
    limit: usize,
    ignored: Vec<String>,
}

/// Answers a batch. A query that cannot be read has its error; all others are answered.
pub(super) fn answer(
    context: &Context<'_>,
    text: &str,
) -> Result<BTreeMap<String, QueryResult>, ApiError> {
    let batch = body::read(text.as_bytes(), |batch, _| batch.each(asked));
    let batch = batch.map_err(|errors| errors.within(PLACE))?;
    if batch.len() > QUERIES_MAX {
        return Err(ApiError::LongBatch(QUERIES_MAX));
    }
    let snapshot = context.snapshot()?;
    let mut only = batch.iter().filter_map(|(_, asked)| asked.as_ref().ok());
    let foundations = if only.any(|asked| asked.only_foundations) {
        let filters = Filters { flags: [(Flag::Foundation, true)].into(), ..Filters::default() };
        Some(snapshot.columns.select(&filters).map_err(SearchError::from)?.matching)
    } else {
        None
    };
    let mut found = BTreeMap::new();
    for (id, asked) in batch {
        let unanswered = |why: String| QueryResult { error: Some(why), ..QueryResult::default() };
        let result = match asked {
            Ok(_) if budget::is_spent() && !found.is_empty() => unanswered(NOT_TRIED.to_owned()),
            Ok(asked) => result(snapshot, asked, foundations.as_ref())?,
            Err(errors) => unanswered(errors.sentences().join("; ")),
        };
        found.insert(id, result);
    }
    Ok(found)
}

fn asked(object: &Object<'_>, errors: &mut BodyErrors) -> Asked {
    let name = object.text("query", NAME_CHARACTERS_MAX, errors).unwrap_or_default();
    let limit = object.whole("limit", (1, i64::MAX), errors).unwrap_or(LIMIT_DEFAULT);
    let mut query = Query { name, ..Query::default() };
    let mut ignored = Vec::new();
    for (id, field, values) in
        object.objects("properties", PROPERTIES_MAX, errors, property).into_iter().flatten()
    {
        match field {
            Some(field) => query.set(field, values),
            None => ignored.push(id),
        }
    }
    query.other_names.truncate(OTHER_NAMES_MAX);
    let is_nameless = query.name.trim().is_empty();
    if is_nameless && query.other_names.is_empty() && query.ein.trim().is_empty() {
        object.unfit_member("query", "expected a name, or an EIN".to_owned(), errors);
    }
    let ein = Ein::from_typed(if is_nameless { &query.ein } else { &query.name });
    let limit = usize::try_from(limit.min(LIMIT_MAX)).unwrap_or(1);
    Asked { ein, only_foundations: only_foundations(object, errors), query, limit, ignored }
}

/// Whether the types that are asked for leave foundations only.
fn only_foundations(object: &Object<'_>, errors: &mut BodyErrors) -> bool {
    let mut types = Vec::new();
    for name in object.text_or_texts("type", (TYPES_MAX, ID_CHARACTERS_MAX), errors) {
        match EntityType::named(&name) {
            Some(found) => types.push(found),
            None => {
                let why = format!("expected nonprofit or foundation, found {name:?}");
                object.unfit_member("type", why, errors);
            }
        }
    }
    let strict = object.text("type_strict", ID_CHARACTERS_MAX, errors);
    match strict.as_deref() {
        None | Some("any") => {
            !types.is_empty() && types.iter().all(|one| *one == EntityType::Foundation)
        }
        Some("all") => types.contains(&EntityType::Foundation),
        Some("should") => false,
        Some(other) => {
            let why = format!("expected any, should or all, found {other:?}");
            object.unfit_member("type_strict", why, errors);
            false
        }
    }
}

/// A property: its identifier, what it is, and its values as texts.
fn property(
    object: &Object<'_>,
    errors: &mut BodyErrors,
) -> Option<(String, Option<Field>, Vec<String>)> {
    if !object.has("pid") {
        object.missing("pid", errors);
    }
    let id = object.text("pid", ID_CHARACTERS_MAX, errors)?;
    let field = Field::of_heading(&id).map(|(field, _)| field);
    let why = "expected texts, numbers, truth values or entities";
    let values = object.values("v", why, errors, |value| value_text(value, field));
    let fits = |value: &String| value.chars().count() <= NAME_CHARACTERS_MAX;
    if !values.iter().all(fits) {
        let why = format!("expected at most {NAME_CHARACTERS_MAX} characters");
        object.unfit_member("v", why, errors);
    }
    Some((id, field, values.into_iter().filter(|value| !value.trim().is_empty()).collect()))
}

/// A value as text; `None` of what no property has.
fn value_text(value: &Value, field: Option<Field>) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        // Of an EIN that was taken for a number the zeros in front are lost.
        Value::Number(number) if field == Some(Field::Ein) => {
            Some(format!("{:0>9}", number.to_string()))
        }
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(holds) => Some(holds.to_string()),
        Value::Object(entity) => {
            let member = if field == Some(Field::Ein) { "id" } else { "name" };
            Some(entity.get(member).or_else(|| entity.get("id"))?.as_str()?.to_owned())
        }
        Value::Null | Value::Array(_) => None,
    }
}

fn result(
    snapshot: &Snapshot,
    asked: Asked,
    foundations: Option<&Bitmap>,
) -> Result<QueryResult, SearchError> {
    let Asked { query, ein, only_foundations, limit, ignored } = asked;
    if let Some(found) = ein.map(|ein| details(snapshot, ein)).transpose()?.flatten() {
        let features = vec![Feature { id: "ein", value: 1.0 }];
        let result = vec![candidate(&found, SCORE_MAX, true, features)];
        return Ok(QueryResult { result, ignored, error: None });
    }
    let foundations = foundations.filter(|_| only_foundations);
    let accepts = |org: OrgId| foundations.is_none_or(|all| all.contains(org));
    let matched = matching::find_among(snapshot, &query, YesMin::default(), &accepts)?;
    let mut result = Vec::new();
    for (at, one) in matched.candidates.into_iter().take(limit).enumerate() {
        let organization = snapshot.records.organization(one.org)?;
        let is_match = at == 0 && matched.decision == Decision::Yes;
        let score = rounded(one.probability * SCORE_MAX);
        result.push(candidate(&organization, score, is_match, features(&one.evidence)));
    }
    Ok(QueryResult { result, ignored, error: None })
}

fn candidate(
    found: &Organization,
    score: f64,
    is_match: bool,
    features: Vec<Feature>,
) -> Candidate {
    Candidate {
        id: found.ein,
        name: found.name.clone(),
        description: entity::description(found),
        types: EntityType::of(found),
        score,
        is_match,
        features,
    }
}

/// What is known of the parts: where one of both has no such part there is no feature.
fn features(evidence: &Evidence) -> Vec<Feature> {
    let known = [
        ("name", evidence.name),
        ("numbers", Some(evidence.numbers)),
        ("street", evidence.street),
        ("zip", evidence.zip),
        ("city", evidence.city),
        ("state", evidence.state),
    ];
    known
        .into_iter()
        .filter_map(|(id, value)| Some(Feature { id, value: rounded(value?) }))
        .collect()
}
