//! References of a text to rows shown: `the second one`, `the last`, `#3`, `it`.

use std::ops::Range;

use super::phrases::{self, is_edge};
use super::token::{Case, Token, Tokens};
use crate::places;
use crate::query::Sort;
use crate::record::State;

/// The rows that a text refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// From 1.
    Nth(usize),
    Last,
    /// The one mentioned last.
    That,
}

/// The most rows that a text refers to at once: `the first ten`.
const REFERRED_MAX: usize = 10;

/// Words of the name of a state.
const STATE_WORDS_MAX: usize = 3;

/// The greatest number that is one of a row: of `the Missoula one 500` it is dollars.
const NUMBER_MAX: f64 = 100.0;

/// The rows that a text refers to, which is known to refer to some; at least one.
pub fn referred(text: &str) -> Vec<Which> {
    let mut found = ordinals(text);
    if found.is_empty() {
        let tokens = Tokens::of(text);
        // `one` alone is the one mentioned last, and so is `that 1`.
        let is_pronoun = |at: usize| {
            tokens.number_at(at) == Some(1.0)
                && at.checked_sub(1).is_some_and(|at| phrases::has("points at", tokens.form(at)))
        };
        let numbers = (0..tokens.len()).filter(|at| tokens.list[*at].is_number());
        let numbers = numbers.filter(|at| !is_pronoun(*at));
        let numbers = numbers.filter_map(|at| tokens.number_at(at));
        let whole =
            numbers.filter(|number| (1.0..=NUMBER_MAX).contains(number) && number.fract() == 0.0);
        found.extend(whole.map(|number| Which::Nth(number as usize)));
    }
    if found.is_empty() {
        found.push(Which::That);
    }
    found
}

/// The rows that a text refers to by position; empty without such words.
pub fn ordinals(text: &str) -> Vec<Which> {
    let tokens = Tokens::of(text);
    let nth = |at: usize| {
        let (number, end) = tokens.longest(at, "nth")?;
        // `the second largest` is a place in another order than that of the rows.
        let is_row = !is_order_at(&tokens, end);
        Some((vec![Which::Nth(number.parse().ok().filter(|_| is_row)?)], end))
    };
    // `the first two`, `the top 3`.
    let counted = |at: usize| {
        let end = tokens.any_phrase(at, phrases::of("top of"))?;
        let count = (tokens.number_at(end)? as usize).min(REFERRED_MAX);
        Some(((1..=count).map(Which::Nth).collect(), end + 1))
    };
    let last = |at: usize| {
        let end = tokens.any_phrase(at, phrases::of("last"))?;
        Some((vec![Which::Last], end))
    };
    let found = tokens.scan(|at| counted(at).or_else(|| nth(at)).or_else(|| last(at)));
    found.into_iter().flatten().collect()
}

/// The place in an order that a text asks for, from 1: `the second largest`.
pub fn place_in_order(text: &str) -> Option<usize> {
    let tokens = Tokens::of(text);
    let placed = |at: usize| {
        let (number, end) = tokens.longest(at, "nth")?;
        number.parse().ok().filter(|_| is_order_at(&tokens, end))
    };
    (0..tokens.len()).find_map(placed)
}

/// How many of the first in an order a text asks for: `the two largest`, `the biggest 3`. `None` without a number.
pub fn count_in_order(text: &str) -> Option<usize> {
    let tokens = Tokens::of(text);
    let is_ordered = superlative(text).is_some();
    let count_at = |at: usize| {
        let before = at.checked_sub(1);
        let is_order = |at| is_order_at(&tokens, at);
        // `which two have the most assets`.
        let opens = |at| phrases::has("question opening", tokens.form(at));
        let is_led = before.is_some_and(|at| is_order(at) || (opens(at) && is_ordered));
        let is_beside = is_order(at + 1) || is_led;
        let count = tokens.number_at(at).filter(|count| is_beside && count.fract() == 0.0)?;
        (2..=REFERRED_MAX).find(|whole| *whole as f64 == count)
    };
    (0..tokens.len()).find_map(count_at)
}

/// Whether words for an order stand at a position, behind a hyphen too.
fn is_order_at(tokens: &Tokens, at: usize) -> bool {
    let is_hyphen = tokens.get(at).is_some_and(|token| token.is_punctuation('-') && token.glued);
    let at = if is_hyphen { at + 1 } else { at };
    let mut lists = ["order", "comparative"].into_iter().flat_map(phrases::meanings);
    lists.any(|(_, words)| tokens.any_phrase(at, words).is_some())
}

