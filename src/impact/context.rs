//! The context of a number: the verb that makes it an accomplishment, and whatever rules it out.

use super::lexicon::{self, Verb};
use super::number::Quantity;
use super::token::{Token, TokenKind, Tokens};

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
pub(super) fn before(tokens: &Tokens<'_>, quantity: &Quantity) -> Before {
    let (start, bounded) = with_approximation(tokens, quantity.first);
    let mut verb: Option<(usize, Verb)> = None;
    let (mut hypothetical, mut negated) = (false, false);
    let mut reach = BEFORE_MAX;
    let from = start.saturating_sub(BEFORE_MAX + REACH);
    for (distance, at) in (from..start).rev().enumerate() {
        let token = &tokens[at];
        if token.parts_clauses() || distance >= reach {
            break;
        }
        hypothetical |= token.is_in("hypothetical")
            || tokens.phrase("hypothetical", at).is_some()
            || tokens.phrase_before("destined", at + 1).is_some();
        let open = verb.is_none_or(|(_, verb)| verb.noun);
        let form = token
            .word
            .verb
            .filter(|form| open && distance < BEFORE_MAX && !is_name(tokens, at, *form));
        if let Some(mut form) = form {
            form.noun = stands_as_noun(tokens, at, start, form);
            if !form.noun || verb.is_none() {
                verb = Some((at, form));
                reach = match form {
                    Verb { noun: true, .. } => BEFORE_MAX,
                    Verb { past: true, .. } => distance + 4,
                    _ => distance + REACH,
                };
            }
        }
        let near = verb.is_some_and(|(verb, _)| verb - at <= 3);
        negated |= near && token.is_in("negations");
    }
    let foreign = verb.is_some_and(|(at, verb)| of_others(tokens, at, start, verb));
    let refused = bounded || negated || foreign || refused_before(tokens, quantity, start);
    Before { start, verb, hypothetical, refused }
}

/// Whether a base form is a part of a name: `United States`, `Head Start`.
fn is_name(tokens: &Tokens<'_>, at: usize, verb: Verb) -> bool {
    let (before, token) = (tokens.before(at, 1), &tokens[at]);
    let base = verb.present && !verb.past && !verb.going;
    before.is("united")
        || (token.is("united") && tokens.at(at + 1).is_capitalised())
        || (base && token.is_capitalised() && before.is_capitalised())
}

/// Tokens before a verb among which whoever does it stands.
const SUBJECT_REACH: usize = 3;

/// Whether others do what a verb tells, or it is only brought about from afar: `these grantees
/// provided`, `a suit brought by four parents`, `the rule affects 4,000 schools`, `that each drew`.
fn of_others(tokens: &Tokens<'_>, at: usize, start: usize, verb: Verb) -> bool {
    let before = tokens.before(at, 1);
    let adverb = usize::from(before.lower.ends_with("ly"));
    let subject = &tokens[at.saturating_sub(SUBJECT_REACH)..at];
    let others = tokens.before(at, 1 + adverb).is_in("others")
        && !verb.going
        && !subject.iter().any(|token| token.is_in("subject_ends"));
    let agents = tokens.before(start, 1).is("by") && lexicon::lists("brings", verb.lemma);
    let present = verb.present && !verb.past;
    let afar = present && lexicon::lists("affecting", verb.lemma);
    others || agents || afar || before.is("each")
}

