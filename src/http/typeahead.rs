//! `GET /typeahead/nonprofits`: suggestions for what a person has typed so far.

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;

use super::api_error::ApiError;
use super::endpoint::{Body, Context, Cost, Endpoint, Reply, Reuse, Rows, json};
use super::parameter::{
    Defaulted, Optional, Parameter, Required, defaulted, optional, parameters, required,
};
use super::parameter_type::{Integer, Text};
use crate::index::typeahead::Scope;
use crate::record::{Ein, State};
use crate::search::typeahead::suggest;

const Q: Parameter<Text, Required> =
    required("q", Text::between(2, 100), "Beginning of a name, or an EIN with or without dashes.");

const LIMIT: Parameter<Integer, Defaulted<i64>> =
    defaulted("limit", Integer::between(1, 25), 10, "Suggestions at most.");

const STATE: Parameter<Text, Optional> = optional(
    "state",
    Text::between(2, 2),
    "Accepted and ignored: suggestions are not filtered by state.",
);

/// Added to the specification's: an unknown value counts as none given.
const SCOPE: Parameter<Text, Optional> = optional(
    "scope",
    Text::ANY,
    "active501c3 (the default) suggests active 501(c)(3)s, all every organization. Where it is given, \
     suggestions also have alt_name, which tells namesakes apart, and matched_name, the name that \
     matched where it is not the one shown.",
);

parameters! {
    /// What typeahead takes.
    Params {
        q: String = Q,
        limit: i64 = LIMIT,
        _state: Option<String> = STATE,
        scope: Option<String> = SCOPE,
    }
}

/// Suggestions, best match first.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Typeahead")]
struct Answer<'a> {
    /// The text that was typed, as it was sent.
    query: &'a str,
    /// Number of suggestions.
    count: usize,
    /// The suggestions, best match first.
    results: Vec<Suggestion>,
}

/// A nonprofit suggested.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Suggestion")]
struct Suggestion {
    /// Employer Identification Number of the nonprofit: nine digits, leading zeros kept.
    ein: Ein,
    /// Legal name in title case.
    name: String,
    /// City in title case; null where it is not known.
    city: Option<String>,
    /// USPS code of the state or territory; null abroad and where it is not known.
    state: Option<State>,
    /// Weight in the ranking, without a unit, for ranking and debugging only; it never rises down
    /// the list.
    score: f64,
    #[serde(flatten)]
    apart: Option<Apart>,
}

/// What tells namesakes apart, and why one is suggested.
#[derive(Debug, JsonSchema, Serialize)]
struct Apart {
    /// Another name in title case: what the operator gives, else one of Form 990-N, of a return,
    /// or of the master file (column SORT_NAME); present only with `scope`, and null where there
    /// is none.
    alt_name: Option<String>,
    /// The name that matched; present only with `scope`, and null where it is the one shown.
    matched_name: Option<String>,
}

/// The values of `scope`.
const SCOPES: [(&str, Scope); 2] = [("active501c3", Scope::ActiveCharities), ("all", Scope::All)];

/// The endpoint.
pub(super) static TYPEAHEAD: Endpoint = Endpoint {
    path: "/typeahead/nonprofits",
    tag: "Insights",
    summary: "Search as you type by name or EIN",
    body: Body::Json(SchemaGenerator::subschema_for::<Answer<'_>>),
    rows: Rows::In("results"),
    reuse: Reuse::UntilSwap,
    not_found: None,
    // A best-first search whose time does not grow with the number of matches.
    cost: Cost::Micro,
    parameters: Params::DECLARED,
    answer,
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = Params::read(&context.input)?;
    let known = SCOPES.iter().find(|(name, _)| asked.scope.as_deref() == Some(*name));
    let scope = known.map(|(_, scope)| *scope);
    let found =
        suggest(context.snapshot()?, &asked.q, scope.unwrap_or_default(), asked.limit as usize)?;
    let results: Vec<_> = found
        .into_iter()
        .map(|one| Suggestion {
            ein: one.ein,
            name: one.name,
            city: one.city,
            state: one.state,
            score: one.score,
            apart: scope.map(|_| Apart { alt_name: one.alt_name, matched_name: one.matched_name }),
        })
        .collect();
    json(&Answer { query: &asked.q, count: results.len(), results })
}
