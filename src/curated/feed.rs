//! RSS 0.9x, 1.0, 2.0 and Atom to posts.
//!
//! Feeds are read by code of our own: an entry is kept whatever else in its feed is wrong, nothing
//! nests without bound, and every reject knows its line. RSS and Atom elements that share a name
//! are distinguished by their content, as feeds mix the two.

use std::borrow::Cow;
use std::io::Read;

use super::address::address;
use super::classify::Media;
use super::entry::{Entry, Inner, ParsedPost, TextType};
use super::recognise::is_root;
use super::xml::{Broken, Token, Tokens, attribute, attributes};
use super::{
    Counts, Event, Item, PROGRESS_BYTES, ReadError, RecordError, encoding, entry, excerpt,
};
use crate::record::Ein;

/// The longest feed that is read: ten thousand entries with their texts.
const FEED_BYTES_MAX: u64 = 16 << 20;

/// The deepest nesting of elements; entries with a page of HTML in them stay far below.
const DEPTH_MAX: usize = 256;

/// The most declarations of namespaces that are kept at a time; feeds have about ten.
const PREFIXES_MAX: usize = 64;

/// Reads a feed of one nonprofit and calls `on` for everything found. An error of `on` stops the
/// reading and is returned. Holds the feed in memory, at most 16 MiB.
///
/// # Errors
/// Those of `on`, and a [`ReadError`] when it is too long or no feed. Entries that cannot be read
/// are no error; they are [`Event::Reject`]. So is where a feed breaks off.
pub fn read_feed<E: From<ReadError>>(
    input: impl Read,
    ein: Ein,
    on: &mut dyn FnMut(Event) -> Result<(), E>,
) -> Result<Counts, E> {
    let mut bytes = Vec::new();
    input.take(FEED_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(ReadError::Io)?;
    if bytes.len() as u64 > FEED_BYTES_MAX {
        return Err(ReadError::FeedTooLong.into());
    }
    let text = encoding::decode(&bytes).map_err(|found| ReadError::Encoding { found })?;
    let mut reader = Reader::new(&text);
    let mut counts = Counts { bytes: bytes.len() as u64, ..Counts::default() };
    let mut told = 0;
    while let Some(found) = reader.next()? {
        match found {
            FeedElement::Entry { line, entry } => {
                tell(line, entry, ein, &reader.authors, &mut counts, on)?
            }
            FeedElement::Broken { line, expected } => {
                counts.rejects += 1;
                let (field, found) = ("xml".to_owned(), "the end of the file or another mark");
                let expected = Cow::Borrowed(expected);
                on(Event::Reject(RecordError { line, field, expected, found: found.to_owned() }))?;
            }
        }
        let at = reader.tokens.at() as u64;
        if at - told >= PROGRESS_BYTES {
            told = at;
            on(Event::Progress { bytes: at.min(counts.bytes) })?;
        }
    }
    on(Event::Progress { bytes: counts.bytes })?;
    Ok(counts)
}

fn tell<E>(
    line: u64,
    entry: Box<Entry>,
    ein: Ein,
    authors: &[String],
    counts: &mut Counts,
    on: &mut dyn FnMut(Event) -> Result<(), E>,
) -> Result<(), E> {
    let link = entry.link.clone().or(entry.id.clone()).unwrap_or_default();
    match entry.post(ein, authors) {
        Some(ParsedPost { post, left_out }) => {
            counts.items += 1;
            on(Event::Item { line, item: Item::Post(Box::new(post)) })?;
            left_out.into_iter().try_for_each(|key| on(Event::Warning { key: key.to_owned() }))
        }
        None => {
            counts.rejects += 1;
            let expected = Cow::Borrowed("a title, or a text to take one from");
            let field = "title".to_owned();
            on(Event::Reject(RecordError { line, field, expected, found: excerpt(&link) }))
        }
    }
}

/// What the reader comes upon.
enum FeedElement {
    Entry { line: u64, entry: Box<Entry> },
    Broken { line: u64, expected: Broken },
}

/// The vocabularies that are distinguished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Space {
    /// RSS of all versions and Atom.
    Feed,
    Content,
    DublinCore,
    Media,
    Itunes,
    /// Vocabularies of calendars.
    Calendar,
    Other,
}

