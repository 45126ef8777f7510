//! What a place for snapshots must be able to do, and why it does not.
//!
//! A store holds objects by the SHA-256 of their content, none of which is ever changed, and one
//! `CURRENT`, which is replaced only by whoever knows what it holds.

use std::fmt;
use std::ops::Range;
use std::time::SystemTime;

use super::address::{Address, Service};

/// The one object that changes.
pub(super) const CURRENT: &str = "CURRENT";

/// Where the others are: `objects/` and the SHA-256 in hexadecimal.
pub(super) const OBJECTS: &str = "objects";

/// Bytes that `CURRENT` may have; it has a hundred for each snapshot that is kept.
pub const CURRENT_BYTES_MAX: u64 = 256 << 10;

/// A place for snapshots. Calls block until they are answered, at most some minutes.
pub(super) trait Store: Send + Sync {
    /// Part of an object; shorter where the object ends.
    fn read(&self, object: &str, range: Range<u64>) -> Result<Part, StoreError>;

    /// `CURRENT`; `None` where nothing was pushed yet.
    fn current(&self) -> Result<Option<Versioned>, StoreError>;

    /// Replaces `CURRENT` if it is what was read (`None`: if there is none); says whether it did.
    fn swap(&self, bytes: Vec<u8>, read: Option<&Version>) -> Result<Swap, StoreError>;

    /// All objects.
    fn list(&self) -> Result<Vec<Listed>, StoreError>;

    /// Writes an object, at once or not at all.
    fn write(&self, object: &str, bytes: Vec<u8>) -> Result<(), StoreError>;

    /// Writes an object unless there is one of this name.
    fn create(&self, object: &str, bytes: Vec<u8>) -> Result<Swap, StoreError>;

    /// Begins to write a long object, which nobody sees before its end.
    fn start_upload<'a>(&'a self, object: &str) -> Result<Box<dyn Upload + 'a>, StoreError>;

    /// Removes an object, which may not be there.
    fn remove(&self, object: &str) -> Result<(), StoreError>;
}

/// An object that is being written part by part.
pub(super) trait Upload {
    /// The next bytes; all parts but the last are of the same length.
    fn push(&mut self, bytes: Vec<u8>) -> Result<(), StoreError>;

    /// Makes the object seen.
    fn finish(&mut self) -> Result<(), StoreError>;

    /// Gives up.
    fn abandon(&mut self);
}

/// Bytes of an object, and how many it has.
pub(super) struct Part {
    pub(super) bytes: Vec<u8>,
    pub(super) of: u64,
}

/// Bytes, and how to tell later whether they are still those.
pub(super) struct Versioned {
    pub(super) bytes: Vec<u8>,
    pub(super) version: Version,
}

/// What tells one content of an object from another: an entity tag, a generation, or both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Version {
    pub(super) tag: Option<String>,
    pub(super) generation: Option<String>,
}

/// What became of a conditional write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Swap {
    Done,
    /// Somebody else was faster; nothing was written.
    Refused,
}

/// An object in a list.
pub(super) struct Listed {
    pub(super) object: String,
    pub(super) bytes: u64,
    pub(super) modified: SystemTime,
}

/// Why an operation of a store failed.
#[derive(Debug)]
pub struct StoreError {
    address: Address,
    fault: Fault,
    /// The store's message, without its details of the request.
    reason: String,
}

/// What kind of reason it is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(not(feature = "objects"), allow(dead_code, reason = "of the cloud's stores alone"))]
pub(super) enum Fault {
    /// The bucket or the folder is not there.
    NoBucket,
    /// The keys are wrong, or may not do this.
    Denied,
    /// There are no keys.
    NoKeys,
    /// The signature is refused because of when it says it was made.
    Clock,
    /// Nobody answers.
    Unreachable,
    /// The object is not there.
    NoObject(String),
    /// What has the name of the object is a pipe, a device or a folder.
    NotAFile(String),
    /// The object ends before what was asked for.
    Range(String),
    /// There is no room left.
    Full,
    /// `CURRENT` is longer than it may be.
    TooLong,
    Other,
}

impl StoreError {
    pub(super) fn new(address: &Address, fault: Fault, reason: impl fmt::Display) -> Self {
        Self { address: address.clone(), fault, reason: reason.to_string() }
    }

    pub(super) fn fault(&self) -> &Fault {
        &self.fault
    }
}

impl std::error::Error for StoreError {}

impl fmt::Display for StoreError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { address, fault, reason } = self;
        match fault {
            Fault::NoBucket if address.service() == Service::Folder => {
                write!(out, "there is no folder at {address}; make it, or correct the address")
            }
            Fault::NoBucket => write!(
                out,
                "there is no bucket of the name in {address}; make it, or correct the address"
            ),
            Fault::Denied => write!(
                out,
                "{address} refuses access; expected {} with the right to list and read, and for `push` to write \
                 and delete",
                keys(address.service())
            ),
            Fault::NoKeys => write!(
                out,
                "there are no keys for {address}; expected {} in the environment",
                keys(address.service())
            ),
            Fault::Clock => write!(
                out,
                "{address} refuses signatures made by this machine's clock; set the clock (by NTP, for example) \
                 and try again"
            ),
            Fault::Unreachable => write!(
                out,
                "{address} cannot be reached; expected an answer from {}",
                endpoint(address.service())
            ),
            Fault::NoObject(name) => write!(
                out,
                "{address} has no {name}, which its manifests name; run `almoner push` again where the snapshot \
                 was built"
            ),
            Fault::NotAFile(name) => write!(
                out,
                "{name} in {address} is no regular file; remove it and run `almoner push` again where the snapshot was \
                 built"
            ),
            Fault::Range(name) => write!(
                out,
                "{name} in {address} is shorter than its manifest says; remove it and run `almoner push` again \
                 where the snapshot was built"
            ),
            Fault::Full => write!(out, "{address} has no room left; make room and try again"),
            Fault::TooLong => write!(
                out,
                "{CURRENT} in {address} is longer than {CURRENT_BYTES_MAX} bytes; expected what `almoner push` \
                 writes"
            ),
            Fault::Other => write!(out, "{address} did not do what it was asked"),
        }?;
        if reason.is_empty() { Ok(()) } else { write!(out, " ({reason})") }
    }
}

/// Where keys are looked for.
fn keys(service: Service) -> &'static str {
    match service {
        Service::Folder => "a folder",
        Service::S3 => "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (or a role of this machine)",
        Service::Google => "GOOGLE_APPLICATION_CREDENTIALS (or a service account of this machine)",
        Service::Azure => {
            "AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY (or an identity of this machine)"
        }
    }
}

/// Where requests go.
fn endpoint(service: Service) -> &'static str {
    match service {
        Service::Folder => "the file system",
        Service::S3 => {
            "AWS_ENDPOINT_URL, or Amazon's in AWS_REGION; http:// needs AWS_ALLOW_HTTP=true"
        }
        Service::Google => "Google Cloud Storage",
        Service::Azure => "Azure Blob Storage",
    }
}
