//! Returns: one file, those of a folder, or those of a ZIP, each read on its own.
//!
//! A return that cannot be read is a reject; so is anything else among returns. Several are read at
//! a time on all cores, and handed on in their order.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use data_encoding::HEXLOWER;
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use zip::ZipArchive;

use super::discover::{MEMBERS_MAX, is_hidden};
use super::error::{ReadError, StreamError};
use super::event::EventSink;
use super::hash::{HashedSource, hash, modified};
use super::recognise::{Content, HEAD_BYTES, recognise};
use super::{Record, Reject, Source, SourceKind};
use crate::irs::efile::{self, Return, ReturnError};
use crate::record::{Filing, Timestamp};

/// Bytes that a return may have: several times the largest that was filed, which lists a hundred
/// thousand grants; small enough that one fits into memory beside all else.
const RETURN_BYTES_MAX: u64 = 512 << 20;

/// Returns that are read at a time, and the bytes at which no more are taken in: enough to keep
/// every core busy, little beside the rest of a build.
const BATCH: usize = 256;
const BATCH_BYTES: usize = 64 << 20;

/// A file among returns.
struct Document {
    name: String,
    content: Result<Vec<u8>, Unread>,
}

/// Why a file was not taken in.
enum Unread {
    TooLong(u64),
    Damaged(String),
}

impl Document {
    fn bytes(&self) -> usize {
        self.content.as_ref().map_or(0, Vec::len)
    }

    /// The return, or why it is none.
    fn read(&self) -> Result<Return, Reject> {
        let reject = |line, field: &str, reason: &str, found: String| Reject {
            source: self.name.clone(),
            line,
            field: field.to_owned(),
            reason: reason.to_owned(),
            found,
        };
        let bytes = match &self.content {
            Ok(bytes) => bytes,
            Err(Unread::TooLong(bytes)) => {
                let found = format!("{bytes} bytes");
                return Err(reject(1, "row", "a return of at most 512 MiB", found));
            }
            Err(Unread::Damaged(error)) => {
                let expected = "a member that can be unpacked: download the ZIP again";
                return Err(reject(1, "row", expected, error.chars().take(120).collect()));
            }
        };
        let head = &bytes[..bytes.len().min(HEAD_BYTES)];
        let found = match recognise(head) {
            Content::Known(SourceKind::Returns) => None,
            Content::Zip => Some("a ZIP file in a ZIP file: unpack the outer one first".to_owned()),
            Content::Known(kind) => Some(format!("{}: give it as a file of its own", kind.title())),
            Content::Empty => Some("nothing".to_owned()),
            Content::Unknown(looks) => Some(looks.to_owned()),
            Content::Incomplete(_) | Content::FeedEins => Some("a list".to_owned()),
        };
        if let Some(found) = found {
            return Err(reject(1, "row", "a return of the Form 990 series in XML", found));
        }
        let name = self.name.rsplit(['/', '!']).next().unwrap_or(&self.name);
        let read = efile::read(bytes.as_slice(), name).map_err(|error| match error {
            ReturnError::Malformed { line, field, expected, found } => {
                reject(line, &field, &expected, found)
            }
            // Reading from memory does not fail.
            ReturnError::Io(error) => {
                reject(1, "row", "a file that can be read", error.to_string())
            }
        })?;
        // One that is not over yet would count as the latest for ever.
        let Filing { period_end, .. } = &read.filing;
        if i32::from(period_end.year()) > Timestamp::now().year() + 1 {
            let found = period_end.to_string();
            return Err(reject(1, "TaxPeriodEndDt", "the end of a tax period that is over", found));
        }
        Ok(read)
    }
}

/// Reads documents in their order, a batch at a time.
struct Batches<'sink, 'on, E> {
    sink: &'sink mut EventSink<'on, E>,
    waiting: Vec<Document>,
    waiting_bytes: usize,
    text_bytes: u64,
}

impl<'sink, 'on, E> Batches<'sink, 'on, E> {
    fn new(sink: &'sink mut EventSink<'on, E>) -> Self {
        Self { sink, waiting: Vec::new(), waiting_bytes: 0, text_bytes: 0 }
    }

