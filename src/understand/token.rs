//! A query cut into words, numbers and signs, each with its place in the query.
//!
//! Words are in normal form. A hyphen between two words (`mid-size`) is as good as a blank; between
//! numbers it is a token. Letters with points between them (`D.C.`) are one word.

use std::ops::Range;

use unicode_normalization::char::is_combining_mark;

use super::phrases::{self, is_edge};
use crate::naming::{is_apostrophe, normalise};

/// What a token is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum TokenKind {
    Word,
    /// Digits, perhaps with groups and decimals: its value.
    Number(f64),
    /// Any other sign that is not blank.
    Punctuation(char),
}

/// How a word is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    Lower,
    Title,
    Upper,
}

/// A piece of a query.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token {
    /// Normal form of a word, digits of a number without groups, or the sign itself.
    pub(super) form: String,
    pub(super) kind: TokenKind,
    /// Bytes of the query.
    pub(super) span: Range<usize>,
    /// Whether nothing stands between it and the token before.
    pub(super) glued: bool,
    pub(super) case: Case,
}

impl Token {
    pub(super) fn is_punctuation(&self, sign: char) -> bool {
        self.kind == TokenKind::Punctuation(sign)
    }

    pub(super) fn is_number(&self) -> bool {
        matches!(self.kind, TokenKind::Number(_))
    }

    /// Whether it joins the items of a list.
    pub(super) fn is_joint(&self) -> bool {
        self.is_punctuation(',')
            || self.is_punctuation('/')
            || phrases::has("conjunction", &self.form)
    }

    pub(super) fn is_word(&self) -> bool {
        self.kind == TokenKind::Word
    }

    /// Whether it is written in capitals alone, several of them.
    pub(super) fn is_acronym(&self) -> bool {
        self.is_word() && self.case == Case::Upper && self.form.len() > 1
    }

    /// Whether a clause ends here.
    pub(super) fn is_boundary(&self) -> bool {
        matches!(
            self.kind,
            TokenKind::Punctuation(',' | ';' | ':' | '.' | '?' | '!' | '(' | ')' | '/' | '|')
        )
    }
}

/// A query in tokens.
#[derive(Debug, Clone)]
pub(super) struct Tokens {
    pub(super) list: Vec<Token>,
    /// Whether capitals mean something: there are small letters too.
    pub(super) is_cased: bool,
}

impl Tokens {
    pub(super) fn of(query: &str) -> Self {
        let is_cased = query.chars().any(char::is_lowercase);
        let mut list: Vec<Token> = Vec::new();
        let mut rest = 0;
        while let Some(c) = query[rest..].chars().next() {
            if c.is_whitespace() || is_apostrophe(c) {
                rest += c.len_utf8();
                continue;
            }
            let (end, form, kind) = piece(query, rest, c);
            let span = rest..end;
            // The point of `N. Dakota` and `W.Va.` ends no sentence.
            let initial = kind == TokenKind::Punctuation('.')
                && list.last().is_some_and(|before| {
                    before.is_word() && before.form.len() == 1 && before.span.end == rest
                });
            if initial {
                rest = end;
                continue;
            }
            let glued = list.last().is_some_and(|before| before.span.end == rest);
            if !form.is_empty() {
                let case = case_of(&query[span.clone()]);
                list.push(Token { form, kind, span, glued, case });
            }
            rest = end;
        }
        Self { list: without_inner_hyphens(list), is_cased }
    }

    /// Whether three or more words are written as names are, with capitals but for little words.
    pub(super) fn is_titled(&self) -> bool {
        let words = || self.list.iter().filter(|token| token.is_word());
        self.is_cased
            && words().count() >= 3
            && words().all(|token| token.case != Case::Lower || is_edge(&token.form))
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The form of a token; empty past either end.
    pub(super) fn form(&self, at: usize) -> &str {
        self.list.get(at).map_or("", |token| &token.form)
    }

    /// The token at a position.
    pub(super) fn get(&self, at: usize) -> Option<&Token> {
        self.list.get(at)
    }

    /// Whether a sign stands at a position.
    pub(super) fn has_sign(&self, at: usize, sign: char) -> bool {
        self.get(at).is_some_and(|token| token.is_punctuation(sign))
    }

    /// The number at a position, in digits or in a word.
    pub(super) fn number_at(&self, at: usize) -> Option<f64> {
        let token = self.get(at)?;
        match token.kind {
            TokenKind::Number(number) => Some(number),
            TokenKind::Word => number_named(&token.form),
            TokenKind::Punctuation(_) => None,
        }
    }

    /// Where the longest of some phrases, each written with blanks, ends.
    pub(super) fn any_phrase<'p>(
        &self,
        at: usize,
        phrases: impl IntoIterator<Item = &'p str>,
    ) -> Option<usize> {
        phrases.into_iter().filter_map(|phrase| self.spelled(at, phrase)).max()
    }

