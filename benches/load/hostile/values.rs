//! Values of parameters: at, below and beyond their bounds, of the wrong type, and whatever may
//! confuse what reads them.

use super::interface::Kind;
use crate::chance::Rng;

/// What the declaration says of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    Fits,
    /// It must be refused (422).
    Refused,
    /// Either may be.
    Unknown,
}

/// A value before it is percent-encoded: bytes, since it need not be UTF-8.
pub type Drawn = (Vec<u8>, Fit);

/// Bytes of what is longer than any parameter takes, and shorter than a target may be.
const LONG_BYTES: usize = 7_000;
/// Characters up to which words of a message are joined.
const MESSAGE_BYTES: usize = 250;

/// No number, in whichever way.
const NO_NUMBERS: [&str; 12] =
    ["", "abc", "0x10", "٣", "1_000", "NaN", "Infinity", "-inf", "1e999", "--1", "1 2", "½"];

/// What other programs take for more than text.
const INJECTIONS: [&str; 34] = [
    "' OR '1'='1",
    "'; DROP TABLE nonprofits; --",
    "\" UNION SELECT * FROM keys",
    "%s%s%s%n%x",
    "{0}{}{{}}",
    "${jndi:ldap://127.0.0.1/a}",
    "{{7*7}}",
    "<script>alert(1)</script>",
    "../../../../etc/passwd",
    "..\\..\\windows",
    "`id`; $(id) | id",
    "(a+)+$",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "[[:alpha:]",
    ".*.*.*.*.*",
    "name:food AND NOT (state:OH",
    "food^999999999 +bar -baz",
    "\"food bank\"~99999",
    "[a TO z} OR {* TO *]",
    "field:\\",
    "a* b? c~2",
    "\u{0}",
    "a\u{0}b",
    "a\r\nX-Injected: 1",
    "\t\u{b}\u{c}",
    "\u{202e}knab doof\u{202c}",
    "مطعم خيري",
    "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}",
    "👩‍👩‍👧‍👦🏴‍☠️🌻",
    "\u{feff}\u{ffff}\u{10ffff}",
    "ﬃ ㎏ ½ Ⅷ ﷺ",
    "İıſK ß ŉ ǰ",
    "\u{200b}\u{200d}\u{ad}\u{2060}",
    "﹤\u{ff1e}＇＂％２５",
];

/// Bytes that are no UTF-8: surrogates, overlong forms, beyond the last character, cut off.
const NO_TEXT: [&[u8]; 8] = [
    b"\xed\xa0\x80",
    b"\xed\xb0\x80\xed\xa0\x80",
    b"\xc0\xaf",
    b"\xe0\x80\xaf",
    b"\xf4\x90\x80\x80",
    b"\xf0\x9f\x8c",
    b"\xff\xfe",
    b"\x80",
];

/// Words of queries and messages, sense and nonsense of it.
const WORDS: &str = "food banks|in Ohio|only|what about|the second one|its revenue|tell me about|\
articles about|hunger|funds for|that|thanks|start over|others like|the 999th one|show article 1002|\
what is an EIN|more|never mind the|state|any size|SDG 18|SDG 0|SDG -1|no, I meant|over $1M|vetted|¿qué|?|\
!|,|(((|#|#3|the|not|not|or|and|between 5 and 3|between|and 99999999999999999999|top 0|\
top 99999999999999999999|over $1e400|over $-1|$1.5.5M|1,,,000|$1,0,0,0k|½ million|half a half a million|\
twelve hundred and and six|seven-figure|-figure|within 1e9 miles of Denver|within -1 miles of|within|\
miles of|near|00000|97214-999999|97214|NTEE Z99Z|NTEE|501(c)(99)|501(c)(|EIN 00-0000000|EIN 53-01966051|\
000000000|score above 1e309|5 stars or better|stars|18446744073709551616 employees|-1 employees|\
0.00000000000000000000000001|largest|smallest by|newest|oldest first|similar to similar to|similar to|\
in in in in|Orange County|County|California, Texas, Ohio, Maine|outside of|New York New York|\
Saint St. Ste. Mt. Fort Ft.|x|aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa|\u{301}|\u{202e}|友好|\
’s|“|''|--|…|\u{a0}|٣ ملايين|３００|1st|0th|4294967297th|last one|first two|all of them|both|who runs it";

