//! What is told while files are downloaded. Showing it is not done here.

use std::time::Duration;

use super::error::{Failure, FileError};

/// Is told what happens, in order, one file at a time. What a method does by default is nothing.
pub trait Progress {
    /// So many files are planned, those before included; returns are planned once their index is read.
    fn planned(&self, _files: u64) {}
    /// Bytes of a file begin to come: how many it has, if that is known, and how many were there
    /// from before. Told again when the file begins anew.
    fn started(&self, _name: &str, _bytes: Option<u64>, _resumed_at: u64) {}
    /// So many bytes of the file have come, those from before included.
    fn received(&self, _name: &str, _bytes: u64) {}
    /// All bytes have come, and their content is being checked and hashed.
    fn checking(&self, _name: &str) {}
    /// The file is in the folder.
    fn done(&self, _name: &str, _bytes: u64) {}
    /// The file was in the folder, and the server has no newer one.
    fn unchanged(&self, _name: &str, _bytes: u64) {}
    /// The file was looked for and need not exist: one that goes on another.
    fn absent(&self, _name: &str) {}
    /// Fetching failed for a reason that may pass; it is tried again after the wait.
    fn retried(&self, _name: &str, _error: &FileError, _wait: Duration) {}
    /// The file was given up; others follow.
    fn failed(&self, _failure: &Failure) {}
    /// Something else to know, one clause.
    fn warned(&self, _text: &str) {}
}

/// Tells nobody.
#[cfg(any(test, feature = "internals"))]
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

#[cfg(any(test, feature = "internals"))]
impl Progress for Silent {}
