//! The periods over which a sentence says that its figures add up.

use super::token::{Token, TokenKind, Tokens};
use crate::record::TimeAggregation;

/// A statement of time: its tokens and what it means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Span {
    pub(super) first: usize,
    /// Token behind.
    pub(super) end: usize,
    pub(super) over: TimeAggregation,
    /// Whether it is a rate (`each month`), which belongs to the neighbouring figure only.
    pub(super) rate: bool,
}

/// Years that the figures of a return may be of, besides those of its period: the year before, for
/// figures of the last school year, and the year after, for those of the time of filing.
const YEARS_AROUND: i32 = 1;

/// The statements of time in a sentence of a return, in order. `report_year` is the year in which
/// its period ends; a figure of a year that is not near it says when something was founded.
pub(super) fn spans(tokens: &Tokens<'_>, report_year: i32) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match span(tokens, at, report_year) {
            Some(span) => {
                at = span.end.max(at + 1);
                spans.push(span);
            }
            None => at += 1,
        }
    }
    spans
}

fn span(tokens: &Tokens<'_>, at: usize, report_year: i32) -> Option<Span> {
    let before = tokens.before(at, 1);
    // What is compared with a time is not of it: `20% less than last year`.
    if before.is_in("compared") || tokens.phrase_before("stock", at).is_some() {
        return None;
    }
    let phrase = |set| tokens.phrase(set, at);
    let made = |(meaning, end), rate| {
        TimeAggregation::named(meaning).map(|over| Span { first: at, end, over, rate })
    };
    // `400 annual visitors`
    if tokens[at].is("annual") && before.is_amount() {
        return made(("annual", at + 1), true);
    }
    if let Some(each) = phrase("each") {
        return made(each, true).filter(|each| !is_of_a_schedule(tokens, each));
    }
    let rate = phrase("rates").or_else(|| phrase("adverbs").filter(|_| is_adverb(tokens, at)));
    if let Some(rate) = rate {
        return made(rate, true);
    }
    if let Some(time) = phrase("times") {
        return made(time, false);
    }
    let (over, end) = if tokens[at].is("since") {
        (TimeAggregation::Cumulative, end_of_beginning(tokens, at)?)
    } else if tokens[at].is_in("years") || fiscal_year(&tokens[at].lower).is_some() {
        (TimeAggregation::Annual, end_of_year(tokens, at, report_year)?)
    } else {
        return None;
    };
    Some(Span { first: at, end, over, rate: false })
}

/// The year of `FY2022`, `FY15` and `FY21-22`, the latter by its end.
fn fiscal_year(word: &str) -> Option<i32> {
    let year = word.strip_prefix("fy")?;
    short_year(year.strip_prefix('-').unwrap_or(year))
}

/// The year of `2022`, `22`, `21-22`, `2021/22`, by its end.
fn short_year(text: &str) -> Option<i32> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (first, rest) = text.split_at(digits);
    let value: i32 = first.parse().ok()?;
    let full = match digits {
        2 => 2000 + value,
        4 => value,
        _ => return None,
    };
    let next = rest.strip_prefix(['-', '/', '–']);
    let whole = next.map_or(rest.is_empty(), |next| next.bytes().all(|c| c.is_ascii_digit()));
    whole.then_some(full + i32::from(next.is_some()))
}

/// Whether `monthly` and the like stand for themselves, not before a noun (`monthly meetings`).
fn is_adverb(tokens: &Tokens<'_>, at: usize) -> bool {
    let next = tokens.at(at + 1);
    (next.kind != TokenKind::Word || next.is_in("behind_adverbs"))
        && !tokens.before(at, 1).is_in("not_before_adverbs")
}

/// Whether `a week` and the like belong to a schedule or a length: `two days a week`, `for a year`,
/// `once a month`, `each day of`, `a week fishing`.
fn is_of_a_schedule(tokens: &Tokens<'_>, each: &Span) -> bool {
    let (before, next) = (tokens.before(each.first, 1), tokens.at(each.end));
    let article = tokens[each.first].is("a");
    let length =
        before.is_in("lasting") || next.kind == TokenKind::Word && next.lower.ends_with("ing");
    before.kind == TokenKind::Money
        || before.is_in("scheduled")
        || next.is_in("behind_schedules")
        || (article && length)
}

