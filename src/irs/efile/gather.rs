//! One pass over the XML of a return: the texts of the elements that are taken, still unparsed.
//!
//! Elements that the tree of `paths` does not know are counted in and out, no more. Everything that
//! could grow is bounded here; what is beyond a bound is left out, or the return refused.

use std::collections::BTreeMap;
use std::io::BufRead;

use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Error, Reader};

use super::super::text;
use super::meaning::{Field, Line, List, Meaning, Part};
use super::paths::{TOP, Tree};
use super::period;
use super::reference::{About, about};
use super::root::Root;
use super::source::Source;
use super::{FOUND_CHARACTERS_MAX, ReturnError};
use crate::record::{Date, ElementPath, Form, Month};

/// The deepest nesting: schemas have about ten levels, and the XML reader keeps each open name.
const DEPTH_MAX: usize = 64;

/// The most bytes that are kept of a text in prose: the longest statements have some KiB.
const PROSE_BYTES_MAX: usize = 64 << 10;

/// The most bytes that are kept of any other value: schemas allow names of 75 characters and titles
/// of 100.
pub const VALUE_BYTES_MAX: usize = 1 << 10;

/// The most rows of all lists together that are kept: the largest sponsors of donor-advised funds list
/// some ten thousand grants. What was left out is counted.
pub const ROWS_MAX: usize = 200_000;

/// The most programmes, and notes on them, that are kept.
pub(super) const PROGRAMS_MAX: usize = 100;
const NOTES_MAX: usize = 100;

/// A text, the line on which its element ends, and where that stands.
pub(super) struct Value {
    pub(super) text: String,
    pub(super) line: u64,
    pub(super) at: ElementPath,
    rank: u8,
}

/// The values of the return itself, or of one entry of a list.
#[derive(Default)]
pub(super) struct Values(BTreeMap<Meaning, Value>);

impl Values {
    /// The value and its line, as single blanks between words; never empty.
    pub(super) fn value(&self, meaning: impl Into<Meaning>) -> Option<&Value> {
        self.0.get(&meaning.into())
    }

    /// The value alone.
    pub(super) fn text(&self, meaning: impl Into<Meaning>) -> Option<&str> {
        self.value(meaning).map(|value| value.text.as_str())
    }

    /// Of several elements that say the same the first in rank stays, then the first in the file.
    fn put(&mut self, meaning: Meaning, value: Value) {
        if self.0.get(&meaning).is_none_or(|known| value.rank < known.rank) {
            self.0.insert(meaning, value);
        }
    }
}

/// A programme and the line of the form on which it stands.
pub(super) struct ProgramLine {
    pub(super) line: Line,
    pub(super) values: Values,
}

/// A row of a list.
pub(super) struct ListRow {
    pub(super) list: List,
    pub(super) values: Values,
}

/// An explanation in a schedule, and what it is about.
pub(super) struct Note {
    pub(super) about: About,
    pub(super) text: String,
    pub(super) at: ElementPath,
}

/// What is taken of a return.
pub(super) struct ReturnValues {
    pub(super) form: Form,
    pub(super) values: Values,
    /// Rows of every list, in the order of the XML.
    pub(super) rows: Vec<ListRow>,
    /// Rows that were left out.
    pub(super) rows_beyond: usize,
    pub(super) programs: Vec<ProgramLine>,
    pub(super) notes: Vec<Note>,
    /// Lines of the file.
    pub(super) lines: u64,
}

/// Reads a return to its end.
pub(super) fn gather(input: impl BufRead) -> Result<ReturnValues, ReturnError> {
    let mut reader = Reader::from_reader(Source::new(input));
    // A start tag and an end tag for each element, also for an empty one.
    reader.config_mut().expand_empty_elements = true;
    let mut buffer = Vec::new();
    let mut walk = Walk::new();
    loop {
        buffer.clear();
        reader.get_mut().begin_token();
        let event = reader.read_event_into(&mut buffer);
        let line = reader.get_ref().line();
        if let Some(limit) = reader.get_ref().exceeded() {
            return Err(ReturnError::malformed(line, "row", limit, "more"));
        }
        match event {
            Ok(Event::Eof) => return walk.finish(line),
            Ok(event) => walk.take(&event, line)?,
            Err(Error::Io(source)) => return Err(ReturnError::Io(source)),
            Err(Error::Encoding(error)) => {
                let found = error.to_string();
                return Err(ReturnError::malformed(line, "row", "text in UTF-8", &found));
            }
            Err(error) => {
                let found = error.to_string();
                return Err(ReturnError::malformed(line, "row", "well-formed XML", &found));
            }
        }
    }
}

