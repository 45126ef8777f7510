//! IRS bytes to records or faults.
//!
//! The lists of rows ([`List`]) are recognised by [`recognise()`] and streamed in constant memory by
//! [`read()`], as [`ListRow`]s and [`FieldError`]s; [`efile`] reads one return. No file system, no index and no
//! store is known here.
//!
//! To add a list: a file with the type of its rows and its `layout::ListFormat`, and an entry of `lists!`.

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

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::record::{Date, Ein, Organization, named};

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

/// Calls a macro with every list, in two groups, between which kinds of sources have the returns. Of several rows of an
/// EIN that of the greatest `rank` counts, and of one rank the last.
macro_rules! lists {
    ($then:ident) => {
        $then! {
            {
                /// Exempt Organizations Business Master File extract, CSV.
                MasterFile = "IRS master file extract", {
                    expected: "a master file extract (CSV with the header EIN,NAME,ICO,…)", format: master::FORMAT,
                    rows: Box<MasterRow>, rank: |row| row.tax_period.map_or(0, |month| u32::from(month.ordinal()) + 1)
                }
                /// Publication 78 data, pipe-separated.
                Publication78 = "Publication 78 data", {
                    expected: "Publication 78 data", format: pipes::PUBLICATION_78,
                    rows: Publication78Row, rank: |_| 0
                }
                /// Automatic revocation of exemption list, pipe-separated.
                RevocationList = "automatic revocation list", {
                    expected: "the automatic revocation list", format: pipes::REVOCATIONS,
                    rows: RevocationRow, rank: |row| row.revoked.pack()
                }
                /// Form 990-N (e-Postcard), pipe-separated.
                Postcard = "Form 990-N (e-Postcard)", {
                    expected: "Form 990-N data (pipe-separated)", format: pipes::POSTCARDS,
                    rows: PostcardRow, rank: |row| row.tax_year.into()
                }
            }
            {
                /// Annual extract of financial data (Statistics of Income), CSV or separated by blanks.
                Extract = "annual extract of returns", {
                    expected: "an annual extract", format: extract::FORMAT, rows: ExtractRow, rank: |_| 0
                }
                /// Form 1023-EZ approvals, a sheet of a workbook or CSV.
                Approvals = "Form 1023-EZ approvals", {
                    expected: "Form 1023-EZ approvals (.xlsx)", format: approval::FORMAT,
                    rows: Box<ApprovalRow>, rank: |row| row.submitted
                }
                /// Index of e-filed returns, CSV.
                FilingIndex = "index of e-filed returns", {
                    expected: "an index of e-filed returns", format: filing_index::FORMAT,
                    rows: IndexRow, rank: |row| row.tax_period.ordinal().into()
                }
            }
        }
    };
}

pub(crate) use lists;

macro_rules! declare {
    ($({ $($(#[$doc:meta])+ $list:ident = $name:literal, {
        expected: $expected:literal, format: $format:path, rows: $row:ty, rank: $rank:expr
    })+ })+) => {
        named! {
            /// A list of rows.
            #[derive(PartialOrd, Ord)]
            #[allow(clippy::enum_variant_names)] // The IRS calls one of them a list.
            List { $($($(#[$doc])+ $list = $name,)+)+ }
        }

        impl List {
            /// What is expected of each, in order.
            pub const EXPECTED: [&str; Self::ALL.len()] = [$($($expected,)+)+];

            /// How its files are read.
            fn format(self) -> &'static ListFormat {
                match self { $($(Self::$list => &$format,)+)+ }
            }
        }

        /// A validated row of any list.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        pub enum ListRow { $($($list($row),)+)+ }

        impl ListRow {
            /// Its list, whose it is, and its rank.
            pub fn key(&self) -> (List, Ein, u64) {
                match self {
                    $($(Self::$list(row) => {
                        let rank: fn(&$row) -> u32 = $rank;
                        (List::$list, row.ein, rank(row).into())
                    })+)+
                }
            }
        }
    };
}

lists!(declare);

named! {
    /// What a vintage is taken from.
    #[derive(JsonSchema, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[schemars(inline)]
    DatedBy {
        /// The latest day on which the list posted a row.
        Posting = "latest posting in it",
        /// A date in the file's name; of a month the first day.
        Name = "its name",
        /// The latest month of a ruling in it, as its first day.
        Ruling = "latest ruling in it",
        /// The latest day on which a return in it was filed.
        Filing = "latest filing in it",
        /// When the file was last modified, or downloaded.
        Download = "the file's own date",
    }
}

impl List {
    /// What the days of its rows are.
    pub fn dated_by(self) -> DatedBy {
        match self {
            Self::MasterFile => DatedBy::Ruling,
            Self::RevocationList => DatedBy::Posting,
            _ => DatedBy::Filing,
        }
    }
}

impl ListRow {
    /// The day on which the IRS posted it or ruled, where it gives one.
    pub fn day(&self) -> Option<Date> {
        match self {
            Self::MasterFile(row) => {
                row.ruling.and_then(|month| Date::new(month.year(), month.month(), 1))
            }
            Self::RevocationList(row) => row.posted,
            _ => None,
        }
    }

    /// The name that it has the nonprofit under, of a list that may have another one under the EIN.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Approvals(row) => Some(&row.name),
            _ => None,
        }
    }

    /// Completes the record of its nonprofit, in which what is known from elsewhere stays; `source` is the position of
    /// its file in the manifest. `build` itself takes in the lists that are more than that.
    pub fn complete(self, organization: &mut Organization, source: u32) {
        match self {
            Self::Approvals(row) => row.complete(organization, source),
            Self::MasterFile(_) | Self::Publication78(_) | Self::RevocationList(_) => {}
            Self::Postcard(_) | Self::Extract(_) | Self::FilingIndex(_) => {}
        }
    }
}
