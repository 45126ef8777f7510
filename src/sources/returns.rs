//! Returns: one file, those of a folder, or those of a ZIP, each read on its own.
//!
//! A return that cannot be read is a reject; so is anything else among returns.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

use sha2::{Digest, Sha256};
use zip::ZipArchive;

use super::discover::{MEMBERS_MAX, is_hidden};
use super::document::{
    Batches, Document, Outcome, RETURN_BYTES_MAX, ReadDocument, Unread, content,
};
use super::error::{ReadError, StreamError};
use super::event::EventSink;
use super::hash::{Stamp, modified, open_hashed};
use super::recognise::{Content, HEAD_BYTES, recognise};
use super::{Record, Source, SourceKind};
use crate::irs::efile;

/// Hands documents on as records and rejects.
pub(super) struct Documents<'sink, 'on, E> {
    sink: &'sink mut EventSink<'on, E>,
    /// What stands before a document's name in a reject.
    prefix: String,
    text_bytes: u64,
}

impl<'sink, 'on, E> Documents<'sink, 'on, E> {
    pub(super) fn new(sink: &'sink mut EventSink<'on, E>, prefix: String) -> Self {
        Self { sink, prefix, text_bytes: 0 }
    }

    pub(super) fn add(&mut self, document: ReadDocument) -> Result<(), E> {
        match document.outcome {
            Outcome::Return { filing, schedules, unreadable } => {
                for element in filing.elements.iter().filter(|one| one.is_unreadable) {
                    let path = efile::xpath(&element.at).unwrap_or_default();
                    let name = path.rsplit('/').next().unwrap_or_default().to_owned();
                    *self.sink.warnings.entry(name).or_default() += 1;
                }
                for name in unreadable {
                    *self.sink.warnings.entry(name).or_default() += 1;
                }
                self.sink.record(1, Record::Filing(filing, schedules))?;
            }
            Outcome::UnrelatedBusiness(ein, tax_period) => {
                self.sink.record(1, Record::UnrelatedBusiness(ein, tax_period))?;
            }
            Outcome::Reject(mut reject) => {
                reject.source.insert_str(0, &self.prefix);
                self.sink.reject(reject)?;
            }
        }
        self.text_bytes += document.text_bytes;
        self.sink.progress(self.text_bytes)
    }
}

/// What stands before the names of a ZIP file's members.
pub(super) fn zip_prefix(source: &Source) -> String {
    format!("{}!", source.name())
}

/// The hash of the files of a folder, as they are read.
#[derive(Default)]
pub(super) struct FolderHash {
    bytes: u64,
    sums: Sha256,
    modified_seconds: u64,
}

impl FolderHash {
    pub(super) fn add(&mut self, name: &str, stamp: &Stamp) {
        self.sums.update(format!("{}  {name}\n", stamp.sha256()));
        self.bytes += stamp.bytes;
        self.modified_seconds = self.modified_seconds.max(stamp.modified_seconds);
    }

    pub(super) fn done(self) -> Stamp {
        let Self { bytes, sums, modified_seconds } = self;
        Stamp { bytes, sha256: sums.finalize().into(), modified_seconds }
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
    let mut documents = Documents::new(sink, String::new());
    let mut on = |document| documents.add(document);
    let mut batches = Batches::new(&mut on);
    batches
        .add(Document { name, stamp: Stamp::default(), content })
        .and_then(|()| batches.flush())
        .map_err(StreamError::Sink)
}

/// Reads the returns of a folder.
pub(super) fn of_folder<E: From<ReadError>>(
    folder: &Path,
    files: &[String],
    sink: &mut EventSink<'_, E>,
) -> Result<Stamp, E> {
    let mut hashed = FolderHash::default();
    let mut documents = Documents::new(sink, String::new());
    let mut on = |document: ReadDocument| {
        hashed.add(&document.name, &document.stamp);
        documents.add(document)
    };
    let mut batches = Batches::new(&mut on);
    take_files(folder, files, &mut batches)?;
    batches.flush()?;
    Ok(hashed.done())
}

/// Takes in files of a folder.
pub(super) fn take_files<E: From<ReadError>>(
    folder: &Path,
    files: &[String],
    batches: &mut Batches<'_, E>,
) -> Result<(), E> {
    for name in files {
        batches.add(file(&folder.join(name), name.clone())?)?;
    }
    Ok(())
}

/// Takes in a file.
pub(super) fn file(path: &Path, name: String) -> Result<Document, ReadError> {
    let io_error = ReadError::io(path);
    let mut file = File::open(path).map_err(&io_error)?;
    let modified_seconds = modified(&file).map_err(&io_error)?;
    let bytes = file.metadata().map_err(&io_error)?.len();
    let content = content(&mut file, bytes);
    if let Err(Unread::Damaged(error)) = content {
        return Err(io_error(io::Error::other(error)));
    }
    let sha256 = Sha256::digest(content.as_deref().unwrap_or_default()).into();
    Ok(Document { name, stamp: Stamp { bytes, sha256, modified_seconds }, content })
}

/// Reads the returns in a ZIP file. Lists among its first members are sources of their own.
pub(super) fn of_zip<E: From<ReadError>>(
    source: &Source,
    sink: &mut EventSink<'_, E>,
) -> Result<Stamp, E> {
    let path = &source.path;
    let (_, stamp) = open_hashed(path)?;
    let mut documents = Documents::new(sink, zip_prefix(source));
    let mut on = |document| documents.add(document);
    let mut batches = Batches::new(&mut on);
    take_members(path, 0..usize::MAX, &mut batches)?;
    batches.flush()?;
    Ok(stamp)
}

/// Takes in those of a ZIP file's members that are at these positions.
pub(super) fn take_members<E: From<ReadError>>(
    path: &Path,
    members: Range<usize>,
    batches: &mut Batches<'_, E>,
) -> Result<(), E> {
    let mut archive = archive(path)?;
    for index in members.start..members.end.min(archive.len()) {
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
        let content_kind = recognise(&head[..head.len().min(HEAD_BYTES)]);
        let is_own =
            matches!(content_kind, Ok(Content::Known(kind)) if kind != SourceKind::Returns);
        if is_own && index < MEMBERS_MAX {
            continue;
        }
        batches.add(Document { name, stamp: Stamp::default(), content })?;
    }
    Ok(())
}

/// Members of a ZIP file, whatever they are.
pub(crate) fn zip_members(path: &Path) -> Result<usize, ReadError> {
    Ok(archive(path)?.len())
}

/// Opens a ZIP file.
pub(super) fn archive(path: &Path) -> Result<ZipArchive<File>, ReadError> {
    let file = File::open(path).map_err(ReadError::io(path))?;
    ZipArchive::new(file).map_err(ReadError::zip(path))
}
