//! From a name as it was understood to one organization: never to one that lacks its words, nor to one of another state
//! than the message names with it.

use super::referents::UnresolvedName;
use super::{Result, Turn};
use crate::naming::normalise;
use crate::reader::{DialogueAct, Role};
use crate::record::{Ein, Organization, State};
use crate::search::called::is_called;
use crate::search::details::details;
use crate::understand::{self, Names as _, decode, is_bare_joint, states_of};

impl Turn<'_> {
    /// Resolves a name as understood; among several, the one in the state under discussion.
    pub(super) fn resolved(
        &self,
        found: understand::Organization,
    ) -> Result<Result<Ein, UnresolvedName>> {
        let states = self.states_beside(&found.asked)?;
        if self.vouches()
            && found.ein.is_some()
            && !self.snapshot.named(&found.asked)?.is_all_of_it()
        {
            return Ok(Err(UnresolvedName { asked: found.asked, count: 0 }));
        }
        if let Some(ein) = found.ein
            && !self.is_elsewhere(ein, &states)?
        {
            return Ok(Ok(ein));
        }
        let frame = &self.conversation.frame;
        let place = self.words(Role::Place).map(str::to_owned);
        let place = place.or_else(|| frame.state().map(|state| state.name().to_owned()));
        if let Some(place) = place.filter(|_| found.ein.is_some() || found.namesakes != 1) {
            let placed = format!("{}, {place}", found.asked);
            if let Some(one) = self.snapshot.named(&placed)?.sure()
                && let Some(organization) = details(self.snapshot, one.ein)?
                && is_called(&organization, &found.asked)
                && !is_in_other_state(&organization, &states)
            {
                return Ok(Ok(one.ein));
            }
        }
        Ok(Err(UnresolvedName { asked: found.asked, count: found.namesakes }))
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
        use DialogueAct::{Deductible, Kind, Standing};
        self.request.acts.iter().any(|act| matches!(act, Deductible | Kind | Standing))
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
