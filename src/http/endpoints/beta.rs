//! `GET /beta/nonprofits/search`: nonprofits by what a query in plain words (`q`) and explicit
//! parameters ask for, ranked by how well they fit or sorted, and paged.

mod answer;
pub(crate) mod params;
pub(crate) mod question;

use crate::http::interface::api_error::ApiError;
use crate::http::interface::endpoint::{Context, Cost, Endpoint, Reply, Rows, json};
use crate::search::relevance::RANKED_MAX;
use crate::search::similar::search;
use crate::understand::Lookup;
use answer::Answer;
use params::Params;
use question::answered_by;

pub(crate) static SEARCH: Endpoint = Endpoint {
    tag: "Beta",
    summary: "Search nonprofits by filters and in plain words",
    rows: Rows::In("nonprofits"),
    cost: Cost::Heavy, // Filters and sorts every nonprofit.
    ..Endpoint::json::<Answer<'_>>("/beta/nonprofits/search", Params::DECLARED, answer)
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = Params::read(&context.input)?;
    let snapshot = context.snapshot()?;
    let (earlier, session) = context.earlier(asked.session);
    let (lookup, explicit) = (&Lookup::of(snapshot), asked.filters.frame());
    let mut understood = asked.interpret(lookup, &explicit, earlier.as_ref())?;
    let found = search(lookup, &understood.query(asked.page_query()))?;
    let answered_by = understood.question.as_ref().map(|asked| answered_by(snapshot, asked));
    let answered_by = answered_by.transpose()?;
    let reply = json(&Answer::of(&asked, &understood, &found, (answered_by, session)))?;
    if let Some(mut next) = earlier {
        let q = asked.q.as_deref().map(str::trim).filter(|q| !q.is_empty());
        match q {
            Some(q) => next.search(q, understood.step, understood.kept),
            None => next.ask(understood.kept),
        }
        let rows = (asked.page as u64).saturating_mul(asked.size as u64);
        next.show_nonprofits(found.rows.iter().map(|row| row.organization.ein), rows);
        next.explicit = Some(Box::new(explicit)).filter(|asked| !asked.is_empty());
        context.remember(asked.session, &next);
    }
    let total = found.sorted.unwrap_or(found.total);
    // What words rank ends somewhere.
    let listed =
        if found.sorted.is_none() && found.plan.words { total.min(RANKED_MAX) } else { total };
    Ok(Reply { plan: Some(found.plan), ..reply.of_page(listed, asked.page, asked.size) })
}

/// What a request without a session asks of a snapshot.
#[cfg(test)]
pub(crate) fn query(
    input: &crate::http::interface::input::Input<'_>,
    snapshot: &crate::snapshot::Snapshot,
) -> Result<crate::search::nonprofits::Query, ApiError> {
    let asked = Params::read(input)?;
    let understood = asked.interpret(&Lookup::of(snapshot), &asked.filters.frame(), None);
    Ok(understood?.query(asked.page_query()))
}
