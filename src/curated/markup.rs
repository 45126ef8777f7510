//! HTML to plain text, for showing and searching: no tags, no scripts, a line a block.
//!
//! It reads what people publish, not what a standard allows: unclosed tags, stray marks and cut
//! texts give the text that is there. Linear in the length of the text. What comes out is text and
//! not safe HTML: who shows it escapes it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use crate::naming::visible;
use crate::record::named;
use crate::table::table;

named! {
    /// What becomes of an element.
    Effect {
        /// Begins and ends a line.
        Break = "break",
        /// Likewise, and the line begins with a dash.
        Item = "item",
        /// Goes with its content.
        Drop = "drop",
        /// Parts words.
        Blank = "blank",
        /// Only its tags go.
        Nothing = "none",
    }
}

/// The longest element name that is kept; every known name is at most half as long.
const NAME_BYTES_MAX: usize = 32;

static TAGS: LazyLock<HashMap<&str, Effect>> = LazyLock::new(|| {
    table!("data/curated_tags.tsv")
        .each(|[name, effect]| Some((name, Effect::named(effect)?)))
        .collect()
});

/// What becomes of an element of a name in any case; `None` of one that is not known.
fn effect(name: &str) -> Option<Effect> {
    TAGS.get(name.to_ascii_lowercase().as_str()).copied()
}

/// Whether a text is HTML: it has a tag of a known element, or a comment.
pub(super) fn is_markup(text: &str) -> bool {
    let Some(last) = text.rfind('>') else { return false };
    text[..last].match_indices('<').any(|(at, _)| {
        let rest = &text[at + 1..];
        let name = element_name(rest.strip_prefix('/').unwrap_or(rest));
        rest.starts_with("!--") || effect(name).is_some()
    })
}

/// The text of an HTML text: blanks as one, at most one line break in a row, none at either end.
pub(super) fn reduce(html: &str) -> String {
    let mut builder = TextBuilder::default();
    let mut tags = TagEnds { last: html.rfind('>').unwrap_or(0), misquoted: false };
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        builder.push(&decode(&rest[..at]));
        rest = &rest[at..];
        // What is never closed reaches to the end.
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.split_once("-->").map_or("", |(_, after)| after);
            continue;
        }
        if let Some(section) = rest.strip_prefix("<![CDATA[") {
            let (literal, after) = section.split_once("]]>").unwrap_or((section, ""));
            builder.push(literal);
            rest = after;
            continue;
        }
        let closes = rest[1..].starts_with('/');
        let named = &rest[1 + usize::from(closes)..];
        let is_tag = named.starts_with(|c: char| c.is_ascii_alphabetic() || "!?".contains(c));
        let length = if is_tag { tags.end(rest, html.len() - rest.len()) } else { None };
        // A mark that begins no tag is text.
        let (tag, after) = rest.split_at(length.unwrap_or(1));
        rest = after;
        if length.is_none() {
            builder.push(tag);
            continue;
        }
        let name = element_name(named);
        match effect(name).unwrap_or(Effect::Nothing) {
            Effect::Item if !closes => builder.item(),
            Effect::Break | Effect::Item => builder.part(Pending::Break),
            Effect::Blank => builder.part(Pending::Blank),
            Effect::Drop => {
                if !closes && !tag.ends_with("/>") {
                    rest = after_content(rest, name);
                }
                builder.part(Pending::Blank);
            }
            Effect::Nothing => {}
        }
    }
    builder.push(&decode(rest));
    builder.text
}

/// A plain text with blanks as one and control characters gone: one line.
pub(super) fn one_line(text: &str) -> String {
    let mut builder = TextBuilder::default();
    builder.push(text);
    builder.text
}

/// The text with its character references (`&amp;`, `&#8217;`, `&#x2019;`) read; what is none
/// stays as it is. They are read as in attributes, where a name without its semicolon counts only
/// before what cannot belong to it: `?a=1&copy=2` in a text is an address.
pub(super) fn decode(text: &str) -> Cow<'_, str> {
    htmlize::unescape_attribute(text)
}

fn element_name(text: &str) -> &str {
    let more = |byte: &u8| byte.is_ascii_alphanumeric();
    let length = text.bytes().take(NAME_BYTES_MAX).take_while(more).count();
    if text.starts_with(|first: char| first.is_ascii_alphabetic()) { &text[..length] } else { "" }
}

