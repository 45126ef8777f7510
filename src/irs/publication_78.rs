//! Publication 78 data: `EIN|NAME|CITY|STATE|COUNTRY|CODES`, no header.

use super::layout::{FieldError, Layout, Values};
use super::{ListRow, Publication78Row, text};

pub(super) const COLUMNS: [&str; 6] =
    ["EIN", "NAME", "CITY", "STATE", "COUNTRY", "DEDUCTIBILITY_CODE"];

/// The longest deductibility code; the longest known is `UNKWN` or `GROUP`.
const CODE_BYTES_MAX: usize = 8;

/// The layout; it has no variants.
pub(super) struct Publication78;

impl Layout for Publication78 {
    fn columns(&self) -> usize {
        COLUMNS.len()
    }

    fn column_name(&self, index: usize) -> &'static str {
        COLUMNS[index]
    }

    fn row(&self, values: &mut Values<'_>) -> Result<ListRow, FieldError> {
        let ein = values.ein(0)?;
        let mut codes: Vec<String> = Vec::new();
        let mut malformed = false;
        for code in text::code(values.fields.get(5)).split(',').map(str::trim) {
            if code.is_empty() {
                continue;
            }
            let good = code.len() <= CODE_BYTES_MAX
                && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
            let code = code.to_ascii_uppercase();
            malformed |= !good;
            if good && !codes.contains(&code) {
                codes.push(code);
            }
        }
        // A row without codes still says that contributions are deductible.
        if malformed || codes.is_empty() {
            values.warn(COLUMNS[5]);
        }
        Ok(ListRow::Publication78(Publication78Row { ein, codes }))
    }
}
