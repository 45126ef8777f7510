//! Nonprofits by name: those that have exactly this name, the best known first, then those that it may mean, the
//! likeliest first. Only the place filters.

use std::collections::HashSet;

use super::SearchError;
use super::listing::{ListPage, Paging};
use crate::index::names::{Candidate, Question, WeighedTerm};
use crate::query::{Area, Filters};
use crate::record::{OrgId, Organization};
use crate::snapshot::Snapshot;

/// Namesakes that are listed: of more than these only the best known.
const NAMESAKES_MAX: usize = 1_000;

/// The least probability beside somebody who has exactly the name or is likely meant, and that from which one is.
const PROBABILITY_MIN: f64 = 0.001;
const LIKELY_MIN: f64 = 0.5;

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
    /// How many have exactly the name, and how many of these have it as another name beside their own.
    pub exact: u64,
    pub exact_other: u64,
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
    let (mut exact, mut exact_other) = (Vec::new(), Vec::new());
    for org in names.organizations_named(&asked, NAMESAKES_MAX)? {
        // `House of Hope` is not `Hope House`.
        let is_called = |(_, terms): &(_, Vec<WeighedTerm<'_>>)| {
            terms.iter().map(text).eq(asked.iter().map(text))
        };
        let listed = names.listed(org)?.names;
        match listed.iter().position(&is_called) {
            Some(0) if accepts(org) => exact.push(org),
            Some(_) if accepts(org) => exact_other.push(org),
            _ => {}
        }
    }
    let others = exact_other.len() as u64;
    exact.append(&mut exact_other);
    let listed: HashSet<OrgId> = exact.iter().copied().collect();
    let question = Question { accepts: &accepts, ..Question::of(query.name) };
    let mut found = names.find(&question)?.candidates;
    if found.is_empty() && exact.is_empty() {
        found = names.find(&Question { is_begun: true, ..question })?.candidates;
    }
    found.retain(|one| !listed.contains(&one.org));
    let is_sure = !exact.is_empty() || found.iter().any(|one| one.probability >= LIKELY_MIN);
    if is_sure {
        found.retain(|one| one.probability >= PROBABILITY_MIN);
    } else {
        put_rarest_first(snapshot, &asked, &mut found)?;
    }
    let all: Vec<(OrgId, Option<f64>)> = exact
        .iter()
        .map(|org| (*org, None))
        .chain(found.into_iter().map(|one| (one.org, Some(one.probability))))
        .collect();
    let page = ListPage::cut(all, query.paging).try_map(|(org, probability)| {
        Ok(NameHit { organization: snapshot.records.organization(org)?, probability })
    })?;
    Ok(NamePage { exact: listed.len() as u64, exact_other: others, page })
}

/// Orders candidates none of which is likely by what their names have of the question: `Goodwill Idaho` is rather an
/// Easterseals-Goodwill than another body of Idaho.
fn put_rarest_first(
    snapshot: &Snapshot,
    asked: &[WeighedTerm<'_>],
    found: &mut Vec<Candidate>,
) -> Result<(), SearchError> {
    let mut weighed = Vec::with_capacity(found.len());
    for one in found.drain(..) {
        let names = snapshot.names.listed(one.org)?.names;
        let shared = |(_, terms): &(_, Vec<WeighedTerm<'_>>)| -> f32 {
            let has = |asked: &&WeighedTerm<'_>| terms.iter().any(|own| own.text == asked.text);
            asked.iter().filter(has).map(|term| term.mass).sum()
        };
        let most = names.iter().map(shared).fold(0.0, f32::max);
        weighed.push((most, one));
    }
    weighed.sort_by(|one, other| other.0.total_cmp(&one.0));
    found.extend(weighed.into_iter().map(|(_, one)| one));
    Ok(())
}
