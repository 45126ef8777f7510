//! Snapshots in a data directory: opening, comparing, verifying, publishing and removing them.
//!
//! A data directory (`directory`) holds immutable snapshots, one folder each, and `CURRENT`, which
//! names the one published. [`open()`] maps a snapshot and reads headers only; every later read is
//! verified block by block. [`verify()`] reads every byte. [`mod@crate::build`] writes snapshots; nothing
//! here knows the sources' formats. What reads a snapshot fails where its bytes are not those that were built.

pub(crate) mod changes;
mod changes_error;
pub(crate) mod checksums;
pub(crate) mod compared;
pub(crate) mod coverage;
pub(crate) mod directory;
pub(crate) mod locate;
pub(crate) mod manifest;
mod of_all;
mod open;
mod open_error;
pub(crate) mod pending_vectors;
pub(crate) mod publish;
pub(crate) mod reject_list;
mod verify;

pub use changes::changes;
pub use changes_error::ChangesError;
pub use coverage::{Count, Coverage, Field, OfState};
pub use directory::Current;
pub use locate::current;
pub use manifest::{FORMAT, Manifest, ManifestFile};
pub(crate) use open::try_open;
pub use open::{ModelError, Snapshot, TextIndex, open, open_with};
pub use open_error::OpenError;
pub use pending_vectors::PendingVectors;
pub use publish::remove_unused;
pub use verify::{Corruption, VerifyReport, verify};
