//! Text into sentences, and how telling a sentence is.

use super::lexicon;
use super::token::{TokenKind, Tokens};

/// Words of a sentence that is long enough to say something and short enough to be read.
const FITTING_WORDS: std::ops::RangeInclusive<usize> = 8..=40;

/// The sentences of a text, in order; trimmed, none empty. A sentence ends with its mark, before an
/// item of a list (`• `, `.- `, `; - `, ` * `, ` 2) `), or where a mark and the next sentence lack a
/// blank between them.
pub fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        while !rest.is_empty() {
            let (sentence, after) = rest.split_at(first_end(rest));
            rest = after;
            let sentence = sentence.trim_matches(|c: char| {
                c.is_whitespace() || matches!(c, '•' | '·' | '●' | '▪' | '*' | ';' | '-' | '–')
            });
            if sentence.chars().any(char::is_alphanumeric) {
                return Some(sentence);
            }
        }
        None
    })
}

/// Whether a dot behind a word in lower case shortens it and ends no sentence.
pub fn is_abbreviation(word: &str) -> bool {
    lexicon::lists("abbreviations", word)
}

/// How telling a sentence is for a summary: higher is better, and only the order means something.
///
/// Each metric counts 1, up to three; a verb of doing 1 (its past 0.5 more); a fitting length 0.5;
/// an unfit one costs up to 1, each word of boilerplate 0.5, and figures of money or bare numbers
/// without a metric 0.5. Cost is linear in the sentence.
pub fn telling(sentence: &str, metrics_in_it: usize) -> f32 {
    let tokens = Tokens::of(sentence);
    let words = tokens.iter().filter(|token| token.kind == TokenKind::Word).count();
    let verbs = || tokens.iter().filter_map(|token| token.word.verb);
    let mut score = metrics_in_it.min(3) as f32;
    if verbs().any(|verb| verb.does) {
        score += 1.0;
    }
    if verbs().any(|verb| verb.does && verb.past) {
        score += 0.5;
    }
    score += match words {
        words if FITTING_WORDS.contains(&words) => 0.5,
        0..4 => -1.0,
        4..8 => 0.0,
        _ => -0.5,
    };
    let boilerplate = tokens.iter().filter(|token| token.is_in("boilerplate")).count();
    score -= 0.5 * boilerplate.min(4) as f32;
    if metrics_in_it == 0 && tokens.iter().any(|token| token.is_amount()) {
        score -= 0.5;
    }
    score
}

/// Byte behind the first sentence of a text that is not empty.
fn first_end(text: &str) -> usize {
    // Where the word before a mark begins; kept along, so that the scan is linear.
    let mut word_start: usize = 0;
    let mut within: usize = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let opens = at == word_start;
        if c.is_whitespace() || matches!(c, '(' | '"' | '“' | '/') {
            word_start = at + c.len_utf8();
        }
        match c {
            '(' => within += 1,
            ')' => within = within.saturating_sub(1),
            '•' | '·' | '●' | '▪' if at > 0 => return at,
            '*' if at > 0 && opens => return at,
            // A closing parenthesis behind a number that none opened.
            '0'..='9' if at > 0 && opens && within == 0 && numbers_item(&text[at..]) => return at,
            ';' if begins_item(&text[at + 1..]) => return at + 1,
            _ => {}
        }
        if !matches!(c, '.' | '!' | '?') {
            continue;
        }
        let mut listed = false;
        while let Some((_, next)) = chars.next_if(|&(_, next)| closes(next)) {
            listed |= next == ';';
            if next == ')' {
                within = within.saturating_sub(1);
            }
        }
        let end = chars.peek().map_or(text.len(), |&(next, _)| next);
        let begins = word_start <= BEGINNING_MAX && text[..word_start].trim().is_empty();
        // `.;` parts the items of a list, whatever follows.
        if listed || ends_sentence(tail(&text[word_start..at]), c, &text[end..], begins) {
            return end;
        }
    }
    text.len()
}

/// Whether a text begins with the number of an item: `2) `.
fn numbers_item(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    (1..=ITEM_DIGITS_MAX).contains(&(text.len() - rest.len()))
        && rest
            .strip_prefix(')')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_whitespace() || c.is_alphabetic()))
}

/// Whether a text begins with the mark of an item, behind blanks: `- `, `-Next`, `* `, `2) `.
fn begins_item(text: &str) -> bool {
    // Looking over more blanks at each mark would take quadratic time.
    let blanks = text.bytes().take(BEGINNING_MAX).take_while(u8::is_ascii_whitespace).count();
    let rest = &text[blanks..];
    numbers_item(rest)
        || rest.strip_prefix(['-', '–', '*']).is_some_and(|item| {
            item.starts_with(|c: char| c.is_whitespace() || c.is_alphanumeric())
        })
}

/// Digits of the number of an item.
const ITEM_DIGITS_MAX: usize = 2;

/// Bytes before the first word of a sentence, which are blanks.
const BEGINNING_MAX: usize = 8;

/// Bytes of a word that are looked at: a longer run without a blank is none, and looking at all of
/// it at each of its marks would take quadratic time.
const WORD_MAX: usize = 48;

/// The end of a word.
fn tail(word: &str) -> &str {
    let from = word.len().saturating_sub(WORD_MAX);
    let from = (from..=word.len()).find(|&at| word.is_char_boundary(at)).unwrap_or(word.len());
    &word[from..]
}

fn closes(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | ')' | '"' | '”' | '’' | ';')
}

/// Whether a mark ends a sentence: by the word before it, what follows, and whether that word
/// begins the sentence.
fn ends_sentence(word: &str, mark: char, after: &str, begins: bool) -> bool {
    let Some(next) = after.chars().next() else { return true };
    if matches!(next, '-' | '–' | '*') && word.len() > 2 && begins_item(after) {
        return true;
    }
    if !next.is_whitespace() {
        return unspaced_end(word, after);
    }
    if mark != '.' {
        return true;
    }
    let lower = word.to_lowercase();
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    // `1. Housing` and `a. Housing` number what they stand before.
    let numbers = begins && word.len() <= 3;
    // `J.` and `U.S.`
    let initial = letters > 0 && word.split('.').all(|part| part.chars().count() == 1);
    if numbers || initial || lexicon::lists("abbreviations", &lower) {
        return false;
    }
    let follows = after.trim_start().chars().next();
    !follows.is_some_and(char::is_lowercase)
}

/// Whether a mark without a blank behind it ends a sentence: `provided.Students`.
fn unspaced_end(word: &str, after: &str) -> bool {
    let next: String = after.chars().take_while(|c| c.is_alphabetic()).take(12).collect();
    let capital = next.chars().next().is_some_and(char::is_uppercase);
    let address = word.contains(['@', '.'])
        || word.to_lowercase().starts_with("www")
        || lexicon::lists("domains", &next.to_lowercase())
        || after[next.len()..].starts_with('.');
    let spoken = word.chars().filter(|c| c.is_alphabetic()).count() > 2
        || word.chars().all(|c| c.is_ascii_digit() || c == ',');
    capital && next.chars().count() > 1 && spoken && !address
}