/// Whether a form that may be a noun is one where it stands: not right before the number, and
/// before a word that no object begins with.
fn stands_as_noun(tokens: &Tokens<'_>, at: usize, start: usize, verb: Verb) -> bool {
    let (before, token, next) = (tokens.before(at, 1), &tokens[at], tokens.at(at + 1));
    if verb.past && !verb.present {
        return false;
    }
    if at + 1 == start {
        return !verb.going && before.is_in("before_nouns");
    }
    // `registration, pledge platform`: items of a list.
    let base = token.lower == verb.lemma;
    let noun_next = next.word.verb.is_none() && !next.is_in("ends") && !next.is_in("approximate");
    if before.is_punctuation(',') && verb.present && !verb.past && base && noun_next {
        return true;
    }
    if before.is_in("before_verbs") && !verb.going {
        return before.is("and") && token.word.noun.is_some();
    }
    if matches!(before.kind, TokenKind::Number(_)) {
        return true;
    }
    let noun = token.word.noun.is_some() || token.word.is_singular || verb.going || base;
    let head_next = next.word.noun.is_some() && verb.going == (before.kind == TokenKind::End);
    noun && (next.is_in("behind_nouns") || head_next)
}

/// Where a number begins with the words that tell how exact it is, and whether they make it a
/// bound.
fn with_approximation(tokens: &Tokens<'_>, first: usize) -> (usize, bool) {
    let mut start = first;
    loop {
        if tokens.phrase_before("limits", start).is_some() {
            return (start, true);
        }
        match tokens.phrase_before("approximations", start) {
            Some(earlier) => start = earlier,
            None if start < first && tokens.before(start, 1).is_in("articles") => start -= 1,
            None => return (start, false),
        }
    }
}

/// Whether the words right before a number make it a name, a bound, a share or a rank.
fn refused_before(tokens: &Tokens<'_>, quantity: &Quantity, start: usize) -> bool {
    let [last, second, third] = [1, 2, 3].map(|back| tokens.before(start, back));
    let numeric = |token: &Token<'_>| {
        matches!(token.kind, TokenKind::Number(_) | TokenKind::Range(..))
            || token.is_in("cardinals")
            || token.lower.ends_with('%')
    };
    let exact = start == quantity.first;
    if exact && (last.is_in("names") || last.is_in("articles") || last.is("another")) {
        return true;
    }
    if last.is_in("definite") {
        return !second.word.verb.is_some_and(|verb| verb.does) || second.is_in("groups");
    }
    let grows = |token: &Token<'_>| {
        lexicon::list("growth").iter().any(|beginning| token.lower.starts_with(*beginning))
    };
    match last.lower.as_str() {
        // `a network of 40 pantries` is as large as what the organization built.
        "of" => {
            (second.is_in("groups") && !large_group(tokens, quantity, start))
                || second.is_in("shares")
                || numeric(second)
        }
        // `236 and 161 people`; but `in 2022 and 40 students`.
        "and" if numeric(second) => third.is("between") || !may_be_year(second),
        "in" | "to" | "or" if numeric(second) => true,
        "from" => {
            let next = tokens.at(quantity.first + 1);
            grows(second)
                || grows(third)
                || quantity.spanlike
                || tokens[quantity.first].kind != TokenKind::Word && next.is("to")
        }
        "by" => second.is_in("changes"),
        _ => last.is_in("bounds") || (numeric(last) && !may_be_year(last)),
    }
}

/// Members from which a group is no class or team.
const LARGE_GROUP_MIN: f64 = 50.0;

/// Whether `a group of` before a number means many: `a group of more than 80 food pantries`.
fn large_group(tokens: &Tokens<'_>, quantity: &Quantity, start: usize) -> bool {
    let group = tokens.phrase_before("large_group", start).is_some();
    group && start < quantity.first && quantity.value >= LARGE_GROUP_MIN
}

fn may_be_year(token: &Token<'_>) -> bool {
    token.text.len() == 4 && (token.text.starts_with("20") || token.text.starts_with("19"))
}

