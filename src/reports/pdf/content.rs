//! The content of pages (ISO 32000-1, 7.8 and 9.4): which texts stand where.
//!
//! Of all that a page draws, only texts and the fact that there are pictures count. Text that runs upwards or stands on
//! its head is left out: it is in margins and in charts.

use std::collections::HashMap;
use std::rc::Rc;

use super::super::ReportError;
use super::super::budget::Budget;
use super::file::{File, PageObject};
use super::font::Font;
use super::object::{Dict, Lexer, Object, is_blank};
use super::segment::{Letter, Segment, Writer};

/// Forms within forms.
const FORMS_DEEP_MAX: usize = 8;

/// Operands of an operator; colours have some thirty at most.
const OPERANDS_MAX: usize = 64;

/// Graphics states that are kept.
const STATES_MAX: usize = 256;

/// Fonts that are kept from page to page.
const FONTS_MAX: usize = 64;

type Matrix = [f64; 6];

const IDENTITY: Matrix = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0];

/// What a page shows.
#[derive(Debug, Default)]
pub(super) struct PageText {
    pub(super) segments: Vec<Segment>,
    /// Letters that were decoded, and codes that their fonts have no letter for.
    pub(super) letters: usize,
    pub(super) unknown: usize,
    pub(super) pictures: usize,
    pub(super) is_damaged: bool,
}

/// Reads pages one after the other.
pub(super) struct Contents<'f, 'a> {
    file: &'f File<'a>,
    fonts: HashMap<u32, Rc<Font>>,
}

impl<'f, 'a> Contents<'f, 'a> {
    pub(super) fn new(file: &'f File<'a>) -> Self {
        Self { file, fonts: HashMap::new() }
    }

    /// What a page shows.
    pub(super) fn page(
        &mut self,
        page: &PageObject,
        budget: &mut Budget,
    ) -> Result<PageText, ReportError> {
        let mut found = PageText::default();
        let mut bytes = Vec::new();
        let contents = page.dict.get("Contents").cloned().unwrap_or_default();
        let streams = match self.file.resolve(&contents, budget)? {
            Object::Array(streams) => streams,
            _ => vec![contents],
        };
        for stream in &streams {
            let Some(stream) = self.file.stream(stream, budget)? else { continue };
            match self.file.unpack(&stream, budget)? {
                Some(unpacked) => {
                    bytes.extend_from_slice(&unpacked);
                    bytes.push(b'\n');
                }
                None => found.is_damaged = true,
            }
        }
        let ctm = match page.rotate {
            90 => [0.0, -1.0, 1.0, 0.0, 0.0, 0.0],
            180 => [-1.0, 0.0, 0.0, -1.0, 0.0, 0.0],
            270 => [0.0, 1.0, -1.0, 0.0, 0.0, 0.0],
            _ => IDENTITY,
        };
        let mut run = Run {
            contents: self,
            found: &mut found,
            writer: Writer::default(),
            state: State { ctm, ..State::default() },
            states: Vec::new(),
            beyond: 0,
        };
        run.content(&bytes, &page.resources, FORMS_DEEP_MAX, budget)?;
        let writer = std::mem::take(&mut run.writer);
        found.segments = writer.finish();
        Ok(found)
    }

    /// The font of a name among resources.
    fn font(
        &mut self,
        name: &[u8],
        resources: &Dict,
        budget: &mut Budget,
    ) -> Result<Option<Rc<Font>>, ReportError> {
        let fonts = self.file.dict(resources, "Font", budget)?;
        let Some(found) = fonts.get(&String::from_utf8_lossy(name)) else { return Ok(None) };
        if let Object::Reference(number) = found
            && let Some(font) = self.fonts.get(number)
        {
            return Ok(Some(font.clone()));
        }
        let Object::Dict(dict) = self.file.resolve(found, budget)? else { return Ok(None) };
        let font = Rc::new(Font::read(self.file, &dict, budget)?);
        if let Object::Reference(number) = found {
            if self.fonts.len() >= FONTS_MAX {
                self.fonts.clear();
            }
            self.fonts.insert(*number, font.clone());
        }
        Ok(Some(font))
    }
}

