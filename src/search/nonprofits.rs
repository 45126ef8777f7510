//! Nonprofits that satisfy filters, ranked by how well they fit a text or sorted, and paged.

use std::collections::HashMap;
use std::thread;

use super::SearchError;
use super::candidates::{self, Candidates, Ranker, RankingRequest};
use super::gaps::Gaps;
use super::listing::SIZE_MAX;
use super::national::{self, RegisteredElsewhere};
use super::passage::passage;
use super::place_scope::PlaceScope;
use super::plan::Plan;
use super::relevance;
use super::rows::ColumnOrder;
use crate::index::columns::{Bitmap, Facet, FacetCount, Selection};
use crate::query::{Figure, Filters, Sort, SortKey};
use crate::reader::Reader;
use crate::record::{OrgId, Organization};
use crate::snapshot::Snapshot;
use crate::understand::{Frame, Lookup, Model, Request, interpret};

pub use super::rows::{NonprofitHit, Rows};
pub use crate::understand::{Order, PlaceHint, Query, RelevanceQuery};

/// One page of the matches.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NonprofitPage {
    /// How many rows satisfy the filters, within the distance.
    pub total: u64,
    /// How many rows are excluded only because a filtered value is unknown.
    pub unknown: u64,
    /// How many of these are asked for their revenue, of which it is known only what it is at most.
    pub only_ceiling: u64,
    /// How many rows match by an upper bound of their revenue, its amount being unknown.
    pub by_ceiling: u64,
    /// How many fit a text well enough to be sorted by a column; `None` unless there is both.
    pub sorted: Option<u64>,
    /// How many rows precede the page.
    pub skipped: u64,
    /// The page's rows, in order; empty past the end.
    pub rows: Vec<NonprofitHit>,
    /// Positions of those of the page that are outside the place that words name.
    pub outside: Vec<usize>,
    /// The best fitting rows, in order, whatever the page: at most some two thousand; without a
    /// text those of the page.
    pub best: Vec<OrgId>,
    /// How likely each candidate is what a text asks for, 0 to 1; empty where that is not known.
    pub probabilities: HashMap<OrgId, f64>,
    /// How the rows were found.
    pub plan: Plan,
    /// The facets asked for, over the matches that are listed on any page.
    pub facets: Vec<(Facet, Vec<FacetCount>)>,
}

/// The page of nonprofits asked for.
///
/// With a text and sorted by a column, the rows are those that fit the text (all within `distance_max`, if it
/// is given; where none fits, the candidates), so that the greatest of those that fit come first, not the greatest
/// of all; or, if [`Query::sorts_listed`], those that relevance lists.
pub fn search(snapshot: &Lookup<'_>, query: &Query) -> Result<NonprofitPage, SearchError> {
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
    snapshot: &Lookup<'a>,
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
    let (total, lookup) = (matching.count(), &Lookup::of(snapshot));
    let scope = Scope::of(lookup, query, &matching)?;
    let page = relevance::page(lookup, &scope.request(query, &matching, total), 0, 1)?;
    let set = page.of_text.unwrap_or(matching);
    Ok((NonprofitPage { unknown, ..NonprofitPage::of(set.count(), page.plan) }, set))
}

impl NonprofitPage {
    /// A page without its rows.
    fn of(total: u64, plan: Plan) -> Self {
        Self { total, plan, ..Self::default() }
    }

    /// What is known of a ranked page besides its rows.
    fn ranked(page: relevance::Page) -> Self {
        let relevance::Page { best, probabilities, total, plan, .. } = page;
        Self { best, probabilities, ..Self::of(total, plan) }
    }

    /// Notes what the data lacks for a query.
    fn note_gaps(&mut self, snapshot: &Lookup<'_>, query: &Query) {
        let gaps = Gaps::of(&query.filters, &snapshot.coverage);
        let awaited = query.relevance.words().and_then(|_| snapshot.awaited());
        self.plan.gaps = gaps.of_words(awaited);
        self.plan.states_if_partial = snapshot.coverage.states_if_partial();
        self.plan.elsewhere = registered_elsewhere(snapshot, query);
    }

    /// The first row of all, if the page has it.
    pub fn first(&self) -> Option<&Organization> {
        self.rows.first().filter(|_| self.skipped == 0).map(|row| &row.organization)
    }
}

/// The page of `size` rows, which are not read yet.
fn ranked<'a>(
    snapshot: &Lookup<'a>,
    query: &Query,
    size: usize,
) -> Result<(NonprofitPage, Rows<'a>), SearchError> {
    let selection = snapshot.select(&query.filters)?;
    let Selection { matching, unknown, only_ceiling, by_ceiling } = &*selection;
    let total = matching.count();
    let facets = |set: &Bitmap| {
        let counts = |facet: &Facet| Ok((*facet, snapshot.columns.facet(set, *facet)?));
        query.facets.iter().map(counts).collect::<Result<Vec<_>, SearchError>>()
    };
    let skipped = query.page.saturating_sub(1).saturating_mul(size as u64);
    let sorts = sorts(query);
    let sort = |set, by: Option<Vec<f32>>| {
        let order = ColumnOrder { set, sorts: sorts.clone(), origin: query.origin };
        Rows::sorted(snapshot.snapshot(), order, skipped, size as u64, by)
    };
    let (mut found, rows) = if !query.relevance.ranks() {
        let measured = candidates::measure(snapshot, query.relevance.measured_with.as_deref())?;
        let facets = facets(matching)?;
        let rows = sort(matching.clone(), measured)?;
        let best = rows.ordered().to_vec();
        (NonprofitPage { best, facets, ..NonprofitPage::of(total, Plan::columns(total)) }, rows)
    } else {
        let scope = Scope::of(snapshot, query, matching)?;
        let request = scope.request(query, matching, total);
        let mut sorted = None;
        let (page, rows, listed) = if sorts.is_empty() {
            let mut page = relevance::page(snapshot, &request, skipped, size)?;
            let listed = page.of_text.take();
            let rows = Rows::listed(
                snapshot.snapshot(),
                std::mem::take(&mut page.orgs),
                page.query.take(),
            );
            (page, rows, listed)
        } else {
            let mut page = to_be_sorted(snapshot, query, &request)?;
            let set = sortable(snapshot, query, matching, &mut page)?;
            sorted = Some(set.count());
            page.plan.listed = sorted;
            let listed = Some(set.clone());
            let rows = sort(set, page.query.take())?;
            (page, rows, listed)
        };
        let found = NonprofitPage::ranked(page);
        let facets = facets(listed.as_ref().unwrap_or(matching))?;
        (NonprofitPage { sorted, facets, ..found }, rows)
    };
    found.note_gaps(snapshot, query);
    (found.unknown, found.only_ceiling, found.by_ceiling) = (*unknown, *only_ceiling, *by_ceiling);
    found.skipped = skipped;
    if found.plan.nearby > 0 {
        found.outside = outside(rows.ordered(), matching);
    }
    Ok((found, rows))
}

