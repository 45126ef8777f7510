//! Writes the values of grants and their postings: one row each, in the order of their numbers.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use rayon::slice::ParallelSliceMut;

use super::layout::{MAGIC, NO_MAJOR, NO_RECIPIENT, NO_STATE, NOT_SAID, UNKNOWN_AMOUNT, VERSION};
use super::{BY_GRANTOR, BY_RECIPIENT, FOLDER, LinkKind, VALUES};
use crate::index::postings;
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
    pub fn finish(self, folder: &Path, accepting: &[(OrgId, bool)]) -> io::Result<()> {
        fs::create_dir_all(folder.join(FOLDER))?;
        let Self { mut rows } = self;
        rows.par_sort_unstable_by_key(|(number, _)| *number);
        let rows: Vec<GrantRow> = rows.into_iter().map(|(_, row)| row).collect();
        let count = u32::try_from(rows.len()).map_err(io::Error::other)?;
        let numbered = || (0..count).map(RowId::<Grant>::new).zip(&rows);
        let by_grantor: Vec<_> = numbered().map(|(row, grant)| (grant.grantor.0, row)).collect();
        let by_recipient = numbered().filter_map(|(row, grant)| Some((grant.recipient?.0, row)));
        let by_recipient: Vec<_> = by_recipient.collect();
        let mut grantors: Vec<u32> = rows.iter().map(|grant| grant.grantor.0).collect();
        grantors.sort_unstable();
        grantors.dedup();
        postings::write(&folder.join(BY_GRANTOR), by_grantor)?;
        postings::write(&folder.join(BY_RECIPIENT), by_recipient)?;
        let mut out = BufWriter::new(File::create(folder.join(VALUES))?);
        write_values(&mut out, &rows, count, &grantors)?;
        for &grantor in &grantors {
            let said = accepting.binary_search_by_key(&grantor, |(org, _)| org.0);
            let said = said.map_or(NOT_SAID, |at| u8::from(accepting[at].1));
            out.write_all(&[said])?;
        }
        for (year, end) in ends_of_years(&rows) {
            out.write_all(&u32::from(year).to_le_bytes())?;
            out.write_all(&end.to_le_bytes())?;
        }
        out.flush()
    }
}

/// Each tax year, and where its grants end.
fn ends_of_years(rows: &[GrantRow]) -> Vec<(u16, u32)> {
    let mut end = 0;
    let of_year = |run: &[GrantRow]| {
        end += run.len() as u32;
        (run[0].tax_year, end)
    };
    rows.chunk_by(|one, other| one.tax_year == other.tax_year).map(of_year).collect()
}

fn write_values(
    out: &mut impl Write,
    rows: &[GrantRow],
    count: u32,
    grantors: &[u32],
) -> io::Result<()> {
    out.write_all(&MAGIC)?;
    for number in [VERSION, count, grantors.len() as u32, ends_of_years(rows).len() as u32] {
        out.write_all(&number.to_le_bytes())?;
    }
    let mut all = |write: &dyn Fn(&GrantRow) -> ([u8; 8], usize)| {
        rows.iter().try_for_each(|row| {
            let (bytes, width) = write(row);
            out.write_all(&bytes[..width])
        })
    };
    let wide = |bytes: &[u8]| {
        let mut whole = [0; 8];
        whole[..bytes.len()].copy_from_slice(bytes);
        (whole, bytes.len())
    };
    let state = |state: Option<State>| wide(&[state.map_or(NO_STATE, State::index)]);
    all(&|row| wide(&row.amount.unwrap_or(UNKNOWN_AMOUNT).to_le_bytes()))?;
    all(&|row| {
        let place = grantors.partition_point(|&grantor| grantor < row.grantor.0);
        wide(&(place as u32).to_le_bytes())
    })?;
    all(&|row| wide(&row.recipient.map_or(NO_RECIPIENT, |org| org.0).to_le_bytes()))?;
    all(&|row| wide(&row.probability.to_le_bytes()))?;
    all(&|row| wide(&[row.link as u8]))?;
    all(&|row| wide(&[row.stage as u8]))?;
    all(&|row| state(row.recipient_state))?;
    all(&|row| state(row.grantor_state))?;
    all(&|row| wide(&[row.recipient_ntee.map_or(NO_MAJOR, |code| code.bytes()[0])]))
}
