//! The two-digit codes of the IRS master file that the interface filters by or answers with.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Why a text is not a code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found {found:?}")]
pub struct CodeError {
    expected: &'static str,
    found: String,
}

/// Reads exactly `digits` ASCII digits.
fn number(text: &str, digits: usize, expected: &'static str) -> Result<u16, CodeError> {
    let good = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    good.then(|| text.parse().ok())
        .flatten()
        .ok_or_else(|| CodeError { expected, found: text.chars().take(20).collect() })
}

/// Gives a code its number, which serde writes, and reads that back where the code's parser could have given it.
macro_rules! numbered {
    ($code:ident($number:ty), $range:pat, $expected:literal) => {
        impl $code {
            /// The code as a number.
            pub fn number(self) -> $number {
                self.0
            }
        }

        impl TryFrom<$number> for $code {
            type Error = CodeError;

            fn try_from(number: $number) -> Result<Self, CodeError> {
                match number {
                    $range => Ok(Self(number)),
                    _ => Err(CodeError { expected: $expected, found: number.to_string() }),
                }
            }
        }

        impl From<$code> for $number {
            fn from(code: $code) -> $number {
                code.0
            }
        }
    };
}

/// A code of one or two digits: how it is read from a text, and which numbers it may have.
macro_rules! code {
    ($(#[$about:meta])* $code:ident, $digits:literal, $text:literal, $range:pat, $number:literal) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "u8", into = "u8")]
        pub struct $code(u8);

        numbered!($code(u8), $range, $number);

        impl FromStr for $code {
            type Err = CodeError;

            fn from_str(text: &str) -> Result<Self, CodeError> {
                Ok(Self(number(text, $digits, $text)? as u8))
            }
        }
    };
}

code! {
    /// Subsection of section 501(c) (master file column SUBSECTION): `03` is 501(c)(3).
    Subsection,
    2, "a subsection of two digits, such as 03",
    0..=99, "a subsection of 0 to 99"
}

impl Subsection {
    /// Charitable organizations, 501(c)(3).
    pub const CHARITABLE: Self = Self(3);

    /// The section of the tax code that it stands for, as people write it: `501(c)(3)`; `None` for
    /// a code that the master file's description does not name.
    pub fn section(self) -> Option<String> {
        let other = match self.0 {
            1..=29 => return Some(format!("501(c)({})", self.0)),
            40 => "501(d)",
            50 => "501(e)",
            60 => "501(f)",
            70 => "501(k)",
            71 => "501(n)",
            80 => "521",
            81 => "529",
            82 => "527",
            90 => "4947(a)(2)",
            91 | 92 => "4947(a)(1)",
            _ => return None,
        };
        Some(other.to_owned())
    }

    /// Whether it is that of fraternal societies and lodges: 08 and 10.
    pub fn is_lodge(self) -> bool {
        matches!(self.0, 8 | 10)
    }

    /// Whether it is that of corporations that hold title to property for others: 02 and 25.
    pub fn holds_title(self) -> bool {
        matches!(self.0, 2 | 25)
    }

    /// Whether it is an exemption: 90 to 92 are charitable trusts that are not exempt.
    pub fn is_exemption(self) -> bool {
        !matches!(self.0, 90..=92)
    }
}

impl fmt::Display for Subsection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}", self.0)
    }
}

code! {
    /// Reason for 501(c)(3) foundation status (master file column FOUNDATION).
    Foundation,
    2, "a foundation code of two digits, such as 15",
    0..=99, "a foundation code of 0 to 99"
}

impl Foundation {
    /// Whether it is a private foundation: code 02, 03 or 04.
    pub fn is_private_foundation(self) -> bool {
        matches!(self.0, 2..=4)
    }

    /// Whether it is a private operating foundation, code 02 or 03; `None` of what is no private foundation.
    pub fn is_operating(self) -> Option<bool> {
        self.is_private_foundation().then_some(self.0 != 4)
    }

    /// Whether it is a church: code 10.
    pub fn is_church(self) -> bool {
        self.0 == 10
    }

    /// What it stands for; `None` of a code that the master file's description does not name.
    pub fn classification(self) -> Option<CharityClassification> {
        let public = |said, section| CharityClassification {
            said,
            section: Some(section),
            supporting: None,
        };
        let supporting = |kind| CharityClassification {
            said: "supporting organization",
            section: Some("509(a)(3)"),
            supporting: Some(kind),
        };
        let none = |said| CharityClassification { said, section: None, supporting: None };
        Some(match self.0 {
            0 => none("trust under section 4947(a)(1), or not a section 501(c)(3) organization"),
            2 => none("private operating foundation exempt from the tax of section 4940"),
            3 => none("private operating foundation"),
            4 => none("private non-operating foundation"),
            9 => none("classification suspended"),
            10 => public("church, section 170(b)(1)(A)(i)", "509(a)(1)"),
            11 => public("school, section 170(b)(1)(A)(ii)", "509(a)(1)"),
            12 => public("hospital, section 170(b)(1)(A)(iii)", "509(a)(1)"),
            13 => public(
                "organization for the benefit of a college or university, section 170(b)(1)(A)(iv)",
                "509(a)(1)",
            ),
            14 => public("governmental unit, section 170(b)(1)(A)(v)", "509(a)(1)"),
            15 => public("publicly supported, section 170(b)(1)(A)(vi)", "509(a)(1)"),
            16 => public("publicly supported by receipts of its activities", "509(a)(2)"),
            17 => supporting("type not stated"),
            18 => public("testing for public safety", "509(a)(4)"),
            21 => supporting("Type I"),
            22 => supporting("Type II"),
            23 => supporting("Type III, functionally integrated"),
            24 => supporting("Type III, not functionally integrated"),
            _ => return None,
        })
    }
}

