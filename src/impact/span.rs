//! Over which time a sentence says that its figures add up.

use super::token::{Kind, Token};
use crate::record::TimeAggregation;

/// A statement of time: its tokens and what it means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Span {
    pub(super) first: usize,
    /// Token behind.
    pub(super) end: usize,
    pub(super) over: TimeAggregation,
    /// Whether it is a rate (`each month`), which belongs to what stands beside it only.
    pub(super) rate: bool,
}

/// Years that a return may tell its figures of, beside those of its period: the year before, for
/// figures of the last school year, and the year after, for what is told when it is filed.
const YEARS_AROUND: i32 = 1;

/// The statements of time in a sentence of a return, in order. `report_year` is the year in which
/// its period ends; a figure of a year that is not near it says when something was founded.
pub(super) fn spans(tokens: &[Token<'_>], report_year: i32) -> Vec<Span> {
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

fn span(tokens: &[Token<'_>], at: usize, report_year: i32) -> Option<Span> {
    let word = |ahead: usize| tokens.get(at + ahead).map_or("", |token| token.lower.as_str());
    // What is compared with a time is not of it: `20% less than last year`.
    let before = at.checked_sub(1).map_or("", |before| tokens[before].lower.as_str());
    if matches!(before, "than" | "from") {
        return None;
    }
    let rate = !matches!(word(0), "to" | "over" | "in");
    let made = |length, over| Some(Span { first: at, end: at + length, over, rate });
    match word(0) {
        "annually" | "yearly" if adverb(tokens, at) => made(1, TimeAggregation::Annual),
        "monthly" if adverb(tokens, at) => made(1, TimeAggregation::Monthly),
        "weekly" if adverb(tokens, at) => made(1, TimeAggregation::Weekly),
        "daily" if adverb(tokens, at) => made(1, TimeAggregation::Daily),
        "per" | "each" | "every" | "a" => {
            let qualified =
                matches!(word(1), "calendar" | "fiscal" | "school" | "single" | "given");
            let unit = unit(word(1 + usize::from(qualified)))?;
            let length = 2 + usize::from(qualified);
            (!of_a_schedule(tokens, at, length)).then(|| made(length, unit))?
        }
        "since" => since(tokens, at),
        "to" if word(1) == "date"
            && at.checked_sub(1).is_none_or(|before| !tokens[before].is("year")) =>
        {
            made(2, TimeAggregation::Cumulative)
        }
        "over" if word(1) == "the" && word(2) == "years" => made(3, TimeAggregation::Cumulative),
        "over" | "in" if word(1) == "the" && matches!(word(2), "past" | "last") => {
            let years = matches!(word(4), "years" | "decades") || word(3) == "decade";
            years.then(|| {
                made(if word(3) == "decade" { 4 } else { 5 }, TimeAggregation::Cumulative)
            })?
        }
        "this" | "last" | "past" | "during" | "throughout" | "in" | "for" | "fy" | "fiscal"
        | "the" | "school" => year(tokens, at, report_year),
        _ => None,
    }
}

fn unit(word: &str) -> Option<TimeAggregation> {
    Some(match word {
        "year" | "annum" => TimeAggregation::Annual,
        "month" => TimeAggregation::Monthly,
        "week" => TimeAggregation::Weekly,
        "day" => TimeAggregation::Daily,
        _ => return None,
    })
}

/// Whether `monthly` and the like stand for themselves, not before a noun (`monthly meetings`).
fn adverb(tokens: &[Token<'_>], at: usize) -> bool {
    const BEFORE: [&str; 9] = ["a", "an", "the", "our", "its", "their", "of", "bi", "and"];
    const AFTER: [&str; 22] = [
        "in",
        "to",
        "at",
        "for",
        "from",
        "by",
        "with",
        "on",
        "and",
        "through",
        "throughout",
        "across",
        "who",
        "that",
        "as",
        "via",
        "during",
        "while",
        "including",
        "or",
        "within",
        "were",
    ];
    let before = at.checked_sub(1).map_or("", |before| tokens[before].lower.as_str());
    let free = tokens
        .get(at + 1)
        .is_none_or(|next| next.kind != Kind::Word || AFTER.contains(&next.lower.as_str()));
    free && !BEFORE.contains(&before)
}

/// Whether `a week` and the like belong to a schedule or a length: `two days a week`, `for a year`,
/// `once a month`, `each day of`.
fn of_a_schedule(tokens: &[Token<'_>], at: usize, length: usize) -> bool {
    const BEFORE: [&str; 30] = [
        "days",
        "day",
        "times",
        "time",
        "once",
        "twice",
        "thrice",
        "hours",
        "hour",
        "hrs",
        "nights",
        "weeks",
        "months",
        "for",
        "in",
        "of",
        "after",
        "within",
        "with",
        "such",
        "evenings",
        "mornings",
        "afternoons",
        "half",
        "over",
        "7",
        "than",
        "is",
        "minutes",
        "about",
    ];
    let before = at.checked_sub(1).map_or("", |before| tokens[before].lower.as_str());
    let after = tokens.get(at + length).map_or("", |token| token.lower.as_str());
    let article = tokens[at].is("a");
    let priced = at.checked_sub(1).is_some_and(|before| tokens[before].kind == Kind::Money);
    let scheduled = priced
        || BEFORE.contains(&before)
            && (article || before != "of" && before != "in" && before != "for");
    scheduled
        || matches!(after, "of" | "long" | "round" | "old" | "end" | "ends" | "later")
        || (article
            && tokens.get(at + length).is_some_and(|next| {
                next.kind == Kind::Word
                    && unit(&tokens[at + length - 1].lower).is_some()
                    && next.lower.ends_with("ing")
            }))
}

fn since(tokens: &[Token<'_>], at: usize) -> Option<Span> {
    const BEGINNINGS: [&str; 12] = [
        "inception",
        "founding",
        "beginning",
        "opening",
        "then",
        "establishment",
        "start",
        "formation",
        "its",
        "our",
        "the",
        "program",
    ];
    let mut end = at + 1;
    while end < tokens.len() && end < at + 5 {
        let word = tokens[end].lower.as_str();
        if year_of(&tokens[end]).is_some() {
            return Some(Span {
                first: at,
                end: end + 1,
                over: TimeAggregation::Cumulative,
                rate: false,
            });
        }
        if !BEGINNINGS.contains(&word) {
            break;
        }
        end += 1;
        if !matches!(word, "its" | "our" | "the" | "program") {
            return Some(Span { first: at, end, over: TimeAggregation::Cumulative, rate: false });
        }
    }
    None
}

/// `this year`, `during the school year`, `in fiscal year 2022`, `in 2022`.
fn year(tokens: &[Token<'_>], at: usize, report_year: i32) -> Option<Span> {
    const QUALIFIERS: [&str; 15] = [
        "the",
        "past",
        "last",
        "this",
        "fiscal",
        "school",
        "calendar",
        "program",
        "current",
        "academic",
        "reporting",
        "tax",
        "entire",
        "fy",
        "previous",
    ];
    let mut position = at;
    let mut named =
        matches!(tokens[at].lower.as_str(), "this" | "last" | "past" | "during" | "throughout");
    // Preposition and qualifiers, at most five.
    while position < tokens.len() && position < at + 5 {
        let word = tokens[position].lower.as_str();
        let preposition = position == at && matches!(word, "during" | "throughout" | "in" | "for");
        if !preposition && !QUALIFIERS.contains(&word) {
            break;
        }
        named |= matches!(
            word,
            "fiscal"
                | "school"
                | "academic"
                | "fy"
                | "past"
                | "last"
                | "this"
                | "current"
                | "entire"
                | "calendar"
                | "tax"
        );
        position += 1;
    }
    let mut end = position;
    let says_year = tokens.get(end).is_some_and(|token| token.is("year"));
    end += usize::from(says_year);
    let says_ended =
        says_year && tokens.get(end).is_some_and(|token| token.is("ended") || token.is("ending"));
    if let Some(value) = tokens.get(end).and_then(year_of) {
        let near = (value - report_year).abs() <= YEARS_AROUND;
        let other = tokens
            .get(end + 1)
            .is_some_and(|next| matches!(next.lower.as_str(), "to" | "through" | "-" | "and"));
        let season = usize::from(tokens.get(end + 1).is_some_and(|next| {
            matches!(next.lower.as_str(), "school" | "fiscal" | "calendar" | "program" | "academic")
        }));
        let long =
            tokens.get(end + 1 + season).is_some_and(|next| next.is("year") || next.is("season"));
        let tail = if long { season + 1 } else { 0 };
        let placed = position > at && !tokens[at].is("the") || says_year || named;
        return (near && placed && !other).then_some(Span {
            first: at,
            end: end + 1 + tail,
            over: TimeAggregation::Annual,
            rate: false,
        });
    }
    // `largest by fiscal year expense`: what names a year only must stand behind a preposition.
    let before = at.checked_sub(1).map_or("", |before| tokens[before].lower.as_str());
    let opens = !matches!(tokens[at].lower.as_str(), "the" | "fiscal" | "school" | "fy");
    let behind = matches!(before, "over" | "through" | "of" | "within" | "on" | "every" | "each");
    (says_year && (opens || behind) && (named || says_ended)).then_some(Span {
        first: at,
        end,
        over: TimeAggregation::Annual,
        rate: false,
    })
}

/// The year that a token names: `2022`, or `2021-22` and `2021-2022` by its end.
fn year_of(token: &Token<'_>) -> Option<i32> {
    let text = token.text.as_bytes();
    let digits = text.len() >= 4 && text[..4].iter().all(u8::is_ascii_digit);
    if !digits || !(text.len() == 4 || matches!(text[4], b'-' | b'/')) {
        return None;
    }
    let year: i32 = token.text.get(..4)?.parse().ok()?;
    (1900..=2100).contains(&year).then_some(year + i32::from(text.len() > 4))
}
