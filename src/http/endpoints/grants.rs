//! `GET /nonprofits/grants/{ein}` and `/grants/search`: grants that returns list. Beside the specification.

use schemars::JsonSchema;
use serde::Serialize;

use crate::http::interface::api_error::ApiError;
use crate::http::interface::declared::{EIN, MIN_AMOUNT, PAGE, SIZE, YEAR, flag};
use crate::http::interface::endpoint::{
    Context, Cost, Endpoint, Reply, Rows, UNKNOWN_EIN, json, paging,
};
use crate::http::interface::parameter::{
    Many, Optional, Parameter, defaulted, many, optional, parameters,
};
use crate::http::interface::parameter_type::{Choice, Flag, Text, UspsCode};
use crate::index::grants::Sum;
use crate::record::{Date, Ein, Form, GrantStage, State, Usd, filing_url};
use crate::search::grants::{
    Basis, Direction, GrantPage, NonprofitQuery, Query, ReturnTotals, nonprofit_grants, search,
};
use crate::views::{GrantRow, view};

/// What a list says that has no basis.
pub(crate) const NOT_LOADED: &str = "not in the loaded returns";

const WORDS: Parameter<Text, Optional> = optional(
    "q",
    Text::at_most(256),
    "Words of recipient and purpose, all of which a grant has in the singular or plural; or a cause and a place, \
         such as `food banks in Ohio`: grants to nonprofits of its NTEE codes there count as well.",
);

parameters! {
    /// What the grants of one nonprofit take.
    GrantsOf {
        ein: Ein = EIN,
        direction: Direction = defaulted(
            "direction",
            Choice::of(&Direction::ALL, Direction::name),
            Direction::Made,
            "Grants that the nonprofit made, or those that it received by the returns of others.",
        ),
        year: Option<i64> = YEAR,
        stage: GrantStage = defaulted(
            "stage",
            Choice::of(&GrantStage::ALL, GrantStage::name),
            GrantStage::Paid,
            "Grants paid in the tax period, or those that a Form 990-PF lists as approved for later payment.",
        ),
        min_amount: Option<i64> = MIN_AMOUNT,
        state: Option<State> = optional(
            "state",
            UspsCode,
            "USPS code of the state of the other side: of recipients of grants made, of grantors of those received.",
        ),
        q: Option<String> = WORDS,
        page: i64 = PAGE,
        size: i64 = SIZE,
    }
}

/// The endpoint over the grants of one nonprofit.
pub(crate) static GRANTS_OF: Endpoint = Endpoint {
    tag: "Money and people",
    summary: "Grants that one nonprofit made or received",
    rows: Rows::In("items"),
    not_found: Some(UNKNOWN_EIN),
    cost: Cost::Heavy, // A page of records, each with two organizations.
    ..Endpoint::json::<NonprofitGrants>(
        "/nonprofits/grants/{ein}",
        GrantsOf::DECLARED,
        answer_of_one,
    )
};

fn answer_of_one(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = GrantsOf::read(&context.input)?;
    let query = NonprofitQuery {
        ein: asked.ein,
        direction: asked.direction,
        year: year(asked.year),
        stage: asked.stage,
        min_amount: asked.min_amount,
        state: asked.state,
        words: asked.q,
        paging: paging(asked.page, asked.size),
    };
    let answer =
        nonprofit_grants(context.snapshot()?, &query)?.ok_or(ApiError::UnknownNonprofit)?;
    let GrantPage { page, amount } = answer.list;
    let total = page.total;
    let reply = json(&NonprofitGrants {
        ein: asked.ein,
        direction: asked.direction.name(),
        items: page.rows.into_iter().map(GrantRow::of).collect(),
        total: page.total,
        total_amount: amount,
        message: match answer.basis {
            Basis::Listed => None,
            Basis::NoneListed => Some("the loaded returns list no grants"),
            Basis::NotLoaded => Some(NOT_LOADED),
        },
        returns: answer.returns.into_iter().map(TotalsRow::of).collect(),
        years: answer.years.into_iter().map(YearSum::of).collect(),
        recipient_states: answer.states.into_iter().map(StateSum::of).collect(),
        recipient_causes: answer.majors.into_iter().map(CauseSum::of).collect(),
        page: asked.page,
        size: asked.size,
    })?;
    Ok(reply.of_page(total, asked.page, asked.size))
}

