//! Display title case of names that a register writes in capitals.
//!
//! Only the case of letters and the blanks between words change, so that the letters and digits of
//! a displayed name are those of the filed one. A text that already has a small letter was written
//! by a person and is left alone, which also makes display its own fixed point.

use std::ops::Range;

use super::normal_form::is_apostrophe;
use super::words::{self, List};
use crate::text::{place_in, runs};

/// A maximal run of letters, digits and apostrophes, and what stands on either side of it.
#[derive(Clone, Copy)]
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    /// The character before it; `None` at the start.
    before: Option<char>,
    /// The character after it; `None` at the end.
    after: Option<char>,
}

impl Word<'_> {
    fn initial(&self) -> u8 {
        self.text.as_bytes()[0]
    }

    fn is_letter(&self) -> bool {
        self.text.len() == 1 && self.text.as_bytes()[0].is_ascii_alphabetic()
    }

    /// Whether it is bound to a neighbour by a hyphen or a slash.
    fn is_bound(&self) -> bool {
        [self.before, self.after].iter().flatten().any(|c| matches!(c, '-' | '/'))
    }
}

/// How one word of several is written; the second argument is its position.
type Rule = fn(&[Word], usize, &mut String);

/// An organization's name as a person would write it: `YMCA OF GREATER NEW YORK INC` becomes
/// `YMCA of Greater New York Inc`. A name with a small letter in it stays as it is.
pub fn display_name(raw: &str) -> String {
    display(raw, write_name_word)
}

/// Another name of an organization as a person would write it, where the organization's own name
/// tells what is short for it: `WFCI` of `WORLD FELLOWSHIP CHURCH INTERNATIONAL`.
pub fn display_alternate(raw: &str, name: &str) -> String {
    let mut shown = display_name(raw);
    if is_by_person(raw) {
        return shown;
    }
    let name = name.to_ascii_uppercase();
    let name = split(&name);
    let initials: Vec<Range<usize>> = split(&shown)
        .iter()
        .filter(|word| is_short_for(&word.text.to_ascii_uppercase(), &name))
        .map(|word| place_in(&shown, word.text))
        .collect();
    for bytes in initials {
        shown[bytes].make_ascii_uppercase();
    }
    shown
}

/// Initials that may stand for the first words of a name instead of all of them, at the least.
const LEADING_INITIALS_MIN: usize = 4;

/// Whether a word is the initials of a name, with or without its small words and its ending; or,
/// if it is long, those of its first words.
fn is_short_for(word: &str, name: &[Word]) -> bool {
    if !may_be_initials(word) || !word.bytes().all(|byte| byte.is_ascii_uppercase()) {
        return false;
    }
    let fits = |skip: bool| {
        let mut rest = name.iter().filter(|one| !skip || is_large(one));
        let led = begin_with(&mut rest, word.bytes());
        led && (word.len() >= LEADING_INITIALS_MIN || rest.all(|one| List::Ending.has(one.text)))
    };
    fits(true) || fits(false)
}

fn is_by_person(raw: &str) -> bool {
    match raw.is_ascii() {
        true => raw.bytes().any(|byte| byte.is_ascii_lowercase()),
        false => raw.chars().any(char::is_lowercase),
    }
}

/// Writes a text word by word; everything between words is kept, blanks and `@` as one blank.
pub(super) fn display(raw: &str, rule: Rule) -> String {
    if is_by_person(raw) {
        return raw.to_owned();
    }
    let clean = one_blank(raw);
    let list = split(&clean);
    let mut shown = String::with_capacity(clean.len() + 4);
    let mut written = 0;
    for (position, word) in list.iter().enumerate() {
        let Range { start, end } = place_in(&clean, word.text);
        shown.push_str(&clean[written..start]);
        rule(&list, position, &mut shown);
        written = end;
    }
    shown.push_str(&clean[written..]);
    shown
}

/// The text with runs of blanks, and the `@` that some rows have for one, as one blank.
fn one_blank(raw: &str) -> String {
    let mut clean = String::with_capacity(raw.len());
    let parts = raw.split(|c: char| c == '@' || c.is_whitespace());
    for part in parts.filter(|part| !part.is_empty()) {
        if !clean.is_empty() {
            clean.push(' ');
        }
        clean.push_str(part);
    }
    clean
}

fn split(clean: &str) -> Vec<Word<'_>> {
    let words = runs(clean, |c| c.is_alphanumeric() || is_apostrophe(c));
    let word = |Range { start, end }| Word {
        text: &clean[start..end],
        before: clean[..start].chars().next_back(),
        after: clean[end..].chars().next(),
    };
    words.map(word).collect()
}

fn write_name_word(list: &[Word], position: usize, shown: &mut String) {
    let word = &list[position];
    let text = word.text;
    if !text.is_ascii() {
        return write_capitalised(text, shown);
    }
    if text.bytes().any(|byte| byte.is_ascii_digit()) {
        return write_with_digits(text, shown);
    }
    if text.len() == 1 {
        return match is_small_letter(list, position) {
            true => push_small(text, shown),
            false => shown.push_str(text),
        };
    }
    if is_small(list, position) {
        return push_small(text, shown);
    }
    if let Some(written) = words::mixed(text) {
        return shown.push_str(written);
    }
    if stays_capital(list, position) {
        return shown.push_str(text);
    }
    push_capitalised(text, shown);
}

