//! Streams the rows of one list and hands them and their faults on as events.

use std::io::{self, BufRead, BufReader, Read};

use super::layout::{FieldError, Heading, Warnings};
use super::records::{Content, Records};
use super::{List, ListRow};

/// Something that reading comes upon, in the order of the file.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A row, and the line of the file on which it begins, from 1.
    Row { line: u64, row: ListRow },
    /// A row that could not be read.
    Fault { line: u64, fault: FieldError },
    /// About once a mebibyte, and at the end: how many bytes have been read so far.
    Progress { text_bytes: u64 },
}

/// How many bytes lie between two [`Event::Progress`].
const PROGRESS_BYTES: u64 = 1 << 20;

/// What reading a list to its end found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Counts {
    /// Rows handed on.
    pub rows: u64,
    /// Faults handed on.
    pub faults: u64,
    /// Malformed fields that were left out of rows that are still of use.
    pub warnings: Warnings,
}

/// Why a list cannot be read to its end.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The operating system refused.
    #[error("cannot read the rows")]
    Io(#[from] io::Error),
    /// A header is none of its list.
    #[error(
        "line {line} lacks the column{} {}: expected the columns of the IRS's list",
        if missing.len() == 1 { "" } else { "s" }, missing.join(", ")
    )]
    MissingColumns { line: u64, missing: Vec<&'static str> },
}

/// Reads a list to its end, in constant memory, and calls `on` for everything found. An error of
/// `on` stops the reading and is returned.
///
/// # Errors
/// Those of `on`, and a [`ReadError`] when the bytes cannot be had or, for a master file, its
/// header lacks columns. Rows that cannot be read are no error; they are [`Event::Fault`].
pub fn read<E: From<ReadError>>(
    list: List,
    input: impl Read,
    on: &mut dyn FnMut(Event) -> Result<(), E>,
) -> Result<Counts, E> {
    let mut input = BufReader::new(input);
    let format = list.format();
    let dialect = format.dialect(input.fill_buf().map_err(ReadError::Io)?);
    let mut records = Records::new(input, dialect);
    let mut layout = format.layout();
    let mut counts = Counts::default();
    let mut told = 0;
    while let Some(record) =
        records.next(layout.as_ref().map(|layout| layout.width)).map_err(ReadError::Io)?
    {
        let line = record.line;
        let row = match (record.content, &layout) {
            (Content::TooLong, _) => {
                Err(FieldError::new("row", "a line of at most 64 KiB", record.raw))
            }
            (Content::Unclosed, _) => {
                Err(FieldError::new("row", "a quoted field that ends in its row", record.raw))
            }
            (Content::Fields(fields), Some(layout)) if !layout.is_header(fields) => {
                layout.read(fields, record.raw, &mut counts.warnings)
            }
            (Content::Fields(fields), _) => {
                if let Heading::Named(layout_of) = format.heading {
                    let error = |missing| ReadError::MissingColumns { line, missing };
                    layout = Some(layout_of(fields).map_err(error)?);
                }
                continue;
            }
        };
        match row {
            Ok(row) => {
                counts.rows += 1;
                on(Event::Row { line, row })?;
            }
            Err(fault) => {
                counts.faults += 1;
                on(Event::Fault { line, fault })?;
            }
        }
        let text_bytes = records.position();
        if text_bytes - told >= PROGRESS_BYTES {
            told = text_bytes;
            on(Event::Progress { text_bytes })?;
        }
    }
    on(Event::Progress { text_bytes: records.position() })?;
    if layout.is_none() {
        // Not a line of text: there is no header to take columns from.
        let missing = format.columns.to_vec();
        return Err(ReadError::MissingColumns { line: 1, missing }.into());
    }
    Ok(counts)
}
