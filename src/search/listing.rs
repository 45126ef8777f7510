//! What the lists of stories, metrics and posts share: selection by EIN, and paging.

use std::collections::HashMap;

use super::SearchError;
use crate::index::columns::Bitmap;
use crate::index::items::Items;
use crate::record::{Ein, OrgId, Organization, RowId};
use crate::snapshot::Snapshot;
use crate::store::Stored;

/// Rows that one page may hold.
pub const SIZE_MAX: usize = 100;

/// The page of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paging {
    /// From 1.
    pub page: u64,
    /// 1 to [`SIZE_MAX`].
    pub size: usize,
}

impl Paging {
    /// Rows of a page.
    pub(super) fn size(self) -> usize {
        self.size.min(SIZE_MAX)
    }

    /// Rows on the pages before.
    pub(super) fn skipped(self) -> u64 {
        self.page.saturating_sub(1).saturating_mul(self.size() as u64)
    }

    /// The same, of what is in memory.
    pub(super) fn before(self) -> usize {
        usize::try_from(self.skipped()).unwrap_or(usize::MAX)
    }
}

/// One page of a list, and the length of the list.
#[derive(Debug, Clone, PartialEq)]
pub struct ListPage<Row> {
    /// Rows on all pages.
    pub total: u64,
    /// The page's rows, in order; empty past the end.
    pub rows: Vec<Row>,
}

impl<Row> ListPage<Row> {
    /// A list without rows.
    pub const EMPTY: Self = Self { total: 0, rows: Vec::new() };

    /// The page of a list that is at hand as a whole.
    pub(super) fn cut(all: Vec<Row>, paging: Paging) -> Self {
        let total = all.len() as u64;
        Self { total, rows: all.into_iter().skip(paging.before()).take(paging.size()).collect() }
    }

    /// The same page, its rows borrowed.
    pub fn by_ref(&self) -> ListPage<&Row> {
        ListPage { total: self.total, rows: self.rows.iter().collect() }
    }

    /// The same page of other rows.
    pub fn map<Other>(self, each: impl FnMut(Row) -> Other) -> ListPage<Other> {
        ListPage { total: self.total, rows: self.rows.into_iter().map(each).collect() }
    }

    /// The same page of other rows, unless one of them fails.
    pub(super) fn try_map<Other>(
        self,
        each: impl FnMut(Row) -> Result<Other, SearchError>,
    ) -> Result<ListPage<Other>, SearchError> {
        let rows = self.rows.into_iter().map(each).collect::<Result<_, _>>()?;
        Ok(ListPage { total: self.total, rows })
    }
}

/// The items of any of some EINs; with an empty list, every item.
pub(super) fn of_any<T>(
    snapshot: &Snapshot,
    items: &Items<T>,
    eins: &[Ein],
) -> Result<Bitmap<T>, SearchError> {
    if eins.is_empty() { Ok(items.all()) } else { of_eins(snapshot, items, eins) }
}

/// The items of any of some EINs. Unknown EINs own no items.
pub(super) fn of_eins<T>(
    snapshot: &Snapshot,
    items: &Items<T>,
    eins: &[Ein],
) -> Result<Bitmap<T>, SearchError> {
    let mut found = Bitmap::none(items.count());
    for &ein in eins {
        if let Some(org) = snapshot.columns.org_of(ein)? {
            found.insert(items.of_owner(org)?);
        }
    }
    Ok(found)
}

/// A page of a set in the order of the list.
pub(super) fn page<Record: Stored>(
    snapshot: &Snapshot,
    set: &Bitmap<Record>,
    paging: Paging,
) -> Result<ListPage<(RowId<Record>, Record)>, SearchError> {
    let rows = set.page(paging.skipped(), paging.size());
    Ok(ListPage { total: set.count(), rows: records(snapshot, rows)? })
}

/// The records of some rows, in their order.
pub(super) fn records<Record: Stored>(
    snapshot: &Snapshot,
    rows: Vec<RowId<Record>>,
) -> Result<Vec<(RowId<Record>, Record)>, SearchError> {
    let records = snapshot.records.get_all(&rows)?;
    Ok(rows.into_iter().zip(records).collect())
}

/// The organizations of a page, each read once.
#[derive(Debug, Default)]
pub(super) struct Owners(HashMap<OrgId, Organization>);

impl Owners {
    pub(super) fn of<T>(
        &mut self,
        snapshot: &Snapshot,
        items: &Items<T>,
        item: RowId<T>,
    ) -> Result<&Organization, SearchError> {
        self.organization(snapshot, items.owner(item)?)
    }

    /// An organization of the page.
    pub(super) fn organization(
        &mut self,
        snapshot: &Snapshot,
        org: OrgId,
    ) -> Result<&Organization, SearchError> {
        if let std::collections::hash_map::Entry::Vacant(vacant) = self.0.entry(org) {
            vacant.insert(snapshot.records.organization(org)?);
        }
        Ok(&self.0[&org])
    }
}
