//! Streams one source: opens it, hashes it, and hands its records and rejects on as events.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use zip::ZipArchive;
use zip::result::ZipError;

use super::{Kind, Part, Record, Reject, Source, Summary, returns};
use crate::curated::{self, Fault};
use crate::irs;
use crate::record::{Date, Ein, Moment};

/// Something that reading comes upon, in the order of the source.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A record, and the line of the file on which it begins, from 1.
    Record { line: u64, record: Record },
    /// What could not be read.
    Reject(Reject),
    /// Now and then, and at the end: how many bytes of text have been read so far. Their sum over
    /// all sources is [`super::Discovery::text_bytes`].
    Progress { text_bytes: u64 },
}

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
    #[error("{}: {error}", path.display())]
    Header { path: PathBuf, error: irs::ReadError },
    /// It is no feed after all.
    #[error("{}: {error}", path.display())]
    Curated { path: PathBuf, error: curated::ReadError },
}

impl ReadError {
    pub(super) fn io(path: &Path) -> impl Fn(io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self::Io { path: path.clone(), error }
    }

    pub(super) fn zip(path: &Path) -> impl Fn(ZipError) -> Self {
        let path = path.to_owned();
        move |error| Self::Zip { path: path.clone(), error }
    }
}

/// What is told of a source while it is read, with its counts.
pub(super) struct Told<'on, E> {
    pub(super) on: &'on mut dyn FnMut(Event) -> Result<(), E>,
    rows: u64,
    rejects: u64,
    pub(super) warnings: BTreeMap<String, u64>,
    /// The days that its rows give.
    days: BTreeSet<Date>,
}

impl<'on, E> Told<'on, E> {
    fn new(on: &'on mut dyn FnMut(Event) -> Result<(), E>) -> Self {
        Self { on, rows: 0, rejects: 0, warnings: BTreeMap::new(), days: BTreeSet::new() }
    }

    pub(super) fn record(&mut self, line: u64, record: Record) -> Result<(), E> {
        self.rows += 1;
        self.days.extend(day_of(&record));
        (self.on)(Event::Record { line, record })
    }

    pub(super) fn reject(&mut self, reject: Reject) -> Result<(), E> {
        self.rejects += 1;
        (self.on)(Event::Reject(reject))
    }

    pub(super) fn progress(&mut self, text_bytes: u64) -> Result<(), E> {
        (self.on)(Event::Progress { text_bytes })
    }
}

/// The day that a record gives of when the IRS posted, ruled or received it.
fn day_of(record: &Record) -> Option<Date> {
    match record {
        Record::Row(irs::Row::Revocation(row)) => row.posted,
        Record::Row(irs::Row::Master(row)) => {
            row.ruling.and_then(|month| Date::new(month.year(), month.month(), 1))
        }
        Record::Filing(filing) => filing.filed.and_then(Moment::date),
        Record::Row(_) | Record::Item(_) => None,
    }
}

/// The latest day that is not after the file: one to come is a mistake.
fn latest_row(days: &BTreeSet<Date>, modified_seconds: u64) -> Option<Date> {
    let modified = Moment::from_seconds(modified_seconds)?.date()?;
    days.range(..=modified).next_back().copied()
}

/// What was hashed of a source.
pub(super) struct Hashed {
    pub(super) bytes: u64,
    pub(super) sha256: String,
    pub(super) modified_seconds: u64,
}

