//! Values of parameters: those that the declaration speaks of, and whatever may confuse what reads
//! them. Those that are listed stand in `pieces.tsv`.

use std::collections::HashMap;
use std::sync::LazyLock;

use almoner::table::Table;

use crate::chance::Rng;
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

/// Bytes up to which words of a message are joined.
const MESSAGE_BYTES: usize = 250;

/// One of a list of the table.
pub fn piece(list: &str, chance: &mut Rng) -> Vec<u8> {
    chance.of(&PIECES[list]).clone()
}

/// Values of a type that stand in the table: those that fit it, that do not, and that may.
pub fn listed(kind: &str) -> impl Iterator<Item = Drawn> {
    let lists = [("", Fit::Fits), ("no ", Fit::Refused), ("odd ", Fit::Unknown)];
    lists.into_iter().flat_map(move |(sort, fit)| {
        let list = PIECES.get(&*format!("{sort}{kind}"));
        list.into_iter().flatten().map(move |piece| (piece.clone(), fit))
    })
}

/// One of the values of a parameter, or any other.
pub fn drawn(chance: &mut Rng, values: &[Drawn], is_list: bool) -> Drawn {
    let (value, fit) = match chance.below(8) {
        0 => (piece("no text", chance), Fit::Unknown),
        1 => (piece("injection", chance), Fit::Unknown),
        2 => (message(chance), Fit::Unknown),
        _ if values.is_empty() => (message(chance), Fit::Unknown),
        _ => chance.of(values).clone(),
    };
    // Of a list, empty items are dropped and commas stand between items.
    let splits = is_list && (value.is_empty() || value.contains(&b','));
    (value, if splits { Fit::Unknown } else { fit })
}

/// Words of a message one after another.
pub fn message(chance: &mut Rng) -> Vec<u8> {
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