struct Walk {
    tree: &'static Tree,
    /// Open elements that the tree knows, outermost first.
    open: Vec<usize>,
    /// Of each element that the tree knows, which of its name it is in the element around it, from 1.
    positions: Vec<u32>,
    /// Open elements below them that it does not.
    unknown: usize,
    /// Text of the innermost known element.
    text: String,
    form: Option<Form>,
    /// Whether the form's own element was there.
    has_body: bool,
    ended: bool,
    values: Values,
    rows: Vec<ListRow>,
    rows_beyond: usize,
    programs: Vec<ProgramLine>,
    note: Values,
    notes: Vec<Note>,
}

impl Walk {
    fn new() -> Self {
        Self {
            tree: Tree::get(),
            open: Vec::new(),
            positions: vec![0; Tree::get().len()],
            unknown: 0,
            text: String::new(),
            form: None,
            has_body: false,
            ended: false,
            values: Values::default(),
            rows: Vec::new(),
            rows_beyond: 0,
            programs: Vec::new(),
            note: Values::default(),
            notes: Vec::new(),
        }
    }

    fn take(&mut self, event: &Event<'_>, line: u64) -> Result<(), ReturnError> {
        match event {
            Event::Start(tag) | Event::Empty(tag) => self.start(tag, line),
            Event::End(_) => self.end(line),
            Event::Text(text) => self.add(text, line),
            Event::CData(text) => self.add(text, line),
            Event::GeneralRef(reference) => {
                let mut bytes = [0; 4];
                let character = resolve(reference, line)?;
                self.add(character.encode_utf8(&mut bytes), line)
            }
            // Entities are what makes small files large; returns have none of their own.
            Event::DocType(found) => {
                Err(ReturnError::malformed(line, "row", "XML without a document type", found))
            }
            Event::Decl(_) | Event::PI(_) | Event::Comment(_) | Event::Eof => Ok(()),
        }
    }

    fn start(&mut self, tag: &BytesStart<'_>, line: u64) -> Result<(), ReturnError> {
        let parent = self.open.last().copied();
        if parent.is_none() {
            self.check_root(tag, line)?;
        }
        if self.open.len() + self.unknown >= DEPTH_MAX {
            let found = tag.local_name();
            let expected = "elements nested at most 64 deep";
            return Err(ReturnError::malformed(line, "row", expected, found.as_ref()));
        }
        if self.unknown > 0 {
            self.unknown += 1;
            return Ok(());
        }
        let name = tag.local_name();
        let name = name.as_ref();
        if self.open.len() == 1 && name == "ReturnData" && self.form.is_none() {
            let expected = "a header before the data";
            return Err(ReturnError::malformed(line, "ReturnHeader", expected, name));
        }
        let Some(node) = self.tree.child(parent.unwrap_or(TOP), name) else {
            self.unknown = 1;
            return Ok(());
        };
        let (says, form) = (self.tree.node(node).says, self.tree.node(node).form);
        if form.is_some() {
            if form != self.form || self.has_body {
                self.unknown = 1;
                return Ok(());
            }
            self.has_body = true;
        }
        self.positions[node] = self.positions[node].saturating_add(1);
        for (_, child) in &self.tree.node(node).children {
            self.positions[*child] = 0;
        }
        self.open.push(node);
        self.text.clear();
        match says {
            Some((Meaning::Field(Field::Subsection), _)) => self.text = subsection_of(tag),
            Some((group, _)) => self.start_group(group),
            None => {}
        }
        Ok(())
    }

    fn check_root(&self, tag: &BytesStart<'_>, line: u64) -> Result<(), ReturnError> {
        let root = Root::of(tag);
        if self.ended {
            return Err(ReturnError::malformed(line, "row", "one return a file", &root.name));
        }
        if root.is_return() {
            return Ok(());
        }
        let Root { name, namespace } = root;
        let found = namespace.map_or(name.clone(), |namespace| format!("{name} of {namespace}"));
        let expected = "the element Return of the namespace http://www.irs.gov/efile";
        Err(ReturnError::malformed(line, "Return", expected, &found))
    }

