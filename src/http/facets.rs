//! How many of the nonprofits found have each value of a column, as searches take and answer it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::parameter::{Many, Parameter, many};
use super::parameter_type::Choice;
use crate::index::columns::{Facet, FacetCount};

pub(super) const FACETS: Parameter<Choice<Facet>, Many> = many(
    "facets",
    Choice(&[
        ("state", Facet::State),
        ("ntee_major", Facet::NteeMajor),
        ("org_size", Facet::OrgSize),
        ("subsection", Facet::Subsection),
        ("ruling_decade", Facet::RulingDecade),
    ]),
    "What all nonprofits that satisfy the filters are counted by, in the member `facets`.",
);

/// Values and their counts, by the name of the facet.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(transparent)]
#[schemars(inline)]
pub(super) struct FacetCounts<'a>(
    #[schemars(with = "BTreeMap<String, Vec<Value>>")] BTreeMap<&'static str, Vec<Value<'a>>>,
);

/// A value of a facet, and how many nonprofits have it.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "FacetCount")]
struct Value<'a> {
    /// The value; null for the nonprofits of which it is not known.
    value: Option<&'a str>,
    /// Number of nonprofits that match and have it.
    count: u64,
}

impl<'a> FacetCounts<'a> {
    /// What was counted; `None` where nothing was.
    pub(super) fn of(facets: &'a [(Facet, Vec<FacetCount>)]) -> Option<Self> {
        let values = |counts: &'a Vec<FacetCount>| {
            counts.iter().map(|(value, count)| Value { value: value.as_deref(), count: *count })
        };
        let all = facets.iter().map(|(facet, counts)| (facet.name(), values(counts).collect()));
        (!facets.is_empty()).then(|| Self(all.collect()))
    }
}
