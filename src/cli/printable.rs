//! Text of others as it may stand on a terminal or in a log: on one line, without what a terminal acts on.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a character does something to what is around it, instead of standing there: control characters,
/// ends of lines, and marks that turn the direction of writing.
fn acts(c: char) -> bool {
    let turns =
        matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || turns || matches!(c, '\u{2028}' | '\u{2029}')
}

/// The text with each such character as `\u001b`, which JSON reads as the character.
pub(super) fn printable(text: &str) -> Cow<'_, str> {
    printable_but(text, &[])
}

/// The same of a text whose lines are meant.
pub(super) fn printable_lines(text: &str) -> Cow<'_, str> {
    printable_but(text, &['\n'])
}

fn printable_but<'a>(text: &'a str, kept: &[char]) -> Cow<'a, str> {
    let is_escaped = |c: char| acts(c) && !kept.contains(&c);
    if !text.contains(is_escaped) {
        return text.into();
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_escaped(c) {
            // Writing to a string cannot fail.
            let _ = write!(escaped, "\\u{:04x}", u32::from(c));
        } else {
            escaped.push(c);
        }
    }
    escaped.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_acts_on_is_spelled_out() {
        for (text, expected) in [
            ("", ""),
            ("Ärzte, “food” 汉\\n", "Ärzte, “food” 汉\\n"),
            ("\u{1b}]0;PWN\u{7}", "\\u001b]0;PWN\\u0007"),
            ("a\r\n\tb\0\u{7f}", "a\\u000d\\u000a\\u0009b\\u0000\\u007f"),
            ("\u{9b}2J\u{2028}", "\\u009b2J\\u2028"),
            ("fdp.\u{202e}vsc\u{2069}", "fdp.\\u202evsc\\u2069"),
        ] {
            assert_eq!(printable(text), expected);
        }
        assert_eq!(printable_lines("a\nb\u{1b}"), "a\nb\\u001b");
        assert!(matches!(printable("plain"), Cow::Borrowed(_)));
    }
}