    fn start_group(&mut self, group: Meaning) {
        match group {
            Meaning::List(_) if self.rows.len() >= ROWS_MAX => self.rows_beyond += 1,
            Meaning::List(list) => self.rows.push(ListRow { list, values: Values::default() }),
            // One above the limit is begun, to take the values of all that follow.
            Meaning::Program(Part::Group, line) if self.programs.len() <= PROGRAMS_MAX => {
                let line = if line == Line::Next { self.next_line() } else { line };
                self.programs.push(ProgramLine { line, values: Values::default() });
            }
            Meaning::Field(Field::NoteGroup) => self.note = Values::default(),
            _ => {}
        }
    }

    fn next_line(&self) -> Line {
        match self.programs.len() {
            0 => Line::First,
            1 => Line::Second,
            2 => Line::Third,
            _ => Line::Other,
        }
    }

    fn add(&mut self, text: &str, line: u64) -> Result<(), ReturnError> {
        let Some(node) = self.open.last() else {
            let blank = text.chars().all(|c| c.is_whitespace() || c == '\u{feff}' || c == '\0');
            if blank {
                return Ok(());
            }
            let found = text.trim_start();
            return Err(ReturnError::malformed(line, "row", "an XML document", found));
        };
        let Some((meaning, _)) = self.tree.node(*node).says else { return Ok(()) };
        if self.unknown > 0 || meaning == Field::Subsection.into() {
            return Ok(());
        }
        let most = if meaning.is_prose() { PROSE_BYTES_MAX } else { VALUE_BYTES_MAX };
        let left = most.saturating_sub(self.text.len());
        self.text.push_str(&text[..text.floor_char_boundary(left)]);
        Ok(())
    }

    fn end(&mut self, line: u64) -> Result<(), ReturnError> {
        if self.unknown > 0 {
            self.unknown -= 1;
            return Ok(());
        }
        let Some(&node) = self.open.last() else { return Ok(()) };
        if let Some((meaning, rank)) = self.tree.node(node).says {
            if meaning == Field::NoteGroup.into() {
                self.end_note();
            } else if let Some(text) = text::text(self.text.as_bytes()) {
                let at = match meaning {
                    // Of rows it is enough which element it is.
                    Meaning::Cell(_) => ElementPath { node: number(node), positions: Vec::new() },
                    _ => self.at(),
                };
                self.put(meaning, Value { text, line, at, rank });
            }
        }
        self.open.pop();
        self.text.clear();
        match self.open.len() {
            0 => self.ended = true,
            // The form is known before the data, so that a return of another is not read through.
            1 if self.form.is_none() => self.form = Some(self.form_of_header(line)?),
            _ => {}
        }
        Ok(())
    }

    /// Where the innermost open element stands.
    fn at(&self) -> ElementPath {
        let position = |(depth, &node): (usize, &usize)| {
            let is_group = self.tree.node(node).says.is_some_and(|(meaning, _)| meaning.is_group());
            let position = self.positions[node];
            let position = (is_group || position > 1).then(|| u16::try_from(position).ok())??;
            Some((u8::try_from(depth).ok()?, position))
        };
        ElementPath {
            node: self.open.last().map(|node| number(*node)).unwrap_or_default(),
            positions: self.open.iter().enumerate().filter_map(position).collect(),
        }
    }

    fn put(&mut self, meaning: Meaning, value: Value) {
        match meaning {
            Meaning::Cell(_) => {
                if let Some(row) = self.rows.last_mut().filter(|_| self.rows_beyond == 0) {
                    row.values.put(meaning, value);
                }
            }
            Meaning::Program(part, line) if part != Part::Group => {
                self.put_program(line, part, value);
            }
            Meaning::Field(Field::NoteIdentifier | Field::NoteReference | Field::NoteText) => {
                self.note.put(meaning, value);
            }
            _ => self.values.put(meaning, value),
        }
    }

    /// The first programmes of Forms 990 and 990-PF stand in no group of their own.
    fn put_program(&mut self, line: Line, part: Part, value: Value) {
        let found = match line {
            Line::Next => self.programs.len().checked_sub(1),
            line => self.programs.iter().rposition(|listed| listed.line == line),
        };
        let place = found.unwrap_or_else(|| {
            self.programs.push(ProgramLine { line, values: Values::default() });
            self.programs.len() - 1
        });
        // The line is stored beside the values, so that a part is the same on every line.
        self.programs[place].values.put(Meaning::Program(part, Line::Next), value);
    }

