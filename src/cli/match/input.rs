//! The bytes of a list to rows of texts: UTF-8, UTF-16 or Windows-1252, split at commas, semicolons,
//! tabs or bars, whichever the first row has. Of a workbook one sheet is the list.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context as _, bail};
use encoding_rs::{CoderResult, Decoder, Encoding, UTF_8, UTF_16BE, UTF_16LE};

use super::columns::quoted;
use crate::sources::Sheets;
use crate::text::decode;

/// Bytes that are looked at to recognise encoding and separator.
const SNIFFED_BYTES: usize = 64 * 1024;
/// Sheets that are looked through for a list.
const SHEETS_MAX: usize = 200;
/// Bytes that one row may have: more than that is a quote left open, and would fill the memory.
const ROW_BYTES_MAX: u64 = 64 << 20;
/// Bytes of a character in UTF-8.
const CHARACTER_BYTES_MAX: usize = 4;
/// What separates fields, the usual one first.
const SEPARATORS: [u8; 4] = *b",;\t|";

/// Rows among which the headings are looked for: titles and dates stand above them.
const ROWS_ABOVE_MAX: usize = 20;
/// What a first line begins with that names the separator of the lines below it, for Excel.
const NAMED_SEPARATOR: &str = "sep=";

/// A list that is being read.
pub(super) struct List<'a> {
    rows: csv::Reader<Box<dyn Read + 'a>>,
    record: csv::ByteRecord,
    read: Arc<Counts>,
    pub(super) separator: u8,
    pub(super) header: Vec<String>,
    /// Rows above the headings, which are left out.
    pub(super) rows_above: usize,
    /// Rows below the headings that were read while those were looked for.
    ahead: VecDeque<Vec<String>>,
}

/// Bytes read from the file, in all and when the present row began.
#[derive(Default)]
struct Counts {
    bytes: AtomicU64,
    row_began: AtomicU64,
}

impl<'a> List<'a> {
    /// Begins to read a list. Its header is the first row that `is_header` says to be one, or the first of all.
    pub(super) fn open(
        source: impl Read + 'a,
        is_header: impl Fn(&[String]) -> bool,
    ) -> anyhow::Result<Self> {
        let read = Arc::new(Counts::default());
        let mut source = Counted { source, read: Arc::clone(&read) };
        let mut first = Vec::new();
        source.by_ref().take(SNIFFED_BYTES as u64).read_to_end(&mut first)?;
        let encoding = encoding(&first);
        let bytes = io::Cursor::new(first.clone()).chain(source);
        let (text, start): (Box<dyn Read + 'a>, String) = if encoding == UTF_8 {
            let bom = if first.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
            let mut bytes = bytes;
            bytes.read_exact(&mut [0; 3][..bom])?;
            (Box::new(bytes), String::from_utf8_lossy(&first[bom..]).into_owned())
        } else {
            let (start, ..) = encoding.decode(&first);
            (Box::new(Transcoded::new(bytes, encoding)), start.into_owned())
        };
        let separator = separator(&start);
        let rows = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(separator)
            .from_reader(text);
        let record = csv::ByteRecord::new();
        let (header, ahead) = (Vec::new(), VecDeque::new());
        let mut list = Self { rows, record, read, separator, header, rows_above: 0, ahead };
        list.find_header(is_header)?;
        Ok(list)
    }

    fn find_header(&mut self, is_header: impl Fn(&[String]) -> bool) -> anyhow::Result<()> {
        let mut first = Vec::new();
        while first.len() < ROWS_ABOVE_MAX {
            let Some(row) = self.next_row()? else { break };
            if first.is_empty() && names_separator(&row) {
                continue;
            }
            let is_found = is_header(&row);
            first.push(row);
            if is_found {
                self.rows_above = first.len() - 1;
                break;
            }
        }
        let mut rows = first.into_iter().skip(self.rows_above);
        let Some(header) = rows.next() else {
            bail!("the list is empty; expected a row of headings and rows of organizations");
        };
        (self.header, self.ahead) = (header, rows.collect());
        Ok(())
    }