    /// Whether one of some phrases stands anywhere.
    pub(super) fn has_any<'p>(&self, phrases: impl Iterator<Item = &'p str> + Clone) -> bool {
        (0..self.len()).any(|at| self.any_phrase(at, phrases.clone()).is_some())
    }

    /// Where the longest of some phrases begins that ends before a position.
    pub(super) fn any_phrase_before<'p>(
        &self,
        end: usize,
        phrases: impl IntoIterator<Item = &'p str>,
    ) -> Option<usize> {
        let starts = phrases.into_iter().filter_map(|phrase| {
            let start = end.checked_sub(phrase.split(' ').count())?;
            self.spelled(start, phrase).map(|_| start)
        });
        starts.min()
    }

    /// What `find` finds from left to right, none over another: it gives a value, and where its tokens end.
    pub(super) fn scan<T>(&self, find: impl Fn(usize) -> Option<(T, usize)>) -> Vec<T> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < self.len() {
            let one = find(at);
            at = one.as_ref().map_or(at + 1, |(_, end)| *end.max(&(at + 1)));
            found.extend(one.map(|(value, _)| value));
        }
        found
    }

    /// The tokens between those that part them, as far as there are any.
    pub(super) fn parts(&self, is_joint: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
        let all: Vec<usize> = (0..self.len()).collect();
        let parts = all.split(|at| is_joint(*at)).filter(|part| !part.is_empty());
        parts.map(|part| part[0]..part[part.len() - 1] + 1).collect()
    }

    /// The first token that begins at a byte or behind it.
    pub(super) fn position(&self, byte: usize) -> usize {
        self.list.partition_point(|token| token.span.start < byte)
    }

    /// The longest phrase of a list with meanings at a position: its meaning, and where it ends.
    pub(super) fn longest(&self, at: usize, list: &str) -> Option<(&'static str, usize)> {
        phrases::meanings(list)
            .filter_map(|(meaning, names)| Some((meaning, self.any_phrase(at, names)?)))
            .max_by_key(|found| found.1)
    }

    /// The longest one that ends before a position: its meaning, and where it begins.
    pub(super) fn longest_before(&self, end: usize, list: &str) -> Option<(&'static str, usize)> {
        phrases::meanings(list)
            .filter_map(|(meaning, names)| Some((meaning, self.any_phrase_before(end, names)?)))
            .min_by_key(|found| found.1)
    }

    /// Where a phrase, written with blanks, ends that begins at a position.
    fn spelled(&self, at: usize, phrase: &str) -> Option<usize> {
        let mut next = at;
        for word in phrase.split(' ') {
            if self.get(next)?.form != word {
                return None;
            }
            next += 1;
        }
        Some(next)
    }

    /// The forms of some tokens with blanks between them, if all are words.
    pub(super) fn words(&self, range: Range<usize>) -> Option<String> {
        let words = self.list.get(range.clone())?;
        (!words.is_empty() && words.iter().all(Token::is_word)).then(|| self.joined(range))
    }

    /// The bytes of the query that some tokens span.
    pub(super) fn span(&self, range: Range<usize>) -> Range<usize> {
        match self.list.get(range) {
            Some([first, .., last]) => first.span.start..last.span.end,
            Some([only]) => only.span.clone(),
            _ => 0..0,
        }
    }

    /// The forms of some tokens with blanks between them.
    pub(super) fn joined(&self, range: Range<usize>) -> String {
        let forms: Vec<&str> = self.list[range].iter().map(|token| &*token.form).collect();
        forms.join(" ")
    }
}

/// Drops the hyphens that join two words.
fn without_inner_hyphens(list: Vec<Token>) -> Vec<Token> {
    let joins = |at: usize| {
        let around =
            at.checked_sub(1).and_then(|before| Some((list.get(before)?, list.get(at + 1)?)));
        list[at].is_punctuation('-')
            && list[at].glued
            && around.is_some_and(|(before, after)| {
                before.is_word() && after.is_word() && after.glued && after.form.len() > 1
            })
    };
    let kept: Vec<bool> = (0..list.len()).map(|at| !joins(at)).collect();
    list.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(token, _)| token).collect()
}

/// The number that a word says.
pub(super) fn number_named(word: &str) -> Option<f64> {
    phrases::meaning("number", word)?.parse().ok()
}

