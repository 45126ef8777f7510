//! The Employer Identification Number: nine digits that stay digits.

use std::fmt;
use std::str::FromStr;

use unicode_normalization::UnicodeNormalization as _;

use super::named::text_serde;

/// An Employer Identification Number: exactly nine ASCII digits, leading zeros kept.
///
/// It is text, never a number, wherever anybody sees it. Indexes hold [`Ein::pack`]'s four bytes,
/// which sort as the text does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ein([u8; 9]);

/// Why a text is not an EIN.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("an EIN is exactly nine digits, found {found:?}")]
pub struct EinError {
    found: String,
}

impl Ein {
    /// The nine digits.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("an EIN holds ASCII digits only")
    }

    /// As people write it, with a dash behind two digits: `97-0000001`.
    pub fn dashed(&self) -> String {
        let (prefix, rest) = self.as_str().split_at(PREFIX_DIGITS);
        format!("{prefix}-{rest}")
    }

    /// Four bytes that sort as the digits do, for indexes: 0 to 999,999,999.
    pub fn pack(self) -> u32 {
        self.0.iter().fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0'))
    }

    /// The EIN of packed bytes; `None` above 999,999,999, which no EIN packs to.
    pub fn unpack(packed: u32) -> Option<Self> {
        if packed > 999_999_999 {
            return None;
        }
        let mut digits = [b'0'; 9];
        let mut rest = packed;
        for digit in digits.iter_mut().rev() {
            *digit = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        Some(Self(digits))
    }

    /// Reads an EIN as people and spreadsheets write it: nine digits with dashes, blanks, dots or commas anywhere
    /// between them; seven or eight that lost the zeros in front; what announces it (`EIN:`, `US-EIN-`) and what
    /// spreadsheets put around a number (`="012345678"`, `'012345678`, `12345678.0`). `None` for anything else.
    pub fn from_typed(text: &str) -> Option<Self> {
        let form: String = text.nfkc().collect();
        let typed = without_announcement(form.trim_matches(is_around));
        let typed = typed.strip_suffix(".0").unwrap_or(typed);
        let digits: String = typed.chars().filter(|c| !is_between(*c)).collect();
        let is_ein = match digits.len() {
            DIGITS => true,
            // Dates and telephone numbers have as few digits, and other signs between them.
            DIGITS_MIN..DIGITS => match typed.rsplit_once(is_dash) {
                Some((_, behind)) => behind.len() == DIGITS_MIN,
                None => !typed.contains(|c: char| c.is_whitespace() || c == '.'),
            },
            _ => false,
        };
        is_ein.then(|| format!("{digits:0>DIGITS$}").parse().ok()).flatten()
    }

    /// Whether a text is what spreadsheets make of a long number in a narrow column, `1.23E+08`: most of the
    /// digits are lost.
    pub fn is_rounded(text: &str) -> bool {
        let Some((number, exponent)) = text.trim().split_once(['e', 'E']) else { return false };
        let is_number = number.contains('.') && number.parse::<f64>().is_ok_and(f64::is_finite);
        is_number && exponent.trim_start_matches('+').parse::<u8>().is_ok()
    }
}

/// Digits of an EIN, and those behind its prefix: as few are left where the prefix was zeros.
const DIGITS: usize = 9;
/// Digits before the dash.
const PREFIX_DIGITS: usize = 2;
const DIGITS_MIN: usize = 7;

/// What stands before an EIN.
const ANNOUNCEMENTS: [&str; 6] = ["us-ein", "ein", "fein", "tax id", "taxid", "tin"];

fn without_announcement(text: &str) -> &str {
    let begins = |announcement: &&str| {
        text.get(..announcement.len()).is_some_and(|start| start.eq_ignore_ascii_case(announcement))
    };
    match ANNOUNCEMENTS.iter().find(|one| begins(one)) {
        Some(announcement) => text[announcement.len()..]
            .trim_start_matches(|c| matches!(c, ':' | '#' | '=') || is_between(c)),
        None => text,
    }
}

fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{ad}' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// What may stand between the digits: signs, and blanks of every width.
fn is_between(c: char) -> bool {
    let is_blank =
        c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}');
    is_blank || is_dash(c) || matches!(c, '.' | ',')
}

/// What may stand around an EIN: blanks, quotes, the sign of a formula.
fn is_around(c: char) -> bool {
    let is_quote = matches!(c, '"' | '\'' | '`' | '\u{2018}'..='\u{201f}');
    is_quote || is_between(c) || matches!(c, '=' | '#' | '(' | ')')
}

impl FromStr for Ein {
    type Err = EinError;

    fn from_str(text: &str) -> Result<Self, EinError> {
        match <[u8; 9]>::try_from(text.as_bytes()) {
            Ok(digits) if digits.iter().all(u8::is_ascii_digit) => Ok(Self(digits)),
            _ => Err(EinError { found: text.chars().take(40).collect() }),
        }
    }
}

impl fmt::Display for Ein {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Ein {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ein({})", self.as_str())
    }
}

text_serde!(Ein, packed: "an EIN of more than nine digits");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_nine_digits_only() {
        for good in ["530196605", "000003154", "999999999"] {
            assert_eq!(good.parse::<Ein>().map(|ein| ein.to_string()).as_deref(), Ok(good));
        }
        for bad in
            ["", "53019660", "5301966055", "53-019660", "53019660x", "١٢٣٤٥٦٧٨٩", "12345678\n"]
        {
            assert!(bad.parse::<Ein>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn packing_keeps_order_and_value() {
        let eins = ["000000000", "000003154", "010564885", "530196605", "999999999"];
        let packed: Vec<u32> =
            eins.iter().map(|text| text.parse::<Ein>().unwrap().pack()).collect();
        assert!(packed.is_sorted());
        for (text, packed) in eins.iter().zip(packed) {
            assert_eq!(Ein::unpack(packed).unwrap().as_str(), *text);
        }
        assert_eq!(Ein::unpack(1_000_000_000), None);
    }

    #[test]
    fn typed_forms() {
        for (typed, ein) in [
            ("53-0196605", "530196605"),
            (" 530196605 ", "530196605"),
            ("53 0196605", "530196605"),
            ("53.0196605", "530196605"),
            ("530-19-6605", "530196605"),
            ("530,196,605", "530196605"),
            ("530196605.0", "530196605"),
            ("=\"530196605\"", "530196605"),
            ("'530196605", "530196605"),
            ("EIN: 53-0196605", "530196605"),
            ("EIN530196605", "530196605"),
            ("US-EIN-530196605", "530196605"),
            ("(53‑0196605)", "530196605"),
            ("53−0196605", "530196605"),
            ("\u{200b}５３０１９６６０５", "530196605"),
            ("10631747", "010631747"),
            ("1-0631747", "010631747"),
            ("10631747.0", "010631747"),
            ("29215", ""),
            ("0029215", "000029215"),
            ("53-01966", ""),
            ("2024-01-15", ""),
            ("406 555 0100", ""),
            ("53-0196605 inc", ""),
            ("troop 12345678", ""),
            ("1.23E+08", ""),
            ("", ""),
        ] {
            let found = Ein::from_typed(typed).map(|ein| ein.to_string());
            assert_eq!(found.as_deref(), Some(ein).filter(|ein| !ein.is_empty()), "{typed:?}");
        }
    }

    #[test]
    fn rounded_numbers() {
        for (text, expected) in [
            ("4.66E+08", true),
            ("1.2e8", true),
            ("466040178", false),
            ("1E5 Club", false),
            ("", false),
        ] {
            assert_eq!(Ein::is_rounded(text), expected, "{text:?}");
        }
    }
}
