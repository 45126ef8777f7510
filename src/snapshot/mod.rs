//! Build pipeline, manifest, publish, open, verify.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::index::columns::Columns;
use crate::index::typeahead::Typeahead;
use crate::irs;
use crate::store::Organizations;

/// What a snapshot is made of; `manifest.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of the snapshot's format; another one is refused.
    pub format: u32,
    /// The snapshot's identifier: its folder's name.
    pub snapshot: String,
    /// Version of the program that built it.
    pub program: String,
    /// RFC 3339, UTC.
    pub built_at: String,
    /// What it was built from.
    pub sources: Vec<irs::Summary>,
    /// Identifier of the embedding model; `None` when built without.
    pub model: Option<String>,
    pub organizations: u64,
    /// Further counts, by name.
    pub counts: BTreeMap<String, u64>,
    /// Every other file of the snapshot.
    pub files: Vec<ManifestFile>,
}

/// A file of a snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestFile {
    /// Path within the snapshot, `/` between folders.
    pub name: String,
    pub bytes: u64,
    /// In hexadecimal.
    pub sha256: String,
}

/// An opened snapshot: what every request reads from.
#[derive(Debug)]
pub struct Snapshot {
    pub manifest: Manifest,
    pub columns: Columns,
    pub typeahead: Typeahead,
    pub organizations: Organizations,
}
