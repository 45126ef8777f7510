//! What the readers of the single publications share: a field's fault, warnings, and reading one
//! field by its rule.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::records::Fields;
use super::{ListRow, text};
use crate::record::Ein;

/// The longest field that is read; the longest of any IRS file is below 300 bytes.
const FIELD_BYTES_MAX: usize = 1024;

/// Why a row cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    /// The column, as the IRS names it, or `row`.
    pub field: &'static str,
    /// What should have stood there: a clause.
    pub expected: Cow<'static, str>,
    /// What stood there, at most 120 characters.
    pub found: String,
}

impl FieldError {
    pub(super) fn new(field: &'static str, expected: &'static str, found: &[u8]) -> Self {
        Self { field, expected: Cow::Borrowed(expected), found: text::found(found) }
    }
}

/// Fields that were malformed and left out of a row that is still of use, counted by column.
pub type Warnings = BTreeMap<&'static str, u64>;

/// The layout of one publication: its columns and the rules of its fields.
pub(super) trait Layout {
    /// How many fields a row has.
    fn columns(&self) -> usize;

    /// Whether names have commas without quotes, so that a row may have more fields.
    fn has_commas_in_names(&self) -> bool {
        false
    }

    /// The IRS's name of the field at a position of the file.
    fn column_name(&self, index: usize) -> &'static str;

    /// Reads a row of the right number of fields.
    fn row(&self, values: &mut Values<'_>) -> Result<ListRow, FieldError>;
}

/// The fields of one row, read by rules.
pub(super) struct Values<'a> {
    pub(super) fields: Fields<'a>,
    pub(super) warnings: &'a mut Warnings,
    /// Columns of this row that were malformed and left out.
    pub(super) unreadable: Vec<&'static str>,
}

impl Values<'_> {
    /// An EIN, without which a row is of no use.
    pub(super) fn ein(&self, index: usize) -> Result<Ein, FieldError> {
        let bytes = self.fields.get(index);
        text::code(bytes)
            .parse()
            .map_err(|_| FieldError::new("EIN", "exactly nine digits", bytes.trim_ascii()))
    }

    /// A text, `None` when blank.
    pub(super) fn text(&self, index: usize) -> Option<String> {
        text::text(self.fields.get(index))
    }

    /// A text without which a row is of no use.
    pub(super) fn required(&self, index: usize, field: &'static str) -> Result<String, FieldError> {
        self.text(index).ok_or_else(|| FieldError::new(field, "a text that is not blank", b""))
    }

    /// A code: blank is `None`; so is a malformed one (`read` gives `None`), with a warning.
    pub(super) fn code<T>(
        &mut self,
        index: usize,
        field: &'static str,
        read: impl FnOnce(&str) -> Option<Option<T>>,
    ) -> Option<T> {
        let code = text::code(self.fields.get(index));
        if code.is_empty() {
            return None;
        }
        read(code).unwrap_or_else(|| {
            self.warn(field);
            None
        })
    }

    /// Counts a malformed field.
    pub(super) fn warn(&mut self, field: &'static str) {
        *self.warnings.entry(field).or_default() += 1;
        self.unreadable.push(field);
    }
}

/// Refuses what no publication has: the wrong number of fields, NUL bytes, endless fields.
pub(super) fn check_shape(
    fields: Fields<'_>,
    raw: &[u8],
    layout: &dyn Layout,
) -> Result<(), FieldError> {
    let is_wider = fields.len() > layout.columns() && layout.has_commas_in_names();
    if fields.len() != layout.columns() && !is_wider {
        return Err(FieldError {
            field: "row",
            expected: Cow::Owned(format!("{} fields, found {}", layout.columns(), fields.len())),
            found: text::found(raw),
        });
    }
    if memchr::memchr(0, raw).is_some() {
        return Err(FieldError::new("row", "no NUL bytes", raw));
    }
    if raw.len() > FIELD_BYTES_MAX {
        let long = fields.iter().position(|field| field.len() > FIELD_BYTES_MAX);
        if let Some(index) = long {
            let name = layout.column_name(index);
            return Err(FieldError::new(name, "at most 1,024 bytes", fields.get(index)));
        }
    }
    Ok(())
}
