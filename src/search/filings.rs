//! The returns of one nonprofit, the latest tax period first.

use super::SearchError;
use super::listing::{ListPage, Paging};
use crate::record::{Ein, Filing};
use crate::snapshot::Snapshot;

/// The page of returns asked for; an EIN that nobody has filed none.
pub fn filings(
    snapshot: &Snapshot,
    ein: Ein,
    paging: Paging,
) -> Result<ListPage<Filing>, SearchError> {
    let Some(org) = snapshot.columns.org_of(ein)? else {
        return Ok(ListPage::EMPTY);
    };
    let all = snapshot.records.filings(org)?;
    if let Some(other) = all.iter().find(|filing| filing.ein != ein) {
        return Err(SearchError::OtherEin { asked: ein, found: other.ein });
    }
    Ok(ListPage::cut(all, paging))
}
