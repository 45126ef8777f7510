//! A sentence cut into words, numbers and signs, each with its place in the sentence.
//!
//! A number is a token of digits alone (`1,245`, `2.3`, `1,200+`). Whatever glues digits to
//! something else (`12-step`, `501(c)(3)`, `24/7`, `6th`, `$500`, `45%`) is a word.

use std::ops::Deref;

use super::lexicon::{self, Phrase, UNKNOWN, Word};

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum TokenKind {
    /// Letters, or digits that are no quantity.
    Word,
    /// A quantity in digits.
    Number(f64),
    /// Two quantities in digits with a dash between them, the smaller first.
    Range(f64, f64),
    /// An amount of money: a sign of a currency and digits.
    Money,
    /// Any other sign.
    Punctuation(char),
    /// What stands beyond either end of a sentence.
    End,
}

/// A token with its place.
#[derive(Debug, Clone)]
pub(super) struct Token<'a> {
    pub(super) kind: TokenKind,
    /// As written.
    pub(super) text: &'a str,
    /// In lower case.
    pub(super) lower: String,
    /// What the tables have of it.
    pub(super) word: &'static Word,
    /// Byte at which it begins.
    pub(super) start: usize,
    /// Byte behind it.
    pub(super) end: usize,
}

static END: Token<'static> = Token {
    kind: TokenKind::End,
    text: "",
    lower: String::new(),
    word: &UNKNOWN,
    start: 0,
    end: 0,
};

impl Token<'_> {
    /// Whether it is this word, in any case.
    pub(super) fn is(&self, word: &str) -> bool {
        self.kind == TokenKind::Word && self.lower == word
    }

    /// Whether it is this sign.
    pub(super) fn is_punctuation(&self, sign: char) -> bool {
        self.kind == TokenKind::Punctuation(sign)
    }

    /// Whether a list of the tables has it.
    pub(super) fn is_in(&self, list: &str) -> bool {
        self.word.is_in(list)
    }

    /// Whether it begins with a capital and is not in capitals.
    pub(super) fn is_capitalised(&self) -> bool {
        let mut letters = self.text.chars();
        letters.next().is_some_and(char::is_uppercase) && letters.any(char::is_lowercase)
    }

    /// Whether it is an amount in digits.
    pub(super) fn is_amount(&self) -> bool {
        matches!(self.kind, TokenKind::Number(_) | TokenKind::Range(..) | TokenKind::Money)
    }

    /// Whether it separates statements: the end of one, or an item's mark. Parentheses and commas
    /// are weaker.
    pub(super) fn parts_statements(&self) -> bool {
        self.parts_clauses() && !matches!(self.kind, TokenKind::Punctuation('(' | ')'))
    }

    /// Whether words on its two sides belong to two clauses.
    pub(super) fn parts_clauses(&self) -> bool {
        matches!(
            self.kind,
            TokenKind::End
                | TokenKind::Punctuation(
                    ';' | '.' | '!' | '?' | '•' | '*' | '·' | '|' | '–' | '—' | '-' | '(' | ')'
                )
        )
    }
}

/// The tokens of a sentence, in order.
#[derive(Debug)]
pub(super) struct Tokens<'a>(Vec<Token<'a>>);

impl<'a> Deref for Tokens<'a> {
    type Target = [Token<'a>];

    fn deref(&self) -> &[Token<'a>] {
        &self.0
    }
}

impl<'a> Tokens<'a> {
    /// Cuts a sentence.
    pub(super) fn of(sentence: &'a str) -> Self {
        let mut found: Vec<Token<'a>> = Vec::new();
        let mut end = 0;
        while let Some(c) = sentence[end..].chars().next() {
            let start = end;
            end += c.len_utf8();
            let rest = &sentence[start..];
            // The dot of `2,000 lbs. of produce` is a part of the word.
            if c.is_whitespace()
                || c == '.'
                    && rest.len() > 1
                    && found.last().is_some_and(|last| last.end == start && is_shortened(last))
            {
                continue;
            }
            // `in- person`: a blank slipped in.
            if c == '-'
                && let Some(last) = found.last_mut()
                && last.end == start
                && last.is_in("prefixes")
            {
                *last = Token::new(TokenKind::Word, sentence, last.start, end);
                continue;
            }
            let (length, kind) = if c.is_ascii_digit() {
                digits(rest, &sentence[..start])
            } else if c.is_alphanumeric() {
                (word(rest), TokenKind::Word)
            } else {
                (c.len_utf8(), TokenKind::Punctuation(c))
            };
            end = start + length;
            found.push(Token::new(kind, sentence, start, end));
        }
        Self(found)
    }