impl Space {
    fn of_address(address: &str) -> Self {
        match address.trim_end_matches('/') {
            "http://www.w3.org/2005/Atom"
            | "http://purl.org/rss/1.0"
            | "http://my.netscape.com/rdf/simple/0.9"
            | "http://backend.userland.com/rss2" => Self::Feed,
            "http://purl.org/rss/1.0/modules/content" => Self::Content,
            "http://purl.org/dc/elements/1.1" | "http://purl.org/dc/terms" => Self::DublinCore,
            "http://search.yahoo.com/mrss" => Self::Media,
            "http://www.itunes.com/dtds/podcast-1.0.dtd" => Self::Itunes,
            "http://purl.org/rss/1.0/modules/event"
            | "urn:ietf:params:xml:ns:xcal"
            | "http://schemas.google.com/g/2005" => Self::Calendar,
            _ => Self::Other,
        }
    }

    /// What a prefix stands for that was not declared.
    fn of_prefix(prefix: &str) -> Self {
        match prefix {
            "" | "atom" | "rss" => Self::Feed,
            "content" => Self::Content,
            "dc" | "dcterms" => Self::DublinCore,
            "media" => Self::Media,
            "itunes" => Self::Itunes,
            "ev" | "xcal" | "gd" => Self::Calendar,
            _ => Self::Other,
        }
    }
}

/// An element whose end is waited for.
struct Open<'a> {
    space: Space,
    local: &'a str,
    attributes: &'a str,
    /// Where its content begins.
    start: usize,
}

