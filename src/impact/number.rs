//! Quantities: digits, numbers in words (`twenty-five`), both (`forty-two (42)`), with a magnitude
//! (`2.3 million`) or as a range. Whether a quantity is a figure of impact is decided elsewhere.

use std::ops::Range;

use super::lexicon;
use super::token::{Token, TokenKind, Tokens};

/// A figure: a number of a sentence, what it counts, and where the sentence states it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Figure {
    pub(super) value: f64,
    pub(super) unit: String,
    pub(super) kind: String,
    /// Bytes of the sentence that tell it.
    pub(super) text: Range<usize>,
    /// Token of the number.
    pub(super) at: usize,
    /// Token behind what it counts.
    pub(super) end: usize,
}

/// A quantity and the tokens that it takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Quantity {
    /// Its value; of a range the smaller one.
    pub(super) value: f64,
    /// First token.
    pub(super) first: usize,
    /// Token behind the last one.
    pub(super) end: usize,
    /// Whether it is in words altogether.
    pub(super) worded: bool,
    /// Whether it may be a year: four digits alone.
    pub(super) yearlike: bool,
    /// Whether it may be a span of ages, grades or years.
    pub(super) spanlike: bool,
}

/// What may be a year of which a return tells.
const YEARS: std::ops::RangeInclusive<f64> = 1800.0..=2100.0;

/// A range up to here is as likely one of ages or school grades.
const AGES_MAX: f64 = 30.0;

/// More words than this no number has.
const WORDS_MAX: usize = 12;

/// The quantity that begins at a token, if one does.
pub(super) fn quantity(tokens: &Tokens<'_>, first: usize) -> Option<Quantity> {
    let token = tokens.at(first);
    let (mut value, mut end, mut high) = match token.kind {
        TokenKind::Number(value) => (value, first + 1, None),
        TokenKind::Range(value, high) => (value, first + 1, Some(high)),
        TokenKind::Word => words(tokens, first).map(|(value, end)| (value, end, None))?,
        _ => return None,
    };
    let worded = token.kind == TokenKind::Word;
    let bare = token.text.bytes().all(|byte| byte.is_ascii_digit());
    let mut yearlike = !worded && bare && token.text.len() == 4 && YEARS.contains(&value);
    if high.is_none() && !worded {
        high = upper(tokens, end).filter(|&high| high > value);
        end += if high.is_some() { 2 } else { 0 };
    }
    let spanlike = high.is_some_and(|high| high <= AGES_MAX || YEARS.contains(&value));
    if !worded && let Some(magnitude) = magnitude(tokens.at(end)) {
        value *= magnitude;
        end += 1;
        yearlike = false;
    }
    end = repeated(tokens, end, value).unwrap_or(end);
    // `700 plus members`
    end += usize::from(!worded && tokens.at(end).is("plus"));
    value.is_finite().then_some(Quantity { value, first, end, worded, yearlike, spanlike })
}

/// The upper end of a range that is written with `to`, or with dashes that stand apart.
fn upper(tokens: &Tokens<'_>, at: usize) -> Option<f64> {
    let joint = tokens.at(at);
    let joins = joint.is("to") || matches!(joint.kind, TokenKind::Punctuation('-' | '–'));
    match tokens.at(at + 1).kind {
        TokenKind::Number(value) if joins => Some(value),
        _ => None,
    }
}

/// The end of the same number told once more in parentheses.
fn repeated(tokens: &Tokens<'_>, at: usize, value: f64) -> Option<usize> {
    if !tokens.at(at).is_punctuation('(') {
        return None;
    }
    let (again, end) = match tokens.at(at + 1).kind {
        TokenKind::Number(again) => (again, at + 2),
        _ => words(tokens, at + 1)?,
    };
    (again == value && tokens.at(end).is_punctuation(')')).then_some(end + 1)
}

/// Value of a number in words and the token behind it.
fn words(tokens: &Tokens<'_>, first: usize) -> Option<(f64, usize)> {
    let (mut total, mut current, mut last_unit) = (0.0, 0.0, 0.0);
    let mut end = first;
    while end < first + WORDS_MAX && tokens.at(end).kind == TokenKind::Word {
        let token = &tokens[end];
        let magnitude = magnitude(token).filter(|_| end > first);
        let joint = token.is("and")
            && end > first
            && tokens[end - 1].lower.ends_with("hundred")
            && unit(&tokens.at(end + 1).lower).is_some();
        if let Some(value) = unit(&token.lower) {
            // `two three` are two numbers; `twenty five` and `hundred five` are one.
            let fits = current == 0.0
                || (last_unit >= 100.0 && value < 100.0)
                || ((20.0..100.0).contains(&last_unit) && value < 10.0);
            if !fits {
                break;
            }
            current += value;
            last_unit = value;
        } else if magnitude == Some(100.0) && current < 100.0 {
            current *= 100.0;
            last_unit = 100.0;
        } else if let Some(magnitude) = magnitude.filter(|&size| size > 100.0) {
            total += current * magnitude;
            (current, last_unit) = (0.0, 0.0);
        } else if !joint {
            break;
        }
        end += 1;
    }
    (end > first).then_some((total + current, end))
}

fn magnitude(token: &Token<'_>) -> Option<f64> {
    token.word.meaning("magnitude")?.parse().ok()
}

/// The value of a number word below a hundred: `seven`, `twenty-five`.
fn unit(word: &str) -> Option<f64> {
    fn number(word: &str) -> Option<f64> {
        lexicon::word(word).meaning("number")?.parse().ok()
    }
    let Some((first, second)) = word.split_once('-') else { return number(word) };
    let digit = |word| number(word).filter(|value| (1.0..10.0).contains(value));
    // `one-hundred`
    if second == "hundred" {
        return Some(100.0 * digit(first)?);
    }
    Some(number(first).filter(|tens| *tens >= 20.0)? + digit(second)?)
}
