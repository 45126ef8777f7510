//! Ratios of the latest return of each organization that has one, to be compared with others'.
//!
//! One file, `ratios/values`, all little-endian: u32 organizations; u32 numbers of these, rising; then, a
//! ratio at a time in the order of [`Ratio::ALL`], f32 of each, NaN when it is not known.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::columns::Bitmap;
use crate::mapped::{Damage, MapError, MappedFile, OpenError};
use crate::record::{Filing, OrgId, Ratio};

const FILE: &str = "ratios/values";
const HEADER_BYTES: usize = 4;
const RATIOS: usize = Ratio::ALL.len();

/// The latest return that was read as filed and its ratios, in the order of [`Ratio::ALL`]; of returns
/// with the latest tax period first.
pub fn of_latest(filings: &[Filing]) -> Option<(&Filing, [Option<f64>; RATIOS])> {
    let at = filings.iter().position(Filing::is_whole)?;
    let of = |ratio: Ratio| ratio.of(&filings[at], filings.get(at + 1));
    Some((&filings[at], Ratio::ALL.map(of)))
}

/// Collects ratios.
#[derive(Debug, Default)]
pub struct Builder {
    rows: Vec<(OrgId, [f32; RATIOS])>,
}

impl Builder {
    /// Adds an organization, after those of smaller numbers.
    pub fn push(&mut self, org: OrgId, ratios: [Option<f64>; RATIOS]) {
        self.rows.push((org, ratios.map(|ratio| ratio.map_or(f32::NAN, |value| value as f32))));
    }

    /// Writes the file into the folder of a snapshot.
    pub fn finish(self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder.join("ratios"))?;
        let mut out = BufWriter::new(File::create(folder.join(FILE))?);
        let count = u32::try_from(self.rows.len()).map_err(io::Error::other)?;
        out.write_all(&count.to_le_bytes())?;
        self.rows.iter().try_for_each(|(org, _)| out.write_all(&org.0.to_le_bytes()))?;
        for at in 0..RATIOS {
            self.rows
                .iter()
                .try_for_each(|(_, ratios)| out.write_all(&ratios[at].to_le_bytes()))?;
        }
        out.flush()
    }
}

/// The opened ratios.
#[derive(Debug)]
pub struct Ratios {
    file: MappedFile,
    count: usize,
}

impl Ratios {
    /// Opens the ratios; `open` maps a file of the snapshot.
    pub fn open(
        open: &mut dyn FnMut(&str) -> Result<MappedFile, MapError>,
    ) -> Result<Self, OpenError> {
        let file = open(FILE)?;
        let count = file.u32_at(0, 0)? as usize;
        file.expect_len(HEADER_BYTES + 4 * count * (1 + RATIOS))?;
        Ok(Self { file, count })
    }

    /// The places, in the order of numbers, of those of a set that have ratios.
    pub fn places(&self, set: &Bitmap) -> Result<Vec<usize>, Damage> {
        let orgs: &[[u8; 4]] =
            self.file.bytes(HEADER_BYTES..HEADER_BYTES + 4 * self.count)?.as_chunks().0;
        let is_in = |org: &[u8; 4]| set.contains(OrgId::new(u32::from_le_bytes(*org)));
        Ok(orgs.iter().enumerate().filter(|(_, org)| is_in(org)).map(|(at, _)| at).collect())
    }

    /// A ratio of some places, those left out of which it is not known.
    pub fn values(&self, ratio: Ratio, places: &[usize]) -> Result<Vec<f32>, Damage> {
        let start = HEADER_BYTES + 4 * self.count * (1 + ratio as usize);
        let all: &[[u8; 4]] = self.file.bytes(start..start + 4 * self.count)?.as_chunks().0;
        let values =
            places.iter().filter_map(|&at| all.get(at).map(|one| f32::from_le_bytes(*one)));
        Ok(values.filter(|value| !value.is_nan()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mapped::BlockSums;

    #[test]
    fn what_is_known_of_a_set_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let mut builder = Builder::default();
        for org in [1, 4, 7, 9] {
            let of = |at: usize| (org != 7 || at == 0).then_some(f64::from(org) + at as f64);
            builder.push(OrgId::new(org), std::array::from_fn(of));
        }
        builder.finish(folder.path()).unwrap();
        let mut open = |name: &str| {
            let path = folder.path().join(name);
            MappedFile::open(
                &path,
                name,
                BlockSums::of(File::open(&path).unwrap(), |_| {}).unwrap(),
            )
        };
        let ratios = Ratios::open(&mut open).unwrap();
        let set = Bitmap::of(10, [0, 4, 7, 9].map(OrgId::new));
        let places = ratios.places(&set).unwrap();
        assert_eq!(places, [1, 2, 3]);
        assert_eq!(ratios.values(Ratio::ALL[0], &places).unwrap(), [4.0, 7.0, 9.0]);
        assert_eq!(ratios.values(Ratio::ALL[1], &places).unwrap(), [5.0, 10.0]);
    }
}
