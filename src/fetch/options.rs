//! How to download (where to, from where, how much, how patiently), what is reported meanwhile, and what
//! came of it.

use std::path::PathBuf;
use std::time::Duration;

use super::address::BaseUrl;
use super::error::{Failure, FileError};

/// What the folder may hold unless told otherwise: everything but returns has 1 GB, a year of
/// returns up to 5 GB, so three years fit and a mistaken range of years ends early.
pub const DISK_BYTES_MAX: u64 = 20_000_000_000;

/// What is left free on the file system unless told otherwise: other programs need some.
pub const DISK_RESERVE_BYTES: u64 = 1_000_000_000;

/// How often a file is tried again without getting further, unless told otherwise: with the waits
/// below this bridges some two minutes of outage.
pub const RETRIES: u32 = 6;

/// How many bytes of a file must come within every [`Options::pace_timeout`], some 220 a second unless
/// told otherwise: at less than that the smallest part of the master file would take days.
pub const PACE_BYTES_MIN: u64 = 64 * 1024;

/// How to download. There is no time limit for a whole file: gigabytes on a slow line take hours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The folder to download into, made when there is none.
    pub folder: PathBuf,
    /// Another server in the place of the IRS's, scheme and host; paths stay.
    pub base_url: Option<BaseUrl>,
    /// The most that all files of the folder together may have, partial ones included; of a file
    /// that is being replaced only the new one counts.
    pub disk_bytes_max: u64,
    /// What must stay free on the file system of the folder.
    pub disk_reserve_bytes: u64,
    /// How often a file is tried again without getting further.
    pub retries: u32,
    /// For a connection to one address of the server: a packet that is lost is sent again after 1,
    /// 3 and 7 seconds.
    pub connect_timeout: Duration,
    /// From the request, connecting and TLS included, to the last line of the answer's head.
    pub head_timeout: Duration,
    /// Between any two pieces of a file.
    pub stall_timeout: Duration,
    /// For every [`PACE_BYTES_MIN`] of a file: pieces of one byte each never stall, and would keep a
    /// run for years.
    pub pace_timeout: Duration,
    /// How long to wait before trying again; double before each further time. Between half of it and
    /// all of it, by chance, so that many who failed together do not come back together.
    pub first_wait: Duration,
    /// At most, unless the server asks for more.
    pub longest_wait: Duration,
    /// The most that a server may ask for (`Retry-After`); who asks for more is not tried again.
    pub retry_after_max: Duration,
}

impl Options {
    /// The usual ones.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            base_url: None,
            disk_bytes_max: DISK_BYTES_MAX,
            disk_reserve_bytes: DISK_RESERVE_BYTES,
            retries: RETRIES,
            connect_timeout: Duration::from_secs(20),
            head_timeout: Duration::from_secs(60),
            stall_timeout: Duration::from_secs(60),
            pace_timeout: Duration::from_secs(300),
            first_wait: Duration::from_secs(2),
            longest_wait: Duration::from_secs(60),
            retry_after_max: Duration::from_secs(300),
        }
    }
}

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

/// What came of downloading.
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
    /// Whether it came now; else it was there, and the server has no newer one.
    pub is_new: bool,
}
