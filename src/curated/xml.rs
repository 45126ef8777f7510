//! Elements and texts of an XML document in memory, for feeds as they come.
//!
//! Not a general parser: end tags need not fit (who reads decides what they close), a bare `&` or
//! `<` is text, and there are no entities but the character references of [`super::markup`], so
//! nothing in a document can make it grow. A document type with definitions of its own is refused.
//! Linear in the length of the text, without recursion.

use super::markup::{decode, quoted_end};

/// A piece of a document, borrowed from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A start tag, or an element that is `empty`.
    Start {
        /// With its prefix.
        name: &'a str,
        /// What stands between the name and the end of the tag; see [`attribute`].
        attributes: &'a str,
        empty: bool,
    },
    /// An end tag, with the prefix.
    End { name: &'a str },
    /// Text whose references have not been read.
    Text(&'a str),
    /// What stands in a CDATA section.
    Literal(&'a str),
}

/// Why a document cannot be read on: what was expected where it breaks off.
pub(super) type Broken = &'static str;

/// The pieces of a document.
#[derive(Default)]
pub(super) struct Tokens<'a> {
    text: &'a str,
    /// Where the next piece begins, in bytes.
    pub(super) at: usize,
    /// Where the last piece began.
    pub(super) began: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, ..Self::default() }
    }

    /// The next piece; `None` at the end. After a fault there is none.
    pub(super) fn next(&mut self) -> Option<Result<Token<'a>, Broken>> {
        loop {
            self.began = self.at;
            let rest = &self.text[self.at..];
            if rest.is_empty() {
                return None;
            }
            match self.piece(rest) {
                Ok(Some(token)) => return Some(Ok(token)),
                Ok(None) => {}
                Err(broken) => {
                    self.at = self.text.len();
                    return Some(Err(broken));
                }
            }
        }
    }

    /// Takes through `closing` and returns what stands between.
    fn section(
        &mut self,
        rest: &'a str,
        opening: usize,
        closing: &str,
        broken: Broken,
    ) -> Result<&'a str, Broken> {
        let content = &rest[opening..];
        let length = content.find(closing).ok_or(broken)?;
        self.at += opening + length + closing.len();
        Ok(&content[..length])
    }

    /// Takes one piece; `None` when it is one that says nothing.
    fn piece(&mut self, rest: &'a str) -> Result<Option<Token<'a>>, Broken> {
        let is_name = |c: char| c.is_alphabetic() || c == '_';
        let after = rest.strip_prefix('<').unwrap_or_default();
        if after.starts_with("!--") {
            return self.section(rest, 4, "-->", "the end of a comment, -->").map(|_| None);
        }
        if after.starts_with("![CDATA[") {
            let literal = self.section(rest, 9, "]]>", "the end of a CDATA section, ]]>")?;
            return Ok(Some(Token::Literal(literal)));
        }
        if after.starts_with('?') {
            return self.section(rest, 2, "?>", "the end of an instruction, ?>").map(|_| None);
        }
        if after.starts_with('!') {
            let declaration = self.section(rest, 2, ">", "the end of a declaration, >")?;
            if declaration.contains('[') {
                return Err("a document type without definitions of its own");
            }
            return Ok(None);
        }
        if after.strip_prefix('/').is_some_and(|name| name.starts_with(is_name)) {
            let name = self.section(rest, 2, ">", "the end of a tag, >")?;
            return Ok(Some(Token::End { name: name.trim_end() }));
        }
        if after.starts_with(is_name) {
            return self.start(after).map(Some);
        }
        // Text, which may begin with a `<` that is none.
        let skip = rest.len() - rest.trim_start_matches('<').len();
        let length = rest[skip..].find('<').map_or(rest.len(), |at| skip + at);
        // Of several, the last may begin a tag.
        let length = if skip > 1 { skip - 1 } else { length };
        self.at += length;
        Ok(Some(Token::Text(&rest[..length])))
    }

    /// Takes a start tag; `after` follows its `<`.
    fn start(&mut self, after: &'a str) -> Result<Token<'a>, Broken> {
        let end = quoted_end(after).ok_or("the end of a tag, >")?;
        self.at += end + 2;
        let tag = &after[..end];
        let (tag, empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let length = tag.find([' ', '\t', '\r', '\n', '/']).unwrap_or(tag.len());
        Ok(Token::Start { name: &tag[..length], attributes: &tag[length..], empty })
    }
}

/// The attributes of a start tag: names with their prefixes, and values whose references have not
/// been read.
pub(super) fn attributes(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (name, after) = rest.split_once('=')?;
        let after = after.trim_start();
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (value, after) = after[1..].split_once(quote)?;
        rest = after;
        // Names without a value stand before it.
        Some((name.split_whitespace().next_back().unwrap_or_default(), value))
    })
}

