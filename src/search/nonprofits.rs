//! Nonprofits that satisfy filters, ranked by how well they fit a text or sorted, and paged.

use super::SearchError;
use super::candidates::{self, Candidates, Ranker, RankingRequest};
use super::gaps::Gaps;
use super::listing::SIZE_MAX;
use super::passage::passage;
use super::place_scope::PlaceScope;
use super::plan::Plan;
use super::relevance;
use super::rows::ColumnOrder;
use crate::index::columns::{Bitmap, Facet, FacetCount, Selection};
use crate::query::{Figure, Filters, Sort, SortKey};
use crate::record::{OrgId, Organization, Point};
use crate::snapshot::Snapshot;

pub use super::candidates::RelevanceQuery;
pub use super::place_scope::PlaceHint;
pub use super::rows::{NonprofitHit, Rows};

/// A query for nonprofits.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Query {
    /// Filters on every row.
    pub filters: Filters,
    /// The origin of distances; without it they are unknown.
    pub origin: Option<Point>,
    /// What rows are ranked by; it excludes nothing by itself.
    pub relevance: RelevanceQuery,
    /// The largest distance in meaning (1 − cosine) of a row to the text; no condition without a text.
    pub distance_max: Option<f64>,
    /// Applied in order; empty sorts by relevance.
    pub sort: Vec<Order>,
    /// From 1.
    pub page: u64,
    /// Rows of a page: 1 to [`SIZE_MAX`] for [`search`], any number for [`list`].
    pub size: usize,
    /// The facets by which the matches are counted.
    pub facets: Vec<Facet>,
    /// The place that words name; rows around it are ranked too.
    pub place: Option<PlaceHint>,
    /// Whether rows, their number and the facets are restricted to rows that have all words of the
    /// text or are likely answers to it; if not, all other matches follow by meaning.
    pub ends_with_text: bool,
}

impl Query {
    /// The first rows of those that satisfy filters, the most relevant first.
    pub fn of(filters: Filters, relevance: RelevanceQuery, size: usize) -> Self {
        Self { filters, relevance, page: 1, size, ..Self::default() }
    }
}

/// The key of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// How well rows fit the text; without a text by revenue, the greatest first. Later keys in a
    /// list have no effect, since hardly two rows fit equally well; with a text, it has no effect
    /// itself after another key.
    Relevance,
    /// A column.
    By(Sort),
}

/// The name of [`Order::Relevance`] in interfaces.
const RELEVANCE: &str = "relevance";

impl Order {
    /// The names of the orders in interfaces, each also with `-` in front for descending.
    pub fn names() -> impl Iterator<Item = &'static str> {
        std::iter::once(RELEVANCE).chain(SortKey::offered().map(SortKey::name))
    }

    /// The order of a name; relevance is best first in either direction.
    pub fn parse(text: &str) -> Option<Self> {
        match text.strip_prefix('-').unwrap_or(text) {
            RELEVANCE => Some(Self::Relevance),
            _ => Sort::parse(text).map(Self::By),
        }
    }
}

/// One page of the matches.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NonprofitPage {
    /// How many rows satisfy the filters, within the distance.
    pub total: u64,
    /// How many rows are excluded only because a filtered value is unknown.
    pub unknown: u64,
    /// How many rows match by an upper bound of their revenue, its amount being unknown.
    pub by_ceiling: u64,
    /// How many fit a text well enough to be sorted by a column; `None` unless there is both.
    pub sorted: Option<u64>,
    /// How many rows precede the page.
    pub skipped: u64,
    /// The page's rows, in order; empty past the end.
    pub rows: Vec<NonprofitHit>,
    /// The best fitting rows, in order, whatever the page: at most some two thousand; without a
    /// text those of the page.
    pub best: Vec<OrgId>,
    /// How the rows were found.
    pub plan: Plan,
    /// The facets asked for, over the matches that are listed on any page.
    pub facets: Vec<(Facet, Vec<FacetCount>)>,
}

/// The page of nonprofits asked for.
///
/// With a text and sorted by a column, the rows are those that fit the text (all within `distance_max`, if it
/// is given; where none fits, the candidates), so that the
/// greatest of those that fit come first, not the greatest of all.
pub fn search(snapshot: &Snapshot, query: &Query) -> Result<NonprofitPage, SearchError> {
    let (found, rows) = ranked(snapshot, query, query.size.min(SIZE_MAX))?;
    Ok(NonprofitPage { rows: rows.collect::<Result<_, _>>()?, ..found })
}