/// A year, already validated.
pub(crate) fn year(asked: Option<i64>) -> Option<u16> {
    asked.and_then(|year| u16::try_from(year).ok())
}

/// Grants that a nonprofit made or received.
#[derive(Debug, JsonSchema, Serialize)]
struct NonprofitGrants {
    /// Employer Identification Number of the nonprofit: nine digits, leading zeros kept.
    ein: Ein,
    /// On which side of the grants it is: `made` or `received`.
    direction: &'static str,
    /// Grants of this page, the latest tax year first and, within one, the greatest amount.
    items: Vec<GrantRow>,
    /// Number of grants on all pages together. Of each tax period the return that was filed last
    /// counts.
    total: u64,
    /// What all of them add up to, cash and other than cash, in whole US dollars; null where no
    /// amount is stated.
    total_amount: Option<i64>,
    /// Why there are none; null where the returns that were loaded list grants of the nonprofit.
    message: Option<&'static str>,
    /// Of grants made: the nonprofit's own totals in the returns that were loaded, the latest tax
    /// period first; empty of grants received.
    returns: Vec<TotalsRow>,
    /// What the grants add up to in each tax year, the latest first, whichever year is asked for.
    years: Vec<YearSum>,
    /// Of grants made, what went to recipients of each state, the greatest sum first; empty of grants received.
    recipient_states: Vec<StateSum>,
    /// Of grants made, what went to recipients of each NTEE major group, the greatest sum first; empty of grants
    /// received.
    recipient_causes: Vec<CauseSum>,
    /// Number of this page, from 1, as requested.
    page: i64,
    /// Most grants that a page has, as requested.
    size: i64,
}

view! {
    /// The totals of grants paid that a return states, beside the grants that it lists.
    #[schemars(rename = "GrantTotals")]
    struct TotalsRow of |totals: ReturnTotals| {
        let ReturnTotals { filing, stated, listed } = totals;
        let is_other = |(stated, listed): (Usd, i64)| stated.dollars() != listed;

        /// Year that the form is of: the one in which the tax period begins.
        tax_year: u16 = filing.tax_year,
        /// Last day of that tax period.
        period_end: Date = filing.period_end,
        /// Form: `990`, `990-EZ` or `990-PF`.
        form: Form = filing.form,
        /// Grants paid by the return's own total, in whole US dollars; null where it does not state
        /// one.
        stated_total: Option<Usd> = stated,
        /// What the grants add up to that the returns of this tax year list as paid, in whole US
        /// dollars; null where none states an amount. Small grants need not be listed.
        listed_total: Option<i64> = listed,
        /// Whether both are known and differ.
        differs: bool = stated.zip(listed).is_some_and(is_other),
        /// Address of the return in XML; null where the IRS's number of it is not known.
        file_url: Option<String> = filing.object_id.as_deref().map(filing_url),
    }
}

view! {
    /// What grants of a tax year add up to.
    #[schemars(rename = "GrantsOfYear")]
    pub(crate) struct YearSum of |part: (u16, Sum)| {
        let (year, sum) = part;

        /// Year that the returns are of: the one in which their tax period begins.
        tax_year: u16 = year,
        /// Number of grants.
        grants: u64 = sum.grants,
        /// Their sum in whole US dollars; null where no amount is stated.
        total_amount: Option<i64> = sum.amount,
    }
}

view! {
    /// What grants to recipients of a state add up to.
    #[schemars(rename = "GrantsOfState")]
    struct StateSum of |part: (Option<State>, Sum)| {
        let (state, sum) = part;

        /// USPS code of the recipients' state; null abroad and where it is not known.
        state: Option<State> = state,
        /// Number of grants.
        grants: u64 = sum.grants,
        /// Their sum in whole US dollars; null where no amount is stated.
        total_amount: Option<i64> = sum.amount,
    }
}

