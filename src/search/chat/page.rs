//! Pages of a list: rows of the place in question first, and the order asked for even where few rows certainly fit.

use std::collections::{HashMap, HashSet};

use super::list::figure_of;
use super::nearest::point_of;
use super::phrase::text;
use super::{ROWS, Result, Turn};
use crate::query::{Area, Figure, Filters, Sort, SortKey};
use crate::record::{Ein, OrgId, Point, State};
use crate::search::nonprofits::{self, NonprofitHit, NonprofitPage, Order, Query, RelevanceQuery};
use crate::understand::{Frame, Interpretation, NamedPlace, cause_of};

/// Places of which each is to have rows.
const PLACES_SHOWN_MAX: usize = 4;
/// How far from the centre of a circle a row outside of it is listed, in miles.
const AROUND_MILES_MAX: f64 = 100.0;
/// Rows in the place that fit from which on no others are shown.
const FIT_THERE_MIN: usize = 5;
/// How likely a row must be what was asked for to be listed, and how many less likely ones are where fewer are: of the
/// judged rows between the two three in ten were at least related, below the second one in ten.
const ROW_PROBABILITY_MIN: f64 = 0.15;
const RELATED_PROBABILITY_MIN: f64 = 0.06;
const RELATED_ROWS_MAX: usize = 3;

