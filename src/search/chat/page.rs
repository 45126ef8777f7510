//! Pages of a list: rows of the place that is asked for, and the order that is asked for where few rows surely fit.

use super::list::figure_of;
use super::{ROWS, SearchError, Turn};
use crate::query::{Figure, Filters, Flag, Sort, SortKey};
use crate::record::{Ein, State};
use crate::search::interpret::{Interpretation, Presentation};
use crate::search::nonprofits::{self, NonprofitHit, NonprofitPage, Order, Query, RelevanceQuery};
use crate::understand::{Frame, names_revenue};

/// Rows in the place that fit from which on no others are shown.
const FIT_THERE_MIN: usize = 5;

impl Turn<'_> {
    /// The page of what was understood, and what is said of it.
    pub(super) fn page_of(
        &self,
        understood: &mut Interpretation,
        page: u64,
    ) -> Result<NonprofitPage, SearchError> {
        let size = understood.heard.count.map_or(ROWS, |wanted| wanted.min(ROWS));
        let paging = Presentation { page, size, ..Presentation::default() };
        let search = |query: &Query| nonprofits::search(self.snapshot, query);
        let mut found = understood.find(Some(self.text), &paging, search)?;
        self.place_first(&understood.frame, &mut found)?;
        Ok(found)
    }

    /// Rows in the place that is asked for come first. Others follow only where few of these fit, and they do; rows of
    /// another state never.
    pub(super) fn place_first(
        &self,
        frame: &Frame,
        found: &mut NonprofitPage,
    ) -> Result<(), SearchError> {
        let Some(fit) = found.plan.fit.filter(|_| !frame.places.is_empty()) else { return Ok(()) };
        let matching = self.snapshot.columns.select(&frame.filters())?.matching;
        let fitting = (fit.count + found.plan.nearby_fit).saturating_sub(found.skipped);
        let states: Vec<State> = frame.places.iter().filter_map(|place| place.state).collect();
        let (mut there, mut near) = (Vec::new(), Vec::new());
        let mut fit_there = 0;
        for (at, row) in std::mem::take(&mut found.rows).into_iter().enumerate() {
            let is_fit = (at as u64) < fitting;
            let org = self.snapshot.columns.org_of(row.organization.ein)?;
            let is_there = org.is_some_and(|org| matching.contains(org));
            let state = row.organization.address.state;
            match (is_there, is_fit) {
                (true, _) => {
                    fit_there += usize::from(is_fit);
                    there.push((is_fit, row));
                }
                (false, true) if state.is_some_and(|state| states.contains(&state)) => {
                    near.push(row)
                }
                (false, true) if states.is_empty() => near.push(row),
                (false, _) => {}
            }
        }
        let is_enough = fit_there >= FIT_THERE_MIN;
        if is_enough || near.is_empty() {
            found.plan.nearby_fit = 0;
        }
        let (fit, unfit): (Vec<_>, Vec<_>) = there.into_iter().partition(|(is_fit, _)| *is_fit);
        let rows = fit.into_iter().map(|(_, row)| row);
        let rows = rows.chain(near.into_iter().filter(|_| !is_enough));
        // A list ends where what fits ends, if that is long enough.
        let unfit = unfit.into_iter().map(|(_, row)| row).filter(|_| !is_enough);
        found.rows = rows.chain(unfit).collect();
        Ok(())
    }

    /// Where nobody's value of the order is on file, the largest by revenue come first.
    pub(super) fn leave_unknown_order(
        &self,
        understood: &mut Interpretation,
        found: &mut NonprofitPage,
    ) -> Result<(), SearchError> {
        let by_revenue = SortKey::Figure(Figure::Revenue);
        let Some(Sort { key: SortKey::Figure(figure), .. }) =
            understood.frame.sort.first().copied()
        else {
            return Ok(());
        };
        let is_known = |row: &NonprofitHit| figure_of(&row.organization, figure).is_some();
        let is_left = matches!(figure, Figure::Employees | Figure::Expenses);
        if is_left && !found.rows.is_empty() && !found.rows.iter().any(is_known) {
            for frame in [&mut understood.frame, &mut understood.kept] {
                frame.sort.iter_mut().for_each(|sort| sort.key = by_revenue);
            }
            *found = self.page_of(understood, 1)?;
        }
        Ok(())
    }

    /// Of foundations the master file has no revenue: the largest have most assets.
    pub(super) fn prefer_assets(&self, understood: &mut Interpretation) {
        if understood.frame.flags[Flag::Foundation] != Some(true) || names_revenue(self.text) {
            return;
        }
        for frame in [&mut understood.frame, &mut understood.kept] {
            for sort in &mut frame.sort {
                if sort.key == SortKey::Figure(Figure::Revenue) {
                    sort.key = SortKey::Figure(Figure::Assets);
                }
            }
            let revenue = std::mem::take(&mut frame.ranges[Figure::Revenue]);
            if frame.ranges[Figure::Assets].is_open() {
                frame.ranges[Figure::Assets] = revenue;
            }
        }
    }

    /// Whether the message asks for those shown in another order, and for nothing else.
    pub(super) fn only_orders(&self, understood: &Interpretation) -> bool {
        let unordered = |frame: &Frame| Frame { sort: Vec::new(), ..frame.clone() };
        let before = &self.conversation.frame;
        !understood.frame.sort.is_empty()
            && self.conversation.nonprofits.len() > 1
            && unordered(&understood.kept) == unordered(before)
    }

    /// Some rows in the order that is asked for.
    pub(super) fn ordered(
        &self,
        understood: &Interpretation,
        eins: Vec<Ein>,
        found: NonprofitPage,
    ) -> Result<NonprofitPage, SearchError> {
        if eins.is_empty() {
            return Ok(found);
        }
        let sort = understood.frame.sort.iter().map(|sort| Order::By(*sort)).collect();
        let frame = &understood.frame;
        let matching = self.snapshot.columns.select(&frame.filters())?.matching;
        let mut there = Vec::new();
        for ein in &eins {
            let org = self.snapshot.columns.org_of(*ein)?;
            there.extend(org.filter(|org| matching.contains(*org)).map(|_| *ein));
        }
        // What lies near by is listed where the place has nothing.
        let eins = if there.is_empty() { eins } else { there };
        let query = Query {
            sort,
            ..Query::of(Filters { eins, ..Filters::default() }, RelevanceQuery::default(), ROWS)
        };
        let rows = nonprofits::search(self.snapshot, &query)?.rows;
        Ok(NonprofitPage { sorted: Some(rows.len() as u64), rows, ..found })
    }
}
