//! Who is at an address: which organizations have one whose key is asked for.
//!
//! What a key is made of is the business of whoever writes and asks (`matching`); two addresses may share one, so that
//! who is found is compared. One file, `addresses/keys`, little-endian: the keys (u32), rising, then as many
//! organizations (u32) in the same order.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use super::partition_point;
use crate::mapped::{Damage, MapError, MappedFile, OpenError};
use crate::record::OrgId;

const FILE: &str = "addresses/keys";
const NUMBER_BYTES: usize = 4;

/// Gathers addresses.
#[derive(Debug, Default)]
pub struct Builder {
    addresses: Vec<(u32, u32)>,
}

impl Builder {
    pub fn add(&mut self, key: u32, org: OrgId) {
        self.addresses.push((key, org.0));
    }

    /// Writes the file into a snapshot's folder. Not synced: who stages the snapshot does that.
    pub fn finish(mut self, folder: &Path) -> io::Result<()> {
        self.addresses.sort_unstable();
        self.addresses.dedup();
        fs::create_dir_all(folder.join("addresses"))?;
        let mut out = BufWriter::new(File::create(folder.join(FILE))?);
        for (key, _) in &self.addresses {
            out.write_all(&key.to_le_bytes())?;
        }
        for (_, org) in &self.addresses {
            out.write_all(&org.to_le_bytes())?;
        }
        out.flush()
    }
}

/// The opened index.
#[derive(Debug)]
pub struct Addresses {
    file: MappedFile,
    count: usize,
}

impl Addresses {
    /// Opens the index; `open` maps a file of the snapshot.
    pub fn open(
        open: &mut dyn FnMut(&str) -> Result<MappedFile, MapError>,
    ) -> Result<Self, OpenError> {
        let file = open(FILE)?;
        let pair = 2 * NUMBER_BYTES;
        if file.len() % pair != 0 {
            return Err(file.form(format!("expected pairs of {pair} bytes")).into());
        }
        let count = file.len() / pair;
        Ok(Self { file, count })
    }

    /// Those at addresses of a key, at most `k`, in their order: a binary search.
    pub fn at(&self, key: u32, k: usize) -> Result<Vec<OrgId>, Damage> {
        let from = partition_point(0, self.count, |at| Ok(self.file.u32_at(0, at)? < key))?;
        let mut found = Vec::new();
        for at in from..self.count.min(from.saturating_add(k)) {
            if self.file.u32_at(0, at)? != key {
                break;
            }
            found.push(OrgId::new(self.file.u32_at(self.count * NUMBER_BYTES, at)?));
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mapped::BlockSums;

    #[test]
    fn those_of_a_key_are_found_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let mut map = |name: &str| {
            let path = folder.path().join(name);
            let sums = BlockSums::of(File::open(&path).unwrap(), |_| {}).unwrap();
            MappedFile::open(&path, name, sums)
        };
        let mut builder = Builder::default();
        for (key, org) in [(7, 3), (u32::MAX, 1), (7, 0), (0, 2), (7, 3)] {
            builder.add(key, OrgId::new(org));
        }
        builder.finish(folder.path()).unwrap();
        let addresses = Addresses::open(&mut map).unwrap();
        let at = |key, k| -> Vec<u32> {
            addresses.at(key, k).unwrap().into_iter().map(|org| org.0).collect()
        };
        assert_eq!((at(7, 9), at(7, 1), at(0, 9)), (vec![0, 3], vec![0], vec![2]));
        assert_eq!((at(8, 9), at(u32::MAX, 9)), (vec![], vec![1]));
        fs::write(folder.path().join(FILE), [0; 12]).unwrap();
        assert!(Addresses::open(&mut map).is_err());
    }
}
