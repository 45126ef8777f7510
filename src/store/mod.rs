//! redb: the full records, by OrgId. The one module that names redb.

use crate::record::{OrgId, Organization};

/// Why a record cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("the store holds no record of that number")]
    Missing,
}

/// The records of a snapshot, opened read-only.
#[derive(Debug)]
pub struct Organizations {}

impl Organizations {
    /// The record of a number.
    pub fn get(&self, _org: OrgId) -> Result<Organization, StoreError> {
        Err(StoreError::Missing)
    }
}
