//! What else may interest whoever looks at a nonprofit.

use super::similar::similar;
use super::{SearchError, details, library};
use crate::record::{Article, Ein, Organization};
use crate::snapshot::Snapshot;
use crate::taxonomy;

/// Nonprofits and articles that are named, at most.
const NONPROFITS_MAX: usize = 10;
const ARTICLES_MAX: usize = 5;

/// What is related to a nonprofit.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RelatedItems {
    /// Those most like it in kind, size and place; neither itself nor those of its group and name.
    pub nonprofits: Vec<Organization>,
    /// About what it does.
    pub articles: Vec<Article>,
}

/// What is related to a nonprofit, if the snapshot has it.
pub fn related(snapshot: &Snapshot, ein: Ein) -> Result<Option<RelatedItems>, SearchError> {
    let Some(organization) = details::details(snapshot, ein)? else { return Ok(None) };
    let about = about(&organization);
    let nonprofits = similar(snapshot, &organization, NONPROFITS_MAX)?;
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
