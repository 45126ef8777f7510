//! `GET /nonprofits/details/{ein}`: the full profile of one nonprofit.

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;

use super::api_error::ApiError;
use super::declared::EIN;
use super::endpoint::{Body, Context, Cost, Endpoint, Reply, Reuse, Rows, UNKNOWN_EIN, json};
use super::parameter::parameters;
use super::profile::ChatNonprofit;
use crate::record::{Ein, LatestFiling, Organization};
use crate::search::details::details;

parameters! {
    /// What details take.
    Params {
        ein: Ein = EIN,
    }
}

/// The full profile of one nonprofit.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "NonprofitDetails")]
pub struct Details<'a> {
    #[serde(flatten)]
    shown: ChatNonprofit<'a>,
    /// Address of its latest return in XML, made of the IRS's number of the return; null where no
    /// return or no number is known.
    irs_filing_url: Option<String>,
    /// What it achieved: what the operator gives, else the most telling sentences on the programs
    /// in its latest return; null where neither is known.
    impact_summary: Option<&'a str>,
}

impl<'a> Details<'a> {
    /// The profile of an organization.
    pub fn of(organization: &'a Organization) -> Self {
        Self {
            shown: ChatNonprofit::of(organization),
            irs_filing_url: organization.latest_filing.as_ref().and_then(LatestFiling::url),
            impact_summary: organization.impact_summary.as_deref(),
        }
    }
}

/// The endpoint.
pub(super) static DETAILS: Endpoint = Endpoint {
    path: "/nonprofits/details/{ein}",
    tag: "Insights",
    summary: "Full profile of one nonprofit",
    body: Body::Json(SchemaGenerator::subschema_for::<Details<'_>>),
    rows: Rows::Whole,
    reuse: Reuse::UntilSwap,
    not_found: Some(UNKNOWN_EIN),
    // One lookup and one record.
    cost: Cost::Micro,
    parameters: Params::DECLARED,
    answer,
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = Params::read(&context.input)?;
    let found = details(context.snapshot()?, asked.ein)?;
    json(&Details::of(&found.ok_or(ApiError::UnknownNonprofit)?))
}
