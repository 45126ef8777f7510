//! The place that the words of a question name, as sets of rows: inside it, near it, elsewhere in its state.
//!
//! A place ranks rows beyond its filter: a club twenty miles away answers better than one across the state.

use super::SearchError;
use crate::index::columns::{Bitmap, Facet};
use crate::query::{Area, Filters};
use crate::record::{OrgId, State};
use crate::understand::{Lookup, PlaceHint, Surroundings};

/// A place in words over the rows that satisfy every filter but the place.
#[derive(Debug, Clone)]
pub struct PlaceScope {
    pub inside: Bitmap,
    /// Within some miles of the place, outside it.
    pub near: Bitmap,
    /// Elsewhere in its state.
    pub state: Bitmap,
}

/// The relation of a row to the place in question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proximity {
    /// No place is asked for.
    Anywhere,
    Inside,
    Near,
    InState,
    Elsewhere,
}

impl PlaceScope {
    /// `open` are the rows that satisfy every filter but the place.
    pub(super) fn of(
        snapshot: &Lookup<'_>,
        hint: &PlaceHint,
        open: &Bitmap,
    ) -> Result<Self, SearchError> {
        let within = |areas: Vec<Area>, without: &[&Bitmap]| {
            let filters = Filters { areas, ..Filters::default() };
            let mut set = snapshot.select(&filters)?.matching.clone();
            set.intersect(open);
            without.iter().for_each(|other| set.subtract(other));
            Ok::<_, SearchError>(set)
        };
        let none = || Bitmap::none(snapshot.columns.organizations());
        let inside = within(hint.areas.clone(), &[])?;
        if hint.surroundings.is_empty() {
            return Ok(Self { inside, near: none(), state: none() });
        }
        // Among cities of one name, the state with most rows wins.
        let counts = snapshot.columns.facet(&inside, Facet::State)?;
        let most = counts.iter().find_map(|(state, _)| state.as_deref()?.parse::<State>().ok());
        let states: Vec<State> = hint.surroundings.iter().map(|around| around.state).collect();
        let is_meant = |around: &&Surroundings| {
            hint.areas.len() > 1
                || most.is_none_or(|most| most == around.state || !states.contains(&most))
        };
        let meant: Vec<&Surroundings> = hint.surroundings.iter().filter(is_meant).collect();
        let circles: Vec<Area> = meant.iter().filter_map(|around| around.circle()).collect();
        let near = if circles.is_empty() { none() } else { within(circles, &[&inside])? };
        let states = meant.iter().map(|around| around.whole_state()).collect();
        let state = within(states, &[&inside, &near])?;
        Ok(Self { inside, near, state })
    }

    /// Where a row is.
    pub fn proximity(&self, org: OrgId) -> Proximity {
        match () {
            () if self.inside.contains(org) => Proximity::Inside,
            () if self.near.contains(org) => Proximity::Near,
            () if self.state.contains(org) => Proximity::InState,
            () => Proximity::Elsewhere,
        }
    }

    /// Whether a row is near the place or elsewhere in its state.
    pub fn is_around(&self, org: OrgId) -> bool {
        matches!(self.proximity(org), Proximity::Near | Proximity::InState)
    }
}
