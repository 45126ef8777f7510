//! Amounts as people write them: `$1.5M`, `half a million`, `2 million dollars`, `seven figures`.

use std::ops::Range;

use super::token::{Kind, Token, Tokens};

/// An amount, and what it looked like.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Amount {
    /// Least and greatest; equal but for `7 figures`.
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) tokens: Range<usize>,
    /// By what a number before it in a range is to be multiplied: 1 without a unit.
    pub(super) unit: f64,
    /// Whether a dollar sign or word stands with it.
    pub(super) is_money: bool,
    /// Whether it is digits alone.
    pub(super) is_bare: bool,
}

const MONEY_WORDS: [&str; 7] = ["dollars", "dollar", "usd", "bucks", "dolares", "dolar", "grand"];

/// Spanish words that tell how `mil` is meant.
const SPANISH: [&str; 10] =
    ["de", "mas", "menos", "en", "con", "ingresos", "dolares", "y", "hasta", "entre"];

/// The amount that begins at a token, if one does.
pub(super) fn at(tokens: &Tokens, start: usize) -> Option<Amount> {
    let mut next = start;
    let mut is_money = false;
    if tokens.free_at(next)?.is_sign('$') {
        is_money = true;
        next += 1;
    } else if matches!(tokens.form(next), "usd" | "us") {
        let sign = tokens.free_at(next + 1)?.is_sign('$');
        if !sign && tokens.form(next) == "us" {
            return None;
        }
        is_money = true;
        next += 1 + usize::from(sign);
    }
    let (value, mut next, is_spelled) = value_at(tokens, next)?;
    if let Some(amount) = figures(tokens, start, value, next) {
        return Some(amount);
    }
    let mut unit = 1.0;
    // `2 hundred thousand`, `5 k`.
    let mut value = value;
    let mut is_bare = !is_spelled;
    while let Some((factor, after)) = unit_at(tokens, next) {
        // A hundred is no unit that a range shares: `one hundred to three hundred thousand`.
        if factor < 1e3 {
            value *= factor;
            if let Some((below, behind)) = below_hundred(tokens, after).filter(|_| is_spelled) {
                value += below;
                is_bare = false;
                next = behind;
                continue;
            }
        } else {
            unit *= factor
        }
        is_bare = false;
        next = after;
    }
    if unit >= 1e6 && tokens.any_phrase(next, ["and a half"]).is_some() {
        value += 0.5;
        next += 3;
    }
    if tokens.free_at(next).is_some_and(|token| MONEY_WORDS.contains(&&*token.form)) {
        if tokens.form(next) == "grand" {
            unit = if unit < 1e3 { unit * 1e3 } else { unit };
        }
        is_money = true;
        next += 1;
    } else if let Some(after) = tokens.any_phrase(next, ["de dolares"]) {
        is_money = true;
        next = after;
    } else if let Some(after) = tokens.any_phrase(next, ["of dollars"]) {
        is_money = true;
        next = after;
    }
    let value = value * unit;
    let good = value.is_finite() && value < 1e15;
    good.then_some(Amount { low: value, high: value, tokens: start..next, unit, is_money, is_bare })
}

/// `7 figures`, `six-figure`: that many digits.
fn figures(tokens: &Tokens, start: usize, digits: f64, next: usize) -> Option<Amount> {
    let next = skip_hyphen(tokens, next);
    if !matches!(tokens.free_at(next)?.form.as_str(), "figure" | "figures" | "cifras") {
        return None;
    }
    let digits = (4.0..=12.0).contains(&digits).then_some(digits as i32)?;
    let low = 10_f64.powi(digits - 1);
    let (tokens, high) = (start..next + 1, low * 10.0 - 1.0);
    Some(Amount { low, high, tokens, unit: 1.0, is_money: true, is_bare: false })
}

/// A number in digits or words: its value, what follows it, and whether it was in words.
fn value_at(tokens: &Tokens, at: usize) -> Option<(f64, usize, bool)> {
    let token = tokens.free_at(at)?;
    if let Kind::Number(value) = token.kind {
        // `1/2 million`.
        if let Some((fraction, next)) = fraction_at(tokens, at, value) {
            return Some((fraction, next, true));
        }
        return Some((value, at + 1, false));
    }
    let quarter = ["a quarter", "quarter", "a quarter of a", "quarter of a", "a quarter of"];
    let half = ["half a", "half", "medio", "media", "a half"];
    let three = ["three quarters of a", "three quarters", "three quarter", "three fourths of a"];
    for (phrases, value) in [(&three[..], 0.75), (&quarter[..], 0.25), (&half[..], 0.5)] {
        if let Some(next) = tokens.any_phrase(at, phrases.iter().copied()) {
            return million_follows(tokens, next).then_some((value, next, true));
        }
    }
    if matches!(&*token.form, "a" | "an" | "un" | "una" | "couple") {
        let unit = unit_at(tokens, at + 1).is_some() && !tokens.list[at + 1].glued;
        let long = tokens.form(at + 1).len() > 1;
        return (unit && long).then_some((1.0, at + 1, true));
    }
    let mut value = small(&token.form)?;
    let mut next = at + 1;
    // `twenty five`, `twenty-five`.
    let after = skip_hyphen(tokens, next);
    if (20.0..100.0).contains(&value)
        && let Some(ones) = tokens.free_at(after).and_then(|token| small(&token.form))
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
    let word = tokens.free_at(at).filter(|token| token.is_word())?;
    small(&word.form)?;
    value_at(tokens, at).filter(|(value, ..)| *value < 100.0).map(|(value, next, _)| (value, next))
}