    /// The next row; `None` behind the last one.
    pub(super) fn next_row(&mut self) -> anyhow::Result<Option<Vec<String>>> {
        if let Some(row) = self.ahead.pop_front() {
            return Ok(Some(row));
        }
        self.read.row_began.store(self.read.bytes.load(Ordering::Relaxed), Ordering::Relaxed);
        let line = self.rows.position().line();
        let more = self.rows.read_byte_record(&mut self.record);
        let more = more.with_context(|| format!("cannot read the row at line {line}"))?;
        Ok(more.then(|| self.record.iter().map(|field| decode(field).into_owned()).collect()))
    }

    /// Bytes read so far.
    pub(super) fn bytes(&self) -> u64 {
        self.read.bytes.load(Ordering::Relaxed)
    }
}

/// The sheet of a name; without one the first that has a row of headings, or else the first that has any row.
///
/// # Errors
/// When there is none of that name, or none with a row.
pub(super) fn choose_sheet(
    sheets: &mut Sheets,
    asked: Option<&str>,
    is_header: impl Fn(&[String]) -> bool,
) -> anyhow::Result<usize> {
    if let Some(asked) = asked {
        let is_asked = |name: &String| name.trim().eq_ignore_ascii_case(asked.trim());
        let found = sheets.names().iter().position(is_asked);
        return found.with_context(|| {
            format!("no sheet is called {asked:?}; the sheets are {}", quoted(sheets.names()))
        });
    }
    let mut first = None;
    for at in 0..sheets.names().len().min(SHEETS_MAX) {
        let head = sheets.text(at)?.take(SNIFFED_BYTES as u64);
        let Ok(list) = List::open(head, &is_header) else { continue };
        if is_header(&list.header) {
            return Ok(at);
        }
        first = first.or(Some(at));
    }
    first.context("no sheet has a row")
}

/// UTF-16 by its mark or its zero bytes, else UTF-8, fields of which may be in Windows-1252.
fn encoding(first: &[u8]) -> &'static Encoding {
    if let Some((encoding, _)) = Encoding::for_bom(first) {
        return encoding;
    }
    let zeros = |parity: usize| {
        let of = first.iter().skip(parity).step_by(2);
        of.clone().filter(|byte| **byte == 0).count() * 2 > of.count()
    };
    match (zeros(0), zeros(1)) {
        (true, false) => UTF_16BE,
        (false, true) => UTF_16LE,
        _ => UTF_8,
    }
}

/// Whether a row is `sep=;`, which is no row.
fn names_separator(row: &[String]) -> bool {
    let is_blank = |field: &String| field.trim().is_empty();
    row.first().is_some_and(|first| first.trim() == NAMED_SEPARATOR)
        && row[1..].iter().all(is_blank)
}

/// What separates the fields: what the first line names, or what the first row has most of outside quotes.
fn separator(start: &str) -> u8 {
    let named = start.strip_prefix(NAMED_SEPARATOR).map(str::as_bytes);
    if let Some([separator, b'\r' | b'\n', ..]) = named {
        return *separator;
    }
    let mut counts = [0; SEPARATORS.len()];
    let mut is_quoted = false;
    for byte in start.bytes() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'\n' if !is_quoted && counts != [0; SEPARATORS.len()] => break,
            _ if is_quoted => {}
            _ => {
                if let Some(at) = SEPARATORS.iter().position(|one| *one == byte) {
                    counts[at] += 1;
                }
            }
        }
    }
    let most = (0..counts.len()).max_by_key(|at| (counts[*at], std::cmp::Reverse(*at)));
    SEPARATORS[most.unwrap_or(0)]
}

