//! The candidates of queries, whatever version of the protocol asked for them, and how one is described.

use schemars::JsonSchema;
use serde::Serialize;

use super::entity::{self, EntityType, TypeName};
use super::query::{ParsedQuery, Types};
use crate::http::endpoints::r#match::{NOT_TRIED, rounded};
use crate::http::interface::api_error::ApiError;
use crate::http::interface::body::BodyErrors;
use crate::http::server::budget;
use crate::index::columns::Bitmap;
use crate::matching::{self, Decision, Evidence, Field, YesMin};
use crate::query::{Filters, Flag};
use crate::record::{Ein, OrgId, Organization};
use crate::search::SearchError;
use crate::search::details::details;
use crate::snapshot::Snapshot;
use crate::views::view;

/// Score of what is certain.
const SCORE_MAX: f64 = 100.0;
/// How alike a part is that must agree.
const REQUIRED_MIN: f64 = 1.0;

view! {
    /// A nonprofit that a query may mean.
    #[schemars(rename = "ReconciliationCandidate")]
    pub(super) struct Candidate of |
        found: &Organization,
        score: f64,
        is_match: bool,
        features: Vec<Feature>
    | {
        /// Employer Identification Number: nine digits, leading zeros kept.
        id: Ein = found.ein,
        /// Legal name in title case.
        name: String = found.name.clone(),
        /// City, state and what it does, as far as they are known.
        description: String = entity::description(found),
        /// Its types.
        #[serde(rename = "type")]
        types: Vec<TypeName> = EntityType::of(found),
        /// Probability that it is the one that is meant, 0 to 100.
        score: f64 = score,
        /// Whether it is probable enough to go without a person.
        #[serde(rename = "match")]
        is_match: bool = is_match,
        /// How alike its parts are.
        features: Vec<Feature> = features,
    }
}

/// How alike a part of a query and of a candidate is.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "ReconciliationFeature")]
pub(super) struct Feature {
    /// The part: `name`, `numbers`, `street`, `zip`, `city`, `state` or `ein`.
    id: &'static str,
    /// Its name for people.
    name: &'static str,
    /// 0 to 1, as in the answer of `/match`.
    value: f64,
}

/// What came of a query.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// The likeliest first.
    pub(super) candidates: Vec<Candidate>,
    /// Properties that nothing is compared with.
    pub(super) ignored: Vec<String>,
    /// What is wrong with the query, or that it was not tried.
    pub(super) error: Option<String>,
}

impl Outcome {
    fn unanswered(why: String) -> Self {
        Self { error: Some(why), ..Self::default() }
    }
}

/// Answers queries, in their order. One that could not be read has its error; all others are answered, as far as the
/// time of one request goes.
pub(super) fn outcomes(
    snapshot: &Snapshot,
    queries: Vec<Result<ParsedQuery, BodyErrors>>,
) -> Result<Vec<Outcome>, ApiError> {
    let mut readable = queries.iter().filter_map(|query| query.as_ref().ok());
    let foundations = if readable.any(|query| query.types == Types::OnlyFoundations) {
        let filters = Filters { flags: [(Flag::Foundation, true)].into(), ..Filters::default() };
        Some(snapshot.columns.select(&filters).map_err(SearchError::from)?.matching)
    } else {
        None
    };
    let mut outcomes = Vec::with_capacity(queries.len());
    for query in queries {
        outcomes.push(match query {
            // The first is tried whatever it costs, so that whoever sends the rest again comes to an end.
            Ok(_) if budget::is_spent() && !outcomes.is_empty() => {
                Outcome::unanswered(NOT_TRIED.to_owned())
            }
            Ok(query) => outcome(snapshot, query, foundations.as_ref())?,
            Err(errors) => Outcome::unanswered(errors.sentences().join("; ")),
        });
    }
    Ok(outcomes)
}

fn outcome(
    snapshot: &Snapshot,
    parsed: ParsedQuery,
    foundations: Option<&Bitmap>,
) -> Result<Outcome, SearchError> {
    let ParsedQuery { query, eins, types, limit, required, ignored } = parsed;
    let mut known = Vec::new();
    for ein in eins {
        known.extend(details(snapshot, ein)?);
    }
    if !known.is_empty() {
        let is_match = known.len() == 1;
        let described = known.iter().take(limit).map(|found| {
            let features = vec![Feature { id: "ein", name: "EIN", value: 1.0 }];
            Candidate::of(found, SCORE_MAX, is_match, features)
        });
        return Ok(Outcome { candidates: described.collect(), ignored, error: None });
    }
    let foundations = foundations.filter(|_| types == Types::OnlyFoundations);
    let accepts = |org: OrgId| foundations.is_none_or(|all| all.contains(org));
    let matched = matching::find_among(snapshot.into(), &query, YesMin::default(), &accepts)?;
    let given = Ein::from_typed(&query.ein);
    let mut candidates = Vec::new();
    for (at, one) in matched.candidates.into_iter().enumerate() {
        let agrees = |field: &Field| has_required(*field, &one, given);
        if candidates.len() == limit || !required.iter().all(agrees) {
            continue;
        }
        let organization = snapshot.records.organization(one.org)?;
        let is_match = at == 0 && matched.decision == Decision::Yes;
        let score = rounded(one.probability * SCORE_MAX);
        let features = features(&one.evidence);
        candidates.push(Candidate::of(&organization, score, is_match, features));
    }
    Ok(Outcome { candidates, ignored, error: None })
}

/// Whether a candidate agrees in what is required. Names are not asked: by them it was found.
fn has_required(field: Field, candidate: &matching::Candidate, given: Option<Ein>) -> bool {
    let evidence = &candidate.evidence;
    let alike = match field {
        Field::Street | Field::SecondStreet => evidence.street,
        Field::City => evidence.city,
        Field::State => evidence.state,
        Field::Zip => evidence.zip,
        Field::Ein => return given == Some(candidate.ein),
        Field::Name | Field::OtherName => return true,
    };
    alike.is_some_and(|alike| alike >= REQUIRED_MIN)
}

/// What is known of the parts: where one of both has no such part there is no feature.
fn features(evidence: &Evidence) -> Vec<Feature> {
    let known = [
        ("name", "Name", evidence.name),
        ("numbers", "Numbers in the name", Some(evidence.numbers)),
        ("street", "Street", evidence.street),
        ("zip", "ZIP code", evidence.zip),
        ("city", "City", evidence.city),
        ("state", "State", evidence.state),
    ];
    known
        .into_iter()
        .filter_map(|(id, name, value)| Some(Feature { id, name, value: rounded(value?) }))
        .collect()
}
