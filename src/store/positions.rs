//! Where the record of a row stands in its table, for tables whose records are stored in another order than
//! their rows are listed.
//!
//! Rows of grants are listed by amount, and what one return lists is alike: stored side by side, its records
//! share most of what they say, and a block holds twice as many.
//!
//! One file, all little-endian. Header: `MAGIC`; u32 `VERSION`; u32 rows of each table, 0 of one that is stored
//! as it is listed; then of each table u32 position of each row.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::Path;

use super::{StoreError, TABLES, Table};
use crate::mapped::{Damage, MappedFile, header_bytes};

const MAGIC: [u8; 8] = *b"ALMPOSIT";

/// Raised whenever the layout changes.
const VERSION: u32 = 1;

/// Positions of the rows of each table; none of a table that is stored as it is listed.
pub(super) type ByTable = [Vec<u32>; TABLES.len()];

/// Writes the file.
pub(super) fn write(path: &Path, positions: &ByTable) -> io::Result<()> {
    let mut out = BufWriter::new(File::create_new(path)?);
    out.write_all(&MAGIC)?;
    out.write_all(&VERSION.to_le_bytes())?;
    for table in positions {
        let rows = u32::try_from(table.len()).map_err(io::Error::other)?;
        out.write_all(&rows.to_le_bytes())?;
    }
    positions.iter().flatten().try_for_each(|position| out.write_all(&position.to_le_bytes()))?;
    out.flush()
}

/// Opened positions.
#[derive(Debug)]
pub(super) struct Positions {
    file: MappedFile,
    /// Where those of each table lie, in bytes.
    tables: [Range<usize>; TABLES.len()],
}

impl Positions {
    /// Opens the positions of a file; reads its header.
    pub(super) fn open(file: MappedFile) -> Result<Self, Damage> {
        let rows = file.header::<{ TABLES.len() }>(MAGIC, VERSION, "positions of records do")?;
        let mut end = header_bytes(TABLES.len());
        let tables = rows.map(|rows| {
            let start = end;
            end = start.saturating_add((rows as usize).saturating_mul(4));
            start..end
        });
        file.expect_len(end)?;
        Ok(Self { file, tables })
    }

    /// The position of a row of a table.
    pub(super) fn of(&self, table: Table, row: u32) -> Result<u32, StoreError> {
        let range = &self.tables[table as usize];
        if range.is_empty() {
            return Ok(row);
        }
        if row as usize >= range.len() / 4 {
            return Err(StoreError::Missing { table, number: row });
        }
        Ok(self.file.u32_at(range.start, row as usize)?)
    }
}
