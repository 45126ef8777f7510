//! What a nonprofit belongs to: its group exemption, with the central organization and the subordinates,
//! and the related organizations of Schedule R, both ways.

use std::collections::{BTreeMap, HashSet};

use super::SearchError;
use super::details::details;
use super::listing::{ListPage, Owners, Paging};
use crate::naming;
use crate::record::{Ein, Filing, GroupNumber, OrgId, Organization, Relation, State};
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

/// A group exemption, as it is seen from one of its members.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    pub number: GroupNumber,
    /// What the nonprofit is in it; `None` where the master file does not say.
    pub role: Option<GroupRole>,
    /// Mostly one; none where no list that was loaded has it.
    pub central: Vec<Organization>,
    /// The other members, in the order of the snapshot.
    pub subordinates: ListPage<Organization>,
    /// How many of these each state has; those abroad are left out.
    pub by_state: Vec<(State, u64)>,
}

/// What a member is in its group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupRole {
    Central,
    Subordinate,
}

/// A row of Schedule R.
#[derive(Debug, Clone, PartialEq)]
pub struct RelationHit {
    pub relation: Relation,
    /// Display name of the filer where another one lists the nonprofit; `None` where it lists another.
    pub listed_by: Option<String>,
}

/// The family of a nonprofit, if the snapshot has it.
///
/// # Errors
/// When the snapshot is damaged.
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
    let mut relations = match org {
        Some(org) => listed_by_it(snapshot, org)?,
        None => Vec::new(),
    };
    relations.extend(listed_by_others(snapshot, ein)?);
    let has_returns = match org {
        Some(org) => snapshot.records.filings(org)?.iter().any(Filing::is_whole),
        None => false,
    };
    let total = relations.len() as u64;
    let skipped = usize::try_from(paging.skipped()).unwrap_or(usize::MAX);
    let rows = relations.into_iter().skip(skipped).take(paging.size()).collect();
    Ok(Some(Family { group, relations: ListPage { total, rows }, has_returns }))
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
    let total = others.len() as u64;
    let skipped = usize::try_from(paging.skipped()).unwrap_or(usize::MAX);
    let page: Vec<OrgId> = others.into_iter().skip(skipped).take(paging.size()).collect();
    Ok(Group {
        number,
        role,
        central: snapshot.records.get_all(&central)?,
        subordinates: ListPage { total, rows: snapshot.records.get_all(&page)? },
        by_state: by_state.into_iter().collect(),
    })
}

/// Whom a nonprofit lists: of each organization the row of the latest tax year.
fn listed_by_it(snapshot: &Snapshot, org: OrgId) -> Result<Vec<RelationHit>, SearchError> {
    let mut seen = HashSet::new();
    let mut hits = Vec::new();
    // They are numbered by tax year, the latest first.
    for relation in snapshot.records.get_all(&snapshot.relations.of_owner(org)?)? {
        let name = relation.related_name.as_deref().map(naming::normalise);
        let key =
            relation.related_ein.map_or_else(|| name.unwrap_or_default(), |ein| ein.to_string());
        if seen.insert(key) {
            hits.push(RelationHit { relation, listed_by: None });
        }
    }
    Ok(hits)
}

/// Who lists a nonprofit: of each filer the row of the latest tax year.
fn listed_by_others(snapshot: &Snapshot, ein: Ein) -> Result<Vec<RelationHit>, SearchError> {
    let (mut seen, mut owners) = (HashSet::new(), Owners::default());
    let mut hits = Vec::new();
    for row in snapshot.relations.of_identifiers([ein.as_str()])? {
        let relation = snapshot.records.get(row)?;
        // Identifiers are looked up by their hashes.
        if relation.related_ein == Some(ein) && seen.insert(relation.ein) {
            let name = owners.of(snapshot, &snapshot.relations, row)?.name.clone();
            hits.push(RelationHit { relation, listed_by: Some(name) });
        }
    }
    Ok(hits)
}
