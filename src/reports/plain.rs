//! Plain text: paragraphs at empty lines, pages at form feeds.

use super::budget::Budget;
use super::passages::{add, is_quoted, item, join_line};
use super::{Format, Report, ReportError, dashed_eins};
use crate::record::{Passage, PassageKind};
use crate::text;

/// Bytes at the beginning that tell whether a file is text.
const HEAD_BYTES: usize = 8 << 10;

/// Characters of a heading at most.
const HEADING_MAX: usize = 80;

/// Whether bytes are text: none that no text has.
pub(super) fn is_text(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(HEAD_BYTES)];
    let is_control = |byte: &u8| *byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r' | b'\x0c');
    !head.trim_ascii().is_empty() && !head.iter().any(is_control)
}

pub(super) fn read(bytes: &[u8], budget: &mut Budget) -> Result<Report, ReportError> {
    budget.unpack(bytes.len())?;
    let text = text::decode(bytes);
    let text = text.trim_start_matches('\u{feff}');
    let mut passages = Vec::new();
    for on_page in text.split('\x0c') {
        let page = budget.turn()?;
        let mut paragraph = String::new();
        let mut lines = on_page.lines().peekable();
        while let Some(line) = lines.next() {
            let begins_item = item(line).is_some();
            if line.trim().is_empty() || begins_item {
                finish(&mut passages, budget, page, &mut paragraph)?;
            }
            join_line(&mut paragraph, line);
            let is_last = lines.peek().is_none_or(|next| next.trim().is_empty());
            if is_last {
                finish(&mut passages, budget, page, &mut paragraph)?;
            }
        }
    }
    let eins = dashed_eins(text);
    Ok(Report { format: Format::Text, pages: budget.page, passages, unread: Vec::new(), eins })
}

fn finish(
    passages: &mut Vec<Passage>,
    budget: &mut Budget,
    page: u32,
    paragraph: &mut String,
) -> Result<(), ReportError> {
    let text = std::mem::take(paragraph);
    let (kind, text) = match item(&text) {
        Some(item) => (PassageKind::ListItem, item),
        None if is_heading(&text) => (PassageKind::Heading, text.as_str()),
        None if is_quoted(&text) => (PassageKind::Quotation, text.as_str()),
        None => (PassageKind::Paragraph, text.as_str()),
    };
    add(passages, budget, page, kind, text)
}

/// A short line of its own that ends no sentence.
fn is_heading(text: &str) -> bool {
    text.chars().count() <= HEADING_MAX
        && text.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
        && !text.ends_with(['.', '!', '?', ',', ';', ':', '”', '"'])
}
