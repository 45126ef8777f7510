//! Streams one source: opens it, hashes it, and hands its rows and rejects on as events.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::PathBuf;
use std::time::UNIX_EPOCH;

use sha2::{Digest, Sha256};
use zip::ZipArchive;
use zip::result::ZipError;

use super::layout::{Fault, Layout, Values, Warnings, check_shape};
use super::master::Header;
use super::postcard::Postcard;
use super::publication_78::Publication78;
use super::records::{Content, Dialect, Fields, Record, Records};
use super::revocation::RevocationList;
use super::{Kind, Reject, Row, Source, Summary, text};
use crate::record::hexadecimal;

/// Something that reading comes upon, in the order of the file.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A row, and the line of the file on which it begins, from 1.
    Row { line: u64, row: Row },
    /// A row that could not be read.
    Reject(Reject),
    /// About once a mebibyte, and at the end: how many bytes of text have been read so far. Their
    /// sum over all sources is [`super::Discovery::text_bytes`].
    Progress { text_bytes: u64 },
}

/// How many bytes lie between two [`Event::Progress`].
const PROGRESS_BYTES: u64 = 1 << 20;

/// The most text that a ZIP member may unpack to: many times the largest of the IRS (below
/// 1 GiB), so that a crafted one comes to an end.
const MEMBER_BYTES_MAX: u64 = 64 << 30;

/// Why a source cannot be read to its end.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The operating system refused, or the ZIP member is damaged.
    #[error("cannot read {}: check the disk, or download it again", path.display())]
    Io {
        path: PathBuf,
        #[source]
        error: io::Error,
    },
    /// The ZIP file is damaged or packed in a way that is not known.
    #[error("cannot unpack {}: download it again", path.display())]
    Zip {
        path: PathBuf,
        #[source]
        error: ZipError,
    },
    /// A ZIP member without end.
    #[error("{} unpacks to more than 64 GiB, which no IRS file does", path.display())]
    MemberTooLong { path: PathBuf },
    /// The master file's header is not one.
    #[error(
        "{}: line {line} lacks the column{} {}: expected the 28 columns of the IRS master file",
        path.display(), if missing.len() == 1 { "" } else { "s" }, missing.join(", ")
    )]
    MissingColumns { path: PathBuf, line: u64, missing: Vec<&'static str> },
}

/// Reads a source to its end, in constant memory, and calls `on` for everything found. An error
/// of `on` stops the reading and is returned.
///
/// # Errors
/// Those of `on`, and a [`ReadError`] when the source cannot be read or, for a master file, its
/// header lacks columns. Rows that cannot be read are no error; they are [`Event::Reject`].
pub fn read<E: From<ReadError>>(
    source: &Source,
    on: &mut dyn FnMut(Event) -> Result<(), E>,
) -> Result<Summary, E> {
    let io_error = |error| ReadError::Io { path: source.path.clone(), error };
    let zip_error = |error| ReadError::Zip { path: source.path.clone(), error };
    let mut file = File::open(&source.path).map_err(io_error)?;
    let modified = file.metadata().and_then(|metadata| metadata.modified()).map_err(io_error)?;
    let (counts, bytes, sha256) = match &source.member {
        None => {
            let mut hashing = Hashing { input: file, sha256: Sha256::new(), bytes: 0 };
            let counts = stream(source, &mut hashing, on)?;
            (counts, hashing.bytes, hashing.sha256)
        }
        Some(member) => {
            // Members are read at random; the hash is of the whole file, so it goes first.
            let mut hashing = Hashing { input: &file, sha256: Sha256::new(), bytes: 0 };
            io::copy(&mut hashing, &mut io::sink()).map_err(io_error)?;
            let (sha256, bytes) = (hashing.sha256, hashing.bytes);
            file.rewind().map_err(io_error)?;
            let mut archive = ZipArchive::new(file).map_err(zip_error)?;
            let mut unpacked = archive.by_name(member).map_err(zip_error)?;
            let mut bounded = unpacked.by_ref().take(MEMBER_BYTES_MAX);
            let counts = stream(source, &mut bounded, on)?;
            if bounded.limit() == 0 {
                return Err(ReadError::MemberTooLong { path: source.path.clone() }.into());
            }
            (counts, bytes, sha256)
        }
    };
    Ok(Summary {
        kind: source.kind,
        name: source.name(),
        bytes,
        sha256: hexadecimal(&sha256.finalize()),
        modified_seconds: modified.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
        rows: counts.rows,
        rejects: counts.rejects,
        warnings: counts.warnings.into_iter().map(|(field, n)| (field.to_owned(), n)).collect(),
    })
}

