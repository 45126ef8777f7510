//! Which sheet of a workbook is the list.

use std::io::Read as _;

use anyhow::Context as _;

use super::columns::quoted;
use super::input::List;
use crate::sources::Sheets;

/// Sheets that are looked through for a list.
const SHEETS_MAX: usize = 200;
/// Bytes of a sheet that are looked at for headings.
const SNIFFED_BYTES: u64 = 64 * 1024;

/// The sheet of a name; without one the first that has a row of headings, or else the first that has any row.
///
/// # Errors
/// When there is none of that name, or none with a row.
pub(super) fn choose(
    sheets: &mut Sheets,
    asked: Option<&str>,
    is_header: impl Fn(&[String]) -> bool,
) -> anyhow::Result<usize> {
    if let Some(asked) = asked {
        let is_asked = |name: &String| name.trim().eq_ignore_ascii_case(asked.trim());
        let found = sheets.names().iter().position(is_asked);
        return found.with_context(|| {
            format!("no sheet is called {asked:?}; the sheets are {}", quoted(sheets.names()))
        });
    }
    let mut first = None;
    for at in 0..sheets.names().len().min(SHEETS_MAX) {
        let head = sheets.text(at)?.take(SNIFFED_BYTES);
        let Ok(list) = List::open(head, &is_header) else { continue };
        if is_header(&list.header) {
            return Ok(at);
        }
        first = first.or(Some(at));
    }
    first.context("no sheet has a row")
}

/// The name of the chosen sheet, where there are several.
pub(super) fn label(sheets: &Sheets, at: usize) -> Option<String> {
    let names = sheets.names();
    (names.len() > 1).then(|| format!("sheet {:?} of {}", names[at], names.len()))
}
