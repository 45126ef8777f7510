//! The terms of two names laid side by side: which stands for which, and how well.

use super::words::{WORDS, number};
use crate::index::names::{WeighedTerm, edited, may_stand_for};
use crate::naming::{edits, edits_max};

/// How well a term that is short for another stands for it, and one that begins it.
const VARIANT_QUALITY: f32 = 0.95;
const BEGINNING_QUALITY: f32 = 0.8;
const JOINED_QUALITY: f32 = 0.97;
/// How well initials stand for the terms, and what is left of a term for it: `cmmrc` for `commerce`.
const INITIALS_QUALITY: f32 = 0.9;
const CONTRACTED_QUALITY: f32 = 0.75;
/// Characters of a beginning, and of initials that stand for a name, at least.
const BEGINNING_CHARACTERS_MIN: usize = 3;
pub(super) const INITIALS_MIN: usize = 3;

/// A chapter whose number two names have.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chapter {
    /// Where its sort name begins, of which the asked name may lack what it likes.
    pub sort_from: usize,
    /// Whether all of the asked name was found, and some of it in the name of the body.
    pub is_whole: bool,
}

/// Terms laid side by side.
pub(super) struct Alignment {
    /// Where each term of the asked name stands in the found one.
    pub slots: Vec<Option<usize>>,
    pub is_open: Vec<bool>,
    pub shared: f32,
    pub lost: f32,
}

/// Lays the terms of two names side by side: first the same, then two that are one in the other, then
/// those that are nearly the same.
pub(super) fn align(asked: &[WeighedTerm<'_>], found: &[WeighedTerm<'_>]) -> Alignment {
    let mut alignment = Alignment {
        slots: vec![None; asked.len()],
        is_open: vec![true; found.len()],
        shared: 0.0,
        lost: 0.0,
    };
    for (at, term) in asked.iter().enumerate() {
        let same = |slot: &usize| alignment.is_open[*slot] && found[*slot].text == term.text;
        // The next one rather than one before: neighbours stay neighbours.
        let near = (at..found.len()).chain(0..at.min(found.len())).find(same);
        if let Some(slot) = near {
            alignment.take(at, slot, term.mass.max(found[slot].mass), 1.0);
        }
    }
    if alignment.slots.iter().all(Option::is_some) || alignment.is_open.iter().all(|open| !open) {
        return alignment;
    }
    alignment.join(asked, found);
    alignment.initials(asked, found);
    for (at, term) in asked.iter().enumerate() {
        if alignment.slots[at].is_some() {
            continue;
        }
        let open = (0..found.len()).filter(|slot| alignment.is_open[*slot]);
        let nearly = open.filter_map(|slot| Some((likeness(&term.text, &found[slot].text)?, slot)));
        if let Some((quality, slot)) = nearly.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
        {
            // A misspelt word is as rare as the word that was meant.
            alignment.take(at, slot, term.mass.min(found[slot].mass), quality);
        }
    }
    alignment
}

