//! Whether other words say what a composed sentence says.
//!
//! The composed sentence is true, and a model is trusted for nothing. So a phrasing may leave out, add and move the plain
//! words of a list (`data/language_model_words.txt`) and change how words end, and nothing else: each name, quotation and
//! address stands as it stood, figures and capitalised words come in the same order, and no other word is added or left
//! out, negations among them.

use std::collections::{BTreeSet, HashSet};
use std::sync::LazyLock;

use crate::reader::Language;

/// A phrasing may be half as long again as the sentence plus this many bytes, to make room for plain words.
const LENGTH_BYTES_MORE: usize = 40;
/// Letters of a word's beginning by which forms of a word are taken for the same: `operates`, `operating`.
const STEM_LETTERS: usize = 5;

/// The plain words of a language; the line that names it is followed by them.
static PLAIN_WORDS: LazyLock<[HashSet<&str>; 2]> = LazyLock::new(|| {
    let text = include_str!("../../data/language_model_words.txt");
    ["en", "es"].map(|language| {
        let lines = text.lines().filter_map(|line| line.strip_prefix(language)?.strip_prefix(':'));
        lines.flat_map(str::split_whitespace).collect()
    })
});

/// What a phrasing is held to.
#[derive(Debug, Clone, Copy)]
pub struct Composed<'a> {
    pub text: &'a str,
    pub language: Language,
    /// Names of nonprofits that the text may have in it.
    pub names: &'a [&'a str],
}

impl Composed<'_> {
    /// The longest phrasing, in bytes.
    pub(super) fn phrasing_bytes_max(&self) -> usize {
        self.text.len() * 3 / 2 + LENGTH_BYTES_MORE
    }

    /// Whether a phrasing says the same.
    pub(super) fn is_said_by(&self, phrasing: &str) -> bool {
        let plain = match self.language {
            Language::English => &PLAIN_WORDS[0],
            Language::Spanish => &PLAIN_WORDS[1],
            Language::Other => return false,
        };
        let is_one_line = !phrasing.trim().is_empty() && !phrasing.contains(char::is_control);
        let mut whole = quotations(self.text);
        whole.extend(self.names.iter().filter(|name| !name.is_empty()).copied());
        // A name may be part of a longer one.
        whole.sort_unstable_by_key(|part| std::cmp::Reverse(part.len()));
        let words_of = |text: &str| Words::of(&numbered(text, &whole), plain);
        is_one_line
            && phrasing.len() <= self.phrasing_bytes_max()
            && words_of(self.text) == words_of(phrasing)
    }
}

/// A text with a number, `@0`, in the place of each of some parts.
fn numbered(text: &str, parts: &[&str]) -> String {
    let parts = parts.iter().enumerate();
    parts.fold(text.to_owned(), |text, (at, part)| text.replace(part, &format!(" @{at} ")))
}

/// The parts of a text that a phrasing must keep.
#[derive(Debug, PartialEq)]
struct Words {
    /// Names, quotations, figures, addresses, and words with capitals that no sentence gives them, in their order.
    firm: Vec<String>,
    /// The beginnings of all other words that are not plain.
    others: BTreeSet<String>,
}

impl Words {
    fn of(text: &str, plain: &HashSet<&str>) -> Self {
        let mut words = Self { firm: Vec::new(), others: BTreeSet::new() };
        let mut begins = true;
        for typed in text.split(is_gap) {
            let word = typed.trim_matches(is_mark);
            let begins_sentence = begins;
            begins = typed.ends_with(['.', '!', '?', ':']);
            let lower = word.to_lowercase();
            let has_capital = word.starts_with(char::is_uppercase);
            // `US` is not `us`, and a sentence begins with a capital whatever its first word.
            let is_plain_case = !word.chars().skip(1).any(char::is_uppercase);
            if lower.is_empty() || (is_plain_case && plain.contains(&*lower)) {
                continue;
            }
            let is_firm = |c: char| c.is_numeric() || "$€£%@/".contains(c);
            let is_name = !is_plain_case || (has_capital && !begins_sentence);
            match is_name || word.contains(is_firm) || word.contains('.') {
                true => words.firm.push(word.to_owned()),
                false => _ = words.others.insert(lower.chars().take(STEM_LETTERS).collect()),
            }
        }
        words
    }
}

fn is_gap(c: char) -> bool {
    c.is_whitespace() || c == '—'
}

