//! Numbered rows by a key that several of them share: grants by who made them, people by organization.
//!
//! One file, all little-endian. Header: `MAGIC`; u32 `VERSION`; u32 keys; u32 rows; then u32 keys,
//! rising; u32 where the rows of each key end; u32 numbers of the rows, rising within a key.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::marker::PhantomData;
use std::path::Path;

use rayon::slice::ParallelSliceMut;

use super::partition_point;
use crate::mapped::{Damage, MappedFile, OpenError, header_bytes};
use crate::record::RowId;

const MAGIC: [u8; 8] = *b"ALMPOSTS";

/// Raised whenever the layout changes.
const VERSION: u32 = 1;

/// Numbers of the header.
const NUMBERS: usize = 2;
const HEADER_BYTES: usize = header_bytes(NUMBERS);

/// Writes the postings of pairs of a key and a row, in any order.
pub fn write<T>(path: &Path, pairs: Vec<(u32, RowId<T>)>) -> io::Result<()> {
    let mut pairs: Vec<(u32, u32)> = pairs.into_iter().map(|(key, row)| (key, row.0)).collect();
    pairs.par_sort_unstable();
    let rows = u32::try_from(pairs.len()).map_err(io::Error::other)?;
    let (mut keys, mut ends) = (Vec::new(), Vec::new());
    for (at, pair) in pairs.iter().enumerate() {
        if keys.last() != Some(&pair.0) {
            keys.push(pair.0);
            ends.push(0);
        }
        if let Some(end) = ends.last_mut() {
            *end = at as u32 + 1;
        }
    }
    let mut out = BufWriter::new(File::create(path)?);
    out.write_all(&MAGIC)?;
    let header = [VERSION, keys.len() as u32, rows];
    let rows = pairs.iter().map(|(_, row)| row);
    for number in header.iter().chain(&keys).chain(&ends).chain(rows) {
        out.write_all(&number.to_le_bytes())?;
    }
    out.flush()
}

/// Opened postings of rows of one kind.
#[derive(Debug)]
pub struct Postings<T> {
    file: MappedFile,
    keys: usize,
    rows: usize,
    of: PhantomData<RowId<T>>,
}

impl<T> Postings<T> {
    /// Opens the postings of a file; reads its header.
    pub fn open(file: MappedFile) -> Result<Self, OpenError> {
        let numbers = file.header::<NUMBERS>(MAGIC, VERSION, "postings do")?;
        let [keys, rows] = numbers.map(|number| number as usize);
        file.expect_len(HEADER_BYTES + 4 * (2 * keys + rows))?;
        Ok(Self { file, keys, rows, of: PhantomData })
    }

    /// How many keys there are.
    pub fn keys(&self) -> usize {
        self.keys
    }

    /// The key of a place, counted from 0 in rising order.
    pub fn key(&self, place: usize) -> Result<u32, Damage> {
        if place >= self.keys {
            return Err(self.file.form(format!("no key at {place} of {}", self.keys)));
        }
        self.file.u32_at(HEADER_BYTES, place)
    }

    /// The place of a key: a binary search.
    pub fn place(&self, key: u32) -> Result<Option<usize>, Damage> {
        let at = partition_point(0, self.keys, |at| Ok(self.key(at)? < key))?;
        Ok((at < self.keys && self.key(at)? == key).then_some(at))
    }

    /// The rows of a key, rising.
    pub fn of(&self, key: u32) -> Result<Vec<RowId<T>>, Damage> {
        self.place(key)?.map_or(Ok(Vec::new()), |place| self.at(place))
    }

    /// The rows of the key of a place, rising.
    pub fn at(&self, place: usize) -> Result<Vec<RowId<T>>, Damage> {
        self.key(place)?;
        let ends = HEADER_BYTES + 4 * self.keys;
        let end = |place| Ok(self.file.u32_at(ends, place)? as usize);
        let start = if place == 0 { 0 } else { end(place - 1)? };
        let (rows, end) = (ends + 4 * self.keys, end(place)?);
        if start > end || end > self.rows {
            return Err(self.file.form("expected ends that rise to the number of rows"));
        }
        let found: &[[u8; 4]] = self.file.bytes(rows + 4 * start..rows + 4 * end)?.as_chunks().0;
        Ok(found.iter().map(|row| RowId::new(u32::from_le_bytes(*row))).collect())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;

    use super::*;
    use crate::mapped::BlockSums;
    use crate::record::Story;

    proptest! {
        #[test]
        fn rows_are_those_of_a_scan(pairs in prop::collection::vec((0_u32..20, 0_u32..500), 0..200)) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("postings");
            write::<Story>(&path, pairs.iter().map(|&(key, row)| (key, RowId::new(row))).collect())
                .unwrap();
            let sums = BlockSums::of(File::open(&path).unwrap(), |_| {}).unwrap();
            let opened = MappedFile::open(&path, "postings", sums).unwrap();
            let postings = Postings::<Story>::open(opened).unwrap();
            for key in 0..22 {
                let mut rows: Vec<u32> =
                    pairs.iter().filter(|pair| pair.0 == key).map(|pair| pair.1).collect();
                rows.sort_unstable();
                let found = postings.of(key).unwrap();
                prop_assert_eq!(found.iter().map(|row| row.0).collect::<Vec<_>>(), rows);
                let place = postings.place(key).unwrap();
                prop_assert_eq!(place.map(|place| postings.key(place).unwrap()).unwrap_or(key), key);
            }
            prop_assert!(postings.key(postings.keys()).is_err());
        }
    }

    #[test]
    fn another_form_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("postings");
        write::<Story>(&path, vec![(1, RowId::new(2))]).unwrap();
        let whole = std::fs::read(&path).unwrap();
        let mut newer = whole.clone();
        newer[8] = 9;
        for bad in [&whole[..whole.len() - 1], &newer, &whole[..7], b"ALMITEMS............"] {
            std::fs::write(&path, bad).unwrap();
            let sums = BlockSums::of(bad, |_| {}).unwrap();
            assert!(Postings::<Story>::open(MappedFile::open(&path, "p", sums).unwrap()).is_err());
        }
    }
}
