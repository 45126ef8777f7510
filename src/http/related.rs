//! `GET /nonprofits/details/{ein}/related`: nonprofits like one, and articles about what it does. An endpoint of
//! the hosted original that the specification leaves out.

use serde::Serialize;

use super::articles::Article;
use super::declared::EIN;
use super::details::Details;
use super::endpoint::{Context, Cost, Endpoint, Reply, json};
use super::parameter::parameters;
use super::refusal::Refusal;
use crate::record::Ein;

parameters! {
    /// What it takes.
    Asked {
        ein: Ein = EIN,
    }
}

/// The endpoint.
pub(super) static RELATED: Endpoint = Endpoint {
    path: "/nonprofits/details/{ein}/related",
    tag: "Insights",
    summary: "Nonprofits like one, and articles about what it does",
    schema: "Related",
    // Vectors are searched and a text is embedded.
    cost: Cost::Heavy,
    parameters: Asked::DECLARED,
    answer,
};

fn answer(context: &Context<'_>) -> Result<Reply, Refusal> {
    let Asked { ein } = Asked::read(&context.input)?;
    let found = context.source()?.related(ein)?.ok_or(Refusal::UnknownNonprofit)?;
    json(&Answer {
        ein,
        nonprofits: found.nonprofits.iter().map(Details::of).collect(),
        articles: found.articles.iter().map(Article::of).collect(),
    })
}

#[derive(Debug, Serialize)]
struct Answer<'a> {
    ein: Ein,
    nonprofits: Vec<Details<'a>>,
    articles: Vec<Article<'a>>,
}