/// Reads a source to its end, in constant memory, and calls `on` for everything found. An error
/// of `on` stops the reading and is returned.
///
/// # Errors
/// Those of `on`, and a [`ReadError`] when the source cannot be read or, for a master file, its
/// header lacks columns. What of it cannot be read is no error but [`Event::Reject`].
pub fn read<E: From<ReadError>>(
    source: &Source,
    on: &mut dyn FnMut(Event) -> Result<(), E>,
) -> Result<Summary, E> {
    let mut told = Told::new(on);
    let hashed = match &source.part {
        Part::File => of_file(source, &mut told)?,
        Part::Member(member) => of_member(source, member, &mut told)?,
        Part::Members => returns::of_zip(source, &mut told)?,
        Part::Files(files) => returns::of_folder(&source.path, files, &mut told)?,
    };
    Ok(Summary {
        kind: source.kind,
        name: source.name(),
        bytes: hashed.bytes,
        sha256: hashed.sha256,
        modified_seconds: hashed.modified_seconds,
        latest_row: latest_row(&told.days, hashed.modified_seconds),
        rows: told.rows,
        rejects: told.rejects,
        warnings: told.warnings,
    })
}

fn of_file<E: From<ReadError>>(source: &Source, told: &mut Told<'_, E>) -> Result<Hashed, E> {
    let io_error = ReadError::io(&source.path);
    let file = File::open(&source.path).map_err(&io_error)?;
    let modified_seconds = modified(&file).map_err(&io_error)?;
    let mut hashing = Hashing { input: file, sha256: Sha256::new(), bytes: 0 };
    stream(source, &mut hashing, told)?;
    // What a reader had no use for is hashed all the same.
    io::copy(&mut hashing, &mut io::sink()).map_err(&io_error)?;
    Ok(hashing.done(modified_seconds))
}

fn of_member<E: From<ReadError>>(
    source: &Source,
    member: &str,
    told: &mut Told<'_, E>,
) -> Result<Hashed, E> {
    let path = &source.path;
    let zip_error = ReadError::zip(path);
    let mut file = File::open(path).map_err(ReadError::io(path))?;
    let hashed = hash(&mut file).map_err(ReadError::io(path))?;
    let mut archive = ZipArchive::new(file).map_err(&zip_error)?;
    let mut unpacked = archive.by_name(member).map_err(&zip_error)?;
    let mut bounded = unpacked.by_ref().take(MEMBER_BYTES_MAX);
    stream(source, &mut bounded, told)?;
    if bounded.limit() == 0 {
        return Err(ReadError::MemberTooLong { path: path.clone() }.into());
    }
    Ok(hashed)
}

/// Hashes a file that is going to be read at random, and goes back to its beginning.
pub(super) fn hash(file: &mut File) -> io::Result<Hashed> {
    let modified_seconds = modified(file)?;
    let mut hashing = Hashing { input: &*file, sha256: Sha256::new(), bytes: 0 };
    io::copy(&mut hashing, &mut io::sink())?;
    let hashed = hashing.done(modified_seconds);
    file.rewind()?;
    Ok(hashed)
}

/// When a file was last modified, in seconds since 1970.
pub(super) fn modified(file: &File) -> io::Result<u64> {
    let modified = file.metadata()?.modified()?;
    Ok(modified.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()))
}

/// Reads bytes in memory as a source of that kind; the name is only for rejects, and a feed is that
/// of `ein`.
///
/// # Errors
/// As [`read`].
pub fn read_bytes<E: From<ReadError>>(
    kind: Kind,
    name: &str,
    ein: Option<Ein>,
    bytes: &[u8],
    on: &mut dyn FnMut(Event) -> Result<(), E>,
) -> Result<(), E> {
    let source = Source { path: PathBuf::from(name), part: Part::File, kind, ein, folders: 0 };
    stream(&source, bytes, &mut Told::new(on))
}

/// Hashes and counts what passes through.
struct Hashing<R> {
    input: R,
    sha256: Sha256,
    bytes: u64,
}

impl<R> Hashing<R> {
    fn done(self, modified_seconds: u64) -> Hashed {
        let sha256 = HEXLOWER.encode(&self.sha256.finalize());
        Hashed { bytes: self.bytes, sha256, modified_seconds }
    }
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.sha256.update(&buffer[..read]);
        self.bytes += read as u64;
        Ok(read)
    }
}

/// An error of a reader of bytes, or of whom it told.
pub(super) enum Stopped<E> {
    Rows(irs::ReadError),
    Curated(curated::ReadError),
    Io(io::Error),
    Told(E),
}

