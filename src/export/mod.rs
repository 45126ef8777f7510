//! What tables look like to other programs: their columns, and the formats that they are written in.
//!
//! A [`Column`] is read from the JSON schema of the type that is serialized as a row, so that names, types and
//! descriptions are declared once, where answers declare them. Rows are JSON objects of these columns. `lines` writes
//! them as CSV, as JSON lines or as one JSON array, `parquet` as Parquet (feature `tables`), `postgres` for PostgreSQL,
//! `opensearch` for OpenSearch; none of them knows what the rows are about.

mod column;
pub mod lines;
pub mod opensearch;
#[cfg(feature = "tables")]
pub mod parquet;
pub mod postgres;

use serde::Serialize;

pub(crate) use column::resolved;
pub use column::{Column, Kind};

/// A table, as formats need to know it.
#[derive(Debug, Clone, PartialEq)]
pub struct Outline {
    /// Its name: that of its file, folder, table or index.
    pub name: &'static str,
    /// What a row of it is, in a sentence.
    pub description: String,
    pub columns: Vec<Column>,
    /// The column that tells every row from the others, if one does.
    pub key: Option<&'static str>,
    /// The column of which rows of equal values follow one another.
    pub partition: Option<&'static str>,
    /// Columns by which rows are looked up, those that are compared together in one list.
    pub lookups: &'static [&'static [&'static str]],
    /// The column of names that people type, with errors too.
    pub names: Option<&'static str>,
}

impl Outline {
    /// The names of its values in a flat table; `a.b` is what `b` is in the object `a`.
    pub fn flat_names(&self) -> Vec<String> {
        self.columns.iter().flat_map(Column::paths).map(|path| path.join(".")).collect()
    }
}

/// What takes the rows of a table, one after another.
pub trait RowWriter {
    /// Why a row cannot be taken.
    type Error;

    /// Takes a row, which is serialized as an object.
    fn write(&mut self, row: &impl Serialize) -> Result<(), Self::Error>;
}
