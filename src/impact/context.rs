//! The context of a number: the verb that makes it an accomplishment, and whatever rules it out.

use super::lexicon::{Verb, lexicon};
use super::number::Quantity;
use super::token::{Token, TokenKind};

/// Tokens before a number that are looked at.
const BEFORE_MAX: usize = 16;

/// Tokens behind what is counted that are looked at.
const AFTER_MAX: usize = 10;

/// Tokens that a word of possibility reaches over from a verb that is not past.
const REACH: usize = 6;

/// What stands before a number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Before {
    /// Token at which the number begins with its `more than`, `a total of` and the like.
    pub(super) start: usize,
    /// The nearest verb in the clause.
    pub(super) verb: Option<(usize, Verb)>,
    /// Whether it is only possible, planned or asked for.
    pub(super) hypothetical: bool,
    /// Whether the number cannot be one of an accomplishment.
    pub(super) refused: bool,
}

/// What stands behind what is counted.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct After {
    /// What was done to those counted, or what they did.
    pub(super) verb: Option<usize>,
    /// Whether it cannot be one of an accomplishment.
    pub(super) refused: bool,
}

/// Reads what stands before a number.
pub(super) fn before(tokens: &[Token<'_>], quantity: &Quantity) -> Before {
    let (start, bounded) = with_approximation(tokens, quantity.first);
    let mut verb = None;
    let mut hypothetical = false;
    let mut negated = false;
    let mut reach = BEFORE_MAX;
    let from = start.saturating_sub(BEFORE_MAX + REACH);
    for (distance, at) in (from..start).rev().enumerate() {
        let token = &tokens[at];
        if token.parts_clauses() || distance >= reach {
            break;
        }
        let wished = lexicon().lists("wishes", &token.lower) && tokens[at + 1].is("to");
        // `funds are to be used`
        let destined = token.is("be")
            && at >= 2
            && tokens[at - 1].is("to")
            && matches!(tokens[at - 2].lower.as_str(), "are" | "is");
        hypothetical |= destined || wished || lexicon().lists("hypothetical", &token.lower);
        let open = verb.is_none_or(|(_, verb): (usize, Verb)| verb.noun);
        let form = lexicon()
            .verb(&token.lower)
            .filter(|form| open && distance < BEFORE_MAX && !is_name(tokens, at, *form));
        if let Some(mut form) = form {
            form.noun = stands_as_noun(tokens, at, start, form);
            if !form.noun || verb.is_none() {
                verb = Some((at, form));
                reach = if form.noun {
                    BEFORE_MAX
                } else {
                    distance + if form.past { 4 } else { REACH }
                };
            }
        }
        let near = verb.is_some_and(|(verb, _)| verb - at <= 3);
        negated |= near && lexicon().lists("negations", &token.lower);
    }
    let foreign = verb.is_some_and(|(at, verb)| of_others(tokens, at, start, verb));
    let refused = bounded || negated || foreign || refused_before(tokens, quantity, start);
    Before { start, verb, hypothetical, refused }
}

/// Whether a base form is a part of a name: `United States`, `Head Start`.
fn is_name(tokens: &[Token<'_>], at: usize, verb: Verb) -> bool {
    let capital = |token: &Token<'_>| {
        let mut letters = token.text.chars();
        letters.next().is_some_and(char::is_uppercase) && letters.any(char::is_lowercase)
    };
    if tokens[at].is("united") && tokens.get(at + 1).is_some_and(capital) {
        return true;
    }
    let Some(before) = at.checked_sub(1).map(|before| &tokens[before]) else { return false };
    let base = verb.present && !verb.past && !verb.going;
    before.is("united") || (base && capital(&tokens[at]) && capital(before))
}

/// Tokens before a verb among which whoever does it stands.
const SUBJECT_REACH: usize = 3;

/// Whether others do what a verb tells, or it is only brought about from afar: `these grantees
/// provided`, `a suit brought by four parents`, `the rule affects 4,000 schools`.
fn of_others(tokens: &[Token<'_>], at: usize, start: usize, verb: Verb) -> bool {
    let lexicon = lexicon();
    let from = at.saturating_sub(SUBJECT_REACH);
    let subject = &tokens[from..at];
    let acting = at.checked_sub(1).is_some_and(|before| {
        let adverb = tokens[before].lower.ends_with("ly");
        let noun = before.checked_sub(usize::from(adverb)).map_or(before, |noun| noun);
        lexicon.lists("others", &tokens[noun].lower)
    });
    let others = acting
        && !verb.going
        && subject.iter().all(|token| !token.is("and") && !token.is("to") && !token.is("with"));
    // `that each drew 80 people`
    let apiece = at.checked_sub(1).is_some_and(|before| tokens[before].is("each"));
    let agents = start.checked_sub(1).is_some_and(|last| tokens[last].is("by"))
        && lexicon.lists("brings", verb.lemma);
    let present = verb.present && !verb.past;
    others || agents || apiece || (present && matches!(verb.lemma, "affect" | "impact"))
}

/// Whether a form that may be a noun is one where it stands: not right before the number, and
/// before a word that no object begins with.
fn stands_as_noun(tokens: &[Token<'_>], at: usize, start: usize, verb: Verb) -> bool {
    let lexicon = lexicon();
    let word = &tokens[at].lower;
    if verb.past && !verb.present {
        return false;
    }
    let before = at.checked_sub(1).map_or("", |before| tokens[before].lower.as_str());
    if at + 1 == start {
        return !verb.going
            && matches!(before, "of" | "among" | "with" | "the" | "a" | "an" | "by");
    }
    // `registration, pledge platform`: items of a list.
    let noun_next = lexicon.verb(&tokens[at + 1].lower).is_none()
        && !lexicon.lists("ends", &tokens[at + 1].lower)
        && !lexicon.lists("approximate", &tokens[at + 1].lower);
    if before == "," && verb.present && !verb.past && word == verb.lemma && noun_next {
        return true;
    }
    if matches!(before, "to" | "we" | "they" | "who" | "and" | "which" | "that") && !verb.going {
        return before == "and" && lexicon.plural(word).is_some();
    }
    if at.checked_sub(1).is_some_and(|before| matches!(tokens[before].kind, TokenKind::Number(_))) {
        return true;
    }
    let next = &tokens[at + 1].lower;
    let noun = lexicon.plural(word).is_some()
        || lexicon.is_singular(word)
        || verb.going
        || word == verb.lemma;
    let ends = lexicon.lists("behind_nouns", next);
    noun && (ends || (lexicon.plural(next).is_some() && verb.going == before.is_empty()))
}

/// Where a number begins with the words that tell how exact it is, and whether they make it a
/// bound.
fn with_approximation(tokens: &[Token<'_>], first: usize) -> (usize, bool) {
    let word = |back: usize, start: usize| {
        start.checked_sub(back).map_or("", |at| tokens[at].lower.as_str())
    };
    let mut start = first;
    let mut bounded = false;
    loop {
        let (last, second) = (word(1, start), word(2, start));
        let taken = match (second, last) {
            ("more" | "greater" | "higher" | "better", "than") => 2,
            ("less" | "fewer" | "lower", "than") | ("up" | "limited", "to") | ("many", "as") => {
                bounded = true;
                break;
            }
            ("close" | "near", "to") => 2,
            ("at", "least") => 2,
            ("excess", "of") if word(3, start) == "in" => 3,
            ("total" | "average" | "excess" | "upwards" | "estimate", "of") => 2,
            ("total" | "average", "was" | "is" | "were") => 0,
            (_, "a" | "an") if start < first => 1,
            ("in", "the") => 0,
            (_, last) if lexicon().lists("approximate", last) => 1,
            _ => 0,
        };
        if taken == 0 {
            return (start, bounded);
        }
        start -= taken;
    }
    (start, bounded)
}

/// Whether the words right before a number make it a name, a bound, a share or a rank.
fn refused_before(tokens: &[Token<'_>], quantity: &Quantity, start: usize) -> bool {
    let lexicon = lexicon();
    let before = |back: usize| start.checked_sub(back).map(|at| &tokens[at]);
    let numeric = |token: Option<&Token<'_>>| {
        token.is_some_and(|token| {
            matches!(token.kind, TokenKind::Number(_) | TokenKind::Range(..))
                || lexicon.lists("cardinals", &token.lower)
                || token.lower.ends_with('%')
        })
    };
    let Some(last) = before(1) else { return false };
    let second = before(2).map_or("", |token| token.lower.as_str());
    if lexicon.lists("names", &last.lower) && start == quantity.first {
        return true;
    }
    match last.lower.as_str() {
        // `a network of 40 pantries` is as large as what the organization built.
        "of" => {
            (lexicon.lists("groups", second) && !large_group(tokens, quantity, start))
                || matches!(second, "out" | "each" | "any" | "all")
                || numeric(before(2))
        }
        "than" => true,
        "the" | "all" | "these" | "those" | "both" => {
            let governed = before(2).and_then(|token| lexicon.verb(&token.lower));
            !governed.is_some_and(|verb| verb.does) || lexicon.lists("groups", second)
        }
        "a" | "an" | "another" if start == quantity.first => true,
        "in" | "to" | "or" | "and" if numeric(before(2)) => {
            let third = before(3).map_or("", |token| token.lower.as_str());
            // `236 and 161 people`; but `in 2022 and 40 students`.
            last.lower != "and" || third == "between" || !may_be_year(&tokens[start - 2])
        }
        "from" if grows(second) || before(3).is_some_and(|token| grows(&token.lower)) => true,
        "by" => matches!(
            second,
            "increased" | "decreased" | "grew" | "grown" | "reduced" | "up" | "down" | "increase"
        ),
        "from" => {
            quantity.spanlike
                || tokens[quantity.first].kind != TokenKind::Word
                    && tokens.get(quantity.first + 1).is_some_and(|next| next.is("to"))
        }
        "x" | "×" | "/" | "+" | "=" | "%" => true,
        word => lexicon.lists("bounds", word) || (numeric(Some(last)) && !may_be_year(last)),
    }
}

/// Members from which a group is no class or team.
const LARGE_GROUP_MIN: f64 = 50.0;

/// Whether `a group of` before a number means many: `a group of more than 80 food pantries`.
fn large_group(tokens: &[Token<'_>], quantity: &Quantity, start: usize) -> bool {
    let word = |back: usize| start.checked_sub(back).map_or("", |at| tokens[at].lower.as_str());
    let group = word(2) == "group" && word(3) == "a";
    group && start < quantity.first && quantity.value >= LARGE_GROUP_MIN
}

fn may_be_year(token: &Token<'_>) -> bool {
    token.text.len() == 4 && (token.text.starts_with("20") || token.text.starts_with("19"))
}

fn grows(word: &str) -> bool {
    [
        "grow", "grew", "increas", "decreas", "rose", "risen", "expand", "went", "gone", "up",
        "declin", "drop",
    ]
    .iter()
    .any(|start| word.starts_with(start))
}

/// Reads what stands behind what is counted, which ends before a token.
pub(super) fn after(tokens: &[Token<'_>], end: usize) -> After {
    let lexicon = lexicon();
    if refused_behind(tokens, end) {
        return After { verb: None, refused: true };
    }
    let mut verb = None;
    let mut aside = false;
    for (distance, token) in tokens[end..].iter().take(AFTER_MAX).enumerate() {
        if token.parts_clauses() || token.is_punctuation(':') {
            break;
        }
        if lexicon.lists("modals", &token.lower) {
            return After { verb: None, refused: verb.is_none() && !aside };
        }
        aside |= token.is_punctuation(',');
        let told = |ahead: usize| tokens.get(end + distance + ahead).map(|next| &next.lower);
        let helps = matches!(token.lower.as_str(), "have" | "has" | "had")
            && told(1).is_some_and(|next| {
                next == "been"
                    || next.ends_with("ly")
                    || lexicon.verb(next).is_some_and(|verb| verb.past)
            });
        if helps {
            continue;
        }
        // `on any given night`
        let given = token.is("given")
            && (end + distance).checked_sub(1).is_some_and(|at| tokens[at].is("any"));
        let Some(form) = lexicon.verb(&token.lower).filter(|_| !given) else { continue };
        if form.past || (form.present && distance < 2 && form.lemma == token.lower) {
            verb = verb.or(Some(end + distance));
        }
    }
    After { verb, refused: false }
}

/// Whether the words after the counted noun show an age, a rate of something else, a capacity,
/// or people who were not served.
fn refused_behind(tokens: &[Token<'_>], end: usize) -> bool {
    let lexicon = lexicon();
    let word = |ahead: usize| tokens.get(end + ahead).map_or("", |token| token.lower.as_str());
    let rate = matches!(word(0), "per" | "each" | "every")
        || (matches!(word(0), "a" | "an") && !lexicon.lists("ends", word(1)));
    // `seniors 60 and over`, but not `300 students and over 20 teachers`.
    let older =
        matches!(
            (word(0), word(1)),
            (
                "and" | "or",
                "older"
                    | "over"
                    | "under"
                    | "up"
                    | "above"
                    | "younger"
                    | "below"
                    | "less"
                    | "fewer"
                    | "more"
            )
        ) && tokens.get(end + 2).is_none_or(|next| !matches!(next.kind, TokenKind::Number(_)));
    // `on the waitlist`, `interns present in each class`
    let clause = || tokens[end..].iter().take(AFTER_MAX).take_while(|next| !next.parts_clauses());
    let waits = clause().any(|token| lexicon.lists("waits", &token.lower));
    let each = tokens[end..].windows(2).take(3).any(|pair| pair[0].is("in") && pair[1].is("each"));
    let slashed = tokens.get(end).is_some_and(|next| next.is_punctuation('/'));
    slashed
        || waits
        || each
        || older
        || (rate && !word(1).is_empty() && !lexicon.lists("periods", word(1)))
        || matches!(
            (word(0), word(1)),
            ("at", "a" | "once")
                | ("in", "each")
                | ("of", "age" | "experience")
                | ("old", _)
                | ("maximum" | "minimum" | "max" | "capacity", _)
        )
}

/// Tokens over which a list of labels with amounts is looked for.
const LABELS_REACH: usize = 80;

/// Whether what is counted stands among labels that have their numbers behind them: `Concerts -
/// 2,001 Outreach programs - 34,403 Touring - 843`. Such a list ends with a number.
pub(super) fn labels(tokens: &[Token<'_>], start: usize, end: usize) -> bool {
    let dash = |at: Option<usize>| {
        at.and_then(|at| tokens.get(at))
            .is_some_and(|token| token.is_punctuation('-') || token.is_punctuation('–'))
    };
    if !dash(start.checked_sub(1)) || !dash(Some(end)) {
        return false;
    }
    let clause = &tokens[end..tokens.len().min(end + LABELS_REACH)];
    clause.windows(2).enumerate().any(|(at, pair)| {
        let dashed = pair[0].is_punctuation('-') || pair[0].is_punctuation('–');
        let ends = tokens
            .get(end + at + 2)
            .is_none_or(|next| next.is_punctuation('.') || next.is_punctuation(';'));
        dashed && ends && matches!(pair[1].kind, TokenKind::Number(_) | TokenKind::Money)
    })
}

/// Whether a number stands in a run of labels and amounts: `claims 2,037 donations 250 janitorial`.
pub(super) fn tabled(tokens: &[Token<'_>], start: usize) -> bool {
    const LABEL_MAX: usize = 6;
    let before = tokens[..start].iter().rev().take(LABEL_MAX);
    let mut label = before.enumerate().skip_while(|(_, token)| {
        token.kind == TokenKind::Word
            && !lexicon().lists("ends", &token.lower)
            && lexicon().verb(&token.lower).is_none()
    });
    label.next().is_some_and(|(words, token)| {
        words > 0 && matches!(token.kind, TokenKind::Number(_)) && !may_be_year(token)
    })
}

/// Whether a list has one of the words around a span, within a clause.
pub(super) fn near(tokens: &[Token<'_>], list: &str, from: usize, to: usize, reach: usize) -> bool {
    let listed = |token: &Token<'_>| lexicon().lists(list, &token.lower);
    let clause = |token: &&Token<'_>| !token.parts_clauses();
    let back = tokens[..from].iter().rev().take(reach).take_while(clause).any(listed);
    back || tokens[to..].iter().take(reach).take_while(clause).any(listed)
}
