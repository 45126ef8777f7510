//! Parts of texts with their places, and bytes made text.

use std::borrow::Cow;
use std::ops::{Range, RangeInclusive};

use encoding_rs::WINDOWS_1252;

/// The longest runs of characters that are part of a word, in order: bytes of the text.
pub fn runs(text: &str, is_part: impl Fn(char) -> bool) -> impl Iterator<Item = Range<usize>> {
    let runs = text.split(move |c: char| !is_part(c)).filter(|run| !run.is_empty());
    runs.map(move |run| place_in(text, run))
}

/// The bytes of a text that a part borrowed from it is.
pub fn place_in(text: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    start..start + part.len()
}

/// Years that four digits may be.
pub const YEARS: RangeInclusive<i32> = 1900..=2099;

/// The years in a text, in their order: numbers of four digits in [`YEARS`].
pub fn years(text: &str) -> impl Iterator<Item = i32> {
    let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|number| number.len() == 4);
    numbers.filter_map(|number| number.parse().ok()).filter(|year| YEARS.contains(year))
}

/// Bytes as text: UTF-8, or else Windows-1252, in which no byte is wrong.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => WINDOWS_1252.decode_without_bom_handling(bytes).0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_have_their_places() {
        let text = "É1, b--cd";
        let found: Vec<&str> = runs(text, char::is_alphanumeric).map(|run| &text[run]).collect();
        assert_eq!(found, ["É1", "b", "cd"]);
        assert_eq!(place_in(text, &text[5..6]), 5..6);
        assert_eq!(runs(" - ", char::is_alphanumeric).count(), 0);
    }

    #[test]
    fn years_are_numbers_of_four_digits() {
        let found: Vec<i32> = years("FY2023-24: 1,950 of 12024, since 1987; 1024, 2100").collect();
        assert_eq!(found, [2023, 1987]);
    }

    #[test]
    fn bytes_are_utf_8_or_windows_1252() {
        for (bytes, expected) in [
            ("ESPAÑA".as_bytes(), "ESPAÑA"),
            (b"ESPA\xD1A \x93\x80", "ESPAÑA “€"),
            (b"\x81", "\u{81}"),
            (b"", ""),
        ] {
            assert_eq!(decode(bytes), expected);
        }
    }
}
