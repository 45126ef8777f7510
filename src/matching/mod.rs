//! Rows of a list, each a name with a place, to the organizations that they mean, with EINs.
//!
//! A row is read (`query`), candidates are gathered by every name it has from the index of names and
//! compared with it part by part (`compare`; `name`, `street`, `features`), and a learned model makes
//! probabilities of that (`model`). A decision is a cut of the probability; the reasons say what agrees
//! and what does not (`reasons`).
//!
//! Unlike `index/names`, which reads one text whose parts it has to guess, it knows which field is the
//! name and which the city, and has streets. It knows nothing of files, nor of HTTP, and fails when the snapshot is
//! damaged where it looks.

mod address;
mod alignment;
mod cell;
mod compare;
mod decision;
mod features;
mod field;
mod model;
mod name;
mod query;
mod reasons;
mod street;
mod words;

pub use compare::Compared;
pub use features::{FEATURES, Feature, Features};
pub use field::{Field, usual_headings};
pub use model::OF_ROW;
pub use name::may_be_one;
pub use query::{NAME_CHARACTERS_MAX, Query};

use compare::{Comparison, SearchDepth};
use features::PlaceFit;
use query::ParsedRow;
use street::Street;

use crate::index::columns::Columns;
use crate::index::names::Names;
use crate::index::postings::Postings;
use crate::mapped::Damage;
use crate::record::{Ein, Filing, OrgId, Organization, named};
use crate::store::{Records, StoreError};

/// The probability from which on a candidate is a match without a person, unless another is asked for.
pub const YES_DEFAULT: f64 = 0.75;

/// Why a row cannot be matched.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    #[error("the index of names cannot be read")]
    Index(#[from] Damage),
    #[error("a record of the snapshot cannot be read")]
    Store(#[from] StoreError),
}

/// What rows are matched with: a snapshot's, or that of one which is being built.
#[derive(Debug, Clone, Copy)]
pub struct Register<'a> {
    pub names: &'a Names,
    pub addresses: &'a Postings<Organization>,
    pub columns: &'a Columns,
    pub records: &'a Records,
}

/// Under what an organization stands in the index of addresses: where it is, and where its latest returns say it was.
pub fn address_keys(organization: &Organization, filings: &[Filing]) -> Vec<u32> {
    let address = &organization.address;
    let own = (address.street.as_deref(), address.zip);
    let filed = filings.iter().rev().take(compare::FILED_PLACES_MAX);
    let filed = filed.map(|filing| (filing.street.as_deref(), filing.zip));
    let places = std::iter::once(own).chain(filed);
    let keys = places.filter_map(|(street, zip)| Some(Street::of(street?).keys(zip?)));
    let mut keys: Vec<u32> = keys.flatten().collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

named! {
    /// Whether a row's organization was found.
    Decision {
        /// Probable enough to go without a person.
        Yes = "yes",
        /// To be looked at.
        Maybe = "maybe",
        /// Nobody.
        No = "no",
    }
}

/// The probability from which on the answer is yes: above 0.5, at most 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct YesMin(f64);

impl YesMin {
    /// A threshold; `None` outside 0.5 to 1.
    pub fn new(value: f64) -> Option<Self> {
        (0.5..=1.0).contains(&value).then_some(Self(value))
    }
}

impl Default for YesMin {
    fn default() -> Self {
        Self(YES_DEFAULT)
    }
}

/// An organization that a row may mean.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    pub org: OrgId,
    pub ein: Ein,
    /// In title case.
    pub name: String,
    /// That it is the one that is meant, 0 to 1.
    pub probability: f64,
    pub evidence: Evidence,
    /// What agrees and what does not, in words.
    pub reasons: Vec<String>,
}

/// How alike the parts of a row and of a candidate are, 0 to 1; `None` where one of them has no such part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evidence {
    pub name: Option<f64>,
    pub street: Option<f64>,
    pub zip: Option<f64>,
    pub city: Option<f64>,
    pub state: Option<f64>,
    /// Numbers in the names: 0 where they differ, 0.5 where one has one, else 1.
    pub numbers: f64,
}

/// What was found for a row.
#[derive(Debug, Clone, PartialEq)]
pub struct Matched {
    pub decision: Decision,
    /// The likeliest first.
    pub candidates: Vec<Candidate>,
    /// Why there is no candidate, in words, where there is none.
    pub no_match_reason: Option<String>,
}

/// The organizations that a row may mean, at most eight.
pub fn find(register: Register<'_>, query: &Query, yes: YesMin) -> Result<Matched, MatchError> {
    find_among(register, query, yes, &|_| true)
}

