//! `GET /funders/search`: who funds what is asked for. Beside the specification.

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;

use super::api_error::ApiError;
use super::declared::{MIN_AMOUNT, PAGE, STATE, YEAR, flag, size};
use super::endpoint::{Body, Context, Cost, Endpoint, Reply, Reuse, Rows, json, paging};
use super::grants::{NO_GRANTS, RECIPIENT_NTEE, RECIPIENT_STATE, number, year};
use super::parameter::{Defaulted, Optional, Parameter, optional, parameters};
use super::parameter_type::{Flag, Integer, Text};
use crate::record::{Application, Ein, State, filing_url};
use crate::search::funders::{Funder, search};
use crate::search::grants::Query;

const WORDS: Parameter<Text, Optional> = optional(
    "q",
    Text::at_most(256),
    "What is to be funded: words of recipient and purpose, all of which a grant has.",
);

const ACCEPTS_APPLICATIONS: Parameter<Flag, Optional> = flag(
    "accepts_applications",
    "Only funders whose latest Form 990-PF says that they take applications (`true`) or that they do not \
     (`false`); who does not say is neither.",
);

const SIZE: Parameter<Integer, Defaulted<i64>> = size(20);

parameters! {
    /// What the search of funders takes.
    Params {
        q: Option<String> = WORDS,
        state: Option<State> = STATE,
        accepts_applications: Option<bool> = ACCEPTS_APPLICATIONS,
        recipient_state: Option<State> = RECIPIENT_STATE,
        recipient_ntee: Vec<String> = RECIPIENT_NTEE,
        min_amount: Option<i64> = MIN_AMOUNT,
        year: Option<i64> = YEAR,
        page: i64 = PAGE,
        size: i64 = SIZE,
    }
}

/// The endpoint.
pub(super) static SEARCH: Endpoint = Endpoint {
    path: "/funders/search",
    tag: "Money and people",
    summary: "Funders of what is asked for, who gave most first",
    body: Body::Json(SchemaGenerator::subschema_for::<Answer>),
    rows: Rows::In("items"),
    reuse: Reuse::UntilSwap,
    not_found: None,
    // Every grant may be looked at.
    cost: Cost::Heavy,
    parameters: Params::DECLARED,
    answer,
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = Params::read(&context.input)?;
    let paging = paging(asked.page, asked.size);
    let snapshot = context.snapshot()?;
    let query = Query {
        words: asked.q,
        recipient_state: asked.recipient_state,
        recipient_ntee: asked.recipient_ntee,
        grantor_state: asked.state,
        year: year(asked.year),
        min_amount: asked.min_amount,
    };
    let found = search(snapshot, &query, asked.accepts_applications, paging)?;
    json(&Answer {
        items: found.rows.into_iter().map(FunderRow::of).collect(),
        total: found.total,
        message: (snapshot.grants.count() == 0).then_some(NO_GRANTS),
        page: number(paging),
        size: paging.size as i64,
    })
}

/// Funders of what was asked for.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Funders")]
struct Answer {
    /// Funders of this page, those that gave most first.
    items: Vec<FunderRow>,
    /// Number of funders on all pages together.
    total: u64,
    /// Why nothing can be found; null where returns with grants were loaded.
    message: Option<&'static str>,
    /// Number of this page, from 1, as requested.
    page: i64,
    /// Most funders that a page has, as requested.
    size: i64,
}

/// A funder, and what it gave of the grants in question.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Funder")]
struct FunderRow {
    /// Employer Identification Number of the funder: nine digits, leading zeros kept.
    ein: Ein,
    /// Name of the funder in title case.
    name: String,
    /// City of the funder in title case; null where it is not known.
    city: Option<String>,
    /// USPS code of the funder's state; null abroad and where it is not known.
    state: Option<State>,
    /// Number of its grants that are as asked for.
    grants: u64,
    /// What these add up to in whole US dollars; null where no amount is stated.
    total_amount: Option<i64>,
    /// Latest tax year of these grants.
    latest_year: u16,
    /// Whether it takes applications, by its latest Form 990-PF that says so; null where none
    /// does.
    accepts_applications: Option<bool>,
    /// How it takes applications, by its latest Form 990-PF that says so; null where none was
    /// loaded.
    applications: Option<ApplicationsShown>,
}

/// How a private foundation takes applications, as filed.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Applications")]
struct ApplicationsShown {
    /// Whether it gives to preselected charities only and takes no unsolicited requests.
    only_preselected: bool,
    /// How to apply, one for each program that the return describes.
    how: Vec<HowShown>,
    /// Year that the return is of: the one in which its tax period begins.
    tax_year: u16,
    /// Address of the return in XML; null where the IRS's number of it is not known.
    file_url: Option<String>,
}

/// How to apply, as filed.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "HowToApply")]
struct HowShown {
    /// Name of the person or office to apply to; null where it is not stated.
    addressee: Option<String>,
    /// Street, city, state, ZIP code and country; null where it is not stated.
    address: Option<String>,
    /// Telephone number; null where it is not stated.
    phone: Option<String>,
    /// Email address; null where it is not stated.
    email: Option<String>,
    /// Form of applications and what they should contain; null where it is not stated.
    form: Option<String>,
    /// Deadlines; null where they are not stated.
    deadlines: Option<String>,
    /// Restrictions by place, field or kind of institution; null where they are not stated.
    restrictions: Option<String>,
}

impl HowShown {
    fn of(application: Application) -> Self {
        let Application { addressee, address, phone, email, form, deadlines, restrictions } =
            application;
        Self { addressee, address, phone, email, form, deadlines, restrictions }
    }
}

impl FunderRow {
    fn of(Funder { card, given, latest_year, posture }: Funder) -> Self {
        Self {
            ein: card.ein,
            name: card.name,
            city: card.city,
            state: card.state,
            grants: given.sum.grants,
            total_amount: given.sum.amount,
            latest_year,
            accepts_applications: given.accepts_applications,
            applications: posture.map(|(posture, filing)| ApplicationsShown {
                only_preselected: posture.only_preselected,
                how: posture.applications.into_iter().map(HowShown::of).collect(),
                tax_year: filing.tax_year,
                file_url: filing.object_id.as_deref().map(filing_url),
            }),
        }
    }
}
