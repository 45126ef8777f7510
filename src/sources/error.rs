//! Why reading a source stops before its end.

use std::io;
use std::path::{Path, PathBuf};

use zip::result::ZipError;

use super::workbook::WorkbookError;
use crate::{curated, irs};

/// Why a source cannot be read to its end.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("cannot read {}: check the disk, or download it again", path.display())]
    Io {
        path: PathBuf,
        #[source]
        error: io::Error,
    },
    #[error("cannot unpack {}: download it again", path.display())]
    Zip {
        path: PathBuf,
        #[source]
        error: ZipError,
    },
    #[error("{}: {error}: download it again", path.display())]
    Workbook { path: PathBuf, error: WorkbookError },
    #[error("{} unpacks to more than 64 GiB, which no IRS file does", path.display())]
    MemberTooLong { path: PathBuf },
    #[error("{}: {error}", path.display())]
    Header { path: PathBuf, error: irs::ReadError },
    #[cfg(feature = "tables")]
    #[error("{}: damaged: write it again by `almoner extract`", path.display())]
    Extracted {
        path: PathBuf,
        #[source]
        error: Option<crate::export::parquet::Error>,
    },
    #[error("{}: {error}", path.display())]
    Curated { path: PathBuf, error: curated::ReadError },
}

impl ReadError {
    pub(super) fn io(path: &Path) -> impl Fn(io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self::Io { path: path.clone(), error }
    }

    pub(super) fn zip(path: &Path) -> impl Fn(ZipError) -> Self {
        let path = path.to_owned();
        move |error| Self::Zip { path: path.clone(), error }
    }
}

/// An error of a reader of bytes, or of whoever takes its events.
pub(super) enum StreamError<E> {
    Rows(irs::ReadError),
    Curated(curated::ReadError),
    Io(io::Error),
    /// Of whoever takes the events.
    Sink(E),
}

impl<E> From<irs::ReadError> for StreamError<E> {
    fn from(error: irs::ReadError) -> Self {
        Self::Rows(error)
    }
}

impl<E> From<curated::ReadError> for StreamError<E> {
    fn from(error: curated::ReadError) -> Self {
        Self::Curated(error)
    }
}

impl<E> From<io::Error> for StreamError<E> {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
