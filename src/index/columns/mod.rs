//! Filterable values by OrgId, memory-mapped.
//!
//! One table (`layout`), one value of fixed width an organization, written by a
//! [`Builder`] and read through the verified mapping. [`Columns::select`] answers every filter as
//! a [`Bitmap`] with its exact count, and counts apart what is left out for lack of a value
//! (`select`; `areas` for what is asked of the place); [`Columns::sorted`] orders what it holds
//! (`sort`); [`Columns::group`] groups it (`groups`) and [`Columns::of_known`] adds up the groups
//! (`distribution`). A value that is not known satisfies no range and sorts last.

mod areas;
mod bitmap;
mod build;
mod distribution;
mod facets;
mod groups;
mod layout;
mod points;
mod select;
mod sort;

pub use bitmap::Bitmap;
pub use build::{BuildError, Builder, ColumnRow};
pub use distribution::{Distribution, MEASURES, QUANTILES, median};
pub use facets::{Facet, FacetCount};
pub use groups::{DIMENSIONS_MAX, Dimension, Group, Grouping};
pub use select::{Majors, Selection};

use layout::StoredColumns;

use crate::mapped::{Column, Damage, Files, Lists, OpenError, Pairs, Table};
use crate::record::{Ein, OrgId};

/// The table of the columns, as a path within a snapshot.
const FILE: &str = "columns";

/// The columns of a snapshot.
#[derive(Debug)]
pub struct Columns {
    stored: StoredColumns,
    by_ein: Pairs<u32>,
    counties: Lists<u8>,
    cities: Lists<u8>,
    organizations: u32,
}

impl Columns {
    /// Opens the columns. Reads the directory only.
    pub fn open(files: &mut Files<'_>) -> Result<Self, OpenError> {
        let table = Table::open(files, FILE)?;
        let organizations = table.column::<u32>("ein")?.count();
        Ok(Self {
            stored: StoredColumns::of(&table, organizations)?,
            by_ein: table.pairs("by_ein")?,
            counties: table.lists("counties")?,
            cities: table.lists("cities")?,
            organizations: organizations as u32,
        })
    }

    /// How many organizations there are.
    pub fn organizations(&self) -> u32 {
        self.organizations
    }

    /// The organization of an EIN: a binary search.
    pub fn org_of(&self, ein: Ein) -> Result<Option<OrgId>, Damage> {
        match self.by_ein.of(ein.pack(), 1)?.next() {
            Some(org) if org >= self.organizations => {
                Err(self.stored.ein.form(format!("no organization has number {org}")))
            }
            org => Ok(org.map(OrgId::new)),
        }
    }

    /// The EIN of an organization.
    pub fn ein_of(&self, org: OrgId) -> Result<Ein, Damage> {
        let packed = self.stored.ein.at(org.index())?;
        let wrong = || self.stored.ein.form(format!("expected an EIN, found {packed}"));
        Ein::unpack(packed).ok_or_else(wrong)
    }

    /// The values of some organizations, as far as they are known.
    fn known<V: layout::MaybeUnknown, Known>(
        &self,
        column: &Column<V>,
        orgs: &[OrgId],
        of: impl Fn(V) -> Option<Known>,
    ) -> Result<Vec<Option<Known>>, Damage> {
        let value = |org: &OrgId| match org.index() < column.count() {
            true => Ok(column.at(org.index())?.known().and_then(&of)),
            false => Ok(None),
        };
        orgs.iter().map(value).collect()
    }
}

#[cfg(test)]
mod tests;
