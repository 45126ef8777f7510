//! Download events. Displaying them is the caller's part.

use std::time::Duration;

use super::error::{Failure, FileError};

/// Receives download events in order, one file at a time. Every method does nothing by default.
pub trait Progress {
    /// The number of files planned so far; returns are planned once their index is read.
    fn planned(&self, _files: u64) {}
    /// A file's transfer starts: its size if known, and how many bytes an earlier run left. Called
    /// again if the file starts over.
    fn started(&self, _name: &str, _bytes: Option<u64>, _resumed_at: u64) {}
    /// The number of bytes received so far, those of an earlier run included.
    fn received(&self, _name: &str, _bytes: u64) {}
    /// All bytes are received; the content is being checked and hashed.
    fn checking(&self, _name: &str) {}
    /// The file is complete and in the folder.
    fn done(&self, _name: &str, _bytes: u64) {}
    /// The file was in the folder already, and the server has no newer one.
    fn unchanged(&self, _name: &str, _bytes: u64) {}
    /// An optional file, the continuation of another, does not exist.
    fn absent(&self, _name: &str) {}
    /// The download failed for a reason that may pass; it is retried after the wait.
    fn retried(&self, _name: &str, _error: &FileError, _wait: Duration) {}
    /// The download was given up; others follow.
    fn failed(&self, _failure: &Failure) {}
    /// Anything else worth knowing, as one clause.
    fn warned(&self, _text: &str) {}
}

/// Ignores all events.
#[cfg(any(test, feature = "internals"))]
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

#[cfg(any(test, feature = "internals"))]
impl Progress for Silent {}
