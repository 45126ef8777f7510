//! Tables in reports: which rows belong together, what their columns are, and which of those are of the latest year.

use super::labels;
use super::lexicon;
use super::token::Tokens;
use crate::text::years;

/// Between the cells of a row.
const CELLS: char = '|';

/// Whether a column is of the year that the report is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnYear {
    /// It is the latest one that is no aim.
    Current,
    Other,
    /// Other columns have years, this one has none.
    Undated,
    /// No column of the table has a year.
    Unknown,
}

/// The rows of a table.
#[derive(Debug, Default)]
pub(super) struct Table<'a> {
    /// Headings of the columns; empty without a row of them.
    columns: Vec<&'a str>,
    rows: Vec<Vec<&'a str>>,
    /// Columns of the latest year; empty where no column has a year.
    current: Vec<usize>,
    /// See [`Table::counted`].
    counted: usize,
}

impl<'a> Table<'a> {
    /// The table that begins with the first of these rows: it goes on to the next row of headings.
    pub(super) fn of(texts: impl Iterator<Item = &'a str>, year: i32) -> Self {
        let mut rows: Vec<Vec<&'a str>> = Vec::new();
        for row in texts.map(cells) {
            let has_numbers = rows.iter().flatten().any(|cell| is_number(cell));
            if has_numbers && is_header(&row) {
                break;
            }
            rows.push(row);
        }
        let title = rows.first().is_some_and(|row| row.len() == 1);
        let header = rows.get(usize::from(title)).filter(|row| is_header(row));
        let columns = header.cloned().unwrap_or_default();
        let current = current(&columns, year);
        let counted = rows.iter().filter(|row| labels::counts(label(row))).count();
        let counted = usize::from(counted > 0) + usize::from(2 * counted > rows.len());
        Self { columns, rows, current, counted }
    }

    /// How many of its rows have a label of what may be counted: none (0), less than half (1), or more (2).
    pub(super) fn counted(&self) -> usize {
        self.counted
    }

    pub(super) fn rows(&self) -> &[Vec<&'a str>] {
        &self.rows
    }

    pub(super) fn columns(&self) -> &[&'a str] {
        &self.columns
    }

    /// Number of the column of a cell. The first cell of the headings may be empty, and then is none.
    fn number(&self, row: &[&str], cell: usize) -> Option<usize> {
        let missing = row.len().saturating_sub(self.columns.len());
        cell.checked_sub(missing).filter(|&at| at < self.columns.len())
    }

    /// The heading of the column of a cell; empty without one.
    pub(super) fn column(&self, row: &[&str], cell: usize) -> &'a str {
        self.number(row, cell).map_or("", |at| self.columns[at])
    }

    /// Of a row that begins with a year, where others do, whether that is the latest of them.
    pub(super) fn row_year(&self, row: &[&str]) -> Option<ColumnYear> {
        let first = |row: &[&str]| row.first().and_then(|cell| year_of(cell));
        let own = first(row)?;
        let dated = || self.rows.iter().filter_map(|row| first(row));
        let is_latest = dated().all(|year| year <= own);
        let year = if is_latest { ColumnYear::Current } else { ColumnYear::Other };
        dated().nth(1).map(|_| year)
    }

    pub(super) fn year(&self, row: &[&str], cell: usize) -> ColumnYear {
        match self.number(row, cell) {
            _ if self.current.is_empty() => ColumnYear::Unknown,
            Some(at) if self.current.contains(&at) => ColumnYear::Current,
            Some(at) if year_of(self.columns[at]).is_some() => ColumnYear::Other,
            _ => ColumnYear::Undated,
        }
    }
}

/// The cells of a row.
pub(super) fn cells(row: &str) -> Vec<&str> {
    row.split(CELLS).map(str::trim).collect()
}

/// The label of a row: its first cell in words.
pub(super) fn label<'a>(cells: &[&'a str]) -> &'a str {
    cells.iter().find(|cell| cell.chars().any(char::is_alphabetic)).copied().unwrap_or_default()
}

/// Whether a row is one of headings: no cell is a number, but may be a year.
fn is_header(cells: &[&str]) -> bool {
    cells.len() > 1
        && cells[1..].iter().any(|cell| !cell.is_empty())
        && !cells.iter().any(|cell| is_number(cell))
}

/// Whether a cell begins with a number that is no year.
pub(super) fn is_number(cell: &str) -> bool {
    let digits = cell.trim_start_matches(['~', '$', '(']);
    digits.starts_with(|c: char| c.is_ascii_digit()) && years(digits).next().is_none()
}

/// Whether a cell is a count and nothing else.
pub(super) fn is_count(cell: &str) -> bool {
    let digits = cell.trim_start_matches('~').trim_end_matches('+');
    digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b'.'))
}

/// The columns of the latest year, up to the one after the report's where any is; without aims, rates and comparisons.
fn current(columns: &[&str], year: i32) -> Vec<usize> {
    let of_time = |column: &str| !is_rate(column) && !is_aim(column);
    let dated = || {
        let all = columns.iter().enumerate().filter(|(_, column)| of_time(column));
        all.filter_map(|(at, column)| Some((year_of(column)?, at)))
    };
    let named = || dated().map(|(year, _)| year);
    // What a report says of its own year may be wrong.
    let latest = named().filter(|named| *named <= year + 1).max().or_else(|| named().max());
    dated().filter(|(named, _)| Some(*named) == latest).map(|(_, at)| at).collect()
}

/// The latest year that a column names: `2021`, `FY21`, `FFY21`, `’21`.
fn year_of(column: &str) -> Option<i32> {
    let shortened = column.split_whitespace().filter_map(|word| {
        let digits = word.trim_start_matches(['F', 'S', 'Y']).trim_start_matches(['’', '\'']);
        let two = digits.len() == 2 && digits.len() < word.len();
        two.then(|| digits.parse::<i32>().ok()).flatten().map(|year| 2000 + year)
    });
    years(column).max().or_else(|| shortened.max())
}

/// Whether a column is one of aims or of comparisons with an earlier time.
pub(super) fn is_aim(column: &str) -> bool {
    let listed = ["aim_headings", "earlier_columns"];
    Tokens::of(column).iter().any(|token| listed.iter().any(|list| token.is_in(list)))
}

/// Whether a column or a label is of money, of a rate or of a level, which adds up to nothing.
pub(super) fn is_rate(text: &str) -> bool {
    text.contains(['%', '°', '$'])
        || Tokens::of(text).iter().any(|token| token.is_in("rate_columns"))
}

/// What numbers of a column or a row are in: 1,000 of `Diapers (thousands)`.
pub(super) fn scale(text: &str) -> Option<f64> {
    let (_, behind) = text.rsplit_once('(')?;
    let word = behind.trim_end_matches(')').trim().to_lowercase();
    lexicon::word(word.strip_suffix('s').unwrap_or(&word)).meaning("magnitude")?.parse().ok()
}
