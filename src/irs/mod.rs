//! IRS bytes to records or faults.
//!
//! The lists of rows ([`List`]) are recognised by [`recognise()`] and streamed in constant memory by
//! [`read()`], as [`ListRow`]s and [`FieldError`]s; [`efile`] reads one return. No file system, no index and no
//! store is known here.
//!
//! To add a list: a file with the type of its rows and its `layout::ListFormat`, and a variant of [`List`] and of
//! [`ListRow`].

mod approval;
pub mod efile;
pub mod extract;
mod filing_index;
mod layout;
mod master;
mod pipes;
mod read;
mod recognise;
mod records;
mod text;
mod website;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::record::{Date, named};

pub use approval::ApprovalRow;
#[cfg(test)]
pub(crate) use approval::COLUMNS as APPROVAL_COLUMNS;
pub use extract::ExtractRow;
pub use filing_index::{IndexRow, IndexedForm};
use layout::ListFormat;
pub use layout::{FieldError, Warnings};
pub use master::MasterRow;
pub use pipes::{PostcardRow, Publication78Row, RevocationRow};
pub use read::{Counts, Event, ReadError, read};
pub use recognise::{Extent, Head, recognise};
pub use records::BYTE_ORDER_MARK;
pub use website::website;

named! {
    serde:
    /// A list of rows that the IRS publishes.
    #[derive(PartialOrd, Ord, Serialize, Deserialize)]
    #[allow(clippy::enum_variant_names)] // The IRS calls one of them a list.
    List {
        /// Exempt Organizations Business Master File extract, CSV.
        MasterFile = "master_file",
        /// Publication 78 data, pipe-separated.
        Publication78 = "publication78",
        /// Automatic revocation of exemption list, pipe-separated.
        RevocationList = "revocation_list",
        /// Form 990-N (e-Postcard), pipe-separated.
        Postcard = "postcard",
        /// Annual extract of financial data, CSV or separated by blanks.
        Extract = "extract",
        /// Form 1023-EZ approvals, a sheet of a workbook or CSV.
        Approvals = "approvals",
        /// Index of e-filed returns, CSV.
        FilingIndex = "filing_index",
    }
}

impl List {
    /// How its files are read.
    fn format(self) -> &'static ListFormat {
        match self {
            Self::MasterFile => &master::FORMAT,
            Self::Publication78 => &pipes::PUBLICATION_78,
            Self::RevocationList => &pipes::REVOCATIONS,
            Self::Postcard => &pipes::POSTCARDS,
            Self::Extract => &extract::FORMAT,
            Self::Approvals => &approval::FORMAT,
            Self::FilingIndex => &filing_index::FORMAT,
        }
    }
}

/// A validated row of any list.
#[derive(Debug, Clone, PartialEq)]
pub enum ListRow {
    Master(Box<MasterRow>),
    Publication78(Publication78Row),
    Revocation(RevocationRow),
    Postcard(PostcardRow),
    Extract(ExtractRow),
    Approval(Box<ApprovalRow>),
    Indexed(IndexRow),
}

impl ListRow {
    /// The day on which the IRS posted it or ruled, where it gives one.
    pub fn day(&self) -> Option<Date> {
        match self {
            Self::Master(row) => {
                row.ruling.and_then(|month| Date::new(month.year(), month.month(), 1))
            }
            Self::Revocation(row) => row.posted,
            _ => None,
        }
    }
}
