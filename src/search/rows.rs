//! The rows of a list of nonprofits, read as they are asked for: however long a list is, only some of its
//! rows are held at once.

use std::vec;

use super::SearchError;
use crate::index::columns::Bitmap;
use crate::query::Sort;
use crate::record::{OrgId, Organization, Point};
use crate::snapshot::Snapshot;

/// Records that are read at once.
const RECORDS_AT_ONCE: usize = 256;

/// Rows that are put in order at once: each look at all that match costs milliseconds, and what is held of a
/// row meanwhile is 32 bytes at most.
const ORDERED_AT_ONCE: usize = 64 * 1024;

/// A nonprofit found.
#[derive(Debug, Clone, PartialEq)]
pub struct NonprofitHit {
    /// Its record.
    pub organization: Organization,
    /// Cosine of its vector and the text's, −1 to 1; `None` without a text or without vectors.
    pub cosine: Option<f32>,
}

/// What a list is ordered by, as far as it is not in order yet.
#[derive(Debug)]
pub(super) struct ColumnOrder {
    pub(super) set: Bitmap,
    /// Empty is the order of the snapshot.
    pub(super) sorts: Vec<Sort>,
    pub(super) origin: Option<Point>,
}

/// Rows in order. Ends with the first error.
pub struct Rows<'a> {
    snapshot: &'a Snapshot,
    /// The text's vector: what cosines are taken with.
    query: Option<Vec<f32>>,
    order: Option<ColumnOrder>,
    /// Rows to come that are not in `ordered`.
    left: u64,
    ordered: vec::IntoIter<OrgId>,
    last: Option<OrgId>,
    read: vec::IntoIter<NonprofitHit>,
}

impl<'a> Rows<'a> {
    /// Rows whose order is known.
    pub(super) fn listed(
        snapshot: &'a Snapshot,
        orgs: Vec<OrgId>,
        query: Option<Vec<f32>>,
    ) -> Self {
        let (ordered, read) = (orgs.into_iter(), Vec::new().into_iter());
        Self { snapshot, query, order: None, left: 0, ordered, last: None, read }
    }

    /// At most `count` rows of a set, behind the first `skipped`.
    pub(super) fn sorted(
        snapshot: &'a Snapshot,
        order: ColumnOrder,
        skipped: u64,
        count: u64,
        query: Option<Vec<f32>>,
    ) -> Result<Self, SearchError> {
        let ColumnOrder { set, sorts, origin } = &order;
        let limit = at_once(count);
        let orgs = snapshot.columns.sorted(set, sorts, *origin, skipped, limit)?;
        let left = if orgs.len() < limit { 0 } else { count - orgs.len() as u64 };
        Ok(Self { order: Some(order), left, ..Self::listed(snapshot, orgs, query) })
    }

    /// Those of the rows to come that are in order already, not read yet.
    pub(super) fn ordered(&self) -> &[OrgId] {
        self.ordered.as_slice()
    }

    fn read_more(&mut self) -> Result<(), SearchError> {
        if self.ordered.len() == 0
            && let (Some(order), Some(last), 1..) = (&self.order, self.last, self.left)
        {
            let ColumnOrder { set, sorts, origin } = order;
            let limit = at_once(self.left);
            let orgs = self.snapshot.columns.sorted_after(set, sorts, *origin, last, limit)?;
            self.left = if orgs.len() < limit { 0 } else { self.left - orgs.len() as u64 };
            self.ordered = orgs.into_iter();
        }
        let orgs: Vec<OrgId> = self.ordered.by_ref().take(RECORDS_AT_ONCE).collect();
        self.last = orgs.last().copied().or(self.last);
        let organizations = self.snapshot.records.get_all(&orgs)?;
        let cosines: Vec<Option<f32>> = match (&self.query, &self.snapshot.vectors) {
            (Some(query), Some(vectors)) => {
                vectors.cosines(query, &orgs)?.into_iter().map(Some).collect()
            }
            _ => vec![None; orgs.len()],
        };
        let hit = |(organization, cosine)| NonprofitHit { organization, cosine };
        let read: Vec<_> = organizations.into_iter().zip(cosines).map(hit).collect();
        self.read = read.into_iter();
        Ok(())
    }
}

fn at_once(count: u64) -> usize {
    usize::try_from(count).map_or(ORDERED_AT_ONCE, |count| count.min(ORDERED_AT_ONCE))
}

impl Iterator for Rows<'_> {
    type Item = Result<NonprofitHit, SearchError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.read.len() == 0
            && let Err(error) = self.read_more()
        {
            self.left = 0;
            self.ordered = Vec::new().into_iter();
            return Some(Err(error));
        }
        self.read.next().map(Ok)
    }
}

impl std::fmt::Debug for Rows<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rows").field("left", &self.left).finish_non_exhaustive()
    }
}