/// Where `since 1992`, `since the beginning` and the like end.
fn end_of_beginning(tokens: &Tokens<'_>, at: usize) -> Option<usize> {
    const QUALIFIERS_MAX: usize = 3;
    let qualifiers = tokens[at + 1..].iter().take(QUALIFIERS_MAX);
    let end = at + 1 + qualifiers.take_while(|token| token.is_in("since_qualifiers")).count();
    let token = tokens.at(end);
    (year_of(token).is_some() || token.is_in("inceptions")).then_some(end + 1)
}

/// Where `this year`, `during the school year`, `in fiscal year 2022`, `in 2022` end.
fn end_of_year(tokens: &Tokens<'_>, at: usize, report_year: i32) -> Option<usize> {
    let (position, named) = qualifiers(tokens, at);
    let joined = tokens.at(position).is("year-ended");
    let says_year = joined || tokens.at(position).is("year");
    let end = position + usize::from(says_year);
    let (first, last, token) = (&tokens[at], tokens.before(end, 1), tokens.at(end));
    let says_ended = joined || says_year && (token.is("ended") || token.is("ending"));
    let short = || (end > at && last.is_in("fiscal")).then(|| short_year(token.text)).flatten();
    if let Some(value) = year_of(token).or_else(|| fiscal_year(&token.lower)).or_else(short) {
        let tail = year_tail(tokens, end);
        // `in the 2022 elections` is of those.
        let attribute = !says_year && tail == 0 && end > at && last.is("the");
        let placed = !attribute && ((position > at && !first.is("the")) || says_year || named);
        let near = (value - report_year).abs() <= YEARS_AROUND;
        // `2019 to 2022`
        let ranges =
            tokens.at(end + 1).is_in("year_ranges") && year_of(tokens.at(end + 2)).is_some();
        return (near && placed && !ranges).then_some(end + 1 + tail);
    }
    // `largest by fiscal year expense`: what names a year only must stand behind a preposition.
    let behind = !first.is_in("unopened") || tokens.before(at, 1).is_in("year_openers");
    (says_year && behind && (named || says_ended)).then_some(end)
}

/// Token behind a preposition and the words that qualify a year, at most five, and whether they
/// tell which year is meant.
fn qualifiers(tokens: &Tokens<'_>, at: usize) -> (usize, bool) {
    const QUALIFIERS_MAX: usize = 5;
    let mut position = at;
    let mut named = tokens[at].is_in("named_years");
    while position < at + QUALIFIERS_MAX {
        let token = tokens.at(position);
        if fiscal_year(&token.lower).is_some() {
            return (position, true);
        }
        let preposition = position == at && token.is_in("year_prepositions");
        if !preposition && !token.is_in("year_qualifiers") {
            break;
        }
        named |= token.is_in("telling_qualifiers");
        position += 1;
    }
    (position, named)
}

/// Tokens that belong to a year behind it: `school year`, `season`, `/14`.
fn year_tail(tokens: &Tokens<'_>, at: usize) -> usize {
    let next = tokens.at(at + 1);
    let season = usize::from(next.is_in("seasons"));
    // `FY13/14`, cut at the stroke.
    let stroke = next.is_punctuation('/') && short_year(tokens.at(at + 2).text).is_some();
    match tokens.at(at + 1 + season).is_in("year_ends") {
        true => season + 1,
        false => 2 * usize::from(stroke),
    }
}

/// The year that a token names: `2022`, or `2021-22` and `2021-2022` by its end.
fn year_of(token: &Token<'_>) -> Option<i32> {
    let (year, rest) = token.text.split_at_checked(4)?;
    let digits = year.bytes().all(|byte| byte.is_ascii_digit());
    if !digits || !(rest.is_empty() || rest.starts_with(['-', '/'])) {
        return None;
    }
    let year: i32 = year.parse().ok()?;
    (1900..=2100).contains(&year).then_some(year + i32::from(!rest.is_empty()))
}
