//! `GET /nonprofits/details/{ein}/financials`: which returns a nonprofit filed, and where they can be read.

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;

use super::api_error::ApiError;
use super::declared::EIN;
use super::endpoint::{Body, Context, Cost, Endpoint, Reply, Reuse, Rows, UNKNOWN_EIN, json};
use super::parameter::parameters;
use crate::record::{Ein, Filing, Form, Timestamp, filing_url};
use crate::search::details::details;
use crate::search::filings::filings;
use crate::search::listing::{Paging, SIZE_MAX};

parameters! {
    /// What it takes.
    Params {
        ein: Ein = EIN,
    }
}

/// The endpoint.
pub(super) static FINANCIALS: Endpoint = Endpoint {
    path: "/nonprofits/details/{ein}/financials",
    tag: "Insights",
    summary: "Which returns a nonprofit filed, the latest first",
    body: Body::Json(SchemaGenerator::subschema_for::<Answer>),
    rows: Rows::In("returns"),
    reuse: Reuse::UntilSwap,
    not_found: Some(UNKNOWN_EIN),
    // Two lookups and two blocks of records.
    cost: Cost::Micro,
    parameters: Params::DECLARED,
    answer,
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let Params { ein } = Params::read(&context.input)?;
    let snapshot = context.snapshot()?;
    if details(snapshot, ein)?.is_none() {
        return Err(ApiError::UnknownNonprofit);
    }
    // No organization has filed for as many years as `SIZE_MAX`.
    let found = filings(snapshot, ein, Paging { page: 1, size: SIZE_MAX })?;
    json(&Answer { ein, returns: found.rows.iter().flat_map(returns).collect() })
}

/// The returns of a nonprofit, the latest first.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Financials")]
struct Answer {
    /// Employer Identification Number of the nonprofit: nine digits, leading zeros kept.
    ein: Ein,
    /// Its returns, the latest tax period first, of one period the one filed last first; empty where none was
    /// loaded.
    returns: Vec<Return>,
}

/// A return that was filed.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "FiledReturn")]
struct Return {
    /// Year that the form is of: the one in which the tax period begins.
    tax_year: u16,
    /// Form: `990`, `990-EZ` or `990-PF`.
    return_type: &'static str,
    /// When it was filed, an RFC 3339 time in UTC or a date; where the return does not say, the
    /// last day of its tax period.
    timestamp: String,
    /// Address of the return in XML; empty where the IRS's number of it is not known.
    file_url: String,
}

/// A return and those of the same tax period that it replaces, the latest first.
fn returns(filing: &Filing) -> Vec<Return> {
    let of = |form: Form, filed: Option<&Timestamp>, object_id: Option<&str>| Return {
        tax_year: filing.tax_year,
        return_type: form.name(),
        timestamp: filed.map_or_else(|| filing.period_end.to_string(), Timestamp::to_string),
        file_url: object_id.map(filing_url).unwrap_or_default(),
    };
    let replaced = filing.superseded.iter();
    let replaced = replaced.map(|one| of(one.form, one.filed.as_ref(), one.object_id.as_deref()));
    let latest = of(filing.form, filing.filed.as_ref(), filing.object_id.as_deref());
    std::iter::once(latest).chain(replaced).collect()
}
