//! Nonprofits that a query names: a name alone, with its place or without.
//!
//! Whether words are a name is decided by the data ([`Names::named`]); this module weighs that
//! against the other meanings of the query.

use std::ops::Range as Span;

use super::Names;
use super::frame::{
    AlternativeReading, Frame, NameUse, NamedPlace, Organization, Understanding, UnderstoodSpan,
};
use super::naming::NameMatches;
use super::reading::{self, EVIDENCE};
use super::token::{Case, Tokens};
use super::{phrases, place, restated, states_of};
use crate::mapped::Damage;
use crate::query::Area;
use crate::reader::{self, Act, Intent, Message, Role};

/// Words of the longest name that is looked up.
const WORDS_MAX: usize = 24;

/// Odds, as their logarithm, within which the other reading is offered too; and how likely a nonprofit
/// must be meant to be offered.
const NEAR: f64 = 3.0;
const NEAR_PROBABILITY_MIN: f64 = 0.3;
/// Odds of the trained reader from which a query is a name though nobody in the data is called so.
const UNHEARD_OF_ODDS_MIN: f64 = 2.2;

/// A query read as a name: its bytes without the signs at the end, the organizations it may name,
/// and the evidence for this reading.
struct NameReading {
    span: Span<usize>,
    naming: NameMatches,
    evidence: [f64; EVIDENCE],
}

/// The bytes of a query without the signs at its end.
fn name_span(query: &str) -> Span<usize> {
    let tokens = Tokens::of(query);
    let end = tokens.list.iter().rposition(|token| !token.is_boundary()).map_or(0, |last| last + 1);
    tokens.span(0..end)
}

/// `None` if it cannot be a name: a question, more words than names have, or no word of any name.
fn weigh(
    query: &str,
    names: &dyn Names,
    description: &Understanding,
) -> Result<Option<NameReading>, Damage> {
    let (tokens, span) = (Tokens::of(query), name_span(query));
    let is_question = tokens.list.iter().any(|token| token.is_punctuation('?'));
    let words = tokens.list.iter().filter(|token| token.span.start < span.end).count();
    if is_question || words == 0 || words > WORDS_MAX {
        return Ok(None);
    }
    let naming = names.named(&query[span.clone()])?;
    // Words that occur in no name are no evidence of a name.
    if naming.candidates.is_empty() {
        return Ok(None);
    }
    let evidence = reading::evidence(&tokens, &naming, names, description)?;
    Ok(Some(NameReading { span, naming, evidence }))
}

/// The evidence for and against reading a query, `described` otherwise, as a name; `None` if there
/// is no choice: an EIN, a name that other words announce, a question.
#[cfg(any(test, feature = "internals"))]
pub fn evidence(
    query: &str,
    names: &dyn Names,
    described: &Understanding,
) -> Result<Option<[f64; EVIDENCE]>, Damage> {
    if says_who(described) {
        return Ok(None);
    }
    Ok(weigh(query, names, described)?.map(|weighed| weighed.evidence))
}

/// A query as it was understood, or as the name of a nonprofit, whichever is likelier.
pub fn or_name(
    query: &str,
    names: &dyn Names,
    described: Understanding,
) -> Result<Understanding, Damage> {
    // A name found in a query may be only a part of the whole name: `640 Thomas Overton Moore Chapter`.
    if described.frame.organization.is_some()
        && names.named(&query[name_span(query)])?.is_all_of_it()
    {
        let frame = Frame { organization: None, ..described.frame };
        return likelier(query, names, Understanding { frame, ..described });
    }
    if says_who(&described) { Ok(described) } else { likelier(query, names, described) }
}

/// Whether an EIN, or a name that other words announce, identifies the organization already.
fn says_who(understanding: &Understanding) -> bool {
    understanding.frame.organization.is_some() || !understanding.frame.eins.is_empty()
}

fn likelier(query: &str, names: &dyn Names, other: Understanding) -> Result<Understanding, Damage> {
    // Words that only name a kind of nonprofit do not name an organization missing from the data: `food bank`.
    let is_a_kind = other.frame.cause_is_term && other.frame.without_cause().is_empty();
    // `Teton County` is the county, though lists have it as the other name of a chapter.
    let is_county = names_counties(&other.frame);
    let is_surely_one = other.name_odds >= UNHEARD_OF_ODDS_MIN && !is_a_kind && !is_county;
    let Some(weighed) = weigh(query, names, &other)? else {
        let span = name_span(query);
        // Of a question, the reader must know which words are the name.
        return match is_surely_one && other.name.is_some() && !span.is_empty() {
            true => by_its_words(query, span, names, other),
            false => Ok(other),
        };
    };
    let NameReading { span, naming, evidence } = weighed;
    let odds = reading::odds(&evidence, &naming);
    let names_nobody = naming.namesakes() == 0;
    // Whatever else its words mean, and whose names have them too: `St Jude`.
    if is_surely_one && names_nobody {
        return by_its_words(query, span, names, other);
    }
    // If it probably names nobody, the words mean as much as a description.
    let only_places = Frame { places: other.frame.places.clone(), ..Frame::default() };
    let is_described = other.frame.without_cause() == only_places && other.frame.text.is_some();
    if (odds <= 0.0 && !is_surely_one) || (names_nobody && is_described) || is_county {
        let near = naming.candidates.into_iter().next();
        let near = near.filter(|one| odds > -NEAR && one.probability >= NEAR_PROBABILITY_MIN);
        return Ok(Understanding { alternative: near.map(AlternativeReading::Name), ..other });
    }
    // The other reading is worth offering only if it narrows something and can be restated.
    let narrows = !other.frame.without_cause().is_empty() && other.frame.places.len() <= 1;
    let is_near = odds < NEAR && narrows;
    let alternative = is_near.then(|| AlternativeReading::Kind(restated(&other.frame)));
    let confidence = (1.0 - naming.nobody) as f32;
    let named = as_name(query, span, &naming, confidence, other);
    Ok(Understanding { alternative, ..named })
}

