//! Edits of a frame: each part of a message sets, adds, excludes or clears something.

use super::attributes::sizes_but;
use super::frame::{ALTERNATIVE, Frame, NamedPlace, Organization};
use super::phrases;
use crate::places;
use crate::query::{Area, Figure, Flag, Range, Sort};
use crate::reader::{Bound, Operation};
use crate::record::{Ein, OrgSize, Sdg, SdgSet, State, Subsection};

/// An edit.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Edit {
    pub(super) value: Value,
    pub(super) operation: Operation,
}

/// The slot that is changed, and its value; an empty list clears it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Places(Vec<NamedPlace>),
    Range {
        figure: Figure,
        range: Range,
        /// Whether the words name the bounded end: `the minimum`.
        is_named: bool,
    },
    /// The state of the city that was asked for.
    WholeState,
    /// Numbers that replace the bounds set before.
    Amounts {
        amounts: Vec<f64>,
        has_unit: bool,
        bound: Bound,
    },
    /// Clears a bound, or all bounds, of a figure or of all figures.
    AnyAmount {
        figure: Option<Figure>,
        bound: Bound,
    },
    Sizes(Vec<OrgSize>),
    Goals(SdgSet),
    Codes(Vec<String>),
    NotCodes(Vec<String>),
    NotNames(Vec<String>),
    Subsections(Vec<Subsection>),
    Flag(Flag, Option<bool>),
    Sort(Option<Sort>),
    Eins(Vec<Ein>),
    Organization(Organization),
    /// A cause: a frame of nothing else but the flags that it asks for.
    Cause(Box<Frame>),
    NoCause,
}

/// From this factor on, a bound counts as in thousands or millions, and so does a new number without a unit.
const UNITS: [f64; 2] = [1e6, 1e3];
/// Most bytes of a cause that follow-ups narrow.
const CAUSE_BYTES_MAX: usize = 512;
/// Most places, codes and the like that follow-ups add.
const LIST_MAX: usize = 32;

/// How a query relates to those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// It stands alone.
    New,
    /// It changes the frame before it.
    Refined,
    /// It undoes the last change.
    Back,
    /// It clears the frame.
    Reset,
}

impl Edit {
    /// Applies the edit to a frame that was `before` when the message began: values replace those
    /// of earlier messages, not those of the same message.
    pub(super) fn apply(&self, frame: &mut Frame, before: &Frame) {
        let operation = self.operation;
        match &self.value {
            Value::Places(places) => set_places(frame, before, places, operation),
            Value::Range { figure, range, is_named } => {
                set_range(frame, before, *figure, *range, *is_named);
            }
            Value::WholeState => {
                // Of a circle the state is that of its city.
                let of_city = || {
                    let city = frame.places.iter().find_map(|place| place.city.as_deref())?;
                    places::find_cities(&places::city_key(city)).first().map(|city| city.state)
                };
                let state = frame.state().or_else(of_city).or_else(|| before.state());
                let state = state.map(|state| Area { state: Some(state), ..Area::default() });
                frame.places = state.and_then(NamedPlace::of).into_iter().collect();
            }
            Value::Amounts { amounts, has_unit, bound } => {
                set_amounts(frame, amounts, *has_unit, *bound);
            }
            Value::AnyAmount { figure, bound } => clear_amounts(frame, *figure, *bound),
            // Any size has any revenue.
            Value::Sizes(sizes) if operation == Operation::Clear && sizes.is_empty() => {
                frame.choices.sizes.clear();
                frame.ranges[Figure::Revenue] = Range::default();
                frame.ranges[Figure::Expenses] = Range::default();
            }
            Value::Sizes(sizes) if leaves_out(sizes, operation, before) => {
                let others = sizes_but(sizes);
                set_list(&mut frame.choices.sizes, &before.choices.sizes, &others, Operation::Set);
            }
            Value::Sizes(sizes) => {
                set_list(&mut frame.choices.sizes, &before.choices.sizes, sizes, operation)
            }
            Value::Goals(goals) => {
                let [mut own, before, goals] =
                    [frame.sdgs, before.sdgs, *goals].map(|set| set.iter().collect::<Vec<Sdg>>());
                set_list(&mut own, &before, &goals, operation);
                frame.sdgs = own.into_iter().collect();
            }
            Value::Codes(codes) if operation == Operation::Not => {
                frame.ntee.retain(|own| !codes.contains(own));
                extend(&mut frame.not_ntee, codes);
            }
            Value::Codes(codes) => set_list(&mut frame.ntee, &before.ntee, codes, operation),
            Value::NotCodes(codes) => extend(&mut frame.not_ntee, codes),
            Value::NotNames(words) => extend(&mut frame.not_names, words),
            Value::Subsections(codes) => {
                set_list(&mut frame.subsections, &before.subsections, codes, operation);
            }
            Value::Flag(flag, asked) => frame.flags[*flag] = *asked,
            Value::Sort(sort) => frame.sort = sort.iter().copied().collect(),
            Value::Eins(eins) => set_list(&mut frame.eins, &before.eins, eins, operation),
            Value::Organization(found) => frame.organization = Some(found.clone()),
            Value::Cause(found) => {
                // What narrows is of the same kind still.
                if operation != Operation::Narrow {
                    set_flags_of_cause(frame, before, found);
                }
                set_cause(frame, found, operation);
            }
            Value::NoCause => {
                set_flags_of_cause(frame, before, &Frame::default());
                (frame.cause, frame.text, frame.cause_is_term) = (None, None, false);
                frame.cause_ntee.clear();
            }
        }
    }
}

