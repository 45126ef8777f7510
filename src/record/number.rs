//! Numbers as people read them, and amounts of money.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Whole US dollars; may be negative. Not known is `None` around it, never 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Usd(i64);

/// Why a text is not an amount.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected whole dollars, found {found:?}")]
pub struct UsdError {
    found: String,
}

impl Usd {
    /// An amount of whole dollars.
    pub fn new(dollars: i64) -> Self {
        Self(dollars)
    }

    /// Whole dollars.
    pub fn dollars(self) -> i64 {
        self.0
    }
}

/// Digits with at most one minus before them, as the IRS's files write amounts.
impl FromStr for Usd {
    type Err = UsdError;

    fn from_str(text: &str) -> Result<Self, UsdError> {
        // The parser of numbers would take a plus.
        let dollars = text.parse().ok().filter(|dollars| *dollars != i64::MIN);
        let dollars = dollars.filter(|_| !text.starts_with('+'));
        dollars.map(Self).ok_or_else(|| UsdError { found: text.chars().take(40).collect() })
    }
}

/// The numbers below twenty in words, each at its own place.
#[rustfmt::skip]
pub const NUMBER_WORDS: [&str; 20] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen",
    "sixteen", "seventeen", "eighteen", "nineteen",
];

/// The number of a word in small letters that is digits alone or an ordinal of them: `32`, `21st`.
pub fn ordinal(word: &str) -> Option<u64> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let ending = &word[digits.len()..];
    matches!(ending, "" | "st" | "nd" | "rd" | "th").then(|| digits.parse().ok()).flatten()
}

/// The number that is written as a number of 32 bits is: 0.1 of `0.1_f32`, which lies beside it.
pub fn decimal(number: f32) -> f64 {
    number.to_string().parse().unwrap_or(f64::from(number))
}

/// A number with its thousands set apart: `1,234,567`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun: `1 nonprofit`, `1,234 nonprofits`.
pub fn counted(count: u64, one: &str, more: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{} {more}", thousands(count)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts() {
        for (text, dollars) in [("0", 0), ("-17", -17), ("61017491345", 61_017_491_345)] {
            assert_eq!(text.parse::<Usd>().unwrap().dollars(), dollars);
        }
        for bad in [
            "",
            "-",
            "1.5",
            "+1",
            "1,000",
            "$1",
            "--1",
            "99999999999999999999",
            "-9223372036854775808",
        ] {
            assert!(bad.parse::<Usd>().is_err(), "{bad:?}");
        }
    }
}