/// A fraction of a million: its value, and what follows it.
fn fraction_at(tokens: &Tokens, at: usize, above: f64) -> Option<(f64, usize)> {
    tokens.free_at(at + 1).filter(|token| token.is_sign('/') && token.glued)?;
    let Kind::Number(below) = tokens.free_at(at + 2)?.kind else { return None };
    let next = tokens.any_phrase(at + 3, ["of a", "a"]).unwrap_or(at + 3);
    (below > above && million_follows(tokens, next)).then_some((above / below, next))
}

fn million_follows(tokens: &Tokens, at: usize) -> bool {
    unit_at(tokens, at).is_some_and(|(factor, _)| factor >= 1e6)
}

/// A unit: what it multiplies by, and what follows it.
fn unit_at(tokens: &Tokens, at: usize) -> Option<(f64, usize)> {
    let token = tokens.free_at(at)?;
    let after_hyphen = token.is_sign('-') && token.glued;
    let at = if after_hyphen { at + 1 } else { at };
    let token = tokens.free_at(at)?;
    let factor = match &*token.form {
        "hundred" | "cien" | "cientos" => 1e2,
        "k" | "thousand" | "thousands" => 1e3,
        "mil" => {
            let spanish = tokens.list.iter().any(|token| SPANISH.contains(&&*token.form));
            if spanish { 1e3 } else { 1e6 }
        }
        "m" | "mm" | "mn" | "mln" | "million" | "millions" | "millon" | "millones" => 1e6,
        "b" | "bn" | "billion" | "billions" => 1e9,
        _ => return None,
    };
    // `5 K street`, `4 m`: a letter is a unit only next to its number.
    let is_letter = token.form.len() <= 2;
    if is_letter && !(token.glued || tokens_apart(token)) {
        return None;
    }
    if after_hyphen && is_letter {
        return None;
    }
    Some((factor, at + 1))
}

/// Whether a unit of letters may stand apart from its number: `5 K` may not, `5 mm` may.
fn tokens_apart(token: &Token) -> bool {
    matches!(&*token.form, "mm" | "mn" | "bn")
}

fn skip_hyphen(tokens: &Tokens, at: usize) -> usize {
    let hyphen = tokens.free_at(at).is_some_and(|token| token.is_sign('-') && token.glued);
    if hyphen { at + 1 } else { at }
}

/// Numbers in words below a thousand, English and Spanish.
pub(super) fn small(word: &str) -> Option<f64> {
    const WORDS: [(&str, f64); 50] = [
        ("zero", 0.0),
        ("one", 1.0),
        ("two", 2.0),
        ("three", 3.0),
        ("four", 4.0),
        ("five", 5.0),
        ("six", 6.0),
        ("seven", 7.0),
        ("eight", 8.0),
        ("nine", 9.0),
        ("ten", 10.0),
        ("eleven", 11.0),
        ("twelve", 12.0),
        ("thirteen", 13.0),
        ("fourteen", 14.0),
        ("fifteen", 15.0),
        ("sixteen", 16.0),
        ("seventeen", 17.0),
        ("eighteen", 18.0),
        ("nineteen", 19.0),
        ("twenty", 20.0),
        ("thirty", 30.0),
        ("forty", 40.0),
        ("fifty", 50.0),
        ("sixty", 60.0),
        ("seventy", 70.0),
        ("eighty", 80.0),
        ("ninety", 90.0),
        ("dos", 2.0),
        ("tres", 3.0),
        ("cuatro", 4.0),
        ("cinco", 5.0),
        ("seis", 6.0),
        ("siete", 7.0),
        ("ocho", 8.0),
        ("nueve", 9.0),
        ("diez", 10.0),
        ("quince", 15.0),
        ("veinte", 20.0),
        ("treinta", 30.0),
        ("cuarenta", 40.0),
        ("cincuenta", 50.0),
        ("sesenta", 60.0),
        ("setenta", 70.0),
        ("ochenta", 80.0),
        ("noventa", 90.0),
        ("cien", 100.0),
        ("doscientos", 200.0),
        ("trescientos", 300.0),
        ("quinientos", 500.0),
    ];
    WORDS.iter().find(|entry| entry.0 == word).map(|entry| entry.1)
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("one million and a half", 1.5e6, 1.5e6, 5),
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
