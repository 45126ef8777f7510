//! `GET /nonprofits/people/{ein}` and `/people/search`: officers, directors, trustees, key employees and
//! the highest paid, as returns list them. Beside the specification.

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;

use super::api_error::ApiError;
use super::declared::{EIN, PAGE, STATE, YEAR, size};
use super::endpoint::{
    Body, Context, Cost, Endpoint, Reply, Reuse, Rows, UNKNOWN_EIN, json, paging,
};
use super::grants::{NOT_LOADED, number, year};
use super::parameter::{Defaulted, Parameter, Required, parameters, required};
use super::parameter_type::{Integer, Text};
use crate::record::{CompensationDetail, Ein, Pay, Person, Role, State, Usd, decimal, filing_url};
use crate::search::people::{NameHit, NonprofitQuery, nonprofit_people, search};
use crate::snapshot::Manifest;

const NAME: Parameter<Text, Required> = required(
    "q",
    Text::between(2, 256),
    "A name or part of one: words, all of which the name has, in any case and order.",
);

const SIZE: Parameter<Integer, Defaulted<i64>> = size(20);

mod of_one_params {
    use super::*;

    parameters! {
        /// What the people of one nonprofit take.
        Params {
            ein: Ein = EIN,
            year: Option<i64> = YEAR,
            page: i64 = PAGE,
            size: i64 = SIZE,
        }
    }
}

/// The endpoint over the people of one nonprofit.
pub(super) static PEOPLE_OF: Endpoint = Endpoint {
    path: "/nonprofits/people/{ein}",
    tag: "Money and people",
    summary: "People of one nonprofit by year, with what they were paid",
    body: Body::Json(SchemaGenerator::subschema_for::<NonprofitPeople>),
    rows: Rows::In("items"),
    reuse: Reuse::UntilSwap,
    not_found: Some(UNKNOWN_EIN),
    // Every name in its returns is read.
    cost: Cost::Heavy,
    parameters: of_one_params::Params::DECLARED,
    answer: answer_of_one,
};

fn answer_of_one(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = of_one_params::Params::read(&context.input)?;
    let snapshot = context.snapshot()?;
    let paging = paging(asked.page, asked.size);
    let asked = NonprofitQuery { ein: asked.ein, year: year(asked.year), paging };
    let found = nonprofit_people(snapshot, &asked)?.ok_or(ApiError::UnknownNonprofit)?;
    let none = if found.has_returns { "the loaded returns list nobody" } else { NOT_LOADED };
    json(&NonprofitPeople {
        ein: asked.ein,
        items: found.page.rows.into_iter().map(PersonRow::of).collect(),
        total: found.page.total,
        message: left_out(&snapshot.manifest).or(found.years.is_empty().then_some(none)),
        years: found.years,
        page: number(paging),
        size: paging.size as i64,
    })
}

/// That people are not in the snapshot, where they are not.
fn left_out(manifest: &Manifest) -> Option<&'static str> {
    manifest.without_people.then_some("people were left out when this snapshot was built")
}

/// People of a nonprofit.
#[derive(Debug, JsonSchema, Serialize)]
struct NonprofitPeople {
    /// Employer Identification Number of the nonprofit: nine digits, leading zeros kept.
    ein: Ein,
    /// People of this page, one row a person and return: the latest tax period first, and within
    /// one in the order of the form.
    items: Vec<PersonRow>,
    /// Number of rows on all pages together. Of each tax period the return that was filed last
    /// counts.
    total: u64,
    /// Why there are none; null where returns that were loaded list people of the nonprofit.
    message: Option<&'static str>,
    /// Tax years whose returns list people, the latest first.
    years: Vec<u16>,
    /// Number of this page, from 1, as requested.
    page: i64,
    /// Most rows that a page has, as requested.
    size: i64,
}

/// Somebody as one return lists them.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "ListedPerson")]
pub(super) struct PersonRow {
    /// Name as filed.
    name: String,
    /// Whether the name is a business's, such as a bank that is a trustee.
    is_business: bool,
    /// Title as filed; null where it is not stated.
    title: Option<String>,
    /// What they are: `trustee or director`, `institutional trustee`, `officer`, `key employee`,
    /// `highest compensated`, `former`, or `listed` where the form does not say which.
    roles: Vec<&'static str>,
    /// Average hours a week for the nonprofit; null where they are not stated.
    hours: Option<f64>,
    /// Average hours a week for related organizations; null where they are not stated.
    hours_related: Option<f64>,
    /// Reportable compensation from the nonprofit in whole US dollars (Form 990, column D; other
    /// forms: compensation); null where it is not stated.
    compensation: Option<i64>,
    /// Reportable compensation from related organizations in whole US dollars (Form 990, column
    /// E); null where it is not stated.
    compensation_related: Option<i64>,
    /// Estimated other compensation in whole US dollars (Form 990, column F; other forms: benefit
    /// plans and expense accounts); null where it is not stated.
    compensation_other: Option<i64>,
    /// What Schedule J of the same return says under the same name; null where it does not have
    /// it.
    schedule_j: Option<DetailShown>,
    /// Year that the return is of: the one in which its tax period begins.
    tax_year: u16,
    /// Last day of the tax period.
    #[schemars(extend("format" = "date"))]
    period_end: String,
    /// Address of the return in XML; null where the IRS's number of it is not known.
    file_url: Option<String>,
}

/// A row of Schedule J, Part II.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "ScheduleJ")]
struct DetailShown {
    /// Paid by the nonprofit itself (line i).
    organization: PayShown,
    /// Paid by related organizations (line ii).
    related: PayShown,
}

