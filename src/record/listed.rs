//! What returns list of grants, people and related organizations.

use serde::{Deserialize, Serialize};

use super::{Grant, Person, Relation};

/// What one return lists, each in the order of its XML.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Schedules {
    pub grants: Vec<Grant>,
    pub people: Vec<Person>,
    /// Schedule R.
    pub relations: Vec<Relation>,
}

impl Schedules {
    /// Whether it lists nothing.
    pub fn is_empty(&self) -> bool {
        let Self { grants, people, relations } = self;
        grants.is_empty() && people.is_empty() && relations.is_empty()
    }
}

/// A name in the returns of one organization. That two rows of equal names are of one person is likely
/// within an organization, and no more than that.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ListedName {
    /// As the latest return has it.
    pub name: String,
    /// Every row that has it, the latest tax year first.
    pub rows: Vec<Person>,
}

impl ListedName {
    /// The tax years of its rows, the latest first.
    pub fn years(&self) -> Vec<u16> {
        let mut years: Vec<u16> = self.rows.iter().map(|row| row.tax_year).collect();
        years.dedup();
        years
    }
}
