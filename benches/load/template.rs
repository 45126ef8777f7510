//! Texts of tables: escapes in them, and words in braces for what is put there.

use crate::chance::Rng;

/// The bytes of a template. A word in braces is one of several (`{a|b}`), a number of a range
/// (`{1..20}`), or what `meaning` says.
pub fn fill<'a>(
    template: &'a str,
    chance: &mut Rng,
    meaning: &mut dyn FnMut(&'a str, &mut Rng) -> Vec<u8>,
) -> Vec<u8> {
    let (mut bytes, mut rest) = (Vec::new(), template);
    while let Some((before, after)) = rest.split_once('{') {
        let (word, after) = after.split_once('}').expect("a brace that is closed");
        bytes.extend(unescaped(before));
        if word.contains('|') {
            let choices: Vec<&str> = word.split('|').collect();
            bytes.extend(unescaped(chance.of::<&str>(&choices)));
        } else if let Some((low, high)) = range(word) {
            bytes.extend((low + chance.below(high - low + 1)).to_string().into_bytes());
        } else {
            bytes.extend(meaning(word, chance));
        }
        rest = after;
    }
    bytes.extend(unescaped(rest));
    bytes
}

/// `1..20`, both within.
fn range(word: &str) -> Option<(usize, usize)> {
    let (low, high) = word.split_once("..")?;
    Some((low.parse().ok()?, high.parse().ok()?))
}

/// A text with its escapes read: `\r`, `\n`, `\t`, `\xNN`, and anything else for itself.
pub fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        let (byte, length) = match (byte, after) {
            (b'\\', [b'r', ..]) => (b'\r', 1),
            (b'\\', [b'n', ..]) => (b'\n', 1),
            (b'\\', [b't', ..]) => (b'\t', 1),
            (b'\\', [b'x', high, low, ..]) => (16 * digit(*high) + digit(*low), 3),
            (b'\\', [other, ..]) => (*other, 1),
            (byte, _) => (*byte, 0),
        };
        bytes.push(byte);
        rest = &after[length..];
    }
    bytes
}

fn digit(letter: u8) -> u8 {
    char::from(letter).to_digit(16).expect("a hexadecimal digit") as u8
}
