//! The places of one message, resolved together.
//!
//! A word seldom names a place alone: the state of one decides among the namesakes of another, and an
//! ordinary word that is a place elsewhere (*Ward*, *Valley*, *Lodge*) is none beside a more certain one.

use std::ops::Range;

use super::area;
use super::frame::NamedPlace;
use super::place;
use super::region;
use crate::places;
use crate::record::State;

/// ZIP codes from which on a city is not small, and is a city though its name is an ordinary word:
/// *Mobile*, *Reading*.
const WORD_ZIPS_MIN: usize = 4;

/// Towns of a list from which on the only state that has them all decides which they are.
const JOINT_TOWNS_MIN: usize = 3;

/// Places that neighbouring words of a message name.
#[derive(Debug, Clone)]
pub(super) struct PlaceMention {
    pub(super) places: Vec<NamedPlace>,
    /// Bytes of the message.
    pub(super) bytes: Range<usize>,
}

/// How certain a place is from its name alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Certainty {
    /// A small city, or one whose name is an ordinary word.
    Doubtful,
    /// One of several namesakes.
    Ambiguous,
    Certain,
}

/// Resolves mentions: gives each place the state that the others imply, and drops doubtful places
/// from mentions that lie nowhere near the others. If they imply no state, it is the state under
/// discussion, provided that one of them is there. `count` returns how many rows a place has.
pub(super) fn assign<E>(
    text: &str,
    mentions: &mut [PlaceMention],
    before: Option<State>,
    count: &mut dyn FnMut(&NamedPlace) -> Result<u64, E>,
) -> Result<(), E> {
    let judged: Vec<Vec<Certainty>> = mentions
        .iter()
        .map(|mention| {
            let names_state = place::names_state(&text[mention.bytes.clone()]);
            let of = |place: &NamedPlace| certainty(place, names_state && place.state.is_some());
            mention.places.iter().map(of).collect()
        })
        .collect();
    let all = || mentions.iter().zip(&judged).flat_map(|(m, j)| m.places.iter().zip(j));
    let joint = joint_state(text, mentions);
    let certain = all().filter(|(_, certainty)| **certainty == Certainty::Certain);
    let mut states: Vec<State> = match joint {
        Some(joint) => vec![joint],
        None => certain.flat_map(|(place, _)| states_of(place)).collect(),
    };
    states.sort_unstable();
    states.dedup();
    let is_there = |state: &State| all().any(|(place, _)| namesake(place, *state).is_some());
    if states.is_empty() {
        states.extend(before.filter(is_there));
    }
    if states.is_empty() {
        // `a librarian in Maine. societies in Lincoln County`.
        let is_apart = |bytes: &Range<usize>| {
            mentions.iter().all(|one| bytes.end <= one.bytes.start || one.bytes.end <= bytes.start)
        };
        let hints = place::hints(text).into_iter().filter(|(_, bytes)| is_apart(bytes));
        for (hint, _) in hints {
            let Some(state) = states_of(&hint).into_iter().find(is_there) else { continue };
            // `flynn theater burlington`: Flynn, Texas, is hinted at only if Burlington, Texas, has somebody.
            let there = all().find_map(|(place, _)| namesake(place, state));
            let there = there.filter(|_| is_small_city(&hint));
            if there.map(|place| count(&place)).transpose()? != Some(0) {
                states.push(state);
                break;
            }
        }
    }
    if states.is_empty() {
        let open: Vec<&NamedPlace> = all().map(|(place, _)| place).collect();
        states.extend(common_state(&open, count)?);
    }
    for (mention, judged) in mentions.iter_mut().zip(judged) {
        let is_led = place::is_led(text, mention.bytes.start);
        let resolve = |(place, certainty): (&NamedPlace, Certainty)| match certainty {
            Certainty::Certain if joint.is_none() => Some(place.clone()),
            _ => match states.iter().find_map(|state| namesake(place, *state)) {
                Some(there) => Some(there),
                None if certainty > Certainty::Doubtful => Some(place.clone()),
                None => Some(place.clone()).filter(|_| states.is_empty() && is_led),
            },
        };
        mention.places = mention.places.iter().zip(judged).filter_map(resolve).collect();
    }
    Ok(())
}

/// Whether a place is a city of few ZIP codes.
pub(super) fn is_small_city(place: &NamedPlace) -> bool {
    place.city.as_deref().is_some_and(|city| zips_of(&places::city_key(city)) < WORD_ZIPS_MIN)
}

/// ZIP codes of the greatest city of a key.
fn zips_of(key: &str) -> usize {
    places::find_cities(key).first().map_or(0, |city| city.primary_zips)
}

fn certainty(place: &NamedPlace, names_state: bool) -> Certainty {
    if names_state || place.is_state() || place.zip.is_some() {
        return Certainty::Certain;
    }
    let Some(city) = &place.city else {
        return match place.areas.iter().all(|area| area.state.is_some()) {
            true => Certainty::Certain,
            false => Certainty::Ambiguous,
        };
    };
    let key = places::city_key(city);
    match area::is_one_city(&key) {
        _ if region::is_word(&key) && zips_of(&key) < WORD_ZIPS_MIN => Certainty::Doubtful,
        true => Certainty::Certain,
        false => Certainty::Ambiguous,
    }
}

fn states_of(place: &NamedPlace) -> Vec<State> {
    let own = place.state.into_iter();
    let states = own.chain(place.areas.iter().filter_map(|area| area.state));
    match states.collect::<Vec<_>>() {
        // Of a circle the state is that of its city.
        states if states.is_empty() => {
            let city = place.city.as_deref().map(places::city_key);
            let cities = city.map_or(&[][..], |key| places::find_cities(&key));
            cities.first().map(|city| city.state).into_iter().collect()
        }
        states => states,
    }
}