struct Reader<'a> {
    text: &'a str,
    tokens: Tokens<'a>,
    open: Vec<&'a str>,
    /// Prefixes, what they stand for, and the depth to which they hold.
    prefixes: Vec<(&'a str, Space, usize)>,
    is_atom: bool,
    /// The entry that is being read, the depth of its element, and its line.
    entry: Option<(Box<Entry>, usize, u64)>,
    /// The element whose content is being passed over, with its depth.
    within: Option<(Open<'a>, usize)>,
    /// Of the feed as a whole, for entries that have none.
    authors: Vec<String>,
    /// The lines of the text before `counted`.
    lines: u64,
    counted: usize,
    has_root: bool,
    ended: bool,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            tokens: Tokens::new(text),
            open: Vec::new(),
            prefixes: Vec::new(),
            is_atom: false,
            entry: None,
            within: None,
            authors: Vec::new(),
            lines: 1,
            counted: 0,
            has_root: false,
            ended: false,
        }
    }

    /// The line of a position; positions must not fall.
    fn line(&mut self, at: usize) -> u64 {
        let passed = self.text.as_bytes().get(self.counted..at).unwrap_or_default();
        self.lines += memchr::memchr_iter(b'\n', passed).count() as u64;
        self.counted = self.counted.max(at);
        self.lines
    }

    /// The next entry, or where the feed breaks off, after which there is none.
    fn next(&mut self) -> Result<Option<FeedElement>, ReadError> {
        while !self.ended {
            let Some(token) = self.tokens.next() else {
                self.ended = true;
                break;
            };
            let began = self.tokens.began();
            let mut found = None;
            match token {
                Ok(Token::Start { name, attributes, empty }) => {
                    if !self.has_root && !is_root(name, attributes) {
                        break;
                    }
                    found = self.start(name, attributes, empty);
                }
                Ok(Token::End { name }) => found = self.end(name),
                Ok(Token::Text(_) | Token::Literal(_)) => {}
                // Before the root it is no feed at all.
                Err(expected) if !self.has_root => {
                    return Err(ReadError::Xml { line: self.line(began), expected });
                }
                Err(expected) => found = Some(self.break_off(began, expected)),
            }
            if found.is_some() {
                return Ok(found);
            }
        }
        if !self.has_root {
            let start = self.text[self.tokens.began().min(self.text.len())..].trim_start();
            return Err(ReadError::NotFeed { found: excerpt(start) });
        }
        // A feed that was cut within an entry.
        match self.entry.take() {
            Some((_, _, line)) => {
                Ok(Some(FeedElement::Broken { line, expected: "the end of an entry" }))
            }
            None => Ok(None),
        }
    }

    fn break_off(&mut self, at: usize, expected: Broken) -> FeedElement {
        self.ended = true;
        self.entry = None;
        FeedElement::Broken { line: self.line(at), expected }
    }

    fn start(&mut self, name: &'a str, tag: &'a str, empty: bool) -> Option<FeedElement> {
        if self.open.len() >= DEPTH_MAX {
            return Some(self.break_off(self.tokens.began(), "elements nested at most 256 deep"));
        }
        self.open.push(name);
        let depth = self.open.len();
        if self.within.is_none() {
            self.declare(tag, depth);
            let (prefix, local) = name.split_once(':').unwrap_or(("", name));
            let (space, start) = (self.space(prefix), self.tokens.at());
            let open = Open { space, local, attributes: tag, start };
            self.enter(open, depth);
        }
        self.has_root = true;
        if empty { self.end(name) } else { None }
    }

    /// Notes what namespaces a start tag declares.
    fn declare(&mut self, tag: &'a str, depth: usize) {
        if !tag.contains("xmlns") {
            return;
        }
        for (key, address) in attributes(tag) {
            let prefix = match key.strip_prefix("xmlns") {
                Some("") => "",
                Some(rest) => rest.strip_prefix(':').unwrap_or("xmlns"),
                None => continue,
            };
            if self.prefixes.len() < PREFIXES_MAX {
                self.prefixes.push((prefix, Space::of_address(address), depth));
            }
        }
    }

    fn space(&self, prefix: &str) -> Space {
        let declared = self.prefixes.iter().rev().find(|(known, ..)| *known == prefix);
        declared.map_or_else(|| Space::of_prefix(prefix), |(_, space, _)| *space)
    }

    /// Takes an element that begins.
    fn enter(&mut self, open: Open<'a>, depth: usize) {
        let is_feed = open.space == Space::Feed;
        match &mut self.entry {
            None if depth == 1 => self.is_atom = open.local == "feed",
            None if is_feed && matches!(open.local, "item" | "entry") => {
                let began = self.tokens.began();
                let id = attribute(open.attributes, "rdf:about");
                let text_type = if self.is_atom { TextType::Plain } else { TextType::Html };
                let entry = Entry { id, text_type, ..Entry::default() };
                self.entry = Some((Box::new(entry), depth, self.line(began)));
            }
            None if is_feed && depth == 2 && open.local == "author" => {
                self.within = Some((open, depth));
            }
            None => {}
            // Groups only hold more of the same; everything else is taken whole.
            Some(_) if open.space == Space::Media && open.local == "group" => {}
            Some((entry, _, _)) => {
                note_attributes(entry, &open);
                self.within = Some((open, depth));
            }
        }
    }

    /// Takes an element that ends, and those within it that were left open.
    fn end(&mut self, name: &str) -> Option<FeedElement> {
        let depth = self.open.iter().rposition(|open| *open == name)? + 1;
        self.open.truncate(depth - 1);
        self.prefixes.retain(|(.., of)| *of < depth);
        if self.within.as_ref().is_some_and(|(_, of)| *of >= depth) {
            let end = self.tokens.began().max(self.within.as_ref().map_or(0, |(o, _)| o.start));
            if let Some((open, _)) = self.within.take() {
                let end = end.min(self.text.len());
                let raw = self.text.get(open.start..end).unwrap_or_default();
                self.leave(&open, raw);
            }
        }
        match self.entry.take() {
            Some((entry, of, line)) if of >= depth => Some(FeedElement::Entry { line, entry }),
            other => {
                self.entry = other;
                None
            }
        }
    }

    /// Takes an element with its content.
    fn leave(&mut self, open: &Open<'a>, raw: &'a str) {
        let inner = Inner { raw, attributes: open.attributes };
        match &mut self.entry {
            Some((entry, ..)) => note_content(entry, open.space, open.local, inner),
            None => self.authors.extend(author_name(inner)),
        }
    }
}

