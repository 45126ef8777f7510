//! Suggestions for what a person has typed so far: names, or one organization by its EIN.
//!
//! Beginnings of names and words come first, then one typo; what places are left is filled by the
//! index of names, which reads what was typed as a whole: a name and its town, words in another order.

use std::collections::HashSet;

use super::SearchError;
use super::details::details;
use crate::index::names::{Name, Question};
use crate::index::typeahead::{Card, Hit, Match, NAME_ADVANTAGE, Scope};
use crate::naming;
use crate::record::{Ein, OrgId, State};
use crate::snapshot::Snapshot;
use crate::understand;

/// Suggestions that one answer may hold: what a list under a search box can show.
pub const LIMIT_MAX: usize = 25;

/// How likely an organization must be the one meant to fill a place, and how likely beside the
/// likeliest.
const PROBABILITY_MIN: f64 = 0.005;
const SHARE_MIN: f64 = 0.02;

/// Names with the typed beginning among which the departed are looked for.
const BEGUN_MAX: usize = 25;

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
    /// Another name, such as its chapter.
    pub alt_name: Option<String>,
    /// The name that matched, where it is not the one shown.
    pub matched_name: Option<String>,
    /// Ranking weight, for ranking and debugging only; never rises down the list. 4 for an EIN; 3
    /// and the share of the greatest weight where a name or a later word begins so; 2 and 1 with one
    /// typo in the name or from a later word on; else the probability that it is meant.
    pub score: f64,
}

/// At most `limit` suggestions, best first. A text that is an EIN, however it is written, gives the
/// nonprofit that has it alone, whatever its standing.
pub fn suggest(
    snapshot: &Snapshot,
    typed: &str,
    scope: Scope,
    limit: usize,
) -> Result<Vec<Suggestion>, SearchError> {
    if let Some(ein) = understand::ein_alone(typed)
        && let Some(organization) = details(snapshot, ein)?
    {
        return Ok(vec![suggestion(Card::of(&organization), 4.0)]);
    }
    let limit = limit.min(LIMIT_MAX);
    let form = naming::normalise(typed);
    let hits = snapshot.typeahead.suggest(&form, scope, limit)?;
    let mut suggestions = Vec::with_capacity(limit);
    for hit in &hits {
        let suggestion = suggestion(snapshot.typeahead.card(hit.org)?, score(hit));
        // No name of one that is offered for a typo begins so: there is nothing to look for.
        let matched_name = match hit.reason {
            Match::Name | Match::Word => begun_name(snapshot, hit.org, &form, &suggestion)?,
            Match::NameTypo | Match::WordTypo => None,
        };
        suggestions.push(Suggestion { matched_name, ..suggestion });
    }
    if suggestions.len() < limit {
        let offered: HashSet<OrgId> = hits.iter().map(|hit| hit.org).collect();
        fill(snapshot, typed, scope, limit, &offered, &mut suggestions)?;
    }
    Ok(suggestions)
}

/// Organizations that left the master file and had this name; failing that, those whose name began with it.
pub(super) fn departed_called(snapshot: &Snapshot, name: &str) -> Result<Vec<Card>, SearchError> {
    let form = naming::normalise(name);
    let departed = snapshot.columns.organizations();
    let mut begun = Vec::new();
    for hit in snapshot.typeahead.suggest(&form, Scope::All, BEGUN_MAX)? {
        if hit.org.0 >= departed && matches!(hit.reason, Match::Name) {
            begun.push(snapshot.typeahead.card(hit.org)?);
        }
    }
    let is_called = |card: &Card| {
        let alternate = card.alt_name.as_deref().map(naming::normalise);
        naming::normalise(&card.name) == form || alternate.is_some_and(|other| other == form)
    };
    if begun.iter().any(is_called) {
        begun.retain(is_called);
    }
    Ok(begun)
}

/// Adds the likeliest matches of the whole text typed.
fn fill(
    snapshot: &Snapshot,
    typed: &str,
    scope: Scope,
    limit: usize,
    offered: &HashSet<OrgId>,
    suggestions: &mut Vec<Suggestion>,
) -> Result<(), SearchError> {
    let question = Question {
        text: typed,
        is_begun: true,
        only_active_charities: scope == Scope::ActiveCharities,
        accepts: &|org| !offered.contains(&org),
    };
    let found = snapshot.names.find(&question)?;
    let Some(likeliest) = found.candidates.first().map(|one| one.probability) else {
        return Ok(());
    };
    let least = PROBABILITY_MIN.max(SHARE_MIN * likeliest);
    let likely = found.candidates.iter().take_while(|one| one.probability >= least);
    for candidate in likely.take(limit - suggestions.len()) {
        let card = snapshot.typeahead.card(candidate.org)?;
        let matched_name = other_name(snapshot, candidate.org, candidate.name, &card)?;
        let suggestion = suggestion(card, candidate.probability * BELOW_ONE);
        suggestions.push(Suggestion { matched_name, ..suggestion });
    }
    Ok(())
}

/// The other name that begins, from some word on, with what was typed, where the name shown does not.
fn begun_name(
    snapshot: &Snapshot,
    org: OrgId,
    form: &str,
    shown: &Suggestion,
) -> Result<Option<String>, SearchError> {
    let begins = |name: &str| format!(" {}", naming::normalise(name)).contains(&format!(" {form}"));
    if begins(&shown.name) {
        return Ok(None);
    }
    if let Some(name) = shown.alt_name.as_deref().filter(|name| begins(name)) {
        return Ok(Some(name.to_owned()));
    }
    let record = snapshot.records.organization(org)?;
    Ok(record.other_names.into_iter().find(|name| begins(name)))
}

/// The name by which the index of names found an organization, where it is not the one shown.
fn other_name(
    snapshot: &Snapshot,
    org: OrgId,
    name: Name,
    card: &Card,
) -> Result<Option<String>, SearchError> {
    Ok(match name {
        Name::Legal | Name::Initials => None,
        Name::Other(0) => card.alt_name.clone(),
        Name::Other(at) => {
            snapshot.records.organization(org)?.other_names.into_iter().nth(at as usize)
        }
        Name::Filed(at) => {
            let filings = snapshot.records.filings(org)?;
            filings.into_iter().nth(at as usize).map(|filing| naming::display_name(&filing.name))
        }
        Name::Host => snapshot.records.organization(org)?.website,
    })
}

/// Keeps a share below the next reason.
const BELOW_ONE: f64 = 0.999;

fn score(hit: &Hit) -> f64 {
    let reason = match hit.reason {
        Match::Name | Match::Word => {
            let greatest = u32::from(u16::MAX) + NAME_ADVANTAGE;
            return 3.0 + f64::from(hit.rank_weight()) / f64::from(greatest) * BELOW_ONE;
        }
        Match::NameTypo => 2.0,
        Match::WordTypo => 1.0,
    };
    reason + hit.weight.share() * BELOW_ONE
}

fn suggestion(card: Card, score: f64) -> Suggestion {
    let Card { ein, name, city, state, alt_name } = card;
    Suggestion { ein, name, city, state, alt_name, matched_name: None, score }
}
