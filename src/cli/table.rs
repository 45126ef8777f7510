//! Plain text tables for standard output: columns aligned, numbers to the right.

use std::fmt::Write as _;

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
        self.rows.push(cells.into_iter().collect());
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.len() <= 1
    }

    /// The table as lines. A column whose every cell below the header is a number stands right.
    pub(super) fn render(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let cell =
            |row: &'_ Vec<String>, column: usize| row.get(column).cloned().unwrap_or_default();
        let widths: Vec<usize> = (0..columns)
            .map(|column| {
                self.rows.iter().map(|row| cell(row, column).chars().count()).max().unwrap_or(0)
            })
            .collect();
        let right: Vec<bool> = (0..columns)
            .map(|column| {
                self.rows.len() > 1
                    && self.rows[1..].iter().all(|row| is_number(&cell(row, column)))
            })
            .collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for column in 0..columns {
                let (cell, width) = (cell(row, column), widths[column]);
                let gap = if column == 0 { "" } else { "  " };
                // Writing to a string cannot fail.
                let _ = if right[column] {
                    write!(line, "{gap}{cell:>width$}")
                } else {
                    write!(line, "{gap}{cell:<width$}")
                };
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

fn is_number(cell: &str) -> bool {
    cell.is_empty()
        || cell.starts_with(|c: char| c.is_ascii_digit())
            && match cell.split_once(' ') {
                None => cell.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | '.')),
                Some((_, unit)) => matches!(unit, "s" | "B" | "kB" | "MB"),
            }
}

/// A number with its thousands set apart: `1,234,567`.
pub(super) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A size in bytes as people read it: `512 B`, `1.1 kB`, `12.3 MB`.
pub(super) fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_the_unit_that_fits() {
        for (bytes, shown) in [
            (0, "0 B"),
            (999, "999 B"),
            (1_114, "1.1 kB"),
            (1_385_357, "1.4 MB"),
            (2_500_000_000, "2500.0 MB"),
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
