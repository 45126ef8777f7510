//! `GET /nonprofits/filings/{ein}`: the returns of one nonprofit, with their figures over the years.
//! Beside the specification; the explorer's page of a nonprofit is made of it.

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;

use super::api_error::ApiError;
use super::declared::{EIN, PAGE, size};
use super::endpoint::{Body, Context, Cost, Endpoint, Page, Reply, Reuse, Rows, json, paging};
use super::parameter::{Defaulted, Parameter, parameters};
use super::parameter_type::Integer;
use crate::record::{self, Ein, Filing, Program, Timestamp, Usd, filing_url};
use crate::search::filings::filings;
use crate::search::officers::{self, Officer};

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

/// A return of the Form 990 series.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Filing")]
struct FilingRow {
    /// Employer Identification Number of the filer: nine digits, leading zeros kept.
    ein: Ein,
    /// Form: `990`, `990-EZ` or `990-PF`.
    form_type: &'static str,
    /// Year that the form is of: the one in which the tax period begins.
    tax_year: u16,
    /// Last day of the tax period.
    #[schemars(extend("format" = "date"))]
    period_end: String,
    /// When it was filed (`ReturnTs`), an RFC 3339 time in UTC or a date; null where the return
    /// does not say.
    filed: Option<String>,
    /// Whether it replaces an earlier return of the same period.
    amended: bool,
    /// Total revenue of the tax period in whole US dollars; null where the return does not state
    /// it.
    revenue: Option<i64>,
    /// Total expenses of the tax period in whole US dollars; null where the return does not state
    /// them.
    expenses: Option<i64>,
    /// Total assets at the end of the tax period in whole US dollars; null where the return does
    /// not state them.
    assets: Option<i64>,
    /// Total liabilities at the end of the tax period in whole US dollars; null where the return
    /// does not state them.
    liabilities: Option<i64>,
    /// Net assets or fund balances at the end of the tax period in whole US dollars; null where
    /// the return does not state them.
    net_assets: Option<i64>,
    /// Number of employees in the calendar year (Form 990, Part I, line 5); null where the return
    /// does not state it.
    employees: Option<u32>,
    /// Number of volunteers as estimated (Form 990, Part I, line 6); null where the return does
    /// not state it.
    volunteers: Option<u32>,
    /// Mission in sentence case; null where the return does not state one.
    mission: Option<String>,
    /// Officers, directors, trustees and key employees, in the order of the form.
    officers: Vec<Person>,
    /// Program services and what they accomplished, in the order of the form.
    programs: Vec<Service>,
    /// Address of the return in XML; null where the IRS's number of it is not known.
    url: Option<String>,
}

/// Somebody whom a return names as an officer, director, trustee or key employee.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Officer")]
struct Person {
    /// Name, in title case where the form has capitals only.
    name: String,
    /// Title or office, in title case where the form has capitals only; null where it is not
    /// stated.
    title: Option<String>,
    /// Average hours a week; null where they are not stated.
    hours: Option<f32>,
    /// Compensation by the nonprofit in the tax period in whole US dollars; null where the return
    /// does not state it.
    compensation: Option<i64>,
}

/// A program service of a return.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Program")]
struct Service {
    /// What it does and accomplished, in sentence case.
    description: String,
    /// Its expenses in the tax period in whole US dollars; null where the return does not state
    /// them.
    expenses: Option<i64>,
    /// Grants among its expenses in whole US dollars; null where the return does not state them.
    grants: Option<i64>,
    /// Its revenue in the tax period in whole US dollars; null where the return does not state it.
    revenue: Option<i64>,
}

impl FilingRow {
    fn of(filing: Filing, people: &[record::Person]) -> Self {
        let officers = officers::of_filing(&filing, people);
        let dollars = |amount: Option<Usd>| amount.map(Usd::dollars);
        let person = |officer: Officer| Person {
            name: officer.name,
            title: officer.title,
            hours: officer.hours,
            compensation: dollars(officer.compensation),
        };
        let service = |program: Program| Service {
            description: program.description,
            expenses: dollars(program.expenses),
            grants: dollars(program.grants),
            revenue: dollars(program.revenue),
        };
        Self {
            ein: filing.ein,
            form_type: filing.form.name(),
            tax_year: filing.tax_year,
            period_end: filing.period_end.to_string(),
            filed: filing.filed.as_ref().map(Timestamp::to_string),
            amended: filing.amended,
            revenue: dollars(filing.revenue),
            expenses: dollars(filing.expenses),
            assets: dollars(filing.assets),
            liabilities: dollars(filing.liabilities),
            net_assets: dollars(filing.net_assets),
            employees: filing.employees,
            volunteers: filing.volunteers,
            mission: filing.mission,
            officers: officers.into_iter().map(person).collect(),
            programs: filing.programs.into_iter().map(service).collect(),
            url: filing.object_id.as_deref().map(filing_url),
        }
    }
}
