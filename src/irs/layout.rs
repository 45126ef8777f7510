//! What the readers of the single publications share: a field's fault, warnings, where columns
//! stand, and reading one field by its rule.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::records::{Dialect, Fields};
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

/// Reads a row by the rules of a publication.
pub(super) type RowReader = fn(&mut Values<'_>) -> Result<ListRow, FieldError>;

/// How the files of a list are recognised and read.
pub(super) struct ListFormat {
    /// The columns without which a file is none of the list; of a file without a header all, in their order.
    pub(super) columns: &'static [&'static str],
    /// How many of them make a header that of the list, so that what is missing can be named.
    pub(super) columns_min: usize,
    /// How its files are delimited.
    pub(super) dialects: &'static [Dialect],
    pub(super) heading: Heading,
}

/// What names the columns of a file.
pub(super) enum Heading {
    /// Its first line, which has a layout or lacks columns.
    Named(fn(Fields<'_>) -> Result<Layout, Vec<&'static str>>),
    /// Nothing. Whether a line that begins with an EIN and has as many fields as the list has columns is one of the
    /// list, `fits` tells.
    Absent { row: RowReader, fits: fn(Fields<'_>) -> bool },
}

impl ListFormat {
    /// The layout of a file without a header.
    pub(super) fn layout(&self) -> Option<Layout> {
        match self.heading {
            Heading::Named(_) => None,
            Heading::Absent { row, .. } => Some(Layout::fixed(self.columns, row)),
        }
    }

    /// How a file is delimited that begins like that.
    pub(super) fn dialect(&self, head: &[u8]) -> Dialect {
        let dialects = self.dialects.iter().copied();
        let mut occurring = dialects.filter(|dialect| head.contains(&dialect.separator()));
        occurring.next().unwrap_or(self.dialects[0])
    }
}

/// The layout of one file: its columns, where they stand, and how a row is read.
pub(super) struct Layout {
    /// The IRS's names of the columns that are read, that of EINs first.
    pub(super) names: Vec<&'static str>,
    /// Where each of them stands, if the file has it.
    pub(super) positions: Vec<Option<usize>>,
    /// Fields of a row.
    pub(super) width: usize,
    /// Where names stand that may have commas without quotes, so that a row may have more fields.
    pub(super) commas_at: Option<usize>,
    pub(super) row: RowReader,
}

impl Layout {
    /// The layout of a file without a header, whose columns stand in order.
    pub(super) fn fixed(names: &[&'static str], row: RowReader) -> Self {
        let positions = (0..names.len()).map(Some).collect();
        Self { names: names.to_vec(), positions, width: names.len(), commas_at: None, row }
    }

    /// The layout of a file whose header has all of these columns, in any order.
    ///
    /// # Errors
    /// The columns that it lacks.
    pub(super) fn of_header(
        header: Fields<'_>,
        names: &[&'static str],
        row: RowReader,
    ) -> Result<Self, Vec<&'static str>> {
        let positions: Vec<_> = names.iter().map(|name| position(header, name)).collect();
        let missing = names.iter().zip(&positions).filter(|(_, position)| position.is_none());
        let missing: Vec<_> = missing.map(|(name, _)| *name).collect();
        let layout =
            Self { names: names.to_vec(), positions, width: header.len(), commas_at: None, row };
        if missing.is_empty() { Ok(layout) } else { Err(missing) }
    }

    /// Whether a record is a header, which files that were put together from several repeat: the
    /// name of a column stands where EINs stand.
    pub(super) fn is_header(&self, fields: Fields<'_>) -> bool {
        [Some(0), self.positions[0]]
            .into_iter()
            .flatten()
            .any(|at| is_called(fields.get(at), "EIN"))
    }

    /// Reads a record; `raw` is its line.
    pub(super) fn read(
        &self,
        fields: Fields<'_>,
        raw: &[u8],
        warnings: &mut Warnings,
    ) -> Result<ListRow, FieldError> {
        self.check_shape(fields, raw)?;
        (self.row)(&mut Values { fields, layout: self, warnings, unreadable: Vec::new() })
    }

    /// Refuses what no publication has: the wrong number of fields, NUL bytes, endless fields.
    fn check_shape(&self, fields: Fields<'_>, raw: &[u8]) -> Result<(), FieldError> {
        let is_wider = fields.len() > self.width && self.commas_at.is_some();
        if fields.len() != self.width && !is_wider {
            let expected = format!("{} fields, found {}", self.width, fields.len()).into();
            return Err(FieldError { field: "row", expected, found: text::found(raw) });
        }
        if memchr::memchr(0, raw).is_some() {
            return Err(FieldError::new("row", "no NUL bytes", raw));
        }
        let is_long = |field: &[u8]| field.len() > FIELD_BYTES_MAX;
        let long = fields.iter().position(is_long).filter(|_| is_long(raw));
        long.map_or(Ok(()), |at| {
            let column = self.positions.iter().position(|position| *position == Some(at));
            let name = column.map_or("row", |column| self.names[column]);
            Err(FieldError::new(name, "at most 1,024 bytes", fields.get(at)))
        })
    }
}

/// Whether a heading is a column's name, in any case.
fn is_called(heading: &[u8], column: &str) -> bool {
    heading.trim_ascii().eq_ignore_ascii_case(column.as_bytes())
}

/// Where a header has a column.
pub(super) fn position(header: Fields<'_>, column: &str) -> Option<usize> {
    header.iter().position(|heading| is_called(heading, column))
}

/// The fields of one row, read by rules; columns are by their place in [`Layout::names`].
pub(super) struct Values<'a> {
    fields: Fields<'a>,
    layout: &'a Layout,
    warnings: &'a mut Warnings,
    /// Columns of this row that were malformed and left out.
    pub(super) unreadable: Vec<&'static str>,
}

impl<'a> Values<'a> {
    /// The field of a column; empty where the file lacks it.
    pub(super) fn get(&self, column: usize) -> &'a [u8] {
        let Some(at) = self.layout.positions[column] else { return &[] };
        // What stands behind a name with commas is counted from the end.
        let behind = self.layout.commas_at.is_some_and(|name| at > name);
        self.fields.get(if behind { at + self.fields.len() - self.layout.width } else { at })
    }

    /// A field as a code.
    pub(super) fn code_at(&self, column: usize) -> &'a str {
        text::code(self.get(column))
    }

    /// A fault of a field.
    pub(super) fn fault(&self, column: usize, expected: &'static str) -> FieldError {
        FieldError::new(self.layout.names[column], expected, self.get(column))
    }

    /// An EIN, without which a row is of no use.
    pub(super) fn ein(&self) -> Result<Ein, FieldError> {
        let found = self.get(0).trim_ascii();
        let error = |_| FieldError::new("EIN", "exactly nine digits", found);
        self.code_at(0).parse().map_err(error)
    }

    /// A text, `None` when blank.
    pub(super) fn text(&self, column: usize) -> Option<String> {
        text::text(self.get(column))
    }

    /// A text without which a row is of no use.
    pub(super) fn required(&self, column: usize) -> Result<String, FieldError> {
        let error = || FieldError::new(self.layout.names[column], "a text that is not blank", b"");
        self.text(column).ok_or_else(error)
    }

    /// A code: blank is `None`; so is a malformed one (`read` gives `None`), with a warning.
    pub(super) fn code<T>(
        &mut self,
        column: usize,
        read: impl FnOnce(&str) -> Option<Option<T>>,
    ) -> Option<T> {
        let code = self.code_at(column);
        if code.is_empty() {
            return None;
        }
        read(code).unwrap_or_else(|| {
            self.warn(column);
            None
        })
    }

    /// Counts a malformed field.
    pub(super) fn warn(&mut self, column: usize) {
        let name = self.layout.names[column];
        *self.warnings.entry(name).or_default() += 1;
        self.unreadable.push(name);
    }
}

/// A code of a validated type.
pub(super) fn parsed<T: std::str::FromStr>(code: &str) -> Option<Option<T>> {
    code.parse().ok().map(Some)
}
