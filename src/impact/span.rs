//! The periods over which a sentence says that its figures add up.

use super::token::{Token, TokenKind};
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
    if matches!(before, "than" | "from") || of_a_stock(tokens, at) {
        return None;
    }
    let rate = !matches!(word(0), "to" | "over" | "in");
    let made = |length, over| Some(Span { first: at, end: at + length, over, rate });
    match word(0) {
        "annually" if !matches!(before, "bi" | "semi") => made(1, TimeAggregation::Annual),
        "yearly" if adverb(tokens, at) => made(1, TimeAggregation::Annual),
        // `400 annual visitors`
        "annual" if at.checked_sub(1).is_some_and(|before| tokens[before].is_amount()) => {
            made(1, TimeAggregation::Annual)
        }
        "on" if matches!(word(1), "a" | "an") && word(3) == "basis" => made(4, basis(word(2))?),
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
        "to" if word(1) == "date" && !matches!(before, "year" | "up") => {
            made(2, TimeAggregation::Cumulative)
        }
        "over" if word(1) == "the" && word(2) == "years" => made(3, TimeAggregation::Cumulative),
        "over" | "in" | "during" | "for" | "within"
            if word(1) == "the" && matches!(word(2), "past" | "last" | "preceding" | "most") =>
        {
            let (length, over) = last(tokens, at)?;
            Some(Span { first: at, end: at + length, over, rate: false })
        }
        word if fiscal_year(word).is_some() => year(tokens, at, report_year),
        "this" | "last" | "past" | "during" | "throughout" | "in" | "for" | "fy" | "fiscal"
        | "the" | "school" => year(tokens, at, report_year),
        _ => None,
    }
}

/// Whether a statement of time says when a stock was counted: `at the end of fiscal year 2022`.
fn of_a_stock(tokens: &[Token<'_>], at: usize) -> bool {
    let word = |back: usize| at.checked_sub(back).map_or("", |at| tokens[at].lower.as_str());
    let end = |word: &str| {
        matches!(word, "end" | "beginning" | "start" | "close" | "as" | "outset" | "top" | "fall")
    };
    let of = word(1) == "of" || (word(1) == "the" && word(2) == "of");
    of && end(word(if word(1) == "of" { 2 } else { 3 }))
}

/// Length and meaning of `over the last year`, `in the past three years` and the like.
fn last(tokens: &[Token<'_>], at: usize) -> Option<(usize, TimeAggregation)> {
    let word = |ahead: usize| tokens.get(at + ahead).map_or("", |token| token.lower.as_str());
    let recent = usize::from(word(2) == "most" && word(3) == "recent");
    let (first, second) = (word(3 + recent), word(4 + recent));
    let annual = TimeAggregation::Annual;
    Some(match (first, second) {
        ("twelve" | "12", "months") => (5 + recent, annual),
        ("twelve-month" | "12-month", "period") => (5 + recent, annual),
        ("year", _) => (4 + recent, annual),
        ("fiscal" | "school" | "calendar" | "academic" | "program", "year") => (5 + recent, annual),
        ("decade", _) => (4, TimeAggregation::Cumulative),
        (_, "years" | "decades") => (5, TimeAggregation::Cumulative),
        _ => return None,
    })
}

fn basis(word: &str) -> Option<TimeAggregation> {
    Some(match word {
        "annual" | "yearly" => TimeAggregation::Annual,
        "monthly" => TimeAggregation::Monthly,
        "weekly" => TimeAggregation::Weekly,
        "daily" => TimeAggregation::Daily,
        _ => return None,
    })
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
        .is_none_or(|next| next.kind != TokenKind::Word || AFTER.contains(&next.lower.as_str()));
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
    let priced = at.checked_sub(1).is_some_and(|before| tokens[before].kind == TokenKind::Money);
    let scheduled = priced
        || BEFORE.contains(&before)
            && (article || before != "of" && before != "in" && before != "for");
    scheduled
        || matches!(after, "of" | "long" | "round" | "old" | "end" | "ends" | "later")
        || (article
            && tokens.get(at + length).is_some_and(|next| {
                next.kind == TokenKind::Word
                    && unit(&tokens[at + length - 1].lower).is_some()
                    && next.lower.ends_with("ing")
            }))
}

fn since(tokens: &[Token<'_>], at: usize) -> Option<Span> {
    const BEGINNINGS: [&str; 13] = [
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
        "year",
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
        if !matches!(word, "its" | "our" | "the" | "program" | "year") {
            return Some(Span { first: at, end, over: TimeAggregation::Cumulative, rate: false });
        }
    }
    None
}

/// `this year`, `during the school year`, `in fiscal year 2022`, `in 2022`.
fn year(tokens: &[Token<'_>], at: usize, report_year: i32) -> Option<Span> {
    let (position, named) = qualifiers(tokens, at);
    let mut end = position;
    let joined = tokens.get(end).is_some_and(|token| token.is("year-ended"));
    let says_year = joined || tokens.get(end).is_some_and(|token| token.is("year"));
    end += usize::from(says_year);
    let says_ended = joined
        || says_year
            && tokens.get(end).is_some_and(|token| token.is("ended") || token.is("ending"));
    let fiscal = end > at && matches!(tokens[end - 1].lower.as_str(), "fy" | "fiscal" | "year");
    let value = tokens.get(end).and_then(|token| {
        let short = || fiscal.then(|| short_year(token.text)).flatten();
        year_of(token).or_else(|| fiscal_year(&token.lower)).or_else(short)
    });
    if let Some(value) = value {
        let tail = year_tail(tokens, end);
        // `in the 2022 elections` is of those.
        let attribute = !says_year && tail == 0 && end > at && tokens[end - 1].is("the");
        let placed = !attribute && ((position > at && !tokens[at].is("the")) || says_year || named);
        let near = (value - report_year).abs() <= YEARS_AROUND;
        return (near && placed && !goes_on(tokens, end)).then_some(Span {
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

/// Token behind a preposition and the words that qualify a year, at most five, and whether they
/// tell which year is meant.
fn qualifiers(tokens: &[Token<'_>], at: usize) -> (usize, bool) {
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
    while position < tokens.len() && position < at + 5 {
        let word = tokens[position].lower.as_str();
        let preposition = position == at && matches!(word, "during" | "throughout" | "in" | "for");
        if fiscal_year(word).is_some() {
            named = true;
            break;
        }
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
    (position, named)
}

/// Whether the year at a token begins a range of years: `2019 to 2022`.
fn goes_on(tokens: &[Token<'_>], at: usize) -> bool {
    tokens
        .get(at + 1)
        .is_some_and(|next| matches!(next.lower.as_str(), "to" | "through" | "-" | "and"))
        && tokens.get(at + 2).is_some_and(|next| year_of(next).is_some())
}

/// Tokens that belong to a year behind it: `school year`, `season`, `/14`.
fn year_tail(tokens: &[Token<'_>], at: usize) -> usize {
    let season = usize::from(tokens.get(at + 1).is_some_and(|next| {
        matches!(next.lower.as_str(), "school" | "fiscal" | "calendar" | "program" | "academic")
    }));
    let long = tokens.get(at + 1 + season).is_some_and(|next| next.is("year") || next.is("season"));
    // `FY13/14`, cut at the stroke.
    let stroke = tokens.get(at + 1).is_some_and(|next| next.is_punctuation('/'))
        && tokens.get(at + 2).is_some_and(|next| short_year(next.text).is_some());
    match (long, stroke) {
        (true, _) => season + 1,
        (false, true) => 2,
        (false, false) => 0,
    }
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
