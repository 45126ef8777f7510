//! What else may interest whoever looks at a nonprofit.

use super::nonprofits::{self, NonprofitHit, Query, RelevanceQuery};
use super::{SearchError, details, library};
use crate::query::Filters;
use crate::record::{Article, Ein, Organization};
use crate::snapshot::Snapshot;
use crate::taxonomy;
use crate::understand::Lookup;

/// Nonprofits and articles that are named, at most.
const NONPROFITS_MAX: usize = 10;
const ARTICLES_MAX: usize = 5;

/// What is related to a nonprofit.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RelatedItems {
    /// Those most like it, itself left out.
    pub nonprofits: Vec<Organization>,
    /// About what it does.
    pub articles: Vec<Article>,
}

/// What is related to a nonprofit, if the snapshot has it.
pub fn related(snapshot: &Snapshot, ein: Ein) -> Result<Option<RelatedItems>, SearchError> {
    let Some(organization) = details::details(snapshot, ein)? else { return Ok(None) };
    let about = about(&organization);
    // Without vectors, words tell.
    let like = match &snapshot.vectors {
        Some(_) => RelevanceQuery { nonprofit: Some(ein), ..RelevanceQuery::default() },
        None => RelevanceQuery::text(about.as_str()),
    };
    let filters = Filters { not_eins: vec![ein], ..Filters::default() };
    let found =
        nonprofits::search(&Lookup::of(snapshot), &Query::of(filters, like, NONPROFITS_MAX))?;
    let nonprofits =
        found.rows.into_iter().map(|NonprofitHit { organization, .. }| organization).collect();
    let hits = library::about(snapshot, &about, 0, ARTICLES_MAX)?;
    let articles = hits.into_iter().map(|hit| hit.record).collect();
    Ok(Some(RelatedItems { nonprofits, articles }))
}

/// What it does: by its code, in its own words, or as far as its name tells.
fn about(organization: &Organization) -> String {
    let code = organization.ntee.or(organization.group_ntee);
    let title = code.and_then(taxonomy::title).map(str::to_owned);
    title.or_else(|| organization.summary.clone()).unwrap_or_else(|| organization.name.clone())
}
