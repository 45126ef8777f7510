//! Suggestions for what a person has typed so far: names, or one organization by its EIN.

use super::SearchError;
use crate::index::typeahead::{Card, Hit, Match};
use crate::naming;
use crate::record::{Ein, State};
use crate::search::details::details;
use crate::snapshot::Snapshot;

/// Suggestions that one answer may hold: what a list under a search box can show.
pub const LIMIT_MAX: usize = 25;

/// An organization offered.
#[derive(Debug, Clone, PartialEq)]
pub struct Suggestion {
    /// Employer Identification Number.
    pub ein: Ein,
    /// Display name.
    pub name: String,
    /// City, in title case.
    pub city: Option<String>,
    /// State or territory; `None` abroad.
    pub state: Option<State>,
    /// Ranking weight, for ranking and debugging only: 4 for an EIN, else 3, 2, 1 or 0 for the
    /// reason ([`Match`]) and a share of 1 for the weight within it.
    pub score: f64,
}

/// At most `limit` suggestions, best first. A text of nine digits, with or without dashes, is an
/// EIN: if the snapshot has it, it alone is the answer, whatever its standing.
///
/// # Errors
/// When the snapshot is damaged.
pub fn suggest(
    snapshot: &Snapshot,
    typed: &str,
    limit: usize,
) -> Result<Vec<Suggestion>, SearchError> {
    if let Some(ein) = Ein::from_typed(typed)
        && let Some(organization) = details(snapshot, ein)?
    {
        return Ok(vec![suggestion(Card::of(&organization), 4.0)]);
    }
    let hits = snapshot.typeahead.suggest(&naming::normalise(typed), limit.min(LIMIT_MAX))?;
    hits.into_iter()
        .map(|hit| Ok(suggestion(snapshot.typeahead.card(hit.org)?, score(hit))))
        .collect()
}

fn score(hit: Hit) -> f64 {
    let reason = match hit.reason {
        Match::Name => 3.0,
        Match::Word => 2.0,
        Match::NameTypo => 1.0,
        Match::WordTypo => 0.0,
    };
    reason + hit.weight.share() * 0.999
}

fn suggestion(card: Card, score: f64) -> Suggestion {
    let Card { ein, name, city, state } = card;
    Suggestion { ein, name, city, state, score }
}
