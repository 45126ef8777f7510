//! Bytes to records: lines split at pipes, or comma-separated records with quoted fields.
//!
//! Memory is one fixed buffer, whatever the input holds. A line number is that of the file, from
//! 1, also after quoted newlines. A quote that was never meant as one cannot swallow rows: a
//! record may span few lines only, and one that spans lines and has the wrong number of fields is
//! given up after its first line.

use std::io::{self, Read};
use std::ops::Range;

/// The longest line that is read; the longest of any IRS file is below 1,500 bytes.
pub(super) const LINE_BYTES_MAX: usize = 64 * 1024;

/// The most lines that one quoted record may span; no IRS file is known to need more than one.
const RECORD_LINES_MAX: usize = 8;

/// The buffer: larger than the longest record and the line after it, so that looking ahead always
/// finds room, and as large as a read that keeps a disk busy.
const BUFFER_BYTES: usize = (RECORD_LINES_MAX + 2) * LINE_BYTES_MAX;

/// What is kept of a line that is too long to read.
const EXCERPT_BYTES: usize = 480;

/// How fields are delimited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Commas; a field may stand in double quotes, and a quote within it is doubled.
    Commas,
    /// Pipes; there is no quoting.
    Pipes,
    /// Runs of blanks; no field is empty, and there is no quoting.
    Spaces,
}

impl Dialect {
    /// The byte between two fields.
    pub(super) fn separator(self) -> u8 {
        match self {
            Self::Commas => b',',
            Self::Pipes => b'|',
            Self::Spaces => b' ',
        }
    }
}

/// The fields of a record, as bytes, quotes removed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields<'a> {
    bytes: &'a [u8],
    /// Where each field ends; one byte stands between a field and the next.
    ends: &'a [usize],
}

impl<'a> Fields<'a> {
    /// The number of fields, at least 1.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// A field; empty past the last.
    pub(super) fn get(&self, index: usize) -> &'a [u8] {
        let Some(&end) = self.ends.get(index) else { return &[] };
        let start = if index == 0 { 0 } else { self.ends[index - 1] + 1 };
        &self.bytes[start..end]
    }

    /// Every field.
    pub(super) fn iter(self) -> impl Iterator<Item = &'a [u8]> {
        (0..self.len()).map(move |index| self.get(index))
    }
}

/// What stands at a place of the file.
#[derive(Debug, Clone, Copy)]
pub(super) enum Content<'a> {
    Fields(Fields<'a>),
    /// Longer than [`LINE_BYTES_MAX`].
    TooLong,
    /// A quoted field has no end.
    Unclosed,
}

/// A record and where it begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Record<'a> {
    pub(super) line: u64,
    pub(super) content: Content<'a>,
    /// The bytes as they stand, or the beginning of them.
    pub(super) raw: &'a [u8],
}

/// Reads records one after the other.
pub(super) struct Records<R> {
    input: R,
    dialect: Dialect,
    buffer: Box<[u8]>,
    /// The first byte not yet taken, and the end of what was read.
    start: usize,
    end: usize,
    /// Number of the line at `start`.
    line: u64,
    /// Bytes taken so far.
    position: u64,
    ended: bool,
    /// A record with its quotes removed.
    unquoted: Vec<u8>,
    ends: Vec<usize>,
    excerpt: Vec<u8>,
}

/// How far the next line reaches, its newline included.
enum LineEnd {
    Line(usize),
    TooLong,
    End,
}

impl<R: Read> Records<R> {
    pub(super) fn new(input: R, dialect: Dialect) -> Self {
        Self {
            input,
            dialect,
            buffer: vec![0; BUFFER_BYTES].into_boxed_slice(),
            start: 0,
            end: 0,
            line: 1,
            position: 0,
            ended: false,
            unquoted: Vec::new(),
            ends: Vec::new(),
            excerpt: Vec::new(),
        }
    }