/// Counts what is read, and refuses to read on in a row without end.
struct Counted<R> {
    source: R,
    read: Arc<Counts>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let so_far = self.read.bytes.load(Ordering::Relaxed);
        if so_far - self.read.row_began.load(Ordering::Relaxed) > ROW_BYTES_MAX {
            return Err(io::Error::other("it has more than 64 MiB; is a quote left open?"));
        }
        let count = self.source.read(buffer)?;
        self.read.bytes.store(so_far + count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// Another encoding as UTF-8.
struct Transcoded<R> {
    source: R,
    decoder: Decoder,
    bytes: Vec<u8>,
    /// Of `bytes`, what is not decoded yet.
    left: std::ops::Range<usize>,
    at_end: bool,
    is_done: bool,
}

impl<R: Read> Transcoded<R> {
    fn new(source: R, encoding: &'static Encoding) -> Self {
        let decoder = encoding.new_decoder_with_bom_removal();
        let bytes = vec![0; SNIFFED_BYTES];
        Self { source, decoder, bytes, left: 0..0, at_end: false, is_done: false }
    }
}

impl<R: Read> Read for Transcoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.len() < CHARACTER_BYTES_MAX {
            let why = "expected a buffer that holds a character";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        while !self.is_done {
            if self.left.is_empty() && !self.at_end {
                let count = self.source.read(&mut self.bytes)?;
                (self.left, self.at_end) = (0..count, count == 0);
            }
            let bytes = &self.bytes[self.left.clone()];
            let (result, read, written, _) =
                self.decoder.decode_to_utf8(bytes, buffer, self.at_end);
            self.left.start += read;
            self.is_done = self.at_end && result == CoderResult::InputEmpty;
            if written > 0 {
                return Ok(written);
            }
        }
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(bytes: &[u8]) -> (u8, Vec<Vec<String>>) {
        let mut list = List::open(io::Cursor::new(bytes.to_vec()), |_| true).unwrap();
        let mut rows = vec![list.header.clone()];
        while let Some(row) = list.next_row().unwrap() {
            rows.push(row);
        }
        (list.separator, rows)
    }

    fn utf_16(text: &str, bom: &[u8], bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        let units = text.encode_utf16().flat_map(bytes);
        bom.iter().copied().chain(units).collect()
    }

    #[test]
    fn encodings_and_separators() {
        let expected = vec![vec!["name", "city"], vec!["Peña; Club", "Reno"]];
        let plain = "name,city\nPeña; Club,Reno\n";
        for (what, bytes) in [
            ("UTF-8", plain.as_bytes().to_vec()),
            ("BOM", [b"\xef\xbb\xbf", plain.as_bytes()].concat()),
            ("UTF-16 LE", utf_16(plain, b"\xff\xfe", u16::to_le_bytes)),
            ("UTF-16 BE", utf_16(plain, b"\xfe\xff", u16::to_be_bytes)),
            ("no BOM", utf_16(plain, b"", u16::to_le_bytes)),
            ("Windows-1252", b"name,city\r\nPe\xf1a; Club,Reno\r\n".to_vec()),
            ("tabs", "name\tcity\nPeña; Club\tReno\n".as_bytes().to_vec()),
            ("semicolons", "name;city\n\"Peña; Club\";Reno".as_bytes().to_vec()),
            ("bars", "name|city\nPeña; Club|Reno".as_bytes().to_vec()),
        ] {
            assert_eq!(rows(&bytes).1, expected, "{what}");
        }
    }

    #[test]
    fn rows_of_any_length_and_lists_without_rows() {
        let ragged = rows(b"a,b\n1\n1,2,3\n\n\"x\ny\",2\n").1;
        assert_eq!(ragged.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1, 3, 2]);
        assert!(List::open(io::Cursor::new(Vec::new()), |_| false).is_err());
        assert_eq!(rows(b"name").1, [["name"]]);
    }

    #[test]
    fn a_quote_left_open_does_not_fill_the_memory() {
        let endless = b"name,city\n\"x".chain(io::repeat(b'y'));
        let mut list = List::open(endless, |_| true).unwrap();
        let error = format!("{:#}", list.next_row().unwrap_err());
        assert!(error.contains("line 2") && error.contains("64 MiB"), "{error}");
    }
}
