//! Writes an index of items: one row each, in the order of their numbers.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use rayon::slice::ParallelSliceMut;
use xxhash_rust::xxh3::xxh3_64;

use super::layout::{MAGIC, UNKNOWN_KIND, VERSION, Width};
use crate::record::OrgId;

/// Why an index cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The file cannot be written.
    #[error("cannot write {path}")]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// There is too much to be numbered.
    #[error("too many items, or kinds of them, for 32-bit numbers")]
    TooMany,
}

/// What is kept of an item.
#[derive(Debug, Clone, Copy)]
pub struct ItemRow<'a> {
    /// Whose it is.
    pub owner: OrgId,
    /// What names it; that of one that is not looked up is empty.
    pub identifier: &'a str,
    /// Its kind.
    pub kind: Option<&'a str>,
    /// Its score.
    pub score: Option<f64>,
}

/// Collects rows.
#[derive(Debug, Default)]
pub struct Builder {
    owners: Vec<u32>,
    kinds: Vec<u32>,
    scores: Vec<f64>,
    hashes: Vec<u64>,
    /// Whether any has a score; an identifier.
    is_scored: bool,
    is_identified: bool,
    names: Vec<String>,
    numbers: HashMap<String, u32>,
}

/// What identifiers are looked up by.
pub(super) fn hash(identifier: &str) -> u64 {
    xxh3_64(identifier.as_bytes())
}

impl Builder {
    /// Adds the next item.
    pub fn push(&mut self, row: &ItemRow<'_>) {
        self.owners.push(row.owner.0);
        let kind = row.kind.map_or(UNKNOWN_KIND, |kind| match self.numbers.get(kind) {
            Some(&known) => known,
            None => {
                let next = self.names.len() as u32;
                self.names.push(kind.to_owned());
                self.numbers.insert(kind.to_owned(), next);
                next
            }
        });
        self.kinds.push(kind);
        self.scores.push(row.score.unwrap_or(f64::NAN));
        self.hashes.push(hash(row.identifier));
        self.is_scored |= row.score.is_some();
        self.is_identified |= !row.identifier.is_empty();
    }

    /// Writes the file.
    pub fn finish(self, path: &Path) -> Result<u32, BuildError> {
        let items = u32::try_from(self.owners.len()).map_err(|_| BuildError::TooMany)?;
        let text: u64 = self.names.iter().map(|name| name.len() as u64).sum();
        let text = u32::try_from(text).map_err(|_| BuildError::TooMany)?;
        let io = |source| BuildError::Io { path: path.to_owned(), source };
        let mut out = BufWriter::new(File::create(path).map_err(io)?);
        self.write(&mut out, items, text).and_then(|()| out.flush()).map_err(io)?;
        Ok(items)
    }

    fn write(&self, out: &mut impl Write, items: u32, text: u32) -> io::Result<()> {
        let Self { owners, kinds, scores, hashes, names, is_scored, is_identified, .. } = self;
        let of = |is_kept: bool| if is_kept { items } else { 0 };
        let (scored, identified) = (of(*is_scored), of(*is_identified));
        out.write_all(&MAGIC)?;
        let header = [VERSION, items, names.len() as u32, text, scored, identified];
        for number in header.iter().chain(owners) {
            out.write_all(&number.to_le_bytes())?;
        }
        let width = Width::of(names.len() as u32) as usize;
        kinds.iter().try_for_each(|kind| out.write_all(&kind.to_le_bytes()[..width]))?;
        let mut scores = scores.iter().take(scored as usize);
        scores.try_for_each(|score| out.write_all(&score.to_le_bytes()))?;
        let mut by_owner: Vec<u32> = (0..items).collect();
        by_owner.par_sort_unstable_by_key(|&item| (owners[item as usize], item));
        by_owner.iter().try_for_each(|item| out.write_all(&item.to_le_bytes()))?;
        let mut by_hash: Vec<u32> = (0..identified).collect();
        by_hash.par_sort_unstable_by_key(|&item| (hashes[item as usize], item));
        for &item in &by_hash {
            out.write_all(&hashes[item as usize].to_le_bytes())?;
        }
        by_hash.iter().try_for_each(|item| out.write_all(&item.to_le_bytes()))?;
        let mut end = 0_u32;
        for name in names {
            end += name.len() as u32;
            out.write_all(&end.to_le_bytes())?;
        }
        names.iter().try_for_each(|name| out.write_all(name.as_bytes()))
    }
}
