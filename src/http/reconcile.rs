//! `/reconcile`: the Reconciliation Service API 0.2, by which OpenRefine and others match their rows, over
//! [`matching`](crate::matching). Beside the specification of the rest.
//!
//! One address answers the manifest, queries (`queries`, or one in `query`, as API 0.1 had it) and data extension
//! (`extend`); what suggests and previews stands below it, and so does the match service of draft 1.0
//! (`conditions`). Pages of any origin may read the answers, by CORS or as JSONP (`interface/jsonp`): what they get is
//! what the key allows that they show.

mod candidates;
mod conditions;
mod entity;
mod extend;
mod manifest;
mod preview;
mod queries;
mod query;
mod suggest;

use std::collections::BTreeMap;

use hyper::Method;
use hyper::http::request::Parts;
use schemars::JsonSchema;
use serde::Serialize;

use crate::http::interface::api_error::ApiError;
use crate::http::interface::endpoint::{Context, Cost, Endpoint, Reply, json};
use crate::http::interface::parameter::{Optional, Parameter, optional, parameters};
use crate::http::interface::parameter_type::Text;
use crate::http::interface::path_key::BEFORE;
use crate::http::interface::validation_error::ValidationErrors;
pub(super) use conditions::MATCH;
pub(super) use extend::PROPERTIES;
pub(super) use preview::PREVIEW;
pub(super) use suggest::{SUGGEST_ENTITY, SUGGEST_PROPERTY, SUGGEST_TYPE};

/// Where the service is.
pub(super) const PATH: &str = BEFORE;

const QUERIES: Parameter<Text, Optional> = optional(
    "queries",
    Text::ANY,
    "Queries by identifiers of the client's, at most 500, as JSON: `{\"q0\": {\"query\": NAME, \"type\": nonprofit or \
     foundation, \"limit\": 1 to 8, \"properties\": [{\"pid\": PROPERTY, \"v\": VALUE}]}}`. Properties are other_name, \
     street, street2, city, state, zip and ein, and the usual headings of such columns.",
);

const QUERY: Parameter<Text, Optional> = optional(
    "query",
    Text::ANY,
    "One query, as the oldest clients ask it: a name or an EIN, or a query of a batch as JSON. It is answered with \
     its result alone.",
);

const EXTEND: Parameter<Text, Optional> = optional(
    "extend",
    Text::ANY,
    "Values that are wanted of nonprofits, as JSON: `{\"ids\": [EIN], \"properties\": [{\"id\": PROPERTY}]}`; at most \
     500 EINs, and the properties that `/reconcile/extend/properties` proposes.",
);

parameters! {
    /// What the service takes; by POST as a form.
    Params {
        queries: Option<String> = QUERIES,
        query: Option<String> = QUERY,
        extend: Option<String> = EXTEND,
    }
    joined |input, errors| {
        let given = |value: &Option<Option<String>>| value.as_ref().is_some_and(Option::is_some);
        let why = || "send queries, query or extend, not two of them".to_owned();
        if given(&query) && given(&queries) {
            QUERY.unfit(input, why(), errors);
        }
        if given(&extend) && (given(&queries) || given(&query)) {
            EXTEND.unfit(input, why(), errors);
        }
    }
}

/// What a request that asks for more than the manifest has.
const ASKING: [&str; 3] = ["queries", "query", "extend"];

/// What the service answers.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(untagged)]
#[schemars(inline)]
enum Answer {
    /// To a GET without parameters.
    Manifest(Box<manifest::Manifest>),
    /// To `extend`.
    Extension(extend::Extension),
    /// To `query`.
    Result(queries::QueryResult),
    /// To `queries`: a result by the identifier of each.
    Results(BTreeMap<String, queries::QueryResult>),
}

pub(super) static SERVICE: Endpoint = Endpoint {
    tag: "Reconciliation",
    summary: "Reconciliation Service API 0.2: manifest, queries and data extension",
    cost: Cost::Heavy, // Hundreds of rows may be matched.
    ..Endpoint::json::<Answer>(PATH, Params::DECLARED, answer)
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = Params::read(&context.input)?;
    let answer = match (asked.queries, asked.query, asked.extend) {
        (Some(text), ..) => Answer::Results(queries::answer(context, &text)?),
        (None, Some(text), _) => Answer::Result(queries::answer_one(context, &text)?),
        (None, None, Some(text)) => Answer::Extension(extend::answer(context, &text)?),
        (None, None, None) if context.input.has_form() => {
            let mut errors = Vec::new();
            QUERIES.missing(&mut errors);
            return Err(ValidationErrors(errors).into());
        }
        (None, None, None) => Answer::Manifest(Box::new(manifest::Manifest::of(context))),
    };
    json(&answer)
}

/// Whether a request asks for the manifest: a GET without what it would ask.
pub(super) fn is_manifest(parts: &Parts) -> bool {
    let query = parts.uri.query().unwrap_or_default();
    let mut names = form_urlencoded::parse(query.as_bytes()).map(|(name, _)| name);
    parts.uri.path() == PATH
        && (parts.method == Method::GET || parts.method == Method::HEAD)
        && !names.any(|name| ASKING.contains(&&*name))
}
