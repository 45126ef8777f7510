//! Texts without the characters that show nothing, or that turn the direction of what stands around them:
//! with them one name is made to look like another, or to hide words in it.

use std::borrow::Cow;

/// Below it are Latin letters, which nothing joins; above it scripts and emoji in which a joiner has a meaning.
const JOINED_MIN: char = '\u{300}';

/// The text without invisible characters. A joiner stays where it joins: between two letters of a script that
/// has use for it, or two emoji.
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || !text.contains(|c| is_invisible(c) || is_joiner(c)) {
        return Cow::Borrowed(text);
    }
    let mut visible = String::with_capacity(text.len());
    let mut rest = text.chars().filter(|c| !is_invisible(*c)).peekable();
    while let Some(c) = rest.next() {
        let joins = |other: Option<char>| other.is_some_and(|c| c >= JOINED_MIN && !is_joiner(c));
        if !is_joiner(c) || joins(visible.chars().next_back()) && joins(rest.peek().copied()) {
            visible.push(c);
        }
    }
    Cow::Owned(visible)
}

fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

/// Marks and overrides of direction (UAX #9), blanks without a width, fillers, what Unicode calls ignorable by
/// default, but for joiners and variation selectors.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}'
        | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_seen_is_not_there() {
        for (text, expected) in [
            ("", ""),
            ("Red Cross", "Red Cross"),
            ("Café «É»", "Café «É»"),
            ("Red\u{202e}ssorC", "RedssorC"),
            ("\u{feff}Red\u{200b} Cro\u{ad}ss\u{2060}", "Red Cross"),
            ("\u{2066}Red\u{2069}\u{200e} Cross\u{e0041}", "Red Cross"),
            ("Red\u{200d} Cro\u{200c}ss\u{200d}", "Red Cross"),
            // Persian and a family: what a joiner joins.
            ("می\u{200c}خواهم", "می\u{200c}خواهم"),
            ("👩\u{200d}👧", "👩\u{200d}👧"),
            ("👩\u{200d}\u{200d}\u{202e}👧", "👩\u{200d}👧"),
            ("👩\u{200d}x", "👩x"),
            ("☠\u{fe0f}", "☠\u{fe0f}"),
        ] {
            assert_eq!(visible(text), expected, "{text:?}");
        }
    }
}
