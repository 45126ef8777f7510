//! National Taxonomy of Exempt Entities codes, as the master file writes them.

use std::fmt;
use std::str::FromStr;

use super::named::text_serde;

/// An NTEE code: a major group letter and one or two digits or letters (`A`, `T2`, `X20`, `A6E`).
///
/// The master file suffixes some codes (`X20Z`, `B112`); the suffix refines the core code, is not
/// part of it, and is dropped.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ntee([u8; 3]);

/// Why a text is not an NTEE code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("an NTEE code is a letter, a digit and a digit or letter, such as P30, found {found:?}")]
pub struct NteeError {
    found: String,
}

/// Fills a code of fewer than three characters; sorts before every character of a code.
const BLANK: u8 = b' ';

impl Ntee {
    /// The core code, one to three characters.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("an NTEE code holds ASCII only").trim_end()
    }

    /// The major group, `A` to `Z`.
    pub fn major(&self) -> char {
        char::from(self.0[0])
    }

    /// Whether it is of the group Z, which stands for “unknown”.
    pub fn is_unknown(&self) -> bool {
        self.major() == 'Z'
    }

    /// The three bytes of the code, filled with blanks, for columns.
    pub fn bytes(self) -> [u8; 3] {
        self.0
    }

    /// The code of such bytes; `None` when they are none.
    pub fn from_bytes(bytes: [u8; 3]) -> Option<Self> {
        std::str::from_utf8(&bytes).ok()?.trim_end().parse().ok()
    }
}

impl FromStr for Ntee {
    type Err = NteeError;

    fn from_str(text: &str) -> Result<Self, NteeError> {
        let bytes = text.as_bytes();
        let good = (1..=5).contains(&bytes.len())
            && bytes[0].is_ascii_alphabetic()
            && bytes.get(1).is_none_or(u8::is_ascii_digit)
            && bytes.iter().skip(2).all(u8::is_ascii_alphanumeric);
        if !good {
            return Err(NteeError { found: text.chars().take(20).collect() });
        }
        let at = |index: usize| bytes.get(index).map_or(BLANK, u8::to_ascii_uppercase);
        Ok(Self([at(0), at(1), at(2)]))
    }
}

impl fmt::Display for Ntee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Ntee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ntee({})", self.as_str())
    }
}

text_serde!(Ntee, as_str);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_codes_of_the_master_file() {
        for (text, code) in [
            ("P30", "P30"),
            ("X20Z", "X20"),
            ("B112", "B11"),
            ("A6E", "A6E"),
            ("t2", "T2"),
            ("z", "Z"),
        ] {
            assert_eq!(text.parse::<Ntee>().unwrap().as_str(), code);
        }
        for bad in ["", "0000", "050", "PP0", "P-3", "P30Z99", "É20"] {
            assert!(bad.parse::<Ntee>().is_err(), "{bad:?}");
        }
    }
}
