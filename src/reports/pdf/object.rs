//! The syntax of PDF (ISO 32000-1, 7.2 and 7.3): objects and operators out of bytes.
//!
//! Malformed objects are read as null and skipped, as in viewers. How deep arrays and dictionaries nest is
//! bounded.

/// The deepest nesting of arrays and dictionaries.
const DEPTH_MAX: usize = 32;

/// Values that arrays and dictionaries may have together, those in them included; further ones are left out. The
/// widths of the widest fonts take as many.
const VALUES_MAX: usize = 1 << 18;

/// A value. Streams are found by `file`.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) enum Object {
    #[default]
    Null,
    Bool(bool),
    Number(f64),
    Name(Vec<u8>),
    Text(Vec<u8>),
    Array(Vec<Object>),
    Dict(Dict),
    /// Number of an indirect object.
    Reference(u32),
    /// A word that is none of these: an operator of a content stream, or `stream`, `endobj`.
    Keyword(Vec<u8>),
}

/// A dictionary, in the order of the file.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Dict(Vec<(Vec<u8>, Object)>);

impl Dict {
    pub(super) fn get(&self, key: &str) -> Option<&Object> {
        self.0.iter().find(|(name, _)| name == key.as_bytes()).map(|(_, value)| value)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn set(&mut self, key: &str, value: Object) {
        self.0.push((key.as_bytes().to_vec(), value));
    }

    pub(super) fn is_of(&self, key: &str, name: &str) -> bool {
        self.get(key).and_then(Object::name) == Some(name.as_bytes())
    }
}

impl Object {
    pub(super) fn number(&self) -> Option<f64> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }

    /// A whole number that is not negative.
    pub(super) fn count(&self) -> Option<usize> {
        let number = self.number().filter(|number| *number >= 0.0 && number.fract() == 0.0)?;
        (number < 4_294_967_296.0).then_some(number as usize)
    }

    pub(super) fn name(&self) -> Option<&[u8]> {
        if let Self::Name(name) = self { Some(name) } else { None }
    }

    pub(super) fn text(&self) -> Option<&[u8]> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    pub(super) fn array(&self) -> Option<&[Object]> {
        if let Self::Array(array) = self { Some(array) } else { None }
    }

    pub(super) fn dict(&self) -> Option<&Dict> {
        if let Self::Dict(dict) = self { Some(dict) } else { None }
    }

    /// Steps that a copy of it takes.
    pub(super) fn weight(&self) -> usize {
        const STEPS: usize = 8;
        match self {
            Self::Array(values) => STEPS + values.iter().map(Self::weight).sum::<usize>(),
            Self::Dict(Dict(entries)) => {
                entries.iter().map(|(_, value)| STEPS + value.weight()).sum::<usize>() + STEPS
            }
            Self::Name(bytes) | Self::Text(bytes) | Self::Keyword(bytes) => STEPS + bytes.len(),
            _ => 1,
        }
    }

    fn is_keyword(&self, word: &[u8]) -> bool {
        matches!(self, Self::Keyword(found) if found == word)
    }
}

