//! What a number counts: the noun phrase behind it, its head, and the names of unit and kind.

use super::lexicon::{Count, Noun, looks_plural};
use super::measure::{self, CountedThing};
use super::number;
use super::token::{Token, TokenKind, Tokens};

/// Tokens of a number and its `more than`.
const OPENING_REACH: usize = 12;

/// Words before a noun that is counted together with the head.
const OTHERS_WORDS_MAX: usize = 3;

/// Words that may stand from the number to the head noun: more are another phrase.
const PHRASE_MAX: usize = 8;

/// Words of a phrase that are in no table.
const UNKNOWN_MAX: usize = 4;

/// What the number that ends before a token counts.
pub(super) fn counted(tokens: &Tokens<'_>, at: usize) -> Option<CountedThing> {
    let (head, noun) = head(tokens, at)?;
    if owns(tokens, head) {
        return None;
    }
    let noun = measure::in_units(tokens, head).unwrap_or(noun);
    let (token, next) = (&tokens[head], tokens.at(head + 1));
    // `elderly, disabled or fragile individuals`: the noun is further on.
    let listed = matches!(next.kind, TokenKind::Punctuation(',' | '/')) || is_and_or(next);
    if listed && token.is_in("adjectives") {
        return None;
    }
    if noun.count == Count::Measure {
        return Some(measure::measured(tokens, at, head, noun));
    }
    let mut kind = noun.kind.to_owned();
    let before = tokens.before(head, 1);
    let specific = (before.is_in("specific") && token.is_in("vague"))
        || (before.is_in("ages") && token.is_in("aged"));
    if head > at && specific {
        let third = tokens.before(head, 2);
        kind = format!("{} {kind}", before.lower);
        if before.is("care") && head > at + 1 && third.is_in("specific") {
            kind = format!("{} {kind}", third.lower);
        }
    }
    let from = at.saturating_sub(OPENING_REACH);
    let before_number = tokens[from..at].iter().rfind(|token| match token.kind {
        TokenKind::Word => !token.is_in("cardinals") && !token.is_in("approximate"),
        kind => matches!(kind, TokenKind::Punctuation(_)),
    });
    let opens = before_number
        .is_none_or(|token| matches!(token.kind, TokenKind::Punctuation(',' | ';' | ':' | '-')));
    let (end, unit) = (head + 1, token.lower.clone());
    let counted = CountedThing { head, end, count: noun.count, unit, kind, object: None, opens };
    Some(with_others(tokens, counted))
}

fn is_and_or(token: &Token<'_>) -> bool {
    token.is("and") || token.is("or")
}

/// Adds what is counted together with the head: `1,200 men, women and children`.
fn with_others(tokens: &Tokens<'_>, counted: CountedThing) -> CountedThing {
    let mut last = counted.head;
    let mut closed = false;
    while !closed && last + 1 < tokens.len().min(counted.head + PHRASE_MAX) {
        let mut next = last + 1;
        next += usize::from(tokens[next].is_punctuation(','));
        let joint = tokens.at(next);
        closed = is_and_or(joint) || matches!(joint.kind, TokenKind::Punctuation('&' | '/'));
        next += usize::from(closed);
        if next == last + 1 {
            break;
        }
        next += before_other(tokens, next);
        let alike = counts_alike(tokens.at(next), counted.count);
        // What gives or does something begins a clause of its own; `events held in schools` does
        // not, nor does what shares its verb with a phrase that begins the clause.
        let acts = tokens.at(next + 1).word.verb;
        let passive = tokens.at(next + 2).is_in("places");
        let clause = acts.is_some_and(|verb| verb.past && verb.does && verb.lemma != "serve");
        let again = last == counted.head && tokens.at(next).lower == counted.unit;
        if !alike || again || (clause && !passive && !counted.opens) {
            return counted;
        }
        last = next;
    }
    if !closed {
        return counted;
    }
    let mut unit = counted.unit.clone();
    for token in &tokens[counted.head + 1..=last] {
        let blank = if token.is_punctuation(',') { "" } else { " " };
        unit.push_str(blank);
        unit.push_str(&token.lower);
    }
    let people = counted.count == Count::Person;
    let kind = if people { "people".to_owned() } else { unit.clone() };
    CountedThing { end: last + 1, unit, kind, ..counted }
}