/// Who is asked for by a name that is known everywhere, alone or with a place, and is of no state that is searched.
fn registered_elsewhere(snapshot: &Snapshot, query: &Query) -> Option<RegisteredElsewhere> {
    let typed = query.relevance.typed()?;
    let areas = &query.filters.areas;
    let body = national::by_name(typed).or_else(|| national::named_beside(typed, areas))?;
    let is_partial = snapshot.coverage.states_if_partial().is_some();
    let is_loaded = !is_partial || snapshot.coverage.has_file(body.state);
    let is_searched =
        areas.is_empty() || areas.iter().any(|area| area.state.is_none_or(|own| own == body.state));
    (!is_loaded || !is_searched).then_some(RegisteredElsewhere { body, is_loaded })
}

/// Which of some rows are none of the matches.
fn outside(rows: &[OrgId], matching: &Bitmap) -> Vec<usize> {
    (0..rows.len()).filter(|&at| !matching.contains(rows[at])).collect()
}

/// Rows that may be ranked besides the matches.
struct Scope {
    /// The rows that satisfy every filter but a place in words; `None` where those are the same.
    open: Option<Bitmap>,
    place: Option<PlaceScope>,
}

impl Scope {
    fn of(snapshot: &Lookup<'_>, query: &Query, matching: &Bitmap) -> Result<Self, SearchError> {
        let Some(hint) = &query.place else { return Ok(Self { open: None, place: None }) };
        let filters = || Filters { areas: Vec::new(), ..query.filters.clone() };
        let open = hint.is_filter.then(|| snapshot.select(&filters()));
        let open = open.transpose()?.map(|selection| selection.matching.clone());
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
    let snapshot = &Lookup::of(snapshot);
    let selection = snapshot.select(&query.filters)?;
    let (matching, total) = (&selection.matching, selection.matching.count());
    let scope = Scope::of(snapshot, query, matching)?;
    let request = scope.request(query, matching, total);
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

/// What a page of sorted rows is made of.
fn to_be_sorted(
    snapshot: &Lookup<'_>,
    query: &Query,
    request: &RankingRequest<'_>,
) -> Result<relevance::Page, SearchError> {
    if !query.sorts_listed || query.relevance.words().is_none() {
        return relevance::fitting(snapshot, request);
    }
    // How well rows fit depends on their place, though those elsewhere are not sorted among them.
    let mut page = relevance::page(snapshot, request, 0, 1)?;
    page.total -= page.plan.nearby;
    (page.plan.nearby, page.plan.nearby_fit) = (0, 0);
    Ok(page)
}

/// The rows of a page that are sorted by a column.
fn sortable(
    snapshot: &Snapshot,
    query: &Query,
    matching: &Bitmap,
    page: &mut relevance::Page,
) -> Result<Bitmap, SearchError> {
    // The same rows in another order.
    if let Some(listed) = page.of_text.take().filter(|_| query.sorts_listed) {
        return Ok(listed);
    }
    let Some(mut fitting) = fitting(snapshot, query, matching)? else {
        return Ok(Bitmap::of(snapshot.columns.organizations(), std::mem::take(&mut page.orgs)));
    };
    // Codes decide what fits, and names where no code was filed.
    if page.plan.fit.take().is_some_and(|fit| fit.count > 0) {
        let there = page.orgs.iter().copied().filter(|org| matching.contains(*org));
        fitting.insert(there);
    }
    Ok(fitting)
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

/// Warms up what the first queries would otherwise wait for: the tables of the grammar, by a
/// question for the first nonprofit of the snapshot, and meanwhile the trained reader.
pub fn warm(snapshot: &Snapshot) -> Result<(), SearchError> {
    let rehearse = || -> Result<(), SearchError> {
        if snapshot.columns.organizations() == 0 {
            return Ok(());
        }
        let first = snapshot.records.organization(OrgId::new(0))?;
        let state = first.address.state.map(|state| state.code().to_owned());
        let place = [first.address.city, state];
        let q =
            [Some(first.name)].into_iter().chain(place).flatten().collect::<Vec<_>>().join(", ");
        let (lookup, explicit) = (&Lookup::of(snapshot), &Frame::default());
        let request = Request { model: Model::Grammar, ..Request::of(Some(&q), explicit) };
        let page = Query { size: 1, ..Query::default() };
        search(lookup, &interpret(lookup, &request)?.query(page))?;
        Ok(())
    };
    thread::scope(|scope| {
        let rehearsal = scope.spawn(rehearse);
        Reader::shared()?;
        rehearsal.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
