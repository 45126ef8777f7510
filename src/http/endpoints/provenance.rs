//! `GET /nonprofits/provenance/{ein}`: of each value of a nonprofit's details where it is from, and
//! of one that is not known why. Beside the specification.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::http::interface::api_error::ApiError;
use crate::http::interface::declared::OfNonprofit;
use crate::http::interface::endpoint::{Context, Endpoint, Reply, Rows, UNKNOWN_EIN, json};
use crate::record::{Date, Ein, Filing, Form, Month, Timestamp, filing_url};
use crate::search::filings::filings;
use crate::search::listing::Paging;
use crate::search::provenance::{Missing, Provenance, TracedNonprofit};
use crate::sources::SourceKind;
use crate::views::{Details, ListShown, view};

/// The endpoint: two lookups and the blocks of one nonprofit's records.
pub(crate) static PROVENANCE: Endpoint = Endpoint {
    summary: "Where each value of one nonprofit's details is from",
    rows: Rows::In("fields"),
    not_found: Some(UNKNOWN_EIN),
    ..Endpoint::json::<Answer<'_>>("/nonprofits/provenance/{ein}", OfNonprofit::DECLARED, answer)
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = OfNonprofit::read(&context.input)?;
    let organization = context.nonprofit(asked.ein)?;
    let snapshot = context.snapshot()?;
    let filings = filings(snapshot, asked.ein, Paging { page: 1, size: usize::MAX })?.rows;
    let manifest = &snapshot.manifest;
    let traced = TracedNonprofit { organization, filings, sources: &manifest.sources };
    let details = serde_json::to_value(Details::of(&traced.organization));
    let Value::Object(details) = details.map_err(ApiError::Unwritable)? else {
        return json(&Value::Null);
    };
    let fields = details.into_iter().filter_map(|(field, value)| {
        let provenance = traced.of(&field, &value)?;
        Some(FieldProvenance::of(field, value, provenance))
    });
    let figures = traced.figures().into_iter().map(|figure| {
        let value = figure.value.map_or(Value::Null, |usd| usd.dollars().into());
        FieldProvenance::of(figure.name.to_owned(), value, figure.provenance)
    });
    let fields = fields.chain(figures).collect();
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
    /// One row for each field of the details, in their order, then `expenses`, `assets` and `liabilities`.
    fields: Vec<FieldProvenance<'a>>,
}

view! {
    /// A value of the details and where it is from.
    #[schemars(rename = "FieldProvenance")]
    struct FieldProvenance<'a> of |field: String, value: Value, provenance: Provenance<'a>| {
        let Provenance { kind, source, filing, column, paths, period, row_date, derived, missing } =
            provenance;

        /// Name of the field in the details; or `expenses`, `assets` or `liabilities`.
        field: String = field,
        /// The value, as the details have it, a figure in whole US dollars; null where it is not known.
        value: Value = value,
        /// Kind of source that states such a value.
        kind: SourceKind = kind,
        /// The list or the file of returns that the value is from; null where no source of this kind
        /// was loaded.
        source: Option<ListShown<'a>> = source.map(ListShown::of),
        /// The return that states the value; null where the value is not from a return.
        #[serde(rename = "return")]
        filing: Option<ReturnShown<'a>> = filing.map(ReturnShown::of),
        /// Column of the list that has the value; null where the value is from a return in XML.
        column: Option<&'static str> = column,
        /// XPaths, by local names, of the elements of the return that state the value; empty where it
        /// is from a list.
        paths: Vec<String> = paths,
        /// Last month of the tax period that a figure is of, as `YYYY-MM`; null for values of no tax
        /// period.
        tax_period: Option<Month> = period,
        /// Day that the row of the list gives; null where it gives none.
        row_date: Option<Date> = row_date,
        /// How the value is made of what the source states; null where it is taken as it stands or not
        /// known.
        derived: Option<&'static str> = derived,
        /// Why the value is null; null where it is known.
        missing: Option<Missing> = missing,
    }
}

view! {
    /// The return that states a value.
    #[schemars(rename = "ReturnOf")]
    struct ReturnShown<'a> of |filing: &'a Filing| {
        let object_id = filing.object_id.as_deref();

        /// Form: `990`, `990-EZ` or `990-PF`.
        form_type: Form = filing.form,
        /// Year that the form is of: the one in which the tax period begins.
        tax_year: u16 = filing.tax_year,
        /// Last day of the tax period.
        period_end: Date = filing.period_end,
        /// When it was filed, an RFC 3339 time in UTC or a date; null where the return does not say.
        filed: Option<Timestamp> = filing.filed,
        /// The IRS's number of the return, 18 digits; null where it is not known.
        object_id: Option<&'a str> = object_id,
        /// Address of the return in XML; null where its number is not known.
        file_url: Option<String> = object_id.map(filing_url),
    }
}
