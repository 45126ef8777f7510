//! What a number counts: the noun phrase behind it, its head, and the names of unit and kind.

use super::lexicon::{Count, Noun, lexicon, looks_plural};
use super::measure::{self, Measure};
use super::number;
use super::token::{Token, TokenKind};

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

/// Tokens of a number and its `more than`.
const OPENING_REACH: usize = 12;

/// Words before a noun that is counted together with the head.
const OTHERS_WORDS_MAX: usize = 3;

/// Words that may stand from the number to the head noun: more are another phrase.
const PHRASE_MAX: usize = 8;

/// Words of a phrase that are in no table.
const UNKNOWN_MAX: usize = 4;

/// What the number that ends before a token counts.
pub(super) fn counted(tokens: &[Token<'_>], at: usize) -> Option<CountedThing> {
    let (head, noun) = head(tokens, at)?;
    if owns(tokens, head) {
        return None;
    }
    let noun = measure::in_units(tokens, head).unwrap_or(noun);
    let word = &tokens[head].lower;
    // `elderly, disabled or fragile individuals`: the noun is further on.
    let adjective = matches!(word.as_str(), "elderly" | "homeless" | "disabled" | "needy");
    let listed = tokens.get(head + 1).is_some_and(|next| {
        next.is_punctuation(',') || next.is_punctuation('/') || next.is("and") || next.is("or")
    });
    if adjective && listed {
        return None;
    }
    if noun.count == Count::Measure {
        let Measure { unit, kind, object, end } = measure::measured(tokens, at, head, noun);
        return Some(CountedThing {
            head,
            end,
            count: noun.count,
            unit,
            kind,
            object,
            opens: false,
        });
    }
    let mut kind = noun.kind.to_owned();
    let specific = (head > at).then(|| &tokens[head - 1]).filter(|before| {
        (lexicon().lists("specific", &before.lower) && lexicon().lists("vague", word))
            || (lexicon().lists("ages", &before.lower) && lexicon().lists("aged", word))
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
    let from = at.saturating_sub(OPENING_REACH);
    let number = tokens[from..at].iter().rposition(|token| {
        token.kind == TokenKind::Word
            && !lexicon().lists("cardinals", &token.lower)
            && !lexicon().lists("approximate", &token.lower)
            || matches!(token.kind, TokenKind::Punctuation(_))
    });
    let opens = number.is_none_or(|before| {
        matches!(tokens[from + before].kind, TokenKind::Punctuation(',' | ';' | ':' | '-'))
    });
    let end = head + 1;
    let counted = CountedThing { head, end, count: noun.count, unit, kind, object: None, opens };
    Some(with_others(tokens, counted))
}

/// Adds what is counted together with the head: `1,200 men, women and children`.
fn with_others(tokens: &[Token<'_>], counted: CountedThing) -> CountedThing {
    let lexicon = lexicon();
    let mut last = None;
    let mut position = counted.head + 1;
    let mut closed = false;
    while !closed && position < tokens.len().min(counted.head + PHRASE_MAX) {
        let mut next = position;
        if tokens[next].is_punctuation(',') {
            next += 1;
        }
        if tokens.get(next).is_some_and(|token| {
            token.is("and")
                || token.is("or")
                || token.is_punctuation('&')
                || token.is_punctuation('/')
        }) {
            closed = true;
            next += 1;
        }
        if next == position {
            break;
        }
        next += before_other(tokens, next);
        let alike = counts_alike(tokens, next, counted.count);
        // What gives or does something begins a clause of its own; `events held in schools` does
        // not, nor does what shares its verb with a phrase that begins the clause.
        let acts = tokens.get(next + 1).and_then(|token| lexicon.verb(&token.lower));
        let passive = tokens.get(next + 2).is_some_and(|token| {
            matches!(
                token.lower.as_str(),
                "on" | "in" | "at" | "by" | "from" | "for" | "across" | "to" | "through"
            )
        });
        let clause = acts.is_some_and(|verb| verb.past && verb.does && verb.lemma != "serve");
        let again = tokens.get(next).is_some_and(|token| token.lower == counted.unit);
        if !alike || (again && last.is_none()) || (clause && !passive && !counted.opens) {
            closed = false;
            break;
        }
        last = Some(next);
        position = next + 1;
    }
    let Some(last) = last.filter(|_| closed) else { return counted };
    let words = tokens[counted.head..=last].iter().fold(String::new(), |mut text, token| {
        if !text.is_empty() && !token.is_punctuation(',') {
            text.push(' ');
        }
        text.push_str(&token.lower);
        text
    });
    let people = counted.count == Count::Person;
    let kind = if people { "people".to_owned() } else { words.clone() };
    CountedThing { end: last + 1, unit: words, kind, ..counted }
}

/// How many words stand before a noun that is counted together with another: `and family members`,
/// `and other services`, `soup kitchens`.
fn before_other(tokens: &[Token<'_>], from: usize) -> usize {
    let lexicon = lexicon();
    let known = tokens[from.min(tokens.len())..]
        .iter()
        .take(OTHERS_WORDS_MAX)
        .take_while(|token| {
            let letters = token.text.len() > 1 && token.lower.to_uppercase() == token.text;
            let participle = token.lower.ends_with("ed")
                && lexicon.verb(&token.lower).is_none_or(|verb| !verb.does);
            token.kind == TokenKind::Word
                && lexicon.plural(&token.lower).is_none()
                && (lexicon.is_singular(&token.lower)
                    || lexicon.lists("specific", &token.lower)
                    || letters
                    || participle
                    || token.is("other"))
        })
        .count();
    let next = from + known;
    let unknown = tokens.get(next).is_some_and(|token| {
        token.kind == TokenKind::Word
            && lexicon.plural(&token.lower).is_none()
            && lexicon.verb(&token.lower).is_none()
            && !lexicon.lists("ends", &token.lower)
            && number::quantity(tokens, next).is_none()
            && !looks_plural(&token.lower)
    });
    known + usize::from(unknown && noun_follows(tokens, next))
}

/// Whether a token is a noun that can be counted together with one of a kind.
fn counts_alike(tokens: &[Token<'_>], at: usize, count: Count) -> bool {
    let Some(token) = tokens.get(at) else { return false };
    let thing = |count: Count| matches!(count, Count::Thing | Count::Weak);
    match lexicon().plural(&token.lower) {
        Some(noun) => noun.count == count || (thing(noun.count) && thing(count)),
        None => looks_plural(&token.lower) && lexicon().verb(&token.lower).is_none(),
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
        // `203 clients' cases`: what is owned is counted.
        if found.is_some_and(|(head, _)| head + 1 == position && owns(tokens, head)) {
            found = None;
            position += 1;
            continue;
        }
        if found.is_none() && passes(tokens, at, position) {
            position += 1;
            continue;
        }
        if token.kind != TokenKind::Word {
            break;
        }
        if let Some(noun) = days(tokens, at, position).filter(|_| found.is_none()) {
            found = Some((position, noun));
            break;
        }
        if let Some(noun) = lexicon.plural(&token.lower) {
            if found.is_some_and(|(at, head)| runs_on(&tokens[at], head, noun)) {
                return None;
            }
            let fits = found.is_none_or(|(_, head): (usize, Noun)| follows(head, noun));
            if noun.count == Count::Never || !fits {
                break;
            }
            found = Some((position, noun));
        } else if let Some((_, noun)) = found {
            // `117 youth archers`
            if let Some(open) = open_noun(tokens, position).filter(|_| noun.invariant) {
                found = Some((position, open));
                break;
            }
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

/// Whether a token before the head is no word of its phrase, and does not end it either: a mark, a
/// quoted number (`632 "911" calls`), a comma or an `and` between adjectives.
fn passes(tokens: &[Token<'_>], at: usize, position: usize) -> bool {
    match tokens[position].kind {
        TokenKind::Punctuation('"' | '“' | '”' | '$') | TokenKind::Money => true,
        TokenKind::Number(_) => quoted(tokens, position),
        TokenKind::Punctuation(',') => position > at && adjective_follows(tokens, position),
        TokenKind::Word | TokenKind::Punctuation('&') => pairs(tokens, at, position),
        _ => false,
    }
}

/// Whether two phrases have run into one: `networks students, parents`.
fn runs_on(first: &Token<'_>, head: Noun, next: Noun) -> bool {
    let thing = matches!(head.count, Count::Thing | Count::Weak);
    let people = next.count == Count::Person && !next.invariant;
    thing && !head.invariant && people && !lexicon().lists("plural_modifiers", &first.lower)
}

/// Whether a token stands in quotation marks by itself: it is a name.
pub(super) fn quoted(tokens: &[Token<'_>], at: usize) -> bool {
    let mark = |token: &Token<'_>| {
        matches!(token.kind, TokenKind::Punctuation('"' | '“' | '”' | '‘' | '’' | '\''))
    };
    at.checked_sub(1).is_some_and(|before| mark(&tokens[before]))
        && tokens.get(at + 1).is_some_and(mark)
}

/// Whether a comma between adjectives stands at a token: an adjective follows and then a noun.
fn adjective_follows(tokens: &[Token<'_>], comma: usize) -> bool {
    let Some(next) = tokens.get(comma + 1) else { return false };
    next.kind == TokenKind::Word
        && (next.lower.contains('-') || next.lower.ends_with("ed") || next.lower.ends_with("al"))
        && noun_follows(tokens, comma + 1)
}

fn noun_follows(tokens: &[Token<'_>], position: usize) -> bool {
    let quote = tokens
        .get(position + 1)
        .is_some_and(|next| matches!(next.kind, TokenKind::Punctuation('"' | '”')));
    tokens.get(position + 1 + usize::from(quote)).is_some_and(|next| {
        lexicon().plural(&next.lower).is_some_and(|noun| noun.count != Count::Never)
    })
}

/// Whether an `and` joins two modifiers of a noun: `information and referral calls`.
fn pairs(tokens: &[Token<'_>], at: usize, position: usize) -> bool {
    let lexicon = lexicon();
    let joint = tokens[position].is("and")
        || tokens[position].is("or")
        || tokens[position].is_punctuation('&');
    // `individualized and in-depth follow-up sessions`
    let adjective = |token: &Token<'_>| {
        let word = token.lower.as_str();
        word.contains('-')
            || ["al", "ive", "ic", "ous", "ary", "ized"].iter().any(|ending| word.ends_with(ending))
    };
    if joint
        && position > at
        && adjective(&tokens[position - 1])
        && tokens.get(position + 1).is_some_and(adjective)
        && (position + 1..position + 4).any(|before| noun_follows(tokens, before))
    {
        return true;
    }
    let plain = |token: &Token<'_>| {
        token.kind == TokenKind::Word
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
            token.kind == TokenKind::Word
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
    // `9,300 older adults`
    let aged = lexicon.lists("ages", word)
        && tokens.get(position + 1).is_some_and(|next| lexicon.lists("aged", &next.lower));
    // `Jewish Day School students`
    let capital = |at: usize| {
        tokens.get(at).is_some_and(|token| {
            let mut letters = token.text.chars();
            letters.next().is_some_and(char::is_uppercase) && letters.any(char::is_lowercase)
        })
    };
    let name = position > at && (position - 1..position + 2).all(capital);
    if (lexicon.lists("ends", word) && !aged && !name) || word.chars().count() < 2 {
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

/// Whether a plural owns what follows: `clients' cases`.
fn owns(tokens: &[Token<'_>], head: usize) -> bool {
    tokens.get(head + 1).is_some_and(|next| {
        matches!(next.kind, TokenKind::Punctuation('\'' | '’')) && next.start == tokens[head].end
    }) && tokens.get(head + 2).is_some_and(|next| next.kind == TokenKind::Word)
}
