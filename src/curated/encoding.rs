//! Bytes of a feed to text: UTF-8, UTF-16 with its mark, Latin-1 or Windows-1252 where declared.

use std::borrow::Cow;

/// How far into a feed its declaration is looked for; it must come first and is short.
const DECLARATION_BYTES_MAX: usize = 256;

/// What Windows-1252 has at 0x80 to 0x9F, and so what HTML takes these numbers for.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The character of a byte of Windows-1252.
pub(super) fn windows_1252(byte: u8) -> char {
    match byte {
        0x80..=0x9F => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// The bytes as text, without a byte order mark. What is not UTF-8 in UTF-8 becomes U+FFFD: one bad
/// byte must not cost a feed.
///
/// # Errors
/// The name of the declared encoding when it is another one.
pub(super) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, String> {
    let units = |read: fn([u8; 2]) -> u16| {
        let (pairs, _) = bytes[2..].as_chunks::<2>();
        let units = pairs.iter().map(|pair| read(*pair));
        char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    };
    match bytes {
        [0xFF, 0xFE, ..] => return Ok(Cow::Owned(units(u16::from_le_bytes))),
        [0xFE, 0xFF, ..] => return Ok(Cow::Owned(units(u16::from_be_bytes))),
        [0xEF, 0xBB, 0xBF, rest @ ..] => return Ok(String::from_utf8_lossy(rest)),
        _ => {}
    }
    match declared(bytes).to_ascii_lowercase().as_str() {
        "" | "utf-8" | "utf8" | "us-ascii" | "ascii" => Ok(String::from_utf8_lossy(bytes)),
        "iso-8859-1" | "latin1" | "latin-1" | "windows-1252" | "cp1252" => {
            Ok(bytes.iter().map(|&byte| windows_1252(byte)).collect())
        }
        other => Err(other.to_owned()),
    }
}

/// The encoding that the XML declaration names, or nothing.
fn declared(bytes: &[u8]) -> String {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(DECLARATION_BYTES_MAX)]);
    let head = head.trim_start();
    let Some(declaration) = head.strip_prefix("<?xml").and_then(|rest| rest.split("?>").next())
    else {
        return String::new();
    };
    let Some((_, value)) = declaration.split_once("encoding") else { return String::new() };
    let value = value.trim_start_matches([' ', '=', '\t', '\r', '\n']);
    let mut parts = value.split(['"', '\'']);
    parts.next();
    parts.next().unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings() {
        let utf_16 = |big: bool| -> Vec<u8> {
            let bytes = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
            "\u{feff}<rss>é𝄞".encode_utf16().flat_map(bytes).collect()
        };
        for (bytes, expected) in [
            (b"".to_vec(), Ok("")),
            ("<rss>é".as_bytes().to_vec(), Ok("<rss>é")),
            ("\u{feff}<rss>".as_bytes().to_vec(), Ok("<rss>")),
            (b"<rss>\xE9x".to_vec(), Ok("<rss>\u{fffd}x")),
            (utf_16(true), Ok("<rss>é𝄞")),
            (utf_16(false), Ok("<rss>é𝄞")),
            (b"\xFF\xFE<".to_vec(), Ok("")),
            (
                b"<?xml version='1.0' encoding='ISO-8859-1'?>\xE9\x93".to_vec(),
                Ok("<?xml version='1.0' encoding='ISO-8859-1'?>é“"),
            ),
            (b"<?xml version=\"1.0\" encoding = \"Shift_JIS\"?>".to_vec(), Err("shift_jis")),
            (b"<?xml encoding=".to_vec(), Ok("<?xml encoding=")),
        ] {
            let decoded = decode(&bytes);
            let decoded = decoded.as_deref().map_err(String::as_str);
            assert_eq!(decoded, expected, "{bytes:?}");
        }
    }
}
