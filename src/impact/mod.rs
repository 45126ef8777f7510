//! Impact: the figures that a return states in its accomplishments, and a report in its passages.
//!
//! Their text is cut into [`sentences`], a sentence into tokens; every number in it that
//! counts something a nonprofit does or serves, stated as done, becomes a [`Metric`]. Years, ages,
//! money, capacities, aims and the world's statistics do not. Doubtful ones are left out: a wrong
//! figure costs more than a missing one. The words that decide are in `data/impact_*.tsv`. In a report a trained model
//! decides (`figures`); the verdict of these rules is one of its features.

mod cell_features;
mod contents;
mod context;
mod counted;
mod extract;
mod features;
mod figures;
mod labels;
mod layout;
mod lexicon;
mod listing;
mod measure;
mod number;
mod place;
mod report;
mod sentence;
mod span;
mod table;
mod timing;
mod token;

#[cfg(test)]
mod tests;

use std::collections::HashSet;

use xxhash_rust::xxh3::xxh3_64;

use crate::record::{Ein, Filing, Metric, State, TimeAggregation, Timestamp, thousands};
use extract::Strictness;
use number::Figure;
use timing::Timing;
use token::Tokens;

pub use report::report_metrics;
#[cfg(any(test, feature = "internals"))]
pub use report::{ReportNumber, report_numbers};
pub use sentence::{is_abbreviation, sentences, telling};

/// Metrics of a return; what lists more is a catalogue, and a profile shows a few of them.
pub const METRICS_MAX: usize = 200;

/// Characters of a snippet.
const SNIPPET_MAX: usize = 600;

/// What states figures: a return or a report.
#[derive(Debug, Clone)]
pub struct Publication<'a> {
    /// Of the nonprofit.
    pub ein: Ein,
    /// State in which it is, where places are looked for first.
    pub state: Option<State>,
    /// Year that it is about.
    pub year: i32,
    /// Tells it from the nonprofit's others, in identifiers.
    pub edition: String,
    /// Where it can be read.
    pub url: Option<&'a str>,
    /// When it was filed or published.
    pub published: Option<Timestamp>,
}

impl<'a> Publication<'a> {
    fn of(filing: &Filing, url: Option<&'a str>) -> Self {
        let filed = filing.filed.unwrap_or_else(|| Timestamp::of_day(filing.period_end));
        Self {
            ein: filing.ein,
            state: filing.state,
            year: i32::from(filing.period_end.year()),
            edition: filing.period_end.to_string(),
            url,
            published: Some(filed),
        }
    }

    /// Where a page of it can be read: browsers open a PDF at the page that its address names.
    pub fn url_of_page(&self, page: u32) -> Option<String> {
        let url = self.url?;
        let path = url.split(['?', '#']).next().unwrap_or(url);
        Some(match path.to_ascii_lowercase().ends_with(".pdf") && !url.contains('#') {
            true => format!("{url}#page={page}"),
            false => url.to_owned(),
        })
    }
}

/// Figures that a return states on lines of their own and in its programme accomplishments, in their
/// order; none twice, at most [`METRICS_MAX`]. The mission is read too, last and more strictly. `url` is where the return
/// can be read. Cost is linear in the texts.
pub fn metrics(filing: &Filing, url: Option<&str>) -> Vec<Metric> {
    let programs = filing.programs.iter().map(|program| program.description.as_str());
    let texts = programs
        .map(|text| (text, Strictness::Accomplishments))
        .chain(filing.mission.as_deref().map(|text| (text, Strictness::Mission)));
    let publication = Publication::of(filing, url);
    let mut metrics = DistinctMetrics::default();
    metrics.extend(on_own_lines(filing, &publication));
    for (text, reading) in texts {
        for sentence in sentences(text).filter(|sentence| may_count(sentence)) {
            metrics.extend(of_sentence(&publication, sentence, reading));
            if metrics.is_full() {
                return metrics.found;
            }
        }
    }
    metrics.found
}

/// Metrics in their order, none of the same value and type twice, at most [`METRICS_MAX`].
#[derive(Debug, Default)]
struct DistinctMetrics {
    seen: HashSet<(u64, String)>,
    found: Vec<Metric>,
}

impl DistinctMetrics {
    fn extend(&mut self, metrics: impl IntoIterator<Item = Metric>) {
        for metric in metrics {
            let value = metric.metric_value.unwrap_or_default().to_bits();
            let kind = metric.metric_type.clone().unwrap_or_default();
            if !self.is_full() && self.seen.insert((value, kind)) {
                self.found.push(metric);
            }
        }
    }

    fn is_full(&self) -> bool {
        self.found.len() == METRICS_MAX
    }
}

/// Whether a sentence may have a number: most have none and are not read further.
fn may_count(sentence: &str) -> bool {
    // Number words have one of these beginnings; that a few other words do too costs only time.
    const BEGINNINGS: [&str; 15] = [
        "two", "thr", "fou", "fiv", "fif", "six", "sev", "eig", "nin", "ten", "twe", "thi", "for",
        "ele", "one",
    ];
    let worded = |word: &str| {
        let start = word.get(..3).unwrap_or_default();
        BEGINNINGS.iter().any(|known| known.eq_ignore_ascii_case(start))
    };
    sentence.bytes().any(|byte| byte.is_ascii_digit()) || sentence.split_whitespace().any(worded)
}

