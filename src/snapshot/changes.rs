//! What changed between two snapshots, nonprofit by nonprofit.
//!
//! Only what both know is compared: who is in a list that one of them did not load, or in a state of which
//! one has no master file, neither came nor went. A build compares what it makes with the snapshot that it replaces,
//! and keeps what that one remembered ([`ChangeDetector`]).

use rayon::prelude::*;

use super::coverage::Coverage;
use super::open::Snapshot;
use crate::index::changes::{self as feed, Since};
use crate::index::columns::Bitmap;
use crate::mapped::Damage;
use crate::record::{Change, ChangeKind, Ein, Filing, Listing, Listings, OrgId, Organization};
use crate::store::StoreError;

/// Nonprofits that one task compares at least.
const NONPROFITS_A_TASK: usize = 4096;

/// Why snapshots cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum ChangesError {
    #[error("an index of a snapshot cannot be read")]
    Index(#[from] Damage),
    #[error("a record of a snapshot cannot be read")]
    Store(#[from] StoreError),
}

/// What is known of a nonprofit in one of the snapshots: itself and its returns.
type Version<'a> = (&'a Organization, &'a [Filing]);

/// What changed from one snapshot to a later one, by EIN and kind.
pub fn changes(before: &Snapshot, after: &Snapshot) -> Result<Vec<Change>, ChangesError> {
    let of = |org| {
        let organization = after.records.organization(org)?;
        nonprofit_changes(before, &organization, &after.records.filings(org)?)
    };
    let has = |ein| Ok(after.org_of(ein)?.is_some());
    let mut found = of_each(after.columns.organizations() + after.departed.count(), of)?;
    found.extend(gone(before, &after.coverage, &has)?);
    found.par_sort_by_key(|change| (change.ein, change.kind));
    Ok(found)
}

/// The changes of each organization of a snapshot that has `count` of them, in their order.
fn of_each(
    count: u32,
    of: impl Fn(OrgId) -> Result<Vec<Change>, ChangesError> + Sync,
) -> Result<Vec<Change>, ChangesError> {
    let orgs = (0..count).into_par_iter().with_min_len(NONPROFITS_A_TASK).map(OrgId::new);
    let joined = |mut found: Vec<Change>, more: Vec<Change>| -> Result<_, ChangesError> {
        found.extend(more);
        Ok(found)
    };
    orgs.try_fold(Vec::new, |found, org| joined(found, of(org)?)).try_reduce(Vec::new, joined)
}

/// What changed of a nonprofit since a snapshot, whether that has it or not.
pub(crate) fn nonprofit_changes(
    before: &Snapshot,
    organization: &Organization,
    filings: &[Filing],
) -> Result<Vec<Change>, ChangesError> {
    let mut found = Vec::new();
    match before.org_of(organization.ein)? {
        Some(known) => {
            let (earlier, known) =
                (before.records.organization(known)?, before.records.filings(known)?);
            let has_returns = !before.coverage.returns.is_empty();
            both((&earlier, &known), (organization, filings), has_returns, &mut found);
        }
        None if is_covered(&before.coverage, organization) => {
            found.extend(of_listing(None, Some(organization)));
        }
        None => {}
    }
    Ok(found)
}

/// The removals: organizations of a snapshot that a later one lacks although it covers them. `has` tells whether the
/// later one has an EIN.
pub(crate) fn gone(
    before: &Snapshot,
    coverage: &Coverage,
    has: &(dyn Fn(Ein) -> Result<bool, ChangesError> + Sync),
) -> Result<Vec<Change>, ChangesError> {
    of_each(before.columns.organizations(), |org| {
        if has(before.columns.ein_of(org)?)? {
            return Ok(Vec::new());
        }
        let organization = before.records.organization(org)?;
        let is_gone = is_covered(coverage, &organization);
        Ok(of_listing(Some(&organization), None).filter(|_| is_gone).into_iter().collect())
    })
}

/// What a build finds changed since the snapshot that it replaces.
#[derive(Debug)]
pub(crate) struct ChangeDetector<'a> {
    pub(crate) before: &'a Snapshot,
    changes: Vec<Change>,
    /// Those of the snapshot before that the new one has.
    seen: Bitmap,
}

impl<'a> ChangeDetector<'a> {
    pub(crate) fn new(before: &'a Snapshot) -> Self {
        let seen = Bitmap::none(before.columns.organizations());
        Self { before, changes: Vec::new(), seen }
    }

    /// Adds what changed of nonprofits that the new snapshot has.
    pub(crate) fn add(&mut self, changes: Vec<Change>, known: &[OrgId]) {
        self.changes.extend(changes);
        self.seen.insert(known.iter().copied());
    }

