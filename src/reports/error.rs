//! Why a report cannot be read.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Unread;

/// Why there is nothing of a report. Which file it was, the caller knows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReportError {
    TooLong { bytes: usize, max: usize },
    UnpacksTooLong { page: u32, max: usize },
    TooManyPages { max: u32 },
    TooMuchText { page: u32, max: usize },
    TooManyPieces { page: u32, max: usize },
    TooMuchWork { page: u32, max: u64 },
    Unknown,
    Encrypted,
    Damaged { expected: &'static str, found: String },
    ErrorPage { title: String },
    NoText { pages: u32, why: Option<Unread> },
}

/// The same in parts, as lists of rejects have them and as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The page that was being read, from 1; 0 for the file as a whole.
    pub page: u32,
    pub expected: String,
    pub found: String,
    /// What to do.
    pub advice: String,
}

impl ReportError {
    /// What was expected, what was found, and what to do.
    pub fn fault(&self) -> Fault {
        let (page, expected, found, advice) = match self {
            Self::TooLong { bytes, max } => {
                let expected = format!("a report of at most {} MiB", max >> 20);
                (0, expected, format!("{bytes} bytes or more"), "export it with smaller pictures")
            }
            Self::UnpacksTooLong { page, max } => {
                let expected = format!("streams that unpack to at most {} MiB in all", max >> 20);
                (*page, expected, "more".to_owned(), AGAIN)
            }
            Self::TooManyPages { max } => {
                (*max, format!("a report of at most {max} pages"), "more".to_owned(), "split it")
            }
            Self::TooMuchText { page, max } => {
                let expected = format!("a report of at most {} MiB of text", max >> 20);
                (*page, expected, "more".to_owned(), "split it")
            }
            Self::TooManyPieces { page, max } => {
                let expected = format!("a report of at most {max} pieces of lines");
                (*page, expected, "more".to_owned(), "split it")
            }
            Self::TooMuchWork { page, max } => {
                let expected = format!("a report that is read in {max} steps");
                (*page, expected, "more".to_owned(), AGAIN)
            }
            Self::Unknown => {
                let expected = "a PDF, a web page, a Word document (.docx) or plain text";
                (0, expected.to_owned(), "something else".to_owned(), AGAIN)
            }
            Self::Encrypted => {
                let advice = "save it without a password and restrictions";
                (0, "a PDF that is not encrypted".to_owned(), "one that is".to_owned(), advice)
            }
            Self::Damaged { expected, found } => (0, (*expected).to_owned(), found.clone(), AGAIN),
            Self::ErrorPage { title } => {
                let found = format!("a page that is very short or reports an error, {title:?}");
                (0, "a report".to_owned(), found, "download it again")
            }
            Self::NoText { pages, why } => {
                let advice = why.map_or(AGAIN, Unread::name);
                (0, "text that can be read".to_owned(), format!("none on {pages} pages"), advice)
            }
        };
        Fault { page, expected, found, advice: advice.to_owned() }
    }
}

const AGAIN: &str = "download or export the file again";

impl fmt::Display for ReportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fault().fmt(f)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { page, expected, found, advice } = self;
        if *page > 0 {
            write!(f, "page {page}: ")?;
        }
        write!(f, "expected {expected}, found {found}: {advice}")
    }
}
