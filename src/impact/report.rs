//! Figures in the passages of a report: of the numbers in running text and in tables, those that the trained model takes
//! for figures. What each counts is named as in returns, or else by its row, its label or the passage next to it.

use super::cell_features::Cell;
use super::extract::{self, Strictness};
use super::features::Features;
use super::figures::FigureModel;
use super::labels::{self, Naming};
use super::layout::Layout;
use super::number::{Quantity, quantity};
use super::sentence::sentences;
use super::table::{self, Table};
use super::token::Tokens;
use super::{DistinctMetrics, Publication, Statement, may_count, one_line, unplaced};
use crate::record::{Metric, Passage};
use crate::text::years;

/// A number in a report.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportNumber {
    /// Its features for the model.
    pub features: Vec<String>,
    /// What it is if it is a figure.
    pub metric: Metric,
}

/// Figures that a report states, in their order; none twice, at most [`METRICS_MAX`](super::METRICS_MAX). Cost is linear in the passages.
pub fn report_metrics(passages: &[Passage], publication: &Publication<'_>) -> Vec<Metric> {
    let model = FigureModel::shared();
    let layout = Layout::of(passages, publication.year);
    let mut metrics = DistinctMetrics::default();
    for at in 0..passages.len() {
        let numbers = numbers(&layout, at, publication).into_iter();
        let figures = numbers.filter(|number| model.accepts(&number.features));
        metrics.extend(figures.map(|number| number.metric));
        if metrics.is_full() {
            break;
        }
    }
    metrics.found
}

/// Every number of a report with the number of its passage, for training.
#[cfg(any(test, feature = "internals"))]
pub fn report_numbers(
    passages: &[Passage],
    publication: &Publication<'_>,
) -> Vec<(usize, ReportNumber)> {
    let layout = Layout::of(passages, publication.year);
    let of_passage = |at| numbers(&layout, at, publication).into_iter().map(move |one| (at, one));
    (0..passages.len()).flat_map(of_passage).collect()
}

/// The numbers of a passage, in order.
fn numbers(layout: &Layout<'_>, at: usize, publication: &Publication<'_>) -> Vec<ReportNumber> {
    if layout.is_of_contents(at) {
        return Vec::new();
    }
    let passage = &layout.passages[at];
    let mut numbers = match layout.table(at) {
        Some(table) => in_row(layout, table, at, publication),
        None => in_text(layout, at, publication),
    };
    for ReportNumber { metric, .. } in &mut numbers {
        metric.url = publication.url_of_page(passage.page);
        metric.report_year = year_of(metric).or(metric.report_year);
    }
    numbers
}

fn in_text(layout: &Layout<'_>, at: usize, publication: &Publication<'_>) -> Vec<ReportNumber> {
    let mut found = Vec::new();
    for (place, sentence) in sentences(&layout.passages[at].text).enumerate() {
        if !may_count(sentence) {
            continue;
        }
        let sentence = one_line(sentence);
        let tokens = Tokens::of(&sentence);
        let figures = extract::figures(&tokens, Strictness::Accomplishments);
        let statement = Statement::new(publication, &sentence, &tokens);
        let quantities = quantities(&tokens);
        for (index, quantity) in quantities.iter().enumerate() {
            let by_rules = figures.iter().find(|figure| figure.at == quantity.first);
            let named = by_rules.cloned().or_else(|| labels::in_text(&tokens, quantity));
            let metric = match named {
                Some(figure) => Some(statement.metric(figure)),
                None => beside(layout, at, quantity, publication),
            };
            let Some(metric) = metric else { continue };
            let order = [place, index, quantities.len()];
            let mut told = Features::of_sentence(layout, at, &tokens, quantity, order);
            told.extend(by_rules.as_ref().map(|_| "by rules"));
            told.add(["no rules", "one by rules", "more by rules"][figures.len().min(2)]);
            found.push(ReportNumber { features: told.named(), metric });
        }
    }
    found
}

/// A number that stands alone, named by the passage behind it or before it: a large figure over its label.
fn beside(
    layout: &Layout<'_>,
    at: usize,
    quantity: &Quantity,
    publication: &Publication<'_>,
) -> Option<Metric> {
    let text = &layout.passages[at].text;
    let next = layout.passages.get(at + 1);
    let previous = at.checked_sub(1).map(|at| &layout.passages[at]);
    let near = next.into_iter().chain(previous);
    let mut near = near.filter(|passage| passage.text.len() <= LABEL_BYTES_MAX);
    let label = labels::of_label(&near.next()?.text)?;
    let Naming { kind, unit, text: label } = label;
    let whole = format!("{text} {label}");
    let metric = unplaced(publication, quantity.value, [kind, unit, whole.clone()], &whole);
    Some(Metric { source_snippet: Some(whole), ..metric })
}

/// Bytes of a passage that is the label of a number next to it.
const LABEL_BYTES_MAX: usize = 120;

fn in_row(
    layout: &Layout<'_>,
    table: &Table<'_>,
    at: usize,
    publication: &Publication<'_>,
) -> Vec<ReportNumber> {
    let row = one_line(&layout.passages[at].text);
    let cells = table::cells(&row);
    let label = table::label(&cells);
    let mut found = Vec::new();
    for (number, text) in cells.iter().enumerate() {
        let tokens = Tokens::of(text);
        let column = table.column(&cells, number);
        for quantity in quantities(&tokens) {
            let is_count = table::is_count(text);
            let first = table.columns().first().copied().unwrap_or_default();
            let scale = [column, label, first].into_iter().find_map(table::scale);
            let value = match scale.filter(|_| is_count) {
                Some(scale) => (quantity.value * scale).round(),
                None => quantity.value,
            };
            let by_rules = match is_count {
                true => labels::of_cell(column, label),
                false => labels::naming(&text[tokens[quantity.first].start..]),
            };
            let told = || {
                let column = if column.is_empty() { label } else { column };
                labels::of_label(if is_count { label } else { text })
                    .or_else(|| labels::of_label(column))
            };
            let is_by_rules = by_rules.is_some();
            let Some(Naming { kind, unit, .. }) = by_rules.or_else(told) else { continue };
            let metric = unplaced(publication, value, [kind, unit, row.clone()], &row);
            let metric = Metric { source_snippet: Some(row.clone()), ..metric };
            let cell = Cell { cells: &cells, at: number };
            let mut told = Features::of_cell(layout, at, cell, &tokens, &quantity);
            told.extend(is_by_rules.then_some("cell by rules"));
            told.extend(labels::counts(label).then_some("label by rules"));
            told.extend(labels::counts(column).then_some("column by rules"));
            told.add(["no labels", "some labels", "most labels"][table.counted()]);
            found.push(ReportNumber { features: told.named(), metric });
        }
    }
    found
}

/// The numbers of a sentence or a cell.
fn quantities(tokens: &Tokens<'_>) -> Vec<Quantity> {
    let mut found: Vec<Quantity> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let one = quantity(tokens, at);
        at = one.map_or(at + 1, |one| one.end);
        found.extend(one);
    }
    found
}

/// The year that the statement of time of a figure names.
fn year_of(metric: &Metric) -> Option<i32> {
    let text = metric.time_aggregation_text.as_deref()?;
    let mut years = years(text);
    let year = years.next()?;
    years.next().is_none().then_some(year).filter(|_| !text.to_lowercase().starts_with("since"))
}
