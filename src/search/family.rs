//! What a nonprofit belongs to: its group exemption, with the central organization and the subordinates,
//! and the related organizations of Schedule R, both ways.

use std::collections::BTreeMap;

use super::SearchError;
use super::details::details;
use super::listing::{self, ListPage, Paging};
use crate::index::columns::Bitmap;
use crate::record::{Ein, Filing, GroupNumber, OrgId, Organization, Relation, State, named};
use crate::snapshot::Snapshot;

/// AFFILIATION of one that a group's ruling covers.
const SUBORDINATE: u8 = 9;

/// The family of a nonprofit.
#[derive(Debug, Clone, PartialEq)]
pub struct Family {
    /// `None` where it is in no group.
    pub group: Option<Group>,
    /// The latest row of each related organization: those that it lists first.
    pub relations: ListPage<RelationHit>,
    /// Whether a return of it was loaded as filed.
    pub has_returns: bool,
}

/// A group exemption, from the point of view of one member.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    pub number: GroupNumber,
    /// The role of the nonprofit; `None` where the master file does not say.
    pub role: Option<GroupRole>,
    /// The central organization, mostly one; empty if no loaded list has it.
    pub central: Vec<Organization>,
    /// The other members, in the order of the snapshot.
    pub subordinates: ListPage<Organization>,
    /// The number of these in each state; those abroad are left out.
    pub by_state: Vec<(State, u64)>,
}

named! {
    /// The role of a member in its group.
    GroupRole {
        Central = "central",
        Subordinate = "subordinate",
    }
}

/// A row of Schedule R.
#[derive(Debug, Clone, PartialEq)]
pub struct RelationHit {
    pub relation: Relation,
    /// Display name of the filer where another one lists the nonprofit; `None` where it lists another.
    pub listed_by: Option<String>,
}

/// The family of a nonprofit, if the snapshot has it.
pub fn family(
    snapshot: &Snapshot,
    ein: Ein,
    paging: Paging,
) -> Result<Option<Family>, SearchError> {
    let Some(organization) = details(snapshot, ein)? else { return Ok(None) };
    let org = snapshot.columns.org_of(ein)?;
    let group = match organization.exemption.group {
        Some(number) => Some(group(snapshot, number, org, &organization, paging)?),
        None => None,
    };
    let relations = relations(snapshot, org, ein, paging)?;
    let has_returns = match org {
        Some(org) => snapshot.records.filings(org)?.iter().any(Filing::is_whole),
        None => false,
    };
    Ok(Some(Family { group, relations, has_returns }))
}

fn group(
    snapshot: &Snapshot,
    number: GroupNumber,
    org: Option<OrgId>,
    organization: &Organization,
    paging: Paging,
) -> Result<Group, SearchError> {
    let central = snapshot.groups.central(number)?;
    let others = snapshot.groups.others(number)?;
    let role = if org.is_some_and(|org| central.contains(&org)) {
        Some(GroupRole::Central)
    } else {
        let is_subordinate = organization.exemption.affiliation == Some(SUBORDINATE);
        is_subordinate.then_some(GroupRole::Subordinate)
    };
    let mut by_state: BTreeMap<State, u64> = BTreeMap::new();
    for state in snapshot.columns.states(&others)?.into_iter().flatten() {
        *by_state.entry(state).or_default() += 1;
    }
    let ListPage { total, rows } = ListPage::cut(others, paging);
    Ok(Group {
        number,
        role,
        central: snapshot.records.get_all(&central)?,
        subordinates: ListPage { total, rows: snapshot.records.get_all(&rows)? },
        by_state: by_state.into_iter().collect(),
    })
}

/// The organizations that a nonprofit lists, then those that list it: for each, the row of the latest tax year.
fn relations(
    snapshot: &Snapshot,
    org: Option<OrgId>,
    ein: Ein,
    paging: Paging,
) -> Result<ListPage<RelationHit>, SearchError> {
    let own = match org {
        Some(org) => snapshot.relations.listed_by(org)?,
        None => Bitmap::none(snapshot.relations.items().count()),
    };
    let others = snapshot.relations.listing(ein)?;
    let (skipped, size) = (paging.skipped(), paging.size());
    let listed = own.page(skipped, size);
    let mut page = listed.clone();
    page.extend(others.page(skipped.saturating_sub(own.count()), size - listed.len()));
    let rows = listing::records(snapshot, page)?.into_iter().enumerate();
    let rows = rows.map(|(at, (row, relation))| {
        let listed_by = match at < listed.len() {
            true => None,
            false => {
                let filer = snapshot.relations.items().owner(row)?;
                Some(snapshot.typeahead.card(filer)?.name)
            }
        };
        Ok(RelationHit { relation, listed_by })
    });
    let rows = rows.collect::<Result<_, SearchError>>()?;
    Ok(ListPage { total: own.count() + others.count(), rows })
}
