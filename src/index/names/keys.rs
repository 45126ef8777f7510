//! Whole names to organizations, whatever the order of their terms: a sorted table of hashes.
//!
//! The file `names/keys`, little-endian: u32 entries, u32 zero, then their hashes (u64 each), rising,
//! then their ranks (u32 each), rising among equal hashes, so that the heaviest of a name come first.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::partition_point;
use crate::mapped::{Damage, MappedFile};

pub(super) const FILE: &str = "names/keys";

const HEADER_BYTES: usize = 8;

/// The hash of a name's terms in any order.
pub(super) fn hash<'a>(terms: impl Iterator<Item = &'a str>) -> u64 {
    let mut terms: Vec<&str> = terms.collect();
    terms.sort_unstable();
    terms.dedup();
    xxh3_64(terms.join(" ").as_bytes())
}

/// Writes entries that come sorted.
pub(super) fn write(path: &Path, entries: &[(u64, u32)]) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    out.write_all(&u32::try_from(entries.len()).map_err(io::Error::other)?.to_le_bytes())?;
    out.write_all(&[0; 4])?;
    for (hash, _) in entries {
        out.write_all(&hash.to_le_bytes())?;
    }
    for (_, rank) in entries {
        out.write_all(&rank.to_le_bytes())?;
    }
    out.flush()
}

/// The opened table.
#[derive(Debug)]
pub(super) struct Keys {
    file: MappedFile,
    count: usize,
}

impl Keys {
    pub fn open(file: MappedFile) -> Result<Self, Damage> {
        let count = file.u32_at(0, 0)? as usize;
        if file.len() != HEADER_BYTES + count * 12 {
            return Err(file.form(format!("expected {count} names")));
        }
        Ok(Self { file, count })
    }

    /// At most `k` ranks of organizations that have a name of exactly these terms, the heaviest first.
    pub fn find<'a>(
        &self,
        terms: impl Iterator<Item = &'a str>,
        k: usize,
    ) -> Result<Vec<u32>, Damage> {
        let wanted = hash(terms);
        let first = partition_point(0, self.count, |at| Ok(self.hash_at(at)? < wanted))?;
        let mut found = Vec::new();
        for at in (first..self.count).take(k) {
            if self.hash_at(at)? != wanted {
                break;
            }
            found.push(self.file.u32_at(HEADER_BYTES + self.count * 8, at)?);
        }
        Ok(found)
    }

    /// How many organizations have a name of exactly these terms.
    pub fn count<'a>(&self, terms: impl Iterator<Item = &'a str>) -> Result<usize, Damage> {
        let wanted = hash(terms);
        let first = partition_point(0, self.count, |at| Ok(self.hash_at(at)? < wanted))?;
        let end = partition_point(first, self.count, |at| Ok(self.hash_at(at)? <= wanted))?;
        Ok(end - first)
    }

    fn hash_at(&self, at: usize) -> Result<u64, Damage> {
        let start = HEADER_BYTES + at * 8;
        let bytes = self.file.bytes(start..start + 8)?;
        Ok(u64::from_le_bytes(bytes.try_into().expect("eight bytes were asked for")))
    }
}
