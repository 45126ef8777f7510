//! Grants, people and related organizations that returns list: stored as they come, and arranged in the
//! order in which they are listed.
//!
//! Of a tax period only the return that counts is read here, so that an amended one adds nothing twice.
//! Grants go by tax year, the latest first, then by amount, the greatest first; people by the latest year
//! that lists them and what they were paid in it; relations by tax year. What is equal stays in the order
//! of organizations, years and forms. The records of grants and people stay in that last order, in which
//! neighbours have most in common, and positions lead to them; of relations there are few.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::Path;

use rayon::prelude::*;

use super::arena::{Arena, ArenaOffset};
use super::error::BuildError;
use super::items::{Entry, Writing};
use super::report;
use crate::index::{fulltext, groups, items, ratios, relations};
use crate::naming;
use crate::record::{
    Filing, Grant, ListedName, OrgId, Organization, Person, PersonKind, Ratio, Relation, Roles,
    RowId, Schedules, State, Usd,
};
use crate::snapshot::directory::{GRANTS, INDEX, PEOPLE};
use crate::store::{self, Stored};

/// Bytes of their words that are kept in memory until they are in order.
const MEMORY_BYTES_MAX: usize = 256 << 20;

/// Records that are packed together; the last block of each run is not full.
const PACKED: usize = 1024;

/// What the returns of one organization list.
#[derive(Debug, Default)]
pub(super) struct OfOrganization {
    grants: Vec<Grant>,
    /// Each by its normal form.
    names: Vec<(String, ListedName)>,
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
        all.names = names.into_iter().collect();
        all
    }
}

/// What the returns of some organizations list, ready to be stored.
#[derive(Debug)]
pub(super) struct Batch {
    grants: Packed<Grant>,
    names: Packed<ListedName>,
    /// What the names are looked up by, in their order.
    people: Vec<PersonValues>,
    /// All else that they list.
    organizations: Vec<(OrgId, OfOrganization)>,
}

impl Batch {
    /// Of organizations by number.
    pub(super) fn of(mut organizations: Vec<(OrgId, OfOrganization)>) -> Result<Self, BuildError> {
        let (mut grants, mut names) = (Vec::new(), Vec::new());
        let (mut of_names, mut words_of_names) = (Vec::new(), Vec::new());
        let mut people = Vec::new();
        for (owner, listed) in &mut organizations {
            let of = |order| Rank { order, owner: *owner, state: listed.state };
            for grant in std::mem::take(&mut listed.grants) {
                let amount = grant.amount().map(Usd::dollars);
                grants.push((of((Reverse(grant.tax_year), Reverse(amount))), grant));
            }
            for (normal, name) in std::mem::take(&mut listed.names) {
                let latest = name.rows.first().map_or(0, |row| row.tax_year);
                let of_latest = name.rows.iter().take_while(|row| row.tax_year == latest);
                let most = of_latest.map(paid).max().flatten();
                of_names.push(of((Reverse(latest), Reverse(most))));
                words_of_names.push(fulltext::Words::of_normal_name(normal));
                let pay = name.latest().and_then(Person::reportable_pay);
                people.push(PersonValues { pay, roles: name.roles() });
                names.push(name);
            }
        }
        let (ranks, grants): (Vec<Rank>, Vec<Grant>) = grants.into_iter().unzip();
        let words = grants.par_iter().map(|grant| {
            let name = grant.recipient_name.as_deref().unwrap_or_default();
            let purpose = grant.purpose.as_deref();
            fulltext::Words::of(&fulltext::Text { names: &[name], mission: purpose })
        });
        let grants = Packed { ranks, words: words.collect(), blocks: packed(&grants)? };
        let blocks = packed(&names)?;
        let names = Packed { ranks: of_names, words: words_of_names, blocks };
        Ok(Self { grants, names, people, organizations })
    }
}

