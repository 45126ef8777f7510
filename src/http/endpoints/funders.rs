//! `GET /funders/search`: who funds what is asked for. Beside the specification.

use schemars::JsonSchema;
use serde::Serialize;

use super::grants::{
    ACCEPTS_APPLICATIONS, NO_GRANTS, RECIPIENT_NTEE, RECIPIENT_STATE, YearSum, year,
};
use crate::http::interface::api_error::ApiError;
use crate::http::interface::declared::{MIN_AMOUNT, PAGE, SIZE, STATE, YEAR};
use crate::http::interface::endpoint::{Context, Cost, Endpoint, Reply, Rows, json, paging};
use crate::http::interface::parameter::{defaulted, optional, parameters};
use crate::http::interface::parameter_type::{OrderName, Text};
use crate::record::{Ein, Filing, Posture, State, filing_url};
use crate::search::funders::{Funder, Order, of_name, search, years};
use crate::search::grants::Query;
use crate::views::{PostureShown, view};

parameters! {
    /// What the search of funders takes.
    Params {
        q: Option<String> = optional(
            "q",
            Text::at_most(256),
            "What is to be funded: words of recipient and purpose, all of which a grant has.",
        ),
        state: Option<State> = STATE,
        accepts_applications: Option<bool> = ACCEPTS_APPLICATIONS,
        recipient_state: Option<State> = RECIPIENT_STATE,
        recipient_ntee: Vec<String> = RECIPIENT_NTEE,
        min_amount: Option<i64> = MIN_AMOUNT,
        year: Option<i64> = YEAR,
        sort: Order = defaulted(
            "sort",
            OrderName { names: Order::names, parse: Order::parse, name: Order::name },
            Order::DEFAULT,
            "What funders are sorted by, `-` in front for descending: what these grants add up to (`amount`), their number \
             (`grants`), the funder's total `assets` or its `name`; whose value is not known is last either way.",
        ),
        page: i64 = PAGE,
        size: i64 = SIZE,
    }
}

pub(crate) static SEARCH: Endpoint = Endpoint {
    tag: "Money and people",
    summary: "Funders of what is asked for, unless sorted otherwise who gave most first",
    rows: Rows::In("items"),
    cost: Cost::Heavy, // Every grant may be looked at.
    ..Endpoint::json::<Answer>("/funders/search", Params::DECLARED, answer)
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = Params::read(&context.input)?;
    let snapshot = context.snapshot()?;
    let query = Query {
        words: asked.q,
        recipient_state: asked.recipient_state,
        recipient_ntee: asked.recipient_ntee,
        grantor_state: asked.state,
        year: year(asked.year),
        min_amount: asked.min_amount,
        accepts_applications: asked.accepts_applications,
    };
    let paging = paging(asked.page, asked.size);
    let found = search(snapshot, &query, asked.sort, paging)?;
    let total = found.total;
    let reply = json(&Answer {
        items: found.rows.into_iter().map(FunderRow::of).collect(),
        named: of_name(snapshot, &query)?.into_iter().map(FunderRow::of).collect(),
        total: found.total,
        years: years(snapshot, &query)?.into_iter().map(YearSum::of).collect(),
        message: (snapshot.grants.count() == 0).then_some(NO_GRANTS),
        page: asked.page,
        size: asked.size,
    })?;
    Ok(reply.of_page(total, asked.page, asked.size))
}

/// Funders of what was asked for.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Funders")]
struct Answer {
    /// Funders of this page, in the order asked for.
    items: Vec<FunderRow>,
    /// Funders whose name has all of the words, each with its grants that everything but the words asks for, on every page;
    /// empty where nobody is so called.
    named: Vec<FunderRow>,
    /// Number of funders on all pages together.
    total: u64,
    /// What the grants in question add up to in each tax year, the latest first, whichever year is asked for.
    years: Vec<YearSum>,
    /// Why nothing can be found; null where returns with grants were loaded.
    message: Option<&'static str>,
    /// Number of this page, from 1, as requested.
    page: i64,
    /// Most funders that a page has, as requested.
    size: i64,
}

view! {
    /// A funder, and what it gave of the grants in question.
    #[schemars(rename = "Funder")]
    struct FunderRow of |funder: Funder| {
        let Funder { card, given, assets, latest_year, posture } = funder;

        /// Employer Identification Number of the funder: nine digits, leading zeros kept.
        ein: Ein = card.ein,
        /// Name of the funder in title case.
        name: String = card.name,
        /// City of the funder in title case; null where it is not known.
        city: Option<String> = card.city,
        /// USPS code of the funder's state; null abroad and where it is not known.
        state: Option<State> = card.state,
        /// Number of its grants that are as asked for.
        grants: u64 = given.sum.grants,
        /// What these add up to, cash and other than cash, in whole US dollars; null where no amount is stated.
        total_amount: Option<i64> = given.sum.amount,
        /// What of the total is cash, in whole US dollars; Form 990-PF does not tell cash from the rest, which
        /// counts as cash. Null where no amount is stated.
        cash_amount: Option<i64> =
            given.sum.amount.map(|amount| amount.saturating_sub(given.noncash.unwrap_or_default())),
        /// What of the total is other than cash, such as food in kind, at its value as filed, in whole US dollars; null
        /// where no return states any.
        noncash_amount: Option<i64> = given.noncash,
        /// Total assets of the funder in whole US dollars, as searches filter by; null where they are not known.
        assets: Option<i64> = assets,
        /// Latest tax year of these grants.
        latest_year: u16 = latest_year,
        /// Whether it takes applications, by its latest Form 990-PF that says so; null where none
        /// does.
        accepts_applications: Option<bool> = given.accepts_applications,
        /// How it takes applications, by its latest Form 990-PF that says so; null where none was
        /// loaded.
        applications: Option<ApplicationsShown> = posture.map(ApplicationsShown::of),
    }
}

view! {
    /// How a private foundation takes applications, as filed.
    #[schemars(rename = "Applications")]
    struct ApplicationsShown of |filed: (Posture, Filing)| {
        let (posture, filing) = filed;

        #[serde(flatten)]
        posture: PostureShown = PostureShown::of(posture),
        /// Year that the return is of: the one in which its tax period begins.
        tax_year: u16 = filing.tax_year,
        /// Address of the return in XML; null where the IRS's number of it is not known.
        file_url: Option<String> = filing.object_id.as_deref().map(filing_url),
    }
}
