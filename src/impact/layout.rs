//! The passages of a report with what stands over each: headings, and the table that a row is of.

use std::collections::BTreeSet;

use super::contents::pages_of_contents;
use super::table::Table;
use crate::record::{Passage, PassageKind};

/// Headings over a passage that are looked at.
const HEADINGS: usize = 3;

/// See the file's head.
pub(super) struct Layout<'a> {
    pub(super) passages: &'a [Passage],
    /// Year of the report.
    pub(super) year: i32,
    /// Of each passage where the headings over it begin and end: those that follow one another.
    headings: Vec<(usize, usize)>,
    tables: Vec<Table<'a>>,
    /// Of each passage its table and the first row of that.
    places: Vec<Option<(usize, usize)>>,
    /// The pages that list the report's contents.
    contents: BTreeSet<u32>,
}

impl<'a> Layout<'a> {
    /// Cost is linear in the passages.
    pub(super) fn of(passages: &'a [Passage], year: i32) -> Self {
        let mut layout = Self {
            passages,
            year,
            headings: Vec::new(),
            tables: Vec::new(),
            places: Vec::new(),
            contents: pages_of_contents(passages),
        };
        let mut over = (0, 0);
        for (at, passage) in passages.iter().enumerate() {
            // A heading does not stand over itself.
            layout.headings.push(over);
            if passage.kind == PassageKind::Heading {
                over = (if over.1 == at { over.0 } else { at }, at + 1);
            }
            if is_row(passage) && layout.places.len() == at {
                layout.add_table(at);
            }
            if layout.places.len() == at {
                layout.places.push(None);
            }
        }
        layout
    }

    fn add_table(&mut self, at: usize) {
        let rows = self.passages[at..].iter().take_while(|passage| is_row(passage));
        let table = Table::of(rows.map(|passage| passage.text.as_str()), self.year);
        let place = Some((self.tables.len(), at));
        self.places.extend(std::iter::repeat_n(place, table.rows().len()));
        self.tables.push(table);
    }

    /// Whether a passage is of a page that lists the report's contents.
    pub(super) fn is_of_contents(&self, at: usize) -> bool {
        self.contents.contains(&self.passages[at].page)
    }

    /// The headings over a passage, the nearest first.
    pub(super) fn headings(&self, at: usize) -> impl Iterator<Item = &'a str> {
        let (from, to) = self.headings[at];
        self.passages[from..to].iter().rev().take(HEADINGS).map(|passage| passage.text.as_str())
    }

    /// The table of a row.
    pub(super) fn table(&self, at: usize) -> Option<&Table<'a>> {
        self.places[at].map(|(table, _)| &self.tables[table])
    }

    /// What introduces the table of a row: the passage before it that is no heading.
    pub(super) fn caption(&self, at: usize) -> Option<&'a str> {
        let (_, first) = self.places[at]?;
        let before = &self.passages[first.checked_sub(1)?];
        (before.kind != PassageKind::Heading).then_some(before.text.as_str())
    }
}

/// Whether a passage is a row; infographics may have lost their table.
fn is_row(passage: &Passage) -> bool {
    passage.kind == PassageKind::TableRow
        || (passage.text.contains(" | ") && passage.text.starts_with(|c: char| c.is_ascii_digit()))
}
