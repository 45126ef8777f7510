//! The Exempt Organizations Business Master File extract: CSV, 28 columns, named by its header.
//!
//! Source: IRS, Exempt Organizations Business Master File, information sheet (`eo-info`). The
//! columns may stand in any order and others among them. EIN, NAME and a malformed SUBSECTION
//! decide over the row; any other malformed field is left out and counted.

use std::str::FromStr;

use super::layout::{FieldError, Layout, Values};
use super::records::Fields;
use super::{ListRow, MasterRow, text};
use crate::record::{GroupNumber, Month, Usd, Zip5};

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

/// Where each of [`COLUMNS`] stands in one file.
#[derive(Debug, Clone)]
pub(super) struct Header {
    positions: [usize; COLUMNS.len()],
    columns: usize,
}

impl Header {
    /// Reads a header line.
    ///
    /// # Errors
    /// The columns that it lacks.
    pub(super) fn read(fields: Fields<'_>) -> Result<Self, Vec<&'static str>> {
        let position = |column: &str| {
            fields
                .iter()
                .position(|field| field.trim_ascii().eq_ignore_ascii_case(column.as_bytes()))
        };
        let missing: Vec<_> =
            COLUMNS.into_iter().filter(|column| position(column).is_none()).collect();
        if !missing.is_empty() {
            return Err(missing);
        }
        let positions = COLUMNS.map(|column| position(column).unwrap_or_default());
        Ok(Self { positions, columns: fields.len() })
    }

    /// Whether a record is a header: the name of a column stands where EINs stand.
    pub(super) fn is_header(&self, fields: Fields<'_>) -> bool {
        [0, self.positions[0]].into_iter().any(|at| text::is_ein_heading(fields.get(at)))
    }
}

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

/// A code of a validated type.
fn parsed<T: FromStr>(code: &str) -> Option<Option<T>> {
    code.parse().ok().map(Some)
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

fn amount(code: &str) -> Option<Option<Usd>> {
    Usd::parse(code).ok().map(Some)
}

impl Layout for Header {
    fn columns(&self) -> usize {
        self.columns
    }

    fn column_name(&self, index: usize) -> &'static str {
        let column = self.positions.iter().position(|&position| position == index);
        column.map_or("row", |column| COLUMNS[column])
    }

    fn row(&self, values: &mut Values<'_>) -> Result<ListRow, FieldError> {
        let at = |column: usize| self.positions[column];
        let subsection = text::code(values.fields.get(at(8)));
        let subsection = match (subsection, subsection.parse()) {
            ("", _) => None,
            (_, Ok(subsection)) => Some(subsection),
            (_, Err(_)) => {
                let found = values.fields.get(at(8));
                return Err(FieldError::new(
                    "SUBSECTION",
                    "two digits, such as 03, or blank",
                    found,
                ));
            }
        };
        let mut row = MasterRow {
            ein: values.ein(at(0))?,
            name: values.required(at(1), "NAME")?,
            in_care_of: values.text(at(2)),
            street: values.text(at(3)),
            city: values.text(at(4)),
            state: values.code(at(5), COLUMNS[5], parsed),
            zip: values.code(at(6), COLUMNS[6], zip),
            group: values.code(at(7), COLUMNS[7], |code| GroupNumber::parse(code).ok()),
            subsection,
            affiliation: values.code(at(9), COLUMNS[9], number(1)),
            classification: values.code(at(10), COLUMNS[10], digit_text(4)),
            ruling: values.code(at(11), COLUMNS[11], month),
            deductibility: values.code(at(12), COLUMNS[12], parsed),
            foundation: values.code(at(13), COLUMNS[13], parsed),
            activity: values.code(at(14), COLUMNS[14], digit_text(9)),
            organization: values.code(at(15), COLUMNS[15], number(1)),
            status: values.code(at(16), COLUMNS[16], number(2)),
            tax_period: values.code(at(17), COLUMNS[17], month),
            asset_class: values.code(at(18), COLUMNS[18], number(1)),
            income_class: values.code(at(19), COLUMNS[19], number(1)),
            filing_requirement: values.code(at(20), COLUMNS[20], parsed),
            private_foundation_filing: values.code(at(21), COLUMNS[21], number(1)),
            accounting_month: values.code(at(22), COLUMNS[22], accounting_month),
            assets: values.code(at(23), COLUMNS[23], amount),
            income: values.code(at(24), COLUMNS[24], amount),
            revenue: values.code(at(25), COLUMNS[25], amount),
            ntee: values.code(at(26), COLUMNS[26], parsed),
            sort_name: values.text(at(27)),
            unreadable: Vec::new(),
        };
        row.unreadable = values.unreadable.iter().map(|&column| column.to_owned()).collect();
        // The master file writes 0 for the amounts that Form 990-N does not report.
        if row.filing_requirement.is_some_and(|requirement| requirement.is_postcard())
            && row.revenue == Some(Usd::new(0))
        {
            row.revenue = None;
        }
        Ok(ListRow::Master(Box::new(row)))
    }
}
