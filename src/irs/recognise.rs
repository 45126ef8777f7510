//! Which list a text is, by its first lines.

use super::records::{Content as Line, Dialect, Fields, Records};
use super::{List, approval, pipes, text};
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
    let commas = [List::MasterFile, List::Approvals, List::FilingIndex, List::Extract];
    header(head, Dialect::Commas, &commas)
        .or_else(|| header(head, Dialect::Spaces, &[List::Extract]))
        .or_else(|| pipes(head, extent).map(Head::Known))
}

/// Which of some lists the first line is the header of.
fn header(head: &[u8], dialect: Dialect, lists: &[List]) -> Option<Head> {
    let mut records = Records::new(head, dialect);
    // Reading from memory cannot fail.
    let record = records.next(None).ok()??;
    let Line::Fields(fields) = record.content else { return None };
    lists.iter().find_map(|&list| match list.layout_of(fields) {
        Ok(_) => Some(Head::Known(list)),
        Err(missing) => {
            let least = match list {
                List::MasterFile => MASTER_COLUMNS_MIN,
                List::Approvals => approval::COLUMNS_MIN,
                _ => list.columns().len(),
            };
            let found = list.columns().len() - missing.len();
            (found >= least).then_some(Head::Incomplete(list, missing))
        }
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
    let code = |column| text::code(fields.get(column));
    let lists = [List::Publication78, List::RevocationList, List::Postcard];
    lists.into_iter().find(|list| list.columns().len() == fields.len()).filter(|list| match list {
        List::RevocationList => Date::parse_dd_mon_yyyy(code(pipes::REVOKED)).is_ok(),
        List::Postcard => pipes::tax_year(code(1)).is_some(),
        _ => true,
    })
}
