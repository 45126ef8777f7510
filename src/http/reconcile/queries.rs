//! Queries of the versions 0.1 and 0.2: a batch by identifiers of the client's, or a single one.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::json;

use super::candidates::{Candidate, Outcome, outcomes};
use super::query;
use crate::http::endpoints::r#match::QUERIES_MAX;
use crate::http::interface::api_error::ApiError;
use crate::http::interface::body;
use crate::http::interface::endpoint::Context;
use crate::views::view;

/// Where a batch stands in a request, and a single query.
const BATCH: &[&str] = &["query", "queries"];
const SINGLE: &[&str] = &["query", "query"];

view! {
    /// What was found for a query.
    #[schemars(rename = "ReconciliationResult")]
    pub(super) struct QueryResult of |outcome: Outcome| {
        /// The likeliest first.
        result: Vec<Candidate> = outcome.candidates,
        /// Properties that were sent and that nothing is compared with; absent where there are none.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        ignored: Vec<String> = outcome.ignored,
        /// What is wrong with the query, or that it was not tried; absent where there is a result.
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<String> = outcome.error,
    }
}

pub(super) fn answer(
    context: &Context<'_>,
    text: &str,
) -> Result<BTreeMap<String, QueryResult>, ApiError> {
    let batch = body::read(text.as_bytes(), |batch, _| batch.each(query::read));
    let batch = batch.map_err(|errors| errors.within(BATCH))?;
    if batch.len() > QUERIES_MAX {
        return Err(ApiError::LongBatch(QUERIES_MAX));
    }
    let (ids, queries): (Vec<String>, Vec<_>) = batch.into_iter().unzip();
    let found = outcomes(context.snapshot()?, queries)?;
    Ok(ids.into_iter().zip(found.into_iter().map(QueryResult::of)).collect())
}

/// Answers a single query, a name or the JSON of a query: what is wrong with it is wrong with the request.
pub(super) fn answer_one(context: &Context<'_>, text: &str) -> Result<QueryResult, ApiError> {
    let json = if text.trim_start().starts_with('{') {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(json!({ "query": text }).to_string())
    };
    let query = body::read(json.as_bytes(), query::read);
    let query = query.map_err(|errors| errors.within(SINGLE))?;
    let found = outcomes(context.snapshot()?, vec![Ok(query)])?;
    Ok(QueryResult::of(found.into_iter().next().unwrap_or_default()))
}
