//! Filterable values by OrgId, memory-mapped.

use crate::mapped::Damage;
use crate::record::{Ein, OrgId, OrgSize, Point, SdgSet, State, Subsection, Zip5};

/// A range of numbers, both ends included; `None` is open.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Range {
    pub min: Option<f64>,
    pub max: Option<f64>,
}

/// What organizations must satisfy; what is `None` or empty asks nothing.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Filters {
    /// Any of these.
    pub subsections: Vec<Subsection>,
    /// Private foundations only, or none of them.
    pub foundation: Option<bool>,
    /// Only (or only not) organizations contributions to which are deductible.
    pub deductible: Option<bool>,
    /// A point and a radius in miles; 0 is unlimited.
    pub near: Option<(Point, f64)>,
    /// As people type it.
    pub city: Option<String>,
    /// As people type it.
    pub county: Option<String>,
    pub state: Option<State>,
    pub zip: Option<Zip5>,
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
    /// From [`Filters::near`]'s point.
    Distance,
}

/// A key and its direction; unknowns come last either way, ties by OrgId.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sort {
    pub key: SortKey,
    pub descending: bool,
}

/// The columns of a snapshot.
#[derive(Debug)]
pub struct Columns {}

impl Columns {
    /// The organization of an EIN.
    pub fn org_of(&self, _ein: Ein) -> Result<Option<OrgId>, Damage> {
        Ok(None)
    }
}