/// Reads what stands behind what is counted, which ends before a token.
pub(super) fn after(tokens: &Tokens<'_>, end: usize) -> After {
    if refused_behind(tokens, end) {
        return After { verb: None, refused: true };
    }
    let mut verb = None;
    let mut aside = false;
    for at in end..tokens.len().min(end + AFTER_MAX) {
        let (token, next) = (&tokens[at], tokens.at(at + 1));
        if token.parts_clauses() || token.is_punctuation(':') {
            break;
        }
        if token.is_in("modals") {
            return After { verb: None, refused: verb.is_none() && !aside };
        }
        aside |= token.is_punctuation(',');
        let participle = next.is("been")
            || next.lower.ends_with("ly")
            || next.word.verb.is_some_and(|verb| verb.past);
        // `on any given night`
        let given = token.is("given") && tokens.before(at, 1).is("any");
        if given || (token.is_in("has") && participle) {
            continue;
        }
        let Some(form) = token.word.verb else { continue };
        if form.past || (form.present && at < end + 2 && form.lemma == token.lower) {
            verb = verb.or(Some(at));
        }
    }
    After { verb, refused: false }
}

/// Whether the words after the counted noun show an age, a rate of something else, a capacity,
/// or people who were not served.
fn refused_behind(tokens: &Tokens<'_>, end: usize) -> bool {
    let (first, second) = (tokens.at(end), tokens.at(end + 1));
    let rate = first.is_in("rates") || (first.is_in("articles") && !second.is_in("ends"));
    // `seniors 60 and over`, but not `300 students and over 20 teachers`.
    let older = tokens.phrase("older", end).is_some()
        && !matches!(tokens.at(end + 2).kind, TokenKind::Number(_));
    // `on the waitlist`, `interns present in each class`
    let mut clause = tokens[end..].iter().take(AFTER_MAX).take_while(|next| !next.parts_clauses());
    first.is_punctuation('/')
        || older
        || (rate && second.kind != TokenKind::End && !second.is_in("periods"))
        || tokens.phrase("refused", end).is_some()
        || (end..end + 3).any(|at| tokens.phrase("apiece", at).is_some())
        || clause.any(|token| token.is_in("waits"))
}

/// Tokens over which a list of labels with amounts is looked for.
const LABELS_REACH: usize = 80;

/// Whether what is counted stands among labels that have their numbers behind them: `Concerts -
/// 2,001 Outreach programs - 34,403 Touring - 843`. Such a list ends with a number.
pub(super) fn labels(tokens: &Tokens<'_>, start: usize, end: usize) -> bool {
    let dash = |token: &Token<'_>| matches!(token.kind, TokenKind::Punctuation('-' | '–'));
    let stops = |token: &Token<'_>| {
        matches!(token.kind, TokenKind::End | TokenKind::Punctuation('.' | ';'))
    };
    let amount = |token: &Token<'_>| matches!(token.kind, TokenKind::Number(_) | TokenKind::Money);
    dash(tokens.before(start, 1))
        && dash(tokens.at(end))
        && (end + 1..tokens.len().min(end + LABELS_REACH))
            .any(|at| dash(&tokens[at - 1]) && amount(&tokens[at]) && stops(tokens.at(at + 1)))
}

/// Words of a label before a number of a table.
const LABEL_MAX: usize = 5;

/// Whether a number stands in a run of labels and amounts: `claims 2,037 donations 250 janitorial`.
pub(super) fn tabled(tokens: &Tokens<'_>, start: usize) -> bool {
    let is_label = |token: &&Token<'_>| {
        token.kind == TokenKind::Word && !token.is_in("ends") && token.word.verb.is_none()
    };
    let label = tokens[..start].iter().rev().take(LABEL_MAX + 1).take_while(is_label).count();
    let before = tokens.before(start, label + 1);
    (1..=LABEL_MAX).contains(&label)
        && matches!(before.kind, TokenKind::Number(_))
        && !may_be_year(before)
}

/// Whether a list has one of the words around a span, within a clause.
pub(super) fn near(
    tokens: &Tokens<'_>,
    list: &str,
    span: std::ops::Range<usize>,
    reach: usize,
) -> bool {
    let listed = |token: &Token<'_>| token.is_in(list);
    let clause = |token: &&Token<'_>| !token.parts_clauses();
    tokens[..span.start].iter().rev().take(reach).take_while(clause).any(listed)
        || tokens[span.end..].iter().take(reach).take_while(clause).any(listed)
}
