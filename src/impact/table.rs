//! Rows of tables in reports, where numbers and their labels share a row: what each counts.

use super::lexicon::{self, Count, looks_plural};
use super::token::{Token, TokenKind, Tokens};
use super::{Publication, figures_of, unplaced};
use crate::record::Metric;
use crate::text::years;

/// Words of a label that tell what is counted.
const LABEL_WORDS_MAX: usize = 6;

/// Figures below this in rows and items say little.
const VALUE_MIN: f64 = 3.0;

/// Cells with a number and its label from which a row is a list of them.
const LABELLED_CELLS_MIN: usize = 2;

/// A table as far as it was read: what its columns are, in lower case.
#[derive(Debug, Default)]
pub(super) struct Table {
    columns: Vec<String>,
    is_begun: bool,
    is_of_money: bool,
}

/// A number in a row.
#[derive(Debug, Clone, Copy)]
struct Cell<'a> {
    value: f64,
    /// The heading of its column; empty without one.
    column: &'a str,
}

impl Table {
    /// A table of these rows before the first is read; without signs of money it is one of accounts by their labels.
    pub(super) fn of<'a>(mut rows: impl Iterator<Item = &'a str>) -> Self {
        let accounts = |row: &str| {
            let label = row.split('|').next().unwrap_or(row);
            !row.contains('$') && Tokens::of(label).iter().any(|token| token.is_in("money_tables"))
        };
        Self { is_of_money: rows.any(accounts), ..Self::default() }
    }

    /// The figures of a row, whose cells are parted by `|`; the row of headings has none.
    pub(super) fn figures(&mut self, row: &str, publication: &Publication<'_>) -> Vec<Metric> {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        if !std::mem::replace(&mut self.is_begun, true) && is_header(&cells) {
            self.columns = cells.iter().map(|cell| cell.to_lowercase()).collect();
            return Vec::new();
        }
        let is_rated = self.columns.len() == cells.len() && is_rate(&self.columns[0]);
        if is_rated || self.is_of_money {
            return Vec::new();
        }
        let label = cells.iter().find(|cell| cell.chars().any(char::is_alphabetic)).copied();
        let Some(label) = label.filter(|label| !is_rate(label)) else { return Vec::new() };
        let numbers = self.numbers(&cells, label, publication.year);
        let counts =
            |column: &str| labelled(&format!("{VALUE_MIN} {column}"), row, publication).is_some();
        let are_counted = numbers.len() > 1 && numbers.iter().all(|cell| counts(cell.column));
        let current =
            numbers.iter().find(|cell| years(cell.column).last() == Some(publication.year));
        match current.or(numbers.last()) {
            _ if are_counted => {
                let figures = numbers.iter().map(|cell| figure(*cell, "", row, publication));
                figures.flatten().collect()
            }
            Some(cell) => figure(*cell, label, row, publication).into_iter().collect(),
            None => listed(&cells, row, publication),
        }
    }

    /// The counts of a row, in order: neither aims nor rates, nor of an earlier or a later year than the report's.
    fn numbers(&self, cells: &[&str], label: &str, year: i32) -> Vec<Cell<'_>> {
        // The first cell of the headings may be empty, and then is none.
        let missing = if self.columns.is_empty() {
            0
        } else {
            cells.len().saturating_sub(self.columns.len())
        };
        let column = |at: usize| {
            at.checked_sub(missing).and_then(|at| self.columns.get(at)).map_or("", String::as_str)
        };
        let number = |(at, text): (usize, &&str)| {
            let column = column(at);
            let scale = scale(column).or_else(|| scale(label)).unwrap_or(1.0);
            Some(Cell { value: number(text, scale)?, column })
        };
        let is_other = |cell: &Cell<'_>| {
            let listed =
                |token: &Token<'_>| token.is_in("aim_headings") || token.is_in("earlier_columns");
            is_rate(cell.column)
                || Tokens::of(cell.column).iter().any(listed)
                || years(cell.column).any(|named| named > year)
        };
        let numbers = cells.iter().enumerate().filter_map(number);
        numbers.filter(|cell| !is_other(cell)).collect()
    }
}

/// Whether the first row of a table is that of its headings: no cell has a count, but may have a year.
fn is_header(cells: &[&str]) -> bool {
    cells.len() > 1
        && cells.iter().all(|cell| number(cell, 1.0).is_none() || years(cell).next().is_some())
}

