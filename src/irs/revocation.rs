//! The automatic revocation of exemption list: twelve pipe-separated fields, no header.

use super::layout::{FieldError, Layout, Values};
use super::master::zip;
use super::{ListRow, RevocationRow, text};
use crate::record::Date;

pub(super) const COLUMNS: [&str; 12] = [
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
pub(super) const REVOKED: usize = 9;

/// The layout; it has no variants.
pub(super) struct RevocationList;

fn day(code: &str) -> Option<Option<Date>> {
    Date::parse_dd_mon_yyyy(code).ok().map(Some)
}

impl Layout for RevocationList {
    fn columns(&self) -> usize {
        COLUMNS.len()
    }

    fn column_name(&self, index: usize) -> &'static str {
        COLUMNS[index]
    }

    fn row(&self, values: &mut Values<'_>) -> Result<ListRow, FieldError> {
        let ein = values.ein(0)?;
        let name = values.required(1, COLUMNS[1])?;
        let revoked = values.fields.get(REVOKED);
        let revoked = Date::parse_dd_mon_yyyy(text::code(revoked))
            .map_err(|_| FieldError::new(COLUMNS[REVOKED], "a day as DD-MON-YYYY", revoked))?;
        Ok(ListRow::Revocation(RevocationRow {
            ein,
            doing_business_as: values.text(2).filter(|other| *other != name),
            name,
            street: values.text(3),
            city: values.text(4),
            state: values.code(5, COLUMNS[5], |code| code.parse().ok().map(Some)),
            zip: values.code(6, COLUMNS[6], zip),
            subsection: values.code(8, COLUMNS[8], |code| code.parse().ok().map(Some)),
            revoked,
            posted: values.code(10, COLUMNS[10], day),
            reinstated: values.code(11, COLUMNS[11], day),
        }))
    }
}
