//! Words one edit apart: one letter put in, left out, changed, or two neighbours swapped (Damerau).

use super::Names;
use super::cause;
use super::phrases::is_common;
use super::token::Tokens;
use crate::mapped::Damage;

/// Whether two different words are one edit apart.
pub(super) fn is_one_edit(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 1 || a == b {
        return false;
    }
    let same = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[same..], &b[same..]);
    match a.len().cmp(&b.len()) {
        std::cmp::Ordering::Less => *a == b[1..],
        std::cmp::Ordering::Greater => a[1..] == *b,
        std::cmp::Ordering::Equal => {
            let swapped = a.len() >= 2 && a[0] == b[1] && a[1] == b[0] && a[2..] == b[2..];
            a[1..] == b[1..] || swapped
        }
    }
}

/// Words by which queries are read, where a misspelt one would be taken for a cause.
const GRAMMAR: [&str; 24] = [
    "quarter",
    "hundred",
    "above",
    "below",
    "under",
    "between",
    "least",
    "million",
    "thousand",
    "billion",
    "revenue",
    "budget",
    "income",
    "assets",
    "employees",
    "largest",
    "smallest",
    "biggest",
    "nonprofits",
    "charities",
    "organizations",
    "foundations",
    "vetted",
    "dollars",
];

/// Letters of a word that is mended so.
const LETTERS_MIN: usize = 4;

/// Mends what is no word and one edit from a word by which queries are read.
///
/// # Errors
/// When an index of names is damaged.
pub(super) fn mend_grammar(tokens: &mut Tokens, names: &dyn Names) -> Result<(), Damage> {
    for token in tokens.list.iter_mut().filter(|token| token.is_word() && !token.glued) {
        let form = &token.form;
        if form.len() < LETTERS_MIN || !form.bytes().all(|byte| byte.is_ascii_lowercase()) {
            continue;
        }
        let near = GRAMMAR.iter().find(|word| {
            form.as_bytes().first() == word.as_bytes().first() && is_one_edit(form, word)
        });
        if let Some(word) = near.filter(|word| **word != form.as_str())
            && !is_common(form)
            && !cause::is_known_word(form)
            && !names.is_word(form)?
        {
            token.form = (*word).to_owned();
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits() {
        for (a, b) in [
            ("anmial", "animal"),
            ("lousiana", "louisiana"),
            ("shelterr", "shelter"),
            ("foor", "food"),
            ("cat", "cats"),
            ("ab", "ba"),
            ("a", ""),
        ] {
            assert!(is_one_edit(a, b) && is_one_edit(b, a), "{a} {b}");
        }
        for (a, b) in [("animal", "animal"), ("aniaml", "animals"), ("", ""), ("abc", "cba")] {
            assert!(!is_one_edit(a, b), "{a} {b}");
        }
    }
}
