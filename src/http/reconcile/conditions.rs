//! `POST /reconcile/match`: queries as the draft of version 1.0 writes them, by conditions, and their answers. The
//! draft's older names `pid` and `v` are read, too.

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde_json::Value;

use super::candidates::{Candidate, Outcome, outcomes};
use super::query::{
    ID_CHARACTERS_MAX, PROPERTIES_MAX, ParsedQuery, found, limit, property_id, types, values,
};
use crate::http::endpoints::r#match::{OTHER_NAMES_MAX, QUERIES_MAX};
use crate::http::interface::api_error::ApiError;
use crate::http::interface::body::{self, BodyErrors, Object};
use crate::http::interface::endpoint::{self, Reply, Submission};
use crate::matching::{Field, Query};
use crate::record::Ein;
use crate::snapshot::Snapshot;
use crate::views::view;

/// What is asked.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "ReconciliationMatchRequest")]
struct MatchRequest {
    /// Queries, at most 500.
    #[schemars(length(max = QUERIES_MAX))]
    queries: Vec<MatchQuery>,
}

/// A query: conditions that a candidate should meet.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "ReconciliationMatchQuery")]
struct MatchQuery {
    /// Type of the candidates, `nonprofit` or `foundation`.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    of_type: Option<String>,
    /// Most candidates, 1 to 8; 5 unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<i64>,
    /// Conditions, at most 32.
    #[schemars(length(min = 1, max = PROPERTIES_MAX))]
    conditions: Vec<MatchCondition>,
}

/// A condition.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ReconciliationMatchCondition")]
struct MatchCondition {
    /// What is compared: `name`, `id` (the EIN) or `property`.
    match_type: String,
    /// Identifier of the property: other_name, street, street2, city, state, zip or ein, or a usual heading of such a
    /// column.
    #[serde(skip_serializing_if = "Option::is_none")]
    property_id: Option<String>,
    /// A text, a number, a truth value or an object with `id` or `name`, or a list of them.
    property_value: Value,
    /// Whether a candidate must agree: in the street or box, the city, the state, the ZIP code or the EIN.
    #[serde(skip_serializing_if = "Option::is_none")]
    required: Option<bool>,
    /// `any` or `all`; `none` is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    match_quantifier: Option<String>,
}

/// Answers to all queries.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "ReconciliationMatchResults")]
struct MatchResults {
    /// One for each query, in their order.
    results: Vec<MatchResult>,
}

view! {
    /// What was found for a query.
    #[schemars(rename = "ReconciliationMatchResult")]
    struct MatchResult of |outcome: Outcome| {
        /// The likeliest first.
        candidates: Vec<Candidate> = outcome.candidates,
        /// Properties that were sent and that nothing is compared with; absent where there are none.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        ignored: Vec<String> = outcome.ignored,
        /// What is wrong with the query, or that it was not tried; absent where there is a result.
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<String> = outcome.error,
    }
}

pub(in crate::http) static MATCH: Submission = Submission {
    path: "/reconcile/match",
    tag: "Reconciliation",
    summary: "Queries as the draft of version 1.0 writes them",
    request: SchemaGenerator::subschema_for::<MatchRequest>,
    body: SchemaGenerator::subschema_for::<MatchResults>,
    answer,
};

fn answer(snapshot: Option<&Snapshot>, bytes: &[u8]) -> Result<Reply, ApiError> {
    let queries = body::read(bytes, |object, errors| {
        if !object.has("queries") {
            object.missing("queries", errors);
        }
        object.each_of("queries", errors, query)
    })?;
    if queries.len() > QUERIES_MAX {
        return Err(ApiError::LongBatch(QUERIES_MAX));
    }
    let found = outcomes(snapshot.ok_or(ApiError::NotReady)?, queries)?;
    endpoint::json(&MatchResults { results: found.into_iter().map(MatchResult::of).collect() })
}

/// A condition that was read.
enum Condition {
    Name(Vec<String>),
    Id(Vec<Ein>),
    Property { id: String, field: Option<Field>, values: Vec<String>, presence: Presence },
}

/// Whether a candidate must meet a condition.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Presence {
    Required,
    Optional,
}

fn query(object: &Object<'_>, errors: &mut BodyErrors) -> ParsedQuery {
    let mut parsed = ParsedQuery {
        types: types(object, errors),
        limit: limit(object, errors),
        ..ParsedQuery::default()
    };
    let conditions = object.objects("conditions", PROPERTIES_MAX, errors, condition);
    if conditions.is_empty() {
        let why = "expected a list of conditions, at least one".to_owned();
        object.unfit_member("conditions", why, errors);
    }
    let mut names = Vec::new();
    for condition in conditions.into_iter().flatten() {
        match condition {
            Condition::Name(values) => names.extend(values),
            Condition::Id(eins) => parsed.eins.extend(eins),
            Condition::Property { field: Some(field), values, presence, .. } => {
                parsed.query.set(field, values);
                if presence == Presence::Required {
                    parsed.required.push(field);
                }
            }
            Condition::Property { id, field: None, .. } => parsed.ignored.push(id),
        }
    }
    let Query { name, other_names, ein, .. } = &mut parsed.query;
    let mut names = names.into_iter();
    if let Some(first) = names.next() {
        *name = first;
    }
    other_names.extend(names);
    other_names.truncate(OTHER_NAMES_MAX);
    if parsed.eins.is_empty() {
        parsed.eins.extend(Ein::from_typed(if name.trim().is_empty() { ein } else { name }));
    }
    parsed
}

fn condition(object: &Object<'_>, errors: &mut BodyErrors) -> Option<Condition> {
    let either = |name, older| if object.has(older) && !object.has(name) { older } else { name };
    let value = either("propertyValue", "v");
    if !object.has("matchType") {
        object.missing("matchType", errors);
    }
    if !object.has(value) {
        object.missing(value, errors);
    }
    match object.text("matchQuantifier", ID_CHARACTERS_MAX, errors).as_deref() {
        None | Some("any" | "all") => {}
        Some(other) => {
            let why = format!("expected any or all, found {other:?}");
            object.unfit_member("matchQuantifier", why, errors);
        }
    }
    match object.text("matchType", ID_CHARACTERS_MAX, errors)?.as_str() {
        "name" => Some(Condition::Name(values(object, value, Some(Field::Name), errors))),
        "id" => Some(Condition::Id(eins(object, value, errors))),
        "property" => {
            let (id, field) = property_id(object, either("propertyId", "pid"), errors)?;
            let presence = presence(object, errors);
            let values = values(object, value, field, errors);
            Some(Condition::Property { id, field, values, presence })
        }
        other => {
            let why = format!("expected name, id or property, found {other:?}");
            object.unfit_member("matchType", why, errors);
            None
        }
    }
}

/// The EINs that stand in a member.
fn eins(object: &Object<'_>, name: &'static str, errors: &mut BodyErrors) -> Vec<Ein> {
    let mut eins = Vec::new();
    for text in values(object, name, Some(Field::Ein), errors) {
        match Ein::from_typed(&text) {
            Some(ein) => eins.push(ein),
            None => {
                let why = format!("expected an EIN, found {text:?}");
                object.unfit_member(name, why, errors);
            }
        }
    }
    eins
}

fn presence(object: &Object<'_>, errors: &mut BodyErrors) -> Presence {
    match object.member("required") {
        Some(Value::Bool(true)) => Presence::Required,
        None | Some(Value::Bool(false)) => Presence::Optional,
        Some(other) => {
            let why = format!("expected true or false, found {}", found(other));
            object.unfit_member("required", why, errors);
            Presence::Optional
        }
    }
}
