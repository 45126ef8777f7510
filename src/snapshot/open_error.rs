//! Why a snapshot cannot be opened.

use std::io;
use std::path::{Path, PathBuf};

use super::manifest::FORMAT;
use crate::mapped;
use crate::store::StoreError;

/// How often a snapshot may be replaced and removed while it is being opened.
pub(super) const ATTEMPTS: usize = 16;

/// Why no snapshot can be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// There is no such directory.
    #[error("data directory {} does not exist; make it with `almoner build`", path.display())]
    Missing { path: PathBuf },
    /// The path is something else.
    #[error("{} is not a data directory; `almoner build` makes one", path.display())]
    NotADataDirectory { path: PathBuf },
    /// Nothing was built yet.
    #[error("data directory {} has no snapshot yet, as it has no file CURRENT; run `almoner build`", path.display())]
    NoSnapshot { path: PathBuf },
    /// The snapshot was written by an older program.
    #[error("the snapshot in {} is of format {found}, expected {FORMAT}; build again", path.display())]
    Older { path: PathBuf, found: u32 },
    /// The snapshot was written by a newer program.
    #[error(
        "the snapshot in {} is of format {found}, newer than {FORMAT}; use a newer almoner",
        path.display()
    )]
    Newer { path: PathBuf, found: u32 },
    /// A file is not what the build wrote.
    #[error("{} {what}; run `almoner verify`, then build again", path.display())]
    Damaged { path: PathBuf, what: String },
    /// The system refused.
    #[error("cannot read {}", path.display())]
    Io { path: PathBuf, source: io::Error },
    /// Snapshots came and went faster than one could be opened.
    #[error("the snapshot in {} was replaced {ATTEMPTS} times while it was opened", path.display())]
    Replaced { path: PathBuf },
    /// What it covers cannot be read.
    #[error("cannot read what the snapshot in {} covers", path.display())]
    Coverage { path: PathBuf, source: mapped::OpenError },
    /// A part of it cannot be opened.
    #[error("cannot open the {what} of the snapshot in {}", path.display())]
    Part { path: PathBuf, what: &'static str, source: mapped::OpenError },
    /// The records cannot be opened.
    #[error("cannot open the records of the snapshot in {}", path.display())]
    Store { path: PathBuf, source: StoreError },
}

impl OpenError {
    /// The same in a clause that names no place, for those who may ask whether a server is ready.
    pub fn clause(&self) -> &'static str {
        match self {
            Self::Missing { .. } | Self::NotADataDirectory { .. } | Self::NoSnapshot { .. } => {
                "the data directory publishes no snapshot"
            }
            Self::Older { .. } | Self::Newer { .. } => "the newest snapshot is of another format",
            Self::Io { .. } => "the newest snapshot cannot be read",
            Self::Replaced { .. } => "the newest snapshot was replaced while it was opened",
            _ => "the newest snapshot is damaged",
        }
    }
}

pub(crate) fn damaged(path: &Path, what: &str) -> OpenError {
    OpenError::Damaged { path: path.to_owned(), what: what.to_owned() }
}

pub(crate) fn io_error(path: &Path) -> impl FnOnce(io::Error) -> OpenError {
    let path = path.to_owned();
    move |source| {
        if source.kind() == io::ErrorKind::NotFound {
            return damaged(&path, "is missing");
        }
        OpenError::Io { path, source }
    }
}
