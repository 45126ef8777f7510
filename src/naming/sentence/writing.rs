//! The text in its forms: where sentences begin, and each word written as its form says.

use super::{Form, Prose, Word};
use crate::naming::title;
use crate::naming::words::List;

/// Letters on both sides of a point without a blank that ends a sentence (`dogs.Providing`).
const TIGHT_LETTERS_MIN: usize = 3;

impl Prose<'_> {
    pub(super) fn begin_sentences(&mut self) {
        for at in 0..self.list.len() {
            if at == 0 || self.begins(at) {
                self.capitalise(at);
            }
        }
    }

    /// Whether a sentence begins with a word that is not the first.
    fn begins(&self, at: usize) -> bool {
        let (word, before) = (&self.list[at], &self.list[at - 1]);
        let gap = word.gap;
        let listing = gap.contains(['•', '●', '▪', '·']) || gap.matches('\n').count() > 1;
        if listing || gap.contains("\n-") || gap.contains("\n*") || gap.contains(['!', '?']) {
            return true;
        }
        if !gap.contains('.') || gap.contains("..") {
            return false;
        }
        if gap == "." {
            let long = |word: &Word| {
                word.key.len() >= TIGHT_LETTERS_MIN
                    && word.key.bytes().all(|byte| byte.is_ascii_alphabetic())
            };
            let starts = long(word) || List::Starter.has(&word.key);
            return starts && long(before) && !List::Unended.has(&before.key);
        }
        let letter = before.key.len() == 1 && before.key.bytes().all(|b| b.is_ascii_alphabetic());
        let goes_on = letter || List::Unended.has(&before.key);
        gap.contains(char::is_whitespace) && (!goes_on || List::Starter.has(&word.key))
    }

    pub(super) fn write(&self) -> String {
        let mut shown = String::with_capacity(self.text.len());
        let mut written = 0;
        for (word, form) in self.list.iter().zip(&self.forms) {
            shown.push_str(word.gap);
            written = word.start + word.text.len();
            match form {
                Form::Small | Form::Lower => shown.extend(word.text.chars().map(small_letter)),
                Form::Kept => shown.push_str(self.text_kept(word)),
                Form::Number if word.text.is_ascii() => {
                    title::write_with_digits(word.text, &mut shown)
                }
                Form::Number => shown.push_str(word.text),
                Form::Capital if word.text.is_ascii() => {
                    title::write_capitalised(word.text, &mut shown)
                }
                Form::Capital => {
                    let mut letters = word.text.chars();
                    shown.extend(letters.next());
                    shown.extend(letters.map(small_letter));
                }
                Form::Table(known) => shown.push_str(known),
            }
            let ending = match form {
                Form::Table(known) => &word.text[known.len()..],
                Form::Kept if !word.has_small() => &word.text[self.text_kept(word).len()..],
                _ => "",
            };
            shown.extend(ending.chars().map(small_letter));
        }
        shown.push_str(&self.text[written..]);
        shown
    }

    /// The part of a word before a possessive `'s`, which is small behind an acronym.
    fn text_kept<'a>(&self, word: &Word<'a>) -> &'a str {
        if word.has_small() || word.key.is_empty() {
            return word.text;
        }
        word.text.get(..word.key.len()).unwrap_or(word.text)
    }
}

/// The lower case of a letter, where it is one character in every context.
fn small_letter(c: char) -> char {
    let mut small = c.to_lowercase();
    match (c, small.next(), small.next()) {
        ('Σ', ..) | (_, None, _) | (_, _, Some(_)) => c,
        (_, Some(small), None) => small,
    }
}
