//! Streams one source: opens it, hashes it, and hands its records and rejects on as events.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

use zip::ZipArchive;

use super::error::{ReadError, StreamError};
use super::event::{Event, EventSink};
#[cfg(feature = "tables")]
use super::extraction;
use super::hash::{Hashing, Stamp, modified, open_hashed};
use super::workbook::Workbook;
use super::{Assignment, Record, Reject, Source, SourceKind, SourcePart, Summary, returns};
use crate::curated::{self, RecordError};
use crate::irs;
use crate::record::Ein;
use crate::reports;

/// The most text that a ZIP member may unpack to: many times the largest of the IRS (below
/// 1 GiB), so that a crafted one comes to an end.
const MEMBER_BYTES_MAX: u64 = 64 << 30;

/// Reads a source to its end, in constant memory, and calls `on` for everything found. An error
/// of `on` stops the reading and is returned.
///
/// # Errors
/// Those of `on`, and a [`ReadError`] when the source cannot be read or the header of a list lacks
/// columns. What of it cannot be read is no error but [`Event::Reject`].
pub fn read<E: From<ReadError>>(
    source: &Source,
    on: &mut dyn FnMut(Event) -> Result<(), E>,
) -> Result<Summary, E> {
    let mut sink = EventSink::new(on);
    let hashed = match &source.part {
        SourcePart::File => of_file(source, &mut sink)?,
        SourcePart::Member(member) => of_member(source, member, &mut sink)?,
        SourcePart::Sheet(sheet) => of_sheet(source, sheet, &mut sink)?,
        SourcePart::Members => returns::of_zip(source, &mut sink)?,
        SourcePart::Files(files) => returns::of_folder(&source.path, files, &mut sink)?,
        #[cfg(feature = "tables")]
        SourcePart::Extracted(extracted) => extraction::read(source, extracted, &mut sink)?,
        #[cfg(not(feature = "tables"))]
        SourcePart::Extracted(_) => {
            unreachable!("discovery finds extracted tables only with the feature")
        }
    };
    Ok(Summary {
        kind: source.kind,
        name: source.name(),
        bytes: hashed.bytes,
        sha256: hashed.sha256(),
        modified_seconds: hashed.modified_seconds,
        latest_row: sink.latest_row(hashed.modified_seconds),
        common_day: sink.common_day(),
        rows: sink.rows,
        rejects: sink.rejects,
        warnings: sink.warnings,
    })
}

fn of_file<E: From<ReadError>>(source: &Source, sink: &mut EventSink<'_, E>) -> Result<Stamp, E> {
    let io_error = ReadError::io(&source.path);
    let file = File::open(&source.path).map_err(&io_error)?;
    let modified_seconds = modified(&file).map_err(&io_error)?;
    let mut hashing = Hashing::new(file);
    stream(source, &mut hashing, sink)?;
    // What a reader had no use for is hashed all the same.
    io::copy(&mut hashing, &mut io::sink()).map_err(&io_error)?;
    Ok(hashing.done(modified_seconds))
}

fn of_member<E: From<ReadError>>(
    source: &Source,
    member: &str,
    sink: &mut EventSink<'_, E>,
) -> Result<Stamp, E> {
    let path = &source.path;
    let zip_error = ReadError::zip(path);
    if source.kind == SourceKind::Report {
        return of_report(source, member, sink);
    }
    let (file, stamp) = open_hashed(path)?;
    let mut archive = ZipArchive::new(file).map_err(&zip_error)?;
    let mut unpacked = archive.by_name(member).map_err(&zip_error)?;
    let mut bounded = unpacked.by_ref().take(MEMBER_BYTES_MAX);
    stream(source, &mut bounded, sink)?;
    if bounded.limit() == 0 {
        return Err(ReadError::MemberTooLong { path: path.clone() }.into());
    }
    Ok(stamp)
}

/// A report in a ZIP file has a hash of its own, so that a ZIP of many is not hashed for each.
fn of_report<E: From<ReadError>>(
    source: &Source,
    member: &str,
    sink: &mut EventSink<'_, E>,
) -> Result<Stamp, E> {
    let (path, io_error) = (&source.path, ReadError::io(&source.path));
    let file = File::open(path).map_err(&io_error)?;
    let modified_seconds = modified(&file).map_err(&io_error)?;
    let mut archive = ZipArchive::new(file).map_err(ReadError::zip(path))?;
    let unpacked = archive.by_name(member).map_err(ReadError::zip(path))?;
    let mut hashing = Hashing::new(unpacked.take(MEMBER_BYTES_MAX));
    stream(source, &mut hashing, sink)?;
    Ok(hashing.done(modified_seconds))
}

fn of_sheet<E: From<ReadError>>(
    source: &Source,
    sheet: &str,
    sink: &mut EventSink<'_, E>,
) -> Result<Stamp, E> {
    let path = &source.path;
    let (file, stamp) = open_hashed(path)?;
    let damaged = |error| ReadError::Workbook { path: path.clone(), error };
    let mut workbook = Workbook::open(file).map_err(damaged)?;
    stream(source, workbook.sheet(sheet).map_err(damaged)?, sink)?;
    Ok(stamp)
}

