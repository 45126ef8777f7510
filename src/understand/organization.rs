//! Nonprofits that a query names: `similar to JDRF`, `tell me about Best Friends Animal Society`,
//! or a name alone, with its place or without.
//!
//! Whether words are a name is for the data to say ([`Names::named`]); this module finds which words
//! to ask it about, and weighs its answer against what the query says otherwise.

use super::Names;
use super::frame::{Frame, Organization, Otherwise, Part, Understanding, Wanted};
use super::naming::Naming;
use super::phrases::{self, is_edge};
use super::reader::Reader;
use super::reading::{self, EVIDENCE};
use super::token::{Case, Tokens};
use super::{cause, restated};
use crate::mapped::Damage;

/// Words of the longest name that is looked up.
const WORDS_MAX: usize = 24;
/// Ends of a name behind words that announce one that are tried, the longest first.
const ENDS_MAX: usize = 4;

/// Odds, as their logarithm, within which the other reading is offered too; and how likely a nonprofit
/// must be meant to be offered.
const NEAR: f64 = 3.0;
const NEAR_PROBABILITY_MIN: f64 = 0.3;
/// Odds of the trained reader from which a query is a name though nobody in the data is called so.
const UNHEARD_OF_ODDS_MIN: f64 = 2.2;
/// The same odds of a name behind words that lead to a name as often as to anything else.
const WEAKLY_ANNOUNCED_ODDS_MIN: f64 = 1.0;

/// A query taken for a name: its bytes but for signs at the end, whom they may name, and what speaks
/// for it.
struct NameReading {
    span: std::ops::Range<usize>,
    naming: Naming,
    evidence: [f64; EVIDENCE],
}

/// `None` for what is no name: a question, more words than names have, or nothing that a name has.
fn weigh(
    query: &str,
    names: &dyn Names,
    description: &Understanding,
) -> Result<Option<NameReading>, Damage> {
    let tokens = Tokens::of(query);
    let end = tokens.list.iter().rposition(|token| !token.is_boundary()).map_or(0, |last| last + 1);
    let is_question = tokens.list.iter().any(|token| token.is_sign('?'));
    if end == 0 || end > WORDS_MAX || is_question {
        return Ok(None);
    }
    let span = tokens.span(0..end);
    let naming = names.named(&query[span.clone()])?;
    // Of words that nobody has, nothing says that they are a name.
    if naming.candidates.is_empty() {
        return Ok(None);
    }
    let evidence = reading::evidence(&tokens, &naming, names, description)?;
    Ok(Some(NameReading { span, naming, evidence }))
}

/// What speaks for reading a query as a name and what against it.
///
/// # Errors
/// When the index of names is damaged.
pub(super) fn evidence(
    query: &str,
    names: &dyn Names,
    description: &Understanding,
) -> Result<Option<[f64; EVIDENCE]>, Damage> {
    Ok(weigh(query, names, description)?.map(|weighed| weighed.evidence))
}

/// A query as the name of a nonprofit, or as it was understood otherwise, whichever is likelier.
///
/// # Errors
/// When the index of names is damaged.
pub(super) fn whole(
    query: &str,
    names: &dyn Names,
    other: Understanding,
) -> Result<Understanding, Damage> {
    let Some(weighed) = weigh(query, names, &other)? else { return Ok(unheard_of(query, other)) };
    let NameReading { span, naming, evidence } = weighed;
    let odds = reading::odds(&evidence, &naming);
    if odds <= 0.0 && other.name_odds >= UNHEARD_OF_ODDS_MIN && naming.odds() < 0.0 {
        return Ok(unheard_of(query, other));
    }
    if odds <= 0.0 {
        let near = naming.candidates.into_iter().next();
        let near = near.filter(|one| odds > -NEAR && one.probability >= NEAR_PROBABILITY_MIN);
        return Ok(Understanding { otherwise: near.map(Otherwise::Name), ..other });
    }
    // What it is otherwise is worth offering only where that narrows something and can be said again.
    let narrows = !other.frame.without_cause().is_empty() && other.frame.places.len() <= 1;
    let is_near = odds < NEAR && narrows;
    let otherwise = is_near.then(|| Otherwise::Kind(restated(&other.frame)));
    let mut organization = organization(&query[span.clone()], &naming, Wanted::Itself);
    // With its place it is looked for, without it it is called.
    if let Some(name) = other.name.clone().filter(|_| organization.ein.is_none()) {
        organization.name = query[name].trim().to_owned();
    }
    let meaning = meaning(&organization);
    let frame = Frame { organization: Some(organization), ..Frame::default() };
    let confidence = (1.0 - naming.nobody) as f32;
    let parts = vec![Part { span, meaning, confidence }];
    Ok(Understanding { frame, parts, unread: Vec::new(), otherwise, ..other })
}

