//! `GET /nonprofits/provenance/{ein}`: of each value of a nonprofit's details where it is from, and
//! of one that is not known why. Beside the specification.

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde_json::Value;

use super::api_error::ApiError;
use super::declared::EIN;
use super::details::Details;
use super::endpoint::{Body, Context, Cost, Endpoint, Reply, Reuse, Rows, UNKNOWN_EIN, json};
use super::list::ListShown;
use super::parameter::parameters;
use crate::record::{Date, Ein, Filing, Month, filing_url};
use crate::search::details::details;
use crate::search::filings::filings;
use crate::search::listing::Paging;
use crate::search::provenance::{KEYS, Missing, Provenance, TracedNonprofit};
use crate::sources::SourceKind;

parameters! {
    /// What provenance takes.
    Params {
        ein: Ein = EIN,
    }
}

/// The endpoint.
pub(super) static PROVENANCE: Endpoint = Endpoint {
    path: "/nonprofits/provenance/{ein}",
    tag: "Insights",
    summary: "Where each value of one nonprofit's details is from",
    body: Body::Json(SchemaGenerator::subschema_for::<Answer<'_>>),
    rows: Rows::In("fields"),
    reuse: Reuse::UntilSwap,
    not_found: Some(UNKNOWN_EIN),
    // Two lookups and the blocks of one nonprofit's records.
    cost: Cost::Micro,
    parameters: Params::DECLARED,
    answer,
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = Params::read(&context.input)?;
    let snapshot = context.snapshot()?;
    let organization = details(snapshot, asked.ein)?.ok_or(ApiError::UnknownNonprofit)?;
    let filings = filings(snapshot, asked.ein, Paging { page: 1, size: usize::MAX })?.rows;
    let manifest = &snapshot.manifest;
    let traced = TracedNonprofit { organization, filings, sources: &manifest.sources };
    let details = serde_json::to_value(Details::of(&traced.organization));
    let Value::Object(details) = details.map_err(ApiError::Unwritable)? else {
        return json(&Value::Null);
    };
    let fields = KEYS
        .iter()
        .filter_map(|&field| {
            let value = details.get(field).cloned().unwrap_or_default();
            Some(FieldProvenance::of(traced.of(field)?, field, value))
        })
        .collect();
    json(&Answer { ein: asked.ein, snapshot: &manifest.snapshot, fields })
}

/// Where each value of a nonprofit's details is from.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "NonprofitProvenance")]
struct Answer<'a> {
    /// Employer Identification Number of the nonprofit: nine digits, leading zeros kept.
    ein: Ein,
    /// Name of the snapshot that answered.
    snapshot: &'a str,
    /// One row for each field of the details, in their order.
    fields: Vec<FieldProvenance<'a>>,
}

/// A value of the details and where it is from.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "FieldProvenance")]
struct FieldProvenance<'a> {
    /// Name of the field in the details.
    field: &'static str,
    /// The value, as the details have it; null where it is not known.
    value: Value,
    /// Kind of source that states such a value.
    kind: SourceKind,
    /// The list or the file of returns that the value is from; null where no source of this kind
    /// was loaded.
    source: Option<ListShown<'a>>,
    /// The return that states the value; null where the value is not from a return.
    #[serde(rename = "return")]
    filing: Option<ReturnShown<'a>>,
    /// Column of the list that has the value; null where the value is from a return in XML.
    column: Option<&'static str>,
    /// XPaths, by local names, of the elements of the return that state the value; empty where it
    /// is from a list.
    paths: Vec<String>,
    /// Last month of the tax period that a figure is of, as `YYYY-MM`; null for values of no tax
    /// period.
    tax_period: Option<String>,
    /// Day that the row of the list gives; null where it gives none.
    row_date: Option<Date>,
    /// How the value is made of what the source states; null where it is taken as it stands or not
    /// known.
    derived: Option<&'static str>,
    /// Why the value is null; null where it is known.
    missing: Option<Missing>,
}

impl<'a> FieldProvenance<'a> {
    fn of(provenance: Provenance<'a>, field: &'static str, value: Value) -> Self {
        let Provenance { kind, source, filing, column, paths, period, row_date, derived, missing } =
            provenance;
        Self {
            kind,
            source: source.map(ListShown::of),
            filing: filing.map(ReturnShown::of),
            column,
            paths,
            tax_period: period.map(year_and_month),
            row_date,
            derived,
            missing,
            field,
            value,
        }
    }
}

pub(super) fn year_and_month(month: Month) -> String {
    format!("{:04}-{:02}", month.year(), month.month())
}

/// The return that states a value.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "ReturnOf")]
struct ReturnShown<'a> {
    /// Form: `990`, `990-EZ` or `990-PF`.
    form_type: &'static str,
    /// Year that the form is of: the one in which the tax period begins.
    tax_year: u16,
    /// Last day of the tax period.
    period_end: Date,
    /// When it was filed, an RFC 3339 time in UTC or a date; null where the return does not say.
    filed: Option<String>,
    /// The IRS's number of the return, 18 digits; null where it is not known.
    object_id: Option<&'a str>,
    /// Address of the return in XML; null where its number is not known.
    file_url: Option<String>,
}

impl<'a> ReturnShown<'a> {
    fn of(filing: &'a Filing) -> Self {
        let object_id = filing.object_id.as_deref();
        Self {
            form_type: filing.form.name(),
            tax_year: filing.tax_year,
            period_end: filing.period_end,
            filed: filing.filed.map(|moment| moment.to_string()),
            object_id,
            file_url: object_id.map(filing_url),
        }
    }
}
