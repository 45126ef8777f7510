//! Nonprofits that satisfy filters, sorted and paged.

use super::SearchError;
use crate::index::columns::{Filters, Sort, SortKey};
use crate::record::Organization;
use crate::snapshot::Snapshot;

/// Rows that one page may hold.
pub const SIZE_MAX: usize = 100;

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// What every row must satisfy.
    pub filters: Filters,
    /// Applied in order; empty is by revenue, descending.
    pub sort: Vec<Sort>,
    /// From 1.
    pub page: u64,
    /// 1 to [`SIZE_MAX`].
    pub size: usize,
}

/// One page of what satisfies the filters.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// How many satisfy the filters in all.
    pub total: u64,
    /// The page's rows, in order; empty past the end.
    pub organizations: Vec<Organization>,
}

/// The page of nonprofits asked for.
///
/// # Errors
/// When the snapshot is damaged.
pub fn search(snapshot: &Snapshot, query: &Query) -> Result<Found, SearchError> {
    const BY_REVENUE: &[Sort] = &[Sort { key: SortKey::Revenue, descending: true }];
    let matching = snapshot.columns.select(&query.filters)?;
    let total = matching.count();
    let size = query.size.min(SIZE_MAX);
    let skipped = query.page.saturating_sub(1).saturating_mul(size as u64);
    if skipped >= total {
        return Ok(Found { total, organizations: Vec::new() });
    }
    let sort = if query.sort.is_empty() { BY_REVENUE } else { &query.sort };
    let point = query.filters.near.map(|(point, _)| point);
    let page = snapshot.columns.sorted(&matching, sort, point, skipped, size)?;
    let organizations =
        page.into_iter().map(|org| snapshot.organizations.get(org)).collect::<Result<_, _>>()?;
    Ok(Found { total, organizations })
}
