//! Figures in the passages of a report: its sentences, and the rows of its tables, where a number and its label share a
//! row.
//!
//! What follows a heading about aims is none, nor what follows one about the world's need.

use super::lexicon::{self, Count, looks_plural};
use super::sentence::sentences;
use super::token::{Token, TokenKind, Tokens};
use super::{DistinctMetrics, Publication, figures_of, one_line, unplaced};
use crate::record::{Metric, Passage, PassageKind};
use crate::text::years;

/// Words of a label that tell what is counted.
const LABEL_WORDS_MAX: usize = 6;

/// Figures below this in rows and items say little.
const VALUE_MIN: f64 = 3.0;

/// Figures that a report states, in their order; none twice, at most [`METRICS_MAX`]. Cost is linear in the passages.
pub fn report_metrics(passages: &[Passage], publication: &Publication<'_>) -> Vec<Metric> {
    let mut metrics = DistinctMetrics::default();
    let mut is_told = true;
    let mut table = Table::default();
    for passage in passages {
        if passage.kind == PassageKind::Heading {
            is_told = tells(&passage.text, publication.year);
        }
        // Infographics may have lost their table.
        let is_loose =
            passage.text.contains(" | ") && passage.text.starts_with(|c: char| c.is_ascii_digit());
        let is_row = passage.kind == PassageKind::TableRow;
        if !is_row {
            table = Table::default();
        }
        if !is_told {
            continue;
        }
        let found: Vec<Metric> = match is_row || is_loose {
            true => table.figure(&passage.text, publication).into_iter().collect(),
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

/// The figures of running text; a short item or caption that begins with a number is read as a row.
fn of_text(text: &str, kind: PassageKind, publication: &Publication<'_>) -> Vec<Metric> {
    let mut found: Vec<Metric> = Vec::new();
    for sentence in sentences(text) {
        let mut figures = figures_of(sentence, publication);
        figures.retain(|metric| is_current(sentence, metric));
        let is_item = matches!(kind, PassageKind::ListItem | PassageKind::Caption);
        if figures.is_empty() && is_item && sentence.starts_with(|c: char| c.is_ascii_digit()) {
            figures.extend(labelled(sentence, sentence, publication));
        }
        for metric in &mut figures {
            metric.report_year = year_of(metric).or(metric.report_year);
        }
        found.extend(figures);
    }
    found
}

/// Whether a figure is of the year of the report: no `prior year` is next to it.
fn is_current(sentence: &str, metric: &Metric) -> bool {
    let text = metric.metric_text.as_deref().unwrap_or_default();
    let one = one_line(sentence);
    let Some(start) = one.find(text) else { return true };
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

/// A table as far as it was read: what its columns are.
#[derive(Debug, Default)]
struct Table {
    columns: Vec<String>,
    is_begun: bool,
}

impl Table {
    /// The figure of a row; the row of headings has none.
    fn figure(&mut self, row: &str, publication: &Publication<'_>) -> Option<Metric> {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let is_first = !std::mem::replace(&mut self.is_begun, true);
        let is_heading = |cell: &&str| whole_number(cell).is_none() || years(cell).next().is_some();
        if is_first
            && cells.len() > 1
            && cells[1..].iter().all(is_heading)
            && whole_number(cells[0]).is_none()
        {
            self.columns = cells.iter().map(|cell| cell.to_lowercase()).collect();
            return None;
        }
        let label = *cells.iter().find(|cell| cell.chars().any(char::is_alphabetic))?;
        let (at, value) = self.current(&cells, publication.year)?;
        if is_rate(label) {
            return None;
        }
        let column = self.columns.get(at).map(String::as_str).unwrap_or_default();
        let of_column = Tokens::of(column)
            .iter()
            .rfind(|token| token.word.noun.is_some())
            .map(|token| token.lower.clone());
        let said = match of_column {
            Some(noun) if at > 0 => format!("{} {noun}", cells[at]),
            _ => format!("{} {}", cells[at], uncapitalised(label)),
        };
        let mut metric = labelled(&said, row, publication)?;
        metric.metric_value = Some(value);
        metric.metric_text = Some(row.to_owned());
        Some(metric)
    }

    /// The cell of the year of the report: not an aim, and of several years its own or else the last.
    fn current(&self, cells: &[&str], of: i32) -> Option<(usize, f64)> {
        let column = |at: usize| self.columns.get(at).map(String::as_str).unwrap_or_default();
        let is_other = |at: usize| {
            let tokens = Tokens::of(column(at));
            let listed =
                |token: &Token<'_>| token.is_in("aim_headings") || token.is_in("earlier_columns");
            is_rate(column(at)) || tokens.iter().any(listed)
        };
        let counts =
            cells.iter().enumerate().filter_map(|(at, cell)| Some((at, whole_number(cell)?)));
        let counts: Vec<(usize, f64)> = counts.filter(|(at, _)| !is_other(*at)).collect();
        let own = counts.iter().find(|(at, _)| years(column(*at)).last() == Some(of));
        own.or(counts.last()).copied()
    }
}

/// Whether a column or a label is of a rate or a level, which adds up to nothing.
fn is_rate(text: &str) -> bool {
    text.contains(['%', '°']) || Tokens::of(text).iter().any(|token| token.is_in("rate_columns"))
}

/// A count that a cell is: digits with commas between thousands, `+` behind, and nothing else.
fn whole_number(cell: &str) -> Option<f64> {
    let digits = cell.strip_suffix('+').unwrap_or(cell);
    let known =
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b',');
    let value: f64 = digits.replace(',', "").parse().ok().filter(|_| known)?;
    (value >= VALUE_MIN).then_some(value)
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

/// The figure of a number with its label behind it, where the label names what may be counted.
fn labelled(said: &str, source: &str, publication: &Publication<'_>) -> Option<Metric> {
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
    let head = label.iter().position(is_counted)?;
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