    /// The token at a position.
    pub(super) fn at(&self, position: usize) -> &Token<'a> {
        self.get(position).unwrap_or(&END)
    }

    /// The token `back` places before a position.
    pub(super) fn before(&self, position: usize, back: usize) -> &Token<'a> {
        position.checked_sub(back).map_or(&END, |at| self.at(at))
    }

    /// The longest phrase of a set that begins at a position: its meaning, and the token behind it.
    pub(super) fn phrase(&self, set: &str, at: usize) -> Option<(&'static str, usize)> {
        let phrases = self.at(at).word.phrases_from();
        let standing = phrases.filter(|phrase| phrase.set == set && self.has(phrase, at));
        let longest = standing.max_by_key(|phrase| phrase.words.len())?;
        Some((longest.meaning, at + longest.words.len()))
    }

    /// Where the longest phrase of a set begins that ends before a position.
    pub(super) fn phrase_before(&self, set: &str, end: usize) -> Option<usize> {
        let phrases = self.before(end, 1).word.phrases_to().filter(|phrase| phrase.set == set);
        let starts = phrases.filter_map(|phrase| {
            end.checked_sub(phrase.words.len()).filter(|&start| self.has(phrase, start))
        });
        starts.min()
    }

    /// Whether a phrase stands at a position.
    fn has(&self, phrase: &Phrase, at: usize) -> bool {
        let stands = |(ahead, words): (usize, &Vec<&str>)| {
            words.is_empty() || words.contains(&self.at(at + ahead).lower.as_str())
        };
        phrase.words.iter().enumerate().all(stands)
            && !phrase.not_behind.contains(&self.before(at, 1).lower.as_str())
    }
}

impl<'a> Token<'a> {
    fn new(kind: TokenKind, sentence: &'a str, start: usize, end: usize) -> Self {
        let text = &sentence[start..end];
        let lower = text.replace('’', "'").to_lowercase();
        Self { kind, text, word: lexicon::word(&lower), lower, start, end }
    }
}

/// Whether a dot right behind a token shortens it.
fn is_shortened(last: &Token<'_>) -> bool {
    last.kind == TokenKind::Word && last.is_in("abbreviations")
}

/// Length in bytes of the word at the beginning of a text.
fn word(text: &str) -> usize {
    let ends = |&(at, c): &(usize, char)| {
        let followed = || text[at + c.len_utf8()..].starts_with(char::is_alphanumeric);
        !match c {
            // `Illinois-1,200 youth`, `ceremonies-18 tours`: the dash begins an item of a list.
            '-' if begins_item(&text[..at], &text[at + 1..]) => false,
            '\'' | '’' | '-' | '‐' | '‑' | '&' | '@' => followed(),
            // `U.S.`: a dot behind a single letter.
            '.' => dotted(text, at) && followed(),
            _ => c.is_alphanumeric(),
        }
    };
    text.char_indices().find(ends).map_or(text.len(), |(at, _)| at)
}

/// Letters of a word that is too long to be part of a name with a number, such as `Covid-19`.
const NAME_LETTERS_MAX: usize = 5;

/// Whether a dash between a word and a number parts them.
fn begins_item(before: &str, after: &str) -> bool {
    let number = &after[..number_length(after)];
    let near = before.chars().rev().take(2 * NAME_LETTERS_MAX);
    let letters = near.filter(|c| c.is_alphabetic()).count();
    !number.is_empty() && (number.contains(',') || letters > NAME_LETTERS_MAX)
}