/// Writes an ASCII text in small letters.
pub(super) fn push_small(text: &str, shown: &mut String) {
    let start = shown.len();
    shown.push_str(text);
    shown[start..].make_ascii_lowercase();
}

/// Whether a letter alone is not an initial but an article, or what an apostrophe left behind.
fn is_small_letter(list: &[Word], position: usize) -> bool {
    let word = &list[position];
    let before = position.checked_sub(1).map(|at| &list[at]);
    let after = list.get(position + 1);
    let among_letters = [before, after].iter().flatten().any(|near| near.is_letter());
    match (word.text, before, after) {
        ("C", _, Some(next)) => next.text == "O" && word.after == Some('/'),
        ("O", Some(last), _) => last.text == "C" && word.before == Some('/'),
        ("S", Some(last), _) if word.before == Some('-') && word.after == Some(' ') => {
            last.text.len() >= 3
        }
        _ if among_letters || word.is_bound() => false,
        ("A", Some(last), Some(next)) => {
            word.after == Some(' ')
                && !List::GivenName.has(last.text)
                && !List::Lettered.has(last.text)
                && !List::Ending.has(next.text)
        }
        ("Y", Some(last), Some(_)) => last.text != "THE" && !List::GivenName.has(last.text),
        ("S", Some(last), _) => {
            let saint = position >= 2 && list[position - 2].text == "ST";
            saint || List::Possessor.has(last.text)
        }
        _ => false,
    }
}

/// Whether a word is written in small letters where it stands.
fn is_small(list: &[Word], position: usize) -> bool {
    let word = &list[position];
    if word.text.len() > words::SMALL_LENGTH_MAX {
        return false;
    }
    let Some(before) = position.checked_sub(1).map(|at| list[at].text) else { return false };
    if !matches!(word.before, Some(' ' | '-')) {
        return false;
    }
    let last = position + 1 == list.len();
    if List::Small.has(word.text) {
        return !last || List::SmallAtEnd.has(word.text);
    }
    if List::Particle.has(word.text) {
        // `Friends of Del Norte`, `W E B Du Bois`; but a `de` at the end was cut off.
        let initial = before.len() == 1 && before != "Y";
        let starts = initial || List::Small.has(before);
        return !starts && (!last || word.text == "DE");
    }
    List::Article.has(word.text)
        && !last
        && (matches!(before, "Y" | "A") || List::Particle.has(before))
}

/// Whether a word of two or more letters keeps its capitals.
fn stays_capital(list: &[Word], position: usize) -> bool {
    let text = list[position].text;
    let near = |offset: isize| {
        position.checked_add_signed(offset).and_then(|at| list.get(at)).map_or("", |word| word.text)
    };
    if is_roman(text) {
        return text != "XI" || ![-1, 1].iter().any(|&at| List::Greek.has(near(at)));
    }
    if List::Acronym.has(text) || List::StateAnywhere.has(text) || spells_initials(list, position) {
        return true;
    }
    if text.len() == 2 && position > 0 && List::StateAtEnd.has(text) {
        return list[position + 1..].iter().all(|word| List::Ending.has(word.text));
    }
    if text == "AM" {
        // Masons are `F & AM` or `AF & AM`.
        return matches!(near(-1), "F" | "AF");
    }
    if text == "MC" {
        // `Jay T Mc Camic`, but a motorcycle club.
        let person = near(-1).len() == 1 || List::GivenName.has(near(-1));
        return !person || position + 1 == list.len();
    }
    is_consonants(text) && text.len() <= 4 && !List::Abbreviation.has(text)
}

/// Letters of an acronym that the words beside it explain, at the least; two agree by chance.
const EXPLAINED_LETTERS_MIN: usize = 3;

/// Names are cut at 70 characters; longer acronyms and their words do not fit.
const EXPLAINED_LETTERS_MAX: usize = 8;

/// Whether a word's letters are the initials of as many words right behind or before it, small
/// words counted or not (`HGA - Humanitarian Global Alliance`).
fn spells_initials(list: &[Word], position: usize) -> bool {
    let text = list[position].text;
    if !may_be_initials(text) {
        return false;
    }
    let (before, after) = (&list[..position], &list[position + 1..]);
    let forward = |skip: bool| {
        let mut near = after.iter().filter(|word| !skip || is_large(word));
        begin_with(&mut near, text.bytes())
    };
    let backward = |skip: bool| {
        let mut near = before.iter().rev().filter(|word| !skip || is_large(word));
        begin_with(&mut near, text.bytes().rev())
    };
    // Almost no word passes even the first letter, so it is looked at first.
    let (first, last) = (text.as_bytes()[0], text.as_bytes()[text.len() - 1]);
    let starts = after.iter().take(3).any(|word| word.initial() == first);
    let ends = before.iter().rev().take(3).any(|word| word.initial() == last);
    (starts && (forward(true) || forward(false))) || (ends && (backward(true) || backward(false)))
}

