//! Nonprofits by name: those that have exactly this name, the best known first, then those that it may mean, the
//! likeliest first. Only the place filters.

use std::collections::HashSet;

use super::SearchError;
use super::listing::{ListPage, Paging};
use crate::index::names::{Question, WeighedTerm};
use crate::query::{Area, Filters};
use crate::record::{OrgId, Organization};
use crate::snapshot::Snapshot;

/// Namesakes that are listed: of more than these only the best known.
const NAMESAKES_MAX: usize = 1_000;

/// Whose name is asked for.
#[derive(Debug)]
pub struct Query<'a> {
    /// The name as people write it, perhaps with its place.
    pub name: &'a str,
    /// Any of these; empty for everywhere.
    pub areas: Vec<Area>,
    pub paging: Paging,
}

/// A nonprofit that a name may mean.
#[derive(Debug)]
pub struct NameHit {
    pub organization: Organization,
    /// The probability that it is meant, 0 to 1; `None` of one that has exactly the name.
    pub probability: Option<f64>,
}

/// Who may be meant by a name.
#[derive(Debug)]
pub struct NamePage {
    /// How many have exactly the name.
    pub exact: u64,
    pub page: ListPage<NameHit>,
}

fn text<'a>(term: &'a WeighedTerm<'_>) -> &'a str {
    &term.text
}

/// The page of nonprofits that a name may mean.
pub fn find(snapshot: &Snapshot, query: &Query<'_>) -> Result<NamePage, SearchError> {
    let filters = Filters { areas: query.areas.clone(), ..Filters::default() };
    let there = match query.areas.is_empty() {
        true => None,
        false => Some(snapshot.columns.select(&filters)?.matching),
    };
    let accepts = |org: OrgId| there.as_ref().is_none_or(|set| set.contains(org));
    let names = &snapshot.names;
    let asked = names.weigh(query.name)?;
    let mut exact = Vec::new();
    for org in names.organizations_named(&asked, NAMESAKES_MAX)? {
        // `House of Hope` is not `Hope House`.
        let is_called = |(_, terms): &(_, Vec<WeighedTerm<'_>>)| {
            terms.iter().map(text).eq(asked.iter().map(text))
        };
        if accepts(org) && names.listed(org)?.names.iter().any(is_called) {
            exact.push(org);
        }
    }
    let listed: HashSet<OrgId> = exact.iter().copied().collect();
    let question = Question { accepts: &accepts, ..Question::of(query.name) };
    let mut found = names.find(&question)?.candidates;
    if found.is_empty() && exact.is_empty() {
        found = names.find(&Question { is_begun: true, ..question })?.candidates;
    }
    let likely = found.into_iter().filter(|one| !listed.contains(&one.org));
    let all: Vec<(OrgId, Option<f64>)> = exact
        .iter()
        .map(|org| (*org, None))
        .chain(likely.map(|one| (one.org, Some(one.probability))))
        .collect();
    let page = ListPage::cut(all, query.paging).try_map(|(org, probability)| {
        Ok(NameHit { organization: snapshot.records.organization(org)?, probability })
    })?;
    Ok(NamePage { exact: listed.len() as u64, page })
}
