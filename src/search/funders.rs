//! Funders of a cause or place: grantors of matching grants, by the sum of these or in another order, with how they
//! take applications.

use std::cmp::Reverse;

use super::SearchError;
use super::called::has_all_words;
use super::grants::{self, Query};
use super::listing::{ListPage, Paging};
use crate::index::columns::Bitmap;
use crate::index::grants::{OfGrantor, Sum};
use crate::index::typeahead::Card;
use crate::query::{Figure, order_key};
use crate::record::{Filing, Grant, OrgId, Organization, Posture, named};
use crate::snapshot::Snapshot;
use crate::understand::{Lookup, Names as _, Question};

named! {
    /// What funders are sorted by.
    OrderKey {
        /// What their matching grants add up to.
        Amount = "amount",
        /// How many matching grants they made.
        Grants = "grants",
        /// What they own.
        Assets = "assets",
        Name = "name",
    }
}

/// The order of funders: whose value is not known is last either way, and equal ones follow by what they gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order {
    pub key: OrderKey,
    pub descending: bool,
}

impl Order {
    /// Who gave most first.
    pub const DEFAULT: Self = Self { key: OrderKey::Amount, descending: true };

    /// The names of all orders, each key also with `-` in front for descending.
    pub fn names() -> Vec<String> {
        let names = OrderKey::ALL.map(OrderKey::name).into_iter();
        names.flat_map(|name| [format!("-{name}"), name.to_owned()]).collect()
    }

    /// The order of a name; `None` where none is called so.
    pub fn parse(text: &str) -> Option<Self> {
        let (descending, name) = order_key(text);
        Some(Self { key: OrderKey::named(name)?, descending })
    }

    /// Its name.
    pub fn name(self) -> String {
        format!("{}{}", if self.descending { "-" } else { "" }, self.key.name())
    }

    /// What each grantor is sorted by, the least first.
    fn ranks(
        self,
        snapshot: &Snapshot,
        given: &[OfGrantor],
    ) -> Result<Vec<(bool, Option<i64>)>, SearchError> {
        let orgs = || given.iter().map(|one| one.grantor).collect::<Vec<_>>();
        let columns = &snapshot.columns;
        let values: Vec<Option<i64>> = match self.key {
            OrderKey::Amount => given.iter().map(|one| one.sum.amount).collect(),
            OrderKey::Grants => {
                given.iter().map(|one| i64::try_from(one.sum.grants).ok()).collect()
            }
            OrderKey::Assets => columns.amounts(&orgs(), Figure::Assets)?,
            OrderKey::Name => {
                let ranks = columns.name_ranks(&orgs())?.into_iter();
                ranks.map(|rank| rank.map(i64::from)).collect()
            }
        };
        // The complement of a number falls as it rises, that of the least number too.
        let directed = |value: i64| if self.descending { !value } else { value };
        Ok(values.into_iter().map(|value| (value.is_none(), value.map(directed))).collect())
    }
}

/// A grantor, and the sum of its matching grants.
#[derive(Debug, Clone, PartialEq)]
pub struct Funder {
    pub card: Card,
    pub given: OfGrantor,
    /// Its total assets in whole US dollars.
    pub assets: Option<i64>,
    /// The latest tax year of these grants.
    pub latest_year: u16,
    /// Its latest loaded Form 990-PF that describes how to apply.
    pub posture: Option<(Posture, Filing)>,
}

/// The page of funders in an order.
pub fn search(
    snapshot: &Snapshot,
    query: &Query,
    order: Order,
    paging: Paging,
) -> Result<ListPage<Funder>, SearchError> {
    Grantors::of(snapshot, query)?.page(snapshot, order, paging)
}

/// Funders that the words of a query name, with their grants that all else of it asks for, the likeliest first.
pub fn of_name(snapshot: &Snapshot, query: &Query) -> Result<Vec<Funder>, SearchError> {
    let Some(words) = query.words.as_deref().filter(|words| !words.trim().is_empty()) else {
        return Ok(Vec::new());
    };
    let mut orgs = Vec::new();
    for candidate in Lookup::of(snapshot).named(words)?.candidates {
        let one = Organization::named(candidate.ein, &candidate.name);
        if has_all_words(&one, words)
            && let Some(org) = snapshot.org_of(candidate.ein)?
        {
            orgs.push(org);
        }
    }
    if orgs.is_empty() {
        return Ok(Vec::new());
    }
    let mut set = grants::select(snapshot, &Query { words: None, ..query.clone() })?;
    let organizations = snapshot.columns.organizations();
    set.intersect(&snapshot.grants.made_by(&Bitmap::of(organizations, orgs))?);
    let given = snapshot.grants.by_grantor(&set)?;
    let all = Paging { page: 1, size: given.len() };
    Ok(Grantors { set, given }.page(snapshot, Order::DEFAULT, all)?.rows)
}