/// The order that a text speaks of by what is first in it: `the biggest`, `the older one`.
pub fn superlative(text: &str) -> Option<Sort> {
    let tokens = Tokens::of(text);
    let lists = ["order", "comparative"].into_iter().flat_map(phrases::meanings);
    lists.filter(|(_, words)| tokens.has_any(words.clone())).find_map(|(order, _)| match order {
        "age" => Sort::parse("-ruling_year"),
        "-age" => Sort::parse("ruling_year"),
        other => Sort::parse(other),
    })
}

/// The sentences of a text, each with a word that tells something: bytes of the text.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    parted(text, |tokens, at| {
        let is_point = |sign| tokens.list[at].is_punctuation(sign);
        // `St. Paul` and `1.5` end nothing.
        let is_stop = is_point('.')
            && tokens.get(at + 1).is_none_or(|next| !next.glued)
            && at.checked_sub(1).is_some_and(|before| tokens.form(before).len() > 2);
        // `go back to the horses - which of those are large`, not `10 - 20`.
        let is_number = |at: usize| tokens.get(at).is_some_and(Token::is_number);
        let is_dash = (is_point('-') || is_point('–') || is_point('—'))
            && !tokens.list[at].glued
            && tokens.get(at + 1).is_none_or(|next| !next.glued)
            && !is_number(at + 1);
        // `back to the museums: which is oldest`.
        let goes_back =
            |from: usize| tokens.any_phrase(from, phrases::of("back to a list")).is_some();
        let ends_return = is_point(':')
            && tokens.get(at + 1).is_some_and(|next| !next.glued)
            && (0..at).any(goes_back);
        is_stop || is_dash || ends_return || ['?', '!', ';'].into_iter().any(is_point)
    })
}

/// The clauses of every sentence of a text, likewise.
pub fn all_clauses(text: &str) -> impl Iterator<Item = Range<usize>> {
    sentences(text).into_iter().flat_map(|sentence| {
        let start = sentence.start;
        let own = clauses(&text[sentence]).into_iter();
        own.map(move |clause| start + clause.start..start + clause.end)
    })
}

/// The clauses of a sentence, likewise.
pub fn clauses(sentence: &str) -> Vec<Range<usize>> {
    parted(sentence, |tokens, at| {
        let token = &tokens.list[at];
        let is_joint = phrases::has("clause joint", &token.form) && !joins_numbers(tokens, at);
        (token.is_punctuation(',') && !leads_to_state(tokens, at)) || is_joint
    })
}

/// Whether a comma stands between a city and its state: `Frankfort, Kentucky`.
fn leads_to_state(tokens: &Tokens, comma: usize) -> bool {
    let before = comma.checked_sub(1).and_then(|at| tokens.get(at));
    let is_state = |length: usize| {
        let name = tokens.words(comma + 1..comma + 1 + length);
        name.is_some_and(|name| places::state_named(&name).is_some())
    };
    let is_code = tokens
        .get(comma + 1)
        .is_some_and(|next| next.case == Case::Upper && next.form.parse::<State>().is_ok());
    before.is_some_and(|city| city.is_word() && city.case != Case::Lower)
        && (is_code || (1..=STATE_WORDS_MAX).any(is_state))
}

/// Whether a word stands between two numbers, signs and a unit aside: `between $500,000 and $2 million`.
fn joins_numbers(tokens: &Tokens, at: usize) -> bool {
    let is_number =
        |at: Option<usize>| at.and_then(|at| tokens.get(at)).is_some_and(Token::is_number);
    let before = [at.checked_sub(1), at.checked_sub(2)].into_iter().any(is_number);
    before && [at + 1, at + 2].map(Some).into_iter().any(is_number)
}

/// What stands in its clause before the sign that the rest of a name is forgotten: `Coalition to Restore` before
/// `something`.
pub fn rest_forgotten(text: &str) -> Option<Range<usize>> {
    let tokens = Tokens::of(text);
    let marks = |at: usize| tokens.any_phrase(at, phrases::of("rest forgotten")).is_some();
    let end = (1..tokens.len()).find(|at| marks(*at))?;
    let begins =
        |at: &usize| tokens.list[*at - 1].is_boundary() || tokens.list[*at - 1].is_punctuation(',');
    let start = (1..end).rev().find(begins).unwrap_or(0);
    (start < end && tokens.list[start].is_word()).then(|| tokens.span(start..end))
}

