//! Ranges of money, employees, scores and ratings: an amount, what it is compared with, and how.
//!
//! An amount is money when a dollar stands with it, when it is of a field (`revenue`, `budget`), or
//! when it has a unit and a bound and nothing that is counted follows (`under 500k`, but not
//! `over 2 million meals`). Numbers that are none of this stay text.

use std::ops::Range as Span;

use super::amount::{self, Amount};
use super::frame::{FIGURES, Figure};
use super::phrases;
use super::reader::Reader;
use super::token::Tokens;
use crate::index::columns::Range;
use crate::reader;
use crate::record::thousands;

/// By how much an amount without a bound (`$2 million budget`) may be missed, as a share of it.
const ABOUT: f64 = 0.25;
const RATING_MAX: f64 = 4.0;
const SCORE_MAX: f64 = 100.0;

/// Least amount that says what a nonprofit has, with neither bound nor field: less is what one gives.
const LONE_AMOUNT_MIN: f64 = 100_000.0;

/// What a range is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Revenue,
    Expenses,
    Assets,
    Employees,
    Score,
    Rating,
}

impl Field {
    /// In the order of [`FIGURES`].
    const ALL: [Self; FIGURES.len()] =
        [Self::Revenue, Self::Expenses, Self::Assets, Self::Employees, Self::Score, Self::Rating];

    fn named(name: &str) -> Option<Self> {
        FIGURES.iter().position(|figure| figure.name == name).map(|at| Self::ALL[at])
    }
}

/// How an amount bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bound {
    AtLeast,
    AtMost,
    About,
}

impl Bound {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "at least" => Self::AtLeast,
            "at most" => Self::AtMost,
            "about" => Self::About,
            _ => return None,
        })
    }
}

/// Reads every range.
pub(super) fn read(reader: &mut Reader<'_>) {
    read_none(reader);
    let mut at = 0;
    while at < reader.tokens.len() {
        at = match quantity_at(&reader.tokens, at) {
            Some(found) => {
                let next = found.tokens.end;
                apply(reader, found);
                next
            }
            None => at + 1,
        };
    }
}

/// `no paid staff`, `without employees`, `no revenue`.
fn read_none(reader: &mut Reader<'_>) {
    for at in 0..reader.tokens.len() {
        let none = Range { min: None, max: Some(0.0) };
        if let Some(end) = reader.tokens.any_phrase(at, phrases::of("no employees")) {
            reader.frame.employees = none;
            reader.claim(at..end, "no employees".to_owned(), 0.9);
        } else if let Some(end) = reader.tokens.any_phrase(at, phrases::of("no revenue")) {
            reader.frame.revenue = none;
            reader.claim(at..end, "no revenue".to_owned(), 0.9);
        }
    }
}

/// A range that was found.
struct Quantity {
    field: Field,
    range: Range,
    tokens: Span<usize>,
    confidence: f32,
}

/// Every amount of a text, in its order, and the bytes that it stands at: those of a range share their
/// unit.
pub(super) fn amounts_in(tokens: &Tokens) -> Vec<(Span<usize>, Amount)> {
    let mut amounts = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let Some(first) = amount::at(tokens, at) else {
            at += 1;
            continue;
        };
        let (first, second, span) = pair(tokens, first);
        at = span.end.max(at + 1);
        for one in [Some(first), second].into_iter().flatten() {
            amounts.push((tokens.span(one.tokens.clone()), one));
        }
    }
    amounts
}

/// The range that amounts bound, and the figure that it is of, by its position in [`FIGURES`]: a rating
/// past the stars that there are is a score. `None` where the figure can have no such amount.
pub(super) fn bounded(
    figure: Option<usize>,
    bound: reader::Bound,
    amounts: &[Amount],
) -> Option<(Option<usize>, Range)> {
    let (first, last) = (amounts.first()?, amounts.last()?);
    let second = (amounts.len() > 1).then(|| last.clone());
    let bound = match bound {
        // `from $500K up to $3.5M`: two ends are a range, whatever the words between.
        reader::Bound::Min | reader::Bound::Max if first.low < last.low => None,
        reader::Bound::Min => Some(Bound::AtLeast),
        reader::Bound::Max => Some(Bound::AtMost),
        reader::Bound::About => figure.is_none_or(|at| at < 4).then_some(Bound::About),
        reader::Bound::Range | reader::Bound::None => None,
    };
    let Some(at) = figure else { return Some((None, Range { min: Some(first.low), max: None })) };
    let first = match bound {
        // Of several amounts the outermost bounds.
        Some(Bound::AtMost) => last,
        _ => first,
    };
    let second = second.filter(|_| bound.is_none());
    let found = finish(Field::ALL[at], first.clone(), second, bound, 0..0, 1.0)?;
    Some((Some(found.field as usize), found.range))
}

