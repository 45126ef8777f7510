//! Why downloading fails: as a whole ([`FetchError`]) or for one file ([`Failure`]), and which of
//! the latter may pass.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::durable::is_full;

/// How many unfinished files an error names: who has more looks into the folder.
const LEFTOVER_NAMED_MAX: usize = 5;

/// Why downloading ends.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The plan is empty.
    #[error("nothing to download: name a part of the master file, a list or a year of returns")]
    NothingPlanned,
    /// Another process downloads into the folder.
    #[error("{}: another almoner fetch is under way there: wait for it to end", path.display())]
    Running { path: PathBuf },
    /// What should be a folder is something else.
    #[error("{}: expected a folder to download into, found a file: name another", path.display())]
    NotAFolder { path: PathBuf },
    /// The operating system refused.
    #[error("cannot use {}: check its permissions and its disk", path.display())]
    Io {
        path: PathBuf,
        #[source]
        error: io::Error,
    },
    /// The disk is full; what came so far is kept.
    #[error(
        "{}: the disk is full: make room and run this again, it goes on where it stopped",
        path.display()
    )]
    DiskFull { path: PathBuf },
    /// A proxy of the environment that is of no use; the same for every file.
    #[error(
        "expected a proxy of the form http://host:port, found {found}: set HTTPS_PROXY to one, or \
         unset it and ALL_PROXY"
    )]
    Proxy { found: String },
    /// Neither threads nor sockets to be had.
    #[error("cannot start downloading")]
    Runtime(#[source] io::Error),
}

impl FetchError {
    /// For errors of one path.
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |error| {
            if is_full(&error) { Self::DiskFull { path } } else { Self::Io { path, error } }
        }
    }
}

/// A file that was given up.
#[derive(Debug, thiserror::Error)]
#[error("{name} was not downloaded from {address}")]
pub struct Failure {
    /// Name of the file.
    pub name: String,
    /// Where it was to come from.
    pub address: String,
    /// How often it was tried.
    pub attempts: u32,
    /// Why.
    #[source]
    pub error: FileError,
}

/// Why a file was not downloaded, or not at once.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// 404 or 410.
    #[error(
        "the server has no such file (status {status}): the IRS may have renamed it; see the page \
         that links to it, or download it by hand into the folder"
    )]
    Absent { status: u16 },
    /// 401 or 403.
    #[error(
        "the server refuses it (status {status}): try the address in a browser; if that works, \
         download it by hand into the folder"
    )]
    Refused { status: u16 },
    /// Any other status.
    #[error("expected status 200, found {status}: try again later")]
    Status { status: u16, retry_after: Option<Duration> },
    /// HTML, with a status of success.
    #[error(
        "expected a file, found a web page, as servers show in the place of a file that they do \
         not have or when they are down: try the address in a browser"
    )]
    WebPage,
    /// An answer of a form that is not taken.
    #[error("{0}")]
    Answer(String),
    /// No connection, or not HTTP that came over it.
    #[error("the connection failed")]
    Connection(#[source] Box<dyn Error + Send + Sync>),
    /// The server showed a certificate that is not to be trusted.
    #[error(
        "the server's certificate is not to be trusted: set the clock of this machine if it is \
         wrong, leave the network if it opens what is encrypted, or use another server, with a \
         certificate of a public authority"
    )]
    Certificate(#[source] Box<dyn Error + Send + Sync>),
    /// Nothing came for too long, or too little.
    #[error("{what} did not come within {} s", after.as_secs_f64())]
    Timeout { what: &'static str, after: Duration },
    /// The connection ended early.
    #[error("the file ended early, after {found} bytes{}", of(*expected))]
    Truncated { expected: Option<u64>, found: u64 },
    /// 206 with other bytes than were asked for, or 416.
    #[error("expected the bytes from {expected} on, found {found}: the download starts over")]
    Range { expected: u64, found: String },
    /// All bytes came, and they are not what they should be.
    #[error("what came is not what it should be: {why}")]
    Content { why: String, resumed: bool },
    /// More than the folder may hold.
    #[error(
        "the files of the folder would have {bytes} bytes, more than the {bytes_max} that they \
         may: allow more, or remove files{}",
        named(leftover)
    )]
    DiskBound {
        bytes: u64,
        bytes_max: u64,
        /// Unfinished files that are in the folder and not in the plan, of which some may be large.
        leftover: Vec<PathBuf>,
    },
    /// Less than what must stay free.
    #[error("the disk would have {free} bytes left, less than the {reserve} to be kept: make room")]
    DiskReserve { free: u64, reserve: u64 },
    /// The operating system refused.
    #[error("cannot write {}", path.display())]
    Io {
        path: PathBuf,
        #[source]
        error: io::Error,
    },
    /// What ends the run, for it would be the same with every file.
    #[error(transparent)]
    Run(#[from] FetchError),
}

impl FileError {
    /// For errors of one path.
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |error| match is_full(&error) {
            true => FetchError::DiskFull { path }.into(),
            false => Self::Io { path, error },
        }
    }

    /// For errors of connecting, and of what comes over the connection.
    pub(super) fn connection(error: impl Error + Send + Sync + 'static) -> Self {
        let mut causes = std::iter::successors(Some(&error as &(dyn Error + 'static)), |cause| {
            (**cause).source()
        });
        // The text of `rustls::Error::InvalidCertificate`, whose type is out of reach here: an
        // `io::Error` that wraps another does not name it as its source, but shows its text.
        let is_distrusted =
            causes.any(|cause| cause.to_string().starts_with("invalid peer certificate"));
        let error = Box::new(error);
        if is_distrusted { Self::Certificate(error) } else { Self::Connection(error) }
    }

    /// Whether the server says that it has no such file, in one way or another.
    pub(super) fn is_absence(&self) -> bool {
        matches!(self, Self::Absent { .. } | Self::WebPage)
    }

    /// Whether another attempt may come to something else.
    pub(super) fn may_pass(&self) -> bool {
        match self {
            Self::Connection(_) | Self::Timeout { .. } | Self::Truncated { .. } => true,
            Self::Status { status: 408 | 425 | 429 | 500..=599, .. } => true,
            // Bytes of two versions may have been joined.
            Self::Range { .. } | Self::Content { resumed: true, .. } => true,
            _ => false,
        }
    }

    /// Whether what came must not be gone on with.
    pub(super) fn is_of_bytes(&self) -> bool {
        matches!(self, Self::Range { .. } | Self::Content { .. })
    }
}

fn of(expected: Option<u64>) -> String {
    expected.map_or_else(String::new, |bytes| format!(" of {bytes}"))
}

/// Files to remove, as a clause.
fn named(leftover: &[PathBuf]) -> String {
    if leftover.is_empty() {
        return String::new();
    }
    let names = leftover.iter().take(LEFTOVER_NAMED_MAX).map(|path| path.display().to_string());
    let more = match leftover.len().saturating_sub(LEFTOVER_NAMED_MAX) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(
        ", such as the unfinished ones that are not asked for now: {}{more}",
        names.collect::<Vec<_>>().join(", ")
    )
}
