//! Why two snapshots cannot be compared.

use std::io;

use super::compared::ComparedError;
use crate::mapped::Damage;
use crate::store::StoreError;

/// Why snapshots cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum ChangesError {
    #[error("an index of a snapshot cannot be read")]
    Index(#[from] Damage),
    #[error("a record of a snapshot cannot be read")]
    Store(#[from] StoreError),
    #[error("what a snapshot of another format keeps cannot be read")]
    Kept(#[from] ComparedError),
    #[error("the list of changes of a snapshot of another format cannot be read")]
    Log(#[from] io::Error),
}
