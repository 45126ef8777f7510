//! Numbers as people read them, and amounts of money.

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

    /// Reads digits with at most one leading minus, as the IRS files write amounts.
    ///
    /// # Errors
    /// When it is anything else, or does not fit 64 bits.
    pub fn parse(text: &str) -> Result<Self, UsdError> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let good = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        good.then(|| text.parse().ok().filter(|&dollars| dollars != i64::MIN).map(Self))
            .flatten()
            .ok_or_else(|| UsdError { found: text.chars().take(40).collect() })
    }

    /// Whole dollars.
    pub fn dollars(self) -> i64 {
        self.0
    }
}

/// The numbers below twenty in words, each at its own place.
#[rustfmt::skip]
pub const NUMBER_WORDS: [&str; 20] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen",
    "sixteen", "seventeen", "eighteen", "nineteen",
];

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
            assert_eq!(Usd::parse(text).unwrap().dollars(), dollars);
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
            assert!(Usd::parse(bad).is_err(), "{bad:?}");
        }
    }
}