/// Reads objects out of bytes, from a position on.
#[derive(Debug, Clone)]
pub(super) struct Lexer<'a> {
    bytes: &'a [u8],
    pub(super) at: usize,
    /// Values that may still be kept of the object that is read.
    room: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at: at.min(bytes.len()), room: VALUES_MAX }
    }

    /// The next object, operators included; `None` at the end.
    pub(super) fn next(&mut self) -> Option<Object> {
        self.room = VALUES_MAX;
        self.object(DEPTH_MAX)
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Goes to what follows blanks and comments.
    pub(super) fn skip_blanks(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b'%' => {
                    let rest = &self.bytes[self.at..];
                    let end = rest.iter().position(|byte| matches!(byte, b'\r' | b'\n'));
                    self.at += end.unwrap_or(rest.len());
                }
                byte if is_blank(byte) => self.at += 1,
                _ => return,
            }
        }
    }

    fn object(&mut self, depth: usize) -> Option<Object> {
        self.skip_blanks();
        let first = self.peek()?;
        let second = self.bytes.get(self.at + 1).copied();
        Some(match (first, second) {
            (b'/', _) => {
                self.at += 1;
                Object::Name(self.name())
            }
            (b'(', _) => Object::Text(self.literal()),
            (b'<', Some(b'<')) => {
                self.at += 2;
                self.dict(depth)
            }
            (b'<', _) => Object::Text(self.hexadecimal()),
            (b'[', _) => {
                self.at += 1;
                self.array(depth)
            }
            (b'>', Some(b'>')) => {
                self.at += 2;
                Object::Keyword(b">>".to_vec())
            }
            (b']' | b'>' | b')' | b'{' | b'}', _) => {
                self.at += 1;
                Object::Keyword(vec![first])
            }
            (b'0'..=b'9' | b'+' | b'-' | b'.', _) => self.number(),
            _ => self.word(),
        })
    }

    /// Values up to the end of an array or a dictionary. Too deep, they are passed over.
    fn values(&mut self, depth: usize, end: &[u8]) -> Vec<Object> {
        let mut values = Vec::new();
        loop {
            let before = self.at;
            let Some(value) = self.object(depth.saturating_sub(1)) else { return values };
            match value {
                value if value.is_keyword(end) => return values,
                // What cannot stand in here belongs behind it.
                value if value.is_keyword(b"endobj") || value.is_keyword(b"stream") => {
                    self.at = before;
                    return values;
                }
                Object::Keyword(word) if word == b"R" => {
                    let generation = values.pop();
                    let number = values.pop().and_then(|number| number.count());
                    let number =
                        number.filter(|_| generation.is_some_and(|one| one.count().is_some()));
                    let number = number.and_then(|number| u32::try_from(number).ok());
                    values.push(number.map_or(Object::Null, Object::Reference));
                }
                Object::Keyword(word) if word == b"null" => values.push(Object::Null),
                Object::Keyword(_) => {}
                value if self.room > 0 => {
                    self.room -= 1;
                    values.push(value);
                }
                _ => {}
            }
        }
    }

    fn array(&mut self, depth: usize) -> Object {
        if depth == 0 {
            return Object::Null;
        }
        Object::Array(self.values(depth, b"]"))
    }

    fn dict(&mut self, depth: usize) -> Object {
        if depth == 0 {
            return Object::Null;
        }
        let mut entries = Vec::new();
        let mut values = self.values(depth, b">>").into_iter().peekable();
        while let Some(key) = values.next() {
            let Object::Name(key) = key else { continue };
            entries.push((key, values.next().unwrap_or_default()));
        }
        Object::Dict(Dict(entries))
    }

    fn name(&mut self) -> Vec<u8> {
        let mut name = Vec::new();
        while let Some(byte) = self.peek().filter(|byte| is_regular(*byte)) {
            self.at += 1;
            let escaped = (byte == b'#').then(|| {
                let digits = self.bytes.get(self.at..self.at + 2)?;
                Some(hex_digit(digits[0])? << 4 | hex_digit(digits[1])?)
            });
            match escaped.flatten() {
                Some(escaped) => {
                    self.at += 2;
                    name.push(escaped);
                }
                None => name.push(byte),
            }
        }
        name
    }

    fn number(&mut self) -> Object {
        let start = self.at;
        while self.peek().is_some_and(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.')) {
            self.at += 1;
        }
        let written = std::str::from_utf8(&self.bytes[start..self.at]).unwrap_or_default();
        // Some programs write two signs, or a sign in the middle.
        let body = written.trim_start_matches(['+', '-']);
        let body = body.split(['+', '-']).next().unwrap_or_default();
        let number: f64 = body.parse().unwrap_or_default();
        Object::Number(if written.starts_with('-') { 0.0 - number } else { number })
    }

    fn word(&mut self) -> Object {
        let start = self.at;
        while self.peek().is_some_and(is_regular) {
            self.at += 1;
        }
        match &self.bytes[start..self.at] {
            b"true" => Object::Bool(true),
            b"false" => Object::Bool(false),
            word => Object::Keyword(word.to_vec()),
        }
    }

    /// A string in parentheses.
    fn literal(&mut self) -> Vec<u8> {
        let mut text = Vec::new();
        let mut open = 0_usize;
        while let Some(byte) = self.peek() {
            self.at += 1;
            match byte {
                b'(' => {
                    open += 1;
                    if open > 1 {
                        text.push(byte);
                    }
                }
                b')' => {
                    open -= 1;
                    if open == 0 {
                        break;
                    }
                    text.push(byte);
                }
                b'\\' => self.escape(&mut text),
                byte => text.push(byte),
            }
        }
        text
    }

    fn escape(&mut self, text: &mut Vec<u8>) {
        let Some(byte) = self.peek() else { return };
        self.at += 1;
        match byte {
            b'n' => text.push(b'\n'),
            b'r' => text.push(b'\r'),
            b't' => text.push(b'\t'),
            b'b' => text.push(8),
            b'f' => text.push(12),
            b'\r' => self.at += usize::from(self.peek() == Some(b'\n')),
            b'\n' => {}
            b'0'..=b'7' => {
                let mut value = u32::from(byte - b'0');
                for _ in 0..2 {
                    let Some(digit @ b'0'..=b'7') = self.peek() else { break };
                    self.at += 1;
                    value = value * 8 + u32::from(digit - b'0');
                }
                text.push(value as u8);
            }
            byte => text.push(byte),
        }
    }

    fn hexadecimal(&mut self) -> Vec<u8> {
        self.at += 1;
        let mut digits = Vec::new();
        while let Some(byte) = self.peek() {
            self.at += 1;
            if byte == b'>' {
                break;
            }
            digits.extend(hex_digit(byte));
        }
        digits
            .chunks(2)
            .map(|pair| pair[0] << 4 | pair.get(1).copied().unwrap_or_default())
            .collect()
    }
}

pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b'\0' | b'\t' | b'\n' | b'\x0c' | b'\r' | b' ')
}

/// Whether a byte may stand in a name or a word.
fn is_regular(byte: u8) -> bool {
    let is_delimiter =
        matches!(byte, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%');
    !is_delimiter && !is_blank(byte)
}

pub(super) fn hex_digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|digit| digit as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Vec<Object> {
        let mut lexer = Lexer::new(bytes, 0);
        std::iter::from_fn(|| lexer.next()).collect()
    }

    #[test]
    fn objects() {
        let name = |name: &str| Object::Name(name.into());
        let text = |text: &str| Object::Text(text.into());
        let word = |word: &str| Object::Keyword(word.into());
        assert_eq!(
            all(b"/A#20b (a\\(b(c)\\051\\n) <414> %c\n-1.5"),
            [name("A b"), text("a(b(c))\n"), text("A@"), Object::Number(-1.5)]
        );
        assert_eq!(
            all(b"[1 2 0 R null(x)]TJ"),
            [
                Object::Array(vec![
                    Object::Number(1.0),
                    Object::Reference(2),
                    Object::Null,
                    text("x")
                ]),
                word("TJ")
            ]
        );
        let [Object::Dict(dict)] = &all(b"<</Type/Page/N 3/K<</A 1>> >>")[..] else { panic!() };
        assert!(dict.is_of("Type", "Page"));
        assert_eq!(dict.get("N").and_then(Object::count), Some(3));
        assert!(dict.get("K").and_then(Object::dict).is_some());
        // Whatever is not closed ends with the bytes.
        for open in ["(", "<", "[", "<<", "[[[[", "/", "<</A", "(\\"] {
            assert_eq!(all(open.as_bytes()).len(), 1, "{open}");
        }
        assert_eq!(all(&b"[".repeat(100_000)).len(), 1);
        assert_eq!(all(b"--5 5-3 -"), [-5.0, 5.0, 0.0].map(Object::Number));
    }
}
