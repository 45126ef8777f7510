//! Nonprofits that satisfy filters, ranked by how well they fit a text or sorted, and paged.

use super::SearchError;
use super::relevance::{self, Plan, Wanted};
use crate::index::columns::{Bitmap, Filters, Sort, SortKey};
use crate::record::{OrgId, Organization, Point};
use crate::snapshot::Snapshot;

/// Rows that one page may hold.
pub const SIZE_MAX: usize = 100;

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// What every row must satisfy.
    pub filters: Filters,
    /// What distances are measured from; without it they are unknown.
    pub origin: Option<Point>,
    /// What rows should be about, in plain words: it ranks, and leaves nothing out by itself.
    pub text: Option<String>,
    /// How far in meaning (1 − cosine) from the text a row may be; asks nothing without a text.
    pub distance_max: Option<f64>,
    /// Applied in order; empty is by relevance.
    pub sort: Vec<Order>,
    /// From 1.
    pub page: u64,
    /// 1 to [`SIZE_MAX`].
    pub size: usize,
}

/// What rows are ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// How well they fit the text; without one by revenue, the greatest first. What is behind it
    /// in a list orders nothing, since hardly two rows fit equally well; with a text, it orders
    /// nothing itself behind another.
    Relevance,
    /// A column.
    By(Sort),
}

/// One page of what satisfies the filters.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// How many satisfy the filters in all, and are within the distance.
    pub total: u64,
    /// How many are left out only because a figure that a filter asks about is not known.
    pub unknown: u64,
    /// The page's rows, in order; empty past the end.
    pub rows: Vec<Row>,
    /// How they were found.
    pub plan: Plan,
}

/// A nonprofit found.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its record.
    pub organization: Organization,
    /// Cosine of its vector and the text's, −1 to 1; `None` without a text or without vectors.
    pub cosine: Option<f32>,
}

/// The page of nonprofits asked for.
///
/// With a text and sorted by a column, the rows are those that fit the text best (all within
/// `distance_max`, if it is given; else [`relevance::CANDIDATES_MAX`] of each ranking), so that the
/// greatest of those that fit come first, not the greatest of all.
///
/// # Errors
/// When the snapshot is damaged, or was built with a model that is not at hand.
pub fn search(snapshot: &Snapshot, query: &Query) -> Result<Found, SearchError> {
    let selection = snapshot.columns.select(&query.filters)?;
    let (matching, unknown) = (selection.matching, selection.unknown);
    let total = matching.count();
    let size = query.size.min(SIZE_MAX);
    let skipped = query.page.saturating_sub(1).saturating_mul(size as u64);
    let sorts = sorts(query);
    let text = query.text.as_deref().map(str::trim).filter(|text| !text.is_empty());
    let Some(text) = text else {
        let page = snapshot.columns.sorted(&matching, &sorts, query.origin, skipped, size)?;
        let found = relevance::Page { orgs: page, total, plan: Plan::columns(total), query: None };
        return finish(snapshot, found, unknown);
    };
    let wanted = Wanted { text, matching: &matching, total, distance_max: query.distance_max };
    let found = if sorts.is_empty() {
        relevance::page(snapshot, &wanted, skipped, size)?
    } else {
        let mut found = relevance::candidates(snapshot, &wanted)?;
        let set = Bitmap::of(snapshot.columns.organizations(), found.orgs);
        found.orgs = snapshot.columns.sorted(&set, &sorts, query.origin, skipped, size)?;
        found
    };
    finish(snapshot, found, unknown)
}

/// The columns to sort by; none for the ranking by relevance.
fn sorts(query: &Query) -> Vec<Sort> {
    const BY_REVENUE: Sort = Sort { key: SortKey::Revenue, descending: true };
    let with_text = query.text.as_deref().is_some_and(|text| !text.trim().is_empty());
    let mut sorts = Vec::new();
    for order in &query.sort {
        match order {
            Order::By(sort) => sorts.push(*sort),
            Order::Relevance if with_text => break,
            Order::Relevance => sorts.push(BY_REVENUE),
        }
    }
    if sorts.is_empty() && !with_text {
        sorts.push(BY_REVENUE);
    }
    sorts
}

/// Adds the records and cosines of a page.
fn finish(snapshot: &Snapshot, page: relevance::Page, unknown: u64) -> Result<Found, SearchError> {
    let cosines: Vec<Option<f32>> = match (&page.query, &snapshot.vectors) {
        (Some(query), Some(vectors)) => {
            vectors.cosines(query, &page.orgs)?.into_iter().map(Some).collect()
        }
        _ => vec![None; page.orgs.len()],
    };
    let row = |(&org, cosine): (&OrgId, Option<f32>)| {
        Ok(Row { organization: snapshot.organizations.get(org)?, cosine })
    };
    let rows = page.orgs.iter().zip(cosines).map(row).collect::<Result<_, SearchError>>()?;
    Ok(Found { total: page.total, unknown, rows, plan: page.plan })
}
