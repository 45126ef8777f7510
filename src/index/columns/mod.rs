//! Filterable values by OrgId, memory-mapped.
//!
//! One file of sections (`layout`), one value of fixed width an organization, written by a
//! [`Builder`] and read through the verified mapping. [`Columns::select`] answers every filter as
//! a [`Bitmap`] with its exact count, and counts apart what is left out for lack of a value
//! (`select`; `areas` for what is asked of the place); [`Columns::sorted`] orders what it holds
//! (`sort`). A value that is not known
//! satisfies no range and sorts last.

mod areas;
mod bitmap;
mod build;
mod facets;
mod figures;
mod layout;
mod select;
mod sort;

pub use bitmap::Bitmap;
pub use build::{BuildError, Builder, ColumnRow};
pub use facets::{Facet, FacetCount};
pub use select::{Majors, Selection};

use layout::{Directory, Section, View};

use crate::mapped::{Damage, MapError, MappedFile, OpenError};
use crate::record::{Ein, OrgId};

/// The file of the columns, as a path within a snapshot.
pub const FILE: &str = "columns";

/// The columns of a snapshot.
#[derive(Debug)]
pub struct Columns {
    file: MappedFile,
    directory: Directory,
    organizations: u32,
}

impl Columns {
    /// Opens the columns; `open` maps [`FILE`]. Reads the header only.
    pub fn open(
        open: &mut dyn FnMut(&str) -> Result<MappedFile, MapError>,
    ) -> Result<Self, OpenError> {
        let file = open(FILE)?;
        let (directory, organizations) = Directory::read(&file)?;
        Ok(Self { file, directory, organizations })
    }

    /// How many organizations there are.
    pub fn organizations(&self) -> u32 {
        self.organizations
    }

    /// The organization of an EIN: a binary search.
    pub fn org_of(&self, ein: Ein) -> Result<Option<OrgId>, Damage> {
        let packed = ein.pack();
        let section = self.directory.section(Section::EinIndex);
        let (mut low, mut high) = (0, section.count);
        while low < high {
            let middle = low + (high - low) / 2;
            let at = section.position + middle * 8;
            let found = self.file.u32_at(at, 0)?;
            match found.cmp(&packed) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => {
                    let org = self.file.u32_at(at, 1)?;
                    if org >= self.organizations {
                        return Err(self.file.form(format!("no organization has number {org}")));
                    }
                    return Ok(Some(OrgId::new(org)));
                }
            }
        }
        Ok(None)
    }

    /// The EIN of an organization.
    pub fn ein_of(&self, org: OrgId) -> Result<Ein, Damage> {
        let packed =
            self.file.u32_at(self.directory.section(Section::Ein).position, org.index())?;
        (org.0 < self.organizations)
            .then(|| Ein::unpack(packed))
            .flatten()
            .ok_or_else(|| self.file.form(format!("expected an EIN, found {packed}")))
    }

    /// Values of a column, verified.
    fn view<const WIDTH: usize>(
        &self,
        section: Section,
        rows: std::ops::Range<usize>,
    ) -> Result<View<'_, WIDTH>, Damage> {
        self.directory.view(&self.file, section, rows)
    }
}

#[cfg(test)]
mod tests;