/// Reads bytes in memory as a source of that kind; the name is only for rejects.
///
/// # Errors
/// As [`read`].
pub fn read_bytes<E: From<ReadError>>(
    kind: Kind,
    name: &str,
    bytes: &[u8],
    on: &mut dyn FnMut(Event) -> Result<(), E>,
) -> Result<(), E> {
    let source = Source { path: PathBuf::from(name), member: None, kind };
    stream(&source, bytes, on).map(|_| ())
}

/// Hashes and counts what passes through.
struct Hashing<R> {
    input: R,
    sha256: Sha256,
    bytes: u64,
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.sha256.update(&buffer[..read]);
        self.bytes += read as u64;
        Ok(read)
    }
}

#[derive(Default)]
struct Counts {
    rows: u64,
    rejects: u64,
    warnings: Warnings,
}

/// What a record turned out to be.
enum Outcome {
    Row(Row),
    Header,
    Fault(Fault),
}

fn stream<R: Read, E: From<ReadError>>(
    source: &Source,
    input: R,
    on: &mut dyn FnMut(Event) -> Result<(), E>,
) -> Result<Counts, E> {
    let dialect = match source.kind {
        Kind::MasterFile => Dialect::Commas,
        Kind::Publication78 | Kind::RevocationList | Kind::Postcard => Dialect::Pipes,
    };
    let name = source.name();
    let mut records = Records::new(input, dialect);
    let mut layout = Known::of(source.kind);
    let mut counts = Counts::default();
    let mut told = 0;
    let io_error = |error| ReadError::Io { path: source.path.clone(), error };
    loop {
        let columns = layout.current().map(Layout::columns);
        let Some(record) = records.next(columns).map_err(io_error)? else { break };
        let outcome = layout.outcome(record, &mut counts.warnings).map_err(|missing| {
            ReadError::MissingColumns { path: source.path.clone(), line: record.line, missing }
        })?;
        let line = record.line;
        match outcome {
            Outcome::Header => {}
            Outcome::Row(row) => {
                counts.rows += 1;
                on(Event::Row { line, row })?;
            }
            Outcome::Fault(Fault { field, expected, found }) => {
                counts.rejects += 1;
                on(Event::Reject(Reject {
                    source: name.clone(),
                    line,
                    field: field.to_owned(),
                    reason: expected.into_owned(),
                    found,
                }))?;
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
        let (path, missing) = (source.path.clone(), super::master::COLUMNS.to_vec());
        return Err(ReadError::MissingColumns { path, line: 1, missing }.into());
    }
    Ok(counts)
}

/// The layout of a source; that of a master file is known after its header.
enum Known {
    Master(Option<Box<Header>>),
    Fixed(Box<dyn Layout>),
}

impl Known {
    fn of(kind: Kind) -> Self {
        match kind {
            Kind::MasterFile => Self::Master(None),
            Kind::Publication78 => Self::Fixed(Box::new(Publication78)),
            Kind::RevocationList => Self::Fixed(Box::new(RevocationList)),
            Kind::Postcard => Self::Fixed(Box::new(Postcard)),
        }
    }

    fn current(&self) -> Option<&dyn Layout> {
        match self {
            Self::Master(header) => header.as_deref().map(|header| header as &dyn Layout),
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
                let fault = Fault::new("row", "a line of at most 64 KiB", record.raw);
                return Ok(Outcome::Fault(fault));
            }
            Content::Unclosed => {
                let fault = Fault::new("row", "a quoted field that ends in its row", record.raw);
                return Ok(Outcome::Fault(fault));
            }
        };
        if self.is_header(fields) {
            if let Self::Master(header) = self {
                *header = Some(Box::new(Header::read(fields)?));
            }
            return Ok(Outcome::Header);
        }
        let Some(layout) = self.current() else { return Err(Vec::new()) };
        let row = check_shape(fields, record.raw, layout)
            .and_then(|()| layout.row(&mut Values { fields, warnings }));
        Ok(row.map_or_else(Outcome::Fault, Outcome::Row))
    }

    /// Whether a record names columns. The first of a master file must; files that were put
    /// together from several repeat it.
    fn is_header(&self, fields: Fields<'_>) -> bool {
        match self {
            Self::Master(None) => true,
            Self::Master(Some(header)) => header.is_header(fields),
            Self::Fixed(_) => text::code(fields.get(0)).eq_ignore_ascii_case("EIN"),
        }
    }
}