/// What one payer paid, by the columns of Schedule J, in whole US dollars.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Pay")]
struct PayShown {
    /// Base compensation (column B(i)); null where it is not stated.
    base: Option<i64>,
    /// Bonus and incentive compensation (column B(ii)); null where it is not stated.
    bonus: Option<i64>,
    /// Other reportable compensation (column B(iii)); null where it is not stated.
    other: Option<i64>,
    /// Retirement and other deferred compensation (column C); null where it is not stated.
    deferred: Option<i64>,
    /// Nontaxable benefits (column D); null where they are not stated.
    nontaxable: Option<i64>,
    /// Total (column E), as filed; null where it is not stated.
    total: Option<i64>,
    /// Of column B, what an earlier Form 990 reported as deferred (column F); null where it is not
    /// stated.
    reported_before: Option<i64>,
}

fn dollars(amount: Option<Usd>) -> Option<i64> {
    amount.map(Usd::dollars)
}

impl PayShown {
    fn of(pay: Pay) -> Self {
        let Pay { base, bonus, other, deferred, nontaxable, total, reported_before } = pay;
        Self {
            base: dollars(base),
            bonus: dollars(bonus),
            other: dollars(other),
            deferred: dollars(deferred),
            nontaxable: dollars(nontaxable),
            total: dollars(total),
            reported_before: dollars(reported_before),
        }
    }
}

impl PersonRow {
    pub(super) fn of(person: Person) -> Self {
        let detail = |CompensationDetail { organization, related }| DetailShown {
            organization: PayShown::of(organization),
            related: PayShown::of(related),
        };
        Self {
            name: person.name,
            is_business: person.is_business,
            title: person.title,
            roles: person.roles.iter().map(Role::name).collect(),
            hours: person.hours.map(decimal),
            hours_related: person.hours_related.map(decimal),
            compensation: dollars(person.compensation),
            compensation_related: dollars(person.compensation_related),
            compensation_other: dollars(person.compensation_other),
            schedule_j: person.detail.map(detail),
            tax_year: person.tax_year,
            period_end: person.period_end.to_string(),
            file_url: person.object_id.as_deref().map(filing_url),
        }
    }
}

parameters! {
    /// What the search of people takes.
    Params {
        q: String = NAME,
        state: Option<State> = STATE,
        page: i64 = PAGE,
        size: i64 = SIZE,
    }
}

/// The endpoint over all people.
pub(super) static SEARCH: Endpoint = Endpoint {
    path: "/people/search",
    tag: "Money and people",
    summary: "A name in the returns of all nonprofits",
    body: Body::Json(SchemaGenerator::subschema_for::<Answer>),
    rows: Rows::In("items"),
    reuse: Reuse::UntilSwap,
    not_found: None,
    // A page of records, each with its nonprofit.
    cost: Cost::Heavy,
    parameters: Params::DECLARED,
    answer,
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = Params::read(&context.input)?;
    let paging = paging(asked.page, asked.size);
    let snapshot = context.snapshot()?;
    let found = search(snapshot, &asked.q, asked.state, paging)?;
    let is_empty = snapshot.people.count() == 0;
    json(&Answer {
        items: found.rows.into_iter().map(NameRow::of).collect(),
        total: found.total,
        message: left_out(&snapshot.manifest)
            .or(is_empty.then_some("no return that was loaded lists people")),
        page: number(paging),
        size: paging.size as i64,
    })
}

/// A name in the returns of all nonprofits. Equal names of two nonprofits may be two people.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Names")]
struct Answer {
    /// Names of this page, one row a name and nonprofit: names with no other words than the query's
    /// first, then by the latest year that lists them, and within a year the best paid first.
    items: Vec<NameRow>,
    /// Number of rows on all pages together.
    total: u64,
    /// Why nothing can be found; null where returns with people were loaded.
    message: Option<&'static str>,
    /// Number of this page, from 1, as requested.
    page: i64,
    /// Most rows that a page has, as requested.
    size: i64,
}

/// A name in the returns of one nonprofit. Equal names of two nonprofits may be two people.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "NameOfNonprofit")]
struct NameRow {
    /// Name, as the latest return has it.
    name: String,
    /// Employer Identification Number of the nonprofit: nine digits, leading zeros kept.
    ein: Ein,
    /// Name of the nonprofit in title case.
    organization_name: String,
    /// City of the nonprofit in title case; null where it is not known.
    city: Option<String>,
    /// USPS code of the nonprofit's state; null abroad and where it is not known.
    state: Option<State>,
    /// Title in the latest return that lists the name; null where it is not stated.
    title: Option<String>,
    /// Tax years whose returns list the name, the latest first.
    years: Vec<u16>,
    /// Reportable compensation from the nonprofit in the latest of these returns in whole US
    /// dollars; null where it is not stated.
    compensation: Option<i64>,
    /// Address of the latest of these returns in XML; null where the IRS's number of it is not
    /// known.
    file_url: Option<String>,
}

impl NameRow {
    fn of(NameHit { named, organization }: NameHit) -> Self {
        let latest = named.rows.first();
        let mut years: Vec<u16> = named.rows.iter().map(|row| row.tax_year).collect();
        years.dedup();
        Self {
            title: latest.and_then(|row| row.title.clone()),
            compensation: latest.and_then(|row| dollars(row.compensation)),
            file_url: latest.and_then(|row| row.object_id.as_deref()).map(filing_url),
            name: named.name,
            ein: organization.ein,
            organization_name: organization.name,
            city: organization.city,
            state: organization.state,
            years,
        }
    }
}