/// How many words stand before a noun that is counted together with another: `and family members`,
/// `and other services`, `soup kitchens`.
fn before_other(tokens: &Tokens<'_>, from: usize) -> usize {
    let is_known = |token: &&Token<'_>| {
        let letters = token.text.len() > 1 && token.lower.to_uppercase() == token.text;
        let participle =
            token.lower.ends_with("ed") && token.word.verb.is_none_or(|verb| !verb.does);
        let modifier = token.word.is_singular || token.is_in("specific") || token.is("other");
        token.kind == TokenKind::Word
            && token.word.noun.is_none()
            && (modifier || letters || participle)
    };
    let known =
        (from..from + OTHERS_WORDS_MAX).map(|at| tokens.at(at)).take_while(is_known).count();
    let next = tokens.at(from + known);
    let unknown = next.kind == TokenKind::Word
        && next.word.noun.is_none()
        && next.word.verb.is_none()
        && !next.is_in("ends")
        && number::quantity(tokens, from + known).is_none()
        && !looks_plural(&next.lower);
    known + usize::from(unknown && noun_follows(tokens, from + known))
}

/// Whether a token is a noun that can be counted together with one of a kind.
fn counts_alike(token: &Token<'_>, count: Count) -> bool {
    let thing = |count: Count| matches!(count, Count::Thing | Count::Weak);
    match token.word.noun {
        Some(noun) => noun.count == count || (thing(noun.count) && thing(count)),
        None => looks_plural(&token.lower) && token.word.verb.is_none(),
    }
}

/// A noun that is in no table but is one for people by its ending: `archers`, `cyclists`.
fn open_noun(token: &Token<'_>) -> Option<Noun> {
    let word = token.lower.as_str();
    let person = ["ers", "ors", "ists", "ians"].iter().any(|ending| word.ends_with(ending));
    let open = person
        && word.len() > 5
        && word.bytes().all(|byte| byte.is_ascii_lowercase())
        && !token.is_in("inanimate");
    // Its kind is the word itself; the head's text stands in for it.
    open.then_some(Noun { count: Count::Person, singular: "", kind: "", invariant: false })
}

/// Token and noun of the head of the phrase that begins at a token.
fn head(tokens: &Tokens<'_>, at: usize) -> Option<(usize, Noun)> {
    let mut found: Option<(usize, Noun)> = None;
    let mut unknown = 0;
    for position in at..tokens.len().min(at + PHRASE_MAX) {
        let token = &tokens[position];
        // `203 clients' cases`: what is owned is counted.
        if found.is_some_and(|(head, _)| head + 1 == position && owns(tokens, head)) {
            found = None;
            continue;
        }
        if found.is_none() && passes(tokens, at, position) {
            continue;
        }
        if token.kind != TokenKind::Word {
            break;
        }
        if found.is_none()
            && let Some(noun) = days(tokens, at, position)
        {
            return Some((position, noun));
        }
        match (token.word.noun, found) {
            (Some(noun), Some((first, head))) if runs_on(&tokens[first], head, noun) => {
                return None;
            }
            (Some(noun), found) => {
                let fits = found.is_none_or(|(_, head)| follows(head, noun));
                if noun.count == Count::Never || !fits {
                    break;
                }
            }
            (None, Some((_, noun))) => {
                // `117 youth archers`
                if let Some(open) = open_noun(token).filter(|_| noun.invariant) {
                    return Some((position, open));
                }
                if !goes_on(tokens, position, noun) {
                    break;
                }
            }
            (None, None) => {
                if !modifies(tokens, at, position) {
                    break;
                }
                if looks_plural(&token.lower) && !noun_follows(tokens, position) {
                    return open_noun(token).map(|noun| (position, noun));
                }
                unknown += usize::from(!token.word.is_singular);
                if unknown > UNKNOWN_MAX {
                    break;
                }
            }
        }
        found = token.word.noun.map(|noun| (position, noun)).or(found);
    }
    found
}

/// Whether a token before the head is no word of its phrase, and does not end it either: a mark, a
/// quoted number (`632 "911" calls`), a comma or an `and` between adjectives.
fn passes(tokens: &Tokens<'_>, at: usize, position: usize) -> bool {
    match tokens[position].kind {
        TokenKind::Punctuation('"' | '“' | '”' | '$') | TokenKind::Money => true,
        TokenKind::Number(_) => quoted(tokens, position),
        TokenKind::Punctuation(',') => position > at && adjective_follows(tokens, position),
        TokenKind::Word | TokenKind::Punctuation('&') => position > at && pairs(tokens, position),
        _ => false,
    }
}

/// Whether two phrases have run into one: `networks students, parents`.
fn runs_on(first: &Token<'_>, head: Noun, next: Noun) -> bool {
    let thing = matches!(head.count, Count::Thing | Count::Weak);
    let people = next.count == Count::Person && !next.invariant;
    thing && !head.invariant && people && !first.is_in("plural_modifiers")
}

/// Whether a token stands in quotation marks by itself: it is a name.
pub(super) fn quoted(tokens: &Tokens<'_>, at: usize) -> bool {
    let mark = |token: &Token<'_>| {
        matches!(token.kind, TokenKind::Punctuation('"' | '“' | '”' | '‘' | '’' | '\''))
    };
    mark(tokens.before(at, 1)) && mark(tokens.at(at + 1))
}