/// Adds the attributes of an element to the entry.
fn note_attributes(entry: &mut Entry, open: &Open<'_>) {
    let get = |name| attribute(open.attributes, name);
    match (open.space, open.local) {
        (Space::Feed, "link") => {
            let Some(href) = get("href") else { return };
            match get("rel").as_deref() {
                None | Some("alternate") => Entry::value(&mut entry.link, &href),
                Some("enclosure") => note_media(entry, get("type"), None, Some(href)),
                Some("self" | "edit" | "replies" | "hub" | "license" | "next" | "first") => {}
                Some(_) => Entry::value(&mut entry.other_link, &href),
            }
        }
        (Space::Feed, "enclosure") => note_media(entry, get("type"), None, get("url")),
        (Space::Media, "content") => note_media(entry, get("type"), get("medium"), get("url")),
        (Space::Feed, "category") => {
            if let Some(label) = get("label").or_else(|| get("term")) {
                entry.category(&label);
            }
        }
        (Space::Calendar, "startdate" | "dtstart" | "when") => entry.has_event_date = true,
        _ => {}
    }
}

fn note_media(
    entry: &mut Entry,
    kind: Option<String>,
    medium: Option<String>,
    url: Option<String>,
) {
    let kind = kind.or(medium).unwrap_or_default();
    let media = Media::of_type(&kind).or_else(|| Media::of_address(url.as_deref()?));
    entry.media = entry.media.max(media);
}

/// Takes what stands within an element of an entry.
fn note_content(entry: &mut Entry, space: Space, local: &str, inner: Inner<'_>) {
    let default = entry.text_type;
    let value = || inner.xml_text();
    match (space, local) {
        (Space::Feed, "title") => Entry::text(&mut entry.title, inner, default),
        (Space::DublinCore | Space::Itunes, "title") if entry.title.is_none() => {
            Entry::text(&mut entry.title, inner, TextType::Html);
        }
        (Space::Feed, "description" | "summary") => {
            Entry::text(&mut entry.summary, inner, default);
        }
        (Space::DublinCore | Space::Media, "description") | (Space::Itunes, "summary") => {
            Entry::text(&mut entry.other_summary, inner, TextType::Html);
        }
        (Space::Content, "encoded") => Entry::text(&mut entry.content, inner, TextType::Html),
        (Space::Feed, "content") => Entry::text(&mut entry.content, inner, default),
        (Space::Feed, "guid") => {
            let id = value();
            let is_link = attribute(inner.attributes, "isPermaLink").as_deref() != Some("false");
            if is_link && address(&id).is_some() {
                Entry::value(&mut entry.other_link, &id);
            }
            Entry::value(&mut entry.id, &id);
        }
        (Space::Feed, "id") => Entry::value(&mut entry.id, &value()),
        (Space::Feed, "link") => Entry::value(&mut entry.link, &value()),
        (Space::Feed, "pubDate" | "published" | "issued") | (Space::DublinCore, "date") => {
            Entry::value(&mut entry.published, &value());
        }
        (Space::Feed, "updated" | "modified" | "lastBuildDate") => {
            Entry::value(&mut entry.updated, &value());
        }
        (Space::DublinCore, "creator") => entry.author(&value()),
        (Space::Feed, "author") => entry.authors.extend(author_name(inner)),
        (Space::Itunes, "author") if entry.authors.is_empty() => entry.author(&value()),
        (Space::Feed, "category") | (Space::DublinCore, "subject") => entry.category(&value()),
        (Space::Media | Space::Itunes, "keywords") => entry.keywords(&value()),
        _ => {}
    }
}

/// The name of an author: Atom has it in an element of its own.
fn author_name(inner: Inner<'_>) -> Option<String> {
    let mut tokens = Tokens::new(inner.raw);
    while let Some(Ok(token)) = tokens.next() {
        if let Token::Start { name, attributes, empty: false } = token
            && name.rsplit(':').next() == Some("name")
        {
            let rest = &inner.raw[tokens.at()..];
            let raw = &rest[..rest.find("</").unwrap_or(rest.len())];
            return entry::person(&Inner { raw, attributes }.xml_text());
        }
    }
    if inner.raw.contains("<uri") || inner.raw.contains("<email") {
        return None;
    }
    entry::person(&inner.xml_text())
}
