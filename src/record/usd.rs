//! Amounts of money.

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
