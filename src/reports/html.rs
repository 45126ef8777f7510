//! Web pages: the main content, without what every page of a site has around it.
//!
//! Tags are read one after the other without a tree. A region that is left out ends with its own end tag, or with the
//! page where that is missing; how deep elements nest does not matter to the stack.

use htmlize::unescape;

use super::budget::Budget;
use super::passages::{CELL, add, is_quoted, one_line};
use super::{Format, Report, ReportError, dashed_eins};
use crate::record::{Passage, PassageKind};

/// Characters of text that a report has at least; a page with fewer is an error page or a frame around one.
const CHARACTERS_MIN: usize = 200;

/// Beginnings of titles of pages that report an error.
const ERROR_CODES: [&str; 7] = ["400", "401", "403", "404", "410", "500", "503"];

/// Elements that say nothing, or the same on every page of a site.
const LEFT_OUT: [&str; 14] = [
    "nav", "aside", "footer", "header", "form", "head", "svg", "noscript", "template", "iframe",
    "select", "button", "dialog", "menu",
];

/// Elements whose content is no markup.
const RAW: [&str; 4] = ["script", "style", "textarea", "title"];

/// Elements around items and rows: where one ends, the items in it that have no end tag end too.
const GROUPS: [&str; 4] = ["ul", "ol", "dl", "table"];

/// Elements within a line.
const INLINE: [&str; 32] = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em",
    "font", "i", "img", "ins", "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strong",
    "sub", "sup", "time", "tt", "u", "var",
];

/// Open elements of which something follows; those within deeper ones are of no use.
const OPEN_MAX: usize = 256;

/// Whether a text without blanks in front begins as a page.
pub(super) fn is_page(start: &[u8]) -> bool {
    let begins = |mark: &str| {
        start.get(..mark.len()).is_some_and(|head| head.eq_ignore_ascii_case(mark.as_bytes()))
    };
    begins("<!doctype html") || begins("<html")
}

pub(super) fn read(bytes: &[u8], budget: &mut Budget) -> Result<Report, ReportError> {
    budget.unpack(bytes.len())?;
    let text = decode(bytes);
    let mut page = Page { main: main_of(&text), ..Page::default() };
    page.number = budget.turn()?;
    let mut rest = text.as_str();
    while let Some(at) = rest.find('<') {
        page.text(&rest[..at]);
        rest = &rest[at..];
        budget.spend(1 + page.open.len())?;
        let Some((tag, after)) = Tag::parse(rest) else {
            page.text("<");
            rest = &rest[1..];
            continue;
        };
        rest = after;
        if !tag.is_end && RAW.contains(&tag.name.as_str()) {
            let end = end_of_raw(rest, &tag.name);
            if tag.name == "title" && page.title.is_empty() {
                page.title = one_line(&unescape(&rest[..end]));
            }
            rest = &rest[end..];
            continue;
        }
        page.tag(&tag, budget)?;
    }
    page.text(rest);
    page.flush(budget)?;
    let Page { passages, title, .. } = page;
    let characters: usize = passages.iter().map(|passage| passage.text.chars().count()).sum();
    let is_error =
        title.split_whitespace().next().is_some_and(|first| ERROR_CODES.contains(&first));
    if is_error || characters < CHARACTERS_MIN {
        return Err(ReportError::ErrorPage { title });
    }
    let eins = dashed_eins(&text);
    Ok(Report { format: Format::Html, pages: budget.page, passages, unread: Vec::new(), eins })
}

/// The text of a page, by its mark or by what it declares within its first KiB; else UTF-8 or Windows-1252.
fn decode(bytes: &[u8]) -> String {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(1 << 10)]).to_lowercase();
    let declared = head.split_once("charset=").map(|(_, value)| {
        let value = value.trim_start_matches(['"', '\'', ' ']);
        value.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))).next()
    });
    let declared = declared
        .flatten()
        .and_then(|label| encoding_rs::Encoding::for_label_no_replacement(label.as_bytes()));
    match encoding_rs::Encoding::for_bom(bytes) {
        Some((encoding, _)) => encoding.decode(bytes).0.into_owned(),
        None => match declared.filter(|encoding| *encoding != encoding_rs::UTF_8) {
            Some(encoding) => encoding.decode(bytes).0.into_owned(),
            None => crate::text::decode(bytes).into_owned(),
        },
    }
}

/// The element that holds the content, where a page names one.
fn main_of(text: &str) -> Option<&'static str> {
    ["main", "article"].into_iter().find(|name| {
        text.match_indices('<').any(|(at, _)| {
            let tag = text.get(at + 1..at + 1 + name.len());
            let next = text[at + 1..].chars().nth(name.len());
            tag.is_some_and(|tag| tag.eq_ignore_ascii_case(name))
                && next.is_some_and(|c| c.is_whitespace() || c == '>')
        })
    })
}

/// Bytes up to the end tag of an element without markup.
fn end_of_raw(rest: &str, name: &str) -> usize {
    let is_end = |at: &usize| {
        let tag = rest.get(at + 2..at + 2 + name.len());
        tag.is_some_and(|tag| tag.eq_ignore_ascii_case(name))
    };
    rest.match_indices("</").map(|(at, _)| at).find(is_end).unwrap_or(rest.len())
}

/// A tag.
struct Tag<'a> {
    /// In lower case.
    name: String,
    is_end: bool,
    attributes: &'a str,
}

