//! Numbered rows by a key that several of them share: grants by who made them, people by organization.
//!
//! A table: `keys` (u32), rising, and lists of `rows`, the numbers of the rows of each key (u32), rising.

use std::marker::PhantomData;
use std::path::Path;

use rayon::slice::ParallelSliceMut;

use crate::mapped::{Column, Damage, Files, Lists, OpenError, Table, TableWriter, WriteError};
use crate::record::RowId;

/// Writes the postings of pairs of a key and a row, in any order.
pub fn write<T>(path: &Path, pairs: Vec<(u32, RowId<T>)>) -> Result<(), WriteError> {
    let mut pairs: Vec<(u32, u32)> = pairs.into_iter().map(|(key, row)| (key, row.0)).collect();
    pairs.par_sort_unstable();
    pairs.dedup();
    let of_keys = || pairs.chunk_by(|one, other| one.0 == other.0);
    let mut out = TableWriter::create(path)?;
    out.column("keys", of_keys().map(|pairs| pairs[0].0))?;
    out.lists("rows", of_keys().map(|pairs| pairs.iter().map(|pair| pair.1)))?;
    out.finish().map(drop)
}

/// Opened postings of rows of one kind.
#[derive(Debug)]
pub struct Postings<T> {
    keys: Column<u32>,
    rows: Lists<u32>,
    of: PhantomData<RowId<T>>,
}

impl<T> Postings<T> {
    /// Opens the postings at a path within a snapshot; reads their directory.
    pub fn open(files: &mut Files<'_>, path: &str) -> Result<Self, OpenError> {
        let table = Table::open(files, path)?;
        let rows: Lists<u32> = table.lists("rows")?;
        Ok(Self { keys: table.column_of("keys", rows.count())?, rows, of: PhantomData })
    }

    /// The keys, rising.
    pub fn keys(&self) -> &Column<u32> {
        &self.keys
    }

    /// The rows of a key, rising.
    pub fn of(&self, key: u32) -> Result<impl Iterator<Item = RowId<T>> + '_, Damage> {
        let place = self.keys.find(key)?;
        Ok(place.map(|place| self.at(place)).transpose()?.into_iter().flatten())
    }

    /// The rows of the key of a place, rising.
    pub fn at(&self, place: usize) -> Result<impl Iterator<Item = RowId<T>> + '_, Damage> {
        Ok(self.rows.at(place)?.iter().map(RowId::new))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;

    use super::*;
    use crate::mapped::files_in;
    use crate::record::Story;

    proptest! {
        #[test]
        fn rows_are_those_of_a_scan(pairs in prop::collection::vec((0_u32..20, 0_u32..500), 0..200)) {
            let folder = tempfile::tempdir().unwrap();
            write::<Story>(
                &folder.path().join("postings"),
                pairs.iter().map(|&(key, row)| (key, RowId::new(row))).collect(),
            )
            .unwrap();
            let postings =
                Postings::<Story>::open(&mut files_in(folder.path()), "postings").unwrap();
            for key in 0..22 {
                let mut rows: Vec<u32> =
                    pairs.iter().filter(|pair| pair.0 == key).map(|pair| pair.1).collect();
                rows.sort_unstable();
                rows.dedup();
                let found = postings.of(key).unwrap();
                prop_assert_eq!(found.map(|row| row.0).collect::<Vec<_>>(), rows);
            }
            prop_assert!(postings.at(postings.keys().count()).is_err());
        }
    }
}
