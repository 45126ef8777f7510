//! People in returns: those of one nonprofit by year, and a name across all of them.
//!
//! Rows are gathered by name within one nonprofit only: equal names elsewhere may be other people.

use std::cmp::Reverse;

use super::SearchError;
use super::details::details;
use super::listing::{self, ListPage, Paging};
use crate::index::typeahead::Card;
use crate::record::{Ein, Filing, ListedName, OrgId, Person, State, named};
use crate::snapshot::Snapshot;

/// A query for the people of one nonprofit.
#[derive(Debug, Clone, PartialEq)]
pub struct NonprofitQuery {
    pub ein: Ein,
    pub year: Option<u16>,
    pub order: PeopleOrder,
    pub paging: Paging,
}

named! {
    /// What the people of one return are sorted by; the latest return comes first.
    #[derive(Default)]
    PeopleOrder {
        /// As the form lists them.
        #[default]
        Form = "form",
        /// By what the filer paid, the most first and unstated amounts last.
        Pay = "pay",
    }
}

/// The people of one nonprofit.
#[derive(Debug, Clone, PartialEq)]
pub struct NonprofitPeople {
    /// The latest tax year first, and within one in the order asked for.
    pub page: ListPage<Person>,
    /// Every tax year whose returns list people, the latest first.
    pub years: Vec<u16>,
    /// Whether a return of it was loaded as filed.
    pub has_returns: bool,
}

/// The people of a nonprofit, if the snapshot has it.
pub fn nonprofit_people(
    snapshot: &Snapshot,
    asked: &NonprofitQuery,
) -> Result<Option<NonprofitPeople>, SearchError> {
    if details(snapshot, asked.ein)?.is_none() {
        return Ok(None);
    }
    let Some(org) = snapshot.columns.org_of(asked.ein)? else {
        let (page, years) = (ListPage::EMPTY, Vec::new());
        return Ok(Some(NonprofitPeople { page, years, has_returns: false }));
    };
    let mut rows = rows(snapshot, org)?;
    rows.sort_by_key(|row| {
        let pay = (asked.order == PeopleOrder::Pay).then_some(Reverse(row.reportable_pay()));
        (Reverse(row.period_end), pay, row.position)
    });
    let mut years: Vec<u16> = rows.iter().map(|row| row.tax_year).collect();
    years.dedup();
    rows.retain(|row| asked.year.is_none_or(|year| year == row.tax_year));
    let has_returns =
        !years.is_empty() || snapshot.records.filings(org)?.iter().any(Filing::is_whole);
    Ok(Some(NonprofitPeople { page: ListPage::cut(rows, asked.paging), years, has_returns }))
}

/// Every person in the returns of an organization.
pub(super) fn rows(snapshot: &Snapshot, org: OrgId) -> Result<Vec<Person>, SearchError> {
    let names = snapshot.records.get_all(&snapshot.people.of_owner(org)?)?;
    Ok(names.into_iter().flat_map(|named| named.rows).collect())
}

/// A name in the returns of a nonprofit.
#[derive(Debug, Clone, PartialEq)]
pub struct NameHit {
    pub named: ListedName,
    pub organization: Card,
}

/// Names that have all words of a text, those without other words first; then by the latest year
/// that lists them, and within a year the best paid first.
pub fn search(
    snapshot: &Snapshot,
    text: &str,
    state: Option<State>,
    paging: Paging,
) -> Result<ListPage<NameHit>, SearchError> {
    let people = &snapshot.people;
    let mut set = snapshot.people_words.all_of(text)?;
    if let Some(state) = state {
        people.retain_kinds(&mut set, |kind| kind == state.code())?;
    }
    let mut whole = set.clone();
    snapshot.people_words.retain_whole_names(&mut whole, text)?;
    let total = set.count();
    set.subtract(&whole);
    let (skipped, size) = (paging.skipped(), paging.size());
    let mut page = whole.page(skipped, size);
    page.extend(set.page(skipped.saturating_sub(whole.count()), size - page.len()));
    let hit = |(row, named)| {
        let organization = snapshot.typeahead.card(people.owner(row)?)?;
        Ok(NameHit { named, organization })
    };
    let rows = listing::records(snapshot, page)?.into_iter().map(hit);
    Ok(ListPage { total, rows: rows.collect::<Result<_, SearchError>>()? })
}