impl Turn<'_> {
    /// The page of results for an understood message, with its text.
    pub(super) fn page_of(
        &self,
        understood: &mut Interpretation,
        page: u64,
    ) -> Result<NonprofitPage> {
        let size = understood.heard.count.map_or(ROWS, |wanted| wanted.min(ROWS));
        let alternatives = understood.frame.alternatives();
        if alternatives.len() > 1 {
            let alternatives: Vec<String> = alternatives.into_iter().map(str::to_owned).collect();
            return self.page_of_each(understood, &alternatives, page, size);
        }
        let page = if self.asks_rest { 1 } else { page };
        let query = understood.query(Query { page, size, ..Query::default() });
        let mut found = nonprofits::search(self.snapshot, &query)?;
        if self.asks_rest {
            let shown = &self.conversation.nonprofits;
            found.rows.retain(|row| !shown.contains(&row.organization.ein));
        }
        let likely = likely_rows(&found);
        self.place_first(&understood.frame, &mut found)?;
        if page <= 1 && !self.asks_rest {
            leave_unlikely(&mut found, &likely);
        }
        let is_several = (2..=PLACES_SHOWN_MAX).contains(&understood.frame.places.len());
        if page <= 1 && is_several && understood.frame.sort.is_empty() && !found.rows.is_empty() {
            match self.places_added(&understood.frame) {
                [] => self.show_each_place(understood, &mut found, size)?,
                added => found.rows = self.rows_in_turn(understood, added, size)?,
            }
        }
        Ok(found)
    }

    /// The places that the message adds to those of the list before.
    fn places_added<'f>(&self, frame: &'f Frame) -> &'f [NamedPlace] {
        let before = &self.conversation.frame.places;
        let rest = frame.places.strip_prefix(&before[..]).unwrap_or_default();
        if before.is_empty() { &[] } else { rest }
    }

    /// The rows of places that were added, and those of the others, one of each in turn.
    fn rows_in_turn(
        &self,
        understood: &Interpretation,
        added: &[NamedPlace],
        size: usize,
    ) -> Result<Vec<NonprofitHit>> {
        let mut columns = Vec::new();
        for places in [added, &self.conversation.frame.places] {
            let mut there = understood.clone();
            there.frame.places = places.to_vec();
            columns.push(self.page_of(&mut there, 1)?.rows);
        }
        let mut rows = in_turn(columns);
        rows.truncate(size);
        Ok(rows)
    }

    /// The rows of alternative kinds, one of each in turn.
    fn page_of_each(
        &self,
        understood: &Interpretation,
        kinds: &[String],
        page: u64,
        size: usize,
    ) -> Result<NonprofitPage> {
        let mut pages = Vec::new();
        for kind in kinds {
            let Frame { cause, text, cause_ntee, cause_is_term, .. } =
                cause_of(kind, self.snapshot)?;
            let mut part = understood.clone();
            part.frame = Frame { cause, text, cause_ntee, cause_is_term, ..part.frame };
            part.heard.count = Some(size.div_ceil(kinds.len()));
            pages.push(self.page_of(&mut part, page)?);
        }
        let mut rows =
            in_turn(pages.iter_mut().map(|page| std::mem::take(&mut page.rows)).collect());
        let fit = pages.iter().filter_map(|page| page.plan.fit).max_by_key(|fit| fit.count);
        let mut found = pages.into_iter().next().expect("there are two kinds at least");
        found.plan.fit = fit;
        if !understood.frame.sort.is_empty() {
            let eins = rows.iter().map(|row| row.organization.ein).collect();
            return self.ordered(understood, eins, found);
        }
        rows.truncate(size);
        Ok(NonprofitPage { rows, ..found })
    }

    /// Gives each of several places its rows, one of each in turn, where any has some.
    fn show_each_place(
        &self,
        understood: &Interpretation,
        found: &mut NonprofitPage,
        size: usize,
    ) -> Result<()> {
        let (mut columns, mut count) = (Vec::new(), 0);
        for place in &understood.frame.places {
            let mut there = understood.clone();
            there.frame.places = vec![place.clone()];
            let filters = there.frame.filters();
            let alone = self.page_of(&mut there, 1)?;
            count += alone.plan.fit.map_or(0, |fit| fit.count);
            let mut rows = Vec::new();
            for row in alone.rows {
                let is_there = self.snapshot.selects(&filters, row.organization.ein)?;
                rows.extend(is_there.then_some(row));
            }
            columns.push(rows);
        }
        let mut rows = in_turn(columns);
        if rows.is_empty() {
            return Ok(());
        }
        rows.truncate(size);
        found.rows = rows;
        found.plan.nearby_fit = 0;
        if let Some(fit) = &mut found.plan.fit {
            fit.count = count;
        }
        Ok(())
    }

    /// Puts rows in the place in question first. Others follow only if few of these fit, and only
    /// if they fit themselves; rows of another state never do.
    pub(super) fn place_first(&self, frame: &Frame, found: &mut NonprofitPage) -> Result<()> {
        let Some(fits) = found.plan.fit.filter(|_| !frame.places.is_empty()) else { return Ok(()) };
        let filters = frame.filters();
        let fitting = (fits.count + found.plan.nearby_fit).saturating_sub(found.skipped);
        let states: Vec<State> = frame.places.iter().filter_map(|place| place.state).collect();
        let circles: Vec<(Point, f64)> =
            frame.places.iter().flat_map(|place| &place.areas).filter_map(Area::circle).collect();
        let (mut fit, mut near) = (Vec::new(), Vec::new());
        // Those that do not fit in the order of the search, and whether each is there.
        let mut others = Vec::new();
        for (at, row) in std::mem::take(&mut found.rows).into_iter().enumerate() {
            let is_there = self.snapshot.selects(&filters, row.organization.ein)?;
            let state = row.organization.address.state;
            let is_in_state = state.is_some_and(|state| states.contains(&state));
            let is_around = |(centre, _): &(Point, f64)| {
                point_of(&row.organization)
                    .is_some_and(|point| point.distance_miles(*centre) <= AROUND_MILES_MAX)
            };
            let is_anywhere = states.is_empty() && circles.is_empty();
            let is_near = is_in_state || is_anywhere || circles.iter().any(is_around);
            match (is_there, (at as u64) < fitting) {
                (true, true) => fit.push(row),
                (true, false) => others.push((true, row)),
                (false, true) if is_near => near.push(row),
                (false, false) if is_near => others.push((false, row)),
                (false, _) => {}
            }
        }
        // If nobody fits, one elsewhere in the state may come nearer to it than one in the place.
        let fits_nobody = fit.is_empty() && near.is_empty();
        let others = others.into_iter().filter(|(is_there, _)| *is_there || fits_nobody);
        let is_enough = fit.len() >= FIT_THERE_MIN;
        if is_enough || near.is_empty() {
            found.plan.nearby_fit = 0;
        }
        found.rows = fit;
        // A list ends where what fits ends, if that is long enough.
        if !is_enough {
            found.rows.extend(near.into_iter().chain(others.map(|(_, row)| row)));
        }
        Ok(())
    }

    /// If the figure of the order is unknown for all rows, the largest by revenue come first.
    pub(super) fn leave_unknown_order(
        &self,
        understood: &mut Interpretation,
        found: &mut NonprofitPage,
    ) -> Result<()> {
        let Some(Sort { key: SortKey::Figure(figure), .. }) =
            understood.frame.sort.first().copied()
        else {
            return Ok(());
        };
        let is_known = |row: &NonprofitHit| figure_of(&row.organization, figure).is_some();
        let is_left = matches!(figure, Figure::Employees | Figure::Expenses);
        if is_left && !found.rows.is_empty() && !found.rows.iter().any(is_known) {
            let by_revenue = SortKey::Figure(Figure::Revenue);
            for frame in [&mut understood.frame, &mut understood.kept] {
                frame.sort.iter_mut().for_each(|sort| sort.key = by_revenue);
            }
            *found = self.page_of(understood, 1)?;
        }
        Ok(())
    }

    /// A remark on rows without a figure of revenue, which stand behind those that rise by it.
    pub(super) fn remark_on_smallest(
        &self,
        understood: &mut Interpretation,
        found: &NonprofitPage,
    ) -> Result<Option<&'static str>> {
        let rises = Sort::ascending(SortKey::Figure(Figure::Revenue));
        if understood.frame.sort.first() != Some(&rises) || found.rows.is_empty() {
            return Ok(None);
        }
        let all = found.sorted.unwrap_or(found.total).max(1);
        let last = understood.query(Query { page: all, size: 1, ..Query::default() });
        let last = nonprofits::search(self.snapshot, &last)?.rows;
        let lacks_it = |row: &NonprofitHit| figure_of(&row.organization, Figure::Revenue).is_none();
        let is_said = found.rows.iter().chain(&last).any(lacks_it);
        Ok(is_said.then(|| text("remark.smallest", self.language)))
    }

    /// Whether the message asks only for another order of the rows shown.
    pub(super) fn only_orders(&self, understood: &Interpretation) -> bool {
        let unordered = |frame: &Frame| Frame { sort: Vec::new(), ..frame.clone() };
        let before = &self.conversation.frame;
        !understood.frame.sort.is_empty()
            && self.conversation.nonprofits.len() > 1
            && unordered(&understood.kept) == unordered(before)
    }

    /// Some rows in the order asked for.
    pub(super) fn ordered(
        &self,
        understood: &Interpretation,
        eins: Vec<Ein>,
        found: NonprofitPage,
    ) -> Result<NonprofitPage> {
        if eins.is_empty() {
            return Ok(found);
        }
        let sort = understood.frame.sort.iter().map(|sort| Order::By(*sort)).collect();
        let filters = understood.frame.filters();
        let mut there = Vec::new();
        for ein in &eins {
            there.extend(self.snapshot.selects(&filters, *ein)?.then_some(*ein));
        }
        // Nearby rows are listed if the place has none.
        let eins = if there.is_empty() { eins } else { there };
        let query = Query {
            sort,
            ..Query::of(Filters { eins, ..Filters::default() }, RelevanceQuery::default(), ROWS)
        };
        let rows = nonprofits::search(self.snapshot, &query)?.rows;
        Ok(NonprofitPage { sorted: Some(rows.len() as u64), rows, ..found })
    }
}