/// What lies in the one state that is named apart is there, and the state goes: `Kentucky, Louisville`.
pub(super) fn join_states(edits: &mut Vec<Edit>) {
    let is_wanted = |edit: &Edit| edit.operation == Operation::Set;
    for edit in edits.iter_mut().filter(|edit| is_wanted(edit)) {
        // `Kansas, the Wichita area`.
        if let Value::Places(places) = &mut edit.value
            && let [first, part] = &places[..]
            && let Some(state) = first.state.filter(|_| first.is_state() && !part.is_state())
            && let Some(part) = part.within(state)
        {
            *places = vec![part];
        }
    }
    let state = |edit: &Edit| match &edit.value {
        Value::Places(places) if is_wanted(edit) => match &places[..] {
            [place] if place.is_state() => place.state,
            _ => None,
        },
        _ => None,
    };
    let mut states = edits.iter().enumerate().filter_map(|(at, edit)| Some((at, state(edit)?)));
    let (Some((at, state)), None) = (states.next(), states.next()) else { return };
    let is_open = |place: &NamedPlace| {
        place.areas.iter().all(|area| area.state.is_none_or(|own| own == state))
    };
    let mut joined = false;
    for edit in edits.iter_mut().filter(|edit| is_wanted(edit)) {
        let Value::Places(places) = &mut edit.value else { continue };
        let within = places.iter().map(|place| place.within(state).filter(|_| is_open(place)));
        if let Some(within) = within.collect::<Option<Vec<NamedPlace>>>() {
            (*places, joined) = (within, true);
        }
    }
    if joined {
        edits.remove(at);
    }
}

/// Whether a place that is not wanted is one of several that were asked for before.
pub(super) fn exchanges(edits: &[Edit], before: Option<&Frame>) -> bool {
    let places = before.map_or(&[][..], |before| &before.places[..]);
    let was_asked = |edit: &Edit| match &edit.value {
        Value::Places(not) if edit.operation == Operation::Not => {
            not.iter().any(|not| places.iter().any(|place| is_called_as(place, not)))
        }
        _ => false,
    };
    places.len() > 1 && edits.iter().any(was_asked)
}

/// `drop Ponce, the whole island`: where all of the state is asked for, places that were asked for before are not.
pub(super) fn leave_parts_of_state(edits: &mut Vec<Edit>, before: Option<&Frame>) {
    let places = before.map_or(&[][..], |before| &before.places[..]);
    if !edits.iter().any(|edit| edit.value == Value::WholeState) {
        return;
    }
    edits.retain(|edit| match &edit.value {
        Value::Places(said) => {
            !said.iter().all(|said| places.iter().any(|place| is_called_as(place, said)))
        }
        _ => true,
    });
}

/// `only those outside Anchorage`, after Anchorage: the rest of the state, unless the message names another place.
pub(super) fn keep_rest_of_state(edits: &[Edit], kept: &mut Frame, before: &Frame) {
    let mut left_out = Vec::new();
    for edit in edits {
        match &edit.value {
            Value::Places(places) if edit.operation == Operation::Not => left_out.extend(places),
            Value::Places(_) | Value::WholeState => return,
            _ => {}
        }
    }
    let Some(state) = before.state().filter(|_| !left_out.is_empty()) else { return };
    let is_part = left_out.iter().all(|place| !place.is_state());
    if kept.places.is_empty() && kept.not_places.is_empty() && is_part {
        let state = Area { state: Some(state), ..Area::default() };
        kept.places = NamedPlace::of(state).into_iter().collect();
        kept.not_places =
            left_out.into_iter().map(|place| in_state(place, before.state())).collect();
    }
}

