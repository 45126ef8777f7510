//! Lists in workbooks: a sheet of an Excel or LibreOffice file as CSV.

use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek as _};

use anyhow::{Context as _, bail};
use calamine::{Data, Ods, Range, Reader, Xls};
use zip::ZipArchive;

use super::columns::quoted;
use super::input::List;
use crate::sources::workbook::{self, Workbook};

/// What ZIP files, and workbooks of Excel before 2007 or with a password, begin with.
const ZIP: [u8; 4] = *b"PK\x03\x04";
const COMPOUND: [u8; 4] = [0xd0, 0xcf, 0x11, 0xe0];
/// The part that makes a ZIP file a workbook of LibreOffice.
const OPEN_DOCUMENT_PART: &str = "content.xml";
/// Sheets that are looked through for a list.
const SHEETS_MAX: usize = 200;
/// Bytes of a sheet that are looked at for headings.
const SNIFFED_BYTES: u64 = 64 * 1024;

/// An open workbook.
pub(super) struct Sheets {
    names: Vec<String>,
    cells: Cells,
}

enum Cells {
    /// Read row by row.
    Streamed(Workbook),
    /// Of each sheet its CSV; of formats that can only be read whole.
    Whole(Vec<Vec<u8>>),
}

impl Sheets {
    /// Opens a workbook by what it begins with; `None` for a file that is none.
    ///
    /// # Errors
    /// When it is damaged, of another kind, or behind a password.
    pub(super) fn open(mut file: &File) -> anyhow::Result<Option<Self>> {
        let mut start = Vec::new();
        file.take(ZIP.len() as u64).read_to_end(&mut start)?;
        // What cannot be rewound is no workbook: these are read from their end.
        if file.rewind().is_err() {
            return Ok(None);
        }
        if start == COMPOUND {
            let sheets = Xls::new(BufReader::new(file.try_clone()?)).map_err(of_old_excel)?;
            return Self::whole(sheets).map(Some);
        }
        if start != ZIP {
            return Ok(None);
        }
        let archive = ZipArchive::new(file.try_clone()?).context("a damaged ZIP file")?;
        if archive.index_for_name(OPEN_DOCUMENT_PART).is_some() {
            let file = workbook::bounded(archive.into_inner())?;
            return Self::whole(Ods::new(file).context("a damaged workbook")?).map(Some);
        }
        if !workbook::is_workbook(&archive) {
            bail!(
                "expected CSV or a workbook (.xlsx, .ods), found another ZIP file; unpack it, and match the list in it"
            );
        }
        let workbook = Workbook::open(archive.into_inner())?;
        let names = workbook.sheet_names();
        Ok(Some(Self { names, cells: Cells::Streamed(workbook) }))
    }

    fn whole<R>(mut sheets: R) -> anyhow::Result<Self>
    where
        R: Reader<BufReader<File>, Error: std::error::Error + Send + Sync + 'static>,
    {
        let mut names = sheets.sheet_names();
        names.truncate(SHEETS_MAX);
        let mut texts = Vec::with_capacity(names.len());
        for name in &names {
            let cells = sheets.worksheet_range(name);
            texts.push(csv_of(&cells.with_context(|| format!("the sheet {name:?} is damaged"))?));
        }
        Ok(Self { names, cells: Cells::Whole(texts) })
    }

    /// The sheet of a name; without one the first that has a row of headings, or else the first that has any.
    ///
    /// # Errors
    /// When there is none of that name, or none with a row.
    pub(super) fn choose(
        &mut self,
        asked: Option<&str>,
        is_header: impl Fn(&[String]) -> bool,
    ) -> anyhow::Result<usize> {
        if let Some(asked) = asked {
            let is_asked = |name: &String| name.trim().eq_ignore_ascii_case(asked.trim());
            let found = self.names.iter().position(is_asked);
            return found.with_context(|| {
                format!("no sheet is called {asked:?}; the sheets are {}", quoted(&self.names))
            });
        }
        let mut first = None;
        for at in 0..self.names.len().min(SHEETS_MAX) {
            let head = self.text(at)?.take(SNIFFED_BYTES);
            let Ok(list) = List::open(head, &is_header) else { continue };
            if is_header(&list.header) {
                return Ok(at);
            }
            first = first.or(Some(at));
        }
        first.context("no sheet has a row")
    }

    /// The name of a sheet, and how many there are.
    pub(super) fn said(&self, at: usize) -> Option<String> {
        (self.names.len() > 1)
            .then(|| format!("sheet {:?} of {}", self.names[at], self.names.len()))
    }

    /// A sheet as CSV.
    pub(super) fn text(&mut self, at: usize) -> anyhow::Result<Box<dyn Read + '_>> {
        Ok(match &mut self.cells {
            Cells::Streamed(workbook) => Box::new(workbook.sheet(&self.names[at])?),
            Cells::Whole(texts) => Box::new(Cursor::new(&texts[at])),
        })
    }
}

fn of_old_excel(error: calamine::XlsError) -> anyhow::Error {
    anyhow::Error::new(error).context(
        "an Excel workbook with a password, or damaged; save it as .xlsx or as CSV, without a password",
    )
}

/// Cells as CSV.
fn csv_of(cells: &Range<Data>) -> Vec<u8> {
    let mut text = Vec::new();
    for row in cells.rows() {
        workbook::write_row(row, &mut text);
    }
    text
}