/// Who funds what a question asks for.
pub fn of_question(
    snapshot: &Snapshot,
    asked: &Question,
    paging: Paging,
) -> Result<ListPage<Funder>, SearchError> {
    most_found(snapshot, asked)?.0.page(snapshot, Order::DEFAULT, paging)
}

/// What a question asks of grants: its words, or the NTEE codes of its cause, whichever has most funders.
pub fn query_of(snapshot: &Snapshot, asked: &Question) -> Result<Query, SearchError> {
    match &ways_of(asked)[..] {
        [only] => Ok(only.clone()),
        _ => Ok(most_found(snapshot, asked)?.1),
    }
}

/// What may be asked of grants, at least one.
fn ways_of(asked: &Question) -> Vec<Query> {
    let of = Query {
        words: asked.words.clone(),
        recipient_state: asked.recipient_state,
        recipient_ntee: Vec::new(),
        grantor_state: asked.funder_state,
        year: asked.year,
        min_amount: asked.min_amount,
        accepts_applications: asked.accepts_applications,
    };
    let of_codes = (!asked.ntee.is_empty()).then(|| Query {
        words: None,
        recipient_ntee: asked.ntee.clone(),
        ..of.clone()
    });
    [Some(of), of_codes].into_iter().flatten().collect()
}

/// The query that has most grantors, of equal ones the first, with these.
fn most_found(snapshot: &Snapshot, asked: &Question) -> Result<(Grantors, Query), SearchError> {
    let found = ways_of(asked).into_iter().map(|way| Ok((Grantors::of(snapshot, &way)?, way)));
    let found = found.collect::<Result<Vec<_>, SearchError>>()?.into_iter().rev();
    let most = found.max_by_key(|(grantors, _)| grantors.given.len());
    Ok(most.expect("there is a way to ask at least"))
}

/// The grantors of some grants.
struct Grantors {
    set: Bitmap<Grant>,
    given: Vec<OfGrantor>,
}

impl Grantors {
    fn of(snapshot: &Snapshot, query: &Query) -> Result<Self, SearchError> {
        let set = grants::select(snapshot, query)?;
        let given = snapshot.grants.by_grantor(&set)?;
        Ok(Self { set, given })
    }

    fn page(
        self,
        snapshot: &Snapshot,
        order: Order,
        paging: Paging,
    ) -> Result<ListPage<Funder>, SearchError> {
        let Self { set, given } = self;
        let total = given.len() as u64;
        let ranks = order.ranks(snapshot, &given)?;
        let mut ranked: Vec<_> = ranks.into_iter().zip(given).collect();
        let order = |(rank, one): &((bool, Option<i64>), OfGrantor)| {
            (*rank, Reverse(one.sum.amount), Reverse(one.sum.grants), one.grantor)
        };
        let skipped = paging.before();
        let end = skipped.saturating_add(paging.size());
        if end < ranked.len() {
            ranked.select_nth_unstable_by_key(end, order);
            ranked.truncate(end);
        }
        ranked.sort_unstable_by_key(order);
        let given: Vec<OfGrantor> = ranked.into_iter().skip(skipped).map(|(_, one)| one).collect();
        let orgs: Vec<OrgId> = given.iter().map(|one| one.grantor).collect();
        let assets = snapshot.columns.amounts(&orgs, Figure::Assets)?;
        let rows = given.into_iter().zip(assets).map(|(given, assets)| {
            Ok(Funder {
                card: snapshot.typeahead.card(given.grantor)?,
                assets,
                latest_year: snapshot.grants.latest_year(&set, given.grantor)?.unwrap_or_default(),
                posture: match given.accepts_applications {
                    Some(_) => posture(snapshot, given.grantor)?,
                    None => None,
                },
                given,
            })
        });
        Ok(ListPage { total, rows: rows.collect::<Result<_, SearchError>>()? })
    }
}

/// What the grants of a query add up to in each tax year, the latest first, whichever year it asks for.
pub fn years(snapshot: &Snapshot, query: &Query) -> Result<Vec<(u16, Sum)>, SearchError> {
    let set = grants::select(snapshot, &Query { year: None, ..query.clone() })?;
    Ok(snapshot.grants.by_year(&set)?)
}

/// The latest return that states whether its filer takes applications.
fn posture(snapshot: &Snapshot, grantor: OrgId) -> Result<Option<(Posture, Filing)>, SearchError> {
    let says = |mut filing: Filing| {
        let posture = filing.posture.take().filter(|one| one.accepts_applications().is_some());
        posture.map(|posture| (posture, filing))
    };
    Ok(snapshot.records.filings(grantor)?.into_iter().find_map(says))
}