fn may_be_initials(word: &str) -> bool {
    (EXPLAINED_LETTERS_MIN..=EXPLAINED_LETTERS_MAX).contains(&word.len())
        && !List::Small.has(word)
        && !List::Ending.has(word)
}

fn is_large(word: &Word) -> bool {
    !List::Small.has(word.text)
}

/// Whether each of some letters begins one of the next words, in their order.
fn begin_with<'w, 't: 'w>(
    words: &mut impl Iterator<Item = &'w Word<'t>>,
    mut letters: impl Iterator<Item = u8>,
) -> bool {
    letters.all(|letter| words.next().is_some_and(|word| word.initial() == letter))
}

/// Whether no letter is a vowel; such a word is likely read letter by letter.
fn is_consonants(text: &str) -> bool {
    text.bytes().all(|byte| {
        byte.is_ascii_alphabetic() && !matches!(byte, b'A' | b'E' | b'I' | b'O' | b'U' | b'Y')
    })
}

/// Words that are numerals by their letters alone.
const NOT_ROMAN: &[&str] = &["DIX", "MIX"];

/// Whether a word is a roman numeral of two or more digits, not a word such as `Civil`, `Di`, `Liv`.
fn is_roman(text: &str) -> bool {
    if text.len() < 2 || !text.bytes().all(|byte| b"IVXLCDM".contains(&byte)) {
        return false;
    }
    let small = text.bytes().all(|byte| b"IVX".contains(&byte));
    let large = text.len() >= 3 && text.contains('X') && !NOT_ROMAN.contains(&text);
    (small || large) && is_canonical_roman(text)
}

/// Whether a text is a numeral as numerals are written, 1 to 3999.
pub(super) fn is_canonical_roman(text: &str) -> bool {
    const DIGITS: [[&str; 4]; 3] =
        [["CM", "D", "CD", "C"], ["XC", "L", "XL", "X"], ["IX", "V", "IV", "I"]];
    let mut rest = without_three(text, "M");
    for [nine, five, four, one] in DIGITS {
        rest = rest.strip_prefix(nine).unwrap_or_else(|| {
            let ones = rest.strip_prefix(five).unwrap_or(rest);
            ones.strip_prefix(four).unwrap_or_else(|| without_three(ones, one))
        });
    }
    rest.is_empty()
}

/// A text without a letter at its beginning, up to three times.
fn without_three<'a>(text: &'a str, letter: &str) -> &'a str {
    (0..3).fold(text, |rest, _| rest.strip_prefix(letter).unwrap_or(rest))
}

/// Letters of a run in a word with digits from which on it is a word (`2gether`, but `K9`, `4H`).
const SPOKEN_LETTERS_MIN: usize = 4;

/// A word with a digit in it: an ordinal, a decade, or letters that keep their capitals.
pub(super) fn write_with_digits(text: &str, shown: &mut String) {
    if let Some(one) = text.strip_suffix('S')
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && one.ends_with(|c: char| c.is_ascii_digit())
    {
        write_with_digits(one, shown);
        return shown.push('s');
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, tail) = text.split_at(digits);
    if digits > 0 && matches!(tail, "ST" | "ND" | "RD" | "TH" | "S") {
        shown.push_str(number);
        return shown.push_str(&tail.to_ascii_lowercase());
    }
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let digit = first.is_numeric();
        let end = rest.find(|c: char| c.is_numeric() != digit).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        if !digit && run.len() >= SPOKEN_LETTERS_MIN && !is_consonants(run) {
            write_capitalised(run, shown);
        } else {
            shown.push_str(run);
        }
        rest = after;
    }
}

/// A word with its first letter a capital, and the letter after `Mc`, `O'`, `D'` and `L'`.
pub(super) fn write_capitalised(text: &str, shown: &mut String) {
    if let Some(written) = words::mixed(text) {
        return shown.push_str(written);
    }
    push_capitalised(text, shown);
}

fn push_capitalised(text: &str, shown: &mut String) {
    if text.bytes().all(|byte| byte.is_ascii_alphabetic()) && !text.starts_with("MC") {
        shown.push_str(&text[..1]);
        return push_small(&text[1..], shown);
    }
    // `McCoy` is the shortest such name.
    let mac = text.len() >= 5 && text.starts_with("MC") && text.is_ascii();
    let mut letters = 0;
    let mut capital = true;
    for (at, c) in text.char_indices() {
        if is_apostrophe(c) {
            let rest = &text[at + c.len_utf8()..];
            let prefix = matches!(&text.as_bytes()[..at], b"O" | b"D" | b"L" | b"N");
            capital = letters == 0 || (prefix && rest.chars().nth(1).is_some());
            shown.push(c);
        } else if std::mem::take(&mut capital) || (mac && at == 2) {
            letters += 1;
            shown.push(c);
        } else {
            letters += 1;
            shown.extend(c.to_lowercase());
        }
    }
}