/// Position of the first `>` that does not stand in quotes.
pub(super) fn quoted_end(tag: &str) -> Option<usize> {
    let bytes = tag.as_bytes();
    let mut at = 0;
    loop {
        at += memchr::memchr3(b'>', b'"', b'\'', &bytes[at..])?;
        if bytes[at] == b'>' {
            return Some(at);
        }
        at += memchr::memchr(bytes[at], &bytes[at + 1..])? + 2;
    }
}

/// Where tags of one text end.
struct TagEnds {
    /// Position of the last `>`, or 0.
    last: usize,
    /// A tag was found whose quotes hide all that follows; from there on a `>` ends a tag wherever
    /// it stands, or each tag would be read to the end of the text.
    misquoted: bool,
}

impl TagEnds {
    /// Length of the tag that `rest` begins with, through its `>`, before which others may stand in
    /// quotes; `None` when there is none. `at` is the position of `rest`.
    fn end(&mut self, rest: &str, at: usize) -> Option<usize> {
        if self.last < at {
            return None;
        }
        let quoted = if self.misquoted { None } else { quoted_end(rest) };
        self.misquoted = quoted.is_none();
        quoted.or_else(|| rest.find('>')).map(|end| end + 1)
    }
}

/// What follows the tag that closes `name`.
fn after_content<'a>(mut rest: &'a str, name: &str) -> &'a str {
    while let Some((_, after)) = rest.split_once("</") {
        if element_name(after).eq_ignore_ascii_case(name) {
            return after.split_once('>').map_or("", |(_, after)| after);
        }
        rest = after;
    }
    ""
}

/// What stands between the text so far and the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
enum Pending {
    #[default]
    Nothing,
    Blank,
    Break,
}

/// Text as it is put together.
#[derive(Default)]
struct TextBuilder {
    text: String,
    pending: Pending,
    /// A dash is due before the next text.
    item: bool,
}

impl TextBuilder {
    fn part(&mut self, by: Pending) {
        self.pending = self.pending.max(by);
    }

    fn item(&mut self) {
        self.part(Pending::Break);
        self.item = true;
    }

    fn push(&mut self, text: &str) {
        let is_gap = |c: char| c.is_whitespace() || c.is_control();
        for (at, word) in visible(text).split(is_gap).enumerate() {
            if at > 0 {
                self.part(Pending::Blank);
            }
            if !word.is_empty() {
                self.flush();
                self.text.push_str(word);
            }
        }
    }