fn quantity_at(tokens: &Tokens, start: usize) -> Option<Quantity> {
    let first = amount::at(tokens, start)?;
    if first.tokens.start > 0 && is_part_of_a_code(tokens, first.tokens.start) {
        return None;
    }
    let (first, second, mut span) = pair(tokens, first);
    let last = second.clone().unwrap_or_else(|| first.clone());
    let mut bound = None;
    if second.is_none() {
        if let Some((start, found)) = bound_before(tokens, span.start) {
            (span.start, bound) = (start, Some(found));
        }
        let after = skip_nouns(tokens, span.end);
        if let Some((end, found)) = bound_after(tokens, span.end) {
            (span.end, bound) = (end, Some(found));
        } else if let Some((end, found)) = bound_after(tokens, after) {
            // `3 stars or better`: the field is between.
            let inner = field_after(tokens, span.end);
            if let Some((field, _)) = inner {
                span.end = end;
                return finish(field, first, None, Some(found), span, 0.95);
            }
        }
    }
    span.end = tails(tokens, span.end);
    let before = field_before(tokens, span.start);
    // `minimum revenue 600,000`: the bound stands before the field.
    let outer = before.filter(|_| bound.is_none() && second.is_none());
    let outer = outer.and_then(|(_, from)| bound_before(tokens, from));
    bound = bound.or(outer.map(|(_, found)| found));
    let is_bounded = second.is_some() || bound.is_some_and(|bound| bound != Bound::About);
    if is_of_people(tokens, span.start) || is_of_one(tokens, &span) {
        return None;
    }
    let (field, confidence) = match before {
        Some((_, from)) if is_of_people(tokens, from) => return None,
        Some((field, from)) if field_may_have(field, &last, is_bounded) => {
            span.start = outer.map_or(from, |(start, _)| start);
            while span.start > 0
                && tokens
                    .free_at(span.start - 1)
                    .is_some_and(|t| phrases::has("before field", &t.form))
            {
                span.start -= 1;
            }
            (field, 0.95)
        }
        _ => match field_after(tokens, span.end) {
            Some((field, to)) if field_may_have(field, &last, is_bounded) => {
                span.end = to;
                (field, 0.95)
            }
            _ => {
                let is_pair = second.is_some();
                money_without_field(tokens, &first, &last, (is_bounded, is_pair), span.clone())?;
                (Field::Revenue, if last.is_money { 0.8 } else { 0.6 })
            }
        },
    };
    // `a score of 90 or higher`, `revenue between ... annually`.
    if bound.is_none()
        && second.is_none()
        && let Some((end, found)) = bound_after(tokens, span.end)
    {
        (span.end, bound) = (end, Some(found));
    }
    // `spending over $1M on expenses` says it twice.
    if let Some((_, to)) = field_after(tokens, span.end).filter(|(again, _)| *again == field) {
        span.end = to;
    }
    span.end = tails(tokens, span.end);
    // `five-star chefs`: more stars than there are, of somebody else.
    let described = tokens.list.get(span.end).is_some_and(|token| {
        token.is_free() && token.is_word() && !phrases::is_common(&token.form)
    });
    if field == Field::Rating && first.low > RATING_MAX && described {
        return None;
    }
    finish(field, first, second, bound, span, confidence)
}

/// `$15 an hour`, `grants of up to $5,000`: what one pays or gets, not what a nonprofit has.
fn is_of_one(tokens: &Tokens, span: &Span<usize>) -> bool {
    let mut before = span.start;
    while before > 0 && matches!(tokens.form(before - 1), "of" | "up" | "to" | "worth" | "for") {
        before -= 1;
    }
    let given = before.checked_sub(1).is_some_and(|at| phrases::has("given", tokens.form(at)));
    given || tokens.any_phrase(span.end, phrases::of("by the piece")).is_some()
}

/// `families making less than $30,000`: whom a nonprofit serves, not itself.
fn is_of_people(tokens: &Tokens, start: usize) -> bool {
    let before = start.checked_sub(1).map_or("", |at| tokens.form(at));
    phrases::is_counted(before)
        || matches!(before, "households" | "incomes" | "worth" | "donors" | "i")
}

/// `501(c)(3)`, `K-12`, `#5`: not an amount.
fn is_part_of_a_code(tokens: &Tokens, at: usize) -> bool {
    let token = &tokens.list[at];
    let before = &tokens.list[at - 1];
    let hyphen = before.is_sign('-')
        && token.glued
        && before.glued
        && at >= 2
        && tokens.list[at - 2].is_word();
    (token.glued && before.is_word()) || hyphen || (token.glued && before.is_sign('#'))
}

