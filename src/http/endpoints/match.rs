//! `POST /match`: names and addresses to EINs.

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Value, json};

use crate::http::interface::api_error::ApiError;
use crate::http::interface::body::{self, BodyErrors, Object};
use crate::http::interface::endpoint::{self, Reply, Submission};
use crate::http::server::budget;
use crate::matching::{self, Evidence, NAME_CHARACTERS_MAX, Query, YesMin};
use crate::record::Ein;
use crate::search::SearchError;
use crate::snapshot::Snapshot;
use crate::views::view;

/// Queries of one request.
pub const QUERIES_MAX: usize = 500;
/// Other names of one query.
pub(crate) const OTHER_NAMES_MAX: usize = 10;
/// Characters of an identifier.
const ID_CHARACTERS_MAX: usize = 64;
/// Candidates of a query: as many as are compared.
pub(crate) const LIMIT_MAX: i64 = 8;
const LIMIT_DEFAULT: i64 = 3;

/// Why a query has no result though nothing is wrong with it.
pub(crate) const NOT_TRIED: &str =
    "not tried: the queries before it took the time that one request has; send it again";

/// What is asked.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "MatchRequest")]
struct MatchRequest {
    /// Organizations whose EIN is sought, at most 500.
    #[schemars(length(max = QUERIES_MAX))]
    queries: Vec<MatchQuery>,
    /// Most candidates of each query, 1 to 8; 3 unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = LIMIT_MAX))]
    limit: Option<i64>,
}

/// An organization whose EIN is sought. What is not known is left out or null. Texts have at most 256 characters;
/// a query with a longer one is answered `no` with the reason.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "MatchQuery")]
struct MatchQuery {
    /// Comes back with the result, at most 64 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    /// Name as it is written, at most 256 characters; may be left out where there is an EIN.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// Other names of the same organization, at most ten.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = OTHER_NAMES_MAX))]
    other_names: Option<Vec<String>>,
    /// Street or post office box; an address in one line where `city`, `state` and `zip` are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    street: Option<String>,
    /// City as it is written, with or without its state.
    #[serde(skip_serializing_if = "Option::is_none")]
    city: Option<String>,
    /// Code or name of the state.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<String>,
    /// ZIP code of five or nine digits; zeros in front may be lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    zip: Option<String>,
    /// An EIN as people and spreadsheets write it. Whoever has it is the answer, unless the name is another: then
    /// nobody is a `yes`.
    #[serde(skip_serializing_if = "Option::is_none")]
    ein: Option<String>,
}

/// Answers to all queries.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "MatchResults")]
struct MatchResults {
    /// One for each query, in their order.
    results: Vec<MatchResult>,
}

/// What was found for a query.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "MatchResult")]
struct MatchResult {
    /// That of the query; null where it has none, or too long a one.
    id: Option<String>,
    /// `yes` is probable enough to go without a person, `maybe` should be looked at, `no` is nobody, `not tried` is to
    /// be sent again: the request before it took the time that one request has.
    decision: Decision,
    /// EIN of the likeliest candidate; null where the decision is neither `yes` nor `maybe`.
    ein: Option<Ein>,
    /// The likeliest first.
    candidates: Vec<Candidate>,
    /// Why there is no candidate, in words; null where there is one.
    reason: Option<String>,
    /// Members of the query that are not known, and so were not read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ignored: Vec<String>,
}

/// What a query may have.
const MEMBERS: [&str; 8] = ["id", "name", "other_names", "street", "city", "state", "zip", "ein"];

/// Whether an organization was found.
#[derive(Debug, Clone, Copy, JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Decision {
    Yes,
    Maybe,
    No,
    #[serde(rename = "not tried")]
    NotTried,
}

view! {
    /// A nonprofit that a query may mean.
    #[schemars(rename = "MatchCandidate")]
    struct Candidate of |found: matching::Candidate| {
        /// Employer Identification Number.
        ein: Ein = found.ein,
        /// Legal name in title case.
        name: String = found.name,
        /// Probability that it is the one that is meant, 0 to 1.
        score: f64 = rounded(found.probability),
        /// How alike its parts are.
        features: Features = Features::of(&found.evidence),
        /// What agrees and what does not, in words.
        reasons: Vec<String> = found.reasons,
    }
}

view! {
    /// How alike the parts of a query and of a candidate are, 0 to 1; null where one of them has no such part.
    #[schemars(rename = "MatchFeatures")]
    struct Features of |evidence: &Evidence| {
        /// Of the names that are most alike, by words weighed by how rare they are; null where the query has none.
        name: Option<f64> = evidence.name.map(rounded),
        /// 1 for the same house or box.
        street: Option<f64> = evidence.street.map(rounded),
        /// 1 for the same five digits.
        zip: Option<f64> = evidence.zip,
        /// 1 for the same city.
        city: Option<f64> = evidence.city,
        /// 1 for the same state.
        state: Option<f64> = evidence.state,
        /// Numbers in the names: 0 where they differ, 0.5 where only one has one, else 1.
        numbers: f64 = evidence.numbers,
    }
}

