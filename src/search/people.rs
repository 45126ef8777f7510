//! People in returns: those of one nonprofit by year, and a name across all of them.
//!
//! Rows are gathered by name within one nonprofit only: equal names elsewhere may be other people.

use std::cmp::Reverse;

use super::SearchError;
use super::details::details;
use super::listing::{self, ListPage, Paging};
use crate::index::columns::Bitmap;
use crate::index::typeahead::Card;
use crate::record::{
    Ein, Filing, ListedName, OrgId, Person, PersonKind, Role, RowId, State, named,
};
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

named! {
    /// What names are sorted by.
    #[derive(Default)]
    NameOrder {
        /// Those without other words than the text's first; then by the latest year that lists them, and within a year
        /// the best paid first.
        #[default]
        Name = "name",
        /// By reportable pay in the latest tax period that lists them, from the organization and from related ones: the
        /// most first, unstated pay last.
        Pay = "pay",
    }
}

/// A query for people of all nonprofits; `None` is no condition.
#[derive(Debug, Clone, Copy, Default)]
pub struct Query<'a> {
    /// Words, all of which the name has.
    pub text: Option<&'a str>,
    /// The state of the organization.
    pub state: Option<State>,
    /// A role in the latest tax period that lists the name.
    pub role: Option<Role>,
    pub order: NameOrder,
}

/// A page of names.
#[derive(Debug, Clone, PartialEq)]
pub struct Names {
    pub page: ListPage<NameHit>,
    /// How many rows on all pages state no pay, where they are sorted by it.
    pub without_pay: Option<u64>,
}

/// Names that satisfy a query, in its order.
pub fn search(
    snapshot: &Snapshot,
    query: &Query<'_>,
    paging: Paging,
) -> Result<Names, SearchError> {
    let people = &snapshot.people;
    let mut set = match query.text {
        Some(text) => snapshot.people_words.all_of(text)?,
        None => people.all(),
    };
    if query.state.is_some() || query.role.is_some() {
        people.retain_kinds(&mut set, |kind| {
            let Some(PersonKind { state, roles }) = PersonKind::parse(kind) else { return false };
            (query.state.is_none() || state == query.state)
                && query.role.is_none_or(|role| roles.contains(role))
        })?;
    }
    let total = set.count();
    let (rows, without_pay) = match query.order {
        NameOrder::Name => (by_name(snapshot, set, query.text, paging)?, None),
        NameOrder::Pay => {
            let (rows, unknown) = people.by_score(&set, paging.skipped(), paging.size())?;
            (rows, Some(unknown))
        }
    };
    let hit = |(row, named)| {
        let organization = snapshot.typeahead.card(people.owner(row)?)?;
        Ok(NameHit { named, organization })
    };
    let rows = listing::records(snapshot, rows)?.into_iter().map(hit);
    let page = ListPage { total, rows: rows.collect::<Result<_, SearchError>>()? };
    Ok(Names { page, without_pay })
}

/// A page of a set of names, those without other words than the text's first.
fn by_name(
    snapshot: &Snapshot,
    mut set: Bitmap<ListedName>,
    text: Option<&str>,
    paging: Paging,
) -> Result<Vec<RowId<ListedName>>, SearchError> {
    let (skipped, size) = (paging.skipped(), paging.size());
    let Some(text) = text else { return Ok(set.page(skipped, size)) };
    let mut whole = set.clone();
    snapshot.people_words.retain_whole_names(&mut whole, text)?;
    set.subtract(&whole);
    let mut page = whole.page(skipped, size);
    page.extend(set.page(skipped.saturating_sub(whole.count()), size - page.len()));
    Ok(page)
}
