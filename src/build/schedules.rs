//! Grants, people and related organizations that returns list: arranged in the order in which they are
//! listed, and written.
//!
//! Of a tax period only the return that counts is read here, so that an amended one adds nothing twice.
//! Grants go by tax year, the latest first, then by amount, the greatest first; people by the latest year
//! that lists them and what they were paid in it; relations by tax year. What is equal stays in the order
//! of organizations, years and forms.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::Path;

use rayon::slice::ParallelSliceMut;

use super::arena::{Arena, ArenaOffset};
use super::error::BuildError;
use super::items::{Entry, Writing};
use crate::index::{fulltext, groups, items, ratios, relations};
use crate::naming;
use crate::record::{
    Filing, Grant, ListedName, OrgId, Organization, Person, Ratio, Relation, Schedules, State, Usd,
};
use crate::snapshot::item_folders::{INDEX, PEOPLE};

/// Bytes of them that are kept in memory until they are in order.
const MEMORY_BYTES_MAX: usize = 256 << 20;

/// What the returns of one organization list.
#[derive(Debug, Default)]
pub(super) struct OfOrganization {
    grants: Vec<Grant>,
    names: Vec<ListedName>,
    relations: Vec<Relation>,
    state: Option<State>,
    /// Whether it takes applications, as its latest return that says so has it.
    accepts: Option<bool>,
    /// Of the latest return as filed.
    ratios: Option<[Option<f64>; Ratio::ALL.len()]>,
}

impl OfOrganization {
    /// Of returns, the latest tax period first, and what each lists.
    pub(super) fn of(
        organization: &Organization,
        filings: &[Filing],
        schedules: Vec<Schedules>,
    ) -> Self {
        let accepts = |filing: &Filing| filing.posture.as_ref()?.accepts_applications();
        let mut all = Self {
            state: organization.address.state,
            accepts: filings.iter().find_map(accepts),
            ratios: ratios::of_latest(filings).map(|(_, ratios)| ratios),
            ..Self::default()
        };
        let mut names: BTreeMap<String, ListedName> = BTreeMap::new();
        for Schedules { grants, people, relations } in schedules {
            all.grants.extend(grants);
            all.relations.extend(relations);
            for person in people {
                let new = || ListedName { name: person.name.clone(), rows: Vec::new() };
                let named = names.entry(naming::normalise(&person.name)).or_insert_with(new);
                named.rows.push(person);
            }
        }
        all.names = names.into_values().collect();
        all
    }
}

/// What all returns list, not yet in order.
#[derive(Debug)]
pub(super) struct Extracted {
    arena: Arena,
    grants: Vec<Place>,
    names: Vec<Place>,
    relations: Vec<Place>,
    accepting: Vec<(OrgId, bool)>,
    groups: groups::Builder,
    ratios: ratios::Builder,
}

/// What linking needs to know of the grants that were written.
#[derive(Debug)]
pub(super) struct MadeGrants {
    /// Who made each, in the order of the grants.
    pub(super) grantors: Vec<OrgId>,
    /// Who says whether it takes applications, by number.
    pub(super) accepting: Vec<(OrgId, bool)>,
}

/// Where a record is, and what it is listed by: a tax year, the latest first, and an amount, the greatest
/// first and none last.
#[derive(Debug)]
struct Place {
    order: (Reverse<u16>, Reverse<Option<i64>>),
    owner: OrgId,
    state: Option<State>,
    place: ArenaOffset,
}

/// How many records there are of each.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    pub(super) grants: u64,
    pub(super) people: u64,
    pub(super) relations: u64,
}

/// What a person was paid in all, in whole US dollars; `None` when nothing is stated.
fn paid(person: &Person) -> Option<i64> {
    let Person { compensation, compensation_related, compensation_other, .. } = person;
    let stated = [compensation, compensation_related, compensation_other];
    stated.into_iter().flatten().map(|usd| usd.dollars()).reduce(i64::saturating_add)
}

