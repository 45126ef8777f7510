//! `CURRENT` of a store: which snapshots it keeps, the published one first.
//!
//! It is JSON, such as `{"layout": 1, "snapshots": [{"snapshot": "20260401T120000Z-0a1b2c3d",
//! "format": 13, "manifest_sha256": "…", "manifest_bytes": 23739}]}`.

use serde::{Deserialize, Serialize};

use super::address::Address;
use super::error::ObjectsError;
use crate::snapshot::Current;
use crate::snapshot::manifest::{self, ManifestFile};

/// Version of how a store is laid out.
const LAYOUT: u32 = 1;

/// What `CURRENT` says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Published {
    layout: u32,
    /// The latest first, at least one.
    pub(super) snapshots: Vec<PublishedSnapshot>,
}

/// A snapshot that is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PublishedSnapshot {
    pub(super) snapshot: String,
    pub(super) format: u32,
    /// Its manifest is the object of this name.
    pub(super) manifest_sha256: String,
    pub(super) manifest_bytes: u64,
}

impl PublishedSnapshot {
    /// The `CURRENT` that a data directory has for this snapshot.
    pub(super) fn current(&self) -> Current {
        Current {
            format: self.format,
            snapshot: self.snapshot.clone(),
            manifest_sha256: self.manifest_sha256.clone(),
        }
    }

    /// Its manifest, as a manifest would name it.
    pub(super) fn manifest(&self) -> ManifestFile {
        ManifestFile {
            name: manifest::FILE.to_owned(),
            bytes: self.manifest_bytes,
            sha256: self.manifest_sha256.clone(),
        }
    }

    fn is_sound(&self) -> bool {
        let current = self.current();
        Current::parse(current.line().as_bytes()).is_some() && is_sha256(&self.manifest_sha256)
    }
}

/// Whether a text is a SHA-256 as this program writes it, and so no path.
pub(super) fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

impl Published {
    /// What is to be published next: a snapshot, and those of before, `keep` in all.
    pub(super) fn with(before: Option<&Self>, latest: PublishedSnapshot, keep: usize) -> Self {
        let older = before.into_iter().flat_map(|before| &before.snapshots);
        let older = older.filter(|kept| **kept != latest).cloned();
        let snapshots = std::iter::once(latest.clone()).chain(older).take(keep.max(1)).collect();
        Self { layout: LAYOUT, snapshots }
    }

    pub(super) fn parse(bytes: &[u8], address: &Address) -> Result<Self, ObjectsError> {
        let not_one = |found: String| ObjectsError::Current { address: address.clone(), found };
        #[derive(Deserialize)]
        struct Layout {
            layout: u32,
        }
        let layout: Layout =
            serde_json::from_slice(bytes).map_err(|error| not_one(error.to_string()))?;
        if layout.layout != LAYOUT {
            return Err(ObjectsError::Layout { address: address.clone(), found: layout.layout });
        }
        let published: Self =
            serde_json::from_slice(bytes).map_err(|error| not_one(error.to_string()))?;
        if published.snapshots.is_empty() {
            return Err(not_one("a list of no snapshots".to_owned()));
        }
        if !published.snapshots.iter().all(PublishedSnapshot::is_sound) {
            return Err(not_one("an identifier or a SHA-256 that is none".to_owned()));
        }
        Ok(published)
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        // Texts and numbers only: it cannot fail.
        let mut bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }

    /// The snapshot that is published.
    pub(super) fn latest(&self, address: &Address) -> Result<&PublishedSnapshot, ObjectsError> {
        self.snapshots.first().ok_or_else(|| ObjectsError::Nothing { address: address.clone() })
    }
}
