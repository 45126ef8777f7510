//! A sheet of an Excel workbook as CSV, so that it is recognised and read as any other list is.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufReader, Read};

use calamine::{Cell, Data, DataRef, Reader, Xlsx, XlsxCellReader, XlsxError};
use zip::ZipArchive;

use super::SourceKind;
use super::recognise::{Content, recognise_start};

/// The most that a part of a workbook may unpack to: a year of approvals has below 256 MiB. Texts
/// that cells share are kept in memory.
const PART_BYTES_MAX: u64 = 1 << 30;

/// Rows and columns of a sheet, as Excel limits them.
const ROWS_MAX: u32 = 1_048_576;
const COLUMNS_MAX: u32 = 16_384;

/// How many sheets are looked at; the IRS's workbooks have one.
const SHEETS_MAX: usize = 16;

/// The part that makes a ZIP file a workbook.
const WORKBOOK_PART: &str = "xl/workbook.xml";

/// Why a workbook cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum WorkbookError {
    #[error("a workbook whose part {part} unpacks to more than 1 GiB")]
    PartTooLong { part: String },
    #[error("an Excel workbook without a list of the IRS{other}")]
    NoList { other: String },
    #[error("a damaged workbook ({0})")]
    Damaged(String),
}

impl WorkbookError {
    fn damaged(error: impl std::fmt::Display) -> Self {
        Self::Damaged(error.to_string())
    }
}

/// Whether a ZIP file is an Excel workbook.
pub(super) fn is_workbook(archive: &ZipArchive<File>) -> bool {
    archive.index_for_name(WORKBOOK_PART).is_some()
}

/// The sheets of a workbook that are lists, and which each is; never none.
pub(super) fn lists(file: File) -> Result<Vec<(String, SourceKind)>, WorkbookError> {
    let mut workbook = Workbook::open(file)?;
    let (mut lists, mut other) = (Vec::new(), String::new());
    for name in workbook.sheets.sheet_names().into_iter().take(SHEETS_MAX) {
        let found = recognise_start(&mut workbook.sheet(&name)?);
        match found.map_err(WorkbookError::damaged)? {
            Ok(Content::Known(kind)) if kind.list().is_some() => lists.push((name, kind)),
            Err(why) if other.is_empty() => other = format!(" (sheet {name}: {why})"),
            _ => {}
        }
    }
    if lists.is_empty() { Err(WorkbookError::NoList { other }) } else { Ok(lists) }
}

/// The file of a workbook none of whose parts is too long: what is not checked here may fill the memory.
pub(super) fn bounded(file: File) -> Result<BufReader<File>, WorkbookError> {
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(WorkbookError::damaged)?;
    for index in 0..archive.len() {
        let mut part = archive.by_index(index).map_err(WorkbookError::damaged)?;
        // The declared length need not be true.
        let mut bounded = part.by_ref().take(PART_BYTES_MAX + 1);
        let bytes = io::copy(&mut bounded, &mut io::sink()).map_err(WorkbookError::damaged)?;
        if bytes > PART_BYTES_MAX {
            let part = part.name().map_or_else(|_| index.to_string(), |name| name.into_owned());
            return Err(WorkbookError::PartTooLong { part });
        }
    }
    Ok(archive.into_inner())
}

/// An open workbook.
pub(super) struct Workbook {
    sheets: Xlsx<BufReader<File>>,
}

impl Workbook {
    /// Opens a workbook none of whose parts is too long.
    pub(super) fn open(file: File) -> Result<Self, WorkbookError> {
        let sheets = Xlsx::new(bounded(file)?).map_err(WorkbookError::damaged)?;
        Ok(Self { sheets })
    }

    /// The names of its sheets, in their order.
    pub(super) fn sheet_names(&self) -> Vec<String> {
        self.sheets.sheet_names()
    }

    /// The text of a sheet.
    pub(super) fn sheet(&mut self, name: &str) -> Result<SheetText<'_>, WorkbookError> {
        let cells = self.sheets.worksheet_cells_reader(name).map_err(WorkbookError::damaged)?;
        Ok(SheetText {
            cells: Some(cells),
            next: None,
            line: 0,
            last_column: 0,
            text: Vec::new(),
            taken: 0,
        })
    }
}

/// A sheet as CSV: a line for every row, as wide as the first. A formula is its last value; of merged
/// cells the first has the value, and the others are empty.
pub(super) struct SheetText<'a> {
    /// `None` after the last cell, behind which reading on would be an error.
    cells: Option<XlsxCellReader<'a, BufReader<File>>>,
    /// The cell after those of the line.
    next: Option<Cell<DataRef<'a>>>,
    /// Number of the next line, from 0.
    line: u32,
    /// The last column of the first line.
    last_column: u32,
    text: Vec<u8>,
    /// How much of the text was handed on.
    taken: usize,
}

