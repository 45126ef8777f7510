//! The full record of one nonprofit, by EIN.

use super::SearchError;
use crate::record::{Ein, Organization};
use crate::snapshot::Snapshot;

/// The organization of an EIN, if the snapshot has it.
pub fn details(snapshot: &Snapshot, ein: Ein) -> Result<Option<Organization>, SearchError> {
    let Some(org) = snapshot.org_of(ein)? else { return Ok(None) };
    let found = snapshot.records.organization(org)?;
    if found.ein != ein {
        return Err(SearchError::OtherEin { asked: ein, found: found.ein });
    }
    Ok(Some(found))
}
