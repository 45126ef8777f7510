//! Figures in the passages of a report: of its sentences, and of the rows of its tables.
//!
//! What follows a heading about aims is none, nor what follows one about the world's need.

use super::sentence::sentences;
use super::table::{Table, labelled};
use super::token::{Token, Tokens};
use super::{DistinctMetrics, Publication, figures_of, one_line};
use crate::record::{Metric, Passage, PassageKind};
use crate::text::years;

/// Counts below this in running text are of somebody's story or of a staff more often than of a year's work.
const COUNT_MIN: f64 = 10.0;

/// Words of a passage that is a label with its number.
const LABELLED_WORDS_MAX: usize = 12;

/// Figures that a report states, in their order; none twice, at most [`METRICS_MAX`](super::METRICS_MAX). Cost is linear in the passages.
pub fn report_metrics(passages: &[Passage], publication: &Publication<'_>) -> Vec<Metric> {
    let mut metrics = DistinctMetrics::default();
    let (mut is_told, mut is_of_money) = (true, false);
    let mut table = None;
    for (at, passage) in passages.iter().enumerate() {
        if passage.kind == PassageKind::Heading {
            is_told = tells(&passage.text, publication.year);
            let tokens = Tokens::of(&passage.text);
            is_of_money = tokens.iter().any(|token| token.is_in("money_headings"));
        }
        // Infographics may have lost their table.
        let is_loose =
            passage.text.contains(" | ") && passage.text.starts_with(|c: char| c.is_ascii_digit());
        let is_row = passage.kind == PassageKind::TableRow;
        if !is_row {
            table = None;
        }
        if !is_told || (is_of_money && is_row) {
            continue;
        }
        let found: Vec<Metric> = match is_row || is_loose {
            true => {
                let rows = || {
                    let rows = passages[at..].iter().take_while(|one| one.kind == passage.kind);
                    rows.map(|one| one.text.as_str())
                };
                table.get_or_insert_with(|| Table::of(rows())).figures(&passage.text, publication)
            }
            false => of_text(&passage.text, passage.kind, publication),
        };
        let url = publication.url_of_page(passage.page);
        metrics.extend(found.into_iter().map(|metric| Metric { url: url.clone(), ..metric }));
        if metrics.is_full() {
            break;
        }
    }
    metrics.found
}

/// Whether what stands under a heading may be achieved: it is neither about aims nor about the world.
fn tells(heading: &str, year: i32) -> bool {
    let tokens = Tokens::of(heading);
    let has = |list: &str| tokens.iter().any(|token| token.is_in(list));
    let aims = has("aim_headings") || years(heading).any(|named| named > year);
    !(aims || has("need_headings")) || has("outcome_headings")
}

/// The figures of running text; a short passage that is a number and its label is read as a row.
fn of_text(text: &str, kind: PassageKind, publication: &Publication<'_>) -> Vec<Metric> {
    if let Some(metric) = behind_label(text, publication) {
        return vec![metric];
    }
    let mut found: Vec<Metric> = Vec::new();
    for sentence in sentences(text) {
        let mut figures = figures_of(sentence, publication);
        figures.retain(|metric| is_current(sentence, metric, publication.year));
        let is_item = matches!(kind, PassageKind::ListItem | PassageKind::Caption);
        if figures.is_empty() && is_item && sentence.starts_with(|c: char| c.is_ascii_digit()) {
            figures.extend(labelled(sentence, sentence, publication));
        }
        figures.retain(|metric| metric.metric_value.is_some_and(|value| value >= COUNT_MIN));
        for metric in &mut figures {
            metric.report_year = year_of(metric).or(metric.report_year);
        }
        found.extend(figures);
    }
    found
}

/// The figure of a label with its number behind it: `Hours of instruction: 11,260`.
fn behind_label(text: &str, publication: &Publication<'_>) -> Option<Metric> {
    let (label, number) = text.trim_end_matches('.').split_once(": ")?;
    let is_short = label.split_whitespace().count() <= LABELLED_WORDS_MAX;
    let row = format!("{label} | {number}");
    let figures = is_short.then(|| Table::default().figures(&row, publication))?;
    let text = Some(text.to_owned());
    let metric = figures.into_iter().next().filter(|_| !label.contains(['|', '.']))?;
    Some(Metric { metric_text: text.clone(), source_snippet: text, ..metric })
}

/// Whether a figure is of the year of the report: no `prior year` is next to it, nor does it stand behind an earlier year
/// in a parenthesis, as in `(2022: 171 classes)`.
fn is_current(sentence: &str, metric: &Metric, year: i32) -> bool {
    let text = metric.metric_text.as_deref().unwrap_or_default();
    let one = one_line(sentence);
    let Some(start) = one.find(text) else { return true };
    let opened = one[..start].rsplit_once('(').map(|(_, within)| within);
    if opened.is_some_and(|within| !within.contains(')') && years(within).any(|one| one < year)) {
        return false;
    }
    let tokens = Tokens::of(&one);
    let around = |token: &&Token<'_>| token.end <= start || token.start >= start + text.len();
    let nearest = tokens
        .iter()
        .filter(around)
        .filter(|token| token.is_in("earlier"))
        .map(|token| {
            start.saturating_sub(token.end).max(token.start.saturating_sub(start + text.len()))
        })
        .min();
    nearest.is_none_or(|distance| distance > EARLIER_REACH)
}

/// Bytes between a figure and a word for the year before that make it one of that year.
const EARLIER_REACH: usize = 16;

/// The year that the statement of time of a figure names.
fn year_of(metric: &Metric) -> Option<i32> {
    let text = metric.time_aggregation_text.as_deref()?;
    let mut years = years(text);
    let year = years.next()?;
    years.next().is_none().then_some(year).filter(|_| !text.to_lowercase().starts_with("since"))
}
