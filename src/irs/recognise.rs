//! Which list a text is, by its first lines.

use std::cmp::Reverse;

use super::layout::Heading;
use super::records::{Content as Line, Dialect, Fields, Records};
use super::{List, text};
use crate::record::Ein;

/// How many lines are looked at; the first may be damaged, so most of them decide.
const LINES_MAX: usize = 20;

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
    header(head, Dialect::Commas)
        .or_else(|| header(head, Dialect::Spaces))
        .or_else(|| pipes(head, extent).map(Head::Known))
}

/// Which list the first line is the header of: of several, that of the most columns.
fn header(head: &[u8], dialect: Dialect) -> Option<Head> {
    let mut records = Records::new(head, dialect);
    // Reading from memory cannot fail.
    let record = records.next(None).ok()??;
    let Line::Fields(fields) = record.content else { return None };
    let mut lists: Vec<List> = List::ALL.into_iter().collect();
    lists.sort_by_key(|list| Reverse(list.format().columns.len()));
    lists.into_iter().find_map(|list| {
        let format = list.format();
        let Heading::Named(layout) = format.heading else { return None };
        if !format.dialects.contains(&dialect) {
            return None;
        }
        match layout(fields) {
            Ok(_) => Some(Head::Known(list)),
            Err(missing) => {
                let found = format.columns.len() - missing.len();
                (found >= format.columns_min).then_some(Head::Incomplete(list, missing))
            }
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
    List::ALL.into_iter().find(|list| {
        let format = list.format();
        let Heading::Absent { fits, .. } = format.heading else { return false };
        format.columns.len() == fields.len() && fits(fields)
    })
}
