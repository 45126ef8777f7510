//! The Employer Identification Number: nine digits that stay digits.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

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

    /// Reads an EIN as people type it: nine digits with dashes or blanks anywhere between them.
    /// `None` for anything else.
    pub fn from_typed(text: &str) -> Option<Self> {
        let digits: String = text
            .chars()
            .filter(|c| !matches!(c, '-' | '\u{2010}'..='\u{2015}') && !c.is_whitespace())
            .collect();
        digits.parse().ok()
    }
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

impl Serialize for Ein {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.serialize_str(self.as_str())
        } else {
            serializer.serialize_u32(self.pack())
        }
    }
}

impl<'de> Deserialize<'de> for Ein {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
            text.parse().map_err(de::Error::custom)
        } else {
            let packed = u32::deserialize(deserializer)?;
            Self::unpack(packed).ok_or_else(|| de::Error::custom("an EIN of more than nine digits"))
        }
    }
}

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
        for typed in ["53-0196605", " 530196605 ", "53 0196605", "5-3-0-1-9-6-6-0-5", "53–0196605"]
        {
            assert_eq!(Ein::from_typed(typed).unwrap().as_str(), "530196605", "{typed:?}");
        }
        for typed in ["53-01966", "53-0196605 inc", "troop 12345678"] {
            assert_eq!(Ein::from_typed(typed), None, "{typed:?}");
        }
    }
}