/// What operators change and `q` keeps.
#[derive(Debug, Clone)]
struct State {
    ctm: Matrix,
    text: Matrix,
    line: Matrix,
    font: Option<Rc<Font>>,
    size: f64,
    letter_spacing: f64,
    word_spacing: f64,
    /// Of the width of letters; 1 as they are.
    stretch: f64,
    leading: f64,
    rise: f64,
}

impl Default for State {
    fn default() -> Self {
        Self {
            ctm: IDENTITY,
            text: IDENTITY,
            line: IDENTITY,
            font: None,
            size: 0.0,
            letter_spacing: 0.0,
            word_spacing: 0.0,
            stretch: 1.0,
            leading: 0.0,
            rise: 0.0,
        }
    }
}

impl State {
    fn next_line(&mut self, right: f64, down: f64) {
        self.line = product([1.0, 0.0, 0.0, 1.0, right, down], self.line);
        self.text = self.line;
    }

    fn advance(&mut self, right: f64) {
        self.text = product([1.0, 0.0, 0.0, 1.0, right, 0.0], self.text);
    }
}

/// A content stream that is being run.
struct Run<'r, 'f, 'a> {
    contents: &'r mut Contents<'f, 'a>,
    found: &'r mut PageText,
    writer: Writer,
    state: State,
    states: Vec<State>,
    /// States that were to be kept beyond the most there may be.
    beyond: usize,
}

