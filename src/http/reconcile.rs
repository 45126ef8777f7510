//! `/reconcile`: the Reconciliation Service API 0.2, by which OpenRefine and others match their rows, over
//! [`matching`](crate::matching). Beside the specification of the rest.
//!
//! One address answers the manifest, queries (`queries`) and data extension (`extend`); what suggests and
//! previews stands below it. JSONP is not supported: pages of any origin may read the answers by CORS, and
//! what they get is what the key allows that they show.

mod candidates;
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
use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;

use super::api_error::ApiError;
use super::endpoint::{Body, Context, Cost, Endpoint, Reply, Reuse, Rows, json};
use super::parameter::{Optional, Parameter, optional, parameters};
use super::parameter_type::Text;
use super::path_key::BEFORE;
use super::validation_error::ValidationErrors;
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
        extend: Option<String> = EXTEND,
    }
    joined |input, errors| {
        if queries.as_ref().is_some_and(Option::is_some) && extend.as_ref().is_some_and(Option::is_some) {
            EXTEND.unfit(input, "send queries or extend, not both".to_owned(), errors);
        }
    }
}

/// What the service answers.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(untagged)]
#[schemars(inline)]
enum Answer {
    /// To a GET without parameters.
    Manifest(Box<manifest::Manifest>),
    /// To `extend`.
    Extension(extend::Extension),
    /// To `queries`: a result by the identifier of each.
    Results(BTreeMap<String, queries::QueryResult>),
}

/// The endpoint.
pub(super) static SERVICE: Endpoint = Endpoint {
    path: PATH,
    tag: "Reconciliation",
    summary: "Reconciliation Service API 0.2: manifest, queries and data extension",
    body: Body::Json(SchemaGenerator::subschema_for::<Answer>),
    rows: Rows::None,
    reuse: Reuse::UntilSwap,
    not_found: None,
    // Hundreds of rows may be matched.
    cost: Cost::Heavy,
    parameters: Params::DECLARED,
    answer,
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = Params::read(&context.input)?;
    let answer = match (asked.queries, asked.extend) {
        (Some(text), _) => Answer::Results(queries::answer(context, &text)?),
        (None, Some(text)) => Answer::Extension(extend::answer(context, &text)?),
        (None, None) if context.input.has_form() => {
            let mut errors = Vec::new();
            QUERIES.missing(&mut errors);
            return Err(ValidationErrors(errors).into());
        }
        (None, None) => Answer::Manifest(Box::new(manifest::Manifest::of(context))),
    };
    json(&answer)
}

/// Whether a request asks for the manifest: a GET without what it would ask.
pub(super) fn is_manifest(parts: &Parts) -> bool {
    let query = parts.uri.query().unwrap_or_default();
    let mut names = form_urlencoded::parse(query.as_bytes()).map(|(name, _)| name);
    parts.uri.path() == PATH
        && (parts.method == Method::GET || parts.method == Method::HEAD)
        && !names.any(|name| name == "queries" || name == "extend")
}
