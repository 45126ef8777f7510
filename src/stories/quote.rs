//! What somebody says in a story, exactly, and who.

use std::collections::HashSet;
use std::ops::Range;

use super::draft::Draft;
use super::lexicon::{lists, lower, words};
use super::model::Label;
use super::names::mentions;
use super::part::Part;
use super::sentence::sentences;
use crate::record::{Passage, PassageKind};
use crate::text::place_in;

/// Words of a quotation that says something.
const WORDS_MIN: usize = 4;

/// Words beyond which a quotation is no better for being longer.
const WORDS_FULL: usize = 40;

/// Bytes of a quotation: of an account in somebody's own words the last sentences are taken.
const BYTES_MAX: usize = 320;

/// Words behind a quotation that may name the speaker.
const SPEAKER_REACH: usize = 8;

/// Bytes between a verb of speaking and the name of who speaks.
const NAME_REACH: usize = 30;

/// A quotation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Quote {
    /// As it stands, without the marks around it.
    pub(super) text: String,
    /// Who says it, as the text names them.
    pub(super) by: Option<String>,
}

/// The quotation of a story that says most.
pub(super) fn quote(
    draft: &Draft<'_>,
    passages: &[Passage],
    small: &HashSet<String>,
) -> Option<Quote> {
    let mut best: Option<(f32, usize, Range<usize>)> = None;
    for of_passage in
        draft.parts.chunk_by(|one, other| one.sentence.passage == other.sentence.passage)
    {
        let number = of_passage[0].sentence.passage;
        let passage = &passages[number];
        for range in quotations(passage) {
            let within = |part: &&Part<'_>| {
                let start = part.sentence.start;
                start < range.end && range.start < start + part.sentence.text.len()
            };
            let own = of_passage.iter().filter(within);
            let Some(likely) =
                own.map(|part| part.probabilities[Label::Quote as usize]).max_by(f32::total_cmp)
            else {
                continue;
            };
            let count = words(&passage.text[range.clone()]).len();
            if count < WORDS_MIN {
                continue;
            }
            let set_off = if passage.kind == PassageKind::Quotation { 10.0 } else { 0.0 };
            let points = count.min(WORDS_FULL) as f32 * (0.5 + likely) + set_off;
            if best.as_ref().is_none_or(|(most, ..)| points > *most) {
                best = Some((points, number, range));
            }
        }
    }
    let (_, number, range) = best?;
    let text = shortened(&passages[number].text[range.clone()]).trim_end_matches(',');
    Some(Quote { text: text.to_owned(), by: speaker(draft, passages, number, &range, small) })
}

/// Bytes of what stands between quotation marks, the last to the end of the passage where its mark is missing; of a
/// quotation that is set off without marks all but who says it.
fn quotations(passage: &Passage) -> Vec<Range<usize>> {
    let text = &passage.text;
    let (mut found, mut open) = (Vec::new(), None);
    for (at, c) in text.char_indices() {
        match (c, open) {
            ('“', _) | ('"', None) => open = open.or(Some(at + c.len_utf8())),
            ('”' | '"', Some(start)) => {
                found.push(start..at);
                open = None;
            }
            _ => {}
        }
    }
    found.extend(open.map(|start| start..text.len()));
    if found.is_empty() && passage.kind == PassageKind::Quotation {
        let end = text.find(['—', '–']).unwrap_or(text.len());
        found.push(0..text[..end].trim_end().len());
    }
    found
}

/// A quotation, or of a long one the last sentences that fit.
fn shortened(text: &str) -> &str {
    if text.len() <= BYTES_MAX {
        return text;
    }
    let all = sentences(text);
    let fits = all.iter().find(|(start, _)| text.len() - start <= BYTES_MAX);
    fits.or(all.last()).map_or(text, |(start, _)| &text[*start..])
}