impl SheetText<'_> {
    /// Writes the next line; `false` after the last.
    fn write_line(&mut self) -> Result<bool, XlsxError> {
        self.text.clear();
        self.taken = 0;
        if self.next.is_none() {
            self.read_cell()?;
        }
        let Some(row) = self.next.as_ref().map(|cell| cell.get_position().0) else {
            return Ok(false);
        };
        // Lines keep the numbers of their rows, so that one without cells is empty.
        if row <= self.line {
            self.write_cells(row)?;
        }
        self.text.push(b'\n');
        self.line += 1;
        Ok(self.line <= ROWS_MAX)
    }

    fn read_cell(&mut self) -> Result<(), XlsxError> {
        let Some(cells) = &mut self.cells else { return Ok(()) };
        self.next = cells.next_cell()?;
        if self.next.is_none() {
            self.cells = None;
        }
        Ok(())
    }

    /// Writes the cells of a row.
    fn write_cells(&mut self, row: u32) -> Result<(), XlsxError> {
        // The column that stands at the end of the text.
        let mut last = 0;
        while let Some(cell) = self.next.take_if(|cell| cell.get_position().0 == row) {
            let column = cell.get_position().1;
            let is_in_order = column > last || self.text.is_empty();
            if is_in_order && column < COLUMNS_MAX {
                self.text.extend((last..column).map(|_| b','));
                write_value(cell.get_value(), &mut self.text);
                last = column;
            }
            self.read_cell()?;
        }
        if self.line == 0 {
            self.last_column = last;
        }
        self.text.extend((last..self.last_column).map(|_| b','));
        Ok(())
    }
}

impl Read for SheetText<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.taken == self.text.len() {
            let more = self.write_line();
            if !more.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))? {
                return Ok(0);
            }
        }
        let read = (&self.text[self.taken..]).read(buffer)?;
        self.taken += read;
        Ok(read)
    }
}

/// Writes a row of cells as a line of CSV.
pub(super) fn write_row(row: &[Data], text: &mut Vec<u8>) {
    for (at, cell) in row.iter().enumerate() {
        if at > 0 {
            text.push(b',');
        }
        let cell = match cell {
            Data::String(said) | Data::DateTimeIso(said) | Data::DurationIso(said) => {
                DataRef::SharedString(said)
            }
            Data::Bool(is_true) => DataRef::Bool(*is_true),
            Data::Int(whole) => DataRef::Int(*whole),
            Data::Float(amount) => DataRef::Float(*amount),
            Data::DateTime(moment) => DataRef::DateTime(*moment),
            Data::Empty | Data::Error(_) => DataRef::Empty,
        };
        write_value(&cell, text);
    }
    text.push(b'\n');
}

