//! Which list a text is, by its first lines.

use super::records::{Content as Line, Dialect, Fields, Records};
use super::{
    List, approval, extract, filing_index, master, postcard, publication_78, revocation, text,
};
use crate::record::{Date, Ein};

/// How many lines are looked at; the first may be damaged, so most of them decide.
const LINES_MAX: usize = 20;

/// How many of its columns make a header that of the master file, so that what is missing can be
/// named; other files of the IRS share only EIN and a few more.
const MASTER_COLUMNS_MIN: usize = 14;

/// What the beginning of a text shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Head {
    /// A list.
    Known(List),
    /// A list that lacks columns.
    Incomplete(List, Vec<&'static str>),
}

/// How much of a text is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Whole,
    /// Its beginning; the last line may be cut.
    Beginning,
}

/// Recognises a list by the beginning of its text; `None` for every other.
pub fn recognise(head: &[u8], extent: Extent) -> Option<Head> {
    let extract = || is_extract(head).then_some(Head::Known(List::Extract));
    comma_header(head).or_else(extract).or_else(|| pipes(head, extent).map(Head::Known))
}

/// The list whose header of columns, with commas, the first line is.
fn comma_header(head: &[u8]) -> Option<Head> {
    let mut records = Records::new(head, Dialect::Commas);
    // Reading from memory cannot fail.
    let record = records.next(None).ok()??;
    let Line::Fields(fields) = record.content else { return None };
    let named = |column: &&str| {
        fields.iter().any(|field| field.trim_ascii().eq_ignore_ascii_case(column.as_bytes()))
    };
    let shared = master::COLUMNS.iter().filter(|column| named(column)).count();
    let master = (shared >= MASTER_COLUMNS_MIN).then(|| master::Header::read(fields).map(drop));
    let approvals = || approval::Header::read(fields).map(|read| read.map(drop));
    let index = || filing_index::Header::read(fields).map(|_| Ok(()));
    let list = |list| move |read: Result<(), _>| (list, read);
    let (list, read) = master
        .map(list(List::MasterFile))
        .or_else(|| approvals().map(list(List::Approvals)))
        .or_else(|| index().map(list(List::FilingIndex)))?;
    Some(match read {
        Ok(()) => Head::Known(list),
        Err(missing) => Head::Incomplete(list, missing),
    })
}

/// Whether the first line is the header of an annual extract.
fn is_extract(head: &[u8]) -> bool {
    [Dialect::Commas, Dialect::Spaces].into_iter().any(|dialect| {
        let mut records = Records::new(head, dialect);
        let Ok(Some(record)) = records.next(None) else { return false };
        matches!(record.content, Line::Fields(fields) if extract::Header::read(fields).is_some())
    })
}

/// The kind that at least half of the first lines are of.
fn pipes(head: &[u8], extent: Extent) -> Option<List> {
    let whole = match extent {
        Extent::Whole => head,
        Extent::Beginning => &head[..memchr::memrchr(b'\n', head).unwrap_or(head.len())],
    };
    let mut records = Records::new(whole, Dialect::Pipes);
    let mut lines = 0;
    let mut votes = [0; List::ALL.len()];
    while let Ok(Some(record)) = records.next(None) {
        if lines == LINES_MAX {
            break;
        }
        lines += 1;
        let Line::Fields(fields) = record.content else { continue };
        let Some(kind) = kind_of_line(fields) else { continue };
        votes[kind as usize] += 1;
    }
    List::ALL
        .into_iter()
        .find(|kind| votes[*kind as usize] > 0 && votes[*kind as usize] * 2 >= lines)
}

fn kind_of_line(fields: Fields<'_>) -> Option<List> {
    text::code(fields.get(0)).parse::<Ein>().ok()?;
    let revoked = text::code(fields.get(revocation::REVOKED));
    let year = text::code(fields.get(1));
    match fields.len() {
        length if length == publication_78::COLUMNS.len() => Some(List::Publication78),
        length if length == revocation::COLUMNS.len() => {
            Date::parse_dd_mon_yyyy(revoked).is_ok().then_some(List::RevocationList)
        }
        length if length == postcard::COLUMNS.len() => {
            postcard::tax_year(year).map(|_| List::Postcard)
        }
        _ => None,
    }
}