    fn flush(&mut self) {
        match std::mem::take(&mut self.pending) {
            _ if self.text.is_empty() => {}
            Pending::Nothing => {}
            Pending::Blank => self.text.push(' '),
            Pending::Break => self.text.push('\n'),
        }
        if std::mem::take(&mut self.item) {
            self.text.push_str("- ");
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(cases: &[(&str, &str)]) {
        for (html, expected) in cases {
            assert_eq!(reduce(html), *expected, "{html:?}");
        }
    }

    #[test]
    fn tables_are_whole() {
        assert!(TAGS.len() > 100);
        assert_eq!(TAGS.values().filter(|effect| **effect == Effect::Item).count(), 1);
    }

    #[test]
    fn blocks_and_lines() {
        check(&[
            ("", ""),
            ("plain text", "plain text"),
            ("  many \n\t blanks  ", "many blanks"),
            ("<p>One</p><p>Two</p>", "One\nTwo"),
            ("<p>One</p>\n\n  <p>Two</p>\n", "One\nTwo"),
            ("One<br>Two<br/>Three<BR />Four", "One\nTwo\nThree\nFour"),
            ("One<br><br>Two", "One\nTwo"),
            ("<h1>Title</h1>text", "Title\ntext"),
            ("a<b>b</b>c <i>d</i>e", "abc de"),
            ("<ul><li>One<li>Two</ul>after", "- One\n- Two\nafter"),
            ("<ul>\n<li><p>One</p></li>\n<li></li><li>Two</li></ul>", "- One\n- Two"),
            ("<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>", "1 2\n3"),
            ("one<img src=x>two", "one two"),
            ("<a href='https://example.org'>link</a>.", "link."),
            ("<unknown-thing>kept</unknown-thing>", "kept"),
        ]);
    }

    #[test]
    fn what_goes_with_its_content() {
        check(&[
            ("a<script>alert('<p>')</script>b", "a b"),
            ("a<SCRIPT type=x>1 < 2 </p> </ScRiPt >b", "a b"),
            ("a<style>p { color: red }</style>b", "a b"),
            ("a<iframe src=x>inner</iframe><noscript>n</noscript>b", "a b"),
            ("a<svg><title>t</title><path d=''/></svg>b", "a b"),
            ("a<iframe src=x />b", "a b"),
            ("a<script>never closed", "a"),
            ("a</script>b", "a b"),
            ("a<!-- <p>comment</p> -->b", "ab"),
            ("a<!-- never closed", "a"),
            ("a<![CDATA[ 1 < 2 & ]]>b", "a 1 < 2 & b"),
            ("<!DOCTYPE html><?php x ?>a", "a"),
        ]);
    }

    #[test]
    fn marks_that_are_no_tags() {
        check(&[
            ("a < b", "a < b"),
            ("a <b", "a <b"),
            ("1 <2> 3", "1 <2> 3"),
            ("<", "<"),
            ("</", "</"),
            ("<3 you", "<3 you"),
            ("<p title=\"a > b\">text</p>", "text"),
            ("<p title='a \" > b'>text</p>", "text"),
            ("<p title=\"never closed>text", "text"),
            ("<a href=\"x>one</a> it's", "one it's"),
            ("it's <b>here</b>", "it's here"),
        ]);
    }

    #[test]
    fn references() {
        check(&[
            ("AT&amp;T", "AT&T"),
            ("AT&T &c &; &#; &#x; &unknown; &", "AT&T &c &; &#; &#x; &unknown; &"),
            ("&lt;p&gt; &amp;lt;", "<p> &lt;"),
            ("it&#8217;s it&#x2019;s it&rsquo;s &#39;", "it’s it’s it’s '"),
            ("a&nbsp;&nbsp;b&#160;c", "a b c"),
            ("&#146;&#0;&#xD800;&#x110000;&#99999999999;", "’\u{fffd}\u{fffd}\u{fffd}\u{fffd}"),
            ("&eacute;&Eacute;&frac12;&hellip;&nvlt;", "éÉ½…<\u{20d2}"),
            ("Q&amp A &copy 2024 ?a=1&copy=2&lt3 &notit;", "Q& A © 2024 ?a=1&copy=2&lt3 &notit;"),
            ("&#65 &#66;C", "A BC"),
            ("a&shy;b&#8203;c&#x202E;d", "abcd"),
            ("a&#7;b", "a b"),
        ]);
    }

    #[test]
    fn telling_html_from_text() {
        for (text, expected) in [
            ("<p>One", true),
            ("one <BR/> two", true),
            ("a<!-- b -->", true),
            ("</div>", true),
            ("a < b > c", false),
            ("<someone@example.org>", false),
            ("see <p", false),
            ("1 <b2> 3", false),
            ("AT&amp;T", false),
        ] {
            assert_eq!(is_markup(text), expected, "{text:?}");
        }
    }

    /// In quadratic time this would take minutes.
    #[test]
    fn what_never_ends_is_reduced() {
        for part in
            ["<", "<a ", "<a '", "<a \"'", "</", "<!--", "<script>", "<svg></x>", "&", "&#", "&a"]
        {
            let html = part.repeat((1 << 20) / part.len());
            is_markup(&html);
            assert!(reduce(&html).len() <= html.len(), "{part:?}");
        }
    }

    proptest! {
        #[test]
        fn any_text(text in any::<String>()) {
            let reduced = reduce(&text);
            prop_assert_eq!(reduced.trim(), &reduced);
            prop_assert!(!reduced.contains("\n\n") && !reduced.contains("  "));
        }

        #[test]
        fn any_markup(text in r#"(<|>|/|"|'|a|li|script|!--|--|>|&|#|x|;|é| |<p>|</p>|\]\]>|!\[CDATA\[){0,60}"#) {
            let reduced = reduce(&text);
            prop_assert_eq!(reduced.trim(), &reduced);
            is_markup(&text);
        }

        #[test]
        fn text_without_marks_stays(words in "[a-zé]{1,8}( [a-zé]{1,8}){0,9}") {
            prop_assert_eq!(&reduce(&words), &words);
            prop_assert_eq!(reduce(&format!("<p>{words}</p><div>x")), format!("{words}\nx"));
        }
    }
}