/// The meaning of a FOUNDATION code for a 501(c)(3) organization. Source: IRS, Exempt Organizations
/// Business Master File, information sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize)]
pub struct CharityClassification {
    /// What the code stands for, in words.
    #[serde(rename = "description")]
    pub said: &'static str,
    /// Paragraph of section 509(a) that makes it a public charity; null where none does.
    pub section: Option<&'static str>,
    /// Type of a supporting organization; null for any other.
    pub supporting: Option<&'static str>,
}

code! {
    /// Deductibility of contributions (master file column DEDUCTIBILITY): 1 deductible, 2 not,
    /// 4 by treaty, 0 undefined.
    Deductibility,
    1, "a deductibility code of one digit",
    0..=9, "a deductibility code of 0 to 9"
}

impl Deductibility {
    /// Contributions are deductible (code 1).
    pub const DEDUCTIBLE: Self = Self(1);

    /// Whether contributions are deductible by treaty alone (code 4).
    pub fn is_by_treaty(self) -> bool {
        self.0 == 4
    }

    /// Whether contributions are deductible, by treaty included (codes 1 and 4); `None` where the
    /// code leaves it undefined.
    pub fn is_deductible(self) -> Option<bool> {
        match self.0 {
            1 | 4 => Some(true),
            2 => Some(false),
            _ => None,
        }
    }
}

code! {
    /// Which annual return is required (master file column FILING_REQ_CD): 01 Form 990 or 990-EZ,
    /// 02 Form 990-N, 06 church, not required.
    FilingRequirement,
    2, "a filing requirement of two digits",
    0..=99, "a filing requirement of 0 to 99"
}

impl FilingRequirement {
    /// Whether the organization files Form 990-N, which reports no amounts (code 02).
    pub fn is_postcard(self) -> bool {
        self.0 == 2
    }

    /// Whether the organization need not file as it is a church (code 06).
    pub fn is_church(self) -> bool {
        self.0 == 6
    }
}

/// Group exemption number (master file column GROUP), 1 to 9999; `0000` there means none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u16", into = "u16")]
pub struct GroupNumber(u16);

numbered!(GroupNumber(u16), 1..=9999, "a group exemption number of 1 to 9999");

impl GroupNumber {
    /// Reads four digits; `0000` is no group.
    ///
    /// # Errors
    /// When it is not four digits.
    pub fn parse(text: &str) -> Result<Option<Self>, CodeError> {
        let value = number(text, 4, "a group exemption number of four digits")?;
        Ok((value != 0).then_some(Self(value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes() {
        assert_eq!("03".parse::<Subsection>().unwrap(), Subsection::CHARITABLE);
        assert_eq!("03".parse::<Subsection>().unwrap().to_string(), "03");
        assert!("3".parse::<Subsection>().is_err());
        assert!("4 ".parse::<Foundation>().is_err());
        for (code, private) in
            [("00", false), ("02", true), ("03", true), ("04", true), ("15", false)]
        {
            assert_eq!(
                code.parse::<Foundation>().unwrap().is_private_foundation(),
                private,
                "{code}"
            );
        }
        for (code, deductible) in
            [("0", None), ("1", Some(true)), ("2", Some(false)), ("3", None), ("4", Some(true))]
        {
            assert_eq!(
                code.parse::<Deductibility>().unwrap().is_deductible(),
                deductible,
                "{code}"
            );
        }
        assert_eq!(GroupNumber::parse("0000"), Ok(None));
        assert_eq!(GroupNumber::parse("1489").unwrap().map(GroupNumber::number), Some(1489));
        assert!(GroupNumber::parse("14890").is_err());
    }

    #[test]
    fn what_is_read_back_is_what_a_parser_gives() {
        let code = "03".parse::<Subsection>().unwrap();
        let bytes = postcard::to_stdvec(&code).unwrap();
        assert_eq!(postcard::from_bytes::<Subsection>(&bytes).unwrap(), code);
        assert!(postcard::from_bytes::<Subsection>(&[100]).is_err());
        assert!(postcard::from_bytes::<Deductibility>(&[10]).is_err());
        assert!(postcard::from_bytes::<GroupNumber>(&[0]).is_err());
    }
}
