//! One file among returns: its bytes, and what reading them gave. Several are read at a time on all cores, and handed on in
//! their order.

use std::io::Read;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::hash::Stamp;
use super::recognise::{Content, HEAD_BYTES, Unusable, recognise};
use super::{Reject, SourceKind};
use crate::irs::efile::{self, Return, ReturnError};
use crate::record::{Ein, Filing, Month, Schedules};

/// Bytes that a return may have: several times the largest that was filed, which lists a hundred
/// thousand grants; small enough that one fits into memory beside all else.
pub(super) const RETURN_BYTES_MAX: u64 = 512 << 20;

/// Returns that are read at a time, and the bytes at which no more are taken in: enough to keep
/// every core busy, little beside the rest of a build.
const BATCH: usize = 256;
const BATCH_BYTES: usize = 64 << 20;

/// A file among returns.
pub(super) struct Document {
    /// Its name; that of a ZIP file's member.
    pub(super) name: String,
    pub(super) stamp: Stamp,
    pub(super) content: Result<Vec<u8>, Unread>,
}

/// Why a file was not taken in.
pub(super) enum Unread {
    TooLong(u64),
    Damaged(String),
}

/// A file that was read. In postcard it is what extracted returns consist of: whatever changes that, or what a return
/// becomes, raises `extraction::FORM`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct ReadDocument {
    pub(super) name: String,
    pub(super) stamp: Stamp,
    /// Bytes of its text.
    pub(super) text_bytes: u64,
    pub(super) outcome: Outcome,
}

/// What a file is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Outcome {
    Return {
        filing: Box<Filing>,
        schedules: Box<Schedules>,
        /// As [`Return::unreadable`].
        unreadable: Vec<String>,
    },
    /// Form 990-T: whose, and the last month of its tax period.
    UnrelatedBusiness(Ein, Month),
    /// Its source is the name of the document.
    Reject(Reject),
}

impl Document {
    fn bytes(&self) -> usize {
        self.content.as_ref().map_or(0, Vec::len)
    }

    fn read(&self) -> ReadDocument {
        let outcome = match self.outcome() {
            Ok(outcome) => outcome,
            Err(reject) => Outcome::Reject(reject),
        };
        let (name, stamp, text_bytes) = (self.name.clone(), self.stamp, self.bytes() as u64);
        ReadDocument { name, stamp, text_bytes, outcome }
    }

    /// What it is, or why it is no return.
    fn outcome(&self) -> Result<Outcome, Reject> {
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
            Ok(Content::Known(SourceKind::Returns)) => None,
            Ok(Content::Known(kind)) => {
                Some(format!("{}: give it as a file of its own", kind.name()))
            }
            Ok(Content::Zip) => {
                Some("a ZIP file in a ZIP file: unpack the outer one first".to_owned())
            }
            Ok(Content::Parquet | Content::Vectors) => Some("no XML".to_owned()),
            Ok(Content::Assignments) | Err(Unusable::Incomplete(..)) => Some("a list".to_owned()),
            Err(Unusable::Empty) => Some("nothing".to_owned()),
            Err(Unusable::Unknown(looks)) => Some(looks.to_owned()),
            Err(unusable @ Unusable::WebPage) => Some(unusable.to_string()),
        };
        if let Some(found) = found {
            return Err(reject(1, "row", "a return of the Form 990 series in XML", found));
        }
        let name = self.name.rsplit(['/', '!']).next().unwrap_or(&self.name);
        match efile::read(bytes.as_slice(), name) {
            Ok(Return { filing, schedules, unreadable }) => Ok(Outcome::Return {
                filing: Box::new(filing),
                schedules: Box::new(schedules),
                unreadable: unreadable.into_iter().map(str::to_owned).collect(),
            }),
            Err(ReturnError::UnrelatedBusiness { ein, tax_period }) => {
                Ok(Outcome::UnrelatedBusiness(ein, tax_period))
            }
            Err(ReturnError::Malformed { line, field, expected, found }) => {
                Err(reject(line, &field, &expected, found))
            }
            // Reading from memory does not fail.
            Err(ReturnError::Io(error)) => {
                Err(reject(1, "row", "a file that can be read", error.to_string()))
            }
        }
    }
}

/// Reads documents in their order, a batch at a time.
pub(super) struct Batches<'on, E> {
    on: &'on mut dyn FnMut(ReadDocument) -> Result<(), E>,
    waiting: Vec<Document>,
    waiting_bytes: usize,
}

impl<'on, E> Batches<'on, E> {
    pub(super) fn new(on: &'on mut dyn FnMut(ReadDocument) -> Result<(), E>) -> Self {
        Self { on, waiting: Vec::new(), waiting_bytes: 0 }
    }

    pub(super) fn add(&mut self, document: Document) -> Result<(), E> {
        self.waiting_bytes += document.bytes();
        self.waiting.push(document);
        if self.waiting.len() >= BATCH || self.waiting_bytes >= BATCH_BYTES {
            return self.flush();
        }
        Ok(())
    }

    pub(super) fn flush(&mut self) -> Result<(), E> {
        self.waiting_bytes = 0;
        let documents = std::mem::take(&mut self.waiting);
        let read: Vec<_> = documents.par_iter().map(Document::read).collect();
        read.into_iter().try_for_each(&mut self.on)
    }
}

/// The whole content of an input with a declared length of `bytes`.
pub(super) fn content(input: &mut impl Read, bytes: u64) -> Result<Vec<u8>, Unread> {
    if bytes > RETURN_BYTES_MAX {
        return Err(Unread::TooLong(bytes));
    }
    let mut content = Vec::new();
    // The declared length need not be true.
    let read = input.take(RETURN_BYTES_MAX + 1).read_to_end(&mut content);
    match read {
        Ok(read) if read as u64 > RETURN_BYTES_MAX => Err(Unread::TooLong(read as u64)),
        Ok(_) => Ok(content),
        Err(error) => Err(Unread::Damaged(error.to_string())),
    }
}
