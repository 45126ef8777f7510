//! Why a snapshot is not pushed or pulled.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::address::Address;
use super::store::{Fault, OBJECTS, StoreError};
use crate::snapshot::{FORMAT, OpenError};

/// Files that a snapshot may have; one with vectors has about a hundred.
pub const FILES_MAX: usize = 10_000;

/// Bytes that a snapshot may have, so that a forged manifest cannot ask for any amount: a hundred
/// times what all the IRS's files make.
pub const SNAPSHOT_BYTES_MAX: u64 = 1 << 40;

/// Why a snapshot is not pushed or pulled. Whatever it is, what was published before stays so.
#[derive(Debug, thiserror::Error)]
pub enum ObjectsError {
    /// The program was built without what speaks to such stores.
    #[error(
        "this almoner was built without object storage, so {address} cannot be used; build it with `cargo build \
         --release --features objects`, or use file:///FOLDER"
    )]
    #[cfg_attr(feature = "objects", allow(dead_code, reason = "everything is built in"))]
    NotBuiltIn { address: Address },
    /// The store does not do what it is asked.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Nothing was pushed yet.
    #[error("{address} has no snapshot yet; run `almoner push --to {address}` where one is built")]
    Nothing { address: Address },
    /// `CURRENT` of the store is not what a push wrote.
    #[error(
        "CURRENT in {address} is not as `almoner push` writes it: expected JSON with layout and snapshots, found \
         {found}; run `almoner push` again where the snapshot was built, with --force"
    )]
    Current { address: Address, found: String },
    /// A program of another time pushed there.
    #[error("{address} is laid out in version {found}, expected 1; use a newer almoner")]
    Layout { address: Address, found: u32 },
    /// The snapshot cannot be opened by this program.
    #[error(
        "snapshot {snapshot} in {address} is of format {found}, expected {FORMAT}; {}",
        if *found > FORMAT { "use a newer almoner" } else { "build and push it with this almoner" }
    )]
    Format { address: Address, snapshot: String, found: u32 },
    /// Somebody else published in between.
    #[error(
        "{address} was published to by another push meanwhile ({theirs}); nothing of it was overwritten, and what \
         was sent stays: run `almoner push` again if yours is to follow it"
    )]
    Overtaken { address: Address, theirs: String },
    /// An object is not what its name says.
    #[error(
        "{object} has SHA-256 {found}: it was changed; remove it and run `almoner push` again where the snapshot was \
         built"
    )]
    Changed { object: Box<FileObject>, found: String },
    /// An object is longer or shorter than its manifest says.
    #[error(
        "{object} has {found} bytes, expected {expected}: it was cut or changed; run `almoner push` again where the \
         snapshot was built"
    )]
    Cut { object: Box<FileObject>, found: u64, expected: u64 },
    /// A manifest that names what no snapshot has.
    #[error("the manifest of snapshot {snapshot} in {address} {what}; it is refused")]
    Manifest { address: Address, snapshot: String, what: String },
    /// The snapshot is whole, but is none.
    #[error(
        "snapshot {snapshot} in {address} cannot be opened, so it is not published here; the snapshot of before stays: \
         push one that this almoner built"
    )]
    Unusable { address: Address, snapshot: String, source: Box<OpenError> },
    /// There is no room for the snapshot.
    #[error(
        "{} has room for {free} bytes, and what is missing of snapshot {snapshot} takes {needed}; make room: the \
         snapshot of before stays",
        path.display()
    )]
    NoRoom { path: PathBuf, snapshot: String, free: u64, needed: u64 },
    /// Somebody else writes to the data directory.
    #[error("a build or another pull writes to {}; wait until it has ended", path.display())]
    Busy { path: PathBuf },
    /// The folder holds something else.
    #[error("{} is not a data directory, and not empty; expected one of these", path.display())]
    NotADataDirectory { path: PathBuf },
    /// There is nothing to push, or it cannot be read.
    #[error("there is no snapshot that could be pushed")]
    Open(#[from] OpenError),
    /// A file of this machine is not what its manifest says.
    #[error("{} is not as it was built; run `almoner verify`, then build again", path.display())]
    Damaged { path: PathBuf },
    /// The system refused.
    #[error("cannot use {}", path.display())]
    Io { path: PathBuf, source: io::Error },
}

/// An object, and which file of which snapshot it is.
#[derive(Debug)]
pub struct FileObject {
    pub(super) address: Address,
    /// SHA-256 in hexadecimal.
    pub(super) object: String,
    pub(super) file: String,
    pub(super) snapshot: String,
}

impl fmt::Display for FileObject {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { address, object, file, snapshot } = self;
        write!(out, "{OBJECTS}/{object} in {address}, {file} of snapshot {snapshot},")
    }
}

impl ObjectsError {
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }

    /// The same in a clause that names no place, for those who may ask whether a server is ready.
    pub fn clause(&self) -> &'static str {
        match self {
            Self::Store(error) => match error.fault() {
                Fault::Unreachable => "the object store cannot be reached",
                Fault::Denied | Fault::NoKeys | Fault::Clock => "the object store refuses access",
                Fault::NoObject(_) | Fault::NotAFile(_) | Fault::Range(_) | Fault::TooLong => {
                    "an object of the newest snapshot is missing or damaged"
                }
                Fault::NoBucket | Fault::Full | Fault::Other => "the object store does not answer",
            },
            Self::Nothing { .. } => "the object store has no snapshot",
            Self::Current { .. } | Self::Layout { .. } | Self::Manifest { .. } => {
                "what the object store publishes is not readable"
            }
            Self::Unusable { .. } => "the newest snapshot cannot be opened",
            Self::Format { .. } => "the newest snapshot is of another format",
            Self::Changed { .. } | Self::Cut { .. } => {
                "an object of the newest snapshot is missing or damaged"
            }
            Self::NoRoom { .. } => "there is no room for the newest snapshot",
            Self::Io { source, .. } if is_full(source) => {
                "there is no room for the newest snapshot"
            }
            _ => "the newest snapshot cannot be pulled",
        }
    }

    /// Whether trying again soon would only read the same damage again.
    pub fn is_of_content(&self) -> bool {
        matches!(
            self,
            Self::Changed { .. } | Self::Cut { .. } | Self::Manifest { .. } | Self::Unusable { .. }
        )
    }
}

/// Whether a disk is full, or its user's share of it.
pub(super) fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}
