//! A query that follows another: what it refines, replaces, clears, or begins anew.

use super::frame::{Frame, Place, Understanding};
use super::phrases;
use super::token::{Mark, Tokens};
use crate::index::columns::{Area, Range};
use crate::places;

/// Bytes of a cause that follow-ups have narrowed.
const CAUSE_BYTES_MAX: usize = 512;
/// Places, codes and the like that follow-ups have added.
const LIST_MAX: usize = 32;

/// How a query goes on from those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// It stands alone.
    New,
    /// It changes what was asked for before.
    Refined,
    /// It asks to forget what was before.
    Reset,
}

/// What a follow-up may clear.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slot {
    Places,
    Revenue,
    Expenses,
    Assets,
    Employees,
    Score,
    Rating,
    Sizes,
    Goals,
    Codes,
    Order,
    Cause,
    Standing,
}

impl Slot {
    /// By its name in the table of phrases.
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "places" => Self::Places,
            "revenue" => Self::Revenue,
            "expenses" => Self::Expenses,
            "assets" => Self::Assets,
            "employees" => Self::Employees,
            "score" => Self::Score,
            "rating" => Self::Rating,
            "sizes" => Self::Sizes,
            "goals" => Self::Goals,
            "codes" => Self::Codes,
            "order" => Self::Order,
            "cause" => Self::Cause,
            "standing" => Self::Standing,
            _ => return None,
        })
    }
}

/// What an opening does with the cause that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cause {
    /// Another comes on top.
    Narrows,
    /// Another takes its place.
    Replaces,
}

/// What a query says of those before it.
#[derive(Debug, Clone)]
pub struct Cues {
    /// The query without what it clears.
    pub rest: String,
    is_reset: bool,
    cleared: Vec<Slot>,
    opening: Option<Cause>,
    /// Whether places and the like come on top.
    adds: bool,
}

impl Cues {
    /// Reads a query for what it says of those before it.
    pub fn of(query: &str) -> Self {
        let mut tokens = Tokens::of(query);
        let end = tokens.list.iter().rposition(|token| !token.is_boundary()).map_or(0, |at| at + 1);
        let is_reset = tokens.any_phrase(0, phrases::of("reset")) == Some(end);
        let opening = phrases::meanings("opening")
            .filter_map(|(meaning, names)| {
                let cause = if meaning == "narrows" { Cause::Narrows } else { Cause::Replaces };
                Some((tokens.any_phrase(0, names)?, cause))
            })
            .max_by_key(|found| found.0);
        let instead = (0..end).any(|at| tokens.any_phrase(at, phrases::of("instead")).is_some());
        let adds = (0..end.min(2)).any(|at| tokens.any_phrase(at, phrases::of("also")).is_some())
            || tokens.any_phrase(end.saturating_sub(2), ["as well"]).is_some()
            || tokens.any_phrase(end.saturating_sub(1), ["too"]).is_some();
        let cleared = read_cleared(&mut tokens, end);
        if let Some((end, _)) = opening.filter(|_| tokens.free_at(0).is_some()) {
            tokens.mark(0..end, Mark::Noise);
        }
        let leaves_out = tokens.any_phrase(0, phrases::of("left out")).is_some();
        let opening = opening.map(|found| found.1).or(leaves_out.then_some(Cause::Narrows));
        let mut rest = query.to_owned();
        for token in tokens.list.iter().rev().filter(|token| token.mark == Mark::Noise) {
            rest.replace_range(token.span.clone(), "");
        }
        let opening =
            opening.or(instead.then_some(Cause::Replaces)).or(adds.then_some(Cause::Narrows));
        Self { rest, is_reset, cleared, opening, adds }
    }
}

/// What is to be asked for no longer; the tokens that say so are noise to the other readers.
fn read_cleared(tokens: &mut Tokens, end: usize) -> Vec<Slot> {
    let mut cleared = Vec::new();
    for at in 0..end {
        if let Some(to) = tokens.any_phrase(at, phrases::of("everywhere")) {
            cleared.push(Slot::Places);
            tokens.mark(at..to, Mark::Noise);
        }
        let Some(to) = tokens.any_phrase(at, phrases::of("clear")) else { continue };
        let slot = phrases::meanings("slot")
            .filter_map(|(slot, names)| Some((tokens.any_phrase(to, names)?, Slot::named(slot)?)))
            .max_by_key(|found| found.0);
        if let Some((to, slot)) = slot {
            let to = tokens.any_phrase(to, phrases::of("behind slot")).unwrap_or(to);
            // `any size`, but not `any city ballet`.
            if matches!(tokens.form(at), "any" | "all") && to < end {
                continue;
            }
            cleared.push(slot);
            tokens.mark(at..to, Mark::Noise);
        }
    }
    cleared
}

