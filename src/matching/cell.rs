//! Cells of lists as programs leave them, made the text that was meant: entities of HTML, and UTF-8 that was
//! read as Windows-1252 (`Childrenâ€™s`).

use std::borrow::Cow;

use encoding_rs::WINDOWS_1252;

/// How often a text may have been read in the wrong encoding, or escaped, before it came here.
const REPAIRS_MAX: usize = 2;

/// The text of a cell.
pub(super) fn repaired(cell: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(cell);
    for _ in 0..REPAIRS_MAX {
        let Some(better) = in_its_encoding(&text).or_else(|| unescaped(&text)) else { break };
        text = Cow::Owned(better);
    }
    text
}

/// The text of which the bytes were taken for Windows-1252, if there is one: hardly anything else is UTF-8 then.
fn in_its_encoding(text: &str) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    let (bytes, _, is_lossy) = WINDOWS_1252.encode(text);
    if is_lossy { None } else { String::from_utf8(bytes.into_owned()).ok() }
}

fn unescaped(text: &str) -> Option<String> {
    let is_escaped = text.contains('&') && text.contains(';');
    let better = is_escaped.then(|| htmlize::unescape(text).into_owned())?;
    (better != text).then_some(better)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_meant() {
        for (cell, expected) in [
            ("Faith &amp; Deliverance", "Faith & Deliverance"),
            ("Faith &amp;amp; Deliverance", "Faith & Deliverance"),
            ("Children&#39;s Home", "Children's Home"),
            ("Childrenâ€™s Council", "Children’s Council"),
            ("PeÃ±a Club", "Peña Club"),
            ("PeÃƒÂ±a Club", "Peña Club"),
            ("Peña & Sons; Club", "Peña & Sons; Club"),
            ("Ängeln für Ältere", "Ängeln für Ältere"),
            ("東京", "東京"),
            ("", ""),
        ] {
            assert_eq!(repaired(cell), expected, "{cell}");
        }
    }
}