/// Whether a comma between adjectives stands at a token: an adjective follows and then a noun.
fn adjective_follows(tokens: &Tokens<'_>, comma: usize) -> bool {
    let next = tokens.at(comma + 1);
    next.kind == TokenKind::Word
        && (next.lower.contains('-') || next.lower.ends_with("ed") || next.lower.ends_with("al"))
        && noun_follows(tokens, comma + 1)
}

fn noun_follows(tokens: &Tokens<'_>, position: usize) -> bool {
    let next = tokens.at(position + 1);
    let quote = matches!(next.kind, TokenKind::Punctuation('"' | '”'));
    let noun = tokens.at(position + 1 + usize::from(quote)).word.noun;
    noun.is_some_and(|noun| noun.count != Count::Never)
}

/// Whether an `and` behind the first word joins two modifiers of a noun: `information and referral
/// calls`, `individualized and in-depth follow-up sessions`.
fn pairs(tokens: &Tokens<'_>, position: usize) -> bool {
    let (before, joint, next) = (&tokens[position - 1], &tokens[position], tokens.at(position + 1));
    let adjective = |token: &Token<'_>| {
        let word = token.lower.as_str();
        word.contains('-')
            || ["al", "ive", "ic", "ous", "ary", "ized"].iter().any(|ending| word.ends_with(ending))
    };
    let plain = || {
        next.kind == TokenKind::Word
            && !next.is_in("ends")
            && next.word.noun.is_none()
            && next.word.verb.is_none_or(|verb| verb.present || verb.going)
    };
    let noun_within = |words| (position + 1..=position + words).any(|at| noun_follows(tokens, at));
    (is_and_or(joint) || joint.is_punctuation('&'))
        && ((adjective(before) && adjective(next) && noun_within(3)) || (plain() && noun_within(1)))
}

/// Days of service: `patient days`, `days of care`.
fn days(tokens: &Tokens<'_>, at: usize, position: usize) -> Option<Noun> {
    if !tokens[position].is("days") {
        return None;
    }
    let of = tokens.at(position + 1).is("of") && tokens.at(position + 2).is_in("day_objects");
    let served = position > at && tokens[position - 1].is_in("day_units");
    let count = if of { Count::Measure } else { Count::Thing };
    let noun = Noun { count, singular: "day", kind: "days", invariant: false };
    (of || served).then_some(noun)
}

/// Whether a plural behind a plural is the head in its place: `women veterans`, but not
/// `provided 400 students scholarships`.
fn follows(head: Noun, next: Noun) -> bool {
    head.count != Count::Person
        || head.invariant
        || matches!(next.count, Count::Person | Count::Weak)
}

/// Whether a word behind a head leads to another, so that the head was its modifier:
/// `youth leadership workshops`, `veterans service organizations`.
fn goes_on(tokens: &Tokens<'_>, position: usize, noun: Noun) -> bool {
    let plain = |at: usize| {
        let token = tokens.at(at);
        token.kind == TokenKind::Word
            && !token.is_in("ends")
            && token.word.verb.is_none_or(|verb| verb.present && !verb.past)
    };
    let token = &tokens[position];
    let next = tokens.at(position + 1).word.noun;
    let joins = noun.invariant || token.word.is_singular || token.is_in("specific");
    next.is_none_or(|next| follows(noun, next))
        && joins
        && plain(position)
        && (noun_follows(tokens, position)
            || (noun.invariant && plain(position + 1) && noun_follows(tokens, position + 1)))
}

/// Whether a word may stand between a number and its noun.
fn modifies(tokens: &Tokens<'_>, at: usize, position: usize) -> bool {
    let token = &tokens[position];
    // `9,300 older adults`
    let aged = token.is_in("ages") && tokens.at(position + 1).is_in("aged");
    // `Jewish Day School students`
    let name =
        position > at && (position - 1..=position + 1).all(|at| tokens.at(at).is_capitalised());
    if (token.is_in("ends") && !aged && !name) || token.lower.chars().count() < 2 {
        return false;
    }
    // `5 day camps`: the number belongs to the word behind it alone.
    if position == at && token.is_in("spans") {
        return false;
    }
    let Some(verb) = token.word.verb else { return true };
    if verb.past {
        let before = tokens.before(position, 1).lower.as_str();
        return position == at || before.ends_with("ly") || before.contains('-');
    }
    // A base form is a noun where another follows it: `support groups`.
    let base = token.word.is_singular || token.lower == verb.lemma;
    verb.going || (base && noun_follows(tokens, position))
}

/// Whether a plural owns what follows: `clients' cases`.
fn owns(tokens: &Tokens<'_>, head: usize) -> bool {
    let mark = tokens.at(head + 1);
    matches!(mark.kind, TokenKind::Punctuation('\'' | '’'))
        && mark.start == tokens[head].end
        && tokens.at(head + 2).kind == TokenKind::Word
}
