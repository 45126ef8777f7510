//! Word documents: the paragraphs of `word/document.xml`, with the meaning of their styles.

use std::collections::HashMap;
use std::io::{Cursor, Read as _};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use zip::ZipArchive;

use super::budget::Budget;
use super::passages::{CELL, add, is_quoted, item};
use super::{Format, Report, ReportError, dashed_eins};
use crate::record::{Passage, PassageKind};

/// The part that makes a ZIP file a Word document, and that of its styles.
const DOCUMENT: &str = "word/document.xml";
const STYLES: &str = "word/styles.xml";

/// Open elements; documents nest tables in tables, but not without end.
const DEPTH_MAX: usize = 256;

/// What ZIP files begin with.
pub(super) fn is_zip(start: &[u8]) -> bool {
    start.starts_with(b"PK\x03\x04")
}

/// Whether a ZIP file is a Word document: the names of its first members are near its beginning, all of them at its
/// end.
pub(super) fn is_docx(bytes: &[u8]) -> bool {
    memchr::memmem::find(bytes, DOCUMENT.as_bytes()).is_some()
}

pub(super) fn read(bytes: &[u8], budget: &mut Budget) -> Result<Report, ReportError> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| damaged(&error))?;
    let styles = match part(&mut archive, STYLES, budget) {
        Ok(styles) => style_kinds(&styles, budget)?,
        // Without styles every paragraph is one.
        Err(ReportError::Damaged { .. }) => HashMap::new(),
        Err(error) => return Err(error),
    };
    let text = part(&mut archive, DOCUMENT, budget)?;
    let page = budget.turn()?;
    let mut walk = Walk { styles, page, ..Walk::default() };
    let mut reader = Reader::from_str(&text);
    reader.config_mut().expand_empty_elements = true;
    loop {
        budget.spend(1)?;
        match reader.read_event().map_err(|error| damaged(&error))? {
            Event::Start(tag) | Event::Empty(tag) => walk.start(&tag, budget)?,
            Event::End(tag) => walk.end(tag.local_name().as_ref(), budget)?,
            Event::Text(text) if walk.takes_text => walk.text.push_str(&text),
            Event::CData(text) if walk.takes_text => walk.text.push_str(&text),
            Event::GeneralRef(reference) if walk.takes_text => {
                let entity = quick_xml::escape::resolve_xml_entity(reference.as_ref());
                let known = entity.and_then(|text| text.chars().next());
                walk.text.extend(known.or_else(|| reference.resolve_char_ref().ok().flatten()));
            }
            // Entities of its own are what makes a small file large.
            Event::DocType(_) => return Err(damaged(&"a document type in the XML")),
            Event::Eof => break,
            _ => {}
        }
    }
    let Walk { passages, .. } = walk;
    let texts: Vec<&str> = passages.iter().map(|passage| passage.text.as_str()).collect();
    let (eins, pages) = (dashed_eins(&texts.join("\n")), budget.page);
    Ok(Report { format: Format::Docx, pages, passages, unread: Vec::new(), eins })
}

fn damaged(found: &dyn std::fmt::Display) -> ReportError {
    ReportError::Damaged {
        expected: "a Word document that can be unpacked",
        found: found.to_string().chars().take(120).collect(),
    }
}

/// A part of the document, unpacked.
fn part(
    archive: &mut ZipArchive<Cursor<&[u8]>>,
    name: &str,
    budget: &mut Budget,
) -> Result<String, ReportError> {
    let part = archive.by_name(name).map_err(|error| damaged(&error))?;
    let mut bytes = Vec::new();
    // The declared length need not be true.
    let max = budget.unpackable() as u64 + 1;
    part.take(max).read_to_end(&mut bytes).map_err(|error| damaged(&error))?;
    budget.unpack(bytes.len())?;
    String::from_utf8(bytes).map_err(|error| damaged(&error))
}

/// What the styles make of a paragraph, by their identifiers: their names are the same in every language.
fn style_kinds(
    styles: &str,
    budget: &mut Budget,
) -> Result<HashMap<String, PassageKind>, ReportError> {
    let mut kinds = HashMap::new();
    let mut reader = Reader::from_str(styles);
    let mut style = String::new();
    loop {
        budget.spend(1)?;
        match reader.read_event().map_err(|error| damaged(&error))? {
            Event::Start(tag) | Event::Empty(tag) => match tag.local_name().as_ref() {
                "style" => style = attribute(&tag, "styleId").unwrap_or_default(),
                "name" => {
                    let name = attribute(&tag, "val").unwrap_or_default().to_lowercase();
                    if let Some(kind) = kind_of_style(&name) {
                        kinds.insert(style.clone(), kind);
                    }
                }
                _ => {}
            },
            Event::DocType(_) => return Err(damaged(&"a document type in the XML")),
            Event::Eof => return Ok(kinds),
            _ => {}
        }
    }
}