    fn add(&mut self, document: Document) -> Result<(), E> {
        self.waiting_bytes += document.bytes();
        self.waiting.push(document);
        if self.waiting.len() >= BATCH || self.waiting_bytes >= BATCH_BYTES {
            return self.flush();
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), E> {
        let documents = std::mem::take(&mut self.waiting);
        let read: Vec<_> = documents.par_iter().map(Document::read).collect();
        for outcome in read {
            match outcome {
                Ok(Return { filing, schedules, unreadable }) => {
                    for element in filing.elements.iter().filter(|one| one.is_unreadable) {
                        let path = efile::xpath(&element.at).unwrap_or_default();
                        let name = path.rsplit('/').next().unwrap_or_default().to_owned();
                        *self.sink.warnings.entry(name).or_default() += 1;
                    }
                    for name in unreadable {
                        *self.sink.warnings.entry(name.to_owned()).or_default() += 1;
                    }
                    let record = Record::Filing(Box::new(filing), Box::new(schedules));
                    self.sink.record(1, record)?;
                }
                Err(reject) => self.sink.reject(reject)?,
            }
        }
        self.text_bytes += std::mem::take(&mut self.waiting_bytes) as u64;
        self.sink.progress(self.text_bytes)
    }
}

/// The whole content of an input whose length is said to be `bytes`.
fn content(input: &mut impl Read, bytes: u64) -> Result<Vec<u8>, Unread> {
    if bytes > RETURN_BYTES_MAX {
        return Err(Unread::TooLong(bytes));
    }
    let mut content = Vec::new();
    // What it says of its length need not be true.
    let read = input.take(RETURN_BYTES_MAX + 1).read_to_end(&mut content);
    match read {
        Ok(read) if read as u64 > RETURN_BYTES_MAX => Err(Unread::TooLong(read as u64)),
        Ok(_) => Ok(content),
        Err(error) => Err(Unread::Damaged(error.to_string())),
    }
}

/// Reads one file that is a return.
pub(super) fn of_bytes<E>(
    source: &Source,
    input: &mut impl Read,
    sink: &mut EventSink<'_, E>,
) -> Result<(), StreamError<E>> {
    let name = source.name();
    let mut content = Vec::new();
    input.take(RETURN_BYTES_MAX + 1).read_to_end(&mut content)?;
    let content = match content.len() as u64 {
        ..=RETURN_BYTES_MAX => Ok(content),
        longer => Err(Unread::TooLong(longer)),
    };
    let mut batches = Batches::new(sink);
    batches
        .add(Document { name, content })
        .and_then(|()| batches.flush())
        .map_err(StreamError::Sink)
}

/// Reads the returns of a folder.
pub(super) fn of_folder<E: From<ReadError>>(
    folder: &Path,
    files: &[String],
    sink: &mut EventSink<'_, E>,
) -> Result<HashedSource, E> {
    let mut hashed = HashedSource { bytes: 0, sha256: String::new(), modified_seconds: 0 };
    let mut sums = Sha256::new();
    let mut batches = Batches::new(sink);
    for name in files {
        let path = folder.join(name);
        let io_error = ReadError::io(&path);
        let mut file = File::open(&path).map_err(&io_error)?;
        hashed.modified_seconds = hashed.modified_seconds.max(modified(&file).map_err(&io_error)?);
        let bytes = file.metadata().map_err(&io_error)?.len();
        let content = content(&mut file, bytes);
        if let Err(Unread::Damaged(error)) = content {
            return Err(io_error(io::Error::other(error)).into());
        }
        let sum = HEXLOWER.encode(&Sha256::digest(content.as_deref().unwrap_or_default()));
        sums.update(format!("{sum}  {name}\n"));
        hashed.bytes += bytes;
        batches.add(Document { name: name.clone(), content })?;
    }
    batches.flush()?;
    hashed.sha256 = HEXLOWER.encode(&sums.finalize());
    Ok(hashed)
}

/// Reads the returns in a ZIP file. Lists among its first members are sources of their own.
pub(super) fn of_zip<E: From<ReadError>>(
    source: &Source,
    sink: &mut EventSink<'_, E>,
) -> Result<HashedSource, E> {
    let path = &source.path;
    let mut file = File::open(path).map_err(ReadError::io(path))?;
    let hashed = hash(&mut file).map_err(ReadError::io(path))?;
    let mut archive = ZipArchive::new(file).map_err(ReadError::zip(path))?;
    let mut batches = Batches::new(sink);
    for index in 0..archive.len() {
        let outer = source.name();
        let (name, content) = match archive.by_index(index) {
            Ok(mut member) => {
                let name = member
                    .name()
                    .map_or_else(|_| format!("member {}", index + 1), |name| name.into_owned());
                if member.is_dir() || is_hidden(&name) {
                    continue;
                }
                let bytes = member.size();
                (name, content(&mut member, bytes))
            }
            Err(error) => {
                (format!("member {}", index + 1), Err(Unread::Damaged(error.to_string())))
            }
        };
        let head = content.as_deref().unwrap_or_default();
        let own = matches!(recognise(&head[..head.len().min(HEAD_BYTES)]), Content::Known(kind) if kind != SourceKind::Returns);
        if own && index < MEMBERS_MAX {
            continue;
        }
        batches.add(Document { name: format!("{outer}!{name}"), content })?;
    }
    batches.flush()?;
    Ok(hashed)
}
