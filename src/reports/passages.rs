//! Passages as they are gathered: texts in one line, counted against the budget.

use super::ReportError;
use super::budget::Budget;
use crate::naming::visible;
use crate::record::{Passage, PassageKind};

/// Between the cells of a row.
pub(super) const CELL: &str = " | ";

/// What items of lists begin with.
pub(super) const BULLETS: [char; 14] =
    ['•', '▪', '◦', '‣', '●', '■', '□', '○', '➢', '➤', '✓', '✔', '·', '\u{f0b7}'];

/// Adds a passage, unless it has no letter or digit.
pub(super) fn add(
    passages: &mut Vec<Passage>,
    budget: &mut Budget,
    page: u32,
    kind: PassageKind,
    text: &str,
) -> Result<(), ReportError> {
    let text = one_line(text);
    if !text.contains(char::is_alphanumeric) {
        return Ok(());
    }
    budget.write(text.len())?;
    passages.push(Passage { page, kind, text });
    Ok(())
}

/// A text with single blanks, without what shows nothing.
pub(super) fn one_line(text: &str) -> String {
    let text = visible(text);
    let mut line = String::with_capacity(text.len());
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()) {
        if word.is_empty() {
            continue;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// Appends a line to what stands before it: a word that the line end had parted is made whole.
pub(super) fn join_line(text: &mut String, line: &str) {
    let line = line.trim();
    if text.is_empty() || line.is_empty() {
        text.push_str(line);
        return;
    }
    let begins_lower = line.chars().next().is_some_and(char::is_lowercase);
    let mut before = text.chars().rev();
    let (last, previous) = (before.next(), before.next());
    let is_hyphen = matches!(last, Some('-' | '\u{ad}' | '\u{2010}'));
    let parts_word = is_hyphen && previous.is_some_and(char::is_alphabetic);
    if last == Some('\u{ad}') || parts_word && begins_lower {
        text.pop();
    } else if !(parts_word && line.starts_with(char::is_alphanumeric)) {
        text.push(' ');
    }
    text.push_str(line);
}

/// The text of an item of a list without its bullet; `None` where it is none.
pub(super) fn item(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let mut chars = text.chars();
    let first = chars.next()?;
    let rest = chars.as_str();
    if BULLETS.contains(&first) {
        return Some(rest.trim_start());
    }
    matches!(first, '-' | '–' | '*').then_some(rest)?.strip_prefix(' ').map(str::trim_start)
}

/// Whether a text stands in quotation marks, up to who said it.
pub(super) fn is_quoted(text: &str) -> bool {
    let opens = text.starts_with(['“', '"', '«', '”']);
    let end = text.char_indices().rev().find(|(_, c)| matches!(c, '”' | '"' | '»'));
    opens && end.is_some_and(|(at, _)| at * 5 > text.len() * 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_joined_at_parted_words() {
        for (before, line, expected) in [
            ("", "A", "A"),
            ("We served", "many", "We served many"),
            ("We sup-", "ported them", "We supported them"),
            ("Winston-", "Salem", "Winston-Salem"),
            ("the years 2019 -", "2020", "the years 2019 - 2020"),
            ("soft\u{ad}", "Ware", "softWare"),
            ("5-", "year", "5- year"),
        ] {
            let mut text = before.to_owned();
            join_line(&mut text, line);
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn bullets_and_quotations() {
        assert_eq!(item("• Meals"), Some("Meals"));
        assert_eq!(item("- Meals"), Some("Meals"));
        assert_eq!(item("-5 degrees"), None);
        assert_eq!(item("Meals"), None);
        assert!(is_quoted("“I found a home.” — Ana (fictional)"));
        assert!(!is_quoted("Ana said: “I found a home.”"));
        assert!(!is_quoted("“Home” is the name of a program that serves many families a year."));
    }
}