/// A query that is surely a name, by the trained reader, and nobody's in the data.
fn unheard_of(query: &str, other: Understanding) -> Understanding {
    if other.name_odds < UNHEARD_OF_ODDS_MIN {
        return other;
    }
    let tokens = Tokens::of(query);
    let end = tokens.list.iter().rposition(|token| !token.is_boundary()).map_or(0, |last| last + 1);
    if end == 0 {
        return other;
    }
    let span = tokens.span(0..end);
    let mut organization = organization(&query[span.clone()], &Naming::default(), Wanted::Itself);
    if let Some(name) = other.name.clone() {
        organization.name = query[name].trim().to_owned();
    }
    let meaning = meaning(&organization);
    let parts = vec![Part { span, meaning, confidence: 1.0 - (-other.name_odds).exp() as f32 }];
    let frame = Frame { organization: Some(organization), ..Frame::default() };
    Understanding { frame, parts, unread: Vec::new(), ..other }
}

/// Reads a name behind words that announce one, if there are such words.
///
/// # Errors
/// When the index of names is damaged.
pub(super) fn read(reader: &mut Reader<'_>, names: &dyn Names) -> Result<(), Damage> {
    // `Is Winrock International legit?`
    if matches!(reader.tokens.form(0), "is" | "are") && reader.tokens.len() > 2 {
        let ends = |at: &usize| phrases::has("asked of one", reader.tokens.form(*at));
        if let Some(end) = (2..reader.tokens.len()).find(ends) {
            let naming = names.named(&reader.query[reader.tokens.span(1..end)])?;
            if naming.odds() > 0.0 {
                let last = reader.tokens.len();
                take(reader, 0..last, 1..end, &naming, Wanted::Itself);
                return Ok(());
            }
        }
    }
    for at in 0..reader.tokens.len() {
        if let Some(first) = reader.tokens.any_phrase(at, phrases::of("similar to")) {
            return announced(reader, names, at, first, Wanted::Similar);
        }
        if let Some(first) = reader.tokens.any_phrase(at, phrases::of("about one")) {
            // `tell me about groups like the ballet`.
            let later = (first..reader.tokens.len())
                .any(|at| reader.tokens.any_phrase(at, phrases::of("similar to")).is_some());
            if !later {
                return announced(reader, names, at, first, Wanted::Itself);
            }
        }
    }
    Ok(())
}