/// The token that begins at a byte: where it ends, its form, and what it is.
fn piece(query: &str, start: usize, first: char) -> (usize, String, TokenKind) {
    if first.is_ascii_digit() {
        return number(query, start);
    }
    if !first.is_alphanumeric() {
        let end = start + first.len_utf8();
        let sign = match first {
            '\u{2012}'..='\u{2015}' | '\u{2212}' => '-',
            '\u{2264}' => '≤',
            '\u{2265}' => '≥',
            '¿' | '¡' => '?',
            sign => sign,
        };
        // A combining mark, an invisible sign: nothing to be said about it.
        let form = if sign == '&' { "and".to_owned() } else { sign.to_string() };
        let kind = if sign == '&' { TokenKind::Word } else { TokenKind::Punctuation(sign) };
        return (end, form, kind);
    }
    let mut end = start;
    let mut letters = 0;
    for c in query[start..].chars() {
        let next = query[end + c.len_utf8()..].chars().next();
        let inner_point = c == '.'
            && letters == 1
            && next.is_some_and(char::is_alphabetic)
            && single_letter(&query[end + 1..]);
        let inside = c.is_alphanumeric()
            || (is_apostrophe(c) && next.is_some_and(char::is_alphanumeric))
            || is_combining_mark(c)
            || inner_point;
        if !inside {
            break;
        }
        letters = if inner_point { 0 } else { letters + usize::from(!is_apostrophe(c)) };
        end += c.len_utf8();
    }
    let form = normalise(&query[start..end].replace('.', ""));
    (end, form, TokenKind::Word)
}

/// Whether a text begins with one letter and no more.
fn single_letter(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(char::is_alphabetic)
        && chars.next().is_none_or(|c| !c.is_alphanumeric())
}

/// Digits, with `,` before groups of three and one decimal point.
fn number(query: &str, start: usize) -> (usize, String, TokenKind) {
    let bytes = query.as_bytes();
    let digits = |from: usize| {
        bytes[from..]
            .iter()
            .position(|byte| !byte.is_ascii_digit())
            .map_or(bytes.len(), |n| from + n)
    };
    let mut end = digits(start);
    let mut form = query[start..end].to_owned();
    while bytes.get(end) == Some(&b',') && end - start <= 20 {
        let group = digits(end + 1);
        if group != end + 4 {
            break;
        }
        form.push_str(&query[end + 1..group]);
        end = group;
    }
    // `2.000.000`, `300.000`: points before groups of three, of which there are two or more, or one that is round.
    let mut grouped = end;
    while bytes.get(grouped) == Some(&b'.') && digits(grouped + 1) == grouped + 4 {
        grouped += 4;
    }
    let is_round = grouped == end + 4
        && !form.starts_with('0')
        && query[..grouped].ends_with("00")
        && !is_scaled(query, grouped);
    if (grouped >= end + 8 || is_round) && bytes.get(grouped) != Some(&b',') {
        form.extend(query[end..grouped].chars().filter(char::is_ascii_digit));
        end = grouped;
    }
    if bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit) {
        let fraction = digits(end + 1);
        form.push_str(&query[end..fraction]);
        end = fraction;
    }
    let value = form.parse().unwrap_or(f64::INFINITY);
    (end, form, TokenKind::Number(value))
}

/// Whether a unit stands behind a number that ends at a byte: `1.500 million`, `1.200%`.
fn is_scaled(query: &str, end: usize) -> bool {
    let next = query[end..].split_whitespace().next().unwrap_or_default();
    let word = normalise(next);
    next.starts_with('%') || phrases::has("unit", &word) || phrases::has("unit letter", &word)
}

fn case_of(text: &str) -> Case {
    let mut letters = text.chars().filter(|c| c.is_alphabetic());
    let first = letters.next().is_some_and(char::is_uppercase);
    let (mut any, mut all) = (false, true);
    for c in letters {
        any = true;
        all &= c.is_uppercase();
    }
    match (first, any && all) {
        (true, true) => Case::Upper,
        (true, false) => Case::Title,
        (false, _) => Case::Lower,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(query: &str) -> String {
        Tokens::of(query).list.iter().map(|t| t.form.clone()).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn queries_are_cut() {
        for (query, expected) in [
            ("Food banks in Ohio", "food|banks|in|ohio"),
            ("$1.5M, 1,500,000", "$|1.5|m|,|1500000"),
            ("1,50 2,000", "1|,|50|2000"),
            ("300.000 1.5 0.500", "300000|1.5|0.500"),
            ("1.200 million, 1.200%", "1.200|million|,|1.200|%"),
            ("501(c)(3) 501c3", "501|(|c|)|(|3|)|501|c3"),
            ("D.C. and U.S. food", "dc|.|and|us|.|food"),
            ("Children's St. John’s", "childrens|st|.|johns"),
            ("mid-size 50–100k K-12", "mid|size|50|-|100|k|k|-|12"),
            ("Peña & Söhne", "pena|and|sohne"),
            ("sdg16 <$50k", "sdg16|<|$|50|k"),
            ("???", "?|?|?"),
            ("", ""),
        ] {
            assert_eq!(forms(query), expected, "{query}");
        }
    }

    #[test]
    fn spans_lie_in_the_query() {
        let query = "near 97214, “gardens” für Kinder";
        for token in Tokens::of(query).list {
            assert!(
                query.get(token.span.clone()).is_some_and(|text| !text.is_empty()),
                "{token:?}"
            );
        }
    }
}
