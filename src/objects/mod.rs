//! Snapshots in object storage: pushed from where they are built, pulled by replicas.
//!
//! A store (`store`) holds each file of a snapshot as an object named by its SHA-256, each manifest
//! likewise, and `CURRENT` (`published`), which names the manifests that are kept. A push writes
//! what is missing, `CURRENT` last and only if nobody else did; a pull ([`Remote::pull`]) fetches
//! what no local snapshot has, checks every byte against the manifest, opens the snapshot and publishes
//! it in a data directory, which a server follows. Either may end anywhere and is gone on with by the next.
//! `folder` is a store in a folder; `cloud`, which the feature `objects` brings, one in Amazon S3,
//! Google Cloud Storage or Azure.

mod address;
#[cfg(feature = "objects")]
mod cloud;
mod download;
mod error;
mod folder;
mod garbage;
mod local;
mod published;
mod pull;
mod push;
mod store;
#[cfg(test)]
mod tests;
mod upload;

pub use address::{Address, AddressError};
pub use error::{FILES_MAX, FileObject, ObjectsError, SNAPSHOT_BYTES_MAX};
pub use pull::PullReport;
pub use push::{GRACE, KEEP, KEEP_MAX, PushOptions, PushReport};
pub use store::{CURRENT_BYTES_MAX, StoreError};

use std::path::Path;

use address::Service;
use published::{Published, PublishedSnapshot};
use store::{Store, Versioned};

use crate::snapshot::directory::{Current, Directory};
use crate::snapshot::manifest::{self, Manifest};
use crate::snapshot::{OpenError, try_open};

/// A store that snapshots are pushed to and pulled from. Its calls block, so they must not be made
/// from asynchronous code.
pub struct Remote {
    address: Address,
    store: Box<dyn Store>,
    /// Whether what was pulled can be opened.
    try_open: fn(&Directory, &Path, &Current) -> Result<(), OpenError>,
}

impl Remote {
    /// Prepares to use a store, with the credentials of the environment; asks it nothing yet.
    ///
    /// # Errors
    /// When the program was built without what speaks to it, or a setting in the environment is
    /// not one.
    pub fn new(address: &Address) -> Result<Self, ObjectsError> {
        let store: Box<dyn Store> = match address.service() {
            Service::Folder => Box::new(folder::Folder::new(address)),
            #[cfg(feature = "objects")]
            _ => Box::new(cloud::Cloud::new(address)?),
            #[cfg(not(feature = "objects"))]
            _ => return Err(ObjectsError::NotBuiltIn { address: address.clone() }),
        };
        Ok(Self { address: address.clone(), store, try_open })
    }

    /// Where it is.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// What is published, and what to replace it by.
    fn published(&self) -> Result<Option<(Published, Versioned)>, ObjectsError> {
        let Some(current) = self.store.current()? else { return Ok(None) };
        let published = Published::parse(&current.bytes, &self.address)?;
        Ok(Some((published, current)))
    }

    /// The manifest of a snapshot that is kept, with its bytes, whose hash is right.
    fn manifest(&self, kept: &PublishedSnapshot) -> Result<(Manifest, Vec<u8>), ObjectsError> {
        let refused = |what: &str| ObjectsError::Manifest {
            address: self.address.clone(),
            snapshot: kept.snapshot.clone(),
            what: what.to_owned(),
        };
        if kept.manifest_bytes > manifest::BYTES_MAX {
            return Err(refused("is longer than any manifest"));
        }
        let part = self.store.read(&kept.manifest_sha256, 0..kept.manifest_bytes)?;
        self.check_manifest(kept, &part)?;
        let manifest: Manifest = serde_json::from_slice(&part.bytes)
            .map_err(|error| refused(&format!("is not of the form expected: {error}")))?;
        download::check_names(&manifest).map_err(|what| refused(&what))?;
        if manifest.snapshot != kept.snapshot {
            return Err(refused("is that of another"));
        }
        Ok((manifest, part.bytes))
    }

    fn check_manifest(
        &self,
        kept: &PublishedSnapshot,
        part: &store::Part,
    ) -> Result<(), ObjectsError> {
        let object = || {
            Box::new(FileObject {
                address: self.address.clone(),
                object: kept.manifest_sha256.clone(),
                file: manifest::FILE.to_owned(),
                snapshot: kept.snapshot.clone(),
            })
        };
        if part.of != kept.manifest_bytes || part.bytes.len() as u64 != part.of {
            let (found, expected) = (part.of, kept.manifest_bytes);
            return Err(ObjectsError::Cut { object: object(), found, expected });
        }
        let found = local::sha256(&part.bytes);
        if found != kept.manifest_sha256 {
            return Err(ObjectsError::Changed { object: object(), found });
        }
        Ok(())
    }
}