/// A name behind words that announce one.
fn announced(
    reader: &mut Reader<'_>,
    names: &dyn Names,
    at: usize,
    first: usize,
    wanted: Wanted,
) -> Result<(), Damage> {
    let tokens = &reader.tokens;
    let stop = (first..tokens.len())
        .find(|&at| matches!(tokens.form(at), "?" | "!" | ";" | "please" | "thanks" | "pls"))
        .unwrap_or(tokens.len());
    let article = matches!(tokens.form(first), "the" | "a" | "an" | "la" | "el");
    let start = first + usize::from(article && first + 1 < stop);
    // `revenue of 1 million`, `who is helping the homeless`.
    let Some(begins) = tokens.list.get(start).filter(|token| token.is_word() || token.is_number())
    else {
        return Ok(());
    };
    let is_doing = begins.form.ends_with("ing") && begins.case == Case::Lower;
    if tokens.any_phrase(start, phrases::of("no name")).is_some() || (is_doing && tokens.is_cased) {
        return Ok(());
    }
    let is_over = |end: usize| {
        end == stop
            || tokens.list[end].is_boundary()
            || phrases::has("behind name", tokens.form(end))
            || tokens.form(end) == "and"
    };
    let mut best: Option<(f64, usize, Naming)> = None;
    let ends = (start + 1..=stop.min(start + WORDS_MAX))
        .rev()
        .filter(|end| is_over(*end) && !tokens.list[end - 1].is_boundary());
    for end in ends.take(ENDS_MAX) {
        let naming = names.named(&reader.query[tokens.span(start..end)])?;
        let odds = naming.odds();
        // The longest that is one: `Habitat for Humanity in Boise`.
        if best.as_ref().is_none_or(|(most, ..)| odds > *most) {
            best = Some((odds, end, naming));
        }
        if odds > 0.0 {
            break;
        }
    }
    let written = &tokens.list[start..stop];
    let has_capital = tokens.is_cased && written.iter().any(|token| token.case != Case::Lower);
    // `about climate change`: words that lead to a name as often as to anything else.
    let is_strong = wanted == Wanted::Similar
        || tokens.any_phrase(at, phrases::of("about one by name")).is_some();
    if let Some((odds, end, naming)) = best
        && odds > if is_strong || has_capital { 0.0 } else { WEAKLY_ANNOUNCED_ODDS_MIN }
    {
        take(reader, at..end, start..end, &naming, wanted);
        return Ok(());
    }
    // Nobody is called so in the data: what was asked for is kept, as far as it is a name at all.
    let end = (start..stop)
        .find(|&at| {
            let token = &tokens.list[at];
            (token.is_boundary() && !token.is_sign('.') && !token.is_sign(':'))
                || (at > start && phrases::has("behind name", &token.form))
        })
        .unwrap_or(stop);
    if end <= start {
        return Ok(());
    }
    let name = &tokens.list[start..end];
    let is_titled = tokens.is_cased
        && name.iter().any(|token| token.case != Case::Lower)
        && name.iter().all(|token| token.case != Case::Lower || is_edge(&token.form));
    let is_cause = (start..end).all(|at| {
        let form = tokens.form(at);
        phrases::is_common(form) || cause::is_known_word(form)
    }) || cause::is_term(&tokens.joined(start..end));
    if is_titled || (is_strong && !is_cause) || (has_capital && !is_cause) {
        take(reader, at..end, start..end, &Naming::default(), wanted);
    }
    Ok(())
}

/// The nonprofit that is asked for by a name, as far as it is known who is meant.
pub fn organization(asked: &str, naming: &Naming, wanted: Wanted) -> Organization {
    let asked = asked.to_owned();
    match naming.sure() {
        Some(one) => {
            Organization { name: one.name.clone(), ein: Some(one.ein), asked, namesakes: 1, wanted }
        }
        None => Organization {
            name: asked.trim().to_owned(),
            ein: None,
            asked,
            namesakes: naming.namesakes(),
            wanted,
        },
    }
}

pub(super) fn meaning(organization: &Organization) -> String {
    match organization.wanted {
        Wanted::Itself => format!("the nonprofit {}", organization.name),
        Wanted::Similar => format!("like {}", organization.name),
    }
}

fn take(
    reader: &mut Reader<'_>,
    tokens: std::ops::Range<usize>,
    name: std::ops::Range<usize>,
    naming: &Naming,
    wanted: Wanted,
) {
    let asked = reader.query[reader.tokens.span(name)].trim();
    let found = organization(asked, naming, wanted);
    let meaning = meaning(&found);
    reader.frame.organization = Some(found);
    reader.claim(tokens, meaning, (1.0 - naming.nobody) as f32);
}
