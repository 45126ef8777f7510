//! IRS e-file returns: the XML of Forms 990, 990-EZ and 990-PF, one return a file.
//!
//! [`read`] streams one return: `source` bounds the bytes, `gather` picks the elements that `paths`
//! lists, with their `meaning`, and forgets the rest, `assemble` parses them into a [`Filing`], for
//! which `lists` parses the rows of its lists, `row` by row, and `narrative` follows missions and
//! programmes to where the form points (`pointer`, `reference`, `heading`) and spells the filer's name
//! (`own_name`); `period` refuses slips in its tax period; `elements` says where each value stands.
//! Returns of every schema since 2009 are read; no other return of the same filer is known here.
//! The elements are in `data/efile_paths.tsv`.

mod assemble;
mod elements;
mod gather;
mod heading;
mod lists;
mod meaning;
mod narrative;
mod own_name;
mod paths;
mod period;
mod pointer;
mod reference;
mod root;
mod row;
mod source;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::io::{self, BufRead};
use std::sync::Arc;

use crate::record::{Ein, ElementPath, Filing, Month, Schedules};

pub use gather::{ROWS_MAX, VALUE_BYTES_MAX};
pub use root::{Root, root};

/// The most characters of what was found that an error carries, as in other rejects.
const FOUND_CHARACTERS_MAX: usize = 120;

/// Why a return cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReturnError {
    /// It is no return, not one that carries a profile, or not whole.
    #[error("line {line}, {field}: expected {expected}, found {found:?}")]
    Malformed {
        /// Line of the file, from 1.
        line: u64,
        /// The element at fault, as the IRS names it, or `row`.
        field: String,
        /// What was expected.
        expected: Cow<'static, str>,
        /// What stood there, at most 120 characters.
        found: String,
    },
    /// Form 990-T, which carries no profile.
    #[error("Form 990-T of {ein}")]
    UnrelatedBusiness {
        ein: Ein,
        /// Last month of the tax period.
        tax_period: Month,
    },
    /// The input failed.
    #[error("the return cannot be read")]
    Io(#[source] Arc<io::Error>),
}

impl ReturnError {
    fn malformed(
        line: u64,
        field: &str,
        expected: impl Into<Cow<'static, str>>,
        found: &str,
    ) -> Self {
        let clip = |text: &str| text.chars().take(FOUND_CHARACTERS_MAX).collect();
        Self::Malformed { line, field: clip(field), expected: expected.into(), found: clip(found) }
    }
}

/// A return as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Return {
    pub filing: Filing,
    /// Grants, people and related organizations that it lists; what else it lists is in the filing.
    pub schedules: Schedules,
    /// Of its lists, the elements that hold what cannot be read, each as often as it does; and rows that
    /// have no place.
    pub unreadable: Vec<&'static str>,
}

/// Reads one return, in memory bounded by the texts that are kept. `file_name` gives the IRS's
/// number of the return, if it has one: 18 digits, as in `202300559349300125_public.xml`.
/// What is not needed to tell whose return of which period it is, and is malformed, is left out.
///
/// # Errors
/// When the input fails, is not well-formed UTF-8 XML, exceeds a limit or has a document type;
/// when it is not a return of Form 990, 990-EZ or 990-PF, 990-T told apart; when the EIN, the name or the end of the
/// tax period is missing or malformed, or that end is later than the return can be.
pub fn read(input: impl BufRead, file_name: &str) -> Result<Return, ReturnError> {
    assemble::whole(gather::gather(input)?, file_name)
}

/// The XPath, by local names, of an element that a value was read from:
/// `/Return/ReturnData/IRS990/MissionDesc`. `None` of one that the table of elements does not have.
pub fn xpath(at: &ElementPath) -> Option<String> {
    paths::Tree::get().xpath(at)
}
