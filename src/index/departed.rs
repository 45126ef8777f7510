//! Nonprofits that only the automatic revocation list has: their EINs, in order.
//!
//! They are numbered behind all organizations, in this order; the store has their records and
//! typeahead their names, but no column, text or vector is theirs, so that no search finds them.
//!
//! One file, `departed/eins`: EINs, packed (u32, little-endian), rising.

use std::fs;
use std::io;
use std::path::Path;

use super::partition_point;
use crate::mapped::{Damage, MapError, MappedFile, OpenError};
use crate::record::Ein;

const FILE: &str = "departed/eins";
const EIN_BYTES: usize = 4;

/// Writes the EINs, packed and rising, into a snapshot's folder. Not synced: who stages the snapshot
/// does that.
pub fn write(folder: &Path, eins: impl Iterator<Item = u32>) -> io::Result<()> {
    fs::create_dir_all(folder.join("departed"))?;
    fs::write(folder.join(FILE), eins.flat_map(u32::to_le_bytes).collect::<Vec<u8>>())
}

/// The opened list.
#[derive(Debug)]
pub struct DepartedList {
    eins: MappedFile,
}

impl DepartedList {
    /// Opens the list; `open` maps a file of the snapshot.
    pub fn open(
        open: &mut dyn FnMut(&str) -> Result<MappedFile, MapError>,
    ) -> Result<Self, OpenError> {
        let eins = open(FILE)?;
        if eins.len() % EIN_BYTES != 0 {
            return Err(eins.form(format!("expected EINs of {EIN_BYTES} bytes")).into());
        }
        Ok(Self { eins })
    }

    /// How many there are.
    pub fn count(&self) -> u32 {
        (self.eins.len() / EIN_BYTES) as u32
    }

    /// Which of them has an EIN, from 0: a binary search.
    pub fn position(&self, ein: Ein) -> Result<Option<u32>, Damage> {
        let (packed, count) = (ein.pack(), self.eins.len() / EIN_BYTES);
        let at = partition_point(0, count, |at| Ok(self.eins.u32_at(0, at)? < packed))?;
        let is_there = at < count && self.eins.u32_at(0, at)? == packed;
        Ok(is_there.then_some(at as u32))
    }
}
