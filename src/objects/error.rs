//! Why a snapshot is not pushed or pulled.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::address::{Address, CURRENT, CURRENT_BYTES_MAX, Service};
use crate::durable::is_full;
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
    Changed { object: String, found: String },
    /// An object is longer or shorter than its manifest says.
    #[error(
        "{object} has {found} bytes, expected {expected}: it was cut or changed; run `almoner push` again where the \
         snapshot was built"
    )]
    Cut { object: String, found: u64, expected: u64 },
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

impl ObjectsError {
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }

    /// The same in a clause that names no place, for those who may ask whether a server is ready.
    pub fn clause(&self) -> &'static str {
        match self {
            Self::Store(error) => match error.fault {
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

/// Why an operation of a store failed.
#[derive(Debug)]
pub struct StoreError {
    address: Address,
    pub(super) fault: Fault,
    /// The store's message, without its details of the request.
    reason: String,
}

/// What kind of reason it is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(not(feature = "objects"), allow(dead_code, reason = "of the cloud's stores alone"))]
pub(super) enum Fault {
    NoBucket,
    /// The keys are wrong, or may not do this.
    Denied,
    NoKeys,
    /// The signature is refused because of when it says it was made.
    Clock,
    Unreachable,
    NoObject(String),
    /// What has the name of the object is a pipe, a device or a folder.
    NotAFile(String),
    /// The object ends before what was asked for.
    Range(String),
    Full,
    TooLong,
    Other,
}

impl StoreError {
    pub(super) fn new(address: &Address, fault: Fault, reason: impl fmt::Display) -> Self {
        Self { address: address.clone(), fault, reason: reason.to_string() }
    }
}

impl std::error::Error for StoreError {}

impl fmt::Display for StoreError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { address, fault, reason } = self;
        let (keys, endpoint) = keys_and_endpoint(address.service);
        let text = match fault {
            Fault::NoBucket if address.service == Service::Folder => {
                format!("there is no folder at {address}; make it, or correct the address")
            }
            Fault::NoBucket => format!(
                "there is no bucket of the name in {address}; make it, or correct the address"
            ),
            Fault::Denied => format!(
                "{address} refuses access; expected {keys} with the right to list and read, and for `push` to write \
                 and delete"
            ),
            Fault::NoKeys => {
                format!("there are no keys for {address}; expected {keys} in the environment")
            }
            Fault::Clock => format!(
                "{address} refuses signatures made by this machine's clock; set the clock (by NTP, for example) \
                 and try again"
            ),
            Fault::Unreachable => {
                format!("{address} cannot be reached; expected an answer from {endpoint}")
            }
            Fault::NoObject(name) => format!(
                "{address} has no {name}, which its manifests name; run `almoner push` again where the snapshot \
                 was built"
            ),
            Fault::NotAFile(name) => format!(
                "{name} in {address} is no regular file; remove it and run `almoner push` again where the snapshot was \
                 built"
            ),
            Fault::Range(name) => format!(
                "{name} in {address} is shorter than its manifest says; remove it and run `almoner push` again \
                 where the snapshot was built"
            ),
            Fault::Full => format!("{address} has no room left; make room and try again"),
            Fault::TooLong => format!(
                "{CURRENT} in {address} is longer than {CURRENT_BYTES_MAX} bytes; expected what `almoner push` \
                 writes"
            ),
            Fault::Other => format!("{address} did not do what it was asked"),
        };
        out.write_str(&text)?;
        if reason.is_empty() { Ok(()) } else { write!(out, " ({reason})") }
    }
}

/// Where the keys of a service are looked for, and where requests go.
fn keys_and_endpoint(service: Service) -> (&'static str, &'static str) {
    match service {
        Service::Folder => ("a folder", "the file system"),
        Service::S3 => (
            "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (or a role of this machine)",
            "AWS_ENDPOINT_URL, or Amazon's in AWS_REGION; http:// needs AWS_ALLOW_HTTP=true",
        ),
        Service::Google => (
            "GOOGLE_APPLICATION_CREDENTIALS (or a service account of this machine)",
            "Google Cloud Storage",
        ),
        Service::Azure => (
            "AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY (or an identity of this machine)",
            "Azure Blob Storage",
        ),
    }
}
