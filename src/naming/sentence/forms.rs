//! The form of each word for its own letters and what stands right beside it: acronyms, numerals,
//! single letters, sections of the tax code, months, addresses. Names of several words are the
//! matter of `names`.

use super::{Form, Prose, Word, is_unnamed};
use crate::naming::title::is_canonical_roman;
use crate::naming::words::{self, List};
use crate::text::place_in;

/// Letters of a word that has no spelling of English and so is read letter by letter, at the most;
/// longer ones are misspelled words.
const SPELLED_LETTERS_MAX: usize = 5;

impl Prose<'_> {
    pub(super) fn form_each(&mut self) {
        for at in 0..self.list.len() {
            self.forms[at] = self.form_alone(at);
        }
        for at in 1..self.list.len() {
            // `Dr. Ortega`, `San Pablo`; but not `5 ft` and `12th St.`.
            let named = List::Lead.has(self.near(at, -1)) && self.is_joined(at);
            let counted = at >= 2 && self.forms[at - 2] == Form::Number;
            if named && !counted && !is_unnamed(&self.list[at].key) {
                self.capitalise(at - 1);
                self.capitalise(at);
            }
            // `John A. Berg`, `J. Berg`
            let initial = self.near(at, -1).len() == 1 && matches!(self.list[at].gap, ". " | ".");
            let person = at >= 2 && is_given_name(self.near(at, -2));
            if initial && person && !List::Small.has(&self.list[at].key) {
                self.capitalise(at);
            }
        }
    }

    /// Writes web and mail addresses small.
    pub(super) fn form_addresses(&mut self) {
        for part in self.text.split_whitespace().filter(|part| is_address(part)) {
            let bytes = place_in(self.text, part);
            let first = self.list.partition_point(|word| word.start < bytes.start);
            let next = self.list.partition_point(|word| word.start < bytes.end);
            for (word, form) in self.list[first..next].iter().zip(&mut self.forms[first..next]) {
                if !word.has_small() {
                    *form = Form::Lower;
                }
            }
        }
    }

    /// How a word is written for its own letters and what stands right beside it.
    fn form_alone(&self, at: usize) -> Form {
        let word = &self.list[at];
        let Word { key, gap, .. } = word;
        if word.has_small() {
            return Form::Kept;
        }
        if gap.ends_with('&') && self.gap_after(at).starts_with(';') {
            return Form::Lower;
        }
        if key.is_empty() {
            return Form::Small;
        }
        if key.bytes().any(|byte| byte.is_ascii_digit()) {
            return if key.starts_with("501C") { Form::Lower } else { Form::Number };
        }
        if let Some(form) = self.form_in_section(at) {
            return form;
        }
        if key.len() == 1 {
            return self.form_letter(at);
        }
        if let Some(written) = words::mixed(key) {
            return Form::Table(written);
        }
        let prefixed = matches!(key.as_bytes(), [b'O' | b'D', b'\'', _, _, ..]);
        let mac = key.len() >= 5 && key.starts_with("MC") && !is_spelled(&key[2..]);
        if !prefixed && !mac && self.is_capitals(at) {
            return Form::Kept;
        }
        let title =
            matches!(key.as_str(), "JR" | "SR" | "XMAS" | "INC" | "LTD" | "DR" | "MR" | "MRS");
        if prefixed || mac || title || is_given_name(key) || self.is_month(at) {
            return Form::Capital;
        }
        Form::Small
    }

    /// A paragraph of the tax code: `501(c)(3)`, `170(b)(1)(A)(vi)`.
    fn form_in_section(&self, at: usize) -> Option<Form> {
        let word = &self.list[at];
        let before = at.checked_sub(1).map(|before| &self.list[before])?;
        let letter = word.key.len() == 1;
        let number = !before.key.is_empty() && before.key.bytes().all(|byte| byte.is_ascii_digit());
        let section = matches!(before.key.as_str(), "501" | "509" | "170");
        match word.gap {
            "(" | "" | " (" | "-" | " " if letter && section => Some(Form::Lower),
            "(" if letter && number => Some(Form::Lower),
            ")(" if letter && number => Some(Form::Kept),
            ")(" if is_roman(&word.key) => Some(Form::Lower),
            _ => None,
        }
    }

    fn form_letter(&self, at: usize) -> Form {
        let (before, after) = (self.near(at, -1), self.near(at, 1));
        let (gap, next) = (self.list[at].gap, self.gap_after(at));
        let abbreviates = |first, second| {
            (self.list[at].key == first && next == "." && after == second)
                || (self.list[at].key == second && gap == "." && before == first)
        };
        if abbreviates("E", "G") || abbreviates("I", "E") {
            return Form::Lower;
        }
        let bound = gap.ends_with(['.', '-', '/', '&', '\''])
            || next.starts_with(['.', '-', '/', '&', ')']);
        let kind = List::Lettered.has(before) || before == "VITAMIN";
        match self.list[at].key.as_str() {
            "A" if !bound && !kind && !gap.contains('&') && !next.contains('&') => Form::Small,
            "S" if gap == " " && List::Possessor.has(before) => Form::Lower,
            _ => Form::Kept,
        }
    }

    /// Whether a word of two or more letters keeps its capitals.
    fn is_capitals(&self, at: usize) -> bool {
        let (word, before, after) = (&self.list[at], self.near(at, -1), self.near(at, 1));
        let key = word.key.as_str();
        match key {
            "AIDS" => return List::BeforeAids.has(before) || List::AfterAids.has(after),
            "US" => return List::BeforeUs.has(before) || List::AfterUs.has(after),
            "AM" | "PM" => return before.ends_with(|c: char| c.is_ascii_digit()),
            // The city, unless a name goes on (`La Leche`) or Spanish does (`de la`).
            "LA" if matches!(after, "COUNTY" | "COUNTIES" | "AREA") => return true,
            "LA" => {
                let goes_on = self.gap_after(at) == " " && !List::Small.has(after);
                return !goes_on && !matches!(before, "A" | "DE" | "EN" | "POR" | "Y");
            }
            "STEAM" if matches!(before, "STEM") || matches!(after, "STEM" | "EDUCATION") => {
                return true;
            }
            _ => {}
        }
        if List::Code.has(key) && self.is_state_code(at) {
            return true;
        }
        if key.len() == 2 && key.bytes().all(|byte| byte.is_ascii_alphabetic()) && key != "MS" {
            return !List::Pair.has(key) && !List::Abbreviation.has(key);
        }
        !List::Ordinary.has(key) && (is_roman(key) || List::Acronym.has(key) || is_spelled(key))
    }

    /// Whether a word is a state's code behind a city: `Chicago, IL`.
    pub(super) fn is_state_code(&self, at: usize) -> bool {
        let next = self.gap_after(at);
        let stops = next.starts_with(['.', ',', ';', ')']) || at + 1 == self.list.len();
        let zip =
            self.near(at, 1).len() == 5 && self.near(at, 1).bytes().all(|b| b.is_ascii_digit());
        let sure = !List::Code.has(&self.list[at].key) || stops || zip;
        List::State.has(&self.list[at].key) && self.list[at].gap.trim_end() == "," && sure
    }

    /// Whether `may` and `march` are months.
    fn is_month(&self, at: usize) -> bool {
        let date = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
        matches!(self.list[at].key.as_str(), "MAY" | "MARCH")
            && (date(self.near(at, 1))
                || matches!(self.near(at, -1), "IN" | "SINCE" | "UNTIL" | "EVERY"))
    }
}