impl Extracted {
    /// None yet; `folder` is where those go that memory is not to hold.
    pub(super) fn new(folder: &Path) -> Result<Self, BuildError> {
        let arena = Arena::spilling(folder, MEMORY_BYTES_MAX)?;
        Ok(Self {
            arena,
            grants: Vec::new(),
            names: Vec::new(),
            relations: Vec::new(),
            accepting: Vec::new(),
            groups: groups::Builder::default(),
            ratios: ratios::Builder::default(),
        })
    }

    /// Notes the group that an organization is in.
    pub(super) fn add_organization(&mut self, org: OrgId, organization: &Organization) {
        self.groups.add(org, &organization.exemption);
    }

    /// Adds what the returns of an organization list.
    pub(super) fn add(&mut self, owner: OrgId, listed: &OfOrganization) -> Result<(), BuildError> {
        let state = listed.state;
        let of = |year, amount, place| Place {
            order: (Reverse(year), Reverse(amount)),
            owner,
            state,
            place,
        };
        for grant in &listed.grants {
            let place = self.arena.add(grant)?;
            self.grants.push(of(grant.tax_year, grant.amount().map(Usd::dollars), place));
        }
        for name in &listed.names {
            let latest = name.rows.first().map_or(0, |row| row.tax_year);
            let of_latest = name.rows.iter().take_while(|row| row.tax_year == latest);
            let most = of_latest.map(paid).max().flatten();
            self.names.push(of(latest, most, self.arena.add(name)?));
        }
        for relation in &listed.relations {
            self.relations.push(of(relation.tax_year, None, self.arena.add(relation)?));
        }
        listed.ratios.into_iter().for_each(|ratios| self.ratios.push(owner, ratios));
        self.accepting.extend(listed.accepts.map(|accepts| (owner, accepts)));
        Ok(())
    }

    /// Writes everything but the index of grants, which needs the organizations that they go to; gives
    /// what that index needs to know.
    pub(super) fn write(self, out: &mut Writing<'_>) -> Result<(MadeGrants, Counts), BuildError> {
        let Self { arena, grants, names, relations, accepting, groups, ratios } = self;
        let grants = ordered(&arena, grants);
        out.write(&grants, |_, _: &Grant| Ok(()))?;
        let people = write_names(out, &ordered(&arena, names))?;
        let relations = write_relations(out, &ordered(&arena, relations))?;
        groups.finish(out.folder).map_err(BuildError::io(out.folder))?;
        ratios.finish(out.folder).map_err(BuildError::io(out.folder))?;
        let counts = Counts { grants: grants.len() as u64, people, relations };
        let grantors = grants.into_iter().map(|grant| grant.key.0).collect();
        Ok((MadeGrants { grantors, accepting }, counts))
    }
}

/// Whose a record is, and the state of that organization.
type Key = (OrgId, Option<State>);

/// Sorts records. What is equal stays in the order of organizations, years and forms.
fn ordered(arena: &Arena, mut places: Vec<Place>) -> Vec<Entry<'_, Key>> {
    places.par_sort_by(|one, other| one.order.cmp(&other.order));
    let entry = |Place { owner, state, place, .. }| Entry {
        key: (owner, state),
        source: None,
        arena,
        place,
    };
    places.into_iter().map(entry).collect()
}

fn write_names(out: &mut Writing<'_>, names: &[Entry<'_, Key>]) -> Result<u64, BuildError> {
    let folder = out.folder.join(PEOPLE);
    let mut index = items::Builder::default();
    let mut words = fulltext::Builder::create(&folder)?;
    let count = out.write(names, |&(owner, state), named: &ListedName| {
        index.push(&items::ItemRow {
            owner,
            identifier: &naming::normalise(&named.name),
            // Names are asked for by the state of their organization.
            kind: state.map(State::code),
            score: None,
        });
        words.add(&fulltext::Text { names: &[&named.name], mission: None })?;
        Ok(())
    })?;
    words.finish()?;
    index.finish(&folder.join(INDEX))?;
    Ok(count)
}

fn write_relations(out: &mut Writing<'_>, relations: &[Entry<'_, Key>]) -> Result<u64, BuildError> {
    let mut index = relations::Builder::default();
    let count = out.write(relations, |&(owner, _), relation: &Relation| {
        index.push(owner, relation);
        Ok(())
    })?;
    index.finish(out.folder)?;
    Ok(count)
}
