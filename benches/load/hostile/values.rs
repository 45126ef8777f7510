//! Values of parameters: at, below and beyond their bounds, of the wrong type, and whatever may
//! confuse what reads them. Those that are listed stand in `pieces.tsv`.

use std::collections::HashMap;
use std::sync::LazyLock;

use almoner::table::Table;

use super::interface::Kind;
use crate::chance::Chance;
use crate::template::unescaped;

const TABLE: Table = Table::new("benches/load/hostile/pieces.tsv", include_str!("pieces.tsv"));
static PIECES: LazyLock<HashMap<&str, Vec<Vec<u8>>>> = LazyLock::new(|| {
    let mut lists: HashMap<_, Vec<_>> = HashMap::new();
    for [list, piece] in TABLE.rows() {
        lists.entry(list).or_default().push(unescaped(piece));
    }
    lists
});

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
/// Bytes up to which words of a message are joined.
const MESSAGE_BYTES: usize = 250;

/// One of a list of the table.
pub fn piece(list: &str, chance: &mut Chance) -> Vec<u8> {
    chance.of(&PIECES[list]).clone()
}

/// A value of a kind.
pub fn drawn(chance: &mut Chance, kind: &Kind, is_list: bool) -> Drawn {
    let (value, fit) = match kind {
        Kind::Text { min, max } => text(chance, *min, *max),
        Kind::Pattern(pattern) => coded(chance, pattern),
        Kind::Whole { min, max } => whole(chance, *min, *max),
        Kind::Number { min, max } => number(chance, *min, *max),
        Kind::Flag => {
            let fitting = ["true", "false", "1", "0", "Yes", "oFF"];
            one(chance, &fitting, &["2", "", "ja", "true ", "null", "+1", "TRUE\0"])
        }
        Kind::Choice(words) => {
            let odd = format!("{}{}", chance.of(words), chance.of(&["x", " ", "\0", "-"]));
            one(chance, words, &[odd])
        }
    };
    // Of a list, empty items are dropped and commas stand between items.
    let splits = is_list && (value.is_empty() || value.contains(&b','));
    (value, if splits { Fit::Unknown } else { fit })
}

/// One that fits or one that must be refused.
fn one(chance: &mut Chance, fitting: &[impl AsRef<str>], refused: &[impl AsRef<str>]) -> Drawn {
    if chance.one_in(2) {
        return (chance.of(fitting).as_ref().as_bytes().to_vec(), Fit::Fits);
    }
    (chance.of(refused).as_ref().as_bytes().to_vec(), Fit::Refused)
}

fn text(chance: &mut Chance, min: usize, max: Option<usize>) -> Drawn {
    let of = |count: usize, letter: &str| letter.repeat(count).into_bytes();
    let letter = *chance.of(&["a", "é", "🌻"]);
    match (chance.below(10), max) {
        (0, Some(max)) => (of(max, letter), Fit::Fits),
        (1, Some(max)) => (of(max + 1, letter), Fit::Refused),
        (2, Some(_)) if chance.one_in(20) => (of(LONG_BYTES, "a"), Fit::Refused),
        (3, _) if min > 0 => (of(min - 1, "a"), Fit::Refused),
        (4, _) if min > 0 => (of(min, "e"), Fit::Fits),
        (5, _) => (piece("no text", chance), Fit::Unknown),
        (6 | 7, _) => (piece("injection", chance), Fit::Unknown),
        _ => (message(chance), Fit::Unknown),
    }
}

/// Words of a message one after another.
pub fn message(chance: &mut Chance) -> Vec<u8> {
    let mut text = Vec::new();
    for _ in 0..1 + chance.below(7) {
        let list = if chance.one_in(12) { "injection" } else { "word" };
        let word = piece(list, chance);
        if text.len() + word.len() > MESSAGE_BYTES {
            break;
        }
        text.extend(word);
        text.extend(chance.of(&[" ", " ", " ", "", "  ", "-", ", "]).as_bytes());
    }
    text
}

/// A code of a pattern, told by how the pattern begins.
fn coded(chance: &mut Chance, pattern: &str) -> Drawn {
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
        _ => (&["VT", "ny", "Dc"], &["ZZ", "V", "VTX", "É", "ß", "V\0"]),
    };
    if chance.one_in(3) {
        return (piece("injection", chance), Fit::Unknown);
    }
    one(chance, fitting, refused)
}

fn whole(chance: &mut Chance, min: i64, max: Option<i64>) -> Drawn {
    let told = |value: i64, fit| (value.to_string().into_bytes(), fit);
    match (chance.below(8), max) {
        (0, _) => told(min, Fit::Fits),
        (1, _) => told(min.saturating_add(1), Fit::Fits),
        (2, Some(max)) => told(max, Fit::Fits),
        (3, Some(max)) => told(max.saturating_add(1), Fit::Refused),
        (4, _) => told(min.saturating_sub(1), Fit::Refused),
        (5, _) => (piece("no whole number", chance), Fit::Refused),
        (6, Some(_)) => (b"9".repeat(40), Fit::Refused),
        _ => (piece("odd whole number", chance), Fit::Unknown),
    }
}

fn number(chance: &mut Chance, min: f64, max: Option<f64>) -> Drawn {
    let told = |value: f64, fit| (value.to_string().into_bytes(), fit);
    match (chance.below(7), max) {
        (0, _) => told(min, Fit::Fits),
        (1, Some(max)) => told(max, Fit::Fits),
        (1, None) => (b"1e308".to_vec(), Fit::Fits),
        (2, Some(max)) => told(max + 1e-9, Fit::Refused),
        (3, _) => told(min - 1e-9, Fit::Refused),
        (4 | 5, _) => (piece("no number", chance), Fit::Refused),
        _ => (piece("odd number", chance), Fit::Unknown),
    }
}

/// Percent-encoded as a careful, a careless or a hostile client would, such that it decodes to the
/// same bytes.
pub fn encoded(chance: &mut Chance, value: &[u8]) -> String {
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
