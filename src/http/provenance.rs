//! `GET /nonprofits/provenance/{ein}`: of each value of a nonprofit's details where it is from, and
//! of one that is not known why. Beside the specification.

use serde::Serialize;
use serde_json::Value;

use super::declared::EIN;
use super::details::Details;
use super::endpoint::{Context, Cost, Endpoint, Reply, json};
use super::list::ListShown;
use super::parameter::parameters;
use super::refusal::Refusal;
use crate::record::{Date, Ein, Filing, Month, filing_url};
use crate::search::listing::Paging;
use crate::search::provenance::{KEYS, Missing, Provenance, Traced};
use crate::sources::Kind;

parameters! {
    /// What provenance takes.
    Asked {
        ein: Ein = EIN,
    }
}

/// The endpoint.
pub(super) static PROVENANCE: Endpoint = Endpoint {
    path: "/nonprofits/provenance/{ein}",
    tag: "Insights",
    summary: "Where each value of one nonprofit's details is from",
    schema: "NonprofitProvenance",
    // Two lookups and the blocks of one nonprofit's records.
    cost: Cost::Micro,
    parameters: Asked::DECLARED,
    answer,
};

fn answer(context: &Context<'_>) -> Result<Reply, Refusal> {
    let asked = Asked::read(&context.input)?;
    let source = context.source()?;
    let organization = source.details(asked.ein)?.ok_or(Refusal::UnknownNonprofit)?;
    let filings = source.filings(asked.ein, Paging { page: 1, size: usize::MAX })?.rows;
    let manifest = source.manifest();
    let traced = Traced { organization, filings, sources: &manifest.sources };
    let details = serde_json::to_value(Details::of(&traced.organization));
    let Value::Object(details) = details.map_err(Refusal::Unwritable)? else {
        return json(&Value::Null);
    };
    let fields = KEYS
        .iter()
        .filter_map(|&field| {
            let value = details.get(field).cloned().unwrap_or_default();
            Some(Shown::of(traced.of(field)?, field, value))
        })
        .collect();
    json(&Answer { ein: asked.ein, snapshot: &manifest.snapshot, fields })
}

#[derive(Debug, Serialize)]
struct Answer<'a> {
    ein: Ein,
    snapshot: &'a str,
    /// One for every key of details.
    fields: Vec<Shown<'a>>,
}

#[derive(Debug, Serialize)]
struct Shown<'a> {
    field: &'static str,
    value: Value,
    /// The kind of source that says such a value.
    kind: Kind,
    source: Option<ListShown<'a>>,
    #[serde(rename = "return")]
    filing: Option<ReturnShown<'a>>,
    column: Option<&'static str>,
    paths: Vec<String>,
    /// Of a figure of a tax period: its last month, as `YYYY-MM`.
    tax_period: Option<String>,
    row_date: Option<Date>,
    derived: Option<&'static str>,
    /// Why the value is null.
    missing: Option<Missing>,
}

impl<'a> Shown<'a> {
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

fn year_and_month(month: Month) -> String {
    format!("{:04}-{:02}", month.year(), month.month())
}

/// The return that states a value.
#[derive(Debug, Serialize)]
struct ReturnShown<'a> {
    form_type: &'static str,
    tax_year: u16,
    period_end: Date,
    filed: Option<String>,
    object_id: Option<&'a str>,
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