impl Run<'_, '_, '_> {
    fn content(
        &mut self,
        bytes: &[u8],
        resources: &Dict,
        forms: usize,
        budget: &mut Budget,
    ) -> Result<(), ReportError> {
        let mut lexer = Lexer::new(bytes, 0);
        let mut operands: Vec<Object> = Vec::new();
        loop {
            let before = lexer.at;
            let Some(object) = lexer.next() else { return Ok(()) };
            budget.spend(lexer.at - before)?;
            let Object::Keyword(operator) = object else {
                if operands.len() < OPERANDS_MAX {
                    operands.push(object);
                }
                continue;
            };
            match operator.as_slice() {
                b"ID" => {
                    self.found.pictures += 1;
                    lexer.at = behind_inline_picture(bytes, lexer.at);
                }
                b"Do" => self.draw(&operands, resources, forms, budget)?,
                b"Tf" => self.select_font(&operands, resources, budget)?,
                operator => self.operate(operator, &operands, budget)?,
            }
            operands.clear();
        }
    }

    fn operate(
        &mut self,
        operator: &[u8],
        operands: &[Object],
        budget: &mut Budget,
    ) -> Result<(), ReportError> {
        let number = |at: usize| operands.get(at).and_then(Object::number).unwrap_or_default();
        let matrix = || std::array::from_fn(number);
        let text = |at: usize| operands.get(at).and_then(Object::text).unwrap_or_default();
        let state = &mut self.state;
        match operator {
            b"q" if self.states.len() < STATES_MAX => self.states.push(state.clone()),
            b"q" => self.beyond += 1,
            b"Q" if self.beyond > 0 => self.beyond -= 1,
            b"Q" => *state = self.states.pop().unwrap_or_else(|| state.clone()),
            b"cm" => state.ctm = product(matrix(), state.ctm),
            b"BT" => (state.text, state.line) = (IDENTITY, IDENTITY),
            b"Tm" => (state.text, state.line) = (matrix(), matrix()),
            b"Td" => state.next_line(number(0), number(1)),
            b"TD" => {
                state.leading = -number(1);
                state.next_line(number(0), number(1));
            }
            b"T*" => state.next_line(0.0, -state.leading),
            b"Tc" => state.letter_spacing = number(0),
            b"Tw" => state.word_spacing = number(0),
            b"Tz" => state.stretch = number(0) / 100.0,
            b"TL" => state.leading = number(0),
            b"Ts" => state.rise = number(0),
            b"Tj" => self.show(text(0), budget)?,
            b"'" => {
                state.next_line(0.0, -state.leading);
                self.show(text(0), budget)?;
            }
            b"\"" => {
                (state.word_spacing, state.letter_spacing) = (number(0), number(1));
                state.next_line(0.0, -state.leading);
                self.show(text(2), budget)?;
            }
            b"TJ" => {
                for part in operands.first().and_then(Object::array).unwrap_or_default() {
                    match part {
                        Object::Text(text) => self.show(text, budget)?,
                        Object::Number(back) => {
                            let state = &mut self.state;
                            state.advance(-back / 1000.0 * state.size * state.stretch);
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn select_font(
        &mut self,
        operands: &[Object],
        resources: &Dict,
        budget: &mut Budget,
    ) -> Result<(), ReportError> {
        let [Object::Name(name), Object::Number(size), ..] = operands else { return Ok(()) };
        self.state.font = self.contents.font(name, resources, budget)?;
        self.state.size = *size;
        Ok(())
    }

    /// Draws a form or a picture.
    fn draw(
        &mut self,
        operands: &[Object],
        resources: &Dict,
        forms: usize,
        budget: &mut Budget,
    ) -> Result<(), ReportError> {
        let Some(name) = operands.first().and_then(Object::name) else { return Ok(()) };
        let file = self.contents.file;
        let named = file.dict(resources, "XObject", budget)?;
        let Some(object) = named.get(&String::from_utf8_lossy(name)) else { return Ok(()) };
        let Some(stream) = file.stream(object, budget)? else { return Ok(()) };
        if stream.dict.is_of("Subtype", "Image") {
            self.found.pictures += 1;
        }
        if !stream.dict.is_of("Subtype", "Form") || forms == 0 {
            return Ok(());
        }
        let Some(bytes) = file.unpack(&stream, budget)? else { return Ok(()) };
        let matrix = file.value(&stream.dict, "Matrix", budget)?;
        let own = match file.value(&stream.dict, "Resources", budget)? {
            Object::Dict(own) => Some(own),
            _ => None,
        };
        let (outer, states) = (self.state.clone(), std::mem::take(&mut self.states));
        if let Some([a, b, c, d, e, f]) = matrix.array() {
            let matrix = [a, b, c, d, e, f].map(|value| value.number().unwrap_or_default());
            self.state.ctm = product(matrix, self.state.ctm);
        }
        self.content(&bytes, own.as_ref().unwrap_or(resources), forms - 1, budget)?;
        (self.state, self.states) = (outer, states);
        Ok(())
    }

    fn show(&mut self, text: &[u8], budget: &mut Budget) -> Result<(), ReportError> {
        let Some(font) = self.state.font.clone() else { return Ok(()) };
        for code in font.codes(text) {
            budget.spend(1)?;
            let state = &self.state;
            let letter = [state.size * state.stretch, 0.0, 0.0, state.size, 0.0, state.rise];
            let matrix = product(product(letter, state.text), state.ctm);
            let width = f64::from(code.width) / 1000.0;
            let word_spacing = if code.is_blank { state.word_spacing } else { 0.0 };
            let spaced = width * state.size + state.letter_spacing + word_spacing;
            match code.text {
                Some(text) => {
                    budget.write(text.len())?;
                    self.found.letters += 1;
                    // What spaces letters out is no blank between words.
                    let width = spaced / state.size;
                    self.writer.letter(Letter { text, matrix, width, is_bold: font.is_bold });
                }
                None => self.found.unknown += 1,
            }
            let advance = spaced * state.stretch;
            self.state.advance(advance);
        }
        Ok(())
    }
}

/// First one matrix, then the other.
fn product(one: Matrix, other: Matrix) -> Matrix {
    let [a, b, c, d, e, f] = one;
    let [g, h, i, j, k, l] = other;
    [
        a * g + b * i,
        a * h + b * j,
        c * g + d * i,
        c * h + d * j,
        e * g + f * i + k,
        e * h + f * j + l,
    ]
}

/// The end of an inline picture: after the next `EI` between blanks.
fn behind_inline_picture(bytes: &[u8], from: usize) -> usize {
    let found = memchr::memmem::find_iter(&bytes[from..], b"EI").map(|at| from + at).find(|at| {
        let before = at.checked_sub(1).is_some_and(|before| is_blank(bytes[before]));
        before && bytes.get(at + 2).is_none_or(|after| is_blank(*after))
    });
    found.map_or(bytes.len(), |at| at + 2)
}
