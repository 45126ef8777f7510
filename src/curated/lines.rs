//! Newline-delimited JSON: lines to records or rejects, in constant memory.

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Read};

use serde_json::{Map, Value};

use super::object::{Object, Wrong};
use super::{Counts, Event, PROGRESS_BYTES, ReadError, RecordError, kinds};

/// The longest line that is read: several times the longest record of use.
const LINE_BYTES_MAX: usize = 1 << 20;

/// How much is read at once.
const BUFFER_BYTES: usize = 64 << 10;

/// Reads lines to the end, in constant memory, and calls `on` for everything found. Blank lines are
/// skipped. An error of `on` stops the reading and is returned.
pub fn read_lines<E: From<ReadError>>(
    input: impl Read,
    on: &mut dyn FnMut(Event) -> Result<(), E>,
) -> Result<Counts, E> {
    let mut lines = LineReader {
        input: BufReader::with_capacity(BUFFER_BYTES, input),
        line: Vec::new(),
        bytes: 0,
    };
    let mut counts = Counts::default();
    let (mut number, mut reported) = (0, 0);
    while let Some(length) = lines.next().map_err(ReadError::Io)? {
        number += 1;
        let bytes = match (number, lines.line.as_slice()) {
            (1, [0xEF, 0xBB, 0xBF, rest @ ..]) => rest,
            (_, line) => line,
        };
        let bytes = bytes.trim_ascii();
        if !bytes.is_empty() || length == Length::TooLong {
            match read(bytes, length) {
                Ok((item, keys)) => {
                    counts.items += 1;
                    on(Event::Item { line: number, item })?;
                    keys.into_iter().try_for_each(|key| on(Event::Warning { key }))?;
                }
                Err(Wrong { field, expected, found }) => {
                    counts.rejects += 1;
                    on(Event::Reject(RecordError { line: number, field, expected, found }))?;
                }
            }
        }
        if lines.bytes - reported >= PROGRESS_BYTES {
            reported = lines.bytes;
            on(Event::Progress { bytes: reported })?;
        }
    }
    counts.bytes = lines.bytes;
    on(Event::Progress { bytes: lines.bytes })?;
    Ok(counts)
}

/// Reads one line: the record, and the keys that are not known.
fn read(bytes: &[u8], length: Length) -> Result<(super::Item, Vec<String>), Wrong> {
    let line = |expected| Wrong::new("line", expected, &start(bytes));
    if length == Length::TooLong {
        return Err(line("a line of at most 1 MiB"));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| line("UTF-8"))?;
    if !text.starts_with('{') {
        return Err(line("a JSON object in one line"));
    }
    let map: Map<String, Value> = serde_json::from_str(text).map_err(|error| {
        let column = error.column();
        let expected = format!("a JSON object in one line; what is wrong is at column {column}");
        Wrong { expected: Cow::Owned(expected), ..line("") }
    })?;
    let mut object = Object::new(map);
    let item = kinds::item(&mut object)?;
    Ok((item, object.rest().collect()))
}

/// The beginning of a line, which may be long and need not be text.
fn start(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(&bytes[..bytes.len().min(super::EXCERPT_CHARACTERS_MAX * 4)])
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Length {
    Whole,
    /// Only the beginning of the line is at hand.
    TooLong,
}

struct LineReader<R> {
    input: BufReader<R>,
    /// The line, or the beginning of one that is too long.
    line: Vec<u8>,
    /// How many bytes have been read.
    bytes: u64,
}

impl<R: Read> LineReader<R> {
    /// The next line goes into `line`; `None` at the end.
    fn next(&mut self) -> io::Result<Option<Length>> {
        self.line.clear();
        let mut length = Length::Whole;
        let mut any = false;
        loop {
            let buffer = match self.input.fill_buf() {
                Ok([]) => return Ok(any.then_some(length)),
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            any = true;
            let end = memchr::memchr(b'\n', buffer);
            let content = &buffer[..end.unwrap_or(buffer.len())];
            let room = LINE_BYTES_MAX - self.line.len();
            if content.len() > room {
                length = Length::TooLong;
            }
            self.line.extend_from_slice(&content[..content.len().min(room)]);
            let read = content.len() + usize::from(end.is_some());
            self.input.consume(read);
            self.bytes += read as u64;
            if end.is_some() {
                return Ok(Some(length));
            }
        }
    }
}