    /// Bytes of the input that have been dealt with.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// The next record that is not blank; `None` at the end. `columns` is the number of fields
    /// that a good record has, once that is known.
    pub(super) fn next(&mut self, columns: Option<usize>) -> io::Result<Option<Record<'_>>> {
        loop {
            let line = self.line;
            let length = match self.reach(0)? {
                LineEnd::End => return Ok(None),
                LineEnd::TooLong => {
                    self.skip_long_line()?;
                    let (content, raw) = (Content::TooLong, self.excerpt.as_slice());
                    return Ok(Some(Record { line, content, raw }));
                }
                LineEnd::Line(length) => length,
            };
            let mut text = content_of(&self.buffer, self.start..self.start + length);
            if self.buffer[text.clone()].starts_with(BYTE_ORDER_MARK) {
                text.start += BYTE_ORDER_MARK.len();
            }
            if self.buffer[text.clone()].iter().all(u8::is_ascii_whitespace) {
                self.take(length, 1);
                continue;
            }
            let quoted = self.dialect == Dialect::Commas
                && memchr::memchr(b'"', &self.buffer[text.clone()]).is_some();
            if quoted {
                return self.quoted_record(line, text, length, columns).map(Some);
            }
            self.take(length, 1);
            let raw = &self.buffer[text];
            self.ends.clear();
            if self.dialect == Dialect::Spaces {
                self.unquoted.clear();
                for field in raw.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()) {
                    self.unquoted.extend_from_slice(field);
                    self.ends.push(self.unquoted.len());
                    self.unquoted.push(b' ');
                }
                let fields = Fields { bytes: &self.unquoted, ends: &self.ends };
                return Ok(Some(Record { line, content: Content::Fields(fields), raw }));
            }
            let separator = if self.dialect == Dialect::Commas { b',' } else { b'|' };
            self.ends.extend(memchr::memchr_iter(separator, raw));
            self.ends.push(raw.len());
            let content = Content::Fields(Fields { bytes: raw, ends: &self.ends });
            return Ok(Some(Record { line, content, raw }));
        }
    }

    /// A record whose first line (`first` within the buffer, `length` with its newline) has a
    /// quote in it.
    fn quoted_record(
        &mut self,
        line: u64,
        first: Range<usize>,
        length: usize,
        columns: Option<usize>,
    ) -> io::Result<Record<'_>> {
        // Filling the buffer may move what is in it; positions are kept relative to `start`.
        let (from, to) = (first.start - self.start, first.end - self.start);
        let (mut reach, mut lines) = (length, 1);
        let closed = loop {
            let text = content_of(&self.buffer, self.start + from..self.start + reach);
            let closed = unquote(&self.buffer[text], &mut self.unquoted, &mut self.ends);
            if closed || lines == RECORD_LINES_MAX {
                break closed;
            }
            match self.reach(reach)? {
                LineEnd::Line(more) => reach += more,
                LineEnd::TooLong | LineEnd::End => break false,
            }
            lines += 1;
        };
        let fits = lines == 1 || columns.is_none_or(|columns| columns == self.ends.len());
        let base = self.start;
        if closed && fits {
            self.take(reach, lines as u64);
            let raw = &self.buffer[content_of(&self.buffer, base + from..base + reach)];
            let fields = Fields { bytes: &self.unquoted, ends: &self.ends };
            return Ok(Record { line, content: Content::Fields(fields), raw });
        }
        self.take(length, 1);
        Ok(Record { line, content: Content::Unclosed, raw: &self.buffer[base + from..base + to] })
    }

    /// How far the line reaches that begins `offset` bytes after the position.
    fn reach(&mut self, offset: usize) -> io::Result<LineEnd> {
        let mut searched = offset;
        loop {
            let window = &self.buffer[self.start + searched..self.end];
            if let Some(at) = memchr::memchr(b'\n', window) {
                let length = searched + at + 1 - offset;
                let short = length <= LINE_BYTES_MAX;
                return Ok(if short { LineEnd::Line(length) } else { LineEnd::TooLong });
            }
            searched = self.end - self.start;
            if searched - offset > LINE_BYTES_MAX {
                return Ok(LineEnd::TooLong);
            }
            if self.ended {
                let length = searched - offset;
                return Ok(if length == 0 { LineEnd::End } else { LineEnd::Line(length) });
            }
            self.fill()?;
        }
    }

    fn take(&mut self, bytes: usize, lines: u64) {
        self.start += bytes;
        self.position += bytes as u64;
        self.line += lines;
    }

    fn skip_long_line(&mut self) -> io::Result<()> {
        let shown = (self.start + EXCERPT_BYTES).min(self.end);
        self.excerpt.clear();
        self.excerpt.extend_from_slice(&self.buffer[self.start..shown]);
        loop {
            if let Some(at) = memchr::memchr(b'\n', &self.buffer[self.start..self.end]) {
                self.take(at + 1, 1);
                return Ok(());
            }
            self.take(self.end - self.start, 0);
            if self.ended {
                return Ok(());
            }
            self.fill()?;
        }
    }

    fn fill(&mut self) -> io::Result<()> {
        if self.end == self.buffer.len() {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        loop {
            match self.input.read(&mut self.buffer[self.end..]) {
                Ok(read) => {
                    self.ended = read == 0;
                    self.end += read;
                    return Ok(());
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// Begins some files, and lines within files that were put together from such.
pub const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The range without its line ending.
fn content_of(buffer: &[u8], mut range: Range<usize>) -> Range<usize> {
    if buffer[range.clone()].ends_with(b"\n") {
        range.end -= 1;
    }
    while buffer[range.clone()].ends_with(b"\r") {
        range.end -= 1;
    }
    range
}

/// Splits at commas outside quotes. `false` when the last quoted field has no end.
fn unquote(bytes: &[u8], unquoted: &mut Vec<u8>, ends: &mut Vec<usize>) -> bool {
    unquoted.clear();
    ends.clear();
    let (mut at, mut within) = (0, false);
    let mut field_start = true;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'"' if within && bytes.get(at) == Some(&b'"') => {
                unquoted.push(b'"');
                at += 1;
            }
            b'"' if within => within = false,
            b'"' if field_start => within = true,
            b',' if !within => {
                ends.push(unquoted.len());
                unquoted.push(b',');
                field_start = true;
                continue;
            }
            _ => unquoted.push(byte),
        }
        field_start = false;
    }
    ends.push(unquoted.len());
    !within
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(input: &[u8], dialect: Dialect, columns: usize) -> Vec<String> {
        let mut records = Records::new(input, dialect);
        let mut found = Vec::new();
        while let Some(record) = records.next(Some(columns)).unwrap() {
            let content = match record.content {
                Content::Fields(fields) => fields
                    .iter()
                    .map(|field| String::from_utf8_lossy(field).into_owned())
                    .collect::<Vec<_>>()
                    .join("/"),
                Content::TooLong => "too long".into(),
                Content::Unclosed => "unclosed".into(),
            };
            found.push(format!("{}:{content}", record.line));
        }
        found
    }

    #[test]
    fn commas() {
        for (input, expected) in [
            ("", vec![]),
            ("a,b", vec!["1:a/b"]),
            ("a,b\r\nc,d\r\n", vec!["1:a/b", "2:c/d"]),
            ("\u{feff}a,\n\n \r\n,b\n", vec!["1:a/", "4:/b"]),
            ("\"a,\"\"b\"\"\",c\nd,e", vec!["1:a,\"b\"/c", "2:d/e"]),
            ("\"a\r\nb\",c\r\nd,e\r\n", vec!["1:a\r\nb/c", "3:d/e"]),
            ("a \"b\" c,d\n", vec!["1:a \"b\" c/d"]),
            ("\"a,b\nc,d\ne,f", vec!["1:unclosed", "2:c/d", "3:e/f"]),
            // A stray quote that a later one closes gives the rows between back.
            ("\"a,b\nc,d\nx\",y,z\n", vec!["1:unclosed", "2:c/d", "3:x\"/y/z"]),
            ("\"\",\"\"", vec!["1:/"]),
        ] {
            assert_eq!(all(input.as_bytes(), Dialect::Commas, 2), expected, "{input:?}");
        }
    }

    #[test]
    fn pipes_know_no_quotes() {
        let input = b"\n\"a|b\r\n\r\nc|\"\n|";
        assert_eq!(all(input, Dialect::Pipes, 2), ["2:\"a/b", "4:c/\"", "5:/"]);
    }

    #[test]
    fn long_lines_are_passed_over() {
        let long = vec![b'x'; BUFFER_BYTES * 2 + 3];
        let just = vec![b'y'; LINE_BYTES_MAX - 1];
        let input = [b"a|b\n", long.as_slice(), b"\n", &just, b"\nc|d\n", &long].concat();
        let found = all(&input, Dialect::Pipes, 2);
        assert_eq!(found.len(), 5);
        assert_eq!([&found[1], &found[3], &found[4]], ["2:too long", "4:c/d", "5:too long"]);
    }

    #[test]
    fn any_read_size_gives_the_same_records() {
        struct Trickle<'a>(&'a [u8], usize);
        impl Read for Trickle<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let length = self.1.min(self.0.len()).min(buffer.len());
                buffer[..length].copy_from_slice(&self.0[..length]);
                self.0 = &self.0[length..];
                Ok(length)
            }
        }
        let row = "\"a\n,\"\"\",b\r\nccc,dddd\n";
        let input = row.repeat(BUFFER_BYTES / row.len() * 2);
        for step in [7, 4_096, usize::MAX] {
            let mut records = Records::new(Trickle(input.as_bytes(), step), Dialect::Commas);
            let (mut count, mut last) = (0_usize, 0);
            while let Some(record) = records.next(Some(2)).unwrap() {
                assert!(matches!(record.content, Content::Fields(fields) if fields.len() == 2));
                (count, last) = (count + 1, record.line as usize);
            }
            assert_eq!((count, last), (BUFFER_BYTES / row.len() * 4, count / 2 * 3), "{step}");
        }
    }
}
