//! Plain text tables for standard output: columns aligned, numbers to the right.

use std::fmt::Write as _;

use super::printable::printable;

/// Characters that a column keeps however narrow the terminal is.
const SHORTENED_MIN: usize = 8;

/// A table of text cells.
#[derive(Debug, Default)]
pub(super) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new(header: &[&str]) -> Self {
        Self { rows: vec![header.iter().map(|cell| (*cell).to_owned()).collect()] }
    }

    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        // Cells hold names of files and what files say.
        self.rows.push(cells.into_iter().map(|cell| printable(&cell).into_owned()).collect());
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.len() <= 1
    }

    /// The table as lines. A column whose every cell below the header is a number stands right.
    pub(super) fn render(&self) -> String {
        self.render_within(None)
    }

    /// The same in lines of at most `line_chars` characters where possible: the widest column, then
    /// the next, has its cells cut short with `…`, though not below [`SHORTENED_MIN`].
    pub(super) fn render_within(&self, line_chars: Option<usize>) -> String {
        self.render_as(&self.layout(line_chars))
    }

    /// How wide its columns are, and which stand right.
    pub(super) fn layout(&self, line_chars: Option<usize>) -> Layout {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let cells = |column: usize| self.rows.iter().map(move |row| cell(row, column));
        let width = |column| cells(column).map(|cell| cell.chars().count()).max().unwrap_or(0);
        let stands_right = |column| self.rows.len() > 1 && cells(column).skip(1).all(is_number);
        let mut widths: Vec<usize> = (0..columns).map(width).collect();
        let right: Vec<bool> = (0..columns).map(stands_right).collect();
        if let Some(line_chars) = line_chars {
            narrow(&mut widths, &right, line_chars);
        }
        Layout { widths, right, cuts: line_chars.is_some() }
    }

    /// The table as lines of a layout.
    pub(super) fn render_as(&self, layout: &Layout) -> String {
        self.rows.iter().map(|row| layout.line(row)).collect()
    }

    /// Its rows below the header as lines of a layout, which may be that of rows before them: then a
    /// cell that is wider than its column is cut only where the layout cuts cells, else it sticks out.
    pub(super) fn render_rows_as(&self, layout: &Layout) -> String {
        self.rows.iter().skip(1).map(|row| layout.line(row)).collect()
    }
}

/// How wide the columns of a table are, and which stand right.
#[derive(Debug)]
pub(super) struct Layout {
    widths: Vec<usize>,
    right: Vec<bool>,
    cuts: bool,
}

impl Layout {
    fn line(&self, row: &[String]) -> String {
        let mut line = String::new();
        for (column, (&width, right)) in self.widths.iter().zip(&self.right).enumerate() {
            let text = cell(row, column);
            let text = if self.cuts { shortened(text, width) } else { text.to_owned() };
            let gap = if column == 0 { "" } else { "  " };
            // Writing to a string cannot fail.
            let _ = match right {
                true => write!(line, "{gap}{text:>width$}"),
                false => write!(line, "{gap}{text:<width$}"),
            };
        }
        format!("{}\n", line.trim_end())
    }
}

fn cell(row: &[String], column: usize) -> &str {
    row.get(column).map_or("", String::as_str)
}

/// Takes from the widest columns of text what a line has too many.
fn narrow(widths: &mut [usize], right: &[bool], line_chars: usize) {
    let gaps = 2 * widths.len().saturating_sub(1);
    while widths.iter().sum::<usize>() + gaps > line_chars {
        let texts = widths.iter_mut().zip(right).filter(|(_, right)| !**right);
        let Some((widest, _)) = texts.max_by_key(|(width, _)| **width) else { return };
        if *widest <= SHORTENED_MIN {
            return;
        }
        *widest -= 1;
    }
}

/// A cell in at most `width` characters.
fn shortened(cell: &str, width: usize) -> String {
    if cell.chars().count() <= width {
        return cell.to_owned();
    }
    let kept: String = cell.chars().take(width.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// Characters of a line of the terminal that standard output is; `None` when it is none.
pub(super) fn terminal_width() -> Option<usize> {
    console::Term::stdout().size_checked().map(|(_, columns)| usize::from(columns))
}

/// Whether a cell is a number, an amount of [`dollars`], or `-` for one that is not known.
fn is_number(cell: &str) -> bool {
    let cell = cell.strip_prefix('-').unwrap_or(cell);
    let cell = match cell.strip_prefix('$') {
        Some(amount) => amount.trim_end_matches(['K', 'M', 'B', 'T']),
        None => cell,
    };
    cell.is_empty()
        || cell.starts_with(|c: char| c.is_ascii_digit())
            && match cell.split_once(' ') {
                None => cell.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | '.')),
                Some((_, unit)) => matches!(unit, "s" | "B" | "kB" | "MB"),
            }
}

