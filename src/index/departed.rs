//! Nonprofits that only the automatic revocation list, or approvals of Form 1023-EZ, have: their EINs, in order.
//!
//! They are numbered behind all organizations, in this order; the store has their records and
//! typeahead their names, but no column, text or vector is theirs, so that no search finds them.
//!
//! The table `departed`: `eins`, packed (u32), rising.

use std::path::Path;

use crate::mapped::{Column, Damage, Files, OpenError, Table, TableWriter, WriteError};
use crate::record::Ein;

const FILE: &str = "departed";

/// Writes the EINs, packed and rising, into a snapshot's folder.
pub fn write(folder: &Path, eins: impl Iterator<Item = u32>) -> Result<(), WriteError> {
    let mut out = TableWriter::create(&folder.join(FILE))?;
    out.column("eins", eins)?;
    out.finish().map(drop)
}

/// The opened list.
#[derive(Debug)]
pub struct DepartedList {
    eins: Column<u32>,
}

impl DepartedList {
    /// Opens the list.
    pub fn open(files: &mut Files<'_>) -> Result<Self, OpenError> {
        Ok(Self { eins: Table::open(files, FILE)?.column("eins")? })
    }

    /// How many there are.
    pub fn count(&self) -> u32 {
        self.eins.count() as u32
    }

    /// Which of them has an EIN, from 0: a binary search.
    pub fn position(&self, ein: Ein) -> Result<Option<u32>, Damage> {
        Ok(self.eins.find(ein.pack())?.map(|at| at as u32))
    }
}
