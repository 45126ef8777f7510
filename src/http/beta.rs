//! `GET /beta/nonprofits/search`: nonprofits by filters, sorted and paged. A query in plain words
//! (`q`) is not read yet: a valid one gets 501.

mod answer;
mod asked;

use hyper::body::Bytes;

use super::endpoint::{Context, Cost, Endpoint, json};
use super::refusal::Refusal;
use answer::Answer;
use asked::Asked;

/// The endpoint.
pub(super) static SEARCH: Endpoint = Endpoint {
    path: "/beta/nonprofits/search",
    tag: "Beta",
    summary: "Search nonprofits by filters and in plain words",
    schema: "NonprofitSearch",
    // Filters and sorts every nonprofit.
    cost: Cost::Heavy,
    parameters: Asked::DECLARED,
    answer,
};

fn answer(context: &Context<'_>) -> Result<Bytes, Refusal> {
    let asked = Asked::read(&context.input)?;
    if asked.q.as_deref().is_some_and(|q| !q.trim().is_empty()) {
        let why = "queries in plain words are not read yet; use the filters without q";
        return Err(Refusal::NotImplemented(why));
    }
    let found = context.source()?.nonprofits(&asked.query())?;
    json(&Answer::of(&asked, &found))
}
