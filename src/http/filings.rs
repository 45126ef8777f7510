//! `GET /nonprofits/filings/{ein}`: the returns of one nonprofit, with their figures over the years.
//! Beside the specification; the explorer's page of a nonprofit is made of it.

use schemars::SchemaGenerator;

use super::api_error::ApiError;
use super::declared::{EIN, PAGE, size};
use super::endpoint::{Body, Context, Cost, Endpoint, Page, Reply, Reuse, Rows, json, paging};
use super::filing_row::FilingRow;
use super::parameter::{Defaulted, Parameter, parameters};
use super::parameter_type::Integer;
use crate::record::Ein;
use crate::search::filings::filings;
use crate::search::officers;

const SIZE: Parameter<Integer, Defaulted<i64>> = size(20);

parameters! {
    /// What the returns of one nonprofit take.
    Params {
        ein: Ein = EIN,
        page: i64 = PAGE,
        size: i64 = SIZE,
    }
}

/// The endpoint.
pub(super) static FILINGS: Endpoint = Endpoint {
    path: "/nonprofits/filings/{ein}",
    tag: "Insights",
    summary: "Returns of one nonprofit, the latest first",
    body: Body::Json(SchemaGenerator::subschema_for::<Page<FilingRow>>),
    rows: Rows::In("items"),
    reuse: Reuse::UntilSwap,
    not_found: None,
    // One lookup and one block of records.
    cost: Cost::Micro,
    parameters: Params::DECLARED,
    answer,
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = Params::read(&context.input)?;
    let paging = paging(asked.page, asked.size);
    let snapshot = context.snapshot()?;
    let found = filings(snapshot, asked.ein, paging)?;
    let people = officers::everybody(snapshot, asked.ein)?;
    json(&Page::of(found, paging, |filing| FilingRow::of(filing, &people)))
}