/// A value of a kind.
pub fn drawn(chance: &mut Rng, kind: &Kind, is_list: bool) -> Drawn {
    let (value, fit) = match kind {
        Kind::Text { min, max } => text(chance, *min, *max),
        Kind::Pattern(pattern) => coded(chance, pattern),
        Kind::Whole { min, max } => whole(chance, *min, *max),
        Kind::Number { min, max } => number(chance, *min, *max),
        Kind::Flag => flag(chance),
        Kind::Choice(words) => choice(chance, words),
    };
    // Of a list, empty items are dropped and commas stand between items.
    let splits = is_list && (value.is_empty() || value.contains(&b','));
    (value, if splits { Fit::Unknown } else { fit })
}

fn text(chance: &mut Rng, min: usize, max: Option<usize>) -> Drawn {
    let of = |count: usize, letter: &str| letter.repeat(count).into_bytes();
    let letter = *chance.of(&["a", "é", "🌻"]);
    match (chance.below(10), max) {
        (0, Some(max)) => (of(max, letter), Fit::Fits),
        (1, Some(max)) => (of(max + 1, letter), Fit::Refused),
        (2, Some(_)) if chance.one_in(20) => (of(LONG_BYTES, "a"), Fit::Refused),
        (3, _) if min > 0 => (of(min - 1, "a"), Fit::Refused),
        (4, _) if min > 0 => (of(min, "e"), Fit::Fits),
        (5, _) => (chance.of(&NO_TEXT).to_vec(), Fit::Unknown),
        (6 | 7, _) => (chance.of(&INJECTIONS).as_bytes().to_vec(), Fit::Unknown),
        _ => (message(chance).into_bytes(), Fit::Unknown),
    }
}

/// Words of a message one after another.
pub fn message(chance: &mut Rng) -> String {
    let words: Vec<&str> = WORDS.split('|').collect();
    let mut text = String::new();
    for _ in 0..1 + chance.below(7) {
        let word = if chance.one_in(12) { chance.of(&INJECTIONS) } else { chance.of(&words) };
        if text.len() + word.len() > MESSAGE_BYTES {
            break;
        }
        text += word;
        text += *chance.of(&[" ", " ", " ", "", "  ", "-", ", "]);
    }
    text
}

/// A code of a pattern, told by how the pattern begins.
fn coded(chance: &mut Rng, pattern: &str) -> Drawn {
    let (fitting, refused): (&[&str], &[&str]) = match pattern {
        r"^\d{5}$" => {
            (&["05401", "00000"], &["1234", "123456", "1234a", "１２３４５", "12345\n", ""])
        }
        r"^\d{2}$" => (&["03"], &["3", "003", "a3", "٠٣", " 3"]),
        r"^\d{9}$" => (&["123456789", "000000000"], &["12345678", "1234567890", "12-345678"]),
        r"^\d{4}-\d{2}-\d{2}$" => {
            (&["2024-02-29", "1970-01-01"], &["2023-02-29", "2024-2-9", "20240229", "é", ""])
        }
        // Snapshots of a day are remembered or not; one by name hardly is.
        _ if pattern.contains("T\\d{6}Z") => {
            (&["2024-02-29", "2089-12-31"], &["20240229T000000Z-0123456g", "2024-02-30", "e", "🌻"])
        }
        _ => (&["VT", "ny", "Dc"], &["ZZ", "V", "VTX", "É", "ß", "V\u{0}"]),
    };
    match chance.below(3) {
        0 => (chance.of(fitting).as_bytes().to_vec(), Fit::Fits),
        1 => (chance.of(refused).as_bytes().to_vec(), Fit::Refused),
        _ => (chance.of(&INJECTIONS).as_bytes().to_vec(), Fit::Unknown),
    }
}