impl<'a> Tag<'a> {
    /// The tag at the start of a text, or an empty one for a comment or a declaration, and what follows; `None` where
    /// `<` begins no tag.
    fn parse(text: &'a str) -> Option<(Self, &'a str)> {
        let nothing =
            |rest| Some((Tag { name: String::new(), is_end: false, attributes: "" }, rest));
        if let Some(comment) = text.strip_prefix("<!--") {
            return nothing(comment.split_once("-->").map_or("", |(_, rest)| rest));
        }
        let body = text.strip_prefix('<')?;
        let (is_end, body) = body.strip_prefix('/').map_or((false, body), |body| (true, body));
        if !is_end && body.starts_with(['!', '?']) {
            return nothing(body.split_once('>').map_or("", |(_, rest)| rest));
        }
        if !body.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        let end = end_of_tag(body);
        let inside = &body[..end];
        let name_end = inside.find(|c: char| c.is_whitespace() || c == '/').unwrap_or(end);
        let (name, attributes) = (inside[..name_end].to_ascii_lowercase(), &inside[name_end..]);
        Some((Tag { name, is_end, attributes }, body.get(end + 1..).unwrap_or("")))
    }

    fn has_class(&self, class: &str) -> bool {
        let lower = self.attributes.to_ascii_lowercase();
        let Some((_, value)) = lower.split_once("class") else { return false };
        let value = value.trim_start().trim_start_matches('=').trim_start();
        let (quote, value) = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => (quote, &value[1..]),
            _ => (' ', value),
        };
        let value = value.split(quote).next().unwrap_or_default();
        value.split(|c: char| c.is_whitespace() || c == '/').any(|one| one == class)
    }
}

/// Where a tag ends: at a `>` that is in no quoted value; the whole rest where there is none.
fn end_of_tag(body: &str) -> usize {
    let mut quote = None;
    for (at, byte) in body.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return at,
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    // A quotation mark that is never closed.
    body.find('>').unwrap_or(body.len())
}

/// The state of reading a page.
#[derive(Default)]
struct Page {
    number: u32,
    title: String,
    passages: Vec<Passage>,
    /// The element outside which nothing is taken.
    main: Option<&'static str>,
    main_depth: usize,
    /// The element that is left out, and how many of its name are open.
    left_out: Option<(String, usize)>,
    /// What open elements make of the text in them, innermost last.
    open: Vec<(String, PassageKind)>,
    run: String,
}

impl Page {
    fn text(&mut self, text: &str) {
        let is_outside = self.main.is_some() && self.main_depth == 0;
        if self.left_out.is_none() && !is_outside {
            self.run.push_str(&unescape(text));
        }
    }

    fn tag(&mut self, tag: &Tag<'_>, budget: &mut Budget) -> Result<(), ReportError> {
        let name = tag.name.as_str();
        if name.is_empty() || self.skips(tag) {
            return Ok(());
        }
        if INLINE.contains(&name) {
            return Ok(());
        }
        let is_in_row = self.open.iter().any(|(open, _)| open == "tr");
        if matches!(name, "td" | "th") && is_in_row {
            if !tag.is_end && !self.run.trim().is_empty() {
                self.run.push_str(CELL);
            }
            return Ok(());
        }
        if name == "br" || name == "wbr" || is_in_row && name != "tr" && name != "table" {
            self.run.push(' ');
            return Ok(());
        }
        self.flush(budget)?;
        if self.main == Some(name) {
            self.main_depth =
                if tag.is_end { self.main_depth.saturating_sub(1) } else { self.main_depth + 1 };
        }
        if name == "hr" && tag.has_class("page") {
            self.number = budget.turn()?;
        }
        let outer = self.open.last().map_or(PassageKind::Paragraph, |(_, kind)| *kind);
        let own = kind_of(name).or_else(|| GROUPS.contains(&name).then_some(outer));
        let Some(kind) = own else { return Ok(()) };
        if tag.is_end {
            if let Some(at) = self.open.iter().rposition(|(open, _)| open == name) {
                self.open.truncate(at);
            }
        } else if self.open.len() < OPEN_MAX {
            // Items and rows end where the next begins.
            if matches!(name, "li" | "tr") && self.open.last().is_some_and(|(open, _)| open == name)
            {
                self.open.pop();
            }
            self.open.push((name.to_owned(), kind));
        }
        Ok(())
    }

    /// Whether a tag is within what is left out, or begins it.
    fn skips(&mut self, tag: &Tag<'_>) -> bool {
        if let Some((name, depth)) = &mut self.left_out {
            if *name == tag.name {
                *depth = if tag.is_end { *depth - 1 } else { *depth + 1 };
                if *depth == 0 {
                    self.left_out = None;
                }
            }
            return true;
        }
        // Within the content a header is that of the content.
        let is_own = tag.name == "header" && self.main_depth > 0;
        let begins = !tag.is_end && LEFT_OUT.contains(&tag.name.as_str()) && !is_own;
        if begins && !tag.attributes.trim_end().ends_with('/') {
            self.left_out = Some((tag.name.clone(), 1));
        }
        begins
    }

    /// Makes a passage of the text so far.
    fn flush(&mut self, budget: &mut Budget) -> Result<(), ReportError> {
        let run = std::mem::take(&mut self.run);
        let kind = self.open.last().map_or(PassageKind::Paragraph, |(_, kind)| *kind);
        let kind = match kind {
            PassageKind::Paragraph if is_quoted(run.trim()) => PassageKind::Quotation,
            kind => kind,
        };
        let text = run.trim_end().trim_end_matches(CELL.trim_end());
        add(&mut self.passages, budget, self.number, kind, text)
    }
}

/// What an element makes of its text; `None` for those that only end the line before.
fn kind_of(name: &str) -> Option<PassageKind> {
    match name {
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => Some(PassageKind::Heading),
        "li" | "dd" => Some(PassageKind::ListItem),
        "blockquote" => Some(PassageKind::Quotation),
        "figcaption" | "caption" => Some(PassageKind::Caption),
        "tr" => Some(PassageKind::TableRow),
        _ => None,
    }
}
