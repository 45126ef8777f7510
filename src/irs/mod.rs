//! IRS bytes to records or rejects, one file per IRS publication.
//!
//! [`discover()`] finds the sources among files and folders and recognises each by its content;
//! [`read()`] streams one of them in constant memory, as [`Row`]s and [`Reject`]s. No index and no
//! store is known here.
//!
//! To add a publication: a variant of [`Kind`], its lines in `recognise`, and a file with its
//! `layout::Layout`.

mod discover;
mod layout;
mod master;
mod postcard;
mod publication_78;
mod read;
mod recognise;
mod records;
mod revocation;
mod text;
mod website;

#[cfg(test)]
mod mutation_tests;
#[cfg(test)]
mod reader_tests;
#[cfg(test)]
mod real_file_tests;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::record::{
    Date, Deductibility, Ein, FilingRequirement, Foundation, GroupNumber, Month, Ntee, State,
    Subsection, Usd, Zip5,
};

pub use discover::{DiscoverError, Discovery, Skipped, discover};
pub use read::{Event, ReadError, read, read_bytes};
pub use recognise::{Content, HEAD_BYTES, recognise};
pub use website::website;

/// What a source is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Exempt Organizations Business Master File extract, CSV.
    MasterFile,
    /// Publication 78 data, pipe-separated.
    Publication78,
    /// Automatic revocation of exemption list, pipe-separated.
    RevocationList,
    /// Form 990-N (e-Postcard), pipe-separated.
    Postcard,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 4] =
        [Self::MasterFile, Self::Publication78, Self::RevocationList, Self::Postcard];

    /// What people call it.
    pub fn title(self) -> &'static str {
        match self {
            Self::MasterFile => "IRS master file extract",
            Self::Publication78 => "Publication 78 data",
            Self::RevocationList => "automatic revocation list",
            Self::Postcard => "Form 990-N (e-Postcard)",
        }
    }
}

/// A row of the master file, validated; texts as the file spells them, trimmed, empty as `None`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MasterRow {
    pub ein: Ein,
    pub name: String,
    pub in_care_of: Option<String>,
    pub street: Option<String>,
    pub city: Option<String>,
    pub state: Option<State>,
    /// `None` for `00000-0000`, which the file writes for addresses abroad.
    pub zip: Option<Zip5>,
    pub group: Option<GroupNumber>,
    pub subsection: Option<Subsection>,
    pub affiliation: Option<u8>,
    /// `None` for `0000`.
    pub classification: Option<String>,
    /// `None` for `000000`.
    pub ruling: Option<Month>,
    pub deductibility: Option<Deductibility>,
    pub foundation: Option<Foundation>,
    /// `None` for `000000000`.
    pub activity: Option<String>,
    pub organization: Option<u8>,
    pub status: Option<u8>,
    /// `None` for `000000`.
    pub tax_period: Option<Month>,
    pub asset_class: Option<u8>,
    pub income_class: Option<u8>,
    pub filing_requirement: Option<FilingRequirement>,
    pub private_foundation_filing: Option<u8>,
    /// 1 to 12; `None` for `00`.
    pub accounting_month: Option<u8>,
    pub assets: Option<Usd>,
    pub income: Option<Usd>,
    /// `None` also for the 0 that stands for a filer of Form 990-N, which reports no revenue.
    pub revenue: Option<Usd>,
    pub ntee: Option<Ntee>,
    pub sort_name: Option<String>,
}

/// A row of Publication 78: contributions to the organization are deductible.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Publication78Row {
    pub ein: Ein,
    /// Deductibility codes, such as `PC` or `SO`.
    pub codes: Vec<String>,
}

/// A row of the automatic revocation list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RevocationRow {
    pub ein: Ein,
    pub name: String,
    pub doing_business_as: Option<String>,
    pub revoked: Date,
    pub posted: Option<Date>,
    pub reinstated: Option<Date>,
}

/// A row of Form 990-N.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PostcardRow {
    pub ein: Ein,
    pub tax_year: u16,
    pub name: String,
    /// Normalised; `None` for `N/A`, `NONE` and what is no web address.
    pub website: Option<String>,
    pub doing_business_as: Vec<String>,
}

/// A validated row of any source.
#[derive(Debug, Clone, PartialEq)]
pub enum Row {
    Master(Box<MasterRow>),
    Publication78(Publication78Row),
    Revocation(RevocationRow),
    Postcard(PostcardRow),
}

/// A row that could not be read: where it stands, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reject {
    /// The source's name, as [`Source::name`].
    pub source: String,
    /// Line of the file, from 1.
    pub line: u64,
    /// The column at fault, as the IRS names it, or `row`.
    pub field: String,
    /// What was expected.
    pub reason: String,
    /// What stood there, at most 120 characters.
    pub found: String,
}

/// One recognised source: a file, or a member of a ZIP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    pub path: PathBuf,
    /// Name within the ZIP, when the file is one.
    pub member: Option<String>,
    pub kind: Kind,
}

impl Source {
    /// File name, with the ZIP member's after `!`.
    pub fn name(&self) -> String {
        let file = self.path.file_name().unwrap_or(self.path.as_os_str()).to_string_lossy();
        match &self.member {
            Some(member) => format!("{file}!{member}"),
            None => file.into_owned(),
        }
    }
}

/// What reading a source to its end found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    pub kind: Kind,
    /// File name, with the ZIP member's after `!`.
    pub name: String,
    /// Bytes read (of a ZIP: of the whole file).
    pub bytes: u64,
    /// SHA-256 of those bytes, in hexadecimal.
    pub sha256: String,
    /// When the file was last modified: seconds since 1970.
    pub modified_seconds: u64,
    pub rows: u64,
    pub rejects: u64,
    /// Malformed fields that were left out of rows that are still of use, by column.
    #[serde(default)]
    pub warnings: BTreeMap<String, u64>,
}
