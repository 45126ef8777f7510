//! Whole names to organizations: a sorted table of hashes.
//!
//! The file, little-endian: 8 bytes `ALMNAME1`, u32 organizations, u32 entries, then the entries'
//! hashes (u64 each, XXH3-64 of the name in normal form), rising, then their organizations (u32
//! each), rising among equal hashes. Of a thousand million questions about names that nobody has,
//! fewer than one is answered wrongly because two hashes are equal.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use crate::mapped::{Damage, Mapped};
use crate::record::OrgId;

/// The file, as a path within a snapshot.
pub(super) const FILE: &str = "fulltext/exact";

const MAGIC: [u8; 8] = *b"ALMNAME1";
const HEADER_BYTES: usize = 16;

/// Collects names.
#[derive(Debug, Default)]
pub(super) struct Names {
    entries: Vec<(u64, u32)>,
}

impl Names {
    /// Adds a name in normal form.
    pub(super) fn add(&mut self, org: OrgId, name: &str) {
        if !name.is_empty() {
            self.entries.push((xxh3_64(name.as_bytes()), org.0));
        }
    }

    /// Writes the table; how many entries it has.
    pub(super) fn write(mut self, path: &Path, organizations: u32) -> io::Result<u64> {
        self.entries.sort_unstable();
        self.entries.dedup();
        let count = u32::try_from(self.entries.len()).map_err(io::Error::other)?;
        let mut out = BufWriter::new(File::create(path)?);
        out.write_all(&MAGIC)?;
        out.write_all(&organizations.to_le_bytes())?;
        out.write_all(&count.to_le_bytes())?;
        for (hash, _) in &self.entries {
            out.write_all(&hash.to_le_bytes())?;
        }
        for (_, org) in &self.entries {
            out.write_all(&org.to_le_bytes())?;
        }
        out.flush()?;
        Ok(u64::from(count))
    }
}

/// The table.
#[derive(Debug)]
pub(super) struct Exact {
    file: Mapped,
    organizations: u32,
    count: usize,
}

impl Exact {
    pub(super) fn open(file: Mapped) -> Result<Self, Damage> {
        if file.bytes(0..MAGIC.len())? != MAGIC {
            return Err(file.form("expected the name ALMNAME1 at its start"));
        }
        let organizations = file.u32_at(0, 2)?;
        let count = file.u32_at(0, 3)? as usize;
        let expected = HEADER_BYTES + count * 12;
        if file.len() != expected {
            let found = file.len();
            return Err(file.form(format!("expected {expected} bytes, found {found}")));
        }
        Ok(Self { file, organizations, count })
    }

    pub(super) fn organizations(&self) -> u32 {
        self.organizations
    }

    /// The organizations of a name in normal form, rising.
    pub(super) fn find(&self, name: &str) -> Result<Vec<OrgId>, Damage> {
        let mut found = Vec::new();
        if name.is_empty() {
            return Ok(found);
        }
        let asked = xxh3_64(name.as_bytes());
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.hash(middle)? < asked { low = middle + 1 } else { high = middle }
        }
        while low < self.count && self.hash(low)? == asked {
            let org = self.file.u32_at(HEADER_BYTES + self.count * 8, low)?;
            if org >= self.organizations {
                return Err(self.file.form(format!("no organization has number {org}")));
            }
            found.push(OrgId(org));
            low += 1;
        }
        Ok(found)
    }

    fn hash(&self, index: usize) -> Result<u64, Damage> {
        let low = self.file.u32_at(HEADER_BYTES, index * 2)?;
        let high = self.file.u32_at(HEADER_BYTES, index * 2 + 1)?;
        Ok(u64::from(high) << 32 | u64::from(low))
    }
}