/// A size in bytes as people read it: `512 B`, `1.1 kB`, `12.3 MB`.
pub(super) fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.2} GB", bytes as f64 / 1e9),
    }
}

/// An amount of dollars as people read it: `$950`, `$1.2K`, `$3M`, `-$1.5B`.
pub(super) fn dollars(amount: i64) -> String {
    const UNITS: [(u128, &str); 5] =
        [(1, ""), (1_000, "K"), (1_000_000, "M"), (1_000_000_000, "B"), (1_000_000_000_000, "T")];
    let sign = if amount < 0 { "-" } else { "" };
    let amount = u128::from(amount.unsigned_abs());
    let tenths = |unit: u128| (amount * 10 + unit / 2) / unit;
    // The first in which it has at most three digits once it is rounded.
    let fits = UNITS.into_iter().find(|&(unit, _)| tenths(unit) < 10_000);
    let (unit, name) = fits.unwrap_or(UNITS[UNITS.len() - 1]);
    match (tenths(unit) / 10, tenths(unit) % 10) {
        (whole, 0) => format!("{sign}${whole}{name}"),
        (whole, tenth) => format!("{sign}${whole}.{tenth}{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::thousands;

    #[test]
    fn amounts_have_the_unit_that_fits() {
        for (amount, shown) in [
            (0, "$0"),
            (999, "$999"),
            (1_000, "$1K"),
            (1_249, "$1.2K"),
            (1_250, "$1.3K"),
            (999_949, "$999.9K"),
            (999_950, "$1M"),
            (-1_500_000_000, "-$1.5B"),
            (i64::MAX, "$9223372T"),
            (i64::MIN, "-$9223372T"),
        ] {
            assert_eq!(dollars(amount), shown, "{amount}");
            assert!(is_number(shown), "{shown}");
        }
        for text in ["$5 store", "-x", "1st"] {
            assert!(!is_number(text), "{text}");
        }
    }

    #[test]
    fn a_narrow_terminal_cuts_the_widest_texts() {
        let mut table = Table::new(&["name", "place", "revenue"]);
        table.row(["A name that is rather long".into(), "Akron, OH".into(), "$1.2M".into()]);
        table.row(["Çédille".into(), "Cleveland, OH".into(), "-".into()]);
        let lines = |line_chars| {
            let text = table.render_within(Some(line_chars));
            text.lines().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(table.render_within(Some(200)), table.render());
        assert_eq!(
            lines(38),
            [
                "name            place          revenue",
                "A name that i…  Akron, OH        $1.2M",
                "Çédille         Cleveland, OH        -",
            ]
        );
        for line_chars in 27..60 {
            let longest = lines(line_chars).iter().map(|line| line.chars().count()).max();
            assert!(longest <= Some(line_chars), "{line_chars}: {longest:?}");
        }
        assert_eq!(lines(1), lines(27), "no column is cut further");
    }

    #[test]
    fn later_rows_stand_below_the_first() {
        let table = |names: &[&str]| {
            let mut table = Table::new(&["name", "rows"]);
            names.iter().for_each(|name| table.row([(*name).to_owned(), "1".to_owned()]));
            table
        };
        let (first, later) = (table(&["A long name"]), table(&["B", "A name that is longer"]));
        let layout = first.layout(None);
        assert_eq!(first.render_as(&layout), first.render());
        assert_eq!(
            later.render_rows_as(&layout),
            "B               1\nA name that is longer     1\n"
        );
        let layout = first.layout(Some(16));
        assert_eq!(later.render_rows_as(&layout), "B              1\nA name th…     1\n");
    }

    #[test]
    fn sizes_have_the_unit_that_fits() {
        for (bytes, shown) in [
            (0, "0 B"),
            (999, "999 B"),
            (1_114, "1.1 kB"),
            (1_385_357, "1.4 MB"),
            (2_500_000_000, "2.50 GB"),
        ] {
            assert_eq!(size(bytes), shown);
        }
        let mut table = Table::new(&["file", "size"]);
        table.row(["a".to_owned(), size(20_000_000)]);
        table.row(["b".to_owned(), size(5)]);
        assert_eq!(table.render(), "file     size\na     20.0 MB\nb         5 B\n");
    }

    #[test]
    fn numbers_stand_right() {
        let mut table = Table::new(&["file", "rows"]);
        table.row(["a.csv".to_owned(), thousands(1_234_567)]);
        table.row(["long-name.csv".to_owned(), thousands(12)]);
        assert_eq!(
            table.render(),
            "file                rows\na.csv          1,234,567\nlong-name.csv         12\n"
        );
    }
}
