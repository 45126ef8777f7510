//! Streams the rows of one list and hands them and their faults on as events.

use std::io::{self, BufRead, BufReader, Read};

use super::layout::{FieldError, Layout, Warnings};
use super::records::{Content, Dialect, Fields, Records};
use super::{List, ListRow, approval, extract, filing_index, master, pipes};

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
    let dialect = match list {
        List::MasterFile | List::Approvals | List::FilingIndex => Dialect::Commas,
        List::Publication78 | List::RevocationList | List::Postcard => Dialect::Pipes,
        // As its header is, of which the buffer holds the beginning.
        List::Extract if input.fill_buf().map_err(ReadError::Io)?.contains(&b',') => {
            Dialect::Commas
        }
        List::Extract => Dialect::Spaces,
    };
    let mut records = Records::new(input, dialect);
    let mut layout = list.layout();
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
                let error = |missing| ReadError::MissingColumns { line, missing };
                layout = Some(list.layout_of(fields).map_err(error)?);
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
        let missing = list.columns().to_vec();
        return Err(ReadError::MissingColumns { line: 1, missing }.into());
    }
    Ok(counts)
}

impl List {
    /// The columns without which a file is none of the list.
    pub(super) fn columns(self) -> &'static [&'static str] {
        match self {
            Self::MasterFile => &master::COLUMNS,
            Self::Extract => &extract::COLUMNS,
            Self::Approvals => &approval::COLUMNS,
            Self::FilingIndex => &filing_index::COLUMNS,
            Self::Publication78 => &pipes::PUBLICATION_78,
            Self::RevocationList => &pipes::REVOCATIONS,
            Self::Postcard => &pipes::POSTCARDS,
        }
    }

    /// The layout of a list without a header.
    fn layout(self) -> Option<Layout> {
        let row = match self {
            Self::Publication78 => pipes::publication_78,
            Self::RevocationList => pipes::revocation,
            Self::Postcard => pipes::postcard,
            Self::MasterFile | Self::Extract | Self::Approvals | Self::FilingIndex => return None,
        };
        Some(Layout::fixed(self.columns(), row))
    }

    /// The layout that a header gives.
    ///
    /// # Errors
    /// The columns that it lacks.
    pub(super) fn layout_of(self, header: Fields<'_>) -> Result<Layout, Vec<&'static str>> {
        let found = match self {
            Self::MasterFile => return Layout::of_header(header, &master::COLUMNS, master::row),
            Self::Approvals => return approval::layout(header),
            Self::Extract => extract::layout(header),
            Self::FilingIndex => filing_index::layout(header),
            Self::Publication78 | Self::RevocationList | Self::Postcard => self.layout(),
        };
        found.ok_or_else(|| self.columns().to_vec())
    }
}
