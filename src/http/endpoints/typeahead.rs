//! `GET /typeahead/nonprofits`: suggestions for what a person has typed so far.

use schemars::JsonSchema;
use serde::Serialize;

use crate::http::interface::api_error::ApiError;
use crate::http::interface::endpoint::{Context, Endpoint, Reply, Rows, json};
use crate::http::interface::parameter::{defaulted, optional, parameters, required};
use crate::http::interface::parameter_type::{Integer, Text};
use crate::index::typeahead::Scope;
use crate::record::{Ein, State};
use crate::search::typeahead::{Suggestion, suggest};
use crate::views::view;

parameters! {
    /// What typeahead takes.
    Params {
        q: String = required(
            "q", Text::between(2, 100), "Beginning of a name, or an EIN with or without dashes."
        ),
        limit: i64 = defaulted("limit", Integer::between(1, 25), 10, "Suggestions at most."),
        _state: Option<String> = optional(
            "state",
            Text::between(2, 2),
            "Accepted and ignored: suggestions are not filtered by state.",
        ),
        // Added to the specification's: an unknown value counts as none given.
        scope: Option<String> = optional(
            "scope",
            Text::ANY,
            "active501c3 (the default) suggests active 501(c)(3)s, all every organization. Where it is given, \
             suggestions also have alt_name, which tells namesakes apart, and matched_name, the name that \
             matched where it is not the one shown.",
        ),
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
    results: Vec<SuggestionRow>,
}

view! {
    /// A nonprofit suggested.
    #[schemars(rename = "Suggestion")]
    struct SuggestionRow of |one: Suggestion, scope: Option<Scope>| {
        /// Employer Identification Number of the nonprofit: nine digits, leading zeros kept.
        ein: Ein = one.ein,
        /// Legal name in title case.
        name: String = one.name,
        /// City in title case; null where it is not known.
        city: Option<String> = one.city,
        /// USPS code of the state or territory; null abroad and where it is not known.
        state: Option<State> = one.state,
        /// Weight in the ranking, without a unit, for ranking and debugging only; it never rises down
        /// the list.
        score: f64 = one.score,
        #[serde(flatten)]
        apart: Option<Apart> =
            scope.map(|_| Apart { alt_name: one.alt_name, matched_name: one.matched_name }),
    }
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

/// The endpoint: a best-first search whose time does not grow with the number of matches.
pub(crate) static TYPEAHEAD: Endpoint = Endpoint {
    summary: "Search as you type by name or EIN",
    rows: Rows::In("results"),
    ..Endpoint::json::<Answer<'_>>("/typeahead/nonprofits", Params::DECLARED, answer)
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = Params::read(&context.input)?;
    let known = SCOPES.iter().find(|(name, _)| asked.scope.as_deref() == Some(*name));
    let scope = known.map(|(_, scope)| *scope);
    let found =
        suggest(context.snapshot()?, &asked.q, scope.unwrap_or_default(), asked.limit as usize)?;
    let results: Vec<_> = found.into_iter().map(|one| SuggestionRow::of(one, scope)).collect();
    json(&Answer { query: &asked.q, count: results.len(), results })
}
