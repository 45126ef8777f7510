//! How to download: where to, from where, how much, how patiently.

use std::path::PathBuf;
use std::time::Duration;

use super::address::BaseUrl;

/// What the folder may hold unless told otherwise: everything but returns has 1 GB, a year of
/// returns up to 5 GB, so three years fit and a mistaken range of years ends early.
pub const DISK_BYTES_MAX: u64 = 20_000_000_000;

/// What is left free on the file system unless told otherwise: other programs need some.
pub const DISK_RESERVE_BYTES: u64 = 1_000_000_000;

/// How often a file is tried again without getting further, unless told otherwise: with the waits
/// below this bridges some two minutes of outage.
pub const RETRIES: u32 = 6;

/// How many bytes of a file must come within every [`Timeouts::pace`], some 220 a second unless told
/// otherwise: at less than that the smallest part of the master file would take days.
pub const PACE_BYTES_MIN: u64 = 64 * 1024;

/// How to download.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The folder to download into, made when there is none.
    pub folder: PathBuf,
    /// Another server in the place of the IRS's, scheme and host; paths stay.
    pub base_url: Option<BaseUrl>,
    /// The most that all files of the folder together may have, partial ones included; of a file
    /// that is being replaced only the new one counts.
    pub disk_bytes_max: u64,
    /// What must stay free on the file system of the folder. Not held on systems other than Unix.
    pub disk_reserve_bytes: u64,
    /// How often a file is tried again without getting further.
    pub retries: u32,
    /// When to give up waiting.
    pub timeouts: Timeouts,
    /// How long to wait before trying again.
    pub backoff: Backoff,
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
            timeouts: Timeouts::default(),
            backoff: Backoff::default(),
        }
    }
}

/// When to give up waiting. There is no limit for a whole file: gigabytes on a slow line take hours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// For a connection to one address of the server: a packet that is lost is sent again after 1,
    /// 3 and 7 seconds.
    pub connect: Duration,
    /// From the request, connecting and TLS included, to the last line of the answer's head.
    pub head: Duration,
    /// Between any two pieces of a file.
    pub stall: Duration,
    /// For every [`PACE_BYTES_MIN`] of a file: pieces of one byte each never stall, and would keep a
    /// run for years.
    pub pace: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(20),
            head: Duration::from_secs(60),
            stall: Duration::from_secs(60),
            pace: Duration::from_secs(300),
        }
    }
}

/// How long to wait before trying again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backoff {
    /// Before the first time; double before each further one. Between half of it and all of it, by
    /// chance, so that many who failed together do not come back together.
    pub first: Duration,
    /// At most, unless the server asks for more.
    pub longest: Duration,
    /// The most that a server may ask for (`Retry-After`); who asks for more is not tried again.
    pub asked_max: Duration,
}

impl Default for Backoff {
    fn default() -> Self {
        Self {
            first: Duration::from_secs(2),
            longest: Duration::from_secs(60),
            asked_max: Duration::from_secs(300),
        }
    }
}
