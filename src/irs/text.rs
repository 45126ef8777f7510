//! Bytes of a field to text: UTF-8 or else Windows-1252, trimmed, runs of blanks as one.

use crate::naming::visible;
use crate::text::decode;

/// The most characters of a bad value that a reject carries.
const FOUND_CHARACTERS_MAX: usize = 120;

fn is_blank(character: char) -> bool {
    character.is_whitespace() || character.is_control()
}

/// A text as it may be shown: without invisible characters, control characters are blanks, runs of
/// blanks are one, none at either end. `None` when nothing is left.
pub(super) fn text(bytes: &[u8]) -> Option<String> {
    let bytes = bytes.trim_ascii();
    let mut before = b'x';
    let tidy = bytes.iter().all(|&byte| {
        let good = byte.is_ascii_graphic() || (byte == b' ' && before != b' ');
        before = byte;
        good
    });
    if tidy {
        // Graphic ASCII and blanks only: decoding borrows.
        return (!bytes.is_empty()).then(|| decode(bytes).into_owned());
    }
    let decoded = decode(bytes);
    let mut tidied = String::with_capacity(decoded.len());
    for word in visible(&decoded).split(is_blank).filter(|word| !word.is_empty()) {
        if !tidied.is_empty() {
            tidied.push(' ');
        }
        tidied.push_str(word);
    }
    (!tidied.is_empty()).then_some(tidied)
}

/// A code: the bytes trimmed, if they are ASCII; a text that no code parser accepts otherwise.
pub(super) fn code(bytes: &[u8]) -> &str {
    match std::str::from_utf8(bytes.trim_ascii()) {
        Ok(text) if text.is_ascii() => text,
        _ => "\u{fffd}",
    }
}

/// What people write into a field that must not be empty, in lower case and letters only.
const NOTHING: &[&str] = &["", "na", "none", "notapplicable", "notrequired", "nil", "null", "tbd"];

/// Whether a text stands for none.
pub(super) fn is_nothing(text: &str) -> bool {
    // Only a short text can be one: others need not be looked through.
    let letters = text.chars().take(40).filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase);
    let letters: String = letters.collect();
    let telling = text.chars().any(char::is_alphanumeric) && !letters.is_empty();
    !telling || NOTHING.contains(&letters.as_str())
}

/// What a reject shows of a bad value.
pub(super) fn found(bytes: &[u8]) -> String {
    // Four bytes a character at most: no need to decode more of a long line.
    let shown = &bytes[..bytes.len().min(FOUND_CHARACTERS_MAX * 4)];
    let text = String::from_utf8_lossy(shown);
    let text = if text.contains('\u{fffd}') { decode(shown) } else { text };
    text.chars().take(FOUND_CHARACTERS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        for (bytes, expected) in [
            (&b""[..], None),
            (b" \t ", None),
            (b"\x00\xA0", None),
            (b" A  B\tC ", Some("A B C")),
            (b"ESPA\xD1A", Some("ESPAÑA")),
            ("ESPAÑA".as_bytes(), Some("ESPAÑA")),
            (b"\x93QUOTED\x94 \x80\x81", Some("“QUOTED” €")),
            (b"A\r\nB", Some("A B")),
            ("\u{a0}A\u{2003}\u{3000}B".as_bytes(), Some("A B")),
            ("\u{feff}A\u{202e}B \u{200b} C".as_bytes(), Some("AB C")),
            ("\u{200b}".as_bytes(), None),
        ] {
            assert_eq!(text(bytes).as_deref(), expected, "{bytes:?}");
        }
    }

    #[test]
    fn codes_and_excerpts() {
        assert_eq!(code(b" 03\r"), "03");
        assert_eq!(code("٣".as_bytes()), "\u{fffd}");
        assert_eq!(found(&[b'x'; 1000]).len(), 120);
        assert_eq!(found(b"\xD1"), "Ñ");
        assert_eq!(found("é".repeat(300).as_bytes()).chars().count(), 120);
    }
}