/// What a built-in style makes of a paragraph.
fn kind_of_style(name: &str) -> Option<PassageKind> {
    let begins = |marks: &[&str]| marks.iter().any(|mark| name.starts_with(mark));
    if begins(&["heading", "title", "subtitle"]) {
        return Some(PassageKind::Heading);
    }
    if begins(&["quote", "intense quote"]) {
        return Some(PassageKind::Quotation);
    }
    if begins(&["list bullet", "list number"]) {
        return Some(PassageKind::ListItem);
    }
    begins(&["caption"]).then_some(PassageKind::Caption)
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let mut attributes = tag.attributes().flatten();
    let is_named = |found: &str| found == name;
    let found = attributes.find(|one| is_named(one.key.local_name().as_ref()))?;
    Some(found.value.trim().to_owned())
}

#[derive(Default)]
struct Walk {
    styles: HashMap<String, PassageKind>,
    passages: Vec<Passage>,
    page: u32,
    text: String,
    takes_text: bool,
    kind: Option<PassageKind>,
    /// Rows of tables around what is read.
    rows: usize,
    /// Open elements, and how many of them are a copy for older programs.
    depth: usize,
    fallbacks: usize,
    /// Whether a page began by an explicit break, and has no text yet.
    is_fresh: bool,
}

impl Walk {
    fn start(&mut self, tag: &BytesStart<'_>, budget: &mut Budget) -> Result<(), ReportError> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(damaged(&"elements nested more than 256 deep"));
        }
        let name = tag.local_name();
        let name: &str = name.as_ref();
        if name == "Fallback" || self.fallbacks > 0 {
            self.fallbacks += 1;
            return Ok(());
        }
        match name {
            "p" if self.rows == 0 => self.finish(budget)?,
            "pStyle" => {
                let style = attribute(tag, "val").unwrap_or_default();
                self.kind = self.styles.get(&style).copied().or(self.kind);
            }
            "numPr" if self.kind != Some(PassageKind::Heading) => {
                self.kind = Some(PassageKind::ListItem);
            }
            "tr" => {
                if self.rows == 0 {
                    self.finish(budget)?;
                }
                self.rows += 1;
            }
            "tc" if !self.text.trim().is_empty() => self.text.push_str(CELL),
            "t" => self.takes_text = true,
            "tab" | "br" | "cr" => {
                self.text.push(' ');
                if attribute(tag, "type").as_deref() == Some("page") {
                    self.turn(budget)?;
                    self.is_fresh = true;
                }
            }
            // Word notes the break that was asked for a second time.
            "lastRenderedPageBreak" if !self.is_fresh => self.turn(budget)?,
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, name: &str, budget: &mut Budget) -> Result<(), ReportError> {
        self.depth = self.depth.saturating_sub(1);
        if self.fallbacks > 0 {
            self.fallbacks -= 1;
            return Ok(());
        }
        match name {
            "t" => {
                self.takes_text = false;
                self.is_fresh &= self.text.trim().is_empty();
            }
            "p" if self.rows > 0 => self.text.push(' '),
            "p" => self.finish(budget)?,
            "tr" => {
                self.rows = self.rows.saturating_sub(1);
                if self.rows == 0 {
                    self.kind = Some(PassageKind::TableRow);
                    self.finish(budget)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Begins a page. A paragraph that goes on there is whole: it is of the page on which it begins.
    fn turn(&mut self, budget: &mut Budget) -> Result<(), ReportError> {
        if self.text.trim().is_empty() {
            self.page = budget.turn()?;
        } else {
            budget.turn()?;
        }
        Ok(())
    }

    /// Makes a passage of the text so far.
    fn finish(&mut self, budget: &mut Budget) -> Result<(), ReportError> {
        let text = std::mem::take(&mut self.text);
        let text = text.trim().trim_end_matches(CELL.trim_end());
        let kind = self.kind.take().unwrap_or(PassageKind::Paragraph);
        let (kind, text) = match item(text) {
            Some(item) if kind == PassageKind::Paragraph => (PassageKind::ListItem, item),
            _ if kind == PassageKind::Paragraph && is_quoted(text) => {
                (PassageKind::Quotation, text)
            }
            _ => (kind, text),
        };
        add(&mut self.passages, budget, self.page, kind, text)?;
        self.page = budget.page;
        Ok(())
    }
}
