//! Recognises files of curated data by their first bytes.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::kinds::LineKind;
use super::xml::{Token, Tokens};
use super::{CuratedKind, encoding};

/// Lines that are looked at for one of curated data.
const LINES_MAX: usize = 20;

/// What a file is, from its first bytes (a few KiB; they may end anywhere); `None` when it is not
/// of this module.
pub fn recognise(head: &[u8]) -> Option<CuratedKind> {
    let bytes = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
    // The first line may be damaged, so that several are looked at.
    if bytes.split(|byte| *byte == b'\n').take(LINES_MAX).any(is_line) {
        return Some(CuratedKind::Curated);
    }
    let text = encoding::decode(head).ok()?;
    is_feed(&text).then_some(CuratedKind::Feed)
}

/// Whether a line is an object of a known kind. Of one that is cut, or that is not JSON (so that it can
/// become a reject), the key and its value are looked for.
fn is_line(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    if !line.starts_with(b"{") {
        return false;
    }
    if let Ok(object) = serde_json::from_slice::<Map<String, Value>>(line) {
        let kind = object.get("kind").and_then(Value::as_str);
        return kind.is_some_and(|kind| LineKind::named(kind.trim()).is_some());
    }
    let text: Cow<'_, str> = String::from_utf8_lossy(line);
    text.match_indices("\"kind\"").any(|(at, key)| {
        let value = text[at + key.len()..].trim_start().strip_prefix(':').map(str::trim_start);
        let value = value.and_then(|value| value.strip_prefix('"'));
        let name = value.and_then(|value| value.split_once('"')).map(|(name, _)| name);
        name.is_some_and(|name| LineKind::named(name.trim()).is_some())
    })
}

/// Whether the first element is that of a feed.
fn is_feed(text: &str) -> bool {
    let text = text.trim_start();
    if !text.starts_with('<') {
        return false;
    }
    // The root element itself may be cut; what it holds so far tells enough.
    for end in ["", ">", "\">", "'>"] {
        let text = format!("{text}{end}");
        let mut tokens = Tokens::new(&text);
        while let Some(Ok(token)) = tokens.next() {
            match token {
                Token::Start { name, attributes, .. } => return is_root(name, attributes),
                Token::Text(text) if text.trim().is_empty() => {}
                _ => return false,
            }
        }
    }
    false
}

/// Whether an element is the root of a feed: `rss`, Atom's `feed`, or `RDF` with RSS in it.
pub(super) fn is_root(name: &str, attributes: &str) -> bool {
    match name.rsplit(':').next().unwrap_or(name) {
        "rss" => true,
        "feed" => attributes.contains("http://www.w3.org/2005/Atom"),
        "RDF" => {
            attributes.contains("http://purl.org/rss/1.0/")
                || attributes.contains("http://my.netscape.com/rdf/simple/0.9/")
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn by_the_beginning() {
        use CuratedKind::{Curated, Feed};
        let long = format!(r#"{{"text":"{}"}}"#, "x".repeat(100));
        for (head, expected) in [
            (r#"{"kind":"story","story_id":"s1"}"#, Some(Curated)),
            ("\u{feff}\r\n\n  {\"ein\":\"070000001\",\"kind\" : \"overlay\"}\n{", Some(Curated)),
            (r#"{"kind":"knowledge","content":"cut in the mid"#, Some(Curated)),
            (r#"{"content":"x","kind": "fund"#, None),
            (r#"{"content":"x","kind": "fund","#, Some(Curated)),
            (r#"{"kind":"article" broken"#, Some(Curated)),
            (r#"{"kind":"planet"}"#, None),
            (r#"{"kind":3}"#, None),
            (r#"{"name":"no kind"}"#, None),
            ("{\n\"kind\":\"story\"\n}", None),
            (r#"["kind","story"]"#, None),
            (long.as_str(), None),
            ("<rss version='2.0'><channel>", Some(Feed)),
            ("\u{feff}<?xml version=\"1.0\"?>\n<!-- made by hand -->\n<rss>", Some(Feed)),
            (
                "<!DOCTYPE rss PUBLIC \"-//N//DTD RSS 0.91//EN\" \"x.dtd\"><rss version=\"0.91\">",
                Some(Feed),
            ),
            ("<feed xmlns=\"http://www.w3.org/2005/Atom\">", Some(Feed)),
            ("<a:feed xml:lang='en' xmlns:a='http://www.w3.org/2005/Atom'><a:id>", Some(Feed)),
            ("<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:la", Some(Feed)),
            ("<feed xmlns='http://www.w3.org/2005/Atom", Some(Feed)),
            ("<feed xmlns=\"https://example.org/animals\">", None),
            ("<rdf:RDF xmlns:rdf=\"r\" xmlns=\"http://purl.org/rss/1.0/\">", Some(Feed)),
            ("<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">", None),
            ("<Return xmlns=\"http://www.irs.gov/efile\">", None),
            ("<html><rss>", None),
            ("text <rss>", None),
            ("EIN,NAME,ICO", None),
            ("", None),
            ("<", None),
        ] {
            assert_eq!(recognise(head.as_bytes()), expected, "{head:?}");
        }
        let utf_16: Vec<u8> =
            "\u{feff}<rss version='2.0'>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(recognise(&utf_16), Some(Feed));
    }

    proptest! {
        #[test]
        fn any_bytes(bytes in any::<Vec<u8>>(), start in "(\\{|<|\u{feff}|\"kind\"|:|<rss|<!DOCTYPE|<!--){0,4}") {
            let mut head = start.into_bytes();
            head.extend(bytes);
            recognise(&head);
        }
    }
}
