//! The vocabulary: every term of a name or place, sorted, with how many organizations have it.
//!
//! The file `names/terms`, little-endian: 8 bytes [`MAGIC`], u32 organizations, u32 terms; then by
//! term, u32 each: where its text ends, how many organizations have it, where its postings begin;
//! then the texts, one after another, rising. A term's number is its position, so that the terms
//! of a prefix are a range of numbers.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::Path;

use super::partition_point;
use crate::mapped::{Damage, MappedFile};

pub(super) const FILE: &str = "names/terms";

const MAGIC: [u8; 8] = *b"ALMTERM1";
const HEADER_BYTES: usize = 16;
/// Columns of u32 by term.
const COLUMNS: usize = 3;

/// Number of a term in the order of their texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct TermId(pub u32);

/// A term to be written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'a> {
    pub text: &'a str,
    /// Organizations that have it.
    pub frequency: u32,
    /// Byte of the postings where its own begin.
    pub postings: u32,
}

/// Writes the vocabulary; the entries come sorted by text.
pub(super) fn write(path: &Path, organizations: u32, entries: &[Entry<'_>]) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    out.write_all(&MAGIC)?;
    out.write_all(&organizations.to_le_bytes())?;
    out.write_all(&u32::try_from(entries.len()).map_err(io::Error::other)?.to_le_bytes())?;
    let mut end = 0_u32;
    for entry in entries {
        end = u32::try_from(entry.text.len())
            .ok()
            .and_then(|length| end.checked_add(length))
            .ok_or_else(|| io::Error::other("more than 4 GiB of terms"))?;
        out.write_all(&end.to_le_bytes())?;
    }
    for entry in entries {
        out.write_all(&entry.frequency.to_le_bytes())?;
    }
    for entry in entries {
        out.write_all(&entry.postings.to_le_bytes())?;
    }
    for entry in entries {
        out.write_all(entry.text.as_bytes())?;
    }
    out.flush()
}

/// The opened vocabulary.
#[derive(Debug)]
pub(super) struct Terms {
    file: MappedFile,
    organizations: u32,
    count: u32,
}

impl Terms {
    pub fn open(file: MappedFile) -> Result<Self, Damage> {
        let header = file.bytes(0..HEADER_BYTES)?;
        if header[..8] != MAGIC {
            return Err(file.form("expected a vocabulary of names"));
        }
        let (organizations, count) = (file.u32_at(8, 0)?, file.u32_at(8, 1)?);
        if file.len() < HEADER_BYTES + count as usize * 4 * COLUMNS {
            return Err(file.form(format!("expected {count} terms, found fewer")));
        }
        Ok(Self { file, organizations, count })
    }

    /// How many organizations are indexed.
    pub fn organizations(&self) -> u32 {
        self.organizations
    }

    /// The text of a term.
    pub fn text(&self, term: TermId) -> Result<&str, Damage> {
        let ends = HEADER_BYTES;
        let start = match term.0.checked_sub(1) {
            Some(before) => self.file.u32_at(ends, before as usize)?,
            None => 0,
        };
        let end = self.file.u32_at(ends, term.0 as usize)?;
        let texts = HEADER_BYTES + self.count as usize * 4 * COLUMNS;
        let bytes = self.file.bytes(texts + start as usize..texts + end.max(start) as usize)?;
        std::str::from_utf8(bytes).map_err(|_| self.file.form("a term is not UTF-8"))
    }

    /// How many organizations have a term.
    pub fn frequency(&self, term: TermId) -> Result<u32, Damage> {
        self.file.u32_at(HEADER_BYTES + self.count as usize * 4, term.0 as usize)
    }

    /// How much a term tells: its inverse document frequency.
    pub fn mass(&self, term: TermId) -> Result<f32, Damage> {
        Ok(self.mass_of_frequency(self.frequency(term)?))
    }

    /// The same for a term that `frequency` organizations have.
    pub fn mass_of_frequency(&self, frequency: u32) -> f32 {
        let all = self.organizations as f32;
        (1.0 + (all - frequency as f32 + 0.5).max(0.0) / (frequency as f32 + 0.5)).ln()
    }

    /// Byte of the postings where those of a term begin.
    pub fn postings(&self, term: TermId) -> Result<usize, Damage> {
        let begins = HEADER_BYTES + self.count as usize * 8;
        Ok(self.file.u32_at(begins, term.0 as usize)? as usize)
    }

    /// The term of a text.
    pub fn find(&self, text: &str) -> Result<Option<TermId>, Damage> {
        let at = self.first_not_before(text)?;
        Ok((at.0 < self.count && self.text(at)? == text).then_some(at))
    }

    /// The terms that begin with a text.
    pub fn beginning_with(&self, prefix: &str) -> Result<Range<u32>, Damage> {
        let start = self.first_not_before(prefix)?.0;
        let end = self.partition(start, |text| text.starts_with(prefix))?;
        Ok(start..end)
    }

    fn first_not_before(&self, text: &str) -> Result<TermId, Damage> {
        self.partition(0, |term| term < text).map(TermId)
    }

    /// The first term from `start` on that `is_before` is not true of.
    fn partition(&self, start: u32, is_before: impl Fn(&str) -> bool) -> Result<u32, Damage> {
        let found = partition_point(start as usize, self.count as usize, |at| {
            Ok(is_before(self.text(TermId(at as u32))?))
        })?;
        Ok(found as u32)
    }
}