/// Makes wanted places come beside those that were asked for before.
pub(super) fn add_places(edits: &mut [Edit]) {
    for edit in edits {
        if matches!(edit.value, Value::Places(_)) && edit.operation == Operation::Set {
            edit.operation = Operation::Add;
        }
    }
}

/// Whether two places have one name, of a county and of a city too: `Knox County` and `Knox`.
fn is_called_as(one: &NamedPlace, other: &NamedPlace) -> bool {
    let name = |place: &NamedPlace| {
        let first = place.name.split(", ").next().unwrap_or_default();
        first.trim_end_matches(" County").to_owned()
    };
    name(one) == name(other)
}

/// Whether sizes are unwanted: also where they are taken back and were not asked for, as in `drop the tiny ones`.
fn leaves_out(sizes: &[OrgSize], operation: Operation, before: &Frame) -> bool {
    let was_asked = |size: &OrgSize| before.choices.sizes.contains(size);
    match operation {
        Operation::Not => true,
        Operation::Clear => !sizes.iter().any(was_asked),
        _ => false,
    }
}

fn set_list<T: Clone + PartialEq>(
    list: &mut Vec<T>,
    before: &[T],
    new: &[T],
    operation: Operation,
) {
    match operation {
        Operation::Clear if new.is_empty() => list.clear(),
        Operation::Clear | Operation::Not => list.retain(|own| !new.contains(own)),
        Operation::Add => extend(list, new),
        Operation::Set | Operation::Narrow => {
            if list == before {
                list.clear();
            }
            extend(list, new);
        }
    }
}

fn set_places(frame: &mut Frame, before: &Frame, places: &[NamedPlace], operation: Operation) {
    let near = before.state();
    let places: Vec<NamedPlace> = places.iter().map(|place| in_state(place, near)).collect();
    let overlaps = |one: &NamedPlace| places.iter().any(|other| one.areas == other.areas);
    match operation {
        Operation::Clear if places.is_empty() => {
            frame.places.clear();
            frame.not_places.clear();
        }
        Operation::Clear => {
            frame.places.retain(|own| !overlaps(own));
            frame.not_places.retain(|own| !overlaps(own));
        }
        Operation::Not => {
            let overlaps =
                |own: &NamedPlace| overlaps(own) || places.iter().any(|not| is_called_as(own, not));
            let asked = frame.places.len();
            frame.places.retain(|own| !overlaps(own));
            // What was asked for before and is not now is only asked for no longer.
            let was_asked = before.places.iter().any(overlaps);
            if frame.places.len() == asked && !was_asked {
                extend(&mut frame.not_places, &places);
            }
        }
        Operation::Add => {
            extend(&mut frame.places, &places);
            frame.not_places.retain(|own| !overlaps(own));
        }
        Operation::Set | Operation::Narrow => {
            if frame.places == before.places {
                frame.places.clear();
                frame.not_places.retain(|own| !before.not_places.contains(own));
            }
            extend(&mut frame.places, &places);
        }
    }
}

/// A bound takes the place of that bound, and leaves the other where both together leave something and
/// were not set as one, or where it is named (`the minimum to 2 million`).
fn set_range(frame: &mut Frame, before: &Frame, figure: Figure, new: Range, is_named: bool) {
    let old = before.ranges[figure];
    let range = &mut frame.ranges[figure];
    let was_pair = old.min.is_some() && old.max.is_some();
    if *range == old && was_pair && !is_named {
        // Repeating a bound changes nothing.
        let known = |new: Option<f64>, old| new.is_none() || new == old;
        if !(known(new.min, old.min) && known(new.max, old.max)) {
            *range = new;
        }
        return;
    }
    let both = Range { min: new.min.or(range.min), max: new.max.or(range.max) };
    let fits = both.min.zip(both.max).is_none_or(|(min, max)| min < max || new == both);
    *range = if fits { both } else { new };
}