/// Whether a text without a blank is a web or mail address.
fn is_address(part: &str) -> bool {
    if !part.contains('.') {
        return false;
    }
    let whole = part.to_ascii_uppercase();
    let bare = whole.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
    ["WWW.", "HTTP"].iter().any(|mark| whole.contains(mark))
        || (whole.contains('@') && bare.contains('.'))
        || [".ORG", ".COM", ".NET", ".EDU", ".GOV"].iter().any(|end| bare.ends_with(end))
}

/// Whether a word of the table of given names is not mostly an ordinary word.
fn is_given_name(word: &str) -> bool {
    List::GivenName.has(word) && !List::Ordinary.has(word)
}

/// Whether a word is a numeral below forty; greater ones do not occur in prose.
fn is_roman(word: &str) -> bool {
    let is_small = !word.is_empty() && word.bytes().all(|letter| b"IVX".contains(&letter));
    is_small && is_canonical_roman(word)
}

/// Whether a word has no spelling of English: no vowel, or a beginning or an end
/// that no word has.
fn is_spelled(word: &str) -> bool {
    if List::Abbreviation.has(word) {
        return false;
    }
    let vowel = word.find(['A', 'E', 'I', 'O', 'U', 'Y']);
    let letters = word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let Some(vowel) = vowel.filter(|_| letters && word.len() <= SPELLED_LETTERS_MAX) else {
        return vowel.is_none() && letters;
    };
    let stray = word.match_indices('Q').any(|(at, _)| !word[at + 1..].starts_with('U'));
    let coda = word.rfind(['A', 'E', 'I', 'O', 'U', 'Y']).map_or("", |last| &word[last + 1..]);
    let onset = &word[..vowel];
    stray || List::Coda.has(coda) || !(onset.is_empty() || List::Onset.has(onset))
}