/// Writes the value of a cell, in quotes where it needs some, on one line.
fn write_value(value: &DataRef<'_>, text: &mut Vec<u8>) {
    let written: Cow<'_, str> = match value {
        DataRef::String(said) | DataRef::DateTimeIso(said) | DataRef::DurationIso(said) => {
            said.into()
        }
        DataRef::SharedString(said) => (*said).into(),
        DataRef::Empty | DataRef::Error(_) => "".into(),
        DataRef::Bool(is_true) => u8::from(*is_true).to_string().into(),
        DataRef::Int(whole) => whole.to_string().into(),
        DataRef::Float(amount) => amount.to_string().into(),
        DataRef::DateTime(moment) => {
            let (year, month, day, ..) = moment.to_ymd_hms_milli();
            format!("{year:04}-{month:02}-{day:02}").into()
        }
    };
    let is_quoted = written.contains([',', '"']);
    if is_quoted {
        text.push(b'"');
    }
    for byte in written.bytes() {
        match byte {
            b'"' => text.extend_from_slice(b"\"\""),
            b'\r' | b'\n' => text.push(b' '),
            byte => text.push(byte),
        }
    }
    if is_quoted {
        text.push(b'"');
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Seek, Write};

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;
    use crate::irs::APPROVAL_COLUMNS;

    /// A workbook of one sheet with these rows of cells.
    fn workbook(rows: &str) -> File {
        let relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
        let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
        let parts = [
            (
                "_rels/.rels",
                format!(
                    "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
                     <Relationship Id=\"rId1\" Type=\"{relations}/officeDocument\" \
                     Target=\"xl/workbook.xml\"/></Relationships>"
                ),
            ),
            (
                "xl/workbook.xml",
                format!(
                    "<workbook xmlns=\"{main}\" xmlns:r=\"{relations}\"><sheets><sheet name=\"A\" \
                     sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>"
                ),
            ),
            (
                "xl/_rels/workbook.xml.rels",
                format!(
                    "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
                     <Relationship Id=\"rId1\" Type=\"{relations}/worksheet\" \
                     Target=\"worksheets/sheet1.xml\"/></Relationships>"
                ),
            ),
            (
                "xl/worksheets/sheet1.xml",
                format!("<worksheet xmlns=\"{main}\"><sheetData>{rows}</sheetData></worksheet>"),
            ),
        ];
        let mut archive = ZipWriter::new(tempfile::tempfile().unwrap());
        for (name, text) in parts {
            archive.start_file(name, SimpleFileOptions::default()).unwrap();
            archive.write_all(text.as_bytes()).unwrap();
        }
        let mut file = archive.finish().unwrap();
        file.rewind().unwrap();
        file
    }

    fn text(rows: &str) -> String {
        let mut workbook = Workbook::open(workbook(rows)).unwrap();
        let mut text = String::new();
        workbook.sheet("A").unwrap().read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn a_sheet_is_a_list_with_commas() {
        let rows = "<row r=\"1\"><c r=\"A1\" t=\"str\"><v>EIN</v></c><c r=\"B1\" t=\"str\">\
                    <v>Name, \"whole\"</v></c><c r=\"D1\" t=\"str\"><v>Date</v></c></row>\
                    <row r=\"3\"><c r=\"A3\"><v>10584691</v></c><c r=\"B3\" t=\"str\"><f>C3</f>\
                    <v>a&#10;b</v></c></row>\
                    <row r=\"4\"><c r=\"B4\"><v>1.5</v></c><c r=\"B4\"><v>9</v></c>\
                    <c r=\"E4\" t=\"b\"><v>1</v></c></row>";
        let expected = "EIN,\"Name, \"\"whole\"\"\",,Date\n\n10584691,a b,,\n,1.5,,,1\n";
        assert_eq!(text(rows), expected);
        assert_eq!(text(""), "");
    }

    #[test]
    fn rows_out_of_order_come_to_an_end() {
        let rows = "<row r=\"2\"><c r=\"A2\"><v>2</v></c></row><row r=\"1\"><c r=\"A1\"><v>1</v></c></row>";
        assert_eq!(text(rows), "\n2\n1\n");
    }

    #[test]
    fn a_workbook_without_a_list_says_what_it_has_instead() {
        let row = |cells: &[&str]| -> String {
            let cells = (b'A'..).zip(cells).map(|(column, text)| {
                format!("<c r=\"{}1\" t=\"str\"><v>{text}</v></c>", char::from(column))
            });
            format!("<row r=\"1\">{}</row>", cells.collect::<String>())
        };
        for (cells, expected) in [
            (
                &["EIN", "Orgname1", "Orgname2", "Orgurl", "Nteecode", "Case Number"][..],
                "an Excel workbook without a list of the IRS (sheet A: Form 1023-EZ approvals without \
                 the columns Incorporateddate, ",
            ),
            (&["Name", "City"], "an Excel workbook without a list of the IRS (sheet A: none of"),
            (&[], "an Excel workbook without a list of the IRS (sheet A: empty)"),
        ] {
            let error = lists(workbook(&row(cells))).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    /// Reads every list of a file as a workbook; `false` where it is refused.
    fn is_read(file: &File) -> bool {
        let mut reads = lists(file.try_clone().unwrap()).ok().into_iter().flatten();
        reads.all(|(name, _)| {
            let mut workbook = Workbook::open(file.try_clone().unwrap()).unwrap();
            let mut sheet = workbook.sheet(&name).unwrap();
            io::copy(&mut sheet, &mut io::sink()).is_ok()
        })
    }

    proptest::proptest! {
        /// Whatever is wrong in a part or in the archive, it is read or refused.
        #[test]
        fn any_changed_workbook_comes_to_an_end(
            at in 0_usize..2_000,
            to in proptest::num::u8::ANY,
            in_archive in proptest::bool::ANY,
        ) {
            let heading = |(column, name): (u8, &&str)| {
                format!("<c r=\"{}1\" t=\"str\"><v>{name}</v></c>", char::from(b'A' + column))
            };
            let headings: String = (0..).zip(&APPROVAL_COLUMNS).map(heading).collect();
            let mut rows = format!(
                "<row r=\"1\">{headings}</row><row r=\"2\"><c r=\"A2\"><v>10584691</v></c></row>"
            ).into_bytes();
            proptest::prop_assert!(is_read(&workbook(std::str::from_utf8(&rows).unwrap())));
            if !in_archive {
                let at = at % rows.len();
                rows[at] = to & 0x7f;
            }
            let mut file = workbook(std::str::from_utf8(&rows).unwrap());
            if in_archive {
                let at = at as u64 % file.metadata().unwrap().len();
                file.seek(io::SeekFrom::Start(at)).unwrap();
                file.write_all(&[to]).unwrap();
                file.rewind().unwrap();
            }
            is_read(&file);
        }
    }

    #[test]
    fn what_is_no_workbook_is_refused() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"PK\x03\x04 and nothing of a workbook").unwrap();
        file.rewind().unwrap();
        let error = lists(file).unwrap_err().to_string();
        assert!(error.starts_with("a damaged workbook ("), "{error}");
    }
}
