//! What there is to build from: which files, what each is, and what it holds.
//!
//! [`discover()`] finds the sources among files and folders and recognises each by its content, not
//! its name; [`read()`] streams one of them, as [`Record`]s and [`Reject`]s. How bytes become records
//! is the business of `irs` and `curated`; this module knows files, folders, ZIPs and limits.

mod assignments;
mod candidates;
mod discover;
mod document;
mod doubts;
mod error;
mod event;
mod extraction;
mod hash;
mod read;
mod recognise;
mod returns;
mod sheets;
mod vintage;
mod workbook;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::curated::Item;
use crate::irs::{self, List, ListRow};
use crate::record::{Date, Ein, Filing, Month, Schedules, named};

pub use crate::irs::DatedBy;
pub use assignments::Assignment;
pub use discover::{DiscoverError, Discovery, SkippedFile, discover};
pub use doubts::{doubts, older};
pub use error::ReadError;
pub use event::Event;
#[cfg(feature = "tables")]
pub use extraction::{ExtractError, Extraction, Part, extract};
pub use extraction::{Extracted, FORM as EXTRACTION_FORM};
pub(crate) use hash::{hash, modified};
pub use read::read;
#[cfg(any(test, feature = "internals"))]
pub use read::read_bytes;
pub use recognise::{Content, HEAD_BYTES, Unusable, recognise};
pub(crate) use returns::zip_members;
pub use sheets::{Sheets, SheetsError};
pub use vintage::Vintage;

macro_rules! source_kinds {
    (
        { $($(#[$doc:meta])+ $list:ident = $name:literal, $entry:tt)+ }
        { $($(#[$later_doc:meta])+ $later:ident = $later_name:literal, $later_entry:tt)+ }
    ) => {
        named! {
            /// What a source is.
            #[derive(PartialOrd, Ord, JsonSchema, Serialize, Deserialize)]
            #[serde(rename_all = "snake_case")]
            #[schemars(inline)]
            SourceKind {
                $($(#[$doc])+ $list = $name,)+
                /// Returns of the Form 990 series as filed, XML: one, those of a folder, or those of a ZIP.
                Returns = "Form 990 returns",
                $($(#[$later_doc])+ $later = $later_name,)+
                /// Stories, metrics, posts, articles, knowledge, funds and overlays, newline-delimited JSON.
                Curated = "curated records",
                /// Posts of one nonprofit, RSS or Atom.
                Feed = "RSS or Atom feed",
                /// An annual report of one nonprofit: PDF, web page, Word document or plain text.
                Report = "annual report",
            }
        }
    };
}

irs::lists!(source_kinds);

impl SourceKind {
    /// The list that it is, if it is one.
    pub fn list(self) -> Option<List> {
        List::named(self.name())
    }
}

impl From<List> for SourceKind {
    fn from(list: List) -> Self {
        Self::named(list.name()).expect("every list is a kind of source of the same name")
    }
}

/// The part of a path that is the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourcePart {
    /// The file.
    File,
    /// A member of the ZIP file, by its name.
    Member(String),
    /// The sheet of the Excel workbook, by its name.
    Sheet(String),
    /// Every return in the ZIP file.
    Members,
    /// These files of the folder, each a return, by their names.
    Files(Vec<String>),
    /// What was extracted of returns, wherever they were.
    Extracted(Extracted),
}

/// One recognised source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The file, or the folder of [`SourcePart::Files`].
    pub path: PathBuf,
    /// What of it.
    pub part: SourcePart,
    /// What it is.
    pub kind: SourceKind,
    /// Whose a feed or a report is, when it is known.
    pub assignment: Option<Assignment>,
    /// Folders around it that its name shows: as many as tell it from the other sources.
    pub folders: usize,
}

impl Source {
    /// File or folder name, with as many folders around it as tell it from other sources, and that of the ZIP
    /// member or of the sheet after `!`.
    pub fn name(&self) -> String {
        let parts: Vec<_> = parts_of(&self.path).map(|part| part.to_string_lossy()).collect();
        let shown = parts.len().saturating_sub(self.folders.saturating_add(1));
        let file = parts[shown..].join("/");
        match &self.part {
            SourcePart::Member(part) | SourcePart::Sheet(part) => format!("{file}!{part}"),
            SourcePart::File | SourcePart::Members => file,
            SourcePart::Extracted(extracted) if !extracted.is_of_folder() => file,
            SourcePart::Files(_) | SourcePart::Extracted(_) => format!("{file}/"),
        }
    }
}

/// The parts of a path, without its root.
fn parts_of(path: &Path) -> impl Iterator<Item = &OsStr> {
    path.components().filter_map(|part| match part {
        Component::Normal(part) => Some(part),
        _ => None,
    })
}

/// A validated record of any source.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    /// Of one of the IRS's lists.
    Row(ListRow),
    /// A return, and what it lists.
    Filing(Box<Filing>, Box<Schedules>),
    /// Form 990-T: whose, and the last month of its tax period.
    UnrelatedBusiness(Ein, Month),
    /// Of curated records or a feed.
    Item(Item),
    /// The bytes of an annual report, unread: they are read where what is known of them is kept.
    Report(Vec<u8>),
}

/// A row, a line or a return that could not be read: where it stands, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reject {
    /// The source's name, as [`Source::name`]; of several returns, that of the file.
    pub source: String,
    /// Line of the file, from 1.
    pub line: u64,
    /// The column, key or element at fault, or `row`.
    pub field: String,
    /// What was expected.
    pub reason: String,
    /// What stood there, at most 120 characters.
    pub found: String,
}

/// What reading a source to its end found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// What it is.
    pub kind: SourceKind,
    /// As [`Source::name`].
    pub name: String,
    /// Bytes read (of a ZIP: of the whole file).
    pub bytes: u64,
    /// SHA-256 of those bytes, in hexadecimal; of the files of a folder, that of their own
    /// SHA-256s and names, a line each, as `sha256sum` prints them.
    pub sha256: String,
    /// When it, or the last of its files, was last modified: seconds since 1970.
    pub modified_seconds: u64,
    /// The latest day that its rows give, none after the file's own: of posting in the revocation
    /// list, of ruling in the master file, of filing among returns.
    #[serde(default)]
    pub latest_row: Option<Date>,
    /// The latest of these days that is no mistake of a row or two, whatever the file's own.
    #[serde(default)]
    pub common_day: Option<Date>,
    /// Rows, lines or returns of use.
    pub rows: u64,
    /// Those that could not be read.
    pub rejects: u64,
    /// What was left out of records that are still of use, by column or key.
    #[serde(default)]
    pub warnings: BTreeMap<String, u64>,
}
