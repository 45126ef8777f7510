//! IRS bytes to records or faults.
//!
//! The lists of rows ([`List`]) are recognised by [`recognise()`] and streamed in constant memory by
//! [`read()`], as [`ListRow`]s and [`FieldError`]s; [`efile`] reads one return. No file system, no index and no
//! store is known here.
//!
//! To add a list: a variant of [`List`], its lines in `read` and `recognise`, and a file with its
//! columns and its `layout::RowReader`.

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

use crate::record::{
    Date, Deductibility, Ein, FilingRequirement, Form, Formation, Foundation, GroupNumber, Month,
    Ntee, State, Subsection, Totals, Usd, Zip5, named, partly_known,
};

#[cfg(test)]
pub(crate) use approval::COLUMNS as APPROVAL_COLUMNS;
pub use layout::{FieldError, Warnings};
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

partly_known! {
    /// A row of the master file, validated; texts as the file spells them, trimmed, empty as `None`.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct MasterRow, made by
    /// A row of which nothing but the EIN and the name is known.
    pub named {
        ein: Ein,
        name: String,
    } {
        in_care_of: Option<String>,
        street: Option<String>,
        city: Option<String>,
        state: Option<State>,
        /// `None` for `00000-0000`, which the file writes for addresses abroad.
        zip: Option<Zip5>,
        group: Option<GroupNumber>,
        subsection: Option<Subsection>,
        affiliation: Option<u8>,
        /// `None` for `0000`.
        classification: Option<String>,
        /// `None` for `000000`.
        ruling: Option<Month>,
        deductibility: Option<Deductibility>,
        foundation: Option<Foundation>,
        /// `None` for `000000000`.
        activity: Option<String>,
        organization: Option<u8>,
        status: Option<u8>,
        /// `None` for `000000`.
        tax_period: Option<Month>,
        asset_class: Option<u8>,
        income_class: Option<u8>,
        filing_requirement: Option<FilingRequirement>,
        private_foundation_filing: Option<u8>,
        /// 1 to 12; `None` for `00`.
        accounting_month: Option<u8>,
        assets: Option<Usd>,
        income: Option<Usd>,
        /// `None` also for the 0 that stands for a filer of Form 990-N, which reports no revenue.
        revenue: Option<Usd>,
        ntee: Option<Ntee>,
        sort_name: Option<String>,
        /// Columns that hold something malformed, which is `None` above.
        unreadable: Vec<String>,
    }
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
    pub street: Option<String>,
    pub city: Option<String>,
    /// `None` abroad.
    pub state: Option<State>,
    pub zip: Option<Zip5>,
    pub subsection: Option<Subsection>,
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

/// A row of an annual extract: the figures of one return.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExtractRow {
    pub ein: Ein,
    pub form: Form,
    /// Last month of the tax period.
    pub tax_period: Month,
    pub subsection: Option<Subsection>,
    pub revenue: Option<Usd>,
    pub expenses: Option<Usd>,
    pub assets: Option<Usd>,
    pub liabilities: Option<Usd>,
    pub net_assets: Option<Usd>,
    pub employees: Option<u32>,
    /// Contributions, revenue of programmes, dues, investment income, grants paid.
    pub totals: Box<Totals>,
}

/// A row of the Form 1023-EZ approvals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ApprovalRow {
    pub ein: Ein,
    pub name: String,
    /// When it applied, as year and day of the year (2014269); 0 when the row does not say.
    pub submitted: u32,
    /// Normalised.
    pub website: Option<String>,
    /// In sentence case; no workbook before 2018 has one.
    pub mission: Option<String>,
    /// The code that the applicant chose.
    pub ntee: Option<Ntee>,
    pub formation: Formation,
}

/// A row of the index of e-filed returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexRow {
    pub ein: Ein,
    pub form: IndexedForm,
    /// Last month of the tax period.
    pub tax_period: Month,
    /// The IRS's number of the return, 18 digits.
    pub object_id: u64,
}

/// What a return is that the index lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexedForm {
    /// One that carries a profile.
    Profile(Form),
    /// Form 990-T: income from business that is not related to the exemption.
    UnrelatedBusiness,
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
