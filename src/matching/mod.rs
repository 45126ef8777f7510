//! Rows of a list, each a name with a place, to the organizations that they mean, with EINs.
//!
//! A row is read (`query`), candidates are gathered by every name it has from the index of names and
//! compared with it part by part (`compare`; `name`, `street`, `features`), and a learned model makes
//! probabilities of that (`model`). A decision is a cut of the probability; the reasons say what agrees
//! and what does not (`reasons`).
//!
//! Unlike `index/names`, which reads one text whose parts it has to guess, it knows which field is the
//! name and which the city, and has streets. It knows nothing of files, nor of HTTP.

mod compare;
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

use compare::{Breadth, Comparison};
use query::Asked;

use crate::index::columns::Columns;
use crate::index::names::Names;
use crate::mapped::Damage;
use crate::record::{Ein, OrgId, named};
use crate::store::{Records, StoreError};

/// The probability from which on a candidate is a match without a person, unless another is asked for.
pub const YES_DEFAULT: f64 = 0.75;
/// The probability from which on a person should look at it.
const MAYBE_MIN: f64 = 0.02;
/// By how much the likeliest candidate must be ahead of the next one to be a match.
const MARGIN_MIN: f64 = 0.2;
/// The least probability of a yes where the names agree and the places do not, being of states that are not
/// near: data that lacks the organization often has a namesake.
const YES_ELSEWHERE_MIN: f64 = 0.9;
/// What an EIN beside the name multiplies the odds of its organization with: people copy EINs, and seldom
/// of others by mistake.
const EIN_ODDS: f64 = 50.0;

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
    pub columns: &'a Columns,
    pub records: &'a Records,
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
    pub name: f64,
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
    pub nothing: Option<String>,
}

/// The organizations that a row may mean, at most eight.
///
/// # Errors
/// When the register is damaged.
pub fn find<'a>(
    register: impl Into<Register<'a>>,
    query: &Query,
    yes: YesMin,
) -> Result<Matched, MatchError> {
    find_among(register, query, yes, &|_| true)
}

/// The same of those only that `accepts` lets pass.
///
/// # Errors
/// As [`find`].
pub fn find_among<'a>(
    register: impl Into<Register<'a>>,
    query: &Query,
    yes: YesMin,
    accepts: &dyn Fn(OrgId) -> bool,
) -> Result<Matched, MatchError> {
    let register = register.into();
    let found = compare::comparison(register, query, Breadth::Everybody, accepts)?;
    let (probabilities, yes_min) = weighed(&found, yes);
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
            reasons: reasons::reasons(&found.asked, one),
        })
        .collect();
    // Of equally likely ones the more similar stays first.
    candidates.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    let nothing = candidates.is_empty().then(|| nothing(register, query, &found.asked));
    let nothing = nothing.transpose()?;
    let sorted: Vec<f64> = candidates.iter().map(|one| one.probability).collect();
    Ok(Matched { decision: decide(&sorted, yes_min), candidates, nothing })
}

/// The organization that a row means and its probability, where the decision is yes. It does not look for what
/// only a person would want to see beside it, so that it takes a part of the time of [`find`].
///
/// # Errors
/// As [`find`].
pub fn decided<'a>(
    register: impl Into<Register<'a>>,
    query: &Query,
    yes: YesMin,
) -> Result<Option<(OrgId, f64)>, MatchError> {
    let found = compare::comparison(register.into(), query, Breadth::Decision, &|_| true)?;
    let (probabilities, yes_min) = weighed(&found, yes);
    let orgs = found.candidates.iter().map(|one| one.org);
    let mut likely: Vec<(OrgId, f64)> = orgs.zip(probabilities).collect();
    likely.sort_by(|a, b| b.1.total_cmp(&a.1));
    let sorted: Vec<f64> = likely.iter().map(|(_, probability)| *probability).collect();
    let is_yes = decide(&sorted, yes_min) == Decision::Yes;
    Ok(likely.first().copied().filter(|_| is_yes))
}

/// The probabilities of candidates, in their order, and from which on the likeliest is a yes.
fn weighed(found: &Comparison, yes: YesMin) -> (Vec<f64>, Option<f64>) {
    let rows: Vec<_> = found.candidates.iter().map(|one| (one.features, one.of_row)).collect();
    let mut probabilities = model::probabilities(&rows);
    if let Some(ein) = found.asked.ein {
        weigh_ein(&mut probabilities, |at| found.candidates[at].ein == ein);
    }
    let likeliest = (0..probabilities.len()).rev();
    let likeliest = likeliest.max_by(|a, b| probabilities[*a].total_cmp(&probabilities[*b]));
    let yes_min = likeliest.and_then(|at| yes_min(found, &found.candidates[at], yes));
    (probabilities, yes_min)
}

