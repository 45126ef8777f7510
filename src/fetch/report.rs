//! What came of downloading.

use super::error::Failure;

/// What came of it.
#[derive(Debug, Default)]
pub struct Report {
    /// Files that are in the folder as the server has them, in the order of the plan.
    pub files: Vec<FetchedFile>,
    /// Files that were given up.
    pub failures: Vec<Failure>,
    /// Other things to know, one clause each.
    pub warnings: Vec<String>,
}

impl Report {
    /// Whether nothing was given up.
    pub fn is_complete(&self) -> bool {
        self.failures.is_empty()
    }
}

/// A file in the folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchedFile {
    /// Its name.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// Whether it came now.
    pub change: Change,
}

/// Whether a file came now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It came now.
    Downloaded,
    /// It was there, and the server has no newer one.
    Unchanged,
}
