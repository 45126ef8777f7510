//! `GET /typeahead/nonprofits`: suggestions for what a person has typed so far.

use serde::Serialize;

use super::endpoint::{Context, Cost, Endpoint, Reply, json};
use super::kind::{Text, Whole};
use super::parameter::{
    Defaulted, Optional, Parameter, Required, defaulted, optional, parameters, required,
};
use super::refusal::Refusal;
use crate::index::typeahead::Scope;
use crate::record::{Ein, State};

const Q: Parameter<Text, Required> =
    required("q", Text::between(2, 100), "Beginning of a name, or an EIN with or without dashes.");

const LIMIT: Parameter<Whole, Defaulted<i64>> =
    defaulted("limit", Whole::between(1, 25), 10, "Suggestions at most.");

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
    Asked {
        q: String = Q,
        limit: i64 = LIMIT,
        _state: Option<String> = STATE,
        scope: Option<String> = SCOPE,
    }
}

/// The answer.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    query: &'a str,
    count: usize,
    results: Vec<Suggested>,
}

/// A nonprofit suggested.
#[derive(Debug, Serialize)]
struct Suggested {
    ein: Ein,
    name: String,
    city: Option<String>,
    state: Option<State>,
    score: f64,
    #[serde(flatten)]
    apart: Option<Apart>,
}

/// What tells namesakes apart, and why one is suggested.
#[derive(Debug, Serialize)]
struct Apart {
    alt_name: Option<String>,
    matched_name: Option<String>,
}

/// The values of `scope`.
const SCOPES: [(&str, Scope); 2] = [("active501c3", Scope::ActiveCharities), ("all", Scope::All)];

/// The endpoint.
pub(super) static TYPEAHEAD: Endpoint = Endpoint {
    path: "/typeahead/nonprofits",
    tag: "Insights",
    summary: "Search as you type by name or EIN",
    schema: "Typeahead",
    // A best-first search whose time does not grow with the number of matches.
    cost: Cost::Micro,
    parameters: Asked::DECLARED,
    answer,
};

fn answer(context: &Context<'_>) -> Result<Reply, Refusal> {
    let asked = Asked::read(&context.input)?;
    let known = SCOPES.iter().find(|(name, _)| asked.scope.as_deref() == Some(*name));
    let scope = known.map(|(_, scope)| *scope);
    let found =
        context.source()?.suggest(&asked.q, scope.unwrap_or_default(), asked.limit as usize)?;
    let results: Vec<_> = found
        .into_iter()
        .map(|one| Suggested {
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
