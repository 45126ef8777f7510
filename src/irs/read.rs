//! Streams the rows of one list and hands them and their faults on as events.

use std::io::{self, BufRead, BufReader, Read};

use super::layout::{FieldError, Layout, Values, Warnings, check_shape};
use super::master::Header;
use super::postcard::Postcard;
use super::publication_78::Publication78;
use super::records::{Content, Dialect, Fields, Record, Records};
use super::revocation::RevocationList;
use super::{List, ListRow, approval, extract, filing_index, text};

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
    let mut layout = SourceLayout::of(list);
    let mut counts = Counts::default();
    let mut told = 0;
    loop {
        let columns = layout.current().map(Layout::columns);
        let Some(record) = records.next(columns).map_err(ReadError::Io)? else { break };
        let outcome = layout
            .outcome(record, &mut counts.warnings)
            .map_err(|missing| ReadError::MissingColumns { line: record.line, missing })?;
        let line = record.line;
        match outcome {
            Outcome::Header => {}
            Outcome::Row(row) => {
                counts.rows += 1;
                on(Event::Row { line, row })?;
            }
            Outcome::Fault(fault) => {
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
    if layout.current().is_none() {
        // Not a line of text: there is no header to take columns from.
        let missing = match list {
            List::Extract => EXTRACT_COLUMNS.to_vec(),
            List::Approvals => approval::COLUMNS.to_vec(),
            List::FilingIndex => filing_index::COLUMNS.to_vec(),
            _ => super::master::COLUMNS.to_vec(),
        };
        return Err(ReadError::MissingColumns { line: 1, missing }.into());
    }
    Ok(counts)
}

/// What a record turned out to be.
enum Outcome {
    Row(ListRow),
    Header,
    Fault(FieldError),
}

/// What every extract's header has.
const EXTRACT_COLUMNS: [&str; 2] = ["EIN", "tax_pd"];

/// The layout of a source; one with a header is known after that.
enum SourceLayout {
    Master(Option<Box<Header>>),
    Extract(Option<Box<extract::Header>>),
    Approvals(Option<Box<approval::Header>>),
    FilingIndex(Option<Box<filing_index::Header>>),
    Fixed(Box<dyn Layout>),
}

impl SourceLayout {
    fn of(kind: List) -> Self {
        match kind {
            List::MasterFile => Self::Master(None),
            List::Extract => Self::Extract(None),
            List::Approvals => Self::Approvals(None),
            List::FilingIndex => Self::FilingIndex(None),
            List::Publication78 => Self::Fixed(Box::new(Publication78)),
            List::RevocationList => Self::Fixed(Box::new(RevocationList)),
            List::Postcard => Self::Fixed(Box::new(Postcard)),
        }
    }

    fn current(&self) -> Option<&dyn Layout> {
        match self {
            Self::Master(header) => header.as_deref().map(|header| header as &dyn Layout),
            Self::Extract(header) => header.as_deref().map(|header| header as &dyn Layout),
            Self::Approvals(header) => header.as_deref().map(|header| header as &dyn Layout),
            Self::FilingIndex(header) => header.as_deref().map(|header| header as &dyn Layout),
            Self::Fixed(layout) => Some(layout.as_ref()),
        }
    }

    /// Reads a record, or takes it as a header.
    ///
    /// # Errors
    /// The columns that a header lacks.
    fn outcome(
        &mut self,
        record: Record<'_>,
        warnings: &mut Warnings,
    ) -> Result<Outcome, Vec<&'static str>> {
        let fields = match record.content {
            Content::Fields(fields) => fields,
            Content::TooLong => {
                let fault = FieldError::new("row", "a line of at most 64 KiB", record.raw);
                return Ok(Outcome::Fault(fault));
            }
            Content::Unclosed => {
                let fault =
                    FieldError::new("row", "a quoted field that ends in its row", record.raw);
                return Ok(Outcome::Fault(fault));
            }
        };
        if self.is_header(fields) {
            match self {
                Self::Master(header) => *header = Some(Box::new(Header::read(fields)?)),
                Self::Extract(header) => {
                    let read = extract::Header::read(fields);
                    *header = Some(Box::new(read.ok_or_else(|| EXTRACT_COLUMNS.to_vec())?));
                }
                Self::Approvals(header) => {
                    let read = approval::Header::read(fields);
                    let read = read.unwrap_or_else(|| Err(approval::COLUMNS.to_vec()))?;
                    *header = Some(Box::new(read));
                }
                Self::FilingIndex(header) => {
                    let read = filing_index::Header::read(fields);
                    let read = read.ok_or_else(|| filing_index::COLUMNS.to_vec())?;
                    *header = Some(Box::new(read));
                }
                Self::Fixed(_) => {}
            }
            return Ok(Outcome::Header);
        }
        let Some(layout) = self.current() else { return Err(Vec::new()) };
        let row = check_shape(fields, record.raw, layout)
            .and_then(|()| layout.row(&mut Values { fields, warnings, unreadable: Vec::new() }));
        Ok(row.map_or_else(Outcome::Fault, Outcome::Row))
    }

    /// Whether a record names columns. The first of a master file must; files that were put
    /// together from several repeat it.
    fn is_header(&self, fields: Fields<'_>) -> bool {
        match self {
            Self::Master(None)
            | Self::Extract(None)
            | Self::Approvals(None)
            | Self::FilingIndex(None) => true,
            Self::Extract(Some(header)) => header.is_header(fields),
            Self::Master(Some(header)) => header.is_header(fields),
            Self::Approvals(Some(header)) => header.is_header(fields),
            Self::FilingIndex(Some(header)) => header.is_header(fields),
            Self::Fixed(_) => text::is_ein_heading(fields.get(0)),
        }
    }
}
