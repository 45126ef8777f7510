//! Funders of a cause or place: grantors by the sum of their matching grants, with how they take applications.

use std::cmp::Reverse;

use super::SearchError;
use super::grants::{self, Query};
use super::listing::{ListPage, Paging};
use crate::index::grants::{OfGrantor, Sum};
use crate::index::typeahead::Card;
use crate::record::{Filing, OrgId, Posture};
use crate::snapshot::Snapshot;

/// A grantor, and the sum of its matching grants.
#[derive(Debug, Clone, PartialEq)]
pub struct Funder {
    pub card: Card,
    pub given: OfGrantor,
    /// The latest tax year of these grants.
    pub latest_year: u16,
    /// Its latest loaded Form 990-PF that describes how to apply.
    pub posture: Option<(Posture, Filing)>,
}

/// The page of funders: largest sum first, then most grants.
pub fn search(
    snapshot: &Snapshot,
    query: &Query,
    accepts_applications: Option<bool>,
    paging: Paging,
) -> Result<ListPage<Funder>, SearchError> {
    let set = grants::select(snapshot, query)?;
    let mut given = snapshot.grants.by_grantor(&set)?;
    if let Some(asked) = accepts_applications {
        // Who does not say is neither.
        given.retain(|one| one.accepts_applications == Some(asked));
    }
    let total = given.len() as u64;
    let order = |one: &OfGrantor| (Reverse(one.sum.amount), Reverse(one.sum.grants), one.grantor);
    let skipped = paging.before();
    let end = skipped.saturating_add(paging.size());
    if end < given.len() {
        given.select_nth_unstable_by_key(end, order);
        given.truncate(end);
    }
    given.sort_unstable_by_key(order);
    let rows = given.into_iter().skip(skipped).map(|given| {
        Ok(Funder {
            card: snapshot.typeahead.card(given.grantor)?,
            latest_year: snapshot.grants.latest_year(&set, given.grantor)?.unwrap_or_default(),
            posture: match given.accepts_applications {
                Some(_) => posture(snapshot, given.grantor)?,
                None => None,
            },
            given,
        })
    });
    Ok(ListPage { total, rows: rows.collect::<Result<_, SearchError>>()? })
}

/// What the grants of a query add up to in each tax year, the latest first, whichever year it asks for.
pub fn years(snapshot: &Snapshot, query: &Query) -> Result<Vec<(u16, Sum)>, SearchError> {
    let set = grants::select(snapshot, &Query { year: None, ..query.clone() })?;
    Ok(snapshot.grants.by_year(&set)?)
}

/// The latest return that states whether its filer takes applications.
fn posture(snapshot: &Snapshot, grantor: OrgId) -> Result<Option<(Posture, Filing)>, SearchError> {
    let says = |mut filing: Filing| {
        let posture = filing.posture.take().filter(|one| one.accepts_applications().is_some());
        posture.map(|posture| (posture, filing))
    };
    Ok(snapshot.records.filings(grantor)?.into_iter().find_map(says))
}
