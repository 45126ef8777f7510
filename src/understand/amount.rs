//! Amounts as people write them: `$1.5M`, `half a million`, `2 million dollars`, `seven figures`.

use std::ops::Range;

use super::phrases;
use super::token::{TokenKind, Tokens, number_named};
use crate::naming::edits;

/// An amount, and how it was written.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Amount {
    /// Least and greatest; equal but for `7 figures`.
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) tokens: Range<usize>,
    /// The multiplier for a number before it in a range: 1 without a unit.
    pub(super) unit: f64,
    /// Whether it has a dollar sign or word.
    pub(super) is_money: bool,
}

/// Words before an amount that may say that the asker has it.
const ASKER_WORDS_MAX: usize = 6;
/// Least letters of a word that is corrected.
const TYPO_LETTERS_MIN: usize = 4;

/// The amount that is the whole text: `1m`, `$2,500`; `None` for anything else, or a range.
pub fn sole_amount(text: &str) -> Option<f64> {
    let tokens = Tokens::of(text);
    let amount = at(&tokens, 0)?;
    (amount.tokens.end == tokens.len() && amount.low == amount.high).then_some(amount.low)
}

/// Every amount of a text, in order, with its bytes; both ends of a range share their unit.
/// Misspelt words of amounts are corrected.
pub(super) fn amounts_in(text: &str) -> Vec<(Range<usize>, Amount)> {
    let tokens = mended(text);
    let ranges = tokens.scan(|at| range_at(&tokens, at)).into_iter();
    let amounts = ranges.flat_map(|range| [Some(range.first), range.second]).flatten();
    amounts.map(|one| (tokens.span(one.tokens.clone()), one)).collect()
}

/// Whether bytes of a text are of money that the asker has to give (`I have about $2,000 for shelters`, `$500 to
/// donate`): no figure of a nonprofit.
pub(super) fn is_askers(text: &str, bytes: &Range<usize>) -> bool {
    let money = amounts_in(text)
        .into_iter()
        .find(|(own, amount)| amount.is_money && own.start < bytes.end && bytes.start < own.end);
    let Some((money, _)) = money else { return false };
    let before = &text[..money.start];
    let mut leads =
        before.char_indices().filter(|(_, c)| c.is_whitespace()).map(|(at, _)| at).rev();
    let lead = leads.nth(ASKER_WORDS_MAX).unwrap_or_default();
    let follows = Tokens::of(text[money.end..].trim_start());
    Tokens::of(&before[lead..]).has_any(phrases::of("asker holds"))
        || follows.any_phrase(0, phrases::of("money to give")).is_some()
}

/// Whether bytes of a text are of an age: `un señor de 80 años`, `for ages 6 to 12`.
pub(super) fn is_age(text: &str, bytes: &Range<usize>) -> bool {
    let is_of = |own: &Range<usize>| own.start < bytes.end && bytes.start < own.end;
    amounts_in(text).into_iter().any(|(own, amount)| {
        let follows = Tokens::of(text[own.end..].trim_start_matches([' ', '-']));
        let leads = Tokens::of(&text[..own.start]);
        is_of(&own)
            && !amount.is_money
            && (follows.any_phrase(0, phrases::of("behind an age")).is_some()
                || leads.any_phrase_before(leads.len(), phrases::of("before an age")).is_some())
    })
}

/// The tokens of a text, words one edit from one that amounts are made of or compared by mended.
pub(super) fn mended(text: &str) -> Tokens {
    let mut tokens = Tokens::of(text);
    for token in tokens.list.iter_mut().filter(|token| token.is_word() && !token.glued) {
        let form = token.form.as_str();
        let near = |word: &&str| form.get(..1) == word.get(..1) && edits(form, word, 1).is_some();
        if form.len() >= TYPO_LETTERS_MIN && !phrases::has("amount word", form) {
            let word = phrases::of("amount word").find(near);
            token.form = word.map_or(std::mem::take(&mut token.form), str::to_owned);
        }
    }
    tokens
}

/// One amount or two that a range joins, and the tokens of both with what joins them.
pub(super) struct AmountRange {
    pub(super) first: Amount,
    pub(super) second: Option<Amount>,
    pub(super) tokens: Range<usize>,
}

/// The amount that begins at a token, and the second of the range that it opens, if there is one; and where they end.
pub(super) fn range_at(tokens: &Tokens, start: usize) -> Option<(AmountRange, usize)> {
    let mut first = at(tokens, start)?;
    let opened = tokens.any_phrase_before(start, phrases::of("range opening"));
    let next = first.tokens.end;
    let joint = tokens.form(next);
    let joins = phrases::has("range joint", joint)
        || (opened.is_some() && phrases::has("conjunction", joint));
    let Some(mut second) = at(tokens, next + 1).filter(|_| joins) else {
        let tokens = first.tokens.clone();
        return Some((AmountRange { first, second: None, tokens }, next));
    };
    let end = second.tokens.end;
    let tokens = opened.unwrap_or(start)..end;
    // `2 and 4 million`: the unit is of both, unless that turns them round.
    if first.unit == 1.0 && second.unit > 1.0 && first.low * second.unit <= second.low {
        first.low *= second.unit;
        first.high = first.low;
    }
    if first.low > second.high {
        std::mem::swap(&mut first, &mut second);
    }
    first.is_money |= second.is_money;
    Some((AmountRange { first, second: Some(second), tokens }, end))
}

