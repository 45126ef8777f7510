//! The features of a number in a cell of a table: what its row, its column and the other rows say of it.

use std::collections::HashSet;

use super::features::{Features, LABEL_MAX};
use super::layout::Layout;
use super::number::Quantity;
use super::table::{self, ColumnYear};
use super::token::Tokens;

/// A number in a row of a table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell<'a> {
    pub(super) cells: &'a [&'a str],
    pub(super) at: usize,
}

impl Features {
    /// Of a number in a cell of a table.
    pub(super) fn of_cell(
        layout: &Layout<'_>,
        at: usize,
        cell: Cell<'_>,
        tokens: &Tokens<'_>,
        quantity: &Quantity,
    ) -> Self {
        let mut told = Self::default();
        let (cells, label) = (cell.cells, table::label(cell.cells));
        told.add("kind:row");
        told.add_form(tokens, quantity, layout.year);
        told.add_around(tokens, quantity);
        told.add_headings(layout, at);
        told.add(if table::is_count(cells[cell.at]) { "pure" } else { "impure" });
        told.add_value("cells", cells.len().min(5));
        let last = cell.at + 1 == cells.len();
        told.add_value(
            "cell",
            if last {
                "last"
            } else if cell.at == 0 {
                "first"
            } else {
                "inner"
            },
        );
        let of_label = Tokens::of(label);
        of_label.iter().take(LABEL_MAX).for_each(|token| told.add_word("l", token));
        for (place, token) in [("l1", of_label.first()), ("lz", of_label.last())] {
            if let Some(token) = token {
                told.add_word(place, token);
            }
        }
        told.add_years("ly", label, layout.year);
        told.extend(table::is_rate(label).then_some("label of a rate"));
        if let Some(table) = layout.table(at) {
            told.add_table(table, cell);
        }
        let caption = layout.caption(at).map(Tokens::of);
        let last_words = caption.iter().flat_map(|tokens| tokens.iter().rev().take(LABEL_MAX));
        last_words.for_each(|token| told.add_value("cap", &token.lower));
        told.add_setting();
        told
    }

    fn add_table(&mut self, table: &table::Table<'_>, cell: Cell<'_>) {
        let column = table.column(cell.cells, cell.at);
        self.add_words("c", column);
        self.extend(table::is_aim(column).then_some("column of aims"));
        self.extend(table::is_rate(column).then_some("column of a rate"));
        let columns = table.columns();
        self.add_value("columns", columns.len().min(5));
        if let Some(first) = columns.first() {
            self.extend(table::is_rate(first).then_some("table of rates"));
            self.add_words("c0", first);
        }
        match table.year(cell.cells, cell.at) {
            ColumnYear::Current => {
                self.add("year current");
                self.extend(
                    table::is_count(cell.cells[cell.at]).then_some("year current, a count"),
                );
            }
            ColumnYear::Other => self.add("year other"),
            ColumnYear::Undated => self.add("year undated"),
            ColumnYear::Unknown => {
                let counts = cell.cells.iter().filter(|cell| table::is_count(cell)).count();
                self.add_value("year unknown, counts", counts.min(4));
            }
        }
        self.extend(table.row_year(cell.cells).map(|year| match year {
            ColumnYear::Current => "row of the latest year",
            _ => "row of an earlier year",
        }));
        let all = || table.rows().iter().flatten();
        self.extend(all().any(|cell| cell.contains('$')).then_some("table has $"));
        self.extend(all().any(|cell| cell.contains('%')).then_some("table has %"));
        let words: HashSet<String> = table
            .rows()
            .iter()
            .flat_map(|row| {
                let label = Tokens::of(table::label(row));
                label.iter().map(|token| token.lower.clone()).collect::<Vec<_>>()
            })
            .collect();
        self.0.extend(words.into_iter().map(|word| format!("t:{word}")));
    }
}