/// Reads bytes in memory as a source of that kind; the name is only for rejects, and a feed is that
/// of `ein`.
#[cfg(any(test, feature = "internals"))]
pub fn read_bytes<E: From<ReadError>>(
    kind: SourceKind,
    name: &str,
    ein: Option<Ein>,
    bytes: &[u8],
    on: &mut dyn FnMut(Event) -> Result<(), E>,
) -> Result<(), E> {
    let source = Source {
        path: PathBuf::from(name),
        part: SourcePart::File,
        kind,
        assignment: ein.map(Assignment::of),
        folders: 0,
    };
    stream(&source, bytes, &mut EventSink::new(on))
}

fn stream<R: Read, E: From<ReadError>>(
    source: &Source,
    mut input: R,
    sink: &mut EventSink<'_, E>,
) -> Result<(), E> {
    let outcome = match (source.kind, source.kind.list()) {
        (_, Some(list)) => rows(source, list, input, sink),
        (SourceKind::Curated, _) => {
            curated::read_lines(input, &mut |event| item(source, event, sink)).map(drop)
        }
        (SourceKind::Feed, _) => feed(source, input, sink),
        (SourceKind::Report, _) => report(&mut input, sink),
        _ => returns::of_bytes(source, &mut input, sink),
    };
    outcome.map_err(|stopped| match stopped {
        StreamError::Io(error)
        | StreamError::Rows(irs::ReadError::Io(error))
        | StreamError::Curated(curated::ReadError::Io(error)) => {
            ReadError::io(&source.path)(error).into()
        }
        StreamError::Curated(error) => {
            ReadError::Curated { path: source.path.clone(), error }.into()
        }
        StreamError::Rows(error) => ReadError::Header { path: source.path.clone(), error }.into(),
        StreamError::Sink(error) => error,
    })
}

fn rows<R: Read, E>(
    source: &Source,
    list: irs::List,
    input: R,
    sink: &mut EventSink<'_, E>,
) -> Result<(), StreamError<E>> {
    let name = source.name();
    let counts = irs::read(list, input, &mut |event| {
        match event {
            irs::Event::Row { line, row } => sink.record(line, Record::Row(row)),
            irs::Event::Fault { line, fault } => sink.reject(Reject {
                source: name.clone(),
                line,
                field: fault.field.to_owned(),
                reason: fault.expected.into_owned(),
                found: fault.found,
            }),
            irs::Event::Progress { text_bytes } => sink.progress(text_bytes),
        }
        .map_err(StreamError::Sink)
    })?;
    sink.warnings.extend(counts.warnings.into_iter().map(|(field, n)| (field.to_owned(), n)));
    Ok(())
}

/// Takes in a report, and of one that is too long as much as tells that it is.
fn report<R: Read, E>(input: &mut R, sink: &mut EventSink<'_, E>) -> Result<(), StreamError<E>> {
    let mut bytes = Vec::new();
    let max = reports::Limits::default().file_bytes as u64 + 1;
    input.take(max).read_to_end(&mut bytes)?;
    let text_bytes = bytes.len() as u64;
    sink.record(1, Record::Report(bytes)).map_err(StreamError::Sink)?;
    sink.progress(text_bytes).map_err(StreamError::Sink)
}

fn feed<R: Read, E>(
    source: &Source,
    input: R,
    sink: &mut EventSink<'_, E>,
) -> Result<(), StreamError<E>> {
    let Some(ein) = source.assignment.as_ref().map(|one| one.ein) else {
        let fault = RecordError {
            line: 1,
            field: "ein".to_owned(),
            expected:
                "an EIN for this feed: --feed-ein EIN, or a CSV file with the header file,ein \
                       that lists it"
                    .into(),
            found: String::new(),
        };
        return item(source, curated::Event::Reject(fault), sink);
    };
    let read = curated::read_feed(input, ein, &mut |event| item(source, event, sink));
    match read {
        Err(StreamError::Curated(error)) if !matches!(error, curated::ReadError::Io(_)) => {
            // One feed of many must not end a build.
            let (line, field, found) = (1, "feed".to_owned(), String::new());
            let fault = RecordError { line, field, expected: error.to_string().into(), found };
            item(source, curated::Event::Reject(fault), sink)
        }
        other => other.map(drop),
    }
}

fn item<E>(
    source: &Source,
    event: curated::Event,
    sink: &mut EventSink<'_, E>,
) -> Result<(), StreamError<E>> {
    match event {
        curated::Event::Item { line, item } => sink.record(line, Record::Item(item)),
        curated::Event::Reject(RecordError { line, field, expected, found }) => {
            let (source, reason) = (source.name(), expected.into_owned());
            sink.reject(Reject { source, line, field, reason, found })
        }
        curated::Event::Warning { key } => {
            *sink.warnings.entry(key).or_default() += 1;
            Ok(())
        }
        curated::Event::Progress { bytes } => sink.progress(bytes),
    }
    .map_err(StreamError::Sink)
}