/// Signs that end words, not such as belong to them: `$`, `%`, `/`.
fn is_mark(c: char) -> bool {
    ".,;:!?¡¿()[]\"“”«»'’‘*_–-".contains(c)
}

/// What stands between marks of quotation.
fn quotations(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (open, close) in [('“', '”'), ('«', '»')] {
        let mut rest = text;
        while let Some(start) = rest.find(open) {
            let Some(length) = rest[start..].find(close) else { break };
            found.push(&rest[start..start + length + close.len_utf8()]);
            rest = &rest[start + length..];
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: &str = "Friends of the Barre Library";

    fn check(language: Language, text: &str, phrasing: &str, expected: bool) {
        let composed = Composed { text, language, names: &[NAME, "Hope House"] };
        assert_eq!(composed.is_said_by(phrasing), expected, "{phrasing}");
    }

    #[test]
    fn phrasings_keep_what_is_said() {
        let text = "Friends of the Barre Library (EIN 12-3456789) took in $1.2M in 2022; it is not a private \
                    foundation. See https://barre.example/a.";
        for (phrasing, expected) in [
            (text, true),
            (
                "In fact, Friends of the Barre Library (EIN 12-3456789) took in $1.2M in 2022, and it is not a private \
              foundation. You can see https://barre.example/a.",
                true,
            ),
            // A figure, a date, an EIN or an address that is another one, is left out, or is moved to another.
            (
                "Friends of the Barre Library (EIN 12-3456789) took in $1.3M in 2022; it is not a private foundation. See \
              https://barre.example/a.",
                false,
            ),
            (
                "Friends of the Barre Library (EIN 12-3456789) took in $1.2M; it is not a private foundation. See \
              https://barre.example/a.",
                false,
            ),
            (
                "Friends of the Barre Library (EIN 12-3456788) took in $1.2M in 2022; it is not a private foundation. See \
              https://barre.example/a.",
                false,
            ),
            (
                "Friends of the Barre Library (EIN 12-3456789) took in $1.2M in 2022; it is not a private foundation. See \
              https://barre.example/b.",
                false,
            ),
            (
                "In 2022 Friends of the Barre Library (EIN 12-3456789) took in $1.2M; it is not a private foundation. See \
              https://barre.example/a.",
                false,
            ),
            // A name that is another one, or more of them.
            (
                "Friends for the Barre Library (EIN 12-3456789) took in $1.2M in 2022; it is not a private foundation. \
              See https://barre.example/a.",
                false,
            ),
            (
                "Hope House and Friends of the Barre Library (EIN 12-3456789) took in $1.2M in 2022; it is not a private \
              foundation. See https://barre.example/a.",
                false,
            ),
            // A negation that is gone, and words that say more.
            (
                "Friends of the Barre Library (EIN 12-3456789) took in $1.2M in 2022; it is a private foundation. See \
              https://barre.example/a.",
                false,
            ),
            (
                "Friends of the Barre Library (EIN 12-3456789) took in $1.2M in 2022, two million less; it is not a \
              private foundation. See https://barre.example/a.",
                false,
            ),
            (
                "Friends of the Barre Library (EIN 12-3456789) took in $1.2M in 2022; it is not a fraudulent private \
              foundation. See https://barre.example/a.",
                false,
            ),
            ("", false),
            ("Sure! Here is the sentence.", false),
            (
                "Friends of the Barre Library (EIN 12-3456789)\ntook in $1.2M in 2022; it is not a private foundation. \
              See https://barre.example/a.",
                false,
            ),
        ] {
            check(Language::English, text, phrasing, expected);
        }
    }

    #[test]
    fn quotations_stand_as_they_stood() {
        let text = "Its mission: “to feed the hungry of Barre”.";
        for (phrasing, expected) in [
            ("Its mission is “to feed the hungry of Barre”.", true),
            ("Its mission is to feed the hungry of Barre.", false),
            ("Its mission is “to feed hungry people of Barre”.", false),
        ] {
            check(Language::English, text, phrasing, expected);
        }
    }

    #[test]
    fn a_language_has_plain_words_of_its_own() {
        let text = "Hope House tuvo ingresos de $5M en 2021.";
        for (phrasing, expected) in [
            ("Pues, Hope House tuvo unos ingresos de $5M en 2021.", true),
            ("Well, Hope House tuvo ingresos de $5M en 2021.", false),
            ("Hope House no tuvo ingresos de $5M en 2021.", false),
        ] {
            check(Language::Spanish, text, phrasing, expected);
        }
        check(Language::Other, text, text, false);
    }
}
