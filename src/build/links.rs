//! Resolves the recipients of grants: by the EIN that the return states, else by name and address.
//!
//! Reads the store, the columns and the index of names that were just written; grants are taken in the order in which
//! they are stored. A recipient that many returns name alike is matched once. Recipients abroad are not matched, as no
//! list has them.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_128;

use super::error::BuildError;
use super::report::Progress;
use super::schedules::MadeGrants;
use crate::index::columns::Columns;
use crate::index::grants::{self, GrantRow, LinkKind};
use crate::index::names::Names;
use crate::index::postings::Postings;
use crate::mapped::files_in;
use crate::matching::{self, MatchError, Query, Register, YesMin};
use crate::record::{Grant, GrantForm, OrgId, Organization, RowId, State, Usd};
use crate::snapshot::directory::ADDRESSES;
use crate::store::Records;

/// Grants that are linked at a time.
const BATCH: usize = 32 * PACKED;

/// Grants that one thread reads at a time: those of a few blocks of the store.
const PACKED: usize = 128;

/// A recipient as it was matched, and how probably.
type Match = Option<(OrgId, f32)>;

/// Links the grants of a snapshot being built and writes their index. Returns how many were matched by name and
/// address.
pub(super) fn write(
    folder: &Path,
    grants: &MadeGrants,
    progress: &dyn Progress,
) -> Result<u64, BuildError> {
    let MadeGrants { stored, accepting } = grants;
    progress.stage("linking grants", Some(stored.len() as u64));
    let written = Written::open(folder)?;
    let mut linker = Linker { register: written.register(), known: HashMap::new() };
    let mut index = grants::Builder::default();
    let mut matched = 0;
    for batch in stored.chunks(BATCH) {
        let read: Vec<Vec<Grant>> = batch
            .par_chunks(PACKED)
            .map(|rows| written.records.get_all(&rows.iter().map(|row| row.0).collect::<Vec<_>>()))
            .collect::<Result<_, _>>()?;
        let read: Vec<Grant> = read.into_iter().flatten().collect();
        for (linked, (row, _)) in linker.rows(batch, &read)?.into_iter().zip(batch) {
            matched += u64::from(linked.link == LinkKind::Matched);
            index.push(*row, linked);
        }
        progress.advance(batch.len() as u64);
    }
    index.finish(folder, accepting)?;
    Ok(matched)
}

/// The parts of the snapshot, already written, that linking reads.
struct Written {
    names: Names,
    addresses: Postings<Organization>,
    columns: Columns,
    records: Records,
}

impl Written {
    fn open(folder: &Path) -> Result<Self, BuildError> {
        let mut files = files_in(folder);
        let read_again = |source| BuildError::ReadAgain { source };
        Ok(Self {
            names: Names::open(&mut files).map_err(read_again)?,
            addresses: Postings::open(&mut files, ADDRESSES).map_err(read_again)?,
            columns: Columns::open(&mut files).map_err(read_again)?,
            records: Records::open(&mut files)?,
        })
    }

    fn register(&self) -> Register<'_> {
        let Self { names, addresses, columns, records } = self;
        Register { names, addresses, columns, records }
    }
}

/// Resolves recipients, caching those matched by name and address under a hash of the two.
struct Linker<'a> {
    register: Register<'a>,
    known: HashMap<u128, Match>,
}

impl Linker<'_> {
    /// What is kept of some grants, in their order.
    fn rows(
        &mut self,
        stored: &[(RowId<Grant>, OrgId)],
        grants: &[Grant],
    ) -> Result<Vec<GrantRow>, MatchError> {
        let asked: Vec<Option<(u128, Query)>> = grants.par_iter().map(asked).collect();
        let mut seen = HashSet::new();
        let new = asked.iter().flatten();
        let new = new.filter(|(key, _)| !self.known.contains_key(key) && seen.insert(*key));
        let new: Vec<_> = new.collect();
        let register = self.register;
        let found: Vec<(u128, Match)> = new
            .par_iter()
            .map(|(key, query)| Ok((*key, recipient(register, query)?)))
            .collect::<Result<_, MatchError>>()?;
        self.known.extend(found);
        let rows = grants.par_iter().zip(stored).zip(&asked);
        rows.map(|((grant, (_, grantor)), asked)| {
            let known = asked.as_ref().and_then(|(key, _)| self.known.get(key).copied().flatten());
            self.row(grant, *grantor, known)
        })
        .collect()
    }

    fn row(&self, grant: &Grant, grantor: OrgId, matched: Match) -> Result<GrantRow, MatchError> {
        let columns = self.register.columns;
        let (link, recipient, probability) = match (grant.recipient_ein, matched) {
            (Some(ein), _) => (LinkKind::Filed, columns.org_of(ein)?, 0.0),
            (None, Some((org, probability))) => (LinkKind::Matched, Some(org), probability),
            (None, None) => (LinkKind::Unmatched, None, 0.0),
        };
        let state_of = |org: OrgId| Ok::<_, MatchError>(columns.states(&[org])?[0]);
        // An EIN may be that of a group's central organization, elsewhere than the member that got the grant.
        let of_recipient = || Ok::<_, MatchError>(recipient.map(state_of).transpose()?.flatten());
        let recipient_state: Option<State> = match grant.state {
            None if !is_abroad(grant) => of_recipient()?,
            filed => filed,
        };
        Ok(GrantRow {
            grantor,
            recipient,
            link,
            probability,
            amount: grant.amount().map(Usd::dollars),
            noncash: grant.noncash.map(Usd::dollars),
            tax_year: grant.tax_year,
            stage: grant.stage,
            recipient_state,
            grantor_state: state_of(grantor)?,
            recipient_ntee: match recipient {
                Some(org) => columns.ntee_of(&[org])?[0],
                None => None,
            },
        })
    }
}

fn is_abroad(grant: &Grant) -> bool {
    grant.form == GrantForm::ScheduleF || grant.country.is_some()
}

/// How a recipient without an EIN is asked for, and the hash of that; `None` of a person, of one abroad
/// or without a name.
fn asked(grant: &Grant) -> Option<(u128, Query)> {
    let is_known = grant.recipient_ein.is_some();
    let name = grant.recipient_name.as_ref()?;
    if is_known || is_abroad(grant) || grant.is_person || grant.is_listed_elsewhere {
        return None;
    }
    let query = Query {
        name: name.clone(),
        street: grant.street.clone().unwrap_or_default(),
        city: grant.city.clone().unwrap_or_default(),
        state: grant.state.map(State::code).unwrap_or_default().to_owned(),
        zip: grant.zip.map(|zip| zip.to_string()).unwrap_or_default(),
        ..Query::default()
    };
    let text = [&query.name, &query.street, &query.city, &query.state, &query.zip];
    let text = text.map(|part| part.to_lowercase()).join("\n");
    Some((xxh3_128(text.as_bytes()), query))
}

/// The organization that is meant, where that is certain enough to go without a person.
fn recipient(register: Register<'_>, query: &Query) -> Result<Match, MatchError> {
    let found = matching::find_certain(register, query, YesMin::default())?;
    Ok(found.map(|(org, probability)| (org, probability as f32)))
}
