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
