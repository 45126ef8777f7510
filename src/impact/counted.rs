//! What a number counts: the noun phrase behind it, its head, and the names of unit and kind.

use super::lexicon::{Count, Noun, lexicon};
use super::token::{Kind, Token};

/// What a number counts.
#[derive(Debug, Clone)]
pub(super) struct Counted {
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
}

/// Words that may stand from the number to the head noun: more are another phrase.
const PHRASE_MAX: usize = 8;

/// Words of a phrase that are in no table.
const UNKNOWN_MAX: usize = 4;

/// Words of what a measure is of.
const OBJECT_MAX: usize = 5;

/// What the number that ends before a token counts.
pub(super) fn counted(tokens: &[Token<'_>], at: usize) -> Option<Counted> {
    let (head, noun) = head(tokens, at)?;
    let word = &tokens[head].lower;
    // `elderly, disabled or fragile individuals`: the noun is further on.
    let adjective = matches!(word.as_str(), "elderly" | "homeless" | "disabled" | "needy");
    let listed = tokens.get(head + 1).is_some_and(|next| {
        next.is_sign(',') || next.is_sign('/') || next.is("and") || next.is("or")
    });
    if adjective && listed {
        return None;
    }
    if noun.count == Count::Measure {
        return Some(measured(tokens, at, head, noun));
    }
    let mut kind = noun.kind.to_owned();
    let specific = (head > at).then(|| &tokens[head - 1]).filter(|before| {
        lexicon().lists("specific", &before.lower) && lexicon().lists("vague", word)
    });
    if let Some(before) = specific {
        let third = (head > at + 1).then(|| tokens[head - 2].lower.as_str());
        kind = match (third, before.lower.as_str()) {
            (Some(third), "care") if lexicon().lists("specific", third) => {
                format!("{third} care {kind}")
            }
            (_, before) => format!("{before} {kind}"),
        };
    }
    let unit = word.clone();
    let counted = Counted { head, end: head + 1, count: noun.count, unit, kind, object: None };
    Some(with_others(tokens, counted))
}

/// Adds what is counted together with the head: `1,200 men, women and children`.
fn with_others(tokens: &[Token<'_>], counted: Counted) -> Counted {
    let lexicon = lexicon();
    let mut last = None;
    let mut position = counted.head + 1;
    let mut closed = false;
    while !closed && position < tokens.len().min(counted.head + PHRASE_MAX) {
        let mut next = position;
        if tokens[next].is_sign(',') {
            next += 1;
        }
        if tokens.get(next).is_some_and(|token| {
            token.is("and") || token.is("or") || token.is_sign('&') || token.is_sign('/')
        }) {
            closed = true;
            next += 1;
        }
        if next == position {
            break;
        }
        // At most one word may stand before the noun: `and family members`.
        let before = tokens.get(next).is_some_and(|token| {
            lexicon.is_singular(&token.lower)
                || lexicon.lists("specific", &token.lower)
                || token.is("other")
        });
        next += usize::from(before && lexicon.plural(&tokens[next].lower).is_none());
        let noun = tokens.get(next).and_then(|token| lexicon.plural(&token.lower));
        let alike = match noun {
            Some(noun) => noun.count == counted.count,
            None => tokens.get(next).is_some_and(|token| {
                looks_plural(&token.lower) && lexicon.verb(&token.lower).is_none()
            }),
        };
        // What gives or does something begins a clause of its own.
        let acts = tokens.get(next + 1).and_then(|token| lexicon.verb(&token.lower));
        if !alike || acts.is_some_and(|verb| verb.past && verb.does && verb.lemma != "serve") {
            closed = false;
            break;
        }
        last = Some(next);
        position = next + 1;
    }
    match last.filter(|_| closed) {
        Some(last) => {
            let words =
                tokens[counted.head..=last].iter().fold(String::new(), |mut text, token| {
                    if !text.is_empty() && !token.is_sign(',') {
                        text.push(' ');
                    }
                    text.push_str(&token.lower);
                    text
                });
            let people = counted.count == Count::Person;
            let kind = if people { "people".to_owned() } else { words.clone() };
            Counted { end: last + 1, unit: words, kind, ..counted }
        }
        None => counted,
    }
}

/// A noun that is in no table but is one for people by its ending: `archers`, `cyclists`.
fn open_noun(tokens: &[Token<'_>], at: usize) -> Option<Noun> {
    let word = tokens[at].lower.as_str();
    let person = ["ers", "ors", "ists", "ians"].iter().any(|ending| word.ends_with(ending));
    let open = person
        && word.len() > 5
        && word.bytes().all(|byte| byte.is_ascii_lowercase())
        && !lexicon().lists("inanimate", word);
    // Its kind is the word itself; the head's text stands in for it.
    open.then_some(Noun { count: Count::Person, singular: "", kind: "", invariant: false })
}

/// Token and noun of the head of the phrase that begins at a token.
fn head(tokens: &[Token<'_>], at: usize) -> Option<(usize, Noun)> {
    let lexicon = lexicon();
    let mut found: Option<(usize, Noun)> = None;
    let mut unknown = 0;
    let mut position = at;
    while position < tokens.len().min(at + PHRASE_MAX) {
        let token = &tokens[position];
        match token.kind {
            Kind::Sign('"' | '“' | '”' | '$') | Kind::Money if found.is_none() => {
                position += 1;
                continue;
            }
            // `632 "911" calls`
            Kind::Number(_) if found.is_none() && quoted(tokens, position) => {
                position += 1;
                continue;
            }
            Kind::Sign(',')
                if found.is_none() && position > at && adjective_follows(tokens, position) =>
            {
                position += 1;
                continue;
            }
            Kind::Word | Kind::Sign('&') if found.is_none() && pairs(tokens, at, position) => {
                position += 1;
                continue;
            }
            Kind::Word => {}
            _ => break,
        }
        if let Some(noun) = days(tokens, at, position).filter(|_| found.is_none()) {
            found = Some((position, noun));
            break;
        }
        if let Some(noun) = lexicon.plural(&token.lower) {
            let fits = found.is_none_or(|(_, head): (usize, Noun)| follows(head, noun));
            if noun.count == Count::Never || !fits {
                break;
            }
            found = Some((position, noun));
        } else if let Some((_, noun)) = found {
            if !goes_on(tokens, position, noun) {
                break;
            }
        } else if !modifies(tokens, at, position) {
            break;
        } else if looks_plural(&token.lower) && !noun_follows(tokens, position) {
            found = open_noun(tokens, position).map(|noun| (position, noun));
            break;
        } else {
            unknown += usize::from(!lexicon.is_singular(&token.lower));
            if unknown > UNKNOWN_MAX {
                break;
            }
        }
        position += 1;
    }
    found
}

/// Whether a token stands in quotation marks by itself: it is a name.
pub(super) fn quoted(tokens: &[Token<'_>], at: usize) -> bool {
    let mark =
        |token: &Token<'_>| matches!(token.kind, Kind::Sign('"' | '“' | '”' | '‘' | '’' | '\''));
    at.checked_sub(1).is_some_and(|before| mark(&tokens[before]))
        && tokens.get(at + 1).is_some_and(mark)
}

/// Whether a comma between adjectives stands at a token: an adjective follows and then a noun.
fn adjective_follows(tokens: &[Token<'_>], comma: usize) -> bool {
    let Some(next) = tokens.get(comma + 1) else { return false };
    next.kind == Kind::Word
        && (next.lower.contains('-') || next.lower.ends_with("ed") || next.lower.ends_with("al"))
        && noun_follows(tokens, comma + 1)
}

fn noun_follows(tokens: &[Token<'_>], position: usize) -> bool {
    tokens.get(position + 1).is_some_and(|next| {
        lexicon().plural(&next.lower).is_some_and(|noun| noun.count != Count::Never)
    })
}

/// Whether an `and` joins two modifiers of a noun: `information and referral calls`.
fn pairs(tokens: &[Token<'_>], at: usize, position: usize) -> bool {
    let lexicon = lexicon();
    let joint = tokens[position].is("and") || tokens[position].is_sign('&');
    let plain = |token: &Token<'_>| {
        token.kind == Kind::Word
            && !lexicon.lists("ends", &token.lower)
            && lexicon.plural(&token.lower).is_none()
            && lexicon.verb(&token.lower).is_none_or(|verb| verb.present || verb.going)
    };
    joint
        && position > at
        && tokens.get(position + 1).is_some_and(plain)
        && noun_follows(tokens, position + 1)
}

/// Days of service: `patient days`, `days of care`.
fn days(tokens: &[Token<'_>], at: usize, position: usize) -> Option<Noun> {
    if !tokens[position].is("days") {
        return None;
    }
    let object =
        tokens.get(position + 1).filter(|next| next.is("of")).and(tokens.get(position + 2));
    if object.is_some_and(|object| lexicon().lists("day_objects", &object.lower)) {
        let count = Count::Measure;
        return Some(Noun { count, singular: "day", kind: "days", invariant: false });
    }
    let served = position > at && lexicon().lists("day_units", &tokens[position - 1].lower);
    served.then_some(Noun { count: Count::Thing, singular: "day", kind: "days", invariant: false })
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
fn goes_on(tokens: &[Token<'_>], position: usize, noun: Noun) -> bool {
    let lexicon = lexicon();
    let plain = |at: usize| {
        tokens.get(at).is_some_and(|token| {
            token.kind == Kind::Word
                && !lexicon.lists("ends", &token.lower)
                && lexicon.verb(&token.lower).is_none_or(|verb| verb.present && !verb.past)
        })
    };
    let word = tokens[position].lower.as_str();
    let next = tokens.get(position + 1).and_then(|next| lexicon.plural(&next.lower));
    if next.is_some_and(|next| !follows(noun, next)) {
        return false;
    }
    let joins = noun.invariant || lexicon.is_singular(word) || lexicon.lists("specific", word);
    joins
        && plain(position)
        && (noun_follows(tokens, position)
            || (noun.invariant && plain(position + 1) && noun_follows(tokens, position + 1)))
}

/// Whether a word may stand between a number and its noun.
fn modifies(tokens: &[Token<'_>], at: usize, position: usize) -> bool {
    let lexicon = lexicon();
    let word = tokens[position].lower.as_str();
    if lexicon.lists("ends", word) || word.chars().count() < 2 {
        return false;
    }
    // `5 day camps`: the number belongs to the word behind it alone.
    if position == at && lexicon.lists("spans", word) {
        return false;
    }
    let Some(verb) = lexicon.verb(word) else { return true };
    if verb.past {
        let before = tokens[position - 1].lower.as_str();
        return position == at || before.ends_with("ly") || before.contains('-');
    }
    // A base form is a noun where another follows it: `support groups`.
    verb.going
        || ((lexicon.is_singular(word) || word == verb.lemma) && noun_follows(tokens, position))
}

fn looks_plural(word: &str) -> bool {
    word.len() > 3
        && word.ends_with('s')
        && !["ss", "us", "is", "'s"].iter().any(|ending| word.ends_with(ending))
}

/// A measure: what it is of names the kind.
fn measured(tokens: &[Token<'_>], at: usize, head: usize, noun: Noun) -> Counted {
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
        let count = noun.count;
        return Counted { head, end, count, unit, kind, object: Some(name) };
    }
    let before = (head > at).then(|| tokens[head - 1].lower.as_str());
    let named = before.filter(|word| {
        lexicon().lists("specific", word) || lexicon().is_singular(word) || *word == "training"
    });
    let kind = match named {
        Some(word) => format!("{word} {unit}"),
        None => unit.clone(),
    };
    Counted { head, end: head + 1, count: noun.count, unit, kind, object: None }
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
    let stops = |token: &Token<'_>| {
        token.kind != Kind::Word
            || lexicon.lists("ends", &token.lower)
            || lexicon.verb(&token.lower).is_some_and(|verb| verb.past && verb.does)
    };
    let length = tokens[from.min(tokens.len())..]
        .iter()
        .take(OBJECT_MAX)
        .enumerate()
        .take_while(|(at, token)| {
            *at == 0 && token.kind == Kind::Word && !lexicon.lists("ends", &token.lower)
                || !stops(token)
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