/// The second amount of a range, if there is one, and the tokens of both with what joins them.
fn pair(tokens: &Tokens, first: Amount) -> (Amount, Option<Amount>, Span<usize>) {
    let span = first.tokens.clone();
    let join = span.end;
    let joint = |at: usize| tokens.free_at(at).map_or("", |token| &*token.form);
    let opened = tokens.any_phrase_before(
        span.start,
        [
            "between",
            "entre",
            "from",
            "de",
            "desde",
            "anywhere from",
            "somewhere between",
            "anywhere between",
            "of between",
            "ranging from",
        ],
    );
    let joined = match joint(join) {
        "-" | "to" | "through" | "thru" | "a" | "hasta" => Some(join + 1),
        "and" | "y" if opened.is_some() => Some(join + 1),
        _ => None,
    };
    let second = joined.and_then(|next| amount::at(tokens, next));
    let Some(mut second) = second else { return (first, None, span) };
    // `2 and 4 million`: the unit is of both, unless that turns them round.
    let mut first = first;
    if first.unit == 1.0 && second.unit > 1.0 && first.low * second.unit <= second.low {
        first.low *= second.unit;
        first.high = first.low;
        first.is_bare = false;
    }
    // `9-11`, `6-12`: bare numbers joined by a hyphen are money only of a field.
    if first.low > second.high {
        std::mem::swap(&mut first, &mut second);
    }
    let is_money = first.is_money || second.is_money;
    (first.is_money, second.is_money) = (is_money, is_money);
    let end = second.tokens.end.max(first.tokens.end);
    let start = opened.unwrap_or(span.start);
    (first, Some(second), start..end)
}

fn bound_before(tokens: &Tokens, end: usize) -> Option<(usize, Bound)> {
    let found = phrases::meanings("bound before").filter_map(|(bound, phrases)| {
        Some((tokens.any_phrase_before(end, phrases)?, Bound::named(bound)?))
    });
    let found = found.min_by_key(|entry| entry.0)?;
    // `over about 5k`, `a minimum of`.
    if found.1 == Bound::About
        && let Some(outer) = bound_before(tokens, found.0)
    {
        return Some(outer);
    }
    Some(found)
}

fn bound_after(tokens: &Tokens, at: usize) -> Option<(usize, Bound)> {
    let found = phrases::meanings("bound after").filter_map(|(bound, phrases)| {
        Some((tokens.any_phrase(at, phrases)?, Bound::named(bound)?))
    });
    // `at least 5 maximum revenue 9`: that is the next amount's.
    found.max_by_key(|entry| entry.0).filter(|(end, _)| {
        let next = field_after(tokens, *end).map_or(*end, |(_, end)| end);
        tokens.form(*end) != "than" && amount::at(tokens, next).is_none()
    })
}

/// Past a field's name and what stands between it and its number.
fn skip_nouns(tokens: &Tokens, at: usize) -> usize {
    field_after(tokens, at).map_or(at, |(_, end)| end)
}

fn tails(tokens: &Tokens, at: usize) -> usize {
    tokens.any_phrase(at, phrases::of("behind amount")).unwrap_or(at)
}

/// The field whose name ends right before a position, but for words that say nothing.
fn field_before(tokens: &Tokens, end: usize) -> Option<(Field, usize)> {
    let mut at = end;
    for _ in 0..5 {
        let named = phrases::meanings("field").find_map(|(field, names)| {
            Some((Field::named(field)?, tokens.any_phrase_before(at, names)?))
        });
        if named.is_some() {
            return named;
        }
        let before = at.checked_sub(1)?;
        let token = tokens.free_at(before)?;
        let skips =
            phrases::has("beside field", &token.form) || token.is_sign(':') || token.is_sign('=');
        if !skips {
            return None;
        }
        at = before;
    }
    None
}

/// The field whose name begins right behind a position.
fn field_after(tokens: &Tokens, start: usize) -> Option<(Field, usize)> {
    for at in start..start + 4 {
        let named = phrases::meanings("field")
            .find_map(|(field, names)| Some((Field::named(field)?, tokens.any_phrase(at, names)?)));
        if named.is_some() {
            return named;
        }
        let token = tokens.free_at(at)?;
        let hyphen = token.is_sign('-') && token.glued;
        if !(hyphen || phrases::has("beside field", &token.form) || token.form == "or") {
            return None;
        }
    }
    None
}

