//! What changed between two snapshots, nonprofit by nonprofit.
//!
//! Only what both know is compared: who is in a list that one of them did not load, or in a state of which
//! one has no master file, neither came nor went.

use rayon::prelude::*;
use serde::Serialize;

use super::open::Snapshot;
use crate::mapped::Damage;
use crate::record::{Ein, Filing, Listing, OrgId, Organization, State, named};
use crate::store::StoreError;

/// Nonprofits that one task compares.
const NONPROFITS_A_TASK: u32 = 4096;

named! {
    /// A kind of change.
    #[derive(PartialOrd, Ord, Serialize)]
    #[serde(rename_all = "snake_case")]
    ChangeKind {
        /// The master file has it now.
        Appeared = "appeared",
        /// The master file does not have it any more.
        Vanished = "vanished",
        /// Its name is spelled otherwise.
        Renamed = "renamed",
        /// Street, city, state or ZIP code changed.
        Moved = "moved",
        Revoked = "revoked",
        Reinstated = "reinstated",
        /// The master file's or Publication 78's word on contributions changed.
        DeductibilityChanged = "deductibility_changed",
        /// The master file's FOUNDATION changed.
        FoundationChanged = "foundation_changed",
        /// There is a return that was not there.
        NewReturn = "new_return",
    }
}

/// Something that changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    pub ein: Ein,
    pub kind: ChangeKind,
    /// What it is called now, or was last.
    pub name: String,
    /// Where it is now, or was last.
    pub state: Option<State>,
    /// The value before, and after; `None` where there was or is none.
    pub before: Option<String>,
    pub after: Option<String>,
}

/// Why two snapshots cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum ChangesError {
    #[error("an index of a snapshot cannot be read")]
    Index(#[from] Damage),
    #[error("a record of a snapshot cannot be read")]
    Store(#[from] StoreError),
}

/// What is known of a nonprofit in one of the snapshots.
struct Version<'a> {
    organization: &'a Organization,
    filings: &'a [Filing],
}

/// What changed from one snapshot to a later one, by EIN and kind.
///
/// # Errors
/// When a snapshot is damaged.
pub fn changes(before: &Snapshot, after: &Snapshot) -> Result<Vec<Change>, ChangesError> {
    let tasks = |snapshot: &Snapshot| {
        let count = snapshot.columns.organizations();
        let firsts = (0..count).step_by(NONPROFITS_A_TASK as usize).collect::<Vec<u32>>();
        firsts.into_par_iter().map(move |first| first..(first + NONPROFITS_A_TASK).min(count))
    };
    let now = tasks(after).map(|orgs| {
        let mut found = Vec::new();
        for org in orgs.map(OrgId) {
            let organization = after.records.organization(org)?;
            match before.columns.org_of(organization.ein)? {
                Some(known) => {
                    let earlier = before.records.organization(known)?;
                    let filings = (before.records.filings(known)?, after.records.filings(org)?);
                    let earlier = Version { organization: &earlier, filings: &filings.0 };
                    let later = Version { organization: &organization, filings: &filings.1 };
                    both(&earlier, &later, &mut found);
                }
                None if is_covered(before, &organization) => {
                    found.extend(of_listing(None, Some(&organization)));
                }
                None => {}
            }
        }
        Ok::<_, ChangesError>(found)
    });
    let gone = tasks(before).map(|orgs| {
        let mut found = Vec::new();
        for org in orgs.map(OrgId) {
            if after.columns.org_of(before.columns.ein_of(org)?)?.is_none() {
                let organization = before.records.organization(org)?;
                if is_covered(after, &organization) {
                    found.extend(of_listing(Some(&organization), None));
                }
            }
        }
        Ok(found)
    });
    let found = now.chain(gone).collect::<Result<Vec<_>, ChangesError>>()?;
    let mut found: Vec<Change> = found.into_iter().flatten().collect();
    found.par_sort_by_key(|change| (change.ein, change.kind));
    Ok(found)
}

/// Whether a snapshot has a master file of where a nonprofit is; one abroad is in no state's.
fn is_covered(snapshot: &Snapshot, organization: &Organization) -> bool {
    match organization.address.state {
        Some(state) => snapshot.coverage.has_state(state),
        None => snapshot.coverage.count.in_master_file > 0,
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

/// What changed of a nonprofit that both snapshots have.
fn both(before: &Version<'_>, after: &Version<'_>, found: &mut Vec<Change>) {
    let (one, other) = (before.organization, after.organization);
    let mut add = |kind, values: [Option<String>; 2]| found.push(change(other, kind, values));
    let listings = [one.exemption.listings, other.exemption.listings];
    let was_loaded = |of: fn(&crate::record::Listings) -> Listing| {
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
        before.filings.iter().any(|known| {
            (known.form, known.period_end, known.amended, &known.object_id)
                == (filing.form, filing.period_end, filing.amended, &filing.object_id)
        })
    };
    for filing in after.filings.iter().filter(|filing| !is_known(filing)) {
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