/// What stands between tokens that end a part.
fn parted(text: &str, ends: impl Fn(&Tokens, usize) -> bool) -> Vec<Range<usize>> {
    let tokens = Tokens::of(text);
    let tells = |at: usize| {
        let form = tokens.form(at);
        tokens.list[at].is_word() && (!is_edge(form) || phrases::has("thanks", form))
    };
    let parts = tokens.parts(|at| ends(&tokens, at)).into_iter();
    parts.filter(|part| part.clone().any(tells)).map(|part| tokens.span(part)).collect()
}

/// The two or more things that a question sets against each other: `a 990-N or a 990-EZ`, `DAF vs foundation`. One where it
/// does not.
pub fn sides(text: &str) -> Vec<&str> {
    let tokens = Tokens::of(text);
    if !tokens.has_any(phrases::of("against each other")) && !tokens.has_any(phrases::of("compare"))
    {
        return vec![text];
    }
    // `what's the difference` is no side.
    let is_side = |part: &&str| {
        let form = crate::naming::normalise(part);
        form.split(' ').any(|word| super::tells(word) && !phrases::has("against each other", word))
    };
    let parts = tokens.parts(|at| phrases::has("side joint", tokens.form(at))).into_iter();
    parts.filter_map(|part| text.get(tokens.span(part))).filter(is_side).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinals_numbers_and_pronouns() {
        for (text, expected) in [
            ("it", vec![Which::That]),
            ("that shelter", vec![Which::That]),
            ("that 1", vec![Which::That]),
            ("1", vec![Which::Nth(1)]),
            ("the second one", vec![Which::Nth(2)]),
            ("#3", vec![Which::Nth(3)]),
            ("the last one", vec![Which::Last]),
            ("the first two", vec![Which::Nth(1), Which::Nth(2)]),
            ("the first and the third", vec![Which::Nth(1), Which::Nth(3)]),
        ] {
            assert_eq!(referred(text), expected, "{text}");
        }
        assert!(ordinals("in 2020 or 3").is_empty());
        for (text, expected) in [
            ("which is the second largest", Some(2)),
            ("and the third-oldest?", Some(3)),
            ("la segunda más grande", Some(2)),
            ("the second one, is it the largest", None),
        ] {
            assert_eq!(place_in_order(text), expected, "{text}");
            assert_eq!(ordinals(text).is_empty(), expected.is_some(), "{text}");
        }
        for (text, expected) in [
            ("compare the two biggest", Some(2)),
            ("how much do the largest 3 own", Some(3)),
            ("las tres más grandes", Some(3)),
            ("which two have the most assets", Some(2)),
            ("which 2 do I call", None),
            ("the largest one", None),
            ("the largest, and 3 more", None),
        ] {
            assert_eq!(count_in_order(text), expected, "{text}");
        }
    }

    #[test]
    fn orders_clauses_and_sides() {
        let by = |text: &str| superlative(text).map(|sort| (sort.key.name(), sort.descending));
        for (text, expected) in [
            ("which is the biggest", Some(("revenue", true))),
            ("la mas antigua", Some(("ruling_year", false))),
            ("the newer one", Some(("ruling_year", true))),
            ("their phone", None),
        ] {
            assert_eq!(by(text), expected, "{text}");
        }
        for (text, expected) in [
            ("how big is it, and who runs it", vec!["how big is it", "who runs it"]),
            ("food banks", vec!["food banks"]),
            ("between $500,000 and $2 million", vec!["between $500,000 and $2 million"]),
        ] {
            let found: Vec<&str> = clauses(text).into_iter().map(|span| &text[span]).collect();
            assert_eq!(found, expected);
        }
        let text = "thanks! any in St. Paul? or in 1.5 miles.";
        let found: Vec<&str> = sentences(text).into_iter().map(|span| &text[span]).collect();
        assert_eq!(found, ["thanks", "any in St. Paul", "or in 1.5 miles"]);
        assert_eq!(sides("a 501c3 vs a 501c4"), ["a 501c3", "a 501c4"]);
        assert_eq!(sides("what is a 501c3"), ["what is a 501c3"]);
    }
}
