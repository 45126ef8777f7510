//! Annual reports to passages: PDF, web pages, Word documents and plain text.
//!
//! [`recognise()`] tells what a file is, [`read()`] reads it to its passages in reading order, page by page. What a
//! report says is the business of others; whose it is, of `sources` and `build`. Every reader is bounded by [`Limits`]
//! and a `Budget` of counted work, so that no file keeps a build busy without end or fills the memory.

mod budget;
mod docx;
mod eins;
mod error;
mod html;
mod passages;
mod pdf;
mod plain;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::record::{Ein, Passage, named};
use budget::Budget;

pub use eins::{dashed_eins, ein_of_name};
pub use error::{Fault, ReportError};

named! {
    /// What a report is written in.
    #[derive(Serialize, Deserialize)]
    Format {
        Pdf = "PDF",
        Html = "web page",
        Docx = "Word document",
        Text = "plain text",
    }
}

/// Version of what reading makes of a file; whatever changes passages raises it.
pub const FORM: u32 = 1;

/// What a report may have at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the file: printers' PDFs of a hundred pages with pictures have as many.
    pub file_bytes: usize,
    /// Bytes that its streams unpack to, pictures left out.
    pub unpacked_bytes: usize,
    pub pages: u32,
    /// Bytes of text: a novel has one MiB.
    pub text_bytes: usize,
    /// Steps of reading, about one a byte that is looked at, so that a crafted file comes to an end within
    /// seconds.
    pub steps: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 128 << 20,
            unpacked_bytes: 256 << 20,
            pages: 3_000,
            text_bytes: 16 << 20,
            steps: 1 << 30,
        }
    }
}

/// A report that was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    pub format: Format,
    /// Pages, those without text included.
    pub pages: u32,
    /// In reading order; no text is empty.
    pub passages: Vec<Passage>,
    /// Pages that show something, but no text that can be read, and why, in rising order.
    pub unread: Vec<UnreadPage>,
    /// EINs that stand in its text with their dash, in order, none twice.
    pub eins: Vec<Ein>,
}

/// A page without text that can be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnreadPage {
    /// From 1.
    pub page: u32,
    pub why: Unread,
}

named! {
    serde:
    /// Why a page has no text.
    #[derive(Serialize, Deserialize)]
    Unread {
        Scanned = "a page that is a picture: run text recognition (OCR) over the file",
        Undecodable = "letters whose fonts do not say which they are: export it again so that text can be copied",
        Damaged = "content that cannot be unpacked: download or export the file again",
    }
}

/// What a file is, by its first bytes; `None` where it is no report. Plain text has no mark of its own, so it is for
/// the caller to say.
pub fn recognise(head: &[u8]) -> Option<Format> {
    let start = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
    if start.starts_with(b"%PDF-") {
        return Some(Format::Pdf);
    }
    if docx::is_zip(start) {
        return docx::is_docx(head).then_some(Format::Docx);
    }
    html::is_page(start).then_some(Format::Html)
}

/// Reads a report to its end.
///
/// # Errors
/// When it is damaged, encrypted, larger than the limits, or has no text at all.
pub fn read(bytes: &[u8], limits: &Limits) -> Result<Report, ReportError> {
    if bytes.len() > limits.file_bytes {
        return Err(ReportError::TooLong { bytes: bytes.len(), max: limits.file_bytes });
    }
    let mut budget = Budget::new(limits);
    let format = match recognise(bytes) {
        Some(format) => format,
        None if plain::is_text(bytes) => Format::Text,
        None => return Err(ReportError::Unknown),
    };
    let report = match format {
        Format::Pdf => pdf::read(bytes, &mut budget)?,
        Format::Html => html::read(bytes, &mut budget)?,
        Format::Docx => docx::read(bytes, &mut budget)?,
        Format::Text => plain::read(bytes, &mut budget)?,
    };
    if report.passages.is_empty() {
        let why = report.unread.first().map(|unread| unread.why);
        return Err(ReportError::NoText { pages: report.pages, why });
    }
    Ok(report)
}