/// The place of that name in a state: a city, else a county.
fn namesake(place: &NamedPlace, state: State) -> Option<NamedPlace> {
    let Some(city) = place.city.as_deref() else { return place.within(state) };
    let key = places::city_key(city);
    if places::has_city(&key, state) {
        let miles = place.areas.iter().find_map(|area| area.near).map(|near| near.1);
        return Some(area::city(&key, Some(state), miles));
    }
    let key = places::county_key(city);
    places::county(&key, state).map(|_| area::county(&key, Some(state)))
}

/// The only state that has all the towns of a list, whichever of their namesakes are the greatest: Arkansas of `Helena, West
/// Helena and Marianna`. `None` where the text says a state, and of fewer towns.
fn joint_state(text: &str, mentions: &[PlaceMention]) -> Option<State> {
    let says_state = |mention: &PlaceMention| place::names_state(&text[mention.bytes.clone()]);
    let towns: Vec<&NamedPlace> = mentions.iter().flat_map(|mention| &mention.places).collect();
    let is_town = |place: &&NamedPlace| place.city.is_some() && place.zip.is_none();
    if towns.len() < JOINT_TOWNS_MIN
        || !towns.iter().all(is_town)
        || mentions.iter().any(says_state)
    {
        return None;
    }
    only_state_with(&towns)
}

/// The only state that has all of some places.
fn only_state_with(places: &[&NamedPlace]) -> Option<State> {
    let has_all = |state: &State| places.iter().all(|place| namesake(place, *state).is_some());
    let mut states = State::all().filter(has_all);
    states.next().filter(|_| states.next().is_none())
}

/// The state that has most of some places with rows, where any has at least two of them; of several the one that
/// has most of them, then most rows.
fn common_state<E>(
    open: &[&NamedPlace],
    count: &mut dyn FnMut(&NamedPlace) -> Result<u64, E>,
) -> Result<Option<State>, E> {
    // `Ironton or Portsmouth`: only Ohio has both, though the data may have nobody there.
    if let Some(state) = only_state_with(open).filter(|_| open.len() >= 2) {
        return Ok(Some(state));
    }
    let there = |state: State| open.iter().filter_map(|place| namesake(place, state)).collect();
    let states = State::all().map(|state| (state, there(state)));
    let states: Vec<(State, Vec<NamedPlace>)> = states.collect();
    let most = states.iter().map(|(_, places)| places.len()).max().unwrap_or(0);
    let mut best = None;
    for (state, places) in states.iter().filter(|(_, places)| most >= 2 && !places.is_empty()) {
        let counts = places.iter().map(&mut *count).collect::<Result<Vec<u64>, E>>()?;
        // Where nobody is says little of where all of them lie.
        let inhabited = counts.iter().filter(|rows| **rows > 0).count();
        let key = (inhabited, places.len(), counts.iter().sum::<u64>());
        if best.is_none_or(|(known, _)| key > known) {
            best = Some((key, *state));
        }
    }
    Ok(best.map(|(_, state)| state))
}

/// Places that a text of which nothing is known to be a place may name.
pub fn hinted_places(text: &str) -> Vec<NamedPlace> {
    let mut mentions: Vec<PlaceMention> = place::hints(text)
        .into_iter()
        .map(|(place, bytes)| PlaceMention { places: vec![place], bytes })
        .collect();
    let Ok(()) = assign(text, &mut mentions, None, &mut |_| Ok::<u64, std::convert::Infallible>(0));
    // A state beside what lies in it says nothing more.
    let mut places: Vec<NamedPlace> =
        mentions.into_iter().flat_map(|mention| mention.places).collect();
    let inner: Vec<State> =
        places.iter().filter(|place| !place.is_state()).flat_map(states_of).collect();
    places.retain(|place| !(place.is_state() && place.state.is_some_and(|s| inner.contains(&s))));
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hamlet_hints_only_at_towns_with_somebody() {
        let assigned = |rows_there: u64| {
            let text = "flynn theater burlington";
            let bytes = 14..text.len();
            let places = vec![area::city("burlington", None, None)];
            let mut mentions = [PlaceMention { places, bytes }];
            let mut count = |place: &NamedPlace| {
                let is_there = place.state.map(State::code) == Some("TX");
                Ok::<u64, std::convert::Infallible>(if is_there { rows_there } else { 9 })
            };
            let Ok(()) = assign(text, &mut mentions, None, &mut count);
            mentions[0].places[0].state.map(State::code)
        };
        assert_eq!(assigned(1), Some("TX"));
        assert_ne!(assigned(0), Some("TX"));
    }

    #[test]
    fn places_of_one_message_settle_each_other() {
        let cases = [
            ("anacostia ward 8", "Washington, DC"),
            ("little league in tooele valley utah", "Tooele Valley"),
            ("pta in boise", "Boise, ID"),
            ("summersville or richwood wv", "Summersville, WV; Richwood, WV"),
            ("lafourche parish louisiana", "Lafourche Parish, LA"),
            ("food pantries in lincoln parish", "Lincoln Parish, LA"),
            ("food pantries in lincoln county", "Lincoln County"),
            ("quilt guilds vermont", "Vermont"),
            ("save the bay the rhode island one", "Rhode Island"),
            ("food for the hungry", ""),
        ];
        let found = cases.map(|(text, _)| {
            let names: Vec<String> =
                hinted_places(text).into_iter().map(|place| place.name).collect();
            (text, names.join("; "))
        });
        let expected = cases.map(|(text, names)| (text, names.to_owned()));
        assert_eq!(found, expected);
    }
}
