//! Form 990-N (e-Postcard): 26 pipe-separated fields, no header, a row for every EIN and year.

use super::layout::{FieldError, Layout, Values};
use super::website::website;
use super::{ListRow, PostcardRow, text};

pub(super) const COLUMNS: [&str; 26] = [
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

/// Years that a return may be for; the income tax of today begins in 1913.
const YEARS: std::ops::RangeInclusive<u16> = 1913..=2199;

/// The layout; it has no variants.
pub(super) struct Postcard;

/// A tax year, if it is one.
pub(super) fn tax_year(code: &str) -> Option<u16> {
    let digits = code.len() == 4 && code.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| code.parse().ok()).flatten().filter(|year| YEARS.contains(year))
}

impl Layout for Postcard {
    fn columns(&self) -> usize {
        COLUMNS.len()
    }

    fn column_name(&self, index: usize) -> &'static str {
        COLUMNS[index]
    }

    fn row(&self, values: &mut Values<'_>) -> Result<ListRow, FieldError> {
        let ein = values.ein(0)?;
        let year = values.fields.get(1);
        let tax_year = tax_year(text::code(year))
            .ok_or_else(|| FieldError::new(COLUMNS[1], "a year of four digits", year))?;
        let name = values.required(2, COLUMNS[2])?;
        let mut doing_business_as: Vec<String> = Vec::new();
        for other in (23..COLUMNS.len()).filter_map(|index| values.text(index)) {
            let is_same = |known: &String| known.eq_ignore_ascii_case(&other);
            let is_known = is_same(&name) || doing_business_as.iter().any(is_same);
            if !is_known && !text::is_nothing(&other) {
                doing_business_as.push(other);
            }
        }
        let website = values.text(7).and_then(|typed| website(&typed));
        Ok(ListRow::Postcard(PostcardRow { ein, tax_year, name, website, doing_business_as }))
    }
}
