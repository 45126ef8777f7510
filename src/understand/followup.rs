//! A query that follows another: what it refines, replaces, clears, or begins anew.

use super::frame::{Frame, Place, Understanding};
use super::token::Tokens;
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

const RESETS: [&str; 26] = [
    "start over", "reset", "clear", "new search", "start again", "start fresh", "begin again", "forget it",
    "forget that", "forget all that", "forget everything", "clear everything", "clear all", "clear filters",
    "clear all filters", "reset filters", "reset everything", "remove all filters", "lets start over",
    "start a new search", "from scratch", "empezar de nuevo", "borrar todo", "start from scratch", "nueva busqueda",
    "please start over",
];

/// What a follow-up may clear, and what it calls it.
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

#[rustfmt::skip]
const SLOTS: [(&str, Slot); 42] = [
    ("place", Slot::Places), ("location", Slot::Places), ("state", Slot::Places), ("city", Slot::Places),
    ("county", Slot::Places), ("zip", Slot::Places), ("zip code", Slot::Places), ("area", Slot::Places),
    ("region", Slot::Places), ("geography", Slot::Places), ("revenue", Slot::Revenue), ("budget", Slot::Revenue),
    ("income", Slot::Revenue), ("money", Slot::Revenue), ("expenses", Slot::Expenses), ("assets", Slot::Assets),
    ("employees", Slot::Employees), ("staff", Slot::Employees), ("score", Slot::Score), ("rating", Slot::Rating),
    ("ratings", Slot::Rating), ("stars", Slot::Rating), ("size", Slot::Sizes), ("sizes", Slot::Sizes),
    ("sdg", Slot::Goals), ("sdgs", Slot::Goals), ("goal", Slot::Goals), ("goals", Slot::Goals),
    ("ntee", Slot::Codes), ("ntee code", Slot::Codes), ("code", Slot::Codes), ("category", Slot::Codes),
    ("sort", Slot::Order), ("sorting", Slot::Order), ("order", Slot::Order), ("cause", Slot::Cause),
    ("topic", Slot::Cause), ("subject", Slot::Cause), ("foundation", Slot::Standing),
    ("deductibility", Slot::Standing), ("subsection", Slot::Standing), ("status", Slot::Standing),
];

const CLEARING: [&str; 24] = [
    "never mind the", "never mind", "nevermind the", "nevermind", "forget the", "forget about the", "drop the",
    "remove the", "ignore the", "clear the", "any", "regardless of", "regardless of the", "without the", "lose the",
    "no matter the", "doesnt matter the", "take off the", "undo the", "not limited by", "all", "forget", "remove", "drop",
];

const EVERYWHERE: [&str; 12] = [
    "anywhere", "everywhere", "nationwide", "in any state", "in all states", "all over the country",
    "across the country", "across the us", "in the us", "in the whole country", "in any city", "nationally",
];

/// Openings that keep what was asked for; whether they narrow the cause or put another in its place.
#[rustfmt::skip]
const OPENINGS: [(&str, Cause); 44] = [
    ("only", Cause::Narrows), ("just", Cause::Narrows), ("also", Cause::Narrows), ("and", Cause::Narrows),
    ("but", Cause::Narrows), ("but only", Cause::Narrows), ("and only", Cause::Narrows), ("with", Cause::Narrows),
    ("that", Cause::Narrows), ("which", Cause::Narrows), ("of those", Cause::Narrows), ("of these", Cause::Narrows),
    ("of them", Cause::Narrows), ("among those", Cause::Narrows), ("which of those", Cause::Narrows),
    ("which of them", Cause::Narrows), ("which ones", Cause::Narrows), ("show only", Cause::Narrows),
    ("show me only", Cause::Narrows), ("the ones", Cause::Narrows), ("ones", Cause::Narrows),
    ("narrow", Cause::Narrows), ("narrow it to", Cause::Narrows), ("narrow down to", Cause::Narrows),
    ("limit to", Cause::Narrows), ("limit it to", Cause::Narrows), ("filter", Cause::Narrows),
    ("filter to", Cause::Narrows), ("those", Cause::Narrows), ("these", Cause::Narrows), ("them", Cause::Narrows),
    ("exclude", Cause::Narrows), ("solo", Cause::Narrows), ("what about", Cause::Replaces),
    ("how about", Cause::Replaces), ("now", Cause::Replaces), ("now show me", Cause::Replaces),
    ("make it", Cause::Replaces), ("make that", Cause::Replaces), ("same for", Cause::Replaces),
    ("the same for", Cause::Replaces), ("same in", Cause::Replaces), ("y en", Cause::Replaces),
    ("any", Cause::Replaces),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cause {
    Narrows,
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
        let is_reset = tokens.any_phrase(0, RESETS) == Some(end);
        let opening = OPENINGS
            .iter()
            .filter_map(|(phrase, cause)| tokens.any_phrase(0, [*phrase]).map(|end| (end, *cause)))
            .max_by_key(|found| found.0);
        let instead = (0..end).any(|at| tokens.any_phrase(at, ["instead", "as well", "too"]).is_some());
        let adds = (0..end).any(|at| {
            tokens.any_phrase(at, ["also in", "and also", "also", "and in", "plus", "as well", "too", "add", "or in", "or"]) .is_some()
                && at <= 1
        }) || tokens.any_phrase(end.saturating_sub(2), ["as well"]).is_some();
        let mut cleared = Vec::new();
        for at in 0..end {
            if let Some(to) = tokens.any_phrase(at, EVERYWHERE) {
                cleared.push(Slot::Places);
                tokens.mark(at..to, super::token::Mark::Noise);
            }
            let Some(to) = tokens.any_phrase(at, CLEARING) else { continue };
            let slot = SLOTS
                .iter()
                .filter_map(|(name, slot)| tokens.any_phrase(to, [*name]).map(|end| (end, *slot)))
                .max_by_key(|found| found.0);
            if let Some((to, slot)) = slot {
                let tail = ["filter", "limit", "requirement", "range", "restriction", "cap", "minimum", "maximum", "limits"];
                let to = tokens.any_phrase(to, tail).unwrap_or(to);
                cleared.push(slot);
                tokens.mark(at..to, super::token::Mark::Noise);
            }
        }
        if let Some((end, _)) = opening.filter(|_| tokens.free_at(0).is_some()) {
            tokens.mark(0..end, super::token::Mark::Noise);
        }
        let opening = opening.map(|found| found.1);
        let mut rest = query.to_owned();
        for token in tokens.list.iter().rev().filter(|token| token.mark == super::token::Mark::Noise) {
            rest.replace_range(token.span.clone(), "");
        }
        let opening = opening.or(instead.then_some(Cause::Replaces));
        Self { rest, is_reset, cleared, opening, adds }
    }
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
    let there = near.filter(|state| {
        places::find_cities(&places::city_key(city)).iter().any(|city| city.state == *state)
    });
    let Some(state) = there else { return place.clone() };
    let areas = vec![Area { state: Some(state), ..place.areas[0].clone() }];
    Place { areas, name: format!("{city}, {state}"), state: Some(state), ..place.clone() }
}