/// What is asked for after a query, and how it came about.
pub fn follow(earlier: &Frame, cues: &Cues, heard: &Understanding) -> (Frame, Step) {
    if cues.is_reset {
        return (Frame::default(), Step::Reset);
    }
    let frame = &heard.frame;
    let goes_on = cues.opening.is_some() || !cues.cleared.is_empty() || frame.cause.is_none();
    let names_one = frame.organization.is_some() || !frame.eins.is_empty();
    if earlier.is_empty() || names_one || !goes_on {
        return (frame.clone(), Step::New);
    }
    let mut next = earlier.clone();
    cues.cleared.iter().for_each(|slot| clear(&mut next, *slot));
    refine(&mut next, frame, cues);
    (next, Step::Refined)
}

fn clear(frame: &mut Frame, slot: Slot) {
    let any = Range::default();
    match slot {
        Slot::Places => {
            frame.places.clear();
            frame.not_places.clear();
        }
        Slot::Revenue => frame.revenue = any,
        Slot::Expenses => frame.expenses = any,
        Slot::Assets => frame.assets = any,
        Slot::Employees => frame.employees = any,
        Slot::Score => frame.score = any,
        Slot::Rating => frame.rating = any,
        Slot::Sizes => frame.sizes.clear(),
        Slot::Goals => frame.sdgs = Default::default(),
        Slot::Codes => {
            frame.ntee.clear();
            frame.not_ntee.clear();
        }
        Slot::Order => frame.sort.clear(),
        Slot::Cause => {
            (frame.cause, frame.text) = (None, None);
            frame.cause_ntee.clear();
        }
        Slot::Standing => {
            (frame.foundation, frame.deductible, frame.inactive) = (None, None, None);
            frame.subsections.clear();
        }
    }
}

fn refine(next: &mut Frame, heard: &Frame, cues: &Cues) {
    if !heard.places.is_empty() {
        let near = next.state();
        let places: Vec<Place> = heard.places.iter().map(|place| in_state(place, near)).collect();
        if cues.adds {
            extend(&mut next.places, &places);
        } else {
            next.places = places;
            next.not_places.clear();
        }
    }
    extend(&mut next.not_places, &heard.not_places);
    let joins = cues.opening == Some(Cause::Narrows);
    for (range, new) in next.ranges_mut().into_iter().zip(heard.ranges()) {
        if !new.is_open() {
            let both = Range { min: new.min.or(range.min), max: new.max.or(range.max) };
            let fits = both.min.zip(both.max).is_none_or(|(min, max)| min <= max);
            // `and under $5M` goes with `over $1M`; `make it under $1M` does not.
            *range = if joins && fits { both } else { new };
        }
    }
    if !heard.sdgs.is_empty() {
        next.sdgs = heard.sdgs;
    }
    replace(&mut next.ntee, &heard.ntee, cues.adds);
    extend(&mut next.not_ntee, &heard.not_ntee);
    replace(&mut next.sizes, &heard.sizes, cues.adds);
    replace(&mut next.subsections, &heard.subsections, cues.adds);
    next.foundation = heard.foundation.or(next.foundation);
    next.deductible = heard.deductible.or(next.deductible);
    next.inactive = heard.inactive.or(next.inactive);
    if !heard.sort.is_empty() {
        next.sort.clone_from(&heard.sort);
    }
    let Some(cause) = &heard.cause else { return };
    match (&next.cause, cues.opening) {
        (Some(before), Some(Cause::Narrows)) if before.len() + cause.len() < CAUSE_BYTES_MAX => {
            // The same page asked for again says nothing new.
            if !before.contains(cause.as_str()) {
                next.cause = Some(format!("{before} {cause}"));
                let both = [next.text.take(), heard.text.clone()];
                next.text = Some(both.into_iter().flatten().collect::<Vec<_>>().join(" "));
                extend(&mut next.cause_ntee, &heard.cause_ntee);
                next.cause_is_term = false;
            }
        }
        _ => {
            next.cause.clone_from(&heard.cause);
            next.text.clone_from(&heard.text);
            next.cause_ntee.clone_from(&heard.cause_ntee);
            next.cause_is_term = heard.cause_is_term;
            next.organization = None;
        }
    }
}

fn extend<T: Clone + PartialEq>(list: &mut Vec<T>, more: &[T]) {
    for item in more {
        if list.len() < LIST_MAX && !list.contains(item) {
            list.push(item.clone());
        }
    }
}

fn replace<T: Clone + PartialEq>(list: &mut Vec<T>, new: &[T], adds: bool) {
    if !new.is_empty() {
        if !adds {
            list.clear();
        }
        extend(list, new);
    }
}

/// A city without a state is in the state that was spoken of, if that has one.
fn in_state(place: &Place, near: Option<crate::record::State>) -> Place {
    let [Area { state: None, city: Some(city), near: None, .. }] = &place.areas[..] else {
        return place.clone();
    };
    let there = near.filter(|state| places::has_city(&places::city_key(city), *state));
    let Some(state) = there else { return place.clone() };
    let areas = vec![Area { state: Some(state), ..place.areas[0].clone() }];
    Place { areas, name: format!("{city}, {state}"), state: Some(state), ..place.clone() }
}
