//! `GET /nonprofits/peers/{ein}`: a nonprofit among those of its cause and size. Beside the specification.

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;

use super::api_error::ApiError;
use super::declared::EIN;
use super::endpoint::{Body, Context, Cost, Endpoint, Reply, Reuse, Rows, UNKNOWN_EIN, json};
use super::grants::NOT_LOADED;
use super::parameter::parameters;
use crate::record::{Ein, State, filing_url};
use crate::search::peers::{Comparison, RatioStanding, compare};

parameters! {
    /// What it takes.
    Params {
        ein: Ein = EIN,
    }
}

/// The endpoint.
pub(super) static PEERS: Endpoint = Endpoint {
    path: "/nonprofits/peers/{ein}",
    tag: "Money and people",
    summary: "Ratios of one nonprofit among those of its cause and size",
    body: Body::Json(SchemaGenerator::subschema_for::<Answer>),
    rows: Rows::In("ratios"),
    reuse: Reuse::UntilSwap,
    not_found: Some(UNKNOWN_EIN),
    // Columns of every organization are looked through.
    cost: Cost::Heavy,
    parameters: Params::DECLARED,
    answer,
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let Params { ein } = Params::read(&context.input)?;
    let found = compare(context.snapshot()?, ein)?.ok_or(ApiError::UnknownNonprofit)?;
    json(&Answer::of(ein, found))
}

/// A nonprofit among its peers: those of its NTEE major group whose revenue is between a third and three
/// times its own, in its state, or in the whole country where its state has fewer than 20 with a return.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Peers")]
struct Answer {
    /// Employer Identification Number of the nonprofit: nine digits, leading zeros kept.
    ein: Ein,
    /// Letter of the NTEE major group that peers have; null where the nonprofit's is not known, so
    /// that any cause counts.
    ntee_major: Option<char>,
    /// Least revenue of peers in whole US dollars; null where the nonprofit's is not known, so that
    /// any counts.
    min_revenue: Option<i64>,
    /// Greatest revenue of peers in whole US dollars; null where the nonprofit's is not known, so
    /// that any counts.
    max_revenue: Option<i64>,
    /// USPS code of the state of the peers; null of the whole country.
    state: Option<State>,
    /// Number of peers with a return that was loaded, the nonprofit itself left out.
    peers: u64,
    /// Year that the latest return of the nonprofit is of; null where none was loaded.
    tax_year: Option<u16>,
    /// Address of that return in XML; null where the IRS's number of it is not known or none was
    /// loaded.
    file_url: Option<String>,
    /// Why there are no ratios; null where a return was loaded.
    message: Option<&'static str>,
    /// Ratios of that return; empty where none was loaded.
    ratios: Vec<RatioRow>,
}

/// A ratio, and where it stands among those of peers.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "PeerRatio")]
struct RatioRow {
    /// Name: `program_share`, `fundraising_cost`, `months_of_reserves`, `surplus_margin` or
    /// `revenue_growth`.
    name: &'static str,
    /// How it is calculated.
    formula: &'static str,
    /// Lines of the forms that its amounts stand on.
    lines: &'static str,
    /// Its value; null where a line is not filed, or it would be divided by nothing.
    value: Option<f64>,
    /// Share of peers with a smaller value, half of those with the same counted, 0 to 100; null
    /// without a value or without peers.
    percentile: Option<f64>,
    /// Value in the middle of those of peers; null without peers.
    median: Option<f64>,
    /// Number of peers of which it is known.
    known: u64,
}

impl Answer {
    fn of(ein: Ein, found: Comparison) -> Self {
        let Comparison { ntee_major, revenue, state, peers, ratios } = found;
        let (filing, ratios) = ratios.unzip();
        Self {
            ein,
            ntee_major,
            min_revenue: revenue.map(|(min, _)| min),
            max_revenue: revenue.map(|(_, max)| max),
            state,
            peers,
            message: ratios.is_none().then_some(NOT_LOADED),
            ratios: ratios.unwrap_or_default().into_iter().map(RatioRow::of).collect(),
            tax_year: filing.as_ref().map(|filing| filing.tax_year),
            file_url: filing.as_ref().and_then(|one| one.object_id.as_deref()).map(filing_url),
        }
    }
}

impl RatioRow {
    fn of(standing: RatioStanding) -> Self {
        let RatioStanding { ratio, value, known, percentile, median } = standing;
        Self {
            name: ratio.name(),
            formula: ratio.formula(),
            lines: ratio.lines(),
            value,
            percentile,
            median,
            known,
        }
    }
}
