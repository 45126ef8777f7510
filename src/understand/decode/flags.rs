//! Flags that words ask for, whatever the reader takes these for: it knows no role of them.
//!
//! Phrases of the list `said flag` ask for one by themselves and are part of nothing else; those of `flag of a cause` are
//! what nonprofits do, and ask for one where they are all of it.

use std::ops::Range as Span;

use super::super::edit::{Edit, Value};
use super::super::frame::UnderstoodSpan;
use super::super::phrases;
use super::super::token::Tokens;
use super::{Decoder, says, sides};
use crate::naming::normalise;
use crate::query::Flag;
use crate::reader::{self, Intent, Message, Operation};

/// The NTEE code of community foundations.
const COMMUNITY_FOUNDATION: &str = "T31";

/// How sure it is that a phrase asks for its flag.
const PHRASE_PROBABILITY: f32 = 0.95;

/// The probability from which on words without a known one ask for a flag: `envejecientes vejez` does not say *vetted*.
const UNKNOWN_WORDS_MIN: f32 = 0.6;

/// A phrase that asks for a flag.
#[derive(Debug)]
pub(super) struct SaidFlag {
    bytes: Span<usize>,
    flag: Flag,
    is_wanted: bool,
}

/// The phrases of a search that ask for flags, in their order.
pub(super) fn flags_in(tokens: &Tokens, message: &Message) -> Vec<SaidFlag> {
    if message.intent.label != Intent::Find {
        return Vec::new();
    }
    tokens.scan(|at| {
        let (meaning, end) = tokens.longest(at, "said flag")?;
        let (flag, is_wanted) = parse(meaning)?;
        let negated = tokens.any_phrase_before(at, phrases::of("left out"));
        let bytes = tokens.span(negated.unwrap_or(at)..end);
        Some((SaidFlag { bytes, flag, is_wanted: is_wanted == negated.is_none() }, end))
    })
}

/// The flag of a meaning in a list, and whether it is wanted: `church`, `not church`.
fn parse(meaning: &str) -> Option<(Flag, bool)> {
    match meaning.strip_prefix("not ") {
        Some(name) => Some((Flag::named(name)?, false)),
        None => Some((Flag::named(meaning)?, true)),
    }
}

impl SaidFlag {
    /// What it changes: what the flag is asked of is wanted, too.
    pub(super) fn edits(&self) -> impl Iterator<Item = Edit> {
        let of = self.flag.definition().asked_of.map(|of| (of, true));
        of.into_iter().chain([(self.flag, self.is_wanted)]).map(|(flag, is_wanted)| Edit {
            value: Value::Flag(flag, Some(is_wanted)),
            operation: Operation::Set,
        })
    }

    /// What was understood of the words.
    pub(super) fn part(&self) -> UnderstoodSpan {
        let meaning = match self.is_wanted {
            true => self.flag.description(),
            false => self.flag.negated_description(),
        };
        UnderstoodSpan {
            span: self.bytes.clone(),
            meaning: meaning.to_owned(),
            confidence: PHRASE_PROBABILITY,
        }
    }
}

impl Decoder<'_> {
    /// Whether the reader is in doubt that a span asks for a flag, and no word of it is known to.
    pub(super) fn is_doubtful(&self, span: &reader::Span) -> bool {
        span.probability < UNKNOWN_WORDS_MIN && !says(self.words(span), "standing")
    }
}

/// Whether words ask for private foundations, or exclude them: `is there a museum or foundation`
/// and `no community foundations` do neither.
pub(super) fn is_private(words: &str) -> bool {
    let is_any = phrases::has("any foundation", &normalise(words));
    !is_any && !says(words, "community foundation")
}

/// The exclusion of community foundations by their code, where words leave them out.
pub(super) fn without_community(words: &str) -> Option<Value> {
    says(words, "community foundation")
        .then(|| Value::NotCodes(vec![COMMUNITY_FOUNDATION.to_owned()]))
}

/// A message without the words of these flags: spans are cut by them, or go.
pub(super) fn without(text: &str, message: &Message, said: &[SaidFlag]) -> Message {
    let mut left = message.clone();
    for SaidFlag { bytes, .. } in said {
        left.spans = left.spans.iter().flat_map(|span| apart(text, span, bytes)).collect();
    }
    left
}

/// What is left of a span on both sides of some bytes.
fn apart(text: &str, span: &reader::Span, cut: &Span<usize>) -> Vec<reader::Span> {
    let own = &span.bytes;
    if cut.end <= own.start || own.end <= cut.start {
        return vec![span.clone()];
    }
    let sides = sides(own, cut).into_iter().filter_map(|bytes| {
        let words = &text[bytes.clone()];
        let start = bytes.start + (words.len() - words.trim_start().len());
        let bytes = start..start + words.trim().len();
        (!bytes.is_empty()).then(|| reader::Span { bytes, ..span.clone() })
    });
    sides.collect()
}

/// The flags that a cause asks for by all of its words.
pub(super) fn of_cause(words: &str) -> impl Iterator<Item = Flag> {
    let form = normalise(words);
    let meanings = phrases::meanings("flag of a cause");
    meanings.filter_map(move |(name, mut phrases)| {
        phrases.any(|phrase| phrase == form).then(|| Flag::named(name)).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_phrase_is_of_a_flag() {
        for list in ["said flag", "flag of a cause"] {
            for (meaning, _) in phrases::meanings(list) {
                assert!(parse(meaning).is_some(), "{list}: {meaning}");
            }
        }
    }
}
