//! Where nonprofits are: which places are named together, and which of several of one name is meant.

use std::cmp::Reverse;
use std::ops::Range as Span;

use super::super::area;
use super::super::area::NamedArea;
use super::super::frame::{Frame, NamedPlace};
use super::super::phrases;
use super::super::place::{self, places_in, places_named};
use super::super::place_assignment::{self, PlaceMention, is_small_city};
use super::super::region;
use super::super::token::{Token, Tokens};
use super::{Decoder, Value, says};
use crate::mapped::Damage;
use crate::naming::normalise;
use crate::places;
use crate::query::Area;
use crate::reader::{self, Act, Operation, Role};
use crate::record::State;

/// A place that is less sure than this is none where another one is surer and nothing joins them: `Section 8 housing,
/// Gary IN`.
const PLACE_SURE_MIN: f32 = 0.9;

/// Counties of a list that only one state has, from which on nothing else is meant.
const COUNTIES_MIN: usize = 3;

/// A town is meant, and not the county of its name, where that has at most this many times its nonprofits.
const TOWN_SHARE: u64 = 2;

/// Nonprofits of a place from which on it may be meant instead of a larger city of its name where the data has nobody.
const NAMESAKE_ROWS_MIN: u64 = 20;

/// Words before a place that may say that what is near it is meant.
const NEAR_WORDS_MAX: usize = 2;

/// The town of a state that words name, unless they say a county.
fn town_of_county(words: &str, state: State) -> Option<NamedPlace> {
    let key = places::city_key(words);
    let is_town = places::has_city(&key, state) && !says(words, "county");
    is_town.then(|| area::city(&key, Some(state), None))
}

/// Makes counties of the towns of a list whose last place is a county: `Bernalillo and Sandoval counties`.
fn as_counties(places: &mut [NamedPlace]) {
    let is_county = |place: &NamedPlace| place.areas.iter().all(|area| area.county.is_some());
    let Some(state) = places.iter().find(|place| is_county(place)).and_then(|place| place.state)
    else {
        return;
    };
    for place in places {
        let Some(town) = place.city.clone().filter(|_| place.areas.len() == 1) else { continue };
        let is_county = places::county(&places::county_key(&town), state).is_some();
        let area = Area { county: Some(town), state: Some(state), ..Area::default() };
        if is_county {
            *place = NamedPlace::of(area).unwrap_or_default();
        }
    }
}

