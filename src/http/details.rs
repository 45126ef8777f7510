//! `GET /nonprofits/details/{ein}`: the full profile of one nonprofit.

use serde::Serialize;

use super::declared::EIN;
use super::endpoint::{Context, Cost, Endpoint, Reply, json};
use super::parameter::parameters;
use super::profile::Shown;
use super::refusal::Refusal;
use crate::record::{Ein, LatestFiling, Organization};

parameters! {
    /// What details take.
    Asked {
        ein: Ein = EIN,
    }
}

/// A nonprofit in full.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Details<'a> {
    #[serde(flatten)]
    shown: Shown<'a>,
    irs_filing_url: Option<String>,
    impact_summary: Option<&'a str>,
}

impl<'a> Details<'a> {
    pub(super) fn of(organization: &'a Organization) -> Self {
        Self {
            shown: Shown::of(organization),
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
    schema: "NonprofitDetails",
    // One lookup and one record.
    cost: Cost::Micro,
    parameters: Asked::DECLARED,
    answer,
};

fn answer(context: &Context<'_>) -> Result<Reply, Refusal> {
    let asked = Asked::read(&context.input)?;
    let found = context.source()?.details(asked.ein)?;
    json(&Details::of(&found.ok_or(Refusal::UnknownNonprofit)?))
}
