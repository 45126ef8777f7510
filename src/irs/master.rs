//! The Exempt Organizations Business Master File extract: CSV, 28 columns, named by its header.
//!
//! Source: IRS, Exempt Organizations Business Master File, information sheet (`eo-info`). The
//! columns may stand in any order and others among them. EIN, NAME and a malformed SUBSECTION
//! decide over the row; any other malformed field is left out and counted.

use serde::{Deserialize, Serialize};

use super::ListRow;
use super::layout::{FieldError, Heading, Layout, ListFormat, Values, parsed};
use super::records::Dialect;
use crate::record::{
    Deductibility, Ein, FilingRequirement, Foundation, GroupNumber, Month, Ntee, State, Subsection,
    Usd, Zip5, partly_known,
};

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

/// The columns, in the order in which the IRS writes them.
pub(super) const COLUMNS: [&str; 28] = [
    "EIN",
    "NAME",
    "ICO",
    "STREET",
    "CITY",
    "STATE",
    "ZIP",
    "GROUP",
    "SUBSECTION",
    "AFFILIATION",
    "CLASSIFICATION",
    "RULING",
    "DEDUCTIBILITY",
    "FOUNDATION",
    "ACTIVITY",
    "ORGANIZATION",
    "STATUS",
    "TAX_PERIOD",
    "ASSET_CD",
    "INCOME_CD",
    "FILING_REQ_CD",
    "PF_FILING_REQ_CD",
    "ACCT_PD",
    "ASSET_AMT",
    "INCOME_AMT",
    "REVENUE_AMT",
    "NTEE_CD",
    "SORT_NAME",
];

/// How many of them make a header that of the master file; other files of the IRS share only EIN and a few more.
const COLUMNS_MIN: usize = 14;

pub(super) const FORMAT: ListFormat = ListFormat {
    columns: &COLUMNS,
    columns_min: COLUMNS_MIN,
    dialects: &[Dialect::Commas],
    heading: Heading::Named(|header| Layout::of_header(header, &COLUMNS, row)),
};

/// Whether a code is exactly `count` digits.
fn digits(code: &str, count: usize) -> bool {
    code.len() == count && code.bytes().all(|byte| byte.is_ascii_digit())
}

/// A number of exactly `count` digits, at most three.
fn number(count: usize) -> impl Fn(&str) -> Option<Option<u8>> {
    move |code| digits(code, count).then(|| code.parse().ok())
}

/// Digits kept as text; zeros only mean that there is none.
fn digit_text(count: usize) -> impl Fn(&str) -> Option<Option<String>> {
    move |code| {
        digits(code, count)
            .then(|| code.bytes().any(|digit| digit != b'0').then(|| code.to_owned()))
    }
}

/// `YYYYMM`; `000000` means none.
fn month(code: &str) -> Option<Option<Month>> {
    if code == "000000" {
        return Some(None);
    }
    Month::parse_yyyymm(code).ok().map(Some)
}

/// `12345-6789`, `123456789` or `12345`; `00000` stands for an address abroad.
pub(super) fn zip(code: &str) -> Option<Option<Zip5>> {
    let (five, rest) = code.split_at_checked(5)?;
    let rest = rest.strip_prefix('-').unwrap_or(rest);
    if !(rest.is_empty() || digits(rest, 4)) {
        return None;
    }
    let zip = five.parse().ok()?;
    Some((five != "00000").then_some(zip))
}

/// The month, 1 to 12, in which the accounting period ends; `00` means none.
fn accounting_month(code: &str) -> Option<Option<u8>> {
    match number(2)(code)?? {
        0 => Some(None),
        month @ 1..=12 => Some(Some(month)),
        _ => None,
    }
}

/// Reads a row of the master file.
fn row(values: &mut Values<'_>) -> Result<ListRow, FieldError> {
    let subsection = match values.code_at(8) {
        "" => None,
        code => {
            let error = |_| values.fault(8, "two digits, such as 03, or blank");
            Some(code.parse().map_err(error)?)
        }
    };
    let mut row = MasterRow {
        ein: values.ein()?,
        name: values.required(1)?,
        in_care_of: values.text(2),
        street: values.text(3),
        city: values.text(4),
        state: values.code(5, parsed),
        zip: values.code(6, zip),
        group: values.code(7, |code| GroupNumber::parse(code).ok()),
        subsection,
        affiliation: values.code(9, number(1)),
        classification: values.code(10, digit_text(4)),
        ruling: values.code(11, month),
        deductibility: values.code(12, parsed),
        foundation: values.code(13, parsed),
        activity: values.code(14, digit_text(9)),
        organization: values.code(15, number(1)),
        status: values.code(16, number(2)),
        tax_period: values.code(17, month),
        asset_class: values.code(18, number(1)),
        income_class: values.code(19, number(1)),
        filing_requirement: values.code(20, parsed),
        private_foundation_filing: values.code(21, number(1)),
        accounting_month: values.code(22, accounting_month),
        assets: values.code(23, parsed),
        income: values.code(24, parsed),
        revenue: values.code(25, parsed),
        ntee: values.code(26, parsed),
        sort_name: values.text(27),
        unreadable: Vec::new(),
    };
    row.unreadable = values.unreadable.iter().map(|&column| column.to_owned()).collect();
    // The master file writes 0 for the amounts that Form 990-N does not report.
    let zero = Some(Usd::new(0));
    if row.filing_requirement.is_some_and(|requirement| requirement.is_postcard())
        && row.revenue == zero
    {
        row.revenue = None;
        for amount in [&mut row.assets, &mut row.income] {
            *amount = amount.filter(|_| *amount != zero);
        }
    }
    Ok(ListRow::MasterFile(Box::new(row)))
}
