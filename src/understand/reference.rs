//! Which of those that were shown a text refers to: `the second one`, `the last`, `#3`, `it`.

use super::phrases;
use super::token::Tokens;

/// Which of those shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// From 1.
    Nth(usize),
    Last,
    /// The one that was spoken of.
    That,
}

/// Most that a text refers to at once: `the first ten`.
const REFERRED_MAX: usize = 10;

/// Which ones a text refers to that is known to refer to some; at least one.
pub fn referred(text: &str) -> Vec<Which> {
    let tokens = Tokens::of(text);
    let nth = |at: usize| {
        phrases::meanings("nth")
            .filter_map(|(number, names)| {
                Some((number.parse::<usize>().ok()?, tokens.any_phrase(at, names)?))
            })
            .max_by_key(|found| found.1)
    };
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if let Some((number, end)) = nth(at) {
            // `the first two`.
            match tokens.number_at(end).filter(|_| number == 1) {
                Some(count) => {
                    found.extend((1..=(count as usize).min(REFERRED_MAX)).map(Which::Nth))
                }
                None => found.push(Which::Nth(number)),
            }
            at = end.max(at + 1);
            continue;
        }
        if let Some(end) = tokens.any_phrase(at, phrases::of("last")) {
            found.push(Which::Last);
            at = end;
            continue;
        }
        if let Some(number) =
            tokens.number_at(at).filter(|number| *number >= 1.0 && number.fract() == 0.0)
        {
            // `one` alone is whichever is spoken of.
            if tokens.list[at].is_number() {
                found.push(Which::Nth(number as usize));
            }
        }
        at += 1;
    }
    if found.is_empty() {
        found.push(Which::That);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinals_numbers_and_pronouns() {
        for (text, expected) in [
            ("it", vec![Which::That]),
            ("that shelter", vec![Which::That]),
            ("the second one", vec![Which::Nth(2)]),
            ("#3", vec![Which::Nth(3)]),
            ("the last one", vec![Which::Last]),
            ("the first two", vec![Which::Nth(1), Which::Nth(2)]),
            ("the first and the third", vec![Which::Nth(1), Which::Nth(3)]),
        ] {
            assert_eq!(referred(text), expected, "{text}");
        }
    }
}