    /// All of it, and what the snapshot before remembered of earlier ones.
    pub(crate) fn finish(self, coverage: &Coverage) -> Result<feed::ChangeLog, ChangesError> {
        let Self { before, mut changes, seen } = self;
        let has = |ein| Ok(before.columns.org_of(ein)?.is_some_and(|org| seen.contains(org)));
        changes.extend(gone(before, coverage, &has)?);
        changes.par_sort_by_key(|change| (change.ein, change.kind));
        let manifest = &before.manifest;
        let since =
            Since { snapshot: manifest.snapshot.clone(), built_at: manifest.built_at.clone() };
        Ok(before.changes.carried(since, changes)?)
    }
}

/// Whether there is a master file of where a nonprofit is; one abroad is in no state's.
fn is_covered(coverage: &Coverage, organization: &Organization) -> bool {
    match organization.address.state {
        Some(state) => coverage.has_state(state),
        None => coverage.count.in_master_file > 0,
    }
}

fn is_listed(organization: &Organization) -> bool {
    matches!(organization.exemption.listings.master_file, Listing::Row { .. })
}

fn change(of: &Organization, kind: ChangeKind, values: [Option<String>; 2]) -> Change {
    let [before, after] = values;
    let (ein, name, state) = (of.ein, of.name.clone(), of.address.state);
    Change { ein, kind, name, state, before, after }
}

/// Whether it came into the master file, or left it.
fn of_listing(before: Option<&Organization>, after: Option<&Organization>) -> Option<Change> {
    let listed = |one: Option<&Organization>| one.filter(|one| is_listed(one)).map(|_| ());
    let any = after.or(before)?;
    let name = Some(any.name.clone());
    match (listed(before), listed(after)) {
        (None, Some(())) => Some(change(any, ChangeKind::Appeared, [None, name])),
        (Some(()), None) => Some(change(any, ChangeKind::Vanished, [name, None])),
        _ => None,
    }
}

/// What changed of a nonprofit that both snapshots have; returns only where the earlier one has any.
fn both(before: Version<'_>, after: Version<'_>, has_returns: bool, found: &mut Vec<Change>) {
    let ((one, known), (other, filings)) = (before, after);
    let mut add = |kind, values: [Option<String>; 2]| found.push(change(other, kind, values));
    let listings = [one.exemption.listings, other.exemption.listings];
    let was_loaded = |of: fn(&Listings) -> Listing| {
        listings.iter().all(|listings| of(listings) != Listing::NotLoaded)
    };
    let are_listed = is_listed(one) && is_listed(other);
    if are_listed {
        if one.legal_name != other.legal_name {
            add(ChangeKind::Renamed, [Some(one.name.clone()), Some(other.name.clone())]);
        }
        let places = [place(one), place(other)];
        if places[0] != places[1] {
            add(ChangeKind::Moved, places);
        }
        let codes =
            [one, other].map(|of| of.exemption.foundation.map(|code| code.number().to_string()));
        if codes[0] != codes[1] {
            add(ChangeKind::FoundationChanged, codes);
        }
        // Publication 78 makes deductible too, so it has to be loaded in both or in neither.
        let is_missing = |listing: Listing| listing == Listing::NotLoaded;
        let [then, now] = listings.map(|listings| is_missing(listings.publication_78));
        let codes =
            [one, other].map(|of| of.exemption.deductibility.map(|code| code.number().to_string()));
        if then == now && codes[0] != codes[1] {
            add(ChangeKind::DeductibilityChanged, codes);
        }
    } else if was_loaded(|listings| listings.master_file) {
        found.extend(of_listing(Some(one), Some(other)));
    }
    let mut add = |kind, values: [Option<String>; 2]| found.push(change(other, kind, values));
    let day =
        |of: &Organization| of.exemption.revocation.as_ref().map(|entry| entry.revoked.to_string());
    match (one.exemption.is_inactive(), other.exemption.is_inactive()) {
        (Some(false), Some(true)) => add(ChangeKind::Revoked, [None, day(other)]),
        (Some(true), Some(false)) => {
            let entry = other.exemption.revocation.as_ref();
            let since = entry.and_then(|entry| entry.reinstated).map(|day| day.to_string());
            add(ChangeKind::Reinstated, [day(one), since]);
        }
        _ => {}
    }
    let is_known = |filing: &Filing| {
        known.iter().any(|known| {
            (known.form, known.period_end, known.amended, &known.object_id)
                == (filing.form, filing.period_end, filing.amended, &filing.object_id)
        })
    };
    for filing in filings.iter().filter(|filing| has_returns && !is_known(filing)) {
        let said = format!("{} for the period to {}", filing.form.name(), filing.period_end);
        add(ChangeKind::NewReturn, [None, Some(said)]);
    }
}

/// An address in one line, the city as filed.
fn place(organization: &Organization) -> Option<String> {
    let address = &organization.address;
    let city = address.city_as_filed.as_ref().or(address.city.as_ref()).cloned();
    let region =
        [address.state.map(|state| state.to_string()), address.zip.map(|zip| zip.to_string())];
    let region = region.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let parts = [address.street.clone(), city, Some(region).filter(|region| !region.is_empty())];
    let said = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    (!said.is_empty()).then_some(said)
}