impl Alignment {
    /// The chapter that both names are, if they have its number: in the sort name, or beside the same word for such a
    /// body. The rest of its sort name, such as a place or a person, may then be left out.
    pub fn chapter(
        &self,
        asked: &[WeighedTerm<'_>],
        (found, sort_from): (&[WeighedTerm<'_>], Option<usize>),
    ) -> Option<Chapter> {
        let from = sort_from.unwrap_or(found.len());
        let mut pairs = asked.iter().zip(&self.slots);
        let is_word = |term: &WeighedTerm<'_>| WORDS.chapters.contains(&*term.text);
        let word = asked.iter().find(|term| is_word(term));
        let has_word = word.is_some_and(|word| found.iter().any(|one| one.text == word.text));
        let is_its_number = |(term, slot): (&WeighedTerm<'_>, &Option<usize>)| {
            number(&term.text).is_some() && slot.is_some_and(|slot| slot >= from || has_word)
        };
        pairs.clone().any(is_its_number).then_some(())?;
        let is_found =
            |(term, slot): (&WeighedTerm<'_>, &Option<usize>)| slot.is_some() || is_word(term);
        let names_body = |(term, slot): (&WeighedTerm<'_>, &Option<usize>)| {
            let is_legal = slot.is_some_and(|slot| slot < from);
            is_legal && !is_word(term) && number(&term.text).is_none()
        };
        let is_whole = pairs.clone().all(is_found) && pairs.any(names_body);
        Some(Chapter { sort_from: from, is_whole })
    }

    fn take(&mut self, at: usize, slot: usize, mass: f32, quality: f32) {
        self.slots[at] = Some(slot);
        self.is_open[slot] = false;
        self.shared += mass * quality;
        self.lost += mass * (1.0 - quality);
    }

    /// Two neighbours of one name that are one term of the other.
    fn join(&mut self, asked: &[WeighedTerm<'_>], found: &[WeighedTerm<'_>]) {
        for at in 0..asked.len() {
            if self.slots[at].is_some() {
                continue;
            }
            let is_pair = |one: &WeighedTerm<'_>, two: &[WeighedTerm<'_>]| {
                one.text.len() == two[0].text.len() + two[1].text.len()
                    && one.text.starts_with(&*two[0].text)
                    && one.text.ends_with(&*two[1].text)
            };
            let split = (1..found.len()).find(|slot| {
                self.is_open[*slot]
                    && self.is_open[slot - 1]
                    && is_pair(&asked[at], &found[slot - 1..=*slot])
            });
            if let Some(slot) = split {
                self.is_open[slot] = false;
                self.take(at, slot - 1, found[slot - 1].mass + found[slot].mass, JOINED_QUALITY);
                continue;
            }
            if at + 1 < asked.len() && self.slots[at + 1].is_none() {
                let joined = (0..found.len())
                    .find(|slot| self.is_open[*slot] && is_pair(&found[*slot], &asked[at..at + 2]));
                if let Some(slot) = joined {
                    self.take(at, slot, found[slot].mass, JOINED_QUALITY);
                    self.slots[at + 1] = Some(slot);
                }
            }
        }
    }

    /// A term of one name that is the initials of neighbours in the other: `nys`, `new york state`.
    fn initials(&mut self, asked: &[WeighedTerm<'_>], found: &[WeighedTerm<'_>]) {
        for (at, term) in asked.iter().enumerate() {
            let text = term.text.as_ref();
            if self.slots[at].is_none()
                && let Some(run) = run_of_initials(text, found, |slot| self.is_open[slot])
            {
                let mass = found[run.clone()].iter().map(|term| term.mass).sum();
                for slot in run.clone() {
                    self.is_open[slot] = false;
                }
                self.take(at, run.start, mass, INITIALS_QUALITY);
            }
        }
        for (slot, term) in found.iter().enumerate() {
            let text = term.text.as_ref();
            if self.is_open[slot]
                && let Some(run) = run_of_initials(text, asked, |at| self.slots[at].is_none())
            {
                let mass = asked[run.clone()].iter().map(|term| term.mass).sum();
                self.take(run.start, slot, mass, INITIALS_QUALITY);
                for at in run {
                    self.slots[at] = Some(slot);
                }
            }
        }
    }
}

/// Where the terms begin whose initials a term is, all of them open.
fn run_of_initials(
    initials: &str,
    terms: &[WeighedTerm<'_>],
    is_open: impl Fn(usize) -> bool,
) -> Option<std::ops::Range<usize>> {
    let count = initials.len();
    if !(INITIALS_MIN..=terms.len()).contains(&count) || !initials.is_ascii() {
        return None;
    }
    (0..=terms.len() - count).map(|start| start..start + count).find(|run| {
        let letters = initials.bytes().zip(run.clone());
        letters
            .into_iter()
            .all(|(letter, at)| is_open(at) && terms[at].text.as_bytes().first() == Some(&letter))
    })
}

/// How well one term stands for another that is not the same.
fn likeness(one: &str, other: &str) -> Option<f32> {
    let has_digit = |term: &str| term.bytes().any(|byte| byte.is_ascii_digit());
    if has_digit(one) || has_digit(other) {
        return number(one).filter(|value| number(other) == Some(*value)).map(|_| VARIANT_QUALITY);
    }
    if may_stand_for(one, other) || may_stand_for(other, one) {
        return Some(VARIANT_QUALITY);
    }
    if number(one).is_some() || WORDS.directions.contains_key(one) {
        let same = number(one) == number(other)
            && WORDS.directions.get(one) == WORDS.directions.get(other);
        return same.then_some(VARIANT_QUALITY);
    }
    let (shorter, longer) = if one.len() < other.len() { (one, other) } else { (other, one) };
    if shorter.len() >= BEGINNING_CHARACTERS_MIN && longer.starts_with(shorter) {
        return Some(BEGINNING_QUALITY);
    }
    if is_contracted(shorter, longer) {
        return Some(CONTRACTED_QUALITY);
    }
    let characters = shorter.chars().count();
    let found = edits(one, other, edits_max(characters))?;
    Some(edited(found, characters))
}

/// Whether letters of a term are left out to shorten it: the first one stays, and more than a third.
fn is_contracted(shorter: &str, longer: &str) -> bool {
    if shorter.len() < BEGINNING_CHARACTERS_MIN
        || shorter.len() * 5 < longer.len() * 2
        || longer.len() < shorter.len() + 3
        || shorter.as_bytes()[0] != longer.as_bytes()[0]
    {
        return false;
    }
    let mut rest = longer.bytes();
    shorter.bytes().all(|letter| rest.any(|one| one == letter))
}
