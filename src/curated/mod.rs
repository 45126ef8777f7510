//! Curated data to records or rejects: newline-delimited JSON, and RSS and Atom feeds.
//!
//! [`recognise()`] tells what a file is, [`read_lines`] and [`read_feed`] stream it as [`Event`]s.
//! JSON is written by people who can mend it, so a line is right as a whole or a reject; a feed is
//! taken from somebody else, so of an entry all that is usable is kept. Texts of posts leave here
//! as plain text, and addresses only as `http` or `https`. Ids that occur twice are not noticed
//! here.

mod address;
mod classify;
mod encoding;
mod entry;
mod feed;
mod feed_date;
mod kinds;
mod lines;
mod markup;
mod object;
mod recognise;
mod xml;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::io;

use crate::record::{Article, Fund, Knowledge, Metric, Overlay, Post, Story, Withdrawal};

pub use feed::read_feed;
pub use lines::{is_explained_word, own_knowledge, read_lines};
pub use recognise::recognise;

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CuratedKind {
    /// Newline-delimited JSON, for [`read_lines`].
    Curated,
    /// RSS 0.9x, 1.0, 2.0 or Atom, for [`read_feed`].
    Feed,
}

/// One record.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    Story(Box<Story>),
    Metric(Box<Metric>),
    Post(Box<Post>),
    Article(Box<Article>),
    Knowledge(Box<Knowledge>),
    Fund(Box<Fund>),
    Overlay(Box<Overlay>),
    Withdrawal(Withdrawal),
}

/// Why a line or an entry cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordError {
    /// The line of the file on which it begins, from 1.
    pub line: u64,
    /// The key or element; `line` or `xml` where neither is known.
    pub field: String,
    /// What should have been there.
    pub expected: Cow<'static, str>,
    /// What was there instead, its first 120 characters.
    pub found: String,
}

impl RecordError {
    /// An error of a line whose number who reads the lines fills in.
    fn new(field: &str, expected: impl Into<Cow<'static, str>>, found: &str) -> Self {
        Self { line: 0, field: excerpt(field), expected: expected.into(), found: excerpt(found) }
    }
}

/// Something that reading comes upon, in the order of the file.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A record, and the line of the file on which it begins, from 1.
    Item { line: u64, item: Item },
    /// A line or an entry that could not be read.
    Reject(RecordError),
    /// Follows the item that it is about: a key that is not known, or a part of a feed's entry that
    /// was left out because it is malformed. At most 120 characters.
    Warning { key: String },
    /// About once a mebibyte, and at the end: how many bytes have been read so far.
    Progress { bytes: u64 },
}

/// What was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    pub items: u64,
    pub rejects: u64,
    /// Length of the input.
    pub bytes: u64,
}

/// Why a source cannot be read to its end. It does not know where the source lies; who opened it
/// does.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The operating system refused.
    #[error("cannot read the file: check the disk")]
    Io(#[from] io::Error),
    /// Larger than any feed of use.
    #[error("the feed is longer than 16 MiB: split it, or let it have fewer entries")]
    FeedTooLong,
    /// Text in an unknown encoding.
    #[error("expected a feed in UTF-8 or another encoding of the web's standard, found {found:?}")]
    Encoding { found: String },
    /// XML that breaks off before there is an element.
    #[error("line {line}: expected {expected}")]
    Xml { line: u64, expected: &'static str },
    /// XML, but not a feed.
    #[error("expected the root element rss, feed or RDF, found {found:?}")]
    NotFeed { found: String },
}

/// How many bytes lie between two [`Event::Progress`].
const PROGRESS_BYTES: u64 = 1 << 20;

/// The most characters of a bad value or of a key that an event carries: enough to find it again.
const EXCERPT_CHARACTERS_MAX: usize = 120;

/// The longest text that is kept: a book's chapter; more is a mistake, and would be held for every
/// answer that shows it.
const TEXT_BYTES_MAX: usize = 256 << 10;

/// The first characters of a text, for an event.
fn excerpt(text: &str) -> String {
    text.chars().take(EXCERPT_CHARACTERS_MAX).collect()
}
