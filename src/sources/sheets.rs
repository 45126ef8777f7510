//! The sheets of a workbook of Excel or LibreOffice, each as CSV.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek as _};

use calamine::{Data, Ods, Range, Reader, Xls};
use zip::ZipArchive;

use super::recognise::{COMPOUND_START, ZIP_START};
use super::workbook::{self, Workbook, WorkbookError};

/// The part that makes a ZIP file a workbook of LibreOffice.
const OPEN_DOCUMENT_PART: &str = "content.xml";
/// Sheets of a workbook that is read whole, the first ones.
const SHEETS_MAX: usize = 200;

/// Why a file has no sheets that can be read.
#[derive(Debug, thiserror::Error)]
pub enum SheetsError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Workbook(#[from] WorkbookError),
    #[error(
        "expected CSV or a workbook (.xlsx, .ods, .xls), found another ZIP file; unpack it, and take the list in it"
    )]
    OtherZip,
    #[error(
        "an Excel workbook with a password, or damaged ({0}); save it as .xlsx or as CSV, without a password"
    )]
    OldExcel(String),
    #[error("a damaged workbook ({0})")]
    Damaged(String),
}

/// An open workbook.
pub struct Sheets {
    names: Vec<String>,
    cells: Cells,
}

enum Cells {
    /// Read row by row.
    Streamed(Box<Workbook>),
    /// Of each sheet its CSV; of formats that can only be read whole.
    Whole(Vec<Vec<u8>>),
}

impl Sheets {
    /// Opens a workbook by what it begins with; `None` for a file that is none.
    ///
    /// # Errors
    /// When it is damaged, another ZIP file, or behind a password.
    pub fn open(mut file: &File) -> Result<Option<Self>, SheetsError> {
        let mut start = Vec::new();
        // What cannot be rewound is no workbook: these are read from their end.
        if file.rewind().is_err() {
            return Ok(None);
        }
        file.take(COMPOUND_START.len() as u64).read_to_end(&mut start)?;
        file.rewind()?;
        if start == COMPOUND_START {
            let sheets = Xls::new(BufReader::new(file.try_clone()?));
            let sheets = sheets.map_err(|error| SheetsError::OldExcel(error.to_string()))?;
            return Self::whole(sheets).map(Some);
        }
        if !start.starts_with(ZIP_START) {
            return Ok(None);
        }
        let damaged = |error: &dyn std::fmt::Display| SheetsError::Damaged(error.to_string());
        let archive = ZipArchive::new(file.try_clone()?).map_err(|error| damaged(&error))?;
        if archive.index_for_name(OPEN_DOCUMENT_PART).is_some() {
            let file = workbook::bounded(archive.into_inner())?;
            let sheets = Ods::new(file).map_err(|error| damaged(&error))?;
            return Self::whole(sheets).map(Some);
        }
        if !workbook::is_workbook(&archive) {
            return Err(SheetsError::OtherZip);
        }
        let workbook = Workbook::open(archive.into_inner())?;
        let names = workbook.sheet_names();
        Ok(Some(Self { names, cells: Cells::Streamed(Box::new(workbook)) }))
    }

    fn whole<R>(mut sheets: R) -> Result<Self, SheetsError>
    where
        R: Reader<BufReader<File>, Error: std::fmt::Display>,
    {
        let mut names = sheets.sheet_names();
        names.truncate(SHEETS_MAX);
        let mut texts = Vec::with_capacity(names.len());
        for name in &names {
            let cells = sheets.worksheet_range(name);
            let damaged =
                |error: R::Error| SheetsError::Damaged(format!("sheet {name:?}: {error}"));
            texts.push(csv_of(&cells.map_err(damaged)?));
        }
        Ok(Self { names, cells: Cells::Whole(texts) })
    }

    /// The names of the sheets, in their order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The sheet at a position as CSV.
    ///
    /// # Errors
    /// When it is damaged.
    pub fn text(&mut self, at: usize) -> Result<Box<dyn Read + '_>, SheetsError> {
        Ok(match &mut self.cells {
            Cells::Streamed(workbook) => Box::new(workbook.sheet(&self.names[at])?),
            Cells::Whole(texts) => Box::new(Cursor::new(&texts[at])),
        })
    }
}

/// Cells as CSV.
fn csv_of(cells: &Range<Data>) -> Vec<u8> {
    let mut text = Vec::new();
    for row in cells.rows() {
        workbook::write_row(row, &mut text);
    }
    text
}
