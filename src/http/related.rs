//! `GET /nonprofits/details/{ein}/related`: nonprofits like one, and articles about what it does.

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;

use super::api_error::ApiError;
use super::articles::Article;
use super::declared::EIN;
use super::details::Details;
use super::endpoint::{Body, Context, Cost, Endpoint, Reply, Reuse, Rows, UNKNOWN_EIN, json};
use super::parameter::parameters;
use crate::record::Ein;
use crate::search::related::related;

parameters! {
    /// What it takes.
    Params {
        ein: Ein = EIN,
    }
}

/// The endpoint.
pub(super) static RELATED: Endpoint = Endpoint {
    path: "/nonprofits/details/{ein}/related",
    tag: "Insights",
    summary: "Nonprofits like one, and articles about what it does",
    body: Body::Json(SchemaGenerator::subschema_for::<Answer<'_>>),
    rows: Rows::None,
    reuse: Reuse::UntilSwap,
    not_found: Some(UNKNOWN_EIN),
    // Vectors are searched and a text is embedded.
    cost: Cost::Heavy,
    parameters: Params::DECLARED,
    answer,
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let Params { ein } = Params::read(&context.input)?;
    let found = related(context.snapshot()?, ein)?.ok_or(ApiError::UnknownNonprofit)?;
    json(&Answer {
        ein,
        nonprofits: found.nonprofits.iter().map(Details::of).collect(),
        articles: found.articles.iter().map(Article::of).collect(),
    })
}

/// Nonprofits like one, and articles about what it does.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Related")]
struct Answer<'a> {
    /// Employer Identification Number of the nonprofit: nine digits, leading zeros kept.
    ein: Ein,
    /// Nonprofits most like it, the most alike first; itself is left out.
    nonprofits: Vec<Details<'a>>,
    /// Articles about what it does, best match first.
    articles: Vec<Article<'a>>,
}