impl Decoder<'_> {
    /// Places that stand in a list, with what makes the first the middle of a circle; gives the span
    /// behind them.
    pub(super) fn read_places(&mut self, first: usize) -> Result<usize, Damage> {
        let spans = &self.message.spans;
        let operation = spans[first..]
            .iter()
            .find(|span| span.role == Role::Place)
            .map_or(Operation::Set, |place| place.operation);
        let before = &self.text[..spans[first].bytes.start];
        let kept = before.split_whitespace().next_back().is_some_and(|word| says(word, "still"));
        let operation = if kept { Operation::Set } else { operation };
        let end = self.list_end(first, operation);
        let bytes = self.bytes_of_list(first, end);
        let probability = spans[first..end].iter().map(|span| span.probability).fold(1.0, f32::min);
        let is_sure = |at: usize| spans[at].probability >= PLACE_SURE_MIN;
        let others = (0..spans.len()).filter(|at| !(first..end).contains(at));
        let mut other_places = others.filter(|at| spans[*at].role == Role::Place);
        if operation == Operation::Set && !(first..end).any(is_sure) && other_places.any(is_sure) {
            self.causes.push((bytes, Operation::Set));
            return Ok(end);
        }
        let words = &self.text[bytes.clone()];
        if is_bare_direction(before, words) {
            self.leave_unread(bytes);
            return Ok(end);
        }
        let places = self.places_said(words)?;
        if places.is_empty() && says(words, "whole state") {
            self.edit(Value::WholeState, operation, bytes, "the whole state", probability);
            return Ok(end);
        }
        let is_everywhere = || says(words, "everywhere") || says(words, "whole country");
        if operation == Operation::Clear || (places.is_empty() && is_everywhere()) {
            let is_city = says(words, "city slot");
            let value = if is_city { Value::WholeState } else { Value::Places(places) };
            self.edit(value, Operation::Clear, bytes, "any place", probability);
            return Ok(end);
        }
        if places.is_empty() {
            // A country, or a place that no gazetteer has: it tells what they do, and ranks.
            let has_place = spans[first..end].iter().any(|span| span.role == Role::Place);
            match has_place && operation != Operation::Not {
                true => self.causes.push((bytes, Operation::Set)),
                // `not the haldercombe`: no place, and perhaps a word of names.
                false => {
                    let span = reader::Span { bytes, ..spans[first].clone() };
                    self.read_unwanted_names(&span)?;
                }
            }
            return Ok(end);
        }
        let mut places = self.of_that_name(places, operation);
        self.leave_uncovered_state(words, &mut places)?;
        if self.leave_empty_cities(words, &bytes, &mut places)? {
            self.causes.push((bytes, Operation::Set));
            return Ok(end);
        }
        let bytes = bytes.start + place::start_of_places(words)..bytes.end;
        let bytes = match operation {
            Operation::Set => self.with_misspelt_city(&mut places, &bytes)?..bytes.end,
            _ => bytes,
        };
        let mention = PlaceMention { places, bytes };
        self.mentions.push((mention, operation, probability));
        Ok(end)
    }

    /// The bytes of a list of places: with what says that what is near is meant, and with names that the reader cut or
    /// left.
    fn bytes_of_list(&self, first: usize, end: usize) -> Span<usize> {
        let spans = &self.message.spans;
        let tokens = &self.tokens;
        let start = spans[first].bytes.start;
        let at = tokens.position(start);
        // `cerca de Wichita`.
        let leads = |from: &usize| {
            let end = tokens.any_phrase(*from, phrases::of("near"));
            end.is_some_and(|end| (end..at).all(|at| place::is_preposition(tokens.form(at))))
        };
        let near = (at.saturating_sub(NEAR_WORDS_MAX)..at).find(leads);
        let start = near.map_or(start, |near| tokens.list[near].span.start);
        let bytes = start..spans[end - 1].bytes.end;
        let bytes = place::widened(&self.tokens, bytes);
        let is_free = |name: &Span<usize>| {
            let others = self.message.spans[end..].iter();
            let mut read = others.filter(|other| other.role != Role::Nothing);
            read.all(|other| other.bytes.start >= name.end || other.bytes.end <= name.start)
        };
        place::continued(&self.tokens, bytes, is_free)
    }

    /// Resolves the places of the message together, and asks for them; the words of those that are none say what
    /// nonprofits do.
    pub(super) fn assign_places(&mut self) -> Result<(), Damage> {
        let mentions = std::mem::take(&mut self.mentions).into_iter();
        let (mut rest, wanted): (Vec<_>, Vec<_>) =
            mentions.partition(|(_, operation, _)| *operation == Operation::Not);
        let mut mentions: Vec<PlaceMention> =
            wanted.iter().map(|(mention, ..)| mention.clone()).collect();
        let before = self.earlier.and_then(Frame::state);
        let mut count = |place: &NamedPlace| self.count(place);
        place_assignment::assign(self.text, &mut mentions, before, &mut count)?;
        for ((old, operation, probability), mention) in wanted.into_iter().zip(mentions) {
            match mention.places.is_empty() && !old.places.is_empty() {
                true => self.causes.push((mention.bytes, Operation::Set)),
                false => rest.push((mention, operation, probability)),
            }
        }
        for (PlaceMention { mut places, bytes }, operation, probability) in rest {
            for (cause, _) in &mut self.causes {
                *cause = without(cause, &bytes);
            }
            self.causes.retain(|(cause, _)| !cause.is_empty());
            self.choose_among_namesakes(&mut places)?;
            if says(&self.text[bytes.start..], "counties") {
                as_counties(&mut places);
            }
            let meaning = match operation {
                Operation::Not => format!("not in {}", place::named(&places)),
                _ => format!("in {}", place::named(&places)),
            };
            self.edit(Value::Places(places), operation, bytes, &meaning, probability);
        }
        Ok(())
    }

    /// The span behind a list of places, each joined to the one before it.
    fn list_end(&self, first: usize, operation: Operation) -> usize {
        let spans = &self.message.spans;
        let mut end = first + 1;
        while let Some(next) = spans.get(end) {
            let between = &self.text[spans[end - 1].bytes.end..next.bytes.start];
            let joined = match next.role {
                Role::Place => next.operation == operation || spans[end - 1].role == Role::Near,
                _ => false,
            };
            let is_joint = Tokens::of(between).list.iter().all(|token| {
                token.is_joint() || place::is_preposition(&token.form) || token.form == "the"
            });
            if !joined || !is_joint {
                break;
            }
            end += 1;
        }
        end
    }

    /// `I meant the one in Maine`, or a state after a city of no state: the city that was asked for, as it
    /// is named there.
    fn of_that_name(&self, places: Vec<NamedPlace>, operation: Operation) -> Vec<NamedPlace> {
        let goes_on = self.message.act.label == Act::On && operation == Operation::Set;
        let refers = self.message.spans.iter().any(|span| span.role == Role::Reference);
        let before = self.earlier.map_or(&[][..], |earlier| &earlier.places[..]);
        if let ([city], [place]) = (before, &places[..])
            && city.city.is_some()
            && (refers || (goes_on && city.state.is_none()))
            && let Some(state) = place.state.filter(|_| place.is_state())
            && let Some(there) = city.within(state)
        {
            return vec![there];
        }
        places
    }

    /// The places that some words name.
    fn places_said(&self, words: &str) -> Result<Vec<NamedPlace>, Damage> {
        match self.listed_counties(words) {
            Some(counties) => Ok(counties),
            None => {
                let said = places_named(words, self.message.language.label);
                self.or_part_of_state(words, said)
            }
        }
    }

    /// `cabell, wayne or kanawha`, `Forrest or Lamar county`: where all names of a list are counties of one state, the one
    /// that is spoken of or the only one that has them.
    fn listed_counties(&self, words: &str) -> Option<Vec<NamedPlace>> {
        let names = names_of_list(words);
        if names.len() < 2 {
            return None;
        }
        let keys: Vec<String> = names.iter().map(|name| places::county_key(name)).collect();
        let has_all = |state: &State| keys.iter().all(|key| places::county(key, *state).is_some());
        let spoken_of = self.earlier.and_then(Frame::state).filter(has_all);
        let says_county = names.iter().any(|name| says(name, "county"));
        let is_clear = says_county || names.len() >= COUNTIES_MIN;
        let mut all = State::all().filter(has_all).filter(|_| is_clear);
        let only = all.next().filter(|_| all.next().is_none());
        let state = spoken_of.filter(|_| says_county || !self.names_cities(&names)).or(only)?;
        let county = |key: &String| {
            let county = Some(places::county(key, state)?.name.to_owned());
            NamedPlace::of(Area { county, state: Some(state), ..Area::default() })
        };
        keys.iter().map(county).collect()
    }

    /// Whether all of some names are towns of the state that is spoken of.
    fn names_cities(&self, names: &[&str]) -> bool {
        let Some(state) = self.earlier.and_then(Frame::state) else { return false };
        names.iter().all(|name| places::has_city(&places::city_key(name), state))
    }

    /// `cabell`, `pine rige`: a county or a misspelt town of the state that is spoken of, where no place of that state is
    /// called so otherwise.
    fn or_part_of_state(
        &self,
        words: &str,
        places: Vec<NamedPlace>,
    ) -> Result<Vec<NamedPlace>, Damage> {
        if let Some(region) = self.region_of_state(words) {
            return Ok(region);
        }
        let is_there = |state| places.iter().any(|place| place.state == Some(state));
        // `Portsmouth, Ohio` is no county of the state before, though one has the name of Ohio.
        let goes_on =
            self.message.act.label == Act::On && places.len() <= 1 && !place::names_state(words);
        let state =
            self.earlier.and_then(Frame::state).filter(|state| goes_on && !is_there(*state));
        let key = places::county_key(words);
        if let Some(county) = state.and_then(|state| places::county(&key, state)) {
            let county = Some(county.name.to_owned());
            let area = Area { county, state, ..Area::default() };
            let Some(county) = NamedPlace::of(area) else { return Ok(places) };
            let town = state.and_then(|state| town_of_county(words, state));
            return Ok(vec![match town {
                // `in Jackson`, of Mississippi, is the capital and not the county of that name.
                Some(town) if self.count(&town)? * TOWN_SHARE >= self.count(&county)? => town,
                _ => county,
            }]);
        }
        Ok(match state.filter(|_| places.is_empty()) {
            Some(state) => town_in_state(words, state).map_or(places, |town| vec![town]),
            None => places,
        })
    }

    /// `Delta counties`, of Mississippi: the region of the state that is spoken of, where a table has it by both names.
    fn region_of_state(&self, words: &str) -> Option<Vec<NamedPlace>> {
        let before = self.earlier.filter(|_| self.message.act.label == Act::On);
        let state = before.and_then(Frame::state)?;
        let form = normalise(words);
        let is_own = |word: &&str| super::tells(word) && !says(word, "county");
        let own: Vec<&str> = form.split(' ').filter(is_own).collect();
        let name = format!("{} {}", normalise(state.name()), own.join(" "));
        region::find(&name).filter(|_| !own.is_empty())?;
        Some(places_named(&name, self.message.language.label)).filter(|found| !found.is_empty())
    }

    /// The state that some words name alone: the great city of its name, where the data has somebody in
    /// that city and nobody in that state.
    fn leave_uncovered_state(&self, words: &str, places: &mut [NamedPlace]) -> Result<(), Damage> {
        let [place] = places else { return Ok(()) };
        let state = place.state.filter(|_| place.is_state());
        let Some(city) = state.and_then(|state| area::city_called(state, words)) else {
            return Ok(());
        };
        if self.count(place)? == 0 && self.count(&city)? > 0 {
            *place = city;
        }
        Ok(())
    }

    /// Gives cities where the data has nobody what may be meant instead; whether no place is left.
    fn leave_empty_cities(
        &self,
        words: &str,
        bytes: &Span<usize>,
        places: &mut Vec<NamedPlace>,
    ) -> Result<bool, Damage> {
        let surroundings = |place: &NamedPlace| area::around_city(place).into_iter().collect();
        let any = |_: &NamedPlace| 1;
        // Who speaks of Orlando means no hamlet of West Virginia.
        let enough = |city: &NamedPlace| if is_small_city(city) { 1 } else { NAMESAKE_ROWS_MIN };
        if place::names_state(words) {
            self.replace_empty_cities(places, surroundings, any)?;
            return Ok(false);
        }
        // `Norfolk` of Nebraska alone, `Arkansaw` of Wisconsin.
        self.replace_empty_cities(places, area::all_namesakes, enough)?;
        self.replace_empty_cities(places, misspelt_states, any)?;
        self.replace_empty_cities(places, surroundings, any)?;
        self.leave_unjoined_cities(words, places)?;
        self.is_small_and_empty(bytes, places)
    }

    /// Gives a city where the data has nobody what of `others` has most, if that has enough for that city.
    fn replace_empty_cities(
        &self,
        places: &mut [NamedPlace],
        others: impl Fn(&NamedPlace) -> Vec<NamedPlace>,
        rows_min: impl Fn(&NamedPlace) -> u64,
    ) -> Result<(), Damage> {
        for place in places {
            if place.city.is_none() || self.count(place)? > 0 {
                continue;
            }
            let mut most = rows_min(place).saturating_sub(1);
            for other in others(place) {
                let count = self.count(&other)?;
                if count > most {
                    (most, *place) = (count, other);
                }
            }
        }
        Ok(())
    }

    /// Whether words that nothing leads to name only a small city where the data has nobody: `archie bray pottery` is
    /// not about Bray, Oklahoma.
    pub(super) fn is_small_and_empty(
        &self,
        bytes: &Span<usize>,
        places: &[NamedPlace],
    ) -> Result<bool, Damage> {
        let [place] = places else { return Ok(false) };
        let before = self.text[..bytes.start].split_whitespace().next_back().map(normalise);
        // `leche de bebé`.
        let is_weak = before.is_some_and(|word| phrases::has("weak preposition", &word));
        let is_led = (place::is_led(self.text, bytes.start) && !is_weak)
            || Tokens::of(&self.text[bytes.clone()])
                .list
                .iter()
                .any(|token| place::is_preposition(&token.form));
        let before = self.earlier.and_then(Frame::state);
        let is_elsewhere = before.is_some() && place.state.is_some() && place.state != before;
        let is_word =
            || place.city.as_deref().is_some_and(|city| region::is_word(&places::city_key(city)));
        let is_doubtful = is_small_city(place) && !is_led;
        Ok(is_doubtful && ((is_elsewhere && is_word()) || self.count(place)? == 0))
    }

    /// Of cities without a conjunction between them, keeps those where the data has somebody: `skating clubb anchorage`
    /// does not name Clubb, Missouri.
    pub(super) fn leave_unjoined_cities(
        &self,
        words: &str,
        places: &mut Vec<NamedPlace>,
    ) -> Result<(), Damage> {
        if places.len() < 2 || Tokens::of(words).list.iter().any(Token::is_joint) {
            return Ok(());
        }
        let counts = places.iter().map(|place| self.count(place));
        let counts = counts.collect::<Result<Vec<_>, Damage>>()?;
        if counts.iter().any(|count| *count > 0) {
            let mut counts = counts.into_iter();
            places.retain(|_| counts.next() > Some(0));
        }
        Ok(())
    }

    /// Of cities of one name the one in which the data has far more than in any other.
    fn choose_among_namesakes(&self, places: &mut [NamedPlace]) -> Result<(), Damage> {
        for place in places {
            let namesakes = area::namesakes(place).into_iter();
            let counted = namesakes.map(|one| Ok((self.count(&one)?, one)));
            let mut counted = counted.collect::<Result<Vec<_>, Damage>>()?;
            counted.sort_by_key(|(count, _)| Reverse(*count));
            let next = counted.get(1).map_or(0, |(count, _)| *count);
            let most = counted.into_iter().next();
            if let Some((count, one)) = most
                && count >= area::DOMINANCE as u64 * next.max(1)
            {
                *place = one;
            }
        }
        Ok(())
    }

    /// How many nonprofits are in a place.
    fn count(&self, place: &NamedPlace) -> Result<u64, Damage> {
        self.names.count(&Frame { places: vec![place.clone()], ..Frame::default() })
    }
}

