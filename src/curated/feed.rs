//! RSS 0.9x, 1.0, 2.0 and Atom to posts.
//!
//! Feeds are read by code of our own: an entry is kept whatever else in its feed is wrong, nothing
//! nests without bound, and every reject knows its line. RSS and Atom elements that share a name
//! are distinguished by their content, as feeds mix the two.

use std::io::Read;

use super::address::address;
use super::classify::Media;
use super::entry::{Entry, Inner, TextType, person};
use super::recognise::is_root;
use super::xml::{Broken, Token, Tokens, attribute, attributes};
use super::{Counts, Event, Item, PROGRESS_BYTES, ReadError, RecordError, encoding, excerpt};
use crate::record::{Ein, Post};

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
    let mut reported = 0;
    while let Some((line, found)) = reader.next()? {
        match read_entry(found, ein, &reader.authors) {
            Ok((post, left_out)) => {
                counts.items += 1;
                on(Event::Item { line, item: Item::Post(Box::new(post)) })?;
                let mut keys = left_out.into_iter().map(str::to_owned);
                keys.try_for_each(|key| on(Event::Warning { key }))?;
            }
            Err(fault) => {
                counts.rejects += 1;
                on(Event::Reject(RecordError { line, ..fault }))?;
            }
        }
        let at = reader.tokens.at as u64;
        if at - reported >= PROGRESS_BYTES {
            reported = at;
            on(Event::Progress { bytes: at.min(counts.bytes) })?;
        }
    }
    on(Event::Progress { bytes: counts.bytes })?;
    Ok(counts)
}

/// The post of an entry and what was left out of it, or why there is none.
fn read_entry(
    found: Result<Box<Entry>, Broken>,
    ein: Ein,
    authors: &[String],
) -> Result<(Post, Vec<&'static str>), RecordError> {
    let entry = found.map_err(|expected| {
        RecordError::new("xml", expected, "the end of the file or another mark")
    })?;
    let link = entry.link.clone().or(entry.id.clone()).unwrap_or_default();
    entry
        .post(ein, authors)
        .ok_or_else(|| RecordError::new("title", "a title, or a text to take one from", &link))
}

/// An entry, or why the feed cannot be read on, and the line where that begins.
type EntryAt = (u64, Result<Box<Entry>, Broken>);

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

#[derive(Default)]
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
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, tokens: Tokens::new(text), lines: 1, ..Self::default() }
    }

    /// The line of a position; positions must not fall.
    fn line(&mut self, at: usize) -> u64 {
        let passed = self.text.as_bytes().get(self.counted..at).unwrap_or_default();
        self.lines += memchr::memchr_iter(b'\n', passed).count() as u64;
        self.counted = self.counted.max(at);
        self.lines
    }

    /// The next entry, or where the feed breaks off, after which there is none.
    fn next(&mut self) -> Result<Option<EntryAt>, ReadError> {
        while let Some(token) = self.tokens.next() {
            let began = self.tokens.began;
            let found = match token {
                Ok(Token::Start { name, attributes, empty }) => {
                    if !self.has_root && !is_root(name, attributes) {
                        break;
                    }
                    self.start(name, attributes, empty)
                }
                Ok(Token::End { name }) => self.end(name),
                Ok(Token::Text(_) | Token::Literal(_)) => None,
                // Before the root it is no feed at all.
                Err(expected) if !self.has_root => {
                    return Err(ReadError::Xml { line: self.line(began), expected });
                }
                Err(expected) => Some(self.break_off(began, expected)),
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        if !self.has_root {
            let start = self.text[self.tokens.began.min(self.text.len())..].trim_start();
            return Err(ReadError::NotFeed { found: excerpt(start) });
        }
        // A feed that was cut within an entry.
        Ok(self.entry.take().map(|(_, _, line)| (line, Err("the end of an entry"))))
    }

    fn break_off(&mut self, at: usize, expected: Broken) -> EntryAt {
        self.tokens.at = self.text.len();
        self.entry = None;
        (self.line(at), Err(expected))
    }

    fn start(&mut self, name: &'a str, tag: &'a str, empty: bool) -> Option<EntryAt> {
        if self.open.len() >= DEPTH_MAX {
            return Some(self.break_off(self.tokens.began, "elements nested at most 256 deep"));
        }
        self.open.push(name);
        let depth = self.open.len();
        if self.within.is_none() {
            self.declare(tag, depth);
            let (prefix, local) = name.split_once(':').unwrap_or(("", name));
            let (space, start) = (self.space(prefix), self.tokens.at);
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
                let began = self.tokens.began;
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
    fn end(&mut self, name: &str) -> Option<EntryAt> {
        let depth = self.open.iter().rposition(|open| *open == name)? + 1;
        self.open.truncate(depth - 1);
        self.prefixes.retain(|(.., of)| *of < depth);
        if let Some((open, _)) = self.within.take_if(|(_, of)| *of >= depth) {
            let raw = self.text.get(open.start..self.tokens.began).unwrap_or_default();
            let inner = Inner { raw, attributes: open.attributes };
            match &mut self.entry {
                Some((entry, ..)) => note_content(entry, open.space, open.local, inner),
                None => self.authors.extend(author_name(inner)),
            }
        }
        let (entry, _, line) = self.entry.take_if(|(_, of, _)| *of >= depth)?;
        Some((line, Ok(entry)))
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
        (Space::Calendar, "startdate" | "dtstart" | "when") => entry.enclosed.has_event_date = true,
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
    entry.enclosed.media = entry.enclosed.media.max(media);
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
        (Space::DublinCore, "creator") => entry.authors.extend(person(&value())),
        (Space::Feed, "author") => entry.authors.extend(author_name(inner)),
        (Space::Itunes, "author") if entry.authors.is_empty() => {
            entry.authors.extend(person(&value()));
        }
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
            let rest = &inner.raw[tokens.at..];
            let raw = &rest[..rest.find("</").unwrap_or(rest.len())];
            return person(&Inner { raw, attributes }.xml_text());
        }
    }
    if inner.raw.contains("<uri") || inner.raw.contains("<email") {
        return None;
    }
    person(&inner.xml_text())
}