/// The page of nonprofits asked for, of any size: its rows are read as they are asked for, and those of the
/// page itself are empty. Without a text it takes the same memory however long it is; with one, some bytes
/// a row.
///
/// # Errors
/// As [`search`]; a row that cannot be read is an error of [`Rows`].
pub fn list<'a>(
    snapshot: &'a Snapshot,
    query: &Query,
) -> Result<(NonprofitPage, Rows<'a>), SearchError> {
    ranked(snapshot, query, query.size)
}

/// Every nonprofit that satisfies filters, on a page without rows and as a set.
pub fn all(snapshot: &Snapshot, filters: &Filters) -> Result<(NonprofitPage, Bitmap), SearchError> {
    let selection = snapshot.columns.select(filters)?;
    let total = selection.matching.count();
    let gaps = Gaps::of(filters, &snapshot.coverage);
    let plan = Plan { gaps, ..Plan::columns(total) };
    Ok((
        NonprofitPage { unknown: selection.unknown, ..NonprofitPage::of(total, plan) },
        selection.matching,
    ))
}

/// Every nonprofit that satisfies the filters and fits the text of a query that ends with it, on a page without rows
/// and as a set.
pub fn matches(snapshot: &Snapshot, query: &Query) -> Result<(NonprofitPage, Bitmap), SearchError> {
    if !query.relevance.ranks() {
        return all(snapshot, &query.filters);
    }
    let Selection { matching, unknown, .. } = snapshot.columns.select(&query.filters)?;
    let total = matching.count();
    let scope = Scope::of(snapshot, query, &matching)?;
    let page = relevance::page(snapshot, &scope.request(query, &matching, total), 0, 1)?;
    let set = page.of_text.unwrap_or(matching);
    Ok((NonprofitPage { unknown, ..NonprofitPage::of(set.count(), page.plan) }, set))
}

impl NonprofitPage {
    /// A page without its rows.
    fn of(total: u64, plan: Plan) -> Self {
        Self { total, plan, ..Self::default() }
    }

    /// The first row of all, if the page has it.
    pub fn first(&self) -> Option<&Organization> {
        self.rows.first().filter(|_| self.skipped == 0).map(|row| &row.organization)
    }
}

/// The page of `size` rows, which are not read yet.
fn ranked<'a>(
    snapshot: &'a Snapshot,
    query: &Query,
    size: usize,
) -> Result<(NonprofitPage, Rows<'a>), SearchError> {
    let selection = snapshot.columns.select(&query.filters)?;
    let Selection { matching, unknown, by_ceiling } = selection;
    let total = matching.count();
    let facets = |set: &Bitmap| {
        let counts = |facet: &Facet| Ok((*facet, snapshot.columns.facet(set, *facet)?));
        query.facets.iter().map(counts).collect::<Result<Vec<_>, SearchError>>()
    };
    let skipped = query.page.saturating_sub(1).saturating_mul(size as u64);
    let sorts = sorts(query);
    let sort = |set, by: Option<Vec<f32>>| {
        let order = ColumnOrder { set, sorts: sorts.clone(), origin: query.origin };
        Rows::sorted(snapshot, order, skipped, size as u64, by)
    };
    let (mut found, rows) = if !query.relevance.ranks() {
        let measured = candidates::measure(snapshot, query.relevance.measured_with.as_deref())?;
        let facets = facets(&matching)?;
        let rows = sort(matching, measured)?;
        let best = rows.ordered().to_vec();
        (NonprofitPage { best, facets, ..NonprofitPage::of(total, Plan::columns(total)) }, rows)
    } else {
        let scope = Scope::of(snapshot, query, &matching)?;
        let request = scope.request(query, &matching, total);
        let mut sorted = None;
        let listed;
        let (page, rows) = if sorts.is_empty() {
            let mut page = relevance::page(snapshot, &request, skipped, size)?;
            listed = page.of_text.take();
            let rows = Rows::listed(snapshot, std::mem::take(&mut page.orgs), page.query.take());
            (page, rows)
        } else {
            let mut page = relevance::fitting(snapshot, &request)?;
            let set = match fitting(snapshot, query, &matching)? {
                Some(mut fitting) => {
                    // Codes decide what fits, and names where no code was filed.
                    if page.plan.fit.take().is_some_and(|fit| fit.count > 0) {
                        let there = page.orgs.iter().copied().filter(|org| matching.contains(*org));
                        fitting.insert(there);
                    }
                    fitting
                }
                None => {
                    Bitmap::of(snapshot.columns.organizations(), std::mem::take(&mut page.orgs))
                }
            };
            sorted = Some(set.count());
            page.plan.listed = sorted;
            listed = Some(set.clone());
            let rows = sort(set, page.query.take())?;
            (page, rows)
        };
        let found = NonprofitPage::of(page.total, page.plan);
        let facets = facets(listed.as_ref().unwrap_or(&matching))?;
        (NonprofitPage { sorted, best: page.best, facets, ..found }, rows)
    };
    let gaps = Gaps::of(&query.filters, &snapshot.coverage);
    let awaited = query.relevance.words().and_then(|_| snapshot.awaited());
    found.plan.gaps = gaps.of_words(awaited);
    found.plan.states_if_partial = snapshot.coverage.states_if_partial();
    (found.unknown, found.by_ceiling) = (unknown, by_ceiling);
    found.skipped = skipped;
    Ok((found, rows))
}