/// How likely each row of a ranked page is what was asked for; of a row outside the place that is near enough to be listed.
fn likely_rows(found: &NonprofitPage) -> HashMap<Ein, f64> {
    if found.plan.fit.is_none() || found.sorted.is_some() {
        return HashMap::new();
    }
    let likely = |(at, (row, org)): (usize, (&NonprofitHit, &OrgId))| {
        let own = found.probabilities.get(org).copied().filter(|_| !found.outside.contains(&at));
        (row.organization.ein, own.unwrap_or(1.0))
    };
    found.rows.iter().zip(&found.best).enumerate().map(likely).collect()
}

/// Ends a list behind the rows that are likely what was asked for.
fn leave_unlikely(found: &mut NonprofitPage, likely: &HashMap<Ein, f64>) {
    let own = |row: &NonprofitHit| likely.get(&row.organization.ein).copied().unwrap_or(1.0);
    let best = found.rows.iter().map(own).fold(0.0, f64::max);
    let least_related = if best >= RELATED_PROBABILITY_MIN { RELATED_PROBABILITY_MIN } else { 0.0 };
    let mut at = 0;
    found.rows.retain(|row| {
        at += 1;
        let least = if at <= RELATED_ROWS_MAX { least_related } else { ROW_PROBABILITY_MIN };
        own(row) >= least
    });
}

/// Rows of several lists, one of each in turn, each row once.
fn in_turn(lists: Vec<Vec<NonprofitHit>>) -> Vec<NonprofitHit> {
    let mut columns: Vec<_> = lists.into_iter().map(Vec::into_iter).collect();
    let mut rows: Vec<NonprofitHit> = Vec::new();
    while columns.iter().any(|column| column.len() > 0) {
        rows.extend(columns.iter_mut().filter_map(Iterator::next));
    }
    let mut seen = HashSet::new();
    rows.retain(|row| seen.insert(row.organization.ein));
    rows
}