/// The state that a small city misspells.
fn misspelt_states(city: &NamedPlace) -> Vec<NamedPlace> {
    let name = city.city.as_deref().filter(|_| is_small_city(city));
    let state = name.and_then(place::misspelt_state);
    state.map(|state| area::exact_place(&NamedArea::State(state))).into_iter().collect()
}

/// Whether some words are a point of the compass that no article makes a region of, as in `on 4th south`.
fn is_bare_direction(before: &str, words: &str) -> bool {
    let is_direction = phrases::has("part of a state", &normalise(words));
    let last = before.split_whitespace().next_back().map(normalise);
    is_direction && !last.is_some_and(|word| phrases::has("before place", &word))
}

/// The names of a list: what stands between commas and conjunctions.
fn names_of_list(words: &str) -> Vec<&str> {
    let tokens = Tokens::of(words);
    let parts = tokens.parts(|at| tokens.list[at].is_joint()).into_iter();
    parts.map(|part| &words[tokens.span(part)]).collect()
}

/// The town of a state that some words name, perhaps with a misspelling.
pub fn town_in_state(words: &str, state: State) -> Option<NamedPlace> {
    let places = places_in(&format!("{}, {}", words.trim(), state.code()));
    places.into_iter().next().filter(|place| place.city.is_some() && place.state == Some(state))
}

/// A span without what another has of it at its ends.
fn without(span: &Span<usize>, other: &Span<usize>) -> Span<usize> {
    match (other.contains(&span.start), span.start < other.start && other.start < span.end) {
        (true, _) => other.end.min(span.end)..span.end,
        (_, true) => span.start..other.start,
        _ => span.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_town_with_the_name_of_a_county_is_no_county_unless_it_says_so() {
        let mississippi: State = "MS".parse().unwrap();
        let town = town_of_county("jackson", mississippi).unwrap();
        assert_eq!((town.city.as_deref(), town.state), (Some("Jackson"), Some(mississippi)));
        assert_eq!(town_of_county("Jackson County", mississippi), None);
        assert_eq!(town_of_county("Itawamba", mississippi), None);
    }
}
