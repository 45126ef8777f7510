//! Funders of a cause or place: grantors by the sum of their matching grants, with how they take applications.

use std::cmp::Reverse;

use super::SearchError;
use super::grants::{self, Query};
use super::listing::{ListPage, Paging};
use crate::index::columns::Bitmap;
use crate::index::grants::{OfGrantor, Sum};
use crate::index::typeahead::Card;
use crate::record::{Filing, Grant, OrgId, Posture};
use crate::snapshot::Snapshot;
use crate::understand::Question;

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
    paging: Paging,
) -> Result<ListPage<Funder>, SearchError> {
    Grantors::of(snapshot, query)?.page(snapshot, paging)
}

/// Who funds what a question asks for.
pub fn of_question(
    snapshot: &Snapshot,
    asked: &Question,
    paging: Paging,
) -> Result<ListPage<Funder>, SearchError> {
    most_found(snapshot, asked)?.0.page(snapshot, paging)
}

/// What a question asks of grants: its words, or the NTEE codes of its cause, whichever has most funders.
pub fn query_of(snapshot: &Snapshot, asked: &Question) -> Result<Query, SearchError> {
    match &ways_of(asked)[..] {
        [only] => Ok(only.clone()),
        _ => Ok(most_found(snapshot, asked)?.1),
    }
}

/// What may be asked of grants, at least one.
fn ways_of(asked: &Question) -> Vec<Query> {
    let of = Query {
        words: asked.words.clone(),
        recipient_state: asked.recipient_state,
        recipient_ntee: Vec::new(),
        grantor_state: asked.funder_state,
        year: asked.year,
        min_amount: asked.min_amount,
        accepts_applications: asked.accepts_applications,
    };
    let of_codes = (!asked.ntee.is_empty()).then(|| Query {
        words: None,
        recipient_ntee: asked.ntee.clone(),
        ..of.clone()
    });
    [Some(of), of_codes].into_iter().flatten().collect()
}

/// The query that has most grantors, of equal ones the first, with these.
fn most_found(snapshot: &Snapshot, asked: &Question) -> Result<(Grantors, Query), SearchError> {
    let found = ways_of(asked).into_iter().map(|way| Ok((Grantors::of(snapshot, &way)?, way)));
    let found = found.collect::<Result<Vec<_>, SearchError>>()?.into_iter().rev();
    let most = found.max_by_key(|(grantors, _)| grantors.given.len());
    Ok(most.expect("there is a way to ask at least"))
}

/// The grantors of some grants.
struct Grantors {
    set: Bitmap<Grant>,
    given: Vec<OfGrantor>,
}

impl Grantors {
    fn of(snapshot: &Snapshot, query: &Query) -> Result<Self, SearchError> {
        let set = grants::select(snapshot, query)?;
        let given = snapshot.grants.by_grantor(&set)?;
        Ok(Self { set, given })
    }

    fn page(self, snapshot: &Snapshot, paging: Paging) -> Result<ListPage<Funder>, SearchError> {
        let Self { set, mut given } = self;
        let total = given.len() as u64;
        let order =
            |one: &OfGrantor| (Reverse(one.sum.amount), Reverse(one.sum.grants), one.grantor);
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