pub(crate) static MATCH: Submission = Submission {
    path: "/match",
    tag: "Insights",
    summary: "EINs of names and addresses",
    request: SchemaGenerator::subschema_for::<MatchRequest>,
    body: SchemaGenerator::subschema_for::<MatchResults>,
    answer,
};

fn answer(snapshot: Option<&Snapshot>, bytes: &[u8]) -> Result<Reply, ApiError> {
    let (queries, limit) = body::read(bytes, |object, errors| {
        if !object.has("queries") {
            object.missing("queries", errors);
        }
        let limit = object.whole("limit", (1, LIMIT_MAX), errors).unwrap_or(LIMIT_DEFAULT);
        (object.objects("queries", QUERIES_MAX, errors, query), limit)
    })?;
    let snapshot = snapshot.ok_or(ApiError::NotReady)?;
    let limit = usize::try_from(limit).unwrap_or(1);
    let mut results = Vec::with_capacity(queries.len());
    for Sent { id, query, ignored } in queries {
        let result = match query {
            // The first is tried whatever it costs, so that whoever sends the rest again comes to an end.
            Ok(_) if budget::is_spent() && !results.is_empty() => {
                without(id, Decision::NotTried, NOT_TRIED.to_owned())
            }
            Ok(query) => found(snapshot, id, &query, limit)?,
            Err(reason) => without(id, Decision::No, reason),
        };
        results.push(MatchResult { ignored, ..result });
    }
    endpoint::json(&MatchResults { results })
}

/// A query as it was sent.
struct Sent {
    id: Option<String>,
    query: Result<Query, String>,
    ignored: Vec<String>,
}

/// Reads a query, or why it cannot be matched though it is one: a text that is too long, which lists have, should not cost
/// the answers to all others.
fn query(object: &Object<'_>, all_errors: &mut BodyErrors) -> Sent {
    let mut errors = BodyErrors::default();
    if !object.has("name") && !object.has("ein") {
        object.missing("name", &mut errors);
    }
    let id = object.text("id", ID_CHARACTERS_MAX, &mut errors);
    let mut text = |name| object.text(name, NAME_CHARACTERS_MAX, &mut errors).unwrap_or_default();
    let (name, street, city) = (text("name"), text("street"), text("city"));
    let (state, zip, ein) = (text("state"), text("zip"), text("ein"));
    let bounds = (OTHER_NAMES_MAX, NAME_CHARACTERS_MAX);
    let other_names = object.texts("other_names", bounds, &mut errors);
    let long = errors.take_too_long(object);
    all_errors.append(errors);
    let query = Query { name, other_names, street, city, state, zip, ein };
    let query = if long.is_empty() { Ok(query) } else { Err(long.join("; ")) };
    Sent { id, query, ignored: object.unknown(&MEMBERS) }
}

/// A result without a candidate.
fn without(id: Option<String>, decision: Decision, reason: String) -> MatchResult {
    MatchResult {
        id,
        decision,
        ein: None,
        candidates: Vec::new(),
        reason: Some(reason),
        ignored: Vec::new(),
    }
}

fn found(
    snapshot: &Snapshot,
    id: Option<String>,
    query: &Query,
    limit: usize,
) -> Result<MatchResult, SearchError> {
    let matched = matching::find(snapshot.into(), query, YesMin::default())?;
    let decision = match matched.decision {
        matching::Decision::Yes => Decision::Yes,
        matching::Decision::Maybe => Decision::Maybe,
        matching::Decision::No => Decision::No,
    };
    let likeliest = matched.candidates.first().map(|one| one.ein);
    let candidates = matched.candidates.into_iter().take(limit).map(Candidate::of);
    Ok(MatchResult {
        id,
        decision,
        ein: likeliest.filter(|_| matched.decision != matching::Decision::No),
        candidates: candidates.collect(),
        reason: matched.no_match_reason,
        ignored: Vec::new(),
    })
}

/// To four decimals: more are not known.
pub(crate) fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

/// The usual headings of lists as part of a module of the page, which recognises their columns by them.
pub(crate) fn script() -> String {
    let headings: Vec<Value> =
        matching::usual_headings().map(|(field, heading)| json!([field.name(), heading])).collect();
    format!("export const HEADINGS = {};\n", json!(headings))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A documented member missing from the list would be reported back as ignored.
    #[test]
    fn every_member_that_is_described_is_read() {
        let schema = schemars::schema_for!(MatchQuery);
        let properties = schema.get("properties").and_then(Value::as_object).unwrap();
        assert_eq!(properties.keys().map(String::as_str).collect::<Vec<_>>(), MEMBERS);
    }

    #[test]
    fn the_page_is_told_every_usual_heading() {
        let script = script();
        for (field, heading) in matching::usual_headings() {
            let pair = format!("[\"{}\",\"{heading}\"]", field.name());
            assert!(script.contains(&pair), "{pair}: {script}");
        }
    }
}
