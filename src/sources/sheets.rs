//! The sheets of a workbook of Excel or LibreOffice, each as CSV.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek as _};

use calamine::{Ods, Reader, Xls};
use zip::ZipArchive;

use super::recognise::{COMPOUND_START, ZIP_START};
use super::workbook::{self, Workbook, WorkbookError};

/// The part that makes a ZIP file a workbook of LibreOffice.
const OPEN_DOCUMENT_PART: &str = "content.xml";

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

/// Formats: of Excel's sheets rows are read one by one, the others are in memory as a whole.
enum Cells {
    Excel(Box<Workbook>),
    OldExcel(Box<Xls<BufReader<File>>>),
    OpenDocument(Box<Ods<BufReader<File>>>),
}

impl Sheets {
    /// Opens a workbook by what it begins with; `None` for a file that is none.
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
            let names = sheets.sheet_names();
            return Ok(Some(Self { names, cells: Cells::OldExcel(Box::new(sheets)) }));
        }
        if !start.starts_with(ZIP_START) {
            return Ok(None);
        }
        let damaged = |error: &dyn std::fmt::Display| SheetsError::Damaged(error.to_string());
        let archive = ZipArchive::new(file.try_clone()?).map_err(|error| damaged(&error))?;
        if archive.index_for_name(OPEN_DOCUMENT_PART).is_some() {
            let file = workbook::bounded(archive.into_inner())?;
            let sheets = Ods::new(file).map_err(|error| damaged(&error))?;
            let names = sheets.sheet_names();
            return Ok(Some(Self { names, cells: Cells::OpenDocument(Box::new(sheets)) }));
        }
        if !workbook::is_workbook(&archive) {
            return Err(SheetsError::OtherZip);
        }
        let workbook = Workbook::open(archive.into_inner())?;
        let names = workbook.sheet_names();
        Ok(Some(Self { names, cells: Cells::Excel(Box::new(workbook)) }))
    }

    /// The names of the sheets, in their order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The sheet at a position as CSV.
    pub fn text(&mut self, at: usize) -> Result<Box<dyn Read + '_>, SheetsError> {
        let name = &self.names[at];
        Ok(match &mut self.cells {
            Cells::Excel(workbook) => Box::new(workbook.sheet(name)?),
            Cells::OldExcel(sheets) => Box::new(Cursor::new(csv_of(&mut **sheets, name)?)),
            Cells::OpenDocument(sheets) => Box::new(Cursor::new(csv_of(&mut **sheets, name)?)),
        })
    }
}

/// A sheet as CSV.
fn csv_of<R>(sheets: &mut R, name: &str) -> Result<Vec<u8>, SheetsError>
where
    R: Reader<BufReader<File>, Error: std::fmt::Display>,
{
    let damaged = |error: R::Error| SheetsError::Damaged(format!("sheet {name:?}: {error}"));
    let cells = sheets.worksheet_range(name).map_err(damaged)?;
    let mut text = Vec::new();
    for row in cells.rows() {
        workbook::write_row(row, &mut text);
    }
    Ok(text)
}
