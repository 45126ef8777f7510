//! Bytes of a feed to text, in any encoding of the web's standard (<https://encoding.spec.whatwg.org>).

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};

/// How far into a feed its declaration is looked for; it must come first and is short.
const DECLARATION_BYTES_MAX: usize = 256;

/// The bytes as text, without a byte order mark, which counts before the declaration. What is no
/// character of the encoding becomes U+FFFD: one bad byte must not cost a feed.
///
/// # Errors
/// The name of the declared encoding when it is unknown.
pub(super) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, String> {
    let label = declared(bytes).to_ascii_lowercase();
    let encoding = match label.as_str() {
        // The standard takes ASCII for Windows-1252; who writes it and other characters writes UTF-8.
        "" | "us-ascii" | "ascii" => UTF_8,
        // Not a label of the standard, but a usual one.
        "latin-1" => encoding_rs::WINDOWS_1252,
        // A declaration that can be read as ASCII is not UTF-16.
        label => Encoding::for_label_no_replacement(label.as_bytes())
            .ok_or_else(|| label.to_owned())?
            .output_encoding(),
    };
    Ok(encoding.decode(bytes).0)
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
            (b"\xFF\xFE<".to_vec(), Ok("\u{fffd}")),
            (
                b"<?xml version='1.0' encoding='ISO-8859-1'?>\xE9\x93".to_vec(),
                Ok("<?xml version='1.0' encoding='ISO-8859-1'?>é“"),
            ),
            (
                b"<?xml version=\"1.0\" encoding = \"Shift_JIS\"?>\x82\xA0".to_vec(),
                Ok("<?xml version=\"1.0\" encoding = \"Shift_JIS\"?>あ"),
            ),
            (
                "<?xml version='1.0' encoding='US-ASCII'?>é".as_bytes().to_vec(),
                Ok("<?xml version='1.0' encoding='US-ASCII'?>é"),
            ),
            (
                b"<?xml version='1.0' encoding='utf-16'?>x".to_vec(),
                Ok("<?xml version='1.0' encoding='utf-16'?>x"),
            ),
            (b"<?xml version='1.0' encoding='EBCDIC'?>".to_vec(), Err("ebcdic")),
            (b"<?xml version='1.0' encoding='HZ-GB-2312'?>".to_vec(), Err("hz-gb-2312")),
            (b"<?xml encoding=".to_vec(), Ok("<?xml encoding=")),
        ] {
            let decoded = decode(&bytes);
            let decoded = decoded.as_deref().map_err(String::as_str);
            assert_eq!(decoded, expected, "{bytes:?}");
        }
    }
}
