//! A sentence cut into words, numbers and signs, each with its place in the sentence.
//!
//! A number is a token of digits alone (`1,245`, `2.3`, `1,200+`). Whatever glues digits to
//! something else (`12-step`, `501(c)(3)`, `24/7`, `6th`, `$500`, `45%`) is a word.

use std::iter::Peekable;
use std::str::CharIndices;

/// Words that a dot shortens; it ends no sentence behind them.
pub(super) const ABBREVIATIONS: [&str; 44] = [
    "approx", "appx", "est", "avg", "lbs", "lb", "oz", "hrs", "hr", "yrs", "yr", "mins", "min",
    "ft", "sq", "gal", "st", "ste", "mt", "ft", "dr", "mr", "mrs", "ms", "jr", "sr", "prof", "rev",
    "hon", "sen", "rep", "gov", "capt", "sgt", "lt", "col", "no", "nos", "vs", "inc", "dept",
    "univ", "e.g", "i.e",
];

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
}

/// A token with its place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token<'a> {
    pub(super) kind: TokenKind,
    /// As written.
    pub(super) text: &'a str,
    /// In lower case.
    pub(super) lower: String,
    /// Byte at which it begins.
    pub(super) start: usize,
    /// Byte behind it.
    pub(super) end: usize,
}

impl Token<'_> {
    /// Whether it is this word, in any case.
    pub(super) fn is(&self, word: &str) -> bool {
        self.kind == TokenKind::Word && self.lower == word
    }

    /// Whether it is this sign.
    pub(super) fn is_punctuation(&self, sign: char) -> bool {
        self.kind == TokenKind::Punctuation(sign)
    }

    /// Whether it separates statements: the end of one, or an item's mark. Parentheses and commas
    /// are weaker.
    pub(super) fn parts_statements(&self) -> bool {
        self.parts_clauses() && !matches!(self.kind, TokenKind::Punctuation('(' | ')'))
    }

    /// Whether it is an amount in digits.
    pub(super) fn is_amount(&self) -> bool {
        matches!(self.kind, TokenKind::Number(_) | TokenKind::Range(..) | TokenKind::Money)
    }

    /// Whether words on its two sides belong to two clauses.
    pub(super) fn parts_clauses(&self) -> bool {
        matches!(
            self.kind,
            TokenKind::Punctuation(
                ';' | '.' | '!' | '?' | '•' | '*' | '·' | '|' | '–' | '—' | '-' | '(' | ')'
            )
        )
    }
}

/// The tokens of a sentence, in order.
pub(super) fn tokens(sentence: &str) -> Vec<Token<'_>> {
    let mut found: Vec<Token<'_>> = Vec::new();
    let mut chars = sentence.char_indices().peekable();
    while let Some(&(start, c)) = chars.peek() {
        if c.is_whitespace() {
            chars.next();
            continue;
        }
        let rest = &sentence[start..];
        // The dot of `2,000 lbs. of produce` is a part of the word.
        if c == '.' && rest.len() > 1 && found.last().is_some_and(|last| shortened(last, start)) {
            chars.next();
            continue;
        }
        // `in- person`: a blank slipped in.
        if c == '-'
            && let Some(last) = found.last_mut().filter(|last| last.end == start)
            && PREFIXES.contains(&last.lower.as_str())
        {
            chars.next();
            last.end = start + 1;
            last.text = &sentence[last.start..last.end];
            last.lower.push('-');
            continue;
        }
        let (length, kind) = if c.is_ascii_digit() {
            digits(rest, &sentence[..start])
        } else if c.is_alphanumeric() {
            (word(rest), TokenKind::Word)
        } else {
            (c.len_utf8(), TokenKind::Punctuation(c))
        };
        let end = start + length;
        skip(&mut chars, end);
        let text = &sentence[start..end];
        let lower = text.replace('’', "'").to_lowercase();
        found.push(Token { kind, text, lower, start, end });
    }
    found
}

/// Words that are none by themselves before a dash.
const PREFIXES: [&str; 10] =
    ["in", "pre", "post", "non", "co", "multi", "self", "anti", "low", "full"];

/// Whether a dot right behind a token shortens it.
fn shortened(last: &Token<'_>, dot: usize) -> bool {
    last.end == dot && last.kind == TokenKind::Word && ABBREVIATIONS.contains(&last.lower.as_str())
}

fn skip(chars: &mut Peekable<CharIndices<'_>>, end: usize) {
    while chars.peek().is_some_and(|&(at, _)| at < end) {
        chars.next();
    }
}

/// Length in bytes of the word at the beginning of a text.
fn word(text: &str) -> usize {
    let mut chars = text.char_indices().peekable();
    let mut end = 0;
    while let Some((at, c)) = chars.next() {
        let followed = |letters: &mut Peekable<CharIndices<'_>>| {
            letters.peek().is_some_and(|&(_, next)| next.is_alphanumeric())
        };
        // `Illinois-1,200 youth`, `ceremonies-18 tours`: the dash begins an item of a list.
        let listed = c == '-' && begins_item(&text[..at], &text[at + 1..]);
        let inside = match c {
            _ if listed => false,
            '\'' | '’' | '-' | '‐' | '‑' | '&' | '@' => followed(&mut chars),
            // `U.S.`: a dot behind a single letter.
            '.' => at == end && dotted(text, at) && followed(&mut chars),
            _ => c.is_alphanumeric(),
        };
        if !inside {
            break;
        }
        end = at + c.len_utf8();
    }
    end
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