/// The amount that begins at a token, if one does.
pub(super) fn at(tokens: &Tokens, start: usize) -> Option<Amount> {
    let has_dollar = |at| tokens.has_sign(at, '$');
    let (mut is_money, mut next) = (true, start + 1);
    if !has_dollar(start) {
        match tokens.form(start) {
            "usd" | "us" if has_dollar(start + 1) => next = start + 2,
            "usd" => {}
            _ => (is_money, next) = (false, start),
        }
    }
    let (mut value, mut next, is_spelled) = value_at(tokens, next)?;
    if let Some(amount) = figures(tokens, start, value, next) {
        return Some(amount);
    }
    let mut unit = 1.0;
    // `two and a half million`.
    if let Some(after) = tokens.any_phrase(next, phrases::of("and a half"))
        && unit_at(tokens, after).is_some()
    {
        (value, next) = (value + 0.5, after);
    }
    // `2 hundred thousand`, `5 k`.
    while let Some((factor, after)) = unit_at(tokens, next) {
        next = after;
        // A hundred is no unit that a range shares: `one hundred to three hundred thousand`.
        if factor >= 1e3 {
            unit *= factor;
            continue;
        }
        value *= factor;
        if let Some((below, behind)) = below_hundred(tokens, after).filter(|_| is_spelled) {
            value += below;
            next = behind;
        }
    }
    if unit >= 1e6
        && let Some(after) = tokens.any_phrase(next, phrases::of("and a half"))
    {
        value += 0.5;
        next = after;
    }
    // `50 grand`.
    if let Some(after) = tokens.any_phrase(next, phrases::of("thousand dollars")) {
        unit = if unit < 1e3 { unit * 1e3 } else { unit };
        (is_money, next) = (true, after);
    } else if let Some(after) = tokens.any_phrase(next, phrases::of("dollars")) {
        (is_money, next) = (true, after);
    }
    let value = value * unit;
    let good = value.is_finite() && value < 1e15;
    good.then_some(Amount { low: value, high: value, tokens: start..next, unit, is_money })
}

/// `7 figures`, `six-figure`: that many digits.
fn figures(tokens: &Tokens, start: usize, digits: f64, next: usize) -> Option<Amount> {
    let next = skip_hyphen(tokens, next);
    if !phrases::has("figures", tokens.form(next)) {
        return None;
    }
    let digits = (4.0..=12.0).contains(&digits).then_some(digits as i32)?;
    let low = 10_f64.powi(digits - 1);
    let (tokens, high) = (start..next + 1, low * 10.0 - 1.0);
    Some(Amount { low, high, tokens, unit: 1.0, is_money: true })
}

/// A number in digits or words: its value, what follows it, and whether it was in words.
fn value_at(tokens: &Tokens, at: usize) -> Option<(f64, usize, bool)> {
    let token = tokens.get(at)?;
    if let TokenKind::Number(value) = token.kind {
        // `1/2 million`.
        if let Some((fraction, next)) = fraction_at(tokens, at, value) {
            return Some((fraction, next, true));
        }
        return Some((value, at + 1, false));
    }
    let fraction = phrases::meanings("fraction")
        .find_map(|(value, names)| Some((value.parse().ok()?, tokens.any_phrase(at, names)?)));
    if let Some((value, next)) = fraction {
        return million_follows(tokens, next).then_some((value, next, true));
    }
    if let Some(next) = tokens.any_phrase(at, phrases::of("a")) {
        let unit = unit_at(tokens, next).is_some() && !tokens.list[next].glued;
        let long = tokens.form(next).len() > 1;
        return (unit && long).then_some((1.0, next, true));
    }
    let mut value = number_named(&token.form)?;
    let mut next = at + 1;
    // `twenty five`, `twenty-five`.
    let after = skip_hyphen(tokens, next);
    if (20.0..100.0).contains(&value)
        && let Some(ones) = number_named(tokens.form(after))
        && ones < 10.0
    {
        value += ones;
        next = after + 1;
    }
    Some((value, next, true))
}

/// What follows `two hundred`: `fifty`, `and fifty`; its value and what follows it.
fn below_hundred(tokens: &Tokens, at: usize) -> Option<(f64, usize)> {
    let at = if tokens.form(at) == "and" { at + 1 } else { at };
    number_named(tokens.form(at))?;
    value_at(tokens, at).filter(|(value, ..)| *value < 100.0).map(|(value, next, _)| (value, next))
}

