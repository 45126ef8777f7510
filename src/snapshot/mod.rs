//! Build pipeline, manifest, publish, open, verify.
//!
//! A data directory (`directory`) holds immutable snapshots, one folder each, and `CURRENT`, which
//! names the one published. [`build()`] reads the sources (`gather`), joins and orders them
//! (`merge`), writes every file into a staging folder (`write`), seals it with a manifest and
//! block sums (`seal`), and publishes it by renaming (`publish`): whatever stops it, `CURRENT`
//! names the old snapshot or the new one, whole. [`open()`] maps a snapshot and reads headers only;
//! every later read is verified block by block. [`verify()`] reads every byte.

mod arena;
mod build;
mod cause;
mod changes;
mod checksums;
mod coverage;
mod directory;
mod embedding;
mod error;
mod gather;
mod items;
mod manifest;
mod memory;
mod merge;
mod open;
mod order;
mod pending_vectors;
mod publish;
mod reject_list;
mod report;
mod row;
mod seal;
mod summary;
mod verify;
mod write;

pub use build::{Options, build};
pub use changes::{ChangesError, changes};
pub use coverage::{Count, Coverage, Field, OfState};
pub use directory::Current;
pub use embedding::{EMBEDDING, VectorCache};
pub use error::BuildError;
pub use manifest::{FORMAT, Manifest, ManifestFile};
pub use open::{ModelError, OpenError, Snapshot, TextIndex, current, open, open_with};
pub use pending_vectors::PendingVectors;
pub use publish::remove_unused;
pub use report::{
    Items as ItemCounts, NoProgress, Progress, Report, SourceReport, Vectors as VectorsReport,
};
pub use verify::{Corruption, VerifyReport, verify};

#[cfg(test)]
mod tests;