/// The value of an attribute, its references read; the name is with its prefix.
pub(super) fn attribute(text: &str, name: &str) -> Option<String> {
    let (_, value) = attributes(text).find(|(key, _)| *key == name)?;
    Some(decode(value).into_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The pieces, written short.
    fn pieces(text: &str) -> String {
        let mut tokens = Tokens::new(text);
        let mut pieces = Vec::new();
        while let Some(token) = tokens.next() {
            pieces.push(match token {
                Ok(Token::Start { name, attributes, empty }) => {
                    let list: Vec<_> =
                        self::attributes(attributes).map(|(k, v)| format!(" {k}={v}")).collect();
                    format!("<{name}{}{}>", list.concat(), if empty { "/" } else { "" })
                }
                Ok(Token::End { name }) => format!("</{name}>"),
                Ok(Token::Text(text)) => format!("t:{text}"),
                Ok(Token::Literal(text)) => format!("c:{text}"),
                Err(broken) => format!("!{broken}"),
            });
        }
        pieces.join("|")
    }

    #[test]
    fn documents() {
        for (text, expected) in [
            ("", ""),
            ("<a>x</a>", "<a>|t:x|</a>"),
            ("<?xml version='1.0'?><!-- <b> --><a/>", "<a/>"),
            ("<p:a k='v' x:l = \"1 > 0\" />", "<p:a k=v x:l=1 > 0/>"),
            ("<a\nk='v'\n>", "<a k=v>"),
            ("<a k='it\"s'></a >", "<a k=it\"s>|</a>"),
            ("<a><![CDATA[<b>&amp;]]></a>", "<a>|c:<b>&amp;|</a>"),
            ("1 < 2 <b>", "t:1 |t:< 2 |<b>"),
            ("<<b>", "t:<|<b>"),
            ("<é>", "<é>"),
            ("<!DOCTYPE rss SYSTEM 'x.dtd'><rss>", "<rss>"),
            (
                "<!DOCTYPE r [<!ENTITY a 'aa'>]><r>&a;</r>",
                "!a document type without definitions of its own",
            ),
            ("<a><!-- ", "<a>|!the end of a comment, -->"),
            ("<a><![CDATA[ ", "<a>|!the end of a CDATA section, ]]>"),
            ("<a k='", "!the end of a tag, >"),
            ("<a", "!the end of a tag, >"),
            ("</a", "!the end of a tag, >"),
            ("<?", "!the end of an instruction, ?>"),
            ("<!", "!the end of a declaration, >"),
        ] {
            assert_eq!(pieces(text), expected, "{text:?}");
        }
        assert_eq!(attribute(" a='1' b='x &amp; y'", "b").as_deref(), Some("x & y"));
        assert_eq!(attribute(" disabled b='1'", "b").as_deref(), Some("1"));
        assert_eq!(attribute(" b=1", "b"), None);
    }

    /// In quadratic time this would take minutes.
    #[test]
    fn what_never_ends_is_read_to_the_end() {
        for part in ["<", "<<a>", "<a", "<a '", "<a b='>'", "<!", "</a>", "&", "<a/>"] {
            assert!(!pieces(&part.repeat((1 << 20) / part.len())).is_empty(), "{part:?}");
        }
    }

    proptest! {
        #[test]
        fn every_byte_is_read_once(text in r#"(<|>|/|"|'|=|a|:|!--|-->|!\[CDATA\[|\]\]>|!|\?|é|&| ){0,40}"#) {
            let mut tokens = Tokens::new(&text);
            let mut end = 0;
            while let Some(token) = tokens.next() {
                prop_assert!(tokens.began >= end);
                prop_assert!(tokens.at > tokens.began || token.is_err());
                end = tokens.at;
            }
            prop_assert_eq!(end.max(tokens.at), text.len());
        }
    }
}
