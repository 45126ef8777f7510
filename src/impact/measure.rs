//! Quantities told in a measure: `pounds of food`, `hours of tutoring`, `units of blood`.

use super::lexicon::{Count, Noun, lexicon, looks_plural};
use super::token::{Token, TokenKind};

/// Words of what a measure is of.
const OBJECT_MAX: usize = 5;

/// A measure, and what it is of.
#[derive(Debug)]
pub(super) struct Measure {
    /// What the number is in: `hours`.
    pub(super) unit: String,
    /// Kind of thing measured: `tutoring hours`.
    pub(super) kind: String,
    /// What it is of, in the text's words and lower case.
    pub(super) object: Option<String>,
    /// Token behind the phrase.
    pub(super) end: usize,
}

/// The measure whose noun is the token `head`, behind a number that ends before the token `at`; what it is
/// of names the kind.
pub(super) fn measured(tokens: &[Token<'_>], at: usize, head: usize, noun: Noun) -> Measure {
    let unit = noun.kind.to_owned();
    let of = tokens.get(head + 1).is_some_and(|next| next.is("of"));
    let object = if of { object(tokens, head + 2) } else { None };
    let hours = unit == "hours";
    if let Some((end, last, name)) = object {
        let kind = match (hours, unit.as_str()) {
            (true, _) => format!("{} hours", in_singular(&name)),
            (_, "days" | "nights" | "acres" | "miles") => format!("{unit} of {name}"),
            _ => last,
        };
        return Measure { unit, kind, object: Some(name), end };
    }
    let before = (head > at).then(|| tokens[head - 1].lower.as_str());
    let named = before.filter(|word| {
        lexicon().lists("specific", word) || lexicon().is_singular(word) || *word == "training"
    });
    let kind = match named {
        Some(word) => format!("{word} {unit}"),
        None => unit.clone(),
    };
    Measure { unit, kind, object: None, end: head + 1 }
}

/// Units of what is counted in units: `units of blood`.
pub(super) fn in_units(tokens: &[Token<'_>], head: usize) -> Option<Noun> {
    let object = tokens.get(head + 1).filter(|next| next.is("of")).and(tokens.get(head + 2))?;
    let measured = tokens[head].is("units") && lexicon().lists("unit_objects", &object.lower);
    let count = Count::Measure;
    measured.then_some(Noun { count, singular: "unit", kind: "units", invariant: false })
}

/// A name whose last word is in the singular, where the table has it: `camp session`.
fn in_singular(name: &str) -> String {
    let (first, last) = name.rsplit_once(' ').map_or(("", name), |(first, last)| (first, last));
    match lexicon().plural(last) {
        Some(noun) if first.is_empty() => noun.singular.to_owned(),
        Some(noun) => format!("{first} {}", noun.singular),
        None => name.to_owned(),
    }
}

/// The words from a token to the end of a noun phrase: token behind, last word, and the last two
/// where the first of them tells the second apart.
fn object(tokens: &[Token<'_>], from: usize) -> Option<(usize, String, String)> {
    let lexicon = lexicon();
    // `pounds of consumer packaged goods`, but not `pounds of food delivered`.
    let acts = |at: usize, token: &Token<'_>| {
        let noun = tokens.get(from + at + 1).is_some_and(|next| looks_plural(&next.lower));
        !noun && lexicon.verb(&token.lower).is_some_and(|verb| verb.past && verb.does)
    };
    let stops = |at: usize, token: &Token<'_>| {
        token.kind != TokenKind::Word || lexicon.lists("ends", &token.lower) || acts(at, token)
    };
    let length = tokens[from.min(tokens.len())..]
        .iter()
        .take(OBJECT_MAX)
        .enumerate()
        .take_while(|(at, token)| {
            *at == 0 && token.kind == TokenKind::Word && !lexicon.lists("ends", &token.lower)
                || !stops(*at, token)
        })
        .count();
    if length == 0 {
        return None;
    }
    let words = &tokens[from..from + length];
    let last = words[length - 1].lower.clone();
    let specific = length > 1 && {
        let before = words[length - 2].lower.as_str();
        lexicon.lists("specific", before) || lexicon.is_singular(before)
    };
    let name = if specific { format!("{} {last}", words[length - 2].lower) } else { last.clone() };
    Some((from + length, last, name))
}

/// Token behind the noun phrase that begins at a token, if one does.
pub(super) fn object_end(tokens: &[Token<'_>], from: usize) -> Option<usize> {
    object(tokens, from).map(|(end, ..)| end)
}
