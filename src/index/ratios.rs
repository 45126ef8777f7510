//! Ratios of the latest return of each organization that has one, to be compared with others'.
//!
//! The table `ratios`: `organizations`, their numbers (u32), rising; and under the name of each ratio f32 of each of
//! them, NaN when it is not known.

use std::path::Path;

use super::columns::Bitmap;
use crate::mapped::{Column, Damage, Files, OpenError, Table, TableWriter, WriteError};
use crate::record::{Filing, OrgId, Ratio};

const FILE: &str = "ratios";
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
    pub fn finish(self, folder: &Path) -> Result<(), WriteError> {
        let mut out = TableWriter::create(&folder.join(FILE))?;
        out.column("organizations", self.rows.iter().map(|(org, _)| org.0))?;
        for ratio in Ratio::ALL {
            out.column(ratio.name(), self.rows.iter().map(|(_, all)| all[ratio as usize]))?;
        }
        out.finish().map(drop)
    }
}

/// The opened ratios.
#[derive(Debug)]
pub struct Ratios {
    organizations: Column<u32>,
    /// In the order of [`Ratio::ALL`].
    values: Vec<Column<f32>>,
}

impl Ratios {
    /// Opens the ratios.
    pub fn open(files: &mut Files<'_>) -> Result<Self, OpenError> {
        let table = Table::open(files, FILE)?;
        let organizations: Column<u32> = table.column("organizations")?;
        let of = |ratio: Ratio| table.column_of(ratio.name(), organizations.count());
        Ok(Self {
            values: Ratio::ALL.map(of).into_iter().collect::<Result<_, _>>()?,
            organizations,
        })
    }

    /// The places, in the order of numbers, of those of a set that have ratios.
    pub fn places(&self, set: &Bitmap) -> Result<Vec<usize>, Damage> {
        let orgs = self.organizations.all()?.iter().enumerate();
        Ok(orgs.filter(|(_, org)| set.contains(OrgId::new(*org))).map(|(at, _)| at).collect())
    }

    /// A ratio of some places, those left out of which it is not known.
    pub fn values(&self, ratio: Ratio, places: &[usize]) -> Result<Vec<f32>, Damage> {
        let all = self.values[ratio as usize].all()?;
        let values = places.iter().filter_map(|&at| all.get(at));
        Ok(values.filter(|value| !value.is_nan()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mapped::files_in;

    #[test]
    fn what_is_known_of_a_set_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let mut builder = Builder::default();
        for org in [1, 4, 7, 9] {
            let of = |at: usize| (org != 7 || at == 0).then_some(f64::from(org) + at as f64);
            builder.push(OrgId::new(org), std::array::from_fn(of));
        }
        builder.finish(folder.path()).unwrap();
        let ratios = Ratios::open(&mut files_in(folder.path())).unwrap();
        let set = Bitmap::of(10, [0, 4, 7, 9].map(OrgId::new));
        let places = ratios.places(&set).unwrap();
        assert_eq!(places, [1, 2, 3]);
        assert_eq!(ratios.values(Ratio::ALL[0], &places).unwrap(), [4.0, 7.0, 9.0]);
        assert_eq!(ratios.values(Ratio::ALL[1], &places).unwrap(), [5.0, 10.0]);
    }
}
