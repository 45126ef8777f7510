//! Grants in returns: those that one nonprofit made or received, and those of all; the latest tax
//! year first and, within a year, the greatest amount.

use std::collections::BTreeSet;

use super::SearchError;
use super::details::details;
use super::grant_words;
use super::listing::{self, ListPage, Paging};
use crate::index::columns::Bitmap;
use crate::index::grants::{Filter, Link, Sum};
use crate::index::typeahead::Card;
use crate::naming::normalise;
use crate::record::{Ein, Filing, Form, Grant, GrantStage, RowId, State, Totals, Usd, named};
use crate::snapshot::Snapshot;

named! {
    /// The side of a grant on which a nonprofit is.
    Direction {
        Made = "made",
        Received = "received",
    }
}

/// A query for the grants of one nonprofit.
#[derive(Debug, Clone, PartialEq)]
pub struct NonprofitQuery {
    pub ein: Ein,
    pub direction: Direction,
    pub year: Option<u16>,
    pub stage: GrantStage,
    /// In whole US dollars; excludes grants without a stated amount.
    pub min_amount: Option<i64>,
    /// State of the other side: of recipients of grants made, of grantors of those received.
    pub state: Option<State>,
    /// Words of recipient and purpose in any number, or a cause and a place of recipients.
    pub words: Option<String>,
    pub paging: Paging,
}

/// A query for all grants; `None` or empty is no condition.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// Words of recipient and purpose in any number, or a cause and a place of recipients.
    pub words: Option<String>,
    pub recipient_state: Option<State>,
    /// Prefixes of NTEE codes, any of them; excludes recipients that are not linked to an organization.
    pub recipient_ntee: Vec<String>,
    pub grantor_state: Option<State>,
    pub year: Option<u16>,
    pub min_amount: Option<i64>,
    /// Whether the grantor takes applications by its latest Form 990-PF; who does not say satisfies neither.
    pub accepts_applications: Option<bool>,
}

/// A grant with both its sides.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedGrant {
    pub grant: Grant,
    pub grantor_ein: Ein,
    /// Display name.
    pub grantor_name: String,
    pub link: Link,
    /// As filed, else that of the organization linked.
    pub recipient_ein: Option<Ein>,
    /// As filed, else that of the organization linked.
    pub recipient_name: Option<String>,
    /// The organization linked.
    pub linked: Option<Card>,
}

impl ListedGrant {
    /// Whether name and place in the return clearly differ from those of the organization linked, as where the EIN is
    /// that of a group's central organization.
    pub fn is_named_otherwise(&self) -> bool {
        let Some(linked) = &self.linked else { return false };
        let Some(name) = self.grant.recipient_name.as_deref() else { return false };
        let words = |name: &str| -> BTreeSet<String> {
            normalise(name).split_whitespace().map(str::to_owned).collect()
        };
        let (filed, known) = (words(name), words(&linked.name));
        let is_elsewhere =
            self.grant.state.zip(linked.state).is_some_and(|(one, other)| one != other);
        // A short form of the same name is no other one.
        is_elsewhere && !filed.is_subset(&known) && !known.is_subset(&filed)
    }
}

/// A page of grants, and the sum of all of them.
#[derive(Debug, Clone, PartialEq)]
pub struct GrantPage {
    pub page: ListPage<ListedGrant>,
    /// In whole US dollars; `None` when no amount is stated.
    pub amount: Option<i64>,
}

/// The grants of one nonprofit.
#[derive(Debug, Clone, PartialEq)]
pub struct NonprofitGrants {
    pub list: GrantPage,
    pub basis: Basis,
    /// Of every year, whichever is asked for; the latest first.
    pub years: Vec<(u16, Sum)>,
    /// Of grants made, by the recipients' state and by their NTEE major group, the greatest sums first.
    pub states: Vec<(Option<State>, Sum)>,
    pub majors: Vec<(Option<char>, Sum)>,
    /// For grants made, the returns of the years in question, the latest first.
    pub returns: Vec<ReturnTotals>,
}

/// The basis of an answer about one nonprofit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// Loaded returns list grants of it.
    Listed,
    /// Its returns were loaded and list no grants.
    NoneListed,
    /// No loaded return could list any.
    NotLoaded,
}

/// The totals that a return states, beside the grants that it lists.
#[derive(Debug, Clone, PartialEq)]
pub struct ReturnTotals {
    pub filing: Filing,
    /// The return's own total of grants paid in the period, in whole US dollars.
    pub stated: Option<Usd>,
    /// The sum of the grants listed as paid; `None` if no amount is stated.
    pub listed: Option<i64>,
}