/// A fraction of a million: its value, and what follows it.
fn fraction_at(tokens: &Tokens, at: usize, above: f64) -> Option<(f64, usize)> {
    tokens.get(at + 1).filter(|token| token.is_punctuation('/') && token.glued)?;
    let TokenKind::Number(below) = tokens.get(at + 2)?.kind else { return None };
    let next = tokens.any_phrase(at + 3, phrases::of("of a")).unwrap_or(at + 3);
    (below > above && million_follows(tokens, next)).then_some((above / below, next))
}

fn million_follows(tokens: &Tokens, at: usize) -> bool {
    unit_at(tokens, at).is_some_and(|(factor, _)| factor >= 1e6)
}

/// A unit: what it multiplies by, and what follows it.
fn unit_at(tokens: &Tokens, at: usize) -> Option<(f64, usize)> {
    let (before, at) = (at, skip_hyphen(tokens, at));
    let token = tokens.get(at)?;
    let named = |list| phrases::meaning(list, &token.form)?.parse().ok();
    // `mil` is a thousand beside Spanish words, a million else.
    let is_spanish = || tokens.list.iter().any(|token| phrases::has("spanish", &token.form));
    let spanish = named("unit in spanish").filter(|_| is_spanish());
    // `5 K street`, `4 m`: a letter is a unit only next to its number.
    let letter = named("unit letter").filter(|_| token.glued && at == before);
    let factor = spanish.or(letter).or_else(|| named("unit"))?;
    Some((factor, at + 1))
}

fn skip_hyphen(tokens: &Tokens, at: usize) -> usize {
    let hyphen = tokens.get(at).is_some_and(|token| token.is_punctuation('-') && token.glued);
    if hyphen { at + 1 } else { at }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_and_gifts_are_no_figures() {
        for (text, words, expected) in [
            ("un señor de 80 años", "80", true),
            ("for ages 6 to 12", "6", true),
            ("an 80-year-old neighbor", "80", true),
            ("a score of 80", "80", false),
            ("$80 years ago", "80", false),
        ] {
            let start = text.find(words).unwrap();
            assert_eq!(is_age(text, &(start..start + words.len())), expected, "{text}");
        }
        for (text, expected) in [
            ("Quisiera donar $500 a un sitio", true),
            ("I have $500 for shelters", true),
            ("a $500 gift for shelters", true),
            ("a place that would actually feel $500", true),
            ("shelters with revenue of $500", false),
        ] {
            let start = text.find("500").unwrap();
            assert_eq!(is_askers(text, &(start..start + 3)), expected, "{text}");
        }
    }

    #[test]
    fn amounts() {
        for (text, low, high, count) in [
            ("$1.5M", 1.5e6, 1.5e6, 3),
            ("500k", 5e5, 5e5, 2),
            ("half a million", 5e5, 5e5, 3),
            ("a quarter of a million", 2.5e5, 2.5e5, 5),
            ("two million dollars", 2e6, 2e6, 3),
            ("a million", 1e6, 1e6, 2),
            ("$250,000,000", 2.5e8, 2.5e8, 2),
            ("1.2 billion", 1.2e9, 1.2e9, 2),
            ("seven-figure", 1e6, 9_999_999.0, 2),
            ("6 figures", 1e5, 999_999.0, 2),
            ("twenty five thousand", 25e3, 25e3, 3),
            ("one hundred thousand", 1e5, 1e5, 3),
            ("medio millon de dolares", 5e5, 5e5, 4),
            ("quinientos mil dolares", 5e5, 5e5, 3),
            ("50 grand", 5e4, 5e4, 2),
            ("a hundred grand", 1e5, 1e5, 3),
            ("2mm", 2e6, 2e6, 2),
            ("1/2 million", 5e5, 5e5, 4),
            ("USD 60,000", 6e4, 6e4, 2),
            ("5 K street", 5.0, 5.0, 1),
            ("two hundred fifty thousand dollars", 2.5e5, 2.5e5, 5),
            ("one million and a half", 1.5e6, 1.5e6, 5),
            ("two and a half million", 2.5e6, 2.5e6, 5),
            ("a cool million", 1e6, 1e6, 3),
            ("75 thou", 75e3, 75e3, 2),
            ("3 mill", 3e6, 3e6, 2),
        ] {
            let tokens = Tokens::of(text);
            let amount = at(&tokens, 0).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((amount.low, amount.high, amount.tokens), (low, high, 0..count), "{text}");
        }
        for text in ["a shelter", "half moon", "k", "million", "$", "- 5"] {
            assert_eq!(at(&Tokens::of(text), 0), None, "{text}");
        }
    }
}
