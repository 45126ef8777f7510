//! `GET /nonprofits/filings/{ein}`: the returns of one nonprofit, with their figures over the years.
//! Beside the specification; the explorer's page of a nonprofit is made of it.

use serde::Serialize;

use super::declared::{EIN, PAGE, size};
use super::endpoint::{Context, Cost, Endpoint, Page, Reply, json, paging};
use super::kind::Whole;
use super::parameter::{Defaulted, Parameter, parameters};
use super::refusal::Refusal;
use crate::record::{Ein, Filing, Moment, Officer, Program, Usd, filing_url};

const SIZE: Parameter<Whole, Defaulted<i64>> = size(20);

parameters! {
    /// What the returns of one nonprofit take.
    Asked {
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
    schema: "FilingPage",
    // One lookup and one block of records.
    cost: Cost::Micro,
    parameters: Asked::DECLARED,
    answer,
};

fn answer(context: &Context<'_>) -> Result<Reply, Refusal> {
    let asked = Asked::read(&context.input)?;
    let paging = paging(asked.page, asked.size);
    let found = context.source()?.filings(asked.ein, paging)?;
    json(&Page::of(found, paging, Shown::of))
}

/// A return as answers show it. Amounts are whole US dollars.
#[derive(Debug, Serialize)]
struct Shown {
    ein: Ein,
    form_type: &'static str,
    tax_year: u16,
    period_end: String,
    filed: Option<String>,
    amended: bool,
    revenue: Option<i64>,
    expenses: Option<i64>,
    assets: Option<i64>,
    liabilities: Option<i64>,
    net_assets: Option<i64>,
    employees: Option<u32>,
    volunteers: Option<u32>,
    mission: Option<String>,
    officers: Vec<Person>,
    programs: Vec<Service>,
    url: Option<String>,
}

/// Somebody whom the return names.
#[derive(Debug, Serialize)]
struct Person {
    name: String,
    title: Option<String>,
    hours: Option<f32>,
    compensation: Option<i64>,
}

/// What the nonprofit does, as the return says.
#[derive(Debug, Serialize)]
struct Service {
    description: String,
    expenses: Option<i64>,
    grants: Option<i64>,
    revenue: Option<i64>,
}

impl Shown {
    fn of(filing: Filing) -> Self {
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
            filed: filing.filed.as_ref().map(Moment::to_string),
            amended: filing.amended,
            revenue: dollars(filing.revenue),
            expenses: dollars(filing.expenses),
            assets: dollars(filing.assets),
            liabilities: dollars(filing.liabilities),
            net_assets: dollars(filing.net_assets),
            employees: filing.employees,
            volunteers: filing.volunteers,
            mission: filing.mission,
            officers: filing.officers.into_iter().map(person).collect(),
            programs: filing.programs.into_iter().map(service).collect(),
            url: filing.object_id.as_deref().map(filing_url),
        }
    }
}