/// Rows that may be ranked besides the matches.
struct Scope {
    /// The rows that satisfy every filter but a place in words; `None` where those are the same.
    open: Option<Bitmap>,
    place: Option<PlaceScope>,
}

impl Scope {
    fn of(snapshot: &Snapshot, query: &Query, matching: &Bitmap) -> Result<Self, SearchError> {
        let Some(hint) = &query.place else { return Ok(Self { open: None, place: None }) };
        let filters = || Filters { areas: Vec::new(), ..query.filters.clone() };
        let open = hint.is_filter.then(|| snapshot.columns.select(&filters()));
        let open = open.transpose()?.map(|selection| selection.matching);
        let place = PlaceScope::of(snapshot, hint, open.as_ref().unwrap_or(matching))?;
        Ok(Self { open, place: Some(place) })
    }

    fn request<'a>(
        &'a self,
        query: &'a Query,
        matching: &'a Bitmap,
        total: u64,
    ) -> RankingRequest<'a> {
        let Query { relevance, distance_max, .. } = query;
        RankingRequest {
            query: relevance,
            matching,
            total,
            open: self.open.as_ref().unwrap_or(matching),
            place: self.place.as_ref(),
            distance_max: *distance_max,
            ends_with_text: query.ends_with_text,
        }
    }
}

/// A row and the text of it that is read beside a question.
#[cfg(any(test, feature = "internals"))]
pub type Passage = (OrgId, String);

/// What the ranking by relevance is made of, with the texts of the candidates and of `others`; `None` where the question
/// has no text.
#[cfg(any(test, feature = "internals"))]
pub fn candidates(
    snapshot: &Snapshot,
    query: &Query,
    others: &[OrgId],
) -> Result<Option<(Candidates, Vec<Passage>)>, SearchError> {
    let Some(text) = query.relevance.words() else { return Ok(None) };
    let matching = snapshot.columns.select(&query.filters)?.matching;
    let total = matching.count();
    let scope = Scope::of(snapshot, query, &matching)?;
    let request = scope.request(query, &matching, total);
    let ranker = Ranker::new(snapshot, &request)?;
    let candidates = ranker.candidates(text)?;
    let orgs = candidates.rows.iter().map(|(org, _)| org).chain(others);
    let passages = orgs.map(|org| {
        let organization = snapshot.records.organization(*org)?;
        Ok((*org, passage(snapshot, *org, &organization, ranker.proximity(*org))?))
    });
    let passages = passages.collect::<Result<_, SearchError>>()?;
    Ok(Some((candidates, passages)))
}

/// The rows with a code that covers the whole text, for sorting by a column: all of them, not only
/// the first candidates.
fn fitting(
    snapshot: &Snapshot,
    query: &Query,
    matching: &Bitmap,
) -> Result<Option<Bitmap>, SearchError> {
    if !query.relevance.ntee_is_text
        || query.relevance.ntee.is_empty()
        || query.distance_max.is_some()
    {
        return Ok(None);
    }
    let mut fitting = matching.clone();
    snapshot.columns.keep_ntee(&mut fitting, &query.relevance.ntee)?;
    Ok((fitting.count() > 0).then_some(fitting))
}

/// The columns to sort by; empty for the ranking by relevance.
fn sorts(query: &Query) -> Vec<Sort> {
    const BY_REVENUE: Sort = Sort::descending(SortKey::Figure(Figure::Revenue));
    // Of foundations the master file has no revenue.
    const BY_ASSETS: Sort = Sort::descending(SortKey::Figure(Figure::Assets));
    let with_text = query.relevance.ranks();
    let mut sorts = Vec::new();
    for order in &query.sort {
        match order {
            Order::By(sort) => sorts.push(*sort),
            Order::Relevance if with_text => break,
            Order::Relevance => sorts.extend([BY_REVENUE, BY_ASSETS]),
        }
    }
    // Ties, and rows without the value, are sorted by revenue, then by assets.
    if !sorts.is_empty() || !with_text {
        sorts.extend([BY_REVENUE, BY_ASSETS]);
    }
    sorts
}
