//! Writes an index of items: one row each, in the order of their numbers.

use std::collections::HashMap;
use std::path::Path;

use rayon::slice::ParallelSliceMut;
use xxhash_rust::xxh3::xxh3_64;

use super::UNKNOWN_KIND;
use crate::mapped::{TableWriter, WriteError};
use crate::record::OrgId;

/// What is kept of an item.
#[derive(Debug, Clone, Copy)]
pub struct ItemRow<'a> {
    pub owner: OrgId,
    /// What names it; that of one that is not looked up is empty.
    pub identifier: &'a str,
    pub kind: Option<&'a str>,
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

    /// Writes the table.
    pub fn finish(self, path: &Path) -> Result<(), WriteError> {
        let Self { owners, kinds, scores, hashes, names, is_scored, is_identified, .. } = self;
        let items = owners.len();
        let sorted = |count: usize, of: &dyn Fn(u32) -> u64| {
            let mut keyed: Vec<(u64, u32)> =
                (0..count as u32).map(|item| (of(item), item)).collect();
            keyed.par_sort_unstable();
            keyed
        };
        let by_owner = sorted(items, &|item| owners[item as usize].into());
        let by_hash = sorted(if is_identified { items } else { 0 }, &|item| hashes[item as usize]);
        let mut out = TableWriter::create(path)?;
        out.column("owners", owners.iter().copied())?;
        match names.len() < u8::MAX.into() {
            true => out.column("kinds", kinds.iter().map(|kind| *kind as u8))?,
            false => out.column("kinds", kinds)?,
        }
        out.texts("kind_names", names)?;
        out.column("scores", scores.into_iter().take(if is_scored { items } else { 0 }))?;
        out.column("by_owner", by_owner.into_iter().map(|(_, item)| item))?;
        out.pairs("by_hash", &by_hash)?;
        out.finish().map(drop)
    }
}