/// Whether a description is a county, or several, and nothing else.
fn names_counties(frame: &Frame) -> bool {
    let only_places = Frame { places: frame.places.clone(), ..Frame::default() };
    let mut areas = frame.places.iter().flat_map(|place| &place.areas).peekable();
    *frame == only_places && areas.peek().is_some() && areas.all(|area| area.county.is_some())
}

/// A query that the trained reader is certain is a name, though the data has no such name as a
/// whole: the words labelled as the name may be one (`who is Save the Children`).
fn by_its_words(
    query: &str,
    span: Span<usize>,
    names: &dyn Names,
    other: Understanding,
) -> Result<Understanding, Damage> {
    let naming = match other.name.clone().filter(|name| *name != span) {
        Some(name) => names.named(query[name].trim())?,
        None => NameMatches::default(),
    };
    // `whats the Hawk Mountain Sanctuary`: the words before the name ask.
    let start = other.name.as_ref().map_or(span.start, |name| name.start.max(span.start));
    let span = start..span.end;
    // Who is called so elsewhere is not the one: `Salvation Army Idaho`.
    let states = states_of(&other.frame.places);
    let places = states
        .into_iter()
        .filter_map(|state| NamedPlace::of(Area { state: Some(state), ..Area::default() }));
    let there = Frame { places: places.collect(), ..Frame::default() };
    let is_there = match naming.sure() {
        Some(one) => there.is_empty() || names.satisfies(&there, one.ein)?,
        None => false,
    };
    let naming = if is_there { naming } else { NameMatches::default() };
    let confidence = 1.0 - (-other.name_odds).exp() as f32;
    Ok(as_name(query, span, &naming, confidence, other))
}

fn as_name(
    query: &str,
    span: Span<usize>,
    naming: &NameMatches,
    confidence: f32,
    other: Understanding,
) -> Understanding {
    let mut organization = organization(&query[span.clone()], naming, NameUse::Itself);
    // It is looked up with its place, and called by its name without.
    if let Some(name) = other.name.clone().filter(|_| organization.ein.is_none()) {
        organization.name = query[name].trim().to_owned();
    }
    let parts = vec![UnderstoodSpan { span, meaning: meaning(&organization), confidence }];
    // If nobody has the name, the other meanings of the words find the nearest.
    let frame = match organization.is_unheard_of() {
        true => Frame {
            places: other.frame.places.clone(),
            text: other.frame.text.clone(),
            cause_ntee: other.frame.cause_ntee.clone(),
            cause_is_term: other.frame.cause_is_term,
            ..Frame::default()
        },
        false => Frame::default(),
    };
    let frame = Frame { organization: Some(organization), ..frame };
    let described = Some(Box::new(other.frame));
    Understanding { frame, parts, unread: Vec::new(), described, ..other }
}

/// The nonprofit asked for by a name, resolved as far as the data allows.
pub fn named_organization(
    asked: &str,
    wanted: NameUse,
    names: &dyn Names,
) -> Result<Organization, Damage> {
    Ok(organization(asked, &names.named(asked)?, wanted))
}

pub(super) fn organization(asked: &str, naming: &NameMatches, wanted: NameUse) -> Organization {
    let similar = || naming.dominant().filter(|_| wanted == NameUse::Similar);
    match naming.sure().or_else(similar) {
        Some(one) => {
            let (asked, other_name) = (asked.to_owned(), one.other_name.clone());
            let known = Organization::known(one.name.clone(), one.ein, wanted);
            Organization { asked, other_name, ..known }
        }
        None => Organization {
            name: asked.trim().to_owned(),
            other_name: None,
            ein: None,
            asked: asked.to_owned(),
            namesakes: naming.namesakes(),
            wanted,
        },
    }
}

pub(super) fn meaning(organization: &Organization) -> String {
    match organization.wanted {
        NameUse::Itself => format!("the nonprofit {}", organization.described()),
        NameUse::Similar => format!("like {}", organization.name),
    }
}

/// A name without a leading article in small letters.
pub(super) fn without_article(name: &str) -> &str {
    let tokens = Tokens::of(name);
    match &tokens.list[..] {
        [article, next, ..]
            if article.case == Case::Lower && phrases::has("leading article", &article.form) =>
        {
            name[next.span.start..].trim()
        }
        _ => name.trim(),
    }
}

/// The position of the only name of a message.
pub(super) fn name_of(message: &Message) -> Option<Span<usize>> {
    let mut names = message.spans.iter().filter(|span| span.role == Role::Name);
    names.next().filter(|_| names.next().is_none()).map(|span| span.bytes.clone())
}

/// Whether a message is a name, perhaps with its place, and nothing else.
pub(super) fn is_bare(tokens: &Tokens, message: &Message) -> bool {
    let covered = |at: usize| message.spans.iter().any(|span| span.bytes.contains(&at));
    let asks = |span: &reader::Span| !matches!(span.role, Role::Name | Role::Place);
    message.intent.label == Intent::Details
        && message.act.label == Act::New
        && message.spans.iter().any(|span| span.role == Role::Name)
        && !message.spans.iter().any(asks)
        && tokens.list.iter().all(|token| {
            covered(token.span.start)
                || !token.is_word()
                || phrases::is_edge(&token.form)
                || place::is_preposition(&token.form)
        })
}
