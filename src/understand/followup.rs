//! A query that follows another: what it refines, replaces, clears, or begins anew.

use super::cues::{Cause, Cues, Slot};
use super::frame::{Frame, Place, Understanding};
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

/// What is asked for after a query, and how it came about.
pub fn follow(earlier: &Frame, cues: &Cues, heard: &Understanding) -> (Frame, Step) {
    if cues.is_reset() {
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
    if let Some(amount) = cues.amount.filter(|_| frame.is_empty() || frame.cause.is_some()) {
        set_bound(&mut next, amount);
        return (next, Step::Refined);
    }
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
        Slot::City => {
            let state = frame.state().map(|state| Area { state: Some(state), ..Area::default() });
            frame.places = state.and_then(Place::of).into_iter().collect();
        }
        Slot::Revenue => frame.revenue = any,
        Slot::Expenses => frame.expenses = any,
        Slot::Assets => frame.assets = any,
        Slot::Employees => frame.employees = any,
        Slot::Score => frame.score = any,
        Slot::Rating => frame.rating = any,
        Slot::Upper => next_ranges(frame, |range| range.max = None),
        Slot::Lower => next_ranges(frame, |range| range.min = None),
        // Any size has any revenue.
        Slot::Sizes => {
            frame.sizes.clear();
            (frame.revenue, frame.expenses) = (any, any);
        }
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
        Slot::Vetting => frame.vetted = None,
    }
}

fn next_ranges(frame: &mut Frame, change: impl Fn(&mut Range)) {
    frame.ranges_mut().into_iter().for_each(change);
}

/// `I meant 1 million`: the one bound that there is, corrected.
fn set_bound(frame: &mut Frame, amount: f64) {
    let set = frame.ranges_mut().into_iter().filter(|range| !range.is_open());
    if let [range] = &mut set.collect::<Vec<_>>()[..] {
        match (range.min, range.max) {
            (Some(_), None) => range.min = Some(amount),
            (None, Some(_)) => range.max = Some(amount),
            _ => {}
        }
    }
}

fn refine(next: &mut Frame, heard: &Frame, cues: &Cues) {
    if !heard.places.is_empty() {
        let near = next.state();
        let mut places: Vec<Place> =
            heard.places.iter().map(|place| in_state(place, near)).collect();
        // `I meant the one in Maine`: the city of that name there.
        if let ([before], [Place { state: Some(state), city: None, zip: None, .. }]) =
            (&next.places[..], &places[..])
            && cues.opening == Some(Cause::Corrects)
            && before.city.is_some()
            && let Some(there) = super::merge::place_in(before, *state)
        {
            places = vec![there];
        }
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
    next.vetted = heard.vetted.or(next.vetted);
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
