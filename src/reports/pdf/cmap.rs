//! The tables by which composite fonts, and many simple ones, say what their codes show (ISO 32000-1, 9.10.3).

use std::collections::HashMap;

use super::super::ReportError;
use super::super::budget::Budget;
use super::object::{Lexer, Object};

/// Codes that a table may map: all that two bytes can tell.
const CODES_MAX: usize = 1 << 16;

/// Characters that one code may show.
const CHARACTERS_MAX: usize = 16;

/// What codes show.
#[derive(Debug, Default)]
pub(super) struct ToUnicode {
    texts: HashMap<u32, String>,
}

impl ToUnicode {
    /// Reads a table; what of it is malformed is left out.
    pub(super) fn parse(bytes: &[u8], budget: &mut Budget) -> Result<Self, ReportError> {
        let mut table = Self::default();
        let mut lexer = Lexer::new(bytes, 0);
        let mut operands: Vec<Object> = Vec::new();
        while let Some(object) = lexer.next() {
            budget.spend(1)?;
            let Object::Keyword(word) = object else {
                if operands.len() < 3 * CODES_MAX {
                    operands.push(object);
                }
                continue;
            };
            match word.as_slice() {
                b"endbfchar" => operands.chunks(2).for_each(|pair| table.char(pair)),
                b"endbfrange" => operands.chunks(3).for_each(|range| table.range(range)),
                _ => {}
            }
            budget.spend(operands.len())?;
            operands.clear();
        }
        budget.spend(table.texts.len())?;
        Ok(table)
    }

    pub(super) fn text(&self, code: u32) -> Option<&str> {
        self.texts.get(&code).map(String::as_str)
    }

    fn char(&mut self, pair: &[Object]) {
        if let [from, to] = pair
            && let (Some(code), Some(text)) = (code_of(from), to.text().map(text_of))
        {
            self.put(code, text);
        }
    }

    fn range(&mut self, range: &[Object]) {
        let [first, last, to] = range else { return };
        let (Some(first), Some(last)) = (code_of(first), code_of(last)) else { return };
        let codes = (first..=last).take(CODES_MAX);
        match to {
            Object::Array(texts) => {
                for (code, text) in codes.zip(texts) {
                    self.put(code, text.text().map(text_of).unwrap_or_default());
                }
            }
            Object::Text(start) => {
                let start = text_of(start);
                let Some(last) = start.chars().next_back() else { return };
                let before = &start[..start.len() - last.len_utf8()];
                for (offset, code) in (0..).zip(codes) {
                    let Some(next) = char::from_u32(u32::from(last) + offset) else { break };
                    self.put(code, format!("{before}{next}"));
                    if self.texts.len() >= CODES_MAX {
                        break;
                    }
                }
            }
            _ => {}
        }
    }

    fn put(&mut self, code: u32, text: String) {
        if self.texts.len() < CODES_MAX && !text.is_empty() {
            self.texts.insert(code, text);
        }
    }
}

/// A code of one to four bytes.
fn code_of(object: &Object) -> Option<u32> {
    let bytes = object.text().filter(|bytes| (1..=4).contains(&bytes.len()))?;
    Some(bytes.iter().fold(0, |code, byte| code << 8 | u32::from(*byte)))
}

/// Text in UTF-16.
fn text_of(bytes: &[u8]) -> String {
    let units = bytes.chunks(2).map(|pair| match pair {
        [high, low] => u16::from_be_bytes([*high, *low]),
        pair => u16::from(pair[0]),
    });
    let decoded = char::decode_utf16(units.take(CHARACTERS_MAX));
    decoded.filter_map(Result::ok).filter(|c| *c != '\0').collect()
}
