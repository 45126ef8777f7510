//! Quantities told in a measure: `pounds of food`, `hours of tutoring`, `units of blood`.

use super::lexicon::{self, Count, Noun, looks_plural};
use super::token::{TokenKind, Tokens};

/// What a number counts.
#[derive(Debug, Clone)]
pub(super) struct CountedThing {
    /// Token of the head noun.
    pub(super) head: usize,
    /// Token behind the phrase, with what a measure is of.
    pub(super) end: usize,
    /// How much the head says by itself.
    pub(super) count: Count,
    /// What the number is in: the head in lower case.
    pub(super) unit: String,
    /// Kind of thing counted.
    pub(super) kind: String,
    /// What a measure is of, in the text's words and lower case.
    pub(super) object: Option<String>,
    /// Whether the phrase begins its clause, so that it is whoever acts in it.
    pub(super) opens: bool,
}

/// Words of what a measure is of.
const OBJECT_MAX: usize = 5;

/// What is counted in the measure whose noun is the token `head`, behind a number that ends before
/// the token `at`; what it is of names the kind.
pub(super) fn measured(tokens: &Tokens<'_>, at: usize, head: usize, noun: Noun) -> CountedThing {
    let unit = noun.kind.to_owned();
    let of = tokens.at(head + 1).is("of");
    let object = if of { object(tokens, head + 2) } else { None };
    let before = tokens.before(head, 1);
    let named = before.is_in("specific") || before.word.is_singular || before.is("training");
    let kind = match &object {
        Some((_, _, name)) if unit == "hours" => format!("{} hours", in_singular(name)),
        Some((_, _, name)) if lexicon::lists("spans_of", &unit) => format!("{unit} of {name}"),
        Some((_, last, _)) => last.clone(),
        None if head > at && named => format!("{} {unit}", before.lower),
        None => unit.clone(),
    };
    let (end, object) = match object {
        Some((end, _, name)) => (end, Some(name)),
        None => (head + 1, None),
    };
    CountedThing { head, end, count: noun.count, unit, kind, object, opens: false }
}

/// Units of what is counted in units: `units of blood`.
pub(super) fn in_units(tokens: &Tokens<'_>, head: usize) -> Option<Noun> {
    let measured = tokens[head].is("units")
        && tokens.at(head + 1).is("of")
        && tokens.at(head + 2).is_in("unit_objects");
    let count = Count::Measure;
    measured.then_some(Noun { count, singular: "unit", kind: "units", invariant: false })
}

/// A name whose last word is in the singular, where the table has it: `camp session`.
fn in_singular(name: &str) -> String {
    let first = name.rfind(' ').map_or(0, |blank| blank + 1);
    let (first, last) = name.split_at(first);
    let last = lexicon::word(last).noun.map_or(last, |noun| noun.singular);
    format!("{first}{last}")
}

/// The words from a token to the end of a noun phrase: token behind, last word, and the last two
/// where the first of them tells the second apart.
fn object(tokens: &Tokens<'_>, from: usize) -> Option<(usize, String, String)> {
    let goes_on = |at: &usize| {
        let token = tokens.at(*at);
        // `pounds of consumer packaged goods`, but not `pounds of food delivered`.
        let acts = token.word.verb.is_some_and(|verb| verb.past && verb.does)
            && !looks_plural(&tokens.at(at + 1).lower);
        token.kind == TokenKind::Word && !token.is_in("ends") && (*at == from || !acts)
    };
    let end = from + (from..from + OBJECT_MAX).take_while(goes_on).count();
    let last = &tokens.at(end - 1).lower;
    let before = tokens.before(end, 2);
    let specific = before.is_in("specific") || before.word.is_singular;
    let name =
        if specific && end > from + 1 { format!("{} {last}", before.lower) } else { last.clone() };
    (end > from).then(|| (end, last.clone(), name))
}

/// Token behind the noun phrase that begins at a token, if one does.
pub(super) fn object_end(tokens: &Tokens<'_>, from: usize) -> Option<usize> {
    object(tokens, from).map(|(end, ..)| end)
}
