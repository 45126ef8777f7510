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
mod error;
mod folder;
mod published;
mod pull;
mod push;
mod store;
#[cfg(test)]
mod tests;
mod transfer;

pub use address::{Address, AddressError, CURRENT_BYTES_MAX};
pub use error::{FILES_MAX, ObjectsError, SNAPSHOT_BYTES_MAX, StoreError};
pub use pull::PullReport;
pub use push::{GRACE, KEEP, KEEP_MAX, PushOptions, PushReport};

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use address::{OBJECTS, Service};
use published::{Published, PublishedSnapshot, is_sha256};
use store::{Store, Versioned};
use transfer::{PARTIAL, sha256};

use crate::snapshot::directory::{Current, Directory};
use crate::snapshot::manifest::{self, Manifest, ManifestFile};
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
        let store: Box<dyn Store> = match address.service {
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
        let file = kept.manifest();
        let bytes = self.read(&kept.snapshot, &file, 0..file.bytes)?;
        let found = sha256(&bytes);
        if found != file.sha256 {
            return Err(ObjectsError::Changed {
                object: self.object(&kept.snapshot, &file),
                found,
            });
        }
        let manifest: Manifest = serde_json::from_slice(&bytes)
            .map_err(|error| refused(&format!("is not of the form expected: {error}")))?;
        check_names(&manifest).map_err(|what| refused(&what))?;
        if manifest.snapshot != kept.snapshot {
            return Err(refused("is that of another"));
        }
        Ok((manifest, bytes))
    }

    /// Bytes of a file of a snapshot, the object of which must be as long as the file.
    fn read(
        &self,
        snapshot: &str,
        file: &ManifestFile,
        range: Range<u64>,
    ) -> Result<Vec<u8>, ObjectsError> {
        let bytes = range.end - range.start;
        let (part, found) = self.store.read(&file.sha256, range)?;
        if found == file.bytes && part.len() as u64 == bytes {
            return Ok(part);
        }
        let object = self.object(snapshot, file);
        Err(ObjectsError::Cut { object, found, expected: file.bytes })
    }

    /// An object, and which file of which snapshot it is, for errors.
    fn object(&self, snapshot: &str, file: &ManifestFile) -> String {
        let (address, ManifestFile { name, sha256, .. }) = (&self.address, file);
        format!("{OBJECTS}/{sha256} in {address}, {name} of snapshot {snapshot},")
    }
}

/// What a manifest names that no snapshot has, in a clause.
fn check_names(manifest: &Manifest) -> Result<(), String> {
    let files = &manifest.files;
    if files.len() > FILES_MAX {
        return Err(format!("names {} files, expected at most {FILES_MAX}", files.len()));
    }
    let bytes = files.iter().fold(0u64, |sum, file| sum.saturating_add(file.bytes));
    if bytes > SNAPSHOT_BYTES_MAX {
        return Err(format!("names {bytes} bytes, expected at most {SNAPSHOT_BYTES_MAX}"));
    }
    let mut names = BTreeSet::new();
    for file in files {
        let fits = file.has_plain_name()
            && !file.name.ends_with(PARTIAL)
            && file.name != manifest::FILE
            && is_sha256(&file.sha256)
            && names.insert(&*file.name);
        if !fits {
            return Err(format!("names {:?}, which is no file of a snapshot", file.name));
        }
    }
    Ok(())
}