fn speaker(
    draft: &Draft<'_>,
    passages: &[Passage],
    number: usize,
    range: &Range<usize>,
    small: &HashSet<String>,
) -> Option<String> {
    let text = &passages[number].text;
    let behind = text[range.end..].trim_start_matches(['"', '”', ' ']);
    let next = passages.get(number + 1).filter(|next| next.kind != PassageKind::Heading);
    let signature = if behind.is_empty() { next.map_or("", |next| &next.text) } else { behind };
    if let Some(name) = signed(signature) {
        return Some(name.to_owned());
    }
    let clause = sentences(behind).first().map_or("", |(_, first)| *first);
    let before = sentences(text[..range.start].trim_end_matches(['"', '“', ' ']));
    let before = before.last().map_or("", |(_, last)| *last);
    // `…," he says. "…` goes on with what the same person says.
    let announces = before.ends_with([',', ':']) || before.contains(['"', '”']);
    let told = words(clause).into_iter().take(SPEAKER_REACH).any(is_says).then_some(clause);
    let told = told.or_else(|| {
        Some(before).filter(|before| announces && words(before).into_iter().any(is_says))
    });
    if let Some(told) = told {
        let named = beside_says(told, small).map(str::to_owned);
        return named.or_else(|| antecedent(draft, number, range.start, small));
    }
    let hero = || draft.protagonist.as_ref().map(|one| one.name.clone());
    let set_off = passages[number].kind == PassageKind::Quotation;
    set_off.then(|| titled_before(draft, number, small)).flatten().or_else(hero)
}

/// The name behind the dash with which a signature begins: `— Norm, volunteer`.
fn signed(text: &str) -> Option<&str> {
    let name = text.strip_prefix(['—', '–'])?.split([',', '.', ';']).next()?.trim();
    name.starts_with(char::is_uppercase).then_some(name)
}

/// The name that is nearest to the verb of speaking in a clause.
fn beside_says<'a>(clause: &'a str, small: &HashSet<String>) -> Option<&'a str> {
    let verb = words(clause).into_iter().find(|word| is_says(word))?;
    let verb = place_in(clause, verb);
    let distance = |start: usize, end: usize| match start >= verb.end {
        true => start - verb.end,
        false => verb.start.saturating_sub(end),
    };
    let near = mentions(clause, small)
        .into_iter()
        .map(|mention| (distance(mention.start, mention.start + mention.text.len()), mention.text));
    let near = near.filter(|(distance, _)| *distance <= NAME_REACH);
    near.min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

/// Who a pronoun beside a quotation stands for: the protagonist, or where that is a group the last name before it.
fn antecedent(
    draft: &Draft<'_>,
    number: usize,
    start: usize,
    small: &HashSet<String>,
) -> Option<String> {
    let hero = draft.protagonist.as_ref().map(|one| one.name.clone());
    let is_named = hero.as_ref().is_some_and(|name| name.starts_with(char::is_uppercase));
    if is_named {
        return hero;
    }
    let earlier = draft.parts.iter().rev().filter(|part| {
        let sentence = part.sentence;
        (sentence.passage, sentence.start) < (number, start)
    });
    let mut names = earlier.flat_map(|part| mentions(part.sentence.text, small).into_iter().rev());
    names.next().map(|mention| mention.text.to_owned()).or(hero)
}

/// Somebody named with a title in the passage of the story before a quotation that is set off, the last one first.
fn titled_before(draft: &Draft<'_>, number: usize, small: &HashSet<String>) -> Option<String> {
    let before = draft.parts.iter().rev().filter(|part| part.sentence.passage < number);
    let passage = before.clone().next()?.sentence.passage;
    let of_passage = before.take_while(|part| part.sentence.passage == passage);
    let mut names =
        of_passage.flat_map(|part| mentions(part.sentence.text, small).into_iter().rev());
    names.find(|mention| mention.text != mention.name).map(|mention| mention.text.to_owned())
}

fn is_says(word: &str) -> bool {
    lists("says", &lower(word))
}
