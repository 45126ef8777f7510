//! Quantities: digits, numbers in words (`twenty-five`), both (`forty-two (42)`), with a magnitude
//! (`2.3 million`) or as a range. Whether a quantity is a figure of impact is decided elsewhere.

use super::token::{Token, TokenKind};
use crate::record::NUMBER_WORDS;

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
pub(super) fn quantity(tokens: &[Token<'_>], first: usize) -> Option<Quantity> {
    let token = tokens.get(first)?;
    let (value, mut end, worded) = match token.kind {
        TokenKind::Number(value) | TokenKind::Range(value, _) => (value, first + 1, false),
        TokenKind::Word => {
            let (value, end) = words(tokens, first)?;
            (value, end, true)
        }
        _ => return None,
    };
    let mut value = value;
    let bare = token.text.bytes().all(|byte| byte.is_ascii_digit());
    let mut yearlike = !worded && bare && token.text.len() == 4 && YEARS.contains(&value);
    let mut spanlike = false;
    if let TokenKind::Range(_, high) = token.kind {
        spanlike = high <= AGES_MAX || YEARS.contains(&value);
    } else if let Some(high) = upper(tokens, end).filter(|&high| !worded && high > value) {
        end += 2;
        spanlike = high <= AGES_MAX || YEARS.contains(&value);
    }
    let magnitude = tokens.get(end).filter(|_| !worded).and_then(|next| magnitude(&next.lower));
    if let Some(magnitude) = magnitude {
        value *= magnitude;
        end += 1;
        yearlike = false;
    }
    end = repeated(tokens, end, value).unwrap_or(end);
    // `700 plus members`
    if !worded && tokens.get(end).is_some_and(|next| next.is("plus")) {
        end += 1;
    }
    value.is_finite().then_some(Quantity { value, first, end, worded, yearlike, spanlike })
}

/// The upper end of a range that is written with `to`, or with dashes that stand apart.
fn upper(tokens: &[Token<'_>], at: usize) -> Option<f64> {
    let joint = tokens.get(at)?;
    if !(joint.is("to") || joint.is_punctuation('-') || joint.is_punctuation('–')) {
        return None;
    }
    match tokens.get(at + 1)?.kind {
        TokenKind::Number(value) => Some(value),
        _ => None,
    }
}

/// The end of the same number told once more in parentheses.
fn repeated(tokens: &[Token<'_>], at: usize, value: f64) -> Option<usize> {
    if !tokens.get(at)?.is_punctuation('(') {
        return None;
    }
    let (again, end) = match tokens.get(at + 1)?.kind {
        TokenKind::Number(again) => (again, at + 2),
        _ => words(tokens, at + 1)?,
    };
    (again == value && tokens.get(end)?.is_punctuation(')')).then_some(end + 1)
}

/// Value of a number in words and the token behind it.
fn words(tokens: &[Token<'_>], first: usize) -> Option<(f64, usize)> {
    let mut total = 0.0;
    let mut current = 0.0;
    let mut last_unit = 0.0;
    let mut end = first;
    while end < tokens.len().min(first + WORDS_MAX) && tokens[end].kind == TokenKind::Word {
        let word = tokens[end].lower.as_str();
        let joint = word == "and"
            && end > first
            && tokens[end - 1].lower.ends_with("hundred")
            && tokens.get(end + 1).is_some_and(|next| unit(&next.lower).is_some());
        if joint {
            end += 1;
        } else if let Some(value) = unit(word) {
            // `two three` are two numbers; `twenty five` and `hundred five` are one.
            let fits = current == 0.0
                || (last_unit >= 100.0 && value < 100.0)
                || ((20.0..100.0).contains(&last_unit) && value < 10.0);
            if !fits {
                break;
            }
            current += value;
            last_unit = value;
            end += 1;
        } else if end > first && word == "hundred" && current < 100.0 {
            current *= 100.0;
            last_unit = 100.0;
            end += 1;
        } else if let Some(magnitude) = magnitude(word).filter(|&size| end > first && size > 100.0)
        {
            total += current * magnitude;
            current = 0.0;
            last_unit = 0.0;
            end += 1;
        } else {
            break;
        }
    }
    (end > first).then_some((total + current, end))
}

fn magnitude(word: &str) -> Option<f64> {
    Some(match word {
        "hundred" => 1e2,
        "thousand" => 1e3,
        "million" => 1e6,
        "billion" => 1e9,
        "dozen" => 12.0,
        _ => return None,
    })
}

/// The value of a number word below a hundred: `seven`, `twenty-five`.
fn unit(word: &str) -> Option<f64> {
    const TENS: [&str; 8] =
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
    let ones = |word: &str| NUMBER_WORDS.iter().position(|&known| known == word);
    let tens = |word: &str| TENS.iter().position(|&known| known == word).map(|at| 20 + 10 * at);
    let value = match word.split_once('-') {
        // `one-hundred`
        Some((first, "hundred")) => 100 * ones(first).filter(|digit| (1..10).contains(digit))?,
        Some((first, second)) => {
            tens(first)? + ones(second).filter(|digit| (1..10).contains(digit))?
        }
        None => ones(word).or_else(|| tens(word))?,
    };
    Some(value as f64)
}
