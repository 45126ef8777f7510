//! Building: the IRS's files into a snapshot.
//!
//! [`build()`] reads the sources (`gather`), joins and orders them (`merge`), writes every file into a
//! staging folder (`write`), seals it with a manifest and block sums (`staging`), and publishes it by
//! renaming ([`crate::snapshot`]): whatever stops it, `CURRENT` names the old snapshot or the new one,
//! whole.

mod arena;
mod cause;
mod clock;
mod earlier;
mod embedding;
mod error;
mod falls;
mod findings;
mod funds;
mod gather;
mod gathered_reports;
mod group;
mod items;
mod links;
mod memory;
mod merge;
mod namesakes;
mod order;
mod pipeline;
mod report;
mod report_cache;
mod reports;
mod returns;
mod row;
mod schedules;
mod staging;
mod summary;
mod vector_file;
mod vector_progress;
mod write;

pub use embedding::EMBEDDING;
pub use error::{BuildError, Fall};
pub use falls::FALL_MAX_PERCENT;
pub use findings::{ReportFindings, report_findings};
pub use gather::LeftOut;
pub use pipeline::{MissingTexts, Options, build, missing_texts};
pub use report::{
    Items as ItemCounts, NoProgress, Progress, Report, SourceReport, Vectors as VectorsReport,
};
pub use vector_file::{VectorCache, VectorFile};

#[cfg(test)]
mod tests;