/// The same of those only that `accepts` lets pass.
pub fn find_among(
    register: Register<'_>,
    query: &Query,
    yes: YesMin,
    accepts: &dyn Fn(OrgId) -> bool,
) -> Result<Matched, MatchError> {
    let found = compare::comparison(register, query, SearchDepth::Full, accepts)?;
    if let Some(candidate) = by_ein_alone(register, &found, accepts)? {
        return Ok(Matched {
            decision: Decision::Yes,
            candidates: vec![candidate],
            no_match_reason: None,
        });
    }
    let (probabilities, yes_min) = decision::score_candidates(&found, yes);
    let mut candidates: Vec<Candidate> = found
        .candidates
        .iter()
        .zip(probabilities)
        .map(|(one, probability)| Candidate {
            org: one.org,
            ein: one.ein,
            name: one.organization.name.clone(),
            probability,
            evidence: evidence(one),
            reasons: reasons::reasons(&found, one),
        })
        .collect();
    // Of equally likely ones the more similar stays first.
    candidates.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    let reason = candidates.is_empty().then(|| explain_no_match(register, query, &found.row));
    let no_match_reason = reason.transpose()?;
    let sorted: Vec<f64> = candidates.iter().map(|one| one.probability).collect();
    Ok(Matched { decision: decision::decide(&sorted, yes_min), candidates, no_match_reason })
}

/// The organization that a row means and its probability, where the decision is yes. It does not look for what
/// only a person would want to see beside it, so that it takes a part of the time of [`find`].
pub fn find_certain(
    register: Register<'_>,
    query: &Query,
    yes: YesMin,
) -> Result<Option<(OrgId, f64)>, MatchError> {
    let found = compare::comparison(register, query, SearchDepth::ExactFirst, &|_| true)?;
    let (probabilities, yes_min) = decision::score_candidates(&found, yes);
    let orgs = found.candidates.iter().map(|one| one.org);
    let mut likely: Vec<(OrgId, f64)> = orgs.zip(probabilities).collect();
    likely.sort_by(|a, b| b.1.total_cmp(&a.1));
    let sorted: Vec<f64> = likely.iter().map(|(_, probability)| *probability).collect();
    let is_yes = decision::decide(&sorted, yes_min) == Decision::Yes;
    Ok(likely.first().copied().filter(|_| is_yes))
}

/// Whose the EIN of a row without a name is.
fn by_ein_alone(
    register: Register<'_>,
    found: &Comparison,
    accepts: &dyn Fn(OrgId) -> bool,
) -> Result<Option<Candidate>, MatchError> {
    let Some(owner) = found.ein_owner.filter(|_| found.row.names.is_empty()) else {
        return Ok(None);
    };
    if !accepts(owner) {
        return Ok(None);
    }
    let organization = register.records.organization(owner)?;
    let place = PlaceFit::of_record(&found.row.location, &organization);
    Ok(Some(Candidate {
        org: owner,
        ein: organization.ein,
        reasons: reasons::by_ein_alone(&place),
        name: organization.name,
        probability: decision::EIN_PROBABILITY,
        evidence: place_evidence(&place),
    }))
}

/// Why a row has no candidate.
fn explain_no_match(
    register: Register<'_>,
    query: &Query,
    row: &ParsedRow,
) -> Result<String, MatchError> {
    let uncovered = match row.location.state {
        Some(state) if !register.columns.has_state(state)? => Some(state),
        _ => None,
    };
    Ok(reasons::no_match(query, row, uncovered))
}

/// The candidates of a row with their features, for those who learn the model; `accepts` leaves some out.
#[cfg(any(test, feature = "internals"))]
pub fn compared(
    register: Register<'_>,
    query: &Query,
    accepts: &dyn Fn(OrgId) -> bool,
) -> Result<Vec<Compared>, MatchError> {
    Ok(compare::comparison(register, query, SearchDepth::Full, accepts)?.candidates)
}

fn evidence(candidate: &Compared) -> Evidence {
    let fit = &candidate.names.fit;
    let numbers = match (fit.number_differs, fit.number_open) {
        (true, _) => 0.0,
        (false, true) => 0.5,
        (false, false) => 1.0,
    };
    let name = Some(f64::from(fit.similarity()));
    Evidence { name, numbers, ..place_evidence(&candidate.place) }
}

/// What the places say, of a row without a name.
fn place_evidence(place: &PlaceFit) -> Evidence {
    let holds = |known: Option<bool>| known.map(f64::from);
    let street = match (place.has_same_address(), place.street.street, place.street.box_number) {
        (true, ..) => Some(1.0),
        (false, Some(alike), _) => Some(f64::from(alike) / 2.0),
        (false, None, other) => holds(other),
    };
    Evidence {
        name: None,
        street,
        zip: holds(place.zip),
        city: holds(place.city),
        state: holds(place.state),
        numbers: 1.0,
    }
}
