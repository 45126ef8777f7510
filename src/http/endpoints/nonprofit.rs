//! `GET /nonprofits/details/{ein}` and what is below it, `/nonprofits/standing/{ein}` and
//! `/nonprofits/filings/{ein}`: one nonprofit, its returns, and similar ones.
//!
//! Standing and filings are not in the specification: case workers ask for the first, and the explorer's
//! page of a nonprofit is made of both.

use schemars::JsonSchema;
use serde::Serialize;

use crate::http::interface::api_error::ApiError;
use crate::http::interface::declared::{ListOfNonprofit, OfNonprofit};
use crate::http::interface::endpoint::{
    Context, Cost, Endpoint, Page, Reply, Rows, UNKNOWN_EIN, json, paging,
};
use crate::record::{Ein, Filing, Form, Timestamp, filing_url};
use crate::search::filings::filings;
use crate::search::listing::{Paging, SIZE_MAX};
use crate::search::officers;
use crate::search::related::{RelatedItems, related};
use crate::views::{Article, Details, FilingRow, StandingShown, view};

/// The full profile: one lookup and one record.
pub(crate) static DETAILS: Endpoint = Endpoint {
    summary: "Full profile of one nonprofit",
    rows: Rows::Whole,
    not_found: Some(UNKNOWN_EIN),
    ..Endpoint::json::<Details<'_>>(
        "/nonprofits/details/{ein}",
        OfNonprofit::DECLARED,
        answer_details,
    )
};

fn answer_details(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = OfNonprofit::read(&context.input)?;
    json(&Details::of(&context.nonprofit(asked.ein)?))
}

/// The federal tax status according to the IRS's lists: one lookup and one record.
pub(crate) static STANDING: Endpoint = Endpoint {
    summary: "Tax-exempt standing of one nonprofit",
    not_found: Some(UNKNOWN_EIN),
    ..Endpoint::json::<StandingShown<'_>>(
        "/nonprofits/standing/{ein}",
        OfNonprofit::DECLARED,
        answer_standing,
    )
};

fn answer_standing(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = OfNonprofit::read(&context.input)?;
    let found = context.nonprofit(asked.ein)?;
    json(&StandingShown::of(&found, &context.snapshot()?.manifest))
}

/// The returns with their figures over the years: one lookup and one block of records.
pub(crate) static FILINGS: Endpoint = Endpoint {
    summary: "Returns of one nonprofit, the latest first",
    rows: Rows::In("items"),
    ..Endpoint::json::<Page<FilingRow>>(
        "/nonprofits/filings/{ein}",
        ListOfNonprofit::DECLARED,
        answer_filings,
    )
};

fn answer_filings(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = ListOfNonprofit::read(&context.input)?;
    let paging = paging(asked.page, asked.size);
    let snapshot = context.snapshot()?;
    let found = filings(snapshot, asked.ein, paging)?;
    let people = officers::everybody(snapshot, asked.ein)?;
    Page::of(found.map(|filing| FilingRow::of(filing, &people)), paging).reply()
}

/// Which returns it filed, and where they can be read: two lookups and two blocks of records.
pub(crate) static FINANCIALS: Endpoint = Endpoint {
    summary: "Which returns a nonprofit filed, the latest first",
    rows: Rows::In("returns"),
    not_found: Some(UNKNOWN_EIN),
    ..Endpoint::json::<Financials>(
        "/nonprofits/details/{ein}/financials",
        OfNonprofit::DECLARED,
        answer_financials,
    )
};

fn answer_financials(context: &Context<'_>) -> Result<Reply, ApiError> {
    let OfNonprofit { ein } = OfNonprofit::read(&context.input)?;
    context.nonprofit(ein)?;
    // No organization has filed for as many years as `SIZE_MAX`.
    let found = filings(context.snapshot()?, ein, Paging { page: 1, size: SIZE_MAX })?;
    json(&Financials { ein, returns: found.rows.iter().flat_map(returns).collect() })
}

/// The returns of a nonprofit, the latest first.
#[derive(Debug, JsonSchema, Serialize)]
struct Financials {
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

/// Nonprofits like one, and articles about what it does.
pub(crate) static RELATED: Endpoint = Endpoint {
    summary: "Nonprofits like one, and articles about what it does",
    not_found: Some(UNKNOWN_EIN),
    cost: Cost::Heavy, // Vectors are searched and a text is embedded.
    ..Endpoint::json::<Related<'_>>(
        "/nonprofits/details/{ein}/related",
        OfNonprofit::DECLARED,
        answer_related,
    )
};

fn answer_related(context: &Context<'_>) -> Result<Reply, ApiError> {
    let OfNonprofit { ein } = OfNonprofit::read(&context.input)?;
    let found = related(context.snapshot()?, ein)?.ok_or(ApiError::UnknownNonprofit)?;
    json(&Related::of(ein, &found))
}

view! {
    /// Nonprofits like one, and articles about what it does.
    struct Related<'a> of |ein: Ein, found: &'a RelatedItems| {
        /// Employer Identification Number of the nonprofit: nine digits, leading zeros kept.
        ein: Ein = ein,
        /// Nonprofits most like it, the most alike first; itself is left out.
        nonprofits: Vec<Details<'a>> = found.nonprofits.iter().map(Details::of).collect(),
        /// Articles about what it does, best match first.
        articles: Vec<Article<'a>> = found.articles.iter().map(Article::of).collect(),
    }
}