/// Figures that a sentence states as accomplished, in their order.
pub fn figures_of(sentence: &str, publication: &Publication<'_>) -> Vec<Metric> {
    match may_count(sentence) {
        true => of_sentence(publication, sentence, Strictness::Accomplishments),
        false => Vec::new(),
    }
}

fn of_sentence(publication: &Publication<'_>, sentence: &str, reading: Strictness) -> Vec<Metric> {
    let sentence = one_line(sentence);
    let tokens = Tokens::of(&sentence);
    let mut figures = extract::figures(&tokens, reading);
    // `TOTAL 2016 INCIDENTS: 21,028`
    let year = publication.year.to_string();
    figures.retain(|figure| {
        figure.value != f64::from(publication.year)
            || !sentence[figure.text.clone()].contains(&year)
    });
    if figures.is_empty() {
        return Vec::new();
    }
    let statement = Statement::new(publication, &sentence, &tokens);
    figures.into_iter().take(METRICS_MAX).map(|figure| statement.metric(figure)).collect()
}

/// A sentence with its statements of time.
struct Statement<'a> {
    publication: &'a Publication<'a>,
    sentence: &'a str,
    tokens: &'a Tokens<'a>,
    timing: Timing<'a, 'a>,
}

impl<'a> Statement<'a> {
    fn new(publication: &'a Publication<'a>, sentence: &'a str, tokens: &'a Tokens<'a>) -> Self {
        Self { publication, sentence, tokens, timing: Timing::new(tokens, publication.year) }
    }

    fn metric(&self, figure: Figure) -> Metric {
        let Self { publication, sentence, tokens, timing } = self;
        let span = timing.of(&figure);
        let of_span = |span: span::Span| tokens[span.first].start..tokens[span.end - 1].end;
        let text = sentence[figure.text.clone()].to_owned();
        Metric {
            geo_impact: place::place(tokens, &figure, publication.state),
            time_aggregation: span.map(|span| span.over.name().to_owned()),
            time_aggregation_text: span.map(|span| sentence[of_span(span)].to_owned()),
            source_snippet: Some(snippet(sentence, &figure.text)),
            ..unplaced(publication, figure.value, [figure.kind, figure.unit, text], sentence)
        }
    }
}

/// Figures that a return states on lines of their own: volunteers, and who got grants.
fn on_own_lines(filing: &Filing, publication: &Publication<'_>) -> Vec<Metric> {
    let (charities, others) = (filing.totals.schedule_i_charities, filing.totals.schedule_i_others);
    let funded = charities.unwrap_or_default().checked_add(others.unwrap_or_default());
    let lines = [
        ("volunteers", filing.volunteers, "Form 990, Part I, line 6"),
        ("organizations funded", funded, "Schedule I, Part II, lines 2 and 3"),
    ];
    let metric = |(kind, count, line): (&str, Option<u32>, &str)| {
        let count = count.filter(|count| *count > 0)?;
        let text = format!("{} {kind}", thousands(u64::from(count)));
        let snippet = format!("{text} ({line})");
        let texts = [kind.to_owned(), kind.to_owned(), text];
        Some(Metric {
            time_aggregation: Some(TimeAggregation::Annual.name().to_owned()),
            source_snippet: Some(snippet.clone()),
            ..unplaced(publication, f64::from(count), texts, &snippet)
        })
    };
    lines.into_iter().filter_map(metric).collect()
}

/// A metric of a statement, without its place and time.
fn unplaced(
    publication: &Publication<'_>,
    value: f64,
    [kind, unit, text]: [String; 3],
    statement: &str,
) -> Metric {
    Metric {
        metric_id: identifier(publication, &text, statement),
        ein: publication.ein,
        metric_type: Some(kind),
        metric_value: Some(value),
        unit: Some(unit),
        geo_impact: None,
        time_aggregation: None,
        time_aggregation_text: None,
        source_snippet: None,
        url: publication.url.map(str::to_owned),
        report_year: Some(publication.year),
        date_added: publication.published,
        metric_text: Some(text),
    }
}

/// Names a metric: the same as long as the return says the same.
fn identifier(publication: &Publication<'_>, text: &str, sentence: &str) -> String {
    let Publication { ein, edition, .. } = publication;
    let named = format!("{ein}\u{1f}{edition}\u{1f}{text}\u{1f}{sentence}");
    format!("m{:016x}", xxh3_64(named.as_bytes()))
}

/// A text with single blanks.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The sentence, or where it is too long what surrounds the phrase in it, cut at words.
fn snippet(sentence: &str, phrase: &std::ops::Range<usize>) -> String {
    if sentence.chars().count() <= SNIPPET_MAX {
        return sentence.to_owned();
    }
    // Two characters are for the marks of what is left out.
    let room = SNIPPET_MAX - 2;
    let byte = |from: usize, chars: usize| {
        sentence[from..].char_indices().nth(chars).map_or(sentence.len(), |(at, _)| from + at)
    };
    let start = if sentence[..phrase.end].chars().count() <= room {
        0
    } else {
        let before = sentence[..phrase.start].chars().count();
        let near = byte(0, before.saturating_sub(room / 2));
        sentence[near..phrase.start].find(' ').map_or(near, |blank| near + blank + 1)
    };
    let far = byte(start, room);
    let end = if far == sentence.len() {
        far
    } else {
        sentence[phrase.end..far].rfind(' ').map_or(far, |blank| phrase.end + blank)
    };
    let opened = if start > 0 { "…" } else { "" };
    let closed = if end < sentence.len() { "…" } else { "" };
    format!("{opened}{}{closed}", &sentence[start..end])
}
