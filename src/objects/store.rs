//! What a place for snapshots must be able to do.
//!
//! A store holds objects by the SHA-256 of their content, none of which is ever changed, and one
//! `CURRENT`, which is replaced only by whoever knows what it holds.

use std::ops::Range;
use std::time::SystemTime;

use super::error::{ObjectsError, StoreError};

/// A place for snapshots. Calls block until they are answered, at most some minutes.
pub(super) trait Store: Send + Sync {
    /// Part of an object, shorter where the object ends, and how many bytes the object has.
    fn read(&self, object: &str, range: Range<u64>) -> Result<(Vec<u8>, u64), StoreError>;

    /// `CURRENT`; `None` where nothing was pushed yet.
    fn current(&self) -> Result<Option<Versioned>, StoreError>;

    /// Replaces `CURRENT` if it is what was read (`None`: if there is none); says whether it did.
    fn swap(&self, bytes: Vec<u8>, read: Option<&Versioned>) -> Result<Swap, StoreError>;

    /// All objects.
    fn list(&self) -> Result<Vec<Listed>, StoreError>;

    /// Writes an object, at once or not at all.
    fn write(&self, object: &str, bytes: Vec<u8>) -> Result<(), StoreError>;

    /// Writes an object unless there is one of this name.
    fn create(&self, object: &str, bytes: Vec<u8>) -> Result<Swap, StoreError>;

    /// Writes a long object part by part, all but the last of the same length. Nobody sees it before its end.
    fn upload(&self, object: &str, next_part: &mut NextPart<'_>) -> Result<(), ObjectsError>;

    /// Removes an object, which may not be there.
    fn remove(&self, object: &str) -> Result<(), StoreError>;
}

/// Makes the next part of an object; `None` at its end.
pub(super) type NextPart<'a> = dyn FnMut() -> Result<Option<Vec<u8>>, ObjectsError> + 'a;

/// Bytes, and how a store tells whether they are still those: by an entity tag, a generation, or both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Versioned {
    pub(super) bytes: Vec<u8>,
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