/// The figure of a number: what it counts is named by its column, or else by the row's label or the part of that behind a
/// comma.
fn figure(cell: Cell<'_>, label: &str, row: &str, publication: &Publication<'_>) -> Option<Metric> {
    let of_column = Tokens::of(cell.column);
    let of_column = of_column.iter().rfind(|token| token.word.noun.is_some());
    let column = match label {
        "" => Some(cell.column.to_owned()),
        _ => of_column.map(|token| token.lower.clone()),
    };
    let part = label.split_once(", ").map(|(_, part)| part.to_owned());
    let labels = [column, Some(uncapitalised(label)), part].into_iter().flatten();
    let said = |label: String| labelled(&format!("{} {label}", cell.value), row, publication);
    let metric = labels.filter(|label| !label.is_empty()).find_map(said)?;
    let (metric_value, metric_text) = (Some(cell.value), Some(row.to_owned()));
    Some(Metric { metric_value, metric_text, ..metric })
}

/// The figures of a row whose cells have numbers with their labels: `Winter drive | 3,960 coats | 41 schools`.
fn listed(cells: &[&str], row: &str, publication: &Publication<'_>) -> Vec<Metric> {
    let begins = |cell: &&&str| cell.starts_with(|c: char| c.is_ascii_digit()) && !is_rate(cell);
    let labelled_cells: Vec<&&str> = cells.iter().filter(begins).collect();
    if labelled_cells.len() < LABELLED_CELLS_MIN {
        return Vec::new();
    }
    labelled_cells.into_iter().filter_map(|cell| labelled(cell, row, publication)).collect()
}

/// Whether a column or a label is of money, of a rate or of a level, which adds up to nothing.
fn is_rate(text: &str) -> bool {
    text.contains(['%', '°', '$'])
        || Tokens::of(text).iter().any(|token| token.is_in("rate_columns"))
}

/// What numbers of a column or a row are in: 1,000 of `Diapers (thousands)`.
fn scale(text: &str) -> Option<f64> {
    let (_, behind) = text.rsplit_once('(')?;
    let word = behind.trim_end_matches(')').trim().to_lowercase();
    lexicon::word(word.strip_suffix('s').unwrap_or(&word)).meaning("magnitude")?.parse().ok()
}

/// The count that a cell is: digits with commas between thousands, `+` behind, and nothing else; a decimal fraction
/// where it is in thousands or more.
fn number(cell: &str, scale: f64) -> Option<f64> {
    let digits = cell.strip_suffix('+').unwrap_or(cell);
    let known = digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b'.'));
    let value: f64 = digits.replace(',', "").parse().ok().filter(|_| known)?;
    let value = (value * scale).round().min(f64::MAX);
    let is_whole = scale > 1.0 || !digits.contains('.');
    (is_whole && value >= VALUE_MIN).then_some(value)
}

/// A label as it stands behind its number, unless it is in capitals.
fn uncapitalised(label: &str) -> String {
    let mut chars = label.chars();
    let first = chars.next().map(|c| c.to_lowercase().to_string()).unwrap_or_default();
    match chars.clone().next() {
        Some(second) if second.is_uppercase() => label.to_owned(),
        _ => first + chars.as_str(),
    }
}

/// The figure of a number with its label behind it, where the label names what may be counted, or what was done.
pub(super) fn labelled(said: &str, source: &str, publication: &Publication<'_>) -> Option<Metric> {
    let snippet = |metric: Metric| Metric { source_snippet: Some(source.to_owned()), ..metric };
    if let Some(metric) = figures_of(said, publication).into_iter().next() {
        return Some(snippet(metric));
    }
    let tokens = Tokens::of(said);
    let TokenKind::Number(value) = tokens.at(0).kind else { return None };
    let is_part = |token: &&Token<'_>| token.kind == TokenKind::Word && !token.is_in("ends");
    let length = tokens[1..].iter().take(LABEL_WORDS_MAX).take_while(is_part).count();
    let label = &tokens[1..=length];
    let is_counted = |token: &Token<'_>| match token.word.noun {
        Some(noun) => !matches!(noun.count, Count::Never | Count::Own),
        None => looks_plural(&token.lower),
    };
    let is_done = label.first().is_some_and(|token| token.word.verb.is_some_and(|verb| verb.past));
    let head = label.iter().position(is_counted).or_else(|| is_done.then(|| length - 1))?;
    let refused = label.iter().any(|token| {
        token.is_in("staff")
            || token.is_in("governing")
            || lexicon::lists("money_labels", &token.lower)
    });
    if refused || value < VALUE_MIN {
        return None;
    }
    let kind =
        label[..=head].iter().map(|token| token.lower.as_str()).collect::<Vec<_>>().join(" ");
    let text = said[..label[head].end].to_owned();
    let texts = [kind, label[head].lower.clone(), text];
    Some(snippet(unplaced(publication, value, texts, source)))
}