impl<E> From<irs::ReadError> for Stopped<E> {
    fn from(error: irs::ReadError) -> Self {
        Self::Rows(error)
    }
}

impl<E> From<curated::ReadError> for Stopped<E> {
    fn from(error: curated::ReadError) -> Self {
        Self::Curated(error)
    }
}

impl<E> From<io::Error> for Stopped<E> {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

fn stream<R: Read, E: From<ReadError>>(
    source: &Source,
    mut input: R,
    told: &mut Told<'_, E>,
) -> Result<(), E> {
    let outcome = match (source.kind, source.kind.list()) {
        (_, Some(list)) => rows(source, list, input, told),
        (Kind::Curated, _) => {
            curated::read_lines(input, &mut |event| item(source, event, told)).map(drop)
        }
        (Kind::Feed, _) => feed(source, input, told),
        _ => returns::of_bytes(source, &mut input, told),
    };
    outcome.map_err(|stopped| match stopped {
        Stopped::Io(error)
        | Stopped::Rows(irs::ReadError::Io(error))
        | Stopped::Curated(curated::ReadError::Io(error)) => {
            ReadError::io(&source.path)(error).into()
        }
        Stopped::Curated(error) => ReadError::Curated { path: source.path.clone(), error }.into(),
        Stopped::Rows(error) => ReadError::Header { path: source.path.clone(), error }.into(),
        Stopped::Told(error) => error,
    })
}

fn rows<R: Read, E>(
    source: &Source,
    list: irs::List,
    input: R,
    told: &mut Told<'_, E>,
) -> Result<(), Stopped<E>> {
    let name = source.name();
    let counts = irs::read(list, input, &mut |event| {
        match event {
            irs::Event::Row { line, row } => told.record(line, Record::Row(row)),
            irs::Event::Fault { line, fault } => told.reject(Reject {
                source: name.clone(),
                line,
                field: fault.field.to_owned(),
                reason: fault.expected.into_owned(),
                found: fault.found,
            }),
            irs::Event::Progress { text_bytes } => told.progress(text_bytes),
        }
        .map_err(Stopped::Told)
    })?;
    told.warnings.extend(counts.warnings.into_iter().map(|(field, n)| (field.to_owned(), n)));
    Ok(())
}

fn feed<R: Read, E>(source: &Source, input: R, told: &mut Told<'_, E>) -> Result<(), Stopped<E>> {
    let Some(ein) = source.ein else {
        let fault = Fault {
            line: 1,
            field: "ein".to_owned(),
            expected:
                "an EIN for this feed: --feed-ein EIN, or a CSV file with the header feed,ein \
                       that lists it"
                    .into(),
            found: String::new(),
        };
        return item(source, curated::Event::Reject(fault), told);
    };
    let read = curated::read_feed(input, ein, &mut |event| item(source, event, told));
    match read {
        Err(Stopped::Curated(error)) if !matches!(error, curated::ReadError::Io(_)) => {
            // One feed of many must not end a build.
            let (line, field, found) = (1, "feed".to_owned(), String::new());
            let fault = Fault { line, field, expected: error.to_string().into(), found };
            item(source, curated::Event::Reject(fault), told)
        }
        other => other.map(drop),
    }
}

fn item<E>(
    source: &Source,
    event: curated::Event,
    told: &mut Told<'_, E>,
) -> Result<(), Stopped<E>> {
    match event {
        curated::Event::Item { line, item } => told.record(line, Record::Item(item)),
        curated::Event::Reject(Fault { line, field, expected, found }) => {
            let (source, reason) = (source.name(), expected.into_owned());
            told.reject(Reject { source, line, field, reason, found })
        }
        curated::Event::Warning { key } => {
            *told.warnings.entry(key).or_default() += 1;
            Ok(())
        }
        curated::Event::Progress { bytes } => told.progress(bytes),
    }
    .map_err(Stopped::Told)
}
