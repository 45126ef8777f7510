//! From a name as it was understood to one organization: never to one that lacks its words, nor to one of another state
//! than the message names with it.

use super::referents::UnresolvedName;
use super::{ROWS, Result, Turn};
use crate::naming::normalise;
use crate::query::{Area, Filters};
use crate::reader::{DialogueAct, Role};
use crate::record::{Ein, Organization, State};
use crate::search::called::{has_all_words, is_called};
use crate::search::details::details;
use crate::search::national::by_name;
use crate::search::nonprofits::{self, NonprofitPage, Query, RelevanceQuery};
use crate::understand::{self, Names as _, decode, is_bare_joint, states_of};

/// Words of a name that identify the only nonprofit so called in any state.
pub(super) const NAME_WORDS_SURE: usize = 3;

impl Turn<'_> {
    /// Resolves a name as understood; among several, the one in the state under discussion.
    pub(super) fn resolved(
        &self,
        found: understand::Organization,
    ) -> Result<Result<Ein, UnresolvedName>> {
        let states = self.states_beside(&found.asked)?;
        if states.is_empty()
            && let Some(ein) = self.national_called(&found.asked)?
        {
            return Ok(Ok(ein));
        }
        let only = self.only_with_name(&found.asked)?;
        if self.vouches()
            && only.is_none()
            && found.ein.is_some()
            && !self.snapshot.named(&found.asked)?.is_all_of_it()
        {
            return Ok(Err(UnresolvedName { asked: found.asked, count: 0 }));
        }
        if let Some(ein) = self.placed(&found, &states)? {
            return Ok(Ok(ein));
        }
        for ein in [found.ein, only].into_iter().flatten() {
            if !self.is_elsewhere(ein, &states)? && !self.is_borne_here(&found.asked, ein)? {
                return Ok(Ok(ein));
            }
        }
        Ok(Err(UnresolvedName { asked: found.asked, count: found.namesakes }))
    }

    /// Whether a short name, that one nonprofit elsewhere has just so, is part of others' names in the state under discussion:
    /// `United Way` of Maine's, in a talk about South Dakota.
    fn is_borne_here(&self, asked: &str, ein: Ein) -> Result<bool> {
        let state = self.conversation.frame.state().filter(|_| !self.has(Role::Place));
        let is_short = asked.split_whitespace().count() < NAME_WORDS_SURE;
        let Some(state) = state.filter(|_| is_short) else { return Ok(false) };
        let is_there = |one: &Organization| one.address.state == Some(state);
        if details(self.snapshot, ein)?.as_ref().is_none_or(is_there) {
            return Ok(false);
        }
        let area = Area { state: Some(state), ..Area::default() };
        let found = self.found_in(vec![area], &like_name(asked))?;
        Ok(found.rows.iter().any(|row| has_all_words(&row.organization, asked)))
    }

    /// The nonprofits of some areas, or anywhere, whose names are likest to what is asked.
    pub(super) fn found_in(
        &self,
        areas: Vec<Area>,
        like: &RelevanceQuery,
    ) -> Result<NonprofitPage> {
        let own = self.explicit.filters();
        let areas = if areas.is_empty() { own.areas.clone() } else { areas };
        let query = Query::of(Filters { areas, ..own }, like.clone(), ROWS);
        nonprofits::search(self.snapshot, &query)
    }

    /// The one that surely has a name in the place of the message, else in the state under discussion.
    fn placed(&self, found: &understand::Organization, states: &[State]) -> Result<Option<Ein>> {
        if found.ein.is_none() && found.namesakes == 1 {
            return Ok(None);
        }
        let frame = &self.conversation.frame;
        let place = self.words(Role::Place).map(str::to_owned);
        let place = place.or_else(|| frame.state().map(|state| state.name().to_owned()));
        let Some(place) = place else { return Ok(None) };
        let placed = format!("{}, {place}", found.asked);
        let Some(one) = self.snapshot.named(&placed)?.sure().map(|one| one.ein) else {
            return Ok(None);
        };
        let is_it =
            |one: &Organization| is_called(one, &found.asked) && !is_in_other_state(one, states);
        Ok(details(self.snapshot, one)?.filter(is_it).map(|one| one.ein))
    }

    /// The nationally known nonprofit that people call so, where it is on file: the American National Red Cross of `Red Cross`.
    fn national_called(&self, asked: &str) -> Result<Option<Ein>> {
        let Some(body) = by_name(asked) else { return Ok(None) };
        for name in &body.names {
            let Some(one) = self.snapshot.named(name)?.only_equal().map(|one| one.ein) else {
                continue;
            };
            let found = details(self.snapshot, one)?;
            if found.is_some_and(|one| one.address.state == Some(body.state)) {
                return Ok(Some(one));
            }
        }
        Ok(None)
    }

    /// The only nonprofit with exactly a name, its legal form aside, whoever is called much like it (`Maine Community Foundation`
    /// beside Maine Community Supporting Foundation); by a short name only in the state under discussion.
    pub(super) fn only_with_name(&self, asked: &str) -> Result<Option<Ein>> {
        let naming = self.snapshot.named(asked)?;
        let Some(one) = naming.only_equal() else { return Ok(None) };
        let words = asked.split_whitespace().count();
        let found = details(self.snapshot, one.ein)?;
        let is_there = |one: &Organization| {
            let state = self.conversation.frame.state();
            words >= NAME_WORDS_SURE
                || (words > 1 && state.is_none_or(|state| one.address.state == Some(state)))
        };
        Ok(found.filter(is_there).map(|one| one.ein))
    }

    /// The giant among those who bear a name that is not resolved.
    pub(super) fn giant(&self, asked: &str) -> Result<Option<Ein>> {
        let named = self.snapshot.named(asked)?;
        let bearer = || named.dominant_bearer().filter(|_| !self.vouches());
        let Some(one) = named.dominant().or_else(bearer) else { return Ok(None) };
        let is_there = !self.is_elsewhere(one.ein, &self.states_beside(asked)?)?;
        Ok(Some(one.ein).filter(|_| is_there))
    }

    /// Whether the message asks if somebody is what it claims to be: a look-alike is not vouched for.
    pub(super) fn vouches(&self) -> bool {
        use DialogueAct::{Deductible, Kind, Standing, Vetting};
        self.request.acts.iter().any(|act| matches!(act, Deductible | Kind | Standing | Vetting))
    }

    /// The states of the place that the message names right behind a name: `Salvation Army in Idaho`. Grants go anywhere.
    pub(super) fn states_beside(&self, asked: &str) -> Result<Vec<State>> {
        let is_beside = self.message.spans.windows(2).any(|pair| {
            let is_it = |range: std::ops::Range<usize>| self.text[range].trim() == asked.trim();
            pair[0].role == Role::Name
                && pair[1].role == Role::Place
                && is_it(pair[0].bytes.clone())
                && is_bare_joint(&self.text[pair[0].bytes.end..pair[1].bytes.start])
        });
        if !is_beside || self.asks_of_grants() {
            return Ok(Vec::new());
        }
        let places = decode(self.text, &self.message, None, self.snapshot)?.heard.frame.places;
        Ok(states_of(&places))
    }

    /// Whether the message asks who gave to whom.
    pub(super) fn asks_of_grants(&self) -> bool {
        use DialogueAct::{Funders, GrantsMade, GrantsReceived};
        let is_of_grants = |act: &DialogueAct| matches!(act, Funders | GrantsMade | GrantsReceived);
        self.request.acts.iter().any(is_of_grants)
    }

    fn is_elsewhere(&self, ein: Ein, states: &[State]) -> Result<bool> {
        let found = details(self.snapshot, ein)?.filter(|_| !states.is_empty());
        Ok(found.is_some_and(|one| is_in_other_state(&one, states)))
    }
}

/// Ranks by how like a name is to what is asked.
pub(super) fn like_name(asked: &str) -> RelevanceQuery {
    let question = Some(asked.to_owned());
    RelevanceQuery { question, is_name: true, ..RelevanceQuery::text(asked.to_owned()) }
}

/// Whether an organization is in none of some states, and has none of them in its name.
pub(super) fn is_in_other_state(one: &Organization, states: &[State]) -> bool {
    let name = normalise(&one.name);
    let is_of = |state: &State| name.contains(&normalise(state.name()));
    let own = one.address.state;
    !states.is_empty() && own.is_some_and(|own| !states.contains(&own)) && !states.iter().any(is_of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_of_another_state_is_not_the_one_that_was_named_with_a_state() {
        let state = |code: &str| -> State { code.parse().unwrap() };
        let of = |name: &str, own: Option<&str>| {
            let mut one = Organization::named("170000001".parse().unwrap(), name);
            one.address.state = own.map(state);
            is_in_other_state(&one, &[state("ID"), state("UT")])
        };
        assert!(of("Booth Manor", Some("KS")));
        assert!(!of("Booth Manor", Some("UT")));
        assert!(!of("Idaho Foodbank Friends", Some("KS")));
        assert!(!of("Booth Manor", None));
    }
}
