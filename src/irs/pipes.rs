//! The lists whose fields stand between pipes and that have no header: Publication 78 data, the
//! automatic revocation of exemption list, and Form 990-N (e-Postcard), a row for every EIN and year.

use serde::{Deserialize, Serialize};

use super::layout::{FieldError, Heading, ListFormat, RowReader, Values, parsed};
use super::master::zip;
use super::records::{Dialect, Fields};
use super::website::website;
use super::{ListRow, text};
use crate::record::{Date, Ein, State, Subsection, Zip5};

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

pub(super) const PUBLICATION_78: ListFormat = list(
    &["EIN", "NAME", "CITY", "STATE", "COUNTRY", "DEDUCTIBILITY_CODE"],
    publication_78,
    |_| true,
);

pub(super) const REVOCATIONS: ListFormat = list(&REVOCATION_COLUMNS, revocation, |fields| {
    Date::parse_dd_mon_yyyy(text::code(fields.get(REVOKED))).is_ok()
});

pub(super) const POSTCARDS: ListFormat =
    list(&POSTCARD_COLUMNS, postcard, |fields| tax_year(text::code(fields.get(1))).is_some());

const fn list(
    columns: &'static [&'static str],
    row: RowReader,
    fits: fn(Fields<'_>) -> bool,
) -> ListFormat {
    ListFormat {
        columns,
        columns_min: columns.len(),
        dialects: &[Dialect::Pipes],
        heading: Heading::Absent { row, fits },
    }
}

const REVOCATION_COLUMNS: [&str; 12] = [
    "EIN",
    "LEGAL_NAME",
    "DOING_BUSINESS_AS_NAME",
    "ADDRESS",
    "CITY",
    "STATE",
    "ZIP",
    "COUNTRY",
    "EXEMPTION_TYPE",
    "REVOCATION_DATE",
    "REVOCATION_POSTING_DATE",
    "EXEMPTION_REINSTATEMENT_DATE",
];

/// Position of the date of revocation, which tells this list from others.
const REVOKED: usize = 9;

const POSTCARD_COLUMNS: [&str; 26] = [
    "EIN",
    "TAX_YEAR",
    "ORGANIZATION_NAME",
    "GROSS_RECEIPTS_NOT_GREATER_THAN",
    "ORGANIZATION_HAS_TERMINATED",
    "TAX_PERIOD_BEGIN",
    "TAX_PERIOD_END",
    "WEBSITE_URL",
    "OFFICER_NAME",
    "OFFICER_STREET",
    "OFFICER_STREET_2",
    "OFFICER_CITY",
    "OFFICER_PROVINCE",
    "OFFICER_STATE",
    "OFFICER_ZIP",
    "OFFICER_COUNTRY",
    "ORGANIZATION_STREET",
    "ORGANIZATION_STREET_2",
    "ORGANIZATION_CITY",
    "ORGANIZATION_PROVINCE",
    "ORGANIZATION_STATE",
    "ORGANIZATION_ZIP",
    "ORGANIZATION_COUNTRY",
    "DOING_BUSINESS_AS_1",
    "DOING_BUSINESS_AS_2",
    "DOING_BUSINESS_AS_3",
];

/// The longest deductibility code; the longest known is `UNKWN` or `GROUP`.
const CODE_BYTES_MAX: usize = 8;

/// Years that a return may be for; the income tax of today begins in 1913.
const YEARS: std::ops::RangeInclusive<u16> = 1913..=2199;

/// Reads a row of Publication 78.
fn publication_78(values: &mut Values<'_>) -> Result<ListRow, FieldError> {
    let ein = values.ein()?;
    let mut codes: Vec<String> = Vec::new();
    let mut malformed = false;
    for code in values.code_at(5).split(',').map(str::trim).filter(|code| !code.is_empty()) {
        let good =
            code.len() <= CODE_BYTES_MAX && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let code = code.to_ascii_uppercase();
        malformed |= !good;
        if good && !codes.contains(&code) {
            codes.push(code);
        }
    }
    // A row without codes still says that contributions are deductible.
    if malformed || codes.is_empty() {
        values.warn(5);
    }
    Ok(ListRow::Publication78(Publication78Row { ein, codes }))
}

/// Reads a row of the revocation list.
fn revocation(values: &mut Values<'_>) -> Result<ListRow, FieldError> {
    let day = |code: &str| Date::parse_dd_mon_yyyy(code).ok().map(Some);
    let ein = values.ein()?;
    let name = values.required(1)?;
    let revoked = Date::parse_dd_mon_yyyy(values.code_at(REVOKED))
        .map_err(|_| values.fault(REVOKED, "a day as DD-MON-YYYY"))?;
    Ok(ListRow::RevocationList(RevocationRow {
        ein,
        doing_business_as: values.text(2).filter(|other| *other != name),
        name,
        street: values.text(3),
        city: values.text(4),
        state: values.code(5, parsed),
        zip: values.code(6, zip),
        subsection: values.code(8, parsed),
        revoked,
        posted: values.code(10, day),
        reinstated: values.code(11, day),
    }))
}

/// A tax year, if it is one.
fn tax_year(code: &str) -> Option<u16> {
    let digits = code.len() == 4 && code.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| code.parse().ok()).flatten().filter(|year| YEARS.contains(year))
}

/// Reads a row of Form 990-N.
fn postcard(values: &mut Values<'_>) -> Result<ListRow, FieldError> {
    let ein = values.ein()?;
    let tax_year =
        tax_year(values.code_at(1)).ok_or_else(|| values.fault(1, "a year of four digits"))?;
    let name = values.required(2)?;
    let mut doing_business_as: Vec<String> = Vec::new();
    for other in (23..POSTCARD_COLUMNS.len()).filter_map(|column| values.text(column)) {
        let is_same = |known: &String| known.eq_ignore_ascii_case(&other);
        let is_known = is_same(&name) || doing_business_as.iter().any(is_same);
        if !is_known && !text::is_nothing(&other) {
            doing_business_as.push(other);
        }
    }
    let website = values.text(7).and_then(|typed| website(&typed));
    Ok(ListRow::Postcard(PostcardRow { ein, tax_year, name, website, doing_business_as }))
}