/// Why a row has no candidate.
fn nothing(register: Register<'_>, query: &Query, asked: &Asked) -> Result<String, MatchError> {
    let uncovered = match asked.location.state {
        Some(state) if !register.columns.has_state(state)? => Some(state),
        _ => None,
    };
    Ok(reasons::nothing(query, asked, uncovered))
}

/// The candidates of a row with their features, for those who learn the model; `accepts` leaves some out.
///
/// # Errors
/// As [`find`].
#[cfg(any(test, feature = "internals"))]
pub fn compared<'a>(
    register: impl Into<Register<'a>>,
    query: &Query,
    accepts: &dyn Fn(OrgId) -> bool,
) -> Result<Vec<Compared>, MatchError> {
    Ok(compare::comparison(register.into(), query, Breadth::Everybody, accepts)?.candidates)
}

/// The probability from which on a candidate is a match without a person; `None` where it never is.
fn yes_min(found: &Comparison, candidate: &Compared, yes: YesMin) -> Option<f64> {
    if found.asked.ein == Some(candidate.ein) {
        return Some(yes.0);
    }
    // What a subordinate of a group has for a sort name is often the college or the school that it is at.
    let may_be_its_host = candidate.is_by_other_name && candidate.standing.is_in_group;
    if may_be_its_host && !candidate.place.has_same_address() {
        return None;
    }
    let names_place = !found.asked.location.city.is_empty() || found.asked.location.zip.is_some();
    if !names_place || candidate.place.is_placed() {
        return Some(yes.0);
    }
    // A sort name may be a chapter's or a person's: the same one elsewhere is chance as often as not. So is
    // any name in another city where the row says no more.
    let names_no_state = found.asked.location.state.is_none();
    if candidate.is_by_other_name || names_no_state && candidate.place.is_contradicted() {
        return None;
    }
    Some(if candidate.place.is_elsewhere() { yes.0.max(YES_ELSEWHERE_MIN) } else { yes.0 })
}

/// What probabilities, the greatest first, come to.
fn decide(probabilities: &[f64], yes_min: Option<f64>) -> Decision {
    let probability = |at: usize| probabilities.get(at).copied().unwrap_or_default();
    let (first, second) = (probability(0), probability(1));
    if yes_min.is_some_and(|least| first >= least) && first - second >= MARGIN_MIN {
        Decision::Yes
    } else if first >= MAYBE_MIN {
        Decision::Maybe
    } else {
        Decision::No
    }
}

/// Multiplies the odds of the organization that has the row's EIN; the others and nobody share the rest.
fn weigh_ein(probabilities: &mut [f64], is_named: impl Fn(usize) -> bool) {
    let Some(at) = (0..probabilities.len()).find(|at| is_named(*at)) else { return };
    let all = 1.0 + (EIN_ODDS - 1.0) * probabilities[at];
    probabilities[at] *= EIN_ODDS;
    probabilities.iter_mut().for_each(|probability| *probability /= all);
}

fn evidence(candidate: &Compared) -> Evidence {
    let holds = |known: Option<bool>| known.map(|same| f64::from(u8::from(same)));
    let (fit, place) = (&candidate.names.fit, &candidate.place);
    let street = match (place.has_same_address(), place.street.street, place.street.box_number) {
        (true, ..) => Some(1.0),
        (false, Some(alike), _) => Some(f64::from(alike) / 2.0),
        (false, None, other) => holds(other),
    };
    let numbers = match (fit.number_differs, fit.number_open) {
        (true, _) => 0.0,
        (false, true) => 0.5,
        (false, false) => 1.0,
    };
    Evidence {
        name: f64::from(fit.similarity()),
        street,
        zip: holds(place.zip),
        city: holds(place.city),
        state: holds(place.state),
        numbers,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ein_is_evidence_and_not_the_answer() {
        let mut likely = [0.5, 0.3];
        weigh_ein(&mut likely, |at| at == 0);
        assert!(likely[0] > 0.97 && likely.iter().sum::<f64>() <= 1.0);
        let mut unlikely = [0.9, 0.000_1];
        weigh_ein(&mut unlikely, |at| at == 1);
        assert!(unlikely[0] > 0.89 && unlikely[1] < 0.01);
        let mut other = [0.9, 0.1];
        weigh_ein(&mut other, |_| false);
        assert_eq!(other, [0.9, 0.1]);
    }

    #[test]
    fn decisions() {
        let of = |probabilities: &[f64]| decide(probabilities, Some(YES_DEFAULT));
        assert_eq!(of(&[]), Decision::No);
        assert_eq!(of(&[0.95, 0.03]), Decision::Yes);
        assert_eq!(of(&[0.6, 0.3]), Decision::Maybe);
        assert_eq!(of(&[0.01]), Decision::No);
        assert_eq!(decide(&[0.99], None), Decision::Maybe);
        assert_eq!((YesMin::new(0.2), YesMin::new(f64::NAN)), (None, None));
    }
}