fn whole(chance: &mut Rng, min: i64, max: Option<i64>) -> Drawn {
    let told = |value: i64, fit| (value.to_string().into_bytes(), fit);
    match (chance.below(8), max) {
        (0, _) => told(min, Fit::Fits),
        (1, _) => told(min.saturating_add(1), Fit::Fits),
        (2, Some(max)) => told(max, Fit::Fits),
        (3, Some(max)) => told(max.saturating_add(1), Fit::Refused),
        (4, _) => told(min.saturating_sub(1), Fit::Refused),
        (5, _) => {
            let odd = ["1.5", "1e3", "1.0"].iter().chain(&NO_NUMBERS).copied();
            let all: Vec<&str> = odd.collect();
            (chance.of(&all).as_bytes().to_vec(), Fit::Refused)
        }
        (6, Some(_)) => (b"9".repeat(40), Fit::Refused),
        _ => {
            let odd = ["-0", "+5", " 7 ", "007", "99999999999999999999", "-99999999999999999999"];
            (chance.of(&odd).as_bytes().to_vec(), Fit::Unknown)
        }
    }
}

fn number(chance: &mut Rng, min: f64, max: Option<f64>) -> Drawn {
    let told = |value: f64, fit| (value.to_string().into_bytes(), fit);
    match (chance.below(7), max) {
        (0, _) => told(min, Fit::Fits),
        (1, Some(max)) => told(max, Fit::Fits),
        (1, None) => (b"1e308".to_vec(), Fit::Fits),
        (2, Some(max)) => told(max + 1e-9, Fit::Refused),
        (3, _) => told(min - 1e-9, Fit::Refused),
        (4 | 5, _) => (chance.of(&NO_NUMBERS).as_bytes().to_vec(), Fit::Refused),
        _ => {
            let odd = ["-0", "-0.0", "+1", " 7 ", ".5", "1.", "1E2", "4.9e-324", "1e-400"];
            (chance.of(&odd).as_bytes().to_vec(), Fit::Unknown)
        }
    }
}

fn flag(chance: &mut Rng) -> Drawn {
    if chance.one_in(2) {
        let odd = ["2", "", "ja", "true ", "null", "+1", "TRUE\u{0}"];
        return (chance.of(&odd).as_bytes().to_vec(), Fit::Refused);
    }
    (chance.of(&["true", "false", "1", "0", "Yes", "oFF"]).as_bytes().to_vec(), Fit::Fits)
}

fn choice(chance: &mut Rng, words: &[String]) -> Drawn {
    match chance.below(3) {
        0 => (chance.of(words).as_bytes().to_vec(), Fit::Fits),
        1 => {
            let odd = format!("{}{}", chance.of(words), chance.of(&["x", " ", "\u{0}", "-"]));
            (odd.into_bytes(), Fit::Refused)
        }
        _ => (chance.of(&INJECTIONS).as_bytes().to_vec(), Fit::Refused),
    }
}

/// Percent-encoded as a careful, a careless or a hostile client would, such that it decodes to the
/// same bytes.
pub fn encoded(chance: &mut Rng, value: &[u8]) -> String {
    let style = chance.below(4);
    let mut text = String::with_capacity(value.len() * 2);
    for byte in value {
        let is_plain = byte.is_ascii_alphanumeric() || b"-._~".contains(byte);
        let is_lax = b"!$'()*,:;@/?".contains(byte);
        match (style, byte) {
            (3, _) => text += &format!("%{byte:02x}"),
            (1 | 2, b' ') => text.push('+'),
            (2, _) if is_lax => text.push(char::from(*byte)),
            _ if is_plain => text.push(char::from(*byte)),
            _ => text += &format!("%{byte:02X}"),
        }
    }
    text
}
