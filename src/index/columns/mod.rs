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
mod layout;
mod select;
mod sort;

pub use bitmap::Bitmap;
pub use build::{BuildError, Builder, Row};
pub use facets::{Facet, FacetCount};
pub use select::Selection;

use layout::{Directory, Section, View};

use crate::mapped::{Damage, MapError, Mapped, OpenError};
use crate::record::{Ein, OrgId, OrgSize, Point, SdgSet, State, Subsection, Zip5};

/// The file of the columns, as a path within a snapshot.
pub const FILE: &str = "columns";

/// A range of numbers, both ends included; `None` is open.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Range {
    pub min: Option<f64>,
    pub max: Option<f64>,
}

impl Range {
    /// Whether it asks nothing.
    pub fn is_open(self) -> bool {
        self.min.is_none() && self.max.is_none()
    }

    /// Whether a number is in it.
    pub fn contains(self, value: f64) -> bool {
        self.min.is_none_or(|min| value >= min) && self.max.is_none_or(|max| value <= max)
    }
}

/// A part of the country. What is given must all hold; an area of which nothing is given is the
/// whole of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Area {
    pub state: Option<State>,
    /// As people type it.
    pub county: Option<String>,
    /// As people type it.
    pub city: Option<String>,
    pub zip: Option<Zip5>,
    /// Within so many miles of a point; 0 is unlimited.
    pub near: Option<(Point, f64)>,
}

impl Area {
    /// Whether it is the whole country, organizations of unknown place among it.
    pub fn is_whole(&self) -> bool {
        let Self { state, county, city, zip, near: _ } = self;
        state.is_none()
            && county.is_none()
            && city.is_none()
            && zip.is_none()
            && self.circle().is_none()
    }

    /// The point and the radius in miles, if it is limited.
    fn circle(&self) -> Option<(Point, f64)> {
        self.near.filter(|&(_, miles)| miles > 0.0)
    }
}

/// What organizations must satisfy; what is `None` or empty asks nothing. Of whom it is not known
/// whether they are private foundations, deductible, inactive, vetted or have a video satisfies neither `true` nor
/// `false`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Filters {
    /// Any of these.
    pub subsections: Vec<Subsection>,
    /// Private foundations only, or none of them.
    pub foundation: Option<bool>,
    /// Only (or only not) organizations contributions to which are deductible.
    pub deductible: Option<bool>,
    /// Only those whose exemption was revoked and not reinstated, or none of them.
    pub inactive: Option<bool>,
    /// Only those that the operator marked as vetted, or none of them.
    pub vetted: Option<bool>,
    /// Only those of which the operator has a video, or such as it has none of.
    pub video: Option<bool>,
    /// Any of these.
    pub eins: Vec<Ein>,
    /// None of these.
    pub not_eins: Vec<Ein>,
    /// Any of these.
    pub areas: Vec<Area>,
    /// None of these.
    pub not_areas: Vec<Area>,
    pub revenue: Range,
    pub expenses: Range,
    pub assets: Range,
    pub employees: Range,
    pub score: Range,
    pub rating: Range,
    /// Any of these goals; empty asks nothing.
    pub sdgs: SdgSet,
    /// Any of these prefixes of NTEE codes, in any case.
    pub ntee_prefixes: Vec<String>,
    /// None of these prefixes of NTEE codes, in any case; who has no code satisfies it.
    pub not_ntee_prefixes: Vec<String>,
    /// Any of these.
    pub sizes: Vec<OrgSize>,
}

/// What rows are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SortKey {
    Name,
    Revenue,
    Expenses,
    Assets,
    Employees,
    Score,
    Rating,
    /// From the point that [`Columns::sorted`] is given.
    Distance,
    /// When the exemption was ruled.
    Ruling,
}

impl SortKey {
    /// The key of a name, as the interface and the command line call it.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "name" => Self::Name,
            "revenue" => Self::Revenue,
            "expenses" => Self::Expenses,
            "assets" => Self::Assets,
            "employees" => Self::Employees,
            "score" => Self::Score,
            "rating" => Self::Rating,
            "distance" => Self::Distance,
            "ruling" => Self::Ruling,
            _ => return None,
        })
    }
}

/// A key and its direction; unknowns come last either way, ties by OrgId.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sort {
    pub key: SortKey,
    pub descending: bool,
}

/// The columns of a snapshot.
#[derive(Debug)]
pub struct Columns {
    file: Mapped,
    directory: Directory,
    organizations: u32,
}

impl Columns {
    /// Opens the columns; `open` maps [`FILE`]. Reads the header only.
    ///
    /// # Errors
    /// When the file cannot be mapped, or its header is damaged or of another version.
    pub fn open(open: &mut dyn FnMut(&str) -> Result<Mapped, MapError>) -> Result<Self, OpenError> {
        let file = open(FILE)?;
        let (directory, organizations) = Directory::read(&file)?;
        Ok(Self { file, directory, organizations })
    }

    /// How many organizations there are.
    pub fn organizations(&self) -> u32 {
        self.organizations
    }

    /// The organization of an EIN: a binary search.
    ///
    /// # Errors
    /// When the index is damaged where it was looked at.
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
                    return Ok(Some(OrgId(org)));
                }
            }
        }
        Ok(None)
    }

    /// The EIN of an organization.
    ///
    /// # Errors
    /// When the column is damaged there or has no such organization.
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
