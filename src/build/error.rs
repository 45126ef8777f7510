//! Why a build publishes nothing.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use std::sync::Arc;

use super::arena::ArenaError;
use crate::embed::{self, CacheError};
use crate::index::{columns, fulltext, typeahead, vectors};
use crate::mapped::{self, WriteError};
use crate::matching::MatchError;
use crate::record::{Date, Timestamp, thousands};
use crate::sources::{DiscoverError, ReadError, Reject};
use crate::store::StoreError;

/// Why nothing was built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    #[error(transparent)]
    Discover(#[from] DiscoverError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(
        "no input has an organization: expected at least one row of the IRS master file extract \
         (CSV that begins EIN,NAME,ICO) or one Form 990 return"
    )]
    NoOrganizations,
    #[error(
        "{name}: {rejects} of {lines} rows, lines or returns were rejected, more than {limit_percent} %; the \
         first: {}; all are in {}; if that is what they should be, raise --reject-limit",
        reject_lines(first), list.display()
    )]
    TooManyRejects {
        name: String,
        rejects: u64,
        lines: u64,
        limit_percent: f64,
        first: Vec<Reject>,
        list: PathBuf,
    },
    #[error(
        "{}: more than {limit} records in all, several times what the IRS lists: check whether \
         the file is what it should be",
        path.display()
    )]
    TooManyRecords { path: PathBuf, limit: u64 },
    #[error(
        "{}: with it the sources hold more than {limit_gib} GiB of records: leave out older returns or \
         posts",
        path.display()
    )]
    TooMuch { path: PathBuf, limit_gib: u64 },
    #[error("expected {what} of 0 to 100 percent, found {found}")]
    Percentage { what: &'static str, found: f64 },
    #[error(
        "the clock says {now}, but {name} states {stated}: expected a clock that is not behind what is read; set it \
         (by NTP, for example) and build again, or leave {name} out if it is wrong"
    )]
    Clock { now: Timestamp, name: String, stated: Date },
    #[error(
        "much would be lost: {} fell, more than {max_percent} % below snapshot {snapshot}, which stays published; check \
         that no input is missing or cut short; if this is all that there should be, allow it with --fall-max 100, or \
         build into another data directory",
        list(falls)
    )]
    Falls { snapshot: String, falls: Vec<Fall>, max_percent: f64 },
    #[error(
        "{} is neither empty nor a data directory; name a new or an empty folder", path.display()
    )]
    NotADataDirectory { path: PathBuf },
    #[error("another build is running in {}; wait for it to end", path.display())]
    Running { path: PathBuf },
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(transparent)]
    Row(#[from] ArenaError),
    #[error("cannot write the records")]
    Store(#[from] StoreError),
    #[error("cannot write the columns")]
    Columns(#[from] columns::BuildError),
    #[error("cannot write the typeahead index")]
    Typeahead(#[from] typeahead::BuildError),
    #[error("cannot write the full-text index")]
    Fulltext(#[from] fulltext::BuildError),
    #[error("cannot read what was just written")]
    ReadAgain {
        #[source]
        source: mapped::OpenError,
    },
    #[error("cannot find the recipients of grants")]
    Match(#[from] MatchError),
    #[error("cannot use the model; --no-semantic builds without one")]
    Model(#[from] Arc<embed::Error>),
    #[error("cannot embed a text")]
    Embed(#[from] embed::Error),
    #[error(transparent)]
    Cache(#[from] CacheError),
    #[error(
        "{}: vectors of another model or form, expected those of {model}: write them again by `almoner embed --output` \
         of this program, with the same --model",
        path.display()
    )]
    VectorsOfAnother { path: PathBuf, model: String },
    #[error("texts are for a model: leave out --no-semantic")]
    NoModel,
    #[error("cannot keep the model's vectors")]
    Dimensions(#[from] vectors::DimsError),
    #[error("cannot write the vectors")]
    Vectors(#[from] vectors::BuildError),
}

/// What there would be less of than is published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fall {
    pub what: String,
    pub from: u64,
    pub to: u64,
}

impl fmt::Display for Fall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} from {} to {}", self.what, thousands(self.from), thousands(self.to))
    }
}

impl BuildError {
    /// What the system refused of a path.
    pub(super) fn io(path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> Self {
        let path = path.as_ref().to_owned();
        move |source| WriteError { path, source }.into()
    }
}

fn reject_lines(rejects: &[Reject]) -> String {
    let shown: Vec<String> = rejects
        .iter()
        .map(|reject| {
            let Reject { source, line, field, reason, found } = reject;
            format!("{source} line {line}, {field}: expected {reason}, found {found:?}")
        })
        .collect();
    shown.join("; ")
}

fn list(falls: &[Fall]) -> String {
    falls.iter().map(Fall::to_string).collect::<Vec<_>>().join(", ")
}