/// What a name is looked up by beside its words and its state: what it was paid in its latest tax period in whole US
/// dollars, and its roles then.
#[derive(Debug, Clone, Copy)]
struct PersonValues {
    pay: Option<i64>,
    roles: Roles,
}

/// Records of one kind, packed in the order in which they came; the first block's number is 0.
#[derive(Debug)]
struct Packed<Record> {
    ranks: Vec<Rank>,
    words: Vec<fulltext::Words>,
    blocks: Vec<Vec<store::Block<Record>>>,
}

/// The blocks of some records.
fn packed<Record: Stored + Send + Sync>(
    records: &[Record],
) -> Result<Vec<Vec<store::Block<Record>>>, BuildError> {
    let runs = records.par_chunks(PACKED).enumerate();
    let blocks = runs.map(|(run, records)| store::pack((run * PACKED) as u32, records));
    Ok(blocks.collect::<Result<_, _>>()?)
}

/// What a record is listed by: a tax year, the latest first, and an amount, the greatest first and none last;
/// whose it is, and the state of that organization.
#[derive(Debug, Clone, Copy)]
struct Rank {
    order: (Reverse<u16>, Reverse<Option<i64>>),
    owner: OrgId,
    state: Option<State>,
}

/// A record: where it stands among those of its kind that came, and its words, or itself, in the arena.
#[derive(Debug)]
struct Place {
    rank: Rank,
    position: u32,
    kept: ArenaOffset,
}

/// What all returns list, not yet in order.
#[derive(Debug)]
pub(super) struct Extracted {
    arena: Arena,
    grants: Vec<Place>,
    names: Vec<Place>,
    /// By the positions of the names.
    people: Vec<PersonValues>,
    relations: Vec<Place>,
    accepting: Vec<(OrgId, bool)>,
    groups: groups::Builder,
    ratios: ratios::Builder,
}

/// What linking needs to know of the grants that were written.
#[derive(Debug)]
pub(super) struct MadeGrants {
    /// Each and who made it, in the order of their records.
    pub(super) stored: Vec<(RowId<Grant>, OrgId)>,
    /// Who says whether it takes applications, by number.
    pub(super) accepting: Vec<(OrgId, bool)>,
}

/// What a person was paid in all, in whole US dollars; `None` when nothing is stated.
fn paid(person: &Person) -> Option<i64> {
    let other = person.compensation_other.map(Usd::dollars);
    [person.reportable_pay(), other].into_iter().flatten().reduce(i64::saturating_add)
}

