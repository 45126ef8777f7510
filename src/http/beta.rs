//! `GET /beta/nonprofits/search`: nonprofits by filters, ranked by how well they fit a query in
//! plain words (`q`) or sorted, and paged. Filters in the words of `q` itself are not understood yet.

mod answer;
mod asked;

use super::endpoint::{Context, Cost, Endpoint, Reply, json};
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

fn answer(context: &Context<'_>) -> Result<Reply, Refusal> {
    let asked = Asked::read(&context.input)?;
    let found = context.source()?.nonprofits(&asked.query())?;
    let reply = json(&Answer::of(&asked, &found))?;
    Ok(Reply { plan: Some(found.plan), ..reply })
}