/// Whether the dot at a byte ends a single letter.
fn dotted(text: &str, at: usize) -> bool {
    let mut before = text[..at].chars().rev();
    before.next().is_some_and(char::is_alphabetic) && before.next().is_none_or(|c| c == '.')
}

/// Length and kind of the token that begins with the digit at the beginning of a text.
fn digits(text: &str, before: &str) -> (usize, TokenKind) {
    let length = number_length(text);
    let value = value(&text[..length]);
    let money = before.trim_end().ends_with(['$', '€', '£']);
    if money {
        return (length, TokenKind::Money);
    }
    let separated = text[..length].contains(',');
    let named = before.ends_with(['#', '/', ':', '@', '='])
        || (before.ends_with(['-', '–']) && !before.ends_with(" -") && !separated)
        || before
            .strip_suffix([',', '.'])
            .is_some_and(|cut| cut.ends_with(|c: char| c.is_ascii_digit()));
    let rest = &text[length..];
    // `92.4M`, but not `100m`.
    if let (Some(value), Some(after)) = (value, rest.strip_prefix('M'))
        && !named
        && !after.starts_with(char::is_alphanumeric)
    {
        return (length + 1, TokenKind::Number(value * 1e6));
    }
    let range = rest
        .strip_prefix(['-', '–', '—'])
        .filter(|to| to.starts_with(|c: char| c.is_ascii_digit()));
    if let Some(to) = range {
        let to_length = number_length(to);
        let end = text.len() - to.len() + to_length;
        let whole = suffix_length(&text[end..]);
        let read = (value, self::value(&to[..to_length]));
        return match read {
            (Some(low), Some(high)) if low < high && whole == 0 && !named => {
                (end, TokenKind::Range(low, high))
            }
            _ => (end + whole, TokenKind::Word),
        };
    }
    let suffix = suffix_length(rest);
    match value {
        Some(value) if suffix == 0 && !named => {
            let plus =
                rest.starts_with('+') && !rest[1..].starts_with(|c: char| c.is_alphanumeric());
            (length + usize::from(plus), TokenKind::Number(value))
        }
        _ => (length + suffix, TokenKind::Word),
    }
}

/// Length of the digits, thousands separators and decimals at the beginning of a text.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut end = 0;
    while end < bytes.len() {
        let next_is_digit = bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
        match bytes[end] {
            b'0'..=b'9' => end += 1,
            b',' | b'.' if next_is_digit => end += 1,
            _ => break,
        }
    }
    end
}

/// Length of what is written directly after a number without a space, so that it is not a number: `th`, `-week`,
/// `(c)(3)`, `%`, `/7`, `:30`.
fn suffix_length(rest: &str) -> usize {
    let mut chars = rest.chars();
    let Some(first) = chars.next() else { return 0 };
    let second = chars.next();
    let joins = match first {
        '%' | '(' | '°' | '\'' | '’' | '$' | '@' | '_' => true,
        '-' | '/' | ':' | '–' | '.' | ',' => {
            first != ',' && first != '.' && second.is_some_and(char::is_alphanumeric)
        }
        _ => first.is_alphanumeric(),
    };
    if !joins {
        return 0;
    }
    rest.find(|c: char| c.is_whitespace() || matches!(c, ';' | ',')).unwrap_or(rest.len())
}

/// The value of digits: with thousands separators in their places, if any.
fn value(text: &str) -> Option<f64> {
    let (whole, decimals) = match text.split_once('.') {
        Some((whole, decimals)) => (whole, Some(decimals)),
        None => (text, None),
    };
    if decimals.is_some_and(|digits| digits.contains(['.', ','])) {
        return None;
    }
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or("");
    let separated = whole.contains(',');
    if first.is_empty() || (separated && (first.len() > 3 || first.starts_with('0'))) {
        return None;
    }
    if groups.any(|group| group.len() != 3) || (first.len() > 1 && first.starts_with('0')) {
        return None;
    }
    // Without separators twelve digits are an identifier.
    if !separated && first.len() > 9 {
        return None;
    }
    text.replace(',', "").parse().ok()
}
