//! Writes the values of grants and their postings: one row each, in the order of their numbers.

use std::path::Path;

use rayon::slice::ParallelSliceMut;

use super::{BY_GRANTOR, BY_RECIPIENT, LinkKind, VALUES};
use super::{NO_MAJOR, NO_RECIPIENT, NO_STATE, NOT_SAID, UNKNOWN_AMOUNT};
use crate::index::postings;
use crate::mapped::{TableWriter, WriteError};
use crate::record::{Grant, GrantStage, Ntee, OrgId, RowId, State};

/// What is kept of a grant.
#[derive(Debug, Clone, Copy)]
pub struct GrantRow {
    pub grantor: OrgId,
    pub recipient: Option<OrgId>,
    pub link: LinkKind,
    /// Of the link, 0 to 1.
    pub probability: f32,
    /// Whole US dollars.
    pub amount: Option<i64>,
    /// What of it is other than cash.
    pub noncash: Option<i64>,
    pub tax_year: u16,
    pub stage: GrantStage,
    pub recipient_state: Option<State>,
    pub grantor_state: Option<State>,
    /// That the recipient filed.
    pub recipient_ntee: Option<Ntee>,
}

/// Collects rows, in any order. Numbers go by tax year, the latest first, and within one by amount, the
/// greatest first.
#[derive(Debug, Default)]
pub struct Builder {
    rows: Vec<(RowId<Grant>, GrantRow)>,
}

impl Builder {
    /// Adds the grant of a number; each up to the greatest is added once.
    pub fn push(&mut self, number: RowId<Grant>, row: GrantRow) {
        self.rows.push((number, row));
    }

    /// Writes the files into the folder of a snapshot; `accepting` says who takes applications, by number.
    pub fn finish(self, folder: &Path, accepting: &[(OrgId, bool)]) -> Result<(), WriteError> {
        let Self { mut rows } = self;
        rows.par_sort_unstable_by_key(|(number, _)| *number);
        let rows: Vec<GrantRow> = rows.into_iter().map(|(_, row)| row).collect();
        let numbered = || (0..).map(RowId::<Grant>::new).zip(&rows);
        let by_grantor: Vec<_> = numbered().map(|(row, grant)| (grant.grantor.0, row)).collect();
        let by_recipient = numbered().filter_map(|(row, grant)| Some((grant.recipient?.0, row)));
        let mut grantors: Vec<u32> = rows.iter().map(|grant| grant.grantor.0).collect();
        grantors.sort_unstable();
        grantors.dedup();
        let by_recipient = by_recipient.collect();
        postings::write(&folder.join(BY_GRANTOR), by_grantor)?;
        postings::write(&folder.join(BY_RECIPIENT), by_recipient)?;
        let mut out = TableWriter::create(&folder.join(VALUES))?;
        write_values(&mut out, &rows, &grantors)?;
        let accepts = |grantor: &u32| {
            let said = accepting.binary_search_by_key(grantor, |(org, _)| org.0);
            said.map_or(NOT_SAID, |at| u8::from(accepting[at].1))
        };
        out.column("accepting", grantors.iter().map(accepts))?;
        let years = || rows.chunk_by(|one, other| one.tax_year == other.tax_year);
        out.column("years", years().map(|run| run[0].tax_year))?;
        let mut end = 0;
        let ends = years().map(|run| {
            end += run.len() as u32;
            end
        });
        out.column("year_ends", ends)?;
        out.finish().map(drop)
    }
}

/// Writes what is kept of each grant.
fn write_values(
    out: &mut TableWriter,
    rows: &[GrantRow],
    grantors: &[u32],
) -> Result<(), WriteError> {
    let place = |of: &GrantRow| grantors.partition_point(|&grantor| grantor < of.grantor.0) as u32;
    let state = |state: Option<State>| state.map_or(NO_STATE, State::index);
    let noncash = || (0_u32..).zip(rows).filter_map(|(at, row)| Some((at, row.noncash?)));
    let major = |code: Option<Ntee>| code.map_or(NO_MAJOR, |code| code.bytes()[0]);
    let recipient = |org: Option<OrgId>| org.map_or(NO_RECIPIENT, |org| org.0);
    out.column("amounts", rows.iter().map(|row| row.amount.unwrap_or(UNKNOWN_AMOUNT)))?;
    out.column("noncash_grants", noncash().map(|(at, _)| at))?;
    out.column("noncash_amounts", noncash().map(|(_, amount)| amount))?;
    out.column("grantors", rows.iter().map(place))?;
    out.column("recipients", rows.iter().map(|row| recipient(row.recipient)))?;
    out.column("probabilities", rows.iter().map(|row| row.probability))?;
    out.column("links", rows.iter().map(|row| row.link as u8))?;
    out.column("stages", rows.iter().map(|row| row.stage as u8))?;
    out.column("recipient_states", rows.iter().map(|row| state(row.recipient_state)))?;
    out.column("grantor_states", rows.iter().map(|row| state(row.grantor_state)))?;
    out.column("recipient_majors", rows.iter().map(|row| major(row.recipient_ntee)))
}