/// Whether an amount can be of a field at all.
fn field_may_have(field: Field, amount: &Amount, is_bounded: bool) -> bool {
    match field {
        Field::Rating => !amount.is_money && amount.high <= SCORE_MAX,
        Field::Score => !amount.is_money && amount.high <= SCORE_MAX,
        Field::Employees => !amount.is_money,
        // `raised 3 puppies`, `2 donations`.
        _ => amount.is_money || !amount.is_bare || (is_bounded && amount.high >= 100.0),
    }
}

/// Whether an amount that no field goes with is money.
fn money_without_field(
    tokens: &Tokens,
    first: &Amount,
    last: &Amount,
    (is_bounded, is_pair): (bool, bool),
    span: Span<usize>,
) -> Option<()> {
    if first.is_money || last.is_money {
        // `$10,000 scholarships`, `I have $500 to give`.
        return (is_bounded || last.high >= LONE_AMOUNT_MIN).then_some(());
    }
    let before = span.start.checked_sub(1).map_or("", |at| tokens.form(at));
    let after = tokens.list.get(span.end);
    let counted = after.is_some_and(|token| {
        token.is_sign('%')
            || token.is_sign('-')
            || phrases::is_counted(&token.form)
            || token.form == "of"
            || token.is_number()
    });
    let is_list_number = before == "#";
    if counted || is_list_number || phrases::has("doing", before) || !is_bounded {
        return None;
    }
    // A unit without a dollar, or so many digits that it can hardly be anything else.
    let long = first.is_bare && last.low >= 10_000.0 && !is_pair;
    let next_is_thing = after.is_some_and(|token| {
        token.is_word() && !phrases::is_generic(&token.form) && token.form.ends_with('s')
    });
    (!last.is_bare || (long && !next_is_thing)).then_some(())
}

fn finish(
    field: Field,
    first: Amount,
    second: Option<Amount>,
    bound: Option<Bound>,
    tokens: Span<usize>,
    confidence: f32,
) -> Option<Quantity> {
    let is_range = second.is_some() || first.low < first.high;
    let (low, high) = (first.low, second.map_or(first.high, |second| second.high));
    let range = match bound {
        Some(Bound::AtLeast) => Range { min: Some(low), max: None },
        Some(Bound::AtMost) => Range { min: None, max: Some(high) },
        _ if is_range => Range { min: Some(low), max: Some(high) },
        // Of stars and scores more is better; nobody asks for those that have 3 only.
        None if matches!(field, Field::Score | Field::Rating) => {
            Range { min: Some(low), max: None }
        }
        _ => Range {
            min: Some((low * (1.0 - ABOUT)).floor()),
            max: Some((high * (1.0 + ABOUT)).ceil()),
        },
    };
    let field = match field {
        // `rated 90 or higher`.
        Field::Rating if high > RATING_MAX + 1.0 => Field::Score,
        field => field,
    };
    let top = match field {
        Field::Rating => RATING_MAX,
        Field::Score => SCORE_MAX,
        _ => f64::INFINITY,
    };
    // Many think of five stars; there are four.
    let range = match range.min {
        Some(min) if field == Field::Rating && min > top && min <= top + 1.0 => {
            Range { min: Some(top), max: None }
        }
        _ => range,
    };
    let fits = range.min.is_none_or(|min| min <= top);
    let max = range.max.filter(|&max| max <= top || range.min.is_none());
    let range = Range { max, ..range };
    fits.then_some(Quantity { field, range, tokens, confidence })
}

fn apply(reader: &mut Reader<'_>, found: Quantity) {
    let figure = FIGURES[found.field as usize];
    let ranges = reader.frame.ranges_mut();
    let slot = &mut *ranges[found.field as usize];
    // `over $1M but under $5M` is one range in two pieces.
    slot.min = found.range.min.or(slot.min);
    slot.max = found.range.max.or(slot.max);
    if let (Some(min), Some(max)) = (slot.min, slot.max)
        && min > max
    {
        *slot = found.range;
    }
    let meaning = said(figure, found.range);
    reader.claim(found.tokens, meaning, found.confidence);
}

/// A range in words.
pub(super) fn said(figure: Figure, range: Range) -> String {
    let Figure { name, is_money } = figure;
    let number = |value: f64| {
        let whole = value.fract() == 0.0 && value.abs() < 1e15;
        let text = if whole { thousands(value.abs() as u64) } else { format!("{value}") };
        if is_money { format!("${text}") } else { text }
    };
    match (range.min, range.max) {
        (Some(min), Some(max)) if min == max => format!("{name} {}", number(min)),
        (Some(min), Some(max)) => format!("{name} {} to {}", number(min), number(max)),
        (Some(min), None) => format!("{name} at least {}", number(min)),
        (None, Some(max)) => format!("{name} at most {}", number(max)),
        (None, None) => format!("any {name}"),
    }
}