/// The grants of a nonprofit, if the snapshot has it.
pub fn nonprofit_grants(
    snapshot: &Snapshot,
    asked: &NonprofitQuery,
) -> Result<Option<NonprofitGrants>, SearchError> {
    if details(snapshot, asked.ein)?.is_none() {
        return Ok(None);
    }
    let Some(org) = snapshot.columns.org_of(asked.ein)? else {
        // Only the revocation list has it.
        let list = GrantPage { page: ListPage::EMPTY, amount: None };
        let basis = Basis::NotLoaded;
        return Ok(Some(NonprofitGrants::without_parts(list, basis)));
    };
    let grants = &snapshot.grants;
    let own = grants.select(&match asked.direction {
        Direction::Made => Filter { grantor: Some(org), ..Filter::default() },
        Direction::Received => Filter { recipient: Some(org), ..Filter::default() },
    })?;
    let filter = Filter {
        stage: Some(asked.stage),
        min_amount: asked.min_amount,
        recipient_state: asked.state.filter(|_| asked.direction == Direction::Made),
        grantor_state: asked.state.filter(|_| asked.direction == Direction::Received),
        ..Filter::default()
    };
    let mut set = of_words(snapshot, asked.words.as_deref())?;
    set.intersect(&own);
    let of_every_year = grants.select_among(set, &filter)?;
    let years = grants.by_year(&of_every_year)?;
    let set =
        grants.select_among(of_every_year, &Filter { year: asked.year, ..Filter::default() })?;
    let list = grant_page(snapshot, &set, asked.paging)?;
    let (states, majors) = match asked.direction {
        Direction::Made => (grants.by_state(&set)?, grants.by_major(&set)?),
        Direction::Received => (Vec::new(), Vec::new()),
    };
    let filings = match asked.direction {
        Direction::Made => snapshot.records.filings(org)?,
        Direction::Received => Vec::new(),
    };
    let basis = match (own.count() > 0, filings.iter().any(Filing::is_whole)) {
        (true, _) => Basis::Listed,
        (false, true) => Basis::NoneListed,
        (false, false) => Basis::NotLoaded,
    };
    let is_asked = |filing: &Filing| asked.year.is_none_or(|year| year == filing.tax_year);
    let returns = filings.into_iter().filter(|one| one.is_whole() && is_asked(one));
    let returns = returns.map(|filing| totals(snapshot, &own, filing)).collect::<Result<_, _>>()?;
    Ok(Some(NonprofitGrants {
        years,
        states,
        majors,
        returns,
        ..NonprofitGrants::without_parts(list, basis)
    }))
}

impl NonprofitGrants {
    fn without_parts(list: GrantPage, basis: Basis) -> Self {
        let (years, states, majors, returns) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { list, basis, years, states, majors, returns }
    }
}

/// The totals that a return states, beside the grants that it lists of its filer. For two periods
/// in one tax year, the sums include both.
fn totals(
    snapshot: &Snapshot,
    own: &Bitmap<Grant>,
    filing: Filing,
) -> Result<ReturnTotals, SearchError> {
    let (year, stage) = (Some(filing.tax_year), Some(GrantStage::Paid));
    let paid = Filter { year, stage, ..Filter::default() };
    let paid = snapshot.grants.select_among(own.clone(), &paid)?;
    let listed = snapshot.grants.sum(&paid)?.amount;
    Ok(ReturnTotals { stated: stated(&filing), listed, filing })
}

/// The stated total of the grants paid that a return lists or, without one, of all grants.
fn stated(filing: &Filing) -> Option<Usd> {
    let Totals { grants_to_organizations, grants_abroad, grants_paid, listed_grants_paid, .. } =
        filing.totals;
    match filing.form {
        Form::Full => {
            let both = [grants_to_organizations, grants_abroad].into_iter().flatten();
            both.reduce(|one, other| Usd::new(one.dollars().saturating_add(other.dollars())))
        }
        Form::Short | Form::PrivateFoundation => listed_grants_paid.or(grants_paid),
    }
}

/// The page of grants asked for.
pub fn search(
    snapshot: &Snapshot,
    query: &Query,
    paging: Paging,
) -> Result<GrantPage, SearchError> {
    grant_page(snapshot, &select(snapshot, query)?, paging)
}

/// The grants paid that match a query.
pub(super) fn select(snapshot: &Snapshot, query: &Query) -> Result<Bitmap<Grant>, SearchError> {
    let of_words = of_words(snapshot, query.words.as_deref())?;
    let filter = Filter {
        year: query.year,
        stage: Some(GrantStage::Paid),
        min_amount: query.min_amount,
        recipient_state: query.recipient_state,
        grantor_state: query.grantor_state,
        accepts_applications: query.accepts_applications,
        ..Filter::default()
    };
    let mut set = snapshot.grants.select_among(of_words, &filter)?;
    if !query.recipient_ntee.is_empty() {
        grant_words::keep_causes(snapshot, &mut set, &query.recipient_ntee)?;
    }
    Ok(set)
}

/// The grants that a text asks for; all grants if it is empty.
fn of_words(snapshot: &Snapshot, text: Option<&str>) -> Result<Bitmap<Grant>, SearchError> {
    match text.map(str::trim).filter(|text| !text.is_empty()) {
        Some(text) => grant_words::of_text(snapshot, text),
        None => Ok(Bitmap::all(snapshot.grants.count())),
    }
}

fn grant_page(
    snapshot: &Snapshot,
    set: &Bitmap<Grant>,
    paging: Paging,
) -> Result<GrantPage, SearchError> {
    let amount = snapshot.grants.sum(set)?.amount;
    let page = listing::page(snapshot, set, paging)?;
    let page = page.try_map(|(row, grant)| listed(snapshot, row, grant))?;
    Ok(GrantPage { page, amount })
}

/// A grant with both its sides.
pub(crate) fn listed(
    snapshot: &Snapshot,
    row: RowId<Grant>,
    grant: Grant,
) -> Result<ListedGrant, SearchError> {
    let link = snapshot.grants.link(row)?;
    let Card { ein: grantor_ein, name: grantor_name, .. } =
        snapshot.typeahead.card(snapshot.grants.grantor(row)?)?;
    let recipient = link.recipient.map(|org| snapshot.typeahead.card(org)).transpose()?;
    let recipient_ein = grant.recipient_ein.or(recipient.as_ref().map(|card| card.ein));
    let name_of = |card: &Card| card.name.clone();
    let recipient_name = grant.recipient_name.clone().or(recipient.as_ref().map(name_of));
    let linked = recipient;
    Ok(ListedGrant {
        grant,
        grantor_ein,
        grantor_name,
        link,
        recipient_ein,
        recipient_name,
        linked,
    })
}