impl Extracted {
    /// None yet; `folder` is where those go that memory is not to hold.
    pub(super) fn new(folder: &Path) -> Result<Self, BuildError> {
        let arena = Arena::spilling(folder, MEMORY_BYTES_MAX)?;
        Ok(Self {
            arena,
            grants: Vec::new(),
            names: Vec::new(),
            people: Vec::new(),
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

    /// Stores what the returns of some organizations list; batches come in the order of organizations.
    pub(super) fn add(
        &mut self,
        store: &mut store::Writer,
        batch: Batch,
    ) -> Result<(), BuildError> {
        let Batch { grants, names, people, organizations } = batch;
        self.people.extend(people);
        append(store, &mut self.arena, &mut self.grants, grants)?;
        append(store, &mut self.arena, &mut self.names, names)?;
        for (owner, listed) in organizations {
            for relation in &listed.relations {
                let order = (Reverse(relation.tax_year), Reverse(None));
                let rank = Rank { order, owner, state: listed.state };
                let (position, kept) = (self.relations.len() as u32, self.arena.add(relation)?);
                self.relations.push(Place { rank, position, kept });
            }
            listed.ratios.into_iter().for_each(|ratios| self.ratios.push(owner, ratios));
            self.accepting.extend(listed.accepts.map(|accepts| (owner, accepts)));
        }
        Ok(())
    }

    /// Writes everything but the index of grants, which needs the organizations that they go to, and counts it; gives
    /// what that index needs to know.
    pub(super) fn write(
        self,
        out: &mut Writing<'_>,
        counts: &mut report::Items,
    ) -> Result<MadeGrants, BuildError> {
        let Self { arena, mut grants, mut names, people, mut relations, .. } = self;
        let Self { accepting, groups, ratios, .. } = self;
        for places in [&mut grants, &mut names, &mut relations] {
            // Stable: what is equal stays in the order of organizations, years and forms.
            places.par_sort_by(|one, other| one.rank.order.cmp(&other.rank.order));
        }
        out.store.place::<Grant>(grants.iter().map(|grant| grant.position).collect());
        out.store.place::<ListedName>(names.iter().map(|name| name.position).collect());
        counts.grants = grants.len() as u64;
        counts.people = names.len() as u64;
        counts.relations = relations.len() as u64;
        write_relations(out, &arena, relations)?;
        groups.finish(out.folder)?;
        ratios.finish(out.folder)?;
        let (of_grants, of_people) = (out.folder.join(GRANTS), out.folder.join(PEOPLE));
        let (grants_written, people_written) = rayon::join(
            || write_words(&of_grants, &arena, &grants),
            || {
                write_words(&of_people, &arena, &names)?;
                write_owners(&of_people.join(INDEX), &names, &people)
            },
        );
        grants_written.and(people_written)?;
        let mut stored: Vec<_> = grants.iter().map(|_| (RowId::new(0), OrgId::new(0))).collect();
        for (row, grant) in (0..).map(RowId::new).zip(&grants) {
            stored[grant.position as usize] = (row, grant.rank.owner);
        }
        Ok(MadeGrants { stored, accepting })
    }
}

/// Stores records behind those that were stored before, and keeps their words.
fn append<Record: Stored>(
    store: &mut store::Writer,
    arena: &mut Arena,
    places: &mut Vec<Place>,
    packed: Packed<Record>,
) -> Result<(), BuildError> {
    let first = places.len() as u32;
    for blocks in &packed.blocks {
        store.append_behind(first, blocks)?;
    }
    for (position, (rank, words)) in (first..).zip(packed.ranks.into_iter().zip(&packed.words)) {
        places.push(Place { rank, position, kept: arena.add(words)? });
    }
    Ok(())
}

/// Writes the words of rows, in the order in which they are listed.
fn write_words(folder: &Path, arena: &Arena, places: &[Place]) -> Result<(), BuildError> {
    let mut words = fulltext::Builder::create(folder)?;
    for place in places {
        words.add_words(arena.get(place.kept)?)?;
    }
    Ok(words.finish()?)
}

/// Writes whose names are, and what they are looked up and sorted by.
fn write_owners(path: &Path, names: &[Place], people: &[PersonValues]) -> Result<(), BuildError> {
    let mut index = items::Builder::default();
    for Place { rank: Rank { owner, state, .. }, position, .. } in names {
        let PersonValues { pay, roles } = people[*position as usize];
        let kind = PersonKind { state: *state, roles }.to_string();
        // Exact: nobody is paid 2^53 dollars.
        let score = pay.map(|dollars| dollars as f64);
        let owner = *owner;
        index.push(&items::ItemRow { owner, identifier: "", kind: Some(&kind), score });
    }
    index.finish(path)?;
    Ok(())
}

fn write_relations(
    out: &mut Writing<'_>,
    arena: &Arena,
    places: Vec<Place>,
) -> Result<(), BuildError> {
    let entry = |Place { rank, kept, .. }| Entry { key: rank, source: None, arena, place: kept };
    let relations: Vec<Entry<'_, Rank>> = places.into_iter().map(entry).collect();
    let mut index = relations::Builder::default();
    out.write(&relations, |rank, relation: &Relation| {
        index.push(rank.owner, relation);
        Ok(())
    })?;
    index.finish(out.folder)?;
    Ok(())
}