view! {
    /// What grants to recipients of a cause add up to.
    #[schemars(rename = "GrantsOfCause")]
    struct CauseSum of |part: (Option<char>, Sum)| {
        let (major, sum) = part;

        /// Letter of the recipients' NTEE major group; null where it is not known, as of those not linked to an EIN.
        ntee_major: Option<char> = major,
        /// Number of grants.
        grants: u64 = sum.grants,
        /// Their sum in whole US dollars; null where no amount is stated.
        total_amount: Option<i64> = sum.amount,
    }
}

pub(crate) const RECIPIENT_STATE: Parameter<UspsCode, Optional> = optional(
    "recipient_state",
    UspsCode,
    "USPS code of the recipient's state as filed, or else of the nonprofit that it is linked to.",
);

pub(crate) const RECIPIENT_NTEE: Parameter<Text, Many> = many(
    "recipient_ntee",
    Text::ANY,
    "Only grants to nonprofits whose NTEE code starts with any of these, in any case: `A`, `A2` or `A20`.",
);

pub(crate) const ACCEPTS_APPLICATIONS: Parameter<Flag, Optional> = flag(
    "accepts_applications",
    "Only funders whose latest Form 990-PF says that they take applications (`true`) or that they do not (`false`), and \
     their grants; who does not say is neither.",
);

parameters! {
    /// What the search of grants takes.
    Params {
        q: Option<String> = WORDS,
        recipient_state: Option<State> = RECIPIENT_STATE,
        recipient_ntee: Vec<String> = RECIPIENT_NTEE,
        grantor_state: Option<State> =
            optional("grantor_state", UspsCode, "USPS code of the grantor's state."),
        min_amount: Option<i64> = MIN_AMOUNT,
        year: Option<i64> = YEAR,
        accepts_applications: Option<bool> = ACCEPTS_APPLICATIONS,
        page: i64 = PAGE,
        size: i64 = SIZE,
    }
}

/// The endpoint over all grants.
pub(crate) static SEARCH: Endpoint = Endpoint {
    tag: "Money and people",
    summary: "Grants paid, by recipient, purpose, place and amount",
    rows: Rows::In("items"),
    cost: Cost::Heavy, // Every grant may be looked at.
    ..Endpoint::json::<Answer>("/grants/search", Params::DECLARED, answer)
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = Params::read(&context.input)?;
    let snapshot = context.snapshot()?;
    let query = Query {
        words: asked.q,
        recipient_state: asked.recipient_state,
        recipient_ntee: asked.recipient_ntee,
        grantor_state: asked.grantor_state,
        year: year(asked.year),
        min_amount: asked.min_amount,
        accepts_applications: asked.accepts_applications,
    };
    let GrantPage { page, amount } = search(snapshot, &query, paging(asked.page, asked.size))?;
    let total = page.total;
    let reply = json(&Answer {
        items: page.rows.into_iter().map(GrantRow::of).collect(),
        total: page.total,
        total_amount: amount,
        message: (snapshot.grants.count() == 0).then_some(NO_GRANTS),
        page: asked.page,
        size: asked.size,
    })?;
    Ok(reply.of_page(total, asked.page, asked.size))
}

/// The message of a search in a snapshot without grants.
pub(crate) const NO_GRANTS: &str = "no return that was loaded lists grants";

/// Grants paid.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Grants")]
struct Answer {
    /// Grants of this page, the latest tax year first and, within one, the greatest amount.
    items: Vec<GrantRow>,
    /// Number of grants on all pages together. Of each tax period the return that was filed last
    /// counts.
    total: u64,
    /// What all of them add up to, cash and other than cash, in whole US dollars; null where no
    /// amount is stated.
    total_amount: Option<i64>,
    /// Why nothing can be found; null where returns with grants were loaded.
    message: Option<&'static str>,
    /// Number of this page, from 1, as requested.
    page: i64,
    /// Most grants that a page has, as requested.
    size: i64,
}