    fn end_note(&mut self) {
        let note = std::mem::take(&mut self.note);
        let Some(form) = self.form else { return };
        let Some(Value { text, at, .. }) = note.value(Field::NoteText) else { return };
        let about = about(
            form,
            note.text(Field::NoteIdentifier).unwrap_or_default(),
            note.text(Field::NoteReference).unwrap_or_default(),
            text,
        );
        if let Some(about) = about
            && self.notes.len() < NOTES_MAX
        {
            self.notes.push(Note { about, text: text.clone(), at: at.clone() });
        }
    }

    fn form_of_header(&self, line: u64) -> Result<Form, ReturnError> {
        let value = self.values.value(Field::FormType);
        match value.map(|value| value.text.as_str()) {
            Some("990") => Ok(Form::Full),
            Some("990EZ") => Ok(Form::Short),
            Some("990PF") => Ok(Form::PrivateFoundation),
            Some("990T") => Err(self.unrelated_business(line)),
            other => Err(ReturnError::malformed(
                value.map_or(line, |value| value.line),
                "ReturnTypeCd",
                "a return of Form 990, 990-EZ or 990-PF",
                other.unwrap_or_default(),
            )),
        }
    }

    /// Form 990-T, of which only whose it is and of when is read.
    fn unrelated_business(&self, line: u64) -> ReturnError {
        let text = |field| self.values.text(field).unwrap_or_default();
        let period_end = Date::parse_yyyy_mm_dd(text(Field::PeriodEnd)).ok();
        let tax_period = period_end.and_then(|day| Month::new(day.year(), day.month()));
        let is_over = |end| period::is_over(end, |field| self.values.text(field));
        match (text(Field::Ein).parse(), tax_period) {
            _ if period_end.is_some_and(|end| !is_over(end)) => {
                let found = text(Field::PeriodEnd);
                ReturnError::malformed(line, "TaxPeriodEndDt", period::EXPECTED, found)
            }
            (Ok(ein), Some(tax_period)) => ReturnError::UnrelatedBusiness { ein, tax_period },
            (Err(_), _) => ReturnError::malformed(line, "EIN", "nine digits", text(Field::Ein)),
            (_, None) => {
                let found = text(Field::PeriodEnd);
                ReturnError::malformed(line, "TaxPeriodEndDt", "a day as YYYY-MM-DD", found)
            }
        }
    }

    fn finish(mut self, lines: u64) -> Result<ReturnValues, ReturnError> {
        let cut_off = |expected, found| Err(ReturnError::malformed(lines, "row", expected, found));
        if !self.ended {
            let begun = !self.open.is_empty();
            return cut_off("a whole return", if begun { "its beginning only" } else { "" });
        }
        let Some(form) = self.form.filter(|_| self.has_body) else {
            return cut_off("the data of the form that the header names", "none");
        };
        self.programs.sort_by_key(|listed| listed.line);
        self.programs.truncate(PROGRAMS_MAX);
        let Self { values, rows, rows_beyond, programs, notes, .. } = self;
        Ok(ReturnValues { form, values, rows, rows_beyond, programs, notes, lines })
    }
}

/// The number of an element in a path; the table has some hundred.
fn number(node: usize) -> u16 {
    u16::try_from(node).unwrap_or_default()
}

/// The character of a reference: a numbered one, or one of the five entities of XML itself.
fn resolve(reference: &BytesRef<'_>, line: u64) -> Result<char, ReturnError> {
    let entity = quick_xml::escape::resolve_xml_entity(reference.as_ref());
    let known = match entity.and_then(|text| text.chars().next()) {
        None => reference.resolve_char_ref().ok().flatten(),
        entity => entity,
    };
    known.ok_or_else(|| {
        let found: String = reference.chars().take(FOUND_CHARACTERS_MAX).collect();
        ReturnError::malformed(line, "row", "a character or an entity of XML itself", &found)
    })
}

/// Which subsection of 501(c) is ticked.
fn subsection_of(tag: &BytesStart<'_>) -> String {
    const NAMES: [&str; 2] = ["organization501cTypeTxt", "typeOf501cOrganization"];
    let mut attributes = tag.attributes().flatten();
    let found = attributes.find(|attribute| NAMES.contains(&attribute.key.as_ref()));
    found.map_or(String::new(), |found| found.value.chars().take(VALUE_BYTES_MAX / 4).collect())
}