/// `make it 750k`: in the place of the bound that there is, of several the nearest; of revenue where there is
/// none.
fn set_amounts(frame: &mut Frame, amounts: &[f64], has_unit: bool, bound: Bound) {
    let mut bounded = frame.ranges.bounded();
    let figure = match (bounded.next(), bounded.next()) {
        (Some((only, _)), None) => only,
        _ => Figure::Revenue,
    };
    drop(bounded);
    let range = &mut frame.ranges[figure];
    let known = range.min.or(range.max).unwrap_or_default();
    let unit = UNITS.into_iter().find(|unit| known >= *unit).filter(|_| !has_unit).unwrap_or(1.0);
    let scaled = |amount: f64| if amount < 1e3 { amount * unit } else { amount };
    match *amounts {
        [low, .., high] => {
            *range = Range { min: Some(scaled(low)), max: Some(scaled(high)) };
        }
        [amount] => {
            let amount = scaled(amount);
            let distance = |bound: f64| (amount.max(1.0) / bound.max(1.0)).ln().abs();
            let is_upper = match (bound, range.min, range.max) {
                (Bound::Max, ..) => true,
                (Bound::Min, ..) | (_, _, None) => false,
                (_, None, Some(_)) => true,
                (_, Some(min), Some(max)) => distance(max) < distance(min),
            };
            *range = if is_upper {
                Range { max: Some(amount), min: range.min.filter(|min| *min < amount) }
            } else {
                Range { min: Some(amount), max: range.max.filter(|max| *max > amount) }
            };
        }
        [] => {}
    }
}

/// Sets the flags of a cause that takes the place of another, whose own go.
fn set_flags_of_cause(frame: &mut Frame, before: &Frame, found: &Frame) {
    for (name, _) in phrases::meanings("flag of a cause") {
        let Some(flag) = Flag::named(name) else { continue };
        let was_asked = frame.flags[flag] == Some(true) && frame.flags[flag] == before.flags[flag];
        if found.flags[flag].is_some() || was_asked {
            frame.flags[flag] = found.flags[flag];
        }
    }
}

fn set_cause(frame: &mut Frame, found: &Frame, operation: Operation) {
    let joins = matches!(operation, Operation::Add | Operation::Narrow)
        && frame.cause.as_ref().zip(found.cause.as_ref()).is_some_and(|(before, new)| {
            // `women veterans` says `veterans` again.
            let is_told_again = before.split(' ').all(|word| new.split(' ').any(|own| own == word));
            before.len() + new.len() < CAUSE_BYTES_MAX && !is_told_again
        });
    if !joins {
        frame.cause.clone_from(&found.cause);
        frame.text.clone_from(&found.text);
        frame.cause_ntee.clone_from(&found.cause_ntee);
        frame.cause_is_term = found.cause_is_term;
        frame.organization = None;
        return;
    }
    // Repeating a cause adds nothing.
    let known = frame.cause.as_ref().zip(found.cause.as_ref());
    if known.is_some_and(|(before, new)| before.contains(new.as_str())) {
        return;
    }
    let join = |a: &Option<String>, b: &Option<String>, joint: &str| {
        let words: Vec<&str> = [a, b].into_iter().flatten().map(String::as_str).collect();
        (!words.is_empty()).then(|| words.join(joint))
    };
    // What is added is another kind, what narrows is another word of the same.
    let joint = if operation == Operation::Add { ALTERNATIVE } else { " " };
    frame.cause = join(&frame.cause, &found.cause, joint);
    frame.text = join(&frame.text, &found.text, " ");
    extend(&mut frame.cause_ntee, &found.cause_ntee);
    frame.cause_is_term = false;
}

/// No bound, or not that one, of a figure or of all.
fn clear_amounts(frame: &mut Frame, figure: Option<Figure>, bound: Bound) {
    let ranges = frame.ranges.iter_mut();
    for (_, range) in ranges.filter(|(own, _)| figure.is_none_or(|only| only == *own)) {
        match bound {
            Bound::Min => range.min = None,
            Bound::Max => range.max = None,
            _ => *range = Range::default(),
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

/// Puts a city or county without a state into the state under discussion, if that has one.
fn in_state(place: &NamedPlace, near: Option<State>) -> NamedPlace {
    let is_open = matches!(
        place.areas[..],
        [Area { state: None, city: Some(_), county: None, zip: None, near: None }
            | Area { state: None, city: None, county: Some(_), zip: None, near: None }]
    );
    let there = near.filter(|_| is_open).and_then(|state| place.within(state));
    there.unwrap_or_else(|| place.clone())
}
