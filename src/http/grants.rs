//! `GET /nonprofits/grants/{ein}` and `/grants/search`: grants that returns list. Beside the specification.

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;

use super::api_error::ApiError;
use super::declared::{EIN, MIN_AMOUNT, PAGE, YEAR, size};
use super::endpoint::{
    Body, Context, Cost, Endpoint, Reply, Reuse, Rows, UNKNOWN_EIN, json, paging,
};
use super::parameter::{
    Defaulted, Many, Optional, Parameter, defaulted, many, optional, parameters,
};
use super::parameter_type::{Choice, Integer, Text, UspsCode};
use crate::index::grants::LinkKind;
use crate::record::{Ein, GrantStage, State, Usd, filing_url};
use crate::search::grants::{
    Basis, Direction, GrantPage, ListedGrant, NonprofitQuery, Query, ReturnTotals,
    nonprofit_grants, search,
};
use crate::search::listing::Paging;

/// What a list says that has no basis.
pub(super) const NOT_LOADED: &str = "not in the loaded returns";

const DIRECTION: Parameter<Choice<Direction>, Defaulted<Direction>> = defaulted(
    "direction",
    Choice(&[("made", Direction::Made), ("received", Direction::Received)]),
    Direction::Made,
    "Grants that the nonprofit made, or those that it received by the returns of others.",
);

const STAGE: Parameter<Choice<GrantStage>, Defaulted<GrantStage>> = defaulted(
    "stage",
    Choice(&[("paid", GrantStage::Paid), ("approved", GrantStage::Approved)]),
    GrantStage::Paid,
    "Grants paid in the tax period, or those that a Form 990-PF lists as approved for later payment.",
);

const OTHER_STATE: Parameter<UspsCode, Optional> = optional(
    "state",
    UspsCode,
    "USPS code of the state of the other side: of recipients of grants made, of grantors of those received.",
);

const WORDS: Parameter<Text, Optional> =
    optional("q", Text::at_most(256), "Words of recipient and purpose, all of which a grant has.");

const SIZE: Parameter<Integer, Defaulted<i64>> = size(20);

mod of_one_params {
    use super::*;

    parameters! {
        /// What the grants of one nonprofit take.
        Params {
            ein: Ein = EIN,
            direction: Direction = DIRECTION,
            year: Option<i64> = YEAR,
            stage: GrantStage = STAGE,
            min_amount: Option<i64> = MIN_AMOUNT,
            state: Option<State> = OTHER_STATE,
            q: Option<String> = WORDS,
            page: i64 = PAGE,
            size: i64 = SIZE,
        }
    }
}

/// The endpoint over the grants of one nonprofit.
pub(super) static GRANTS_OF: Endpoint = Endpoint {
    path: "/nonprofits/grants/{ein}",
    tag: "Money and people",
    summary: "Grants that one nonprofit made or received",
    body: Body::Json(SchemaGenerator::subschema_for::<NonprofitGrants>),
    rows: Rows::In("items"),
    reuse: Reuse::UntilSwap,
    not_found: Some(UNKNOWN_EIN),
    // A page of records, each with two organizations.
    cost: Cost::Heavy,
    parameters: of_one_params::Params::DECLARED,
    answer: answer_of_one,
};

fn answer_of_one(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = of_one_params::Params::read(&context.input)?;
    let asked = NonprofitQuery {
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
        nonprofit_grants(context.snapshot()?, &asked)?.ok_or(ApiError::UnknownNonprofit)?;
    let GrantPage { page, amount } = answer.list;
    json(&NonprofitGrants {
        ein: asked.ein,
        direction: match asked.direction {
            Direction::Made => "made",
            Direction::Received => "received",
        },
        items: page.rows.into_iter().map(GrantRow::of).collect(),
        total: page.total,
        total_amount: amount,
        message: match answer.basis {
            Basis::Listed => None,
            Basis::NoneListed => Some("the loaded returns list no grants"),
            Basis::NotLoaded => Some(NOT_LOADED),
        },
        returns: answer.returns.into_iter().map(TotalsRow::of).collect(),
        page: number(asked.paging),
        size: asked.paging.size as i64,
    })
}

/// A year, already validated.
pub(super) fn year(asked: Option<i64>) -> Option<u16> {
    asked.and_then(|year| u16::try_from(year).ok())
}

/// The number of the requested page.
pub(super) fn number(paging: Paging) -> i64 {
    i64::try_from(paging.page).unwrap_or(i64::MAX)
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
    /// Number of this page, from 1, as requested.
    page: i64,
    /// Most grants that a page has, as requested.
    size: i64,
}

/// The totals of grants paid that a return states, beside the grants that it lists.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "GrantTotals")]
struct TotalsRow {
    /// Year that the form is of: the one in which the tax period begins.
    tax_year: u16,
    /// Form: `990`, `990-EZ` or `990-PF`.
    form: &'static str,
    /// Grants paid by the return's own total, in whole US dollars; null where it does not state
    /// one.
    stated_total: Option<i64>,
    /// What the grants add up to that the returns of this tax year list as paid, in whole US
    /// dollars; null where none states an amount. Small grants need not be listed.
    listed_total: Option<i64>,
    /// Whether both are known and differ.
    differs: bool,
    /// Address of the return in XML; null where the IRS's number of it is not known.
    file_url: Option<String>,
}

impl TotalsRow {
    fn of(ReturnTotals { filing, stated, listed }: ReturnTotals) -> Self {
        let stated = stated.map(Usd::dollars);
        Self {
            tax_year: filing.tax_year,
            form: filing.form.name(),
            stated_total: stated,
            listed_total: listed,
            differs: stated.zip(listed).is_some_and(|(stated, listed)| stated != listed),
            file_url: filing.object_id.as_deref().map(filing_url),
        }
    }
}

pub(super) const RECIPIENT_STATE: Parameter<UspsCode, Optional> = optional(
    "recipient_state",
    UspsCode,
    "USPS code of the recipient's state, of the nonprofit that it is linked to or as filed.",
);

pub(super) const RECIPIENT_NTEE: Parameter<Text, Many> = many(
    "recipient_ntee",
    Text::ANY,
    "Only grants to nonprofits whose NTEE code starts with any of these, in any case: `A`, `A2` or `A20`.",
);

const GRANTOR_STATE: Parameter<UspsCode, Optional> =
    optional("grantor_state", UspsCode, "USPS code of the grantor's state.");

parameters! {
    /// What the search of grants takes.
    Params {
        q: Option<String> = WORDS,
        recipient_state: Option<State> = RECIPIENT_STATE,
        recipient_ntee: Vec<String> = RECIPIENT_NTEE,
        grantor_state: Option<State> = GRANTOR_STATE,
        min_amount: Option<i64> = MIN_AMOUNT,
        year: Option<i64> = YEAR,
        page: i64 = PAGE,
        size: i64 = SIZE,
    }
}

/// The endpoint over all grants.
pub(super) static SEARCH: Endpoint = Endpoint {
    path: "/grants/search",
    tag: "Money and people",
    summary: "Grants paid, by recipient, purpose, place and amount",
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
        grantor_state: asked.grantor_state,
        year: year(asked.year),
        min_amount: asked.min_amount,
    };
    let GrantPage { page, amount } = search(snapshot, &query, paging)?;
    json(&Answer {
        items: page.rows.into_iter().map(GrantRow::of).collect(),
        total: page.total,
        total_amount: amount,
        message: (snapshot.grants.count() == 0).then_some(NO_GRANTS),
        page: number(paging),
        size: paging.size as i64,
    })
}

/// The message of a search in a snapshot without grants.
pub(super) const NO_GRANTS: &str = "no return that was loaded lists grants";

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

/// How the recipient of a grant was found.
#[derive(Debug, Clone, Copy, JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "RecipientMatch")]
enum RecipientMatch {
    /// By the EIN in the return.
    Filed,
    /// By name and address.
    Matched,
    /// Not.
    Unmatched,
}

/// A grant that a return lists.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Grant")]
pub(super) struct GrantRow {
    /// Employer Identification Number of the grantor: nine digits, leading zeros kept.
    grantor_ein: Ein,
    /// Name of the grantor in title case.
    grantor_name: String,
    /// Employer Identification Number of the recipient: nine digits, leading zeros kept; null
    /// where the return has none and it was not matched.
    recipient_ein: Option<Ein>,
    /// Name of the recipient as filed, else of the nonprofit that it is linked to; null where the
    /// return has none, as of most grants abroad.
    recipient_name: Option<String>,
    /// Whether the return names nobody here and points to a list that is not in it, whose grants the
    /// amount may add up.
    is_listed_elsewhere: bool,
    /// How the recipient was found: by the EIN in the return, by its name and address, or not.
    recipient_match: RecipientMatch,
    /// Probability that the matched nonprofit is the recipient, 0 to 1; null unless it was matched.
    match_score: Option<f64>,
    /// Cash in whole US dollars, of Form 990-PF with what was given other than cash; null where it is
    /// not stated.
    cash: Option<i64>,
    /// Value of what was given other than cash in whole US dollars; null where it is not stated.
    noncash: Option<i64>,
    /// What the grant is for, as filed; null where it is not stated.
    purpose: Option<String>,
    /// Year that the return is of: the one in which its tax period begins.
    tax_year: u16,
    /// Where it is listed: `990-I` (Form 990, Schedule I), `990-F` (Schedule F, abroad) or
    /// `990-PF`.
    form: &'static str,
    /// Whether it was `paid` in the tax period or `approved` for later payment.
    stage: &'static str,
    /// Region abroad, as filed; null at home and where it is not stated.
    foreign_region: Option<String>,
    /// Address of the return in XML; null where the IRS's number of it is not known.
    file_url: Option<String>,
}

impl GrantRow {
    pub(super) fn of(listed: ListedGrant) -> Self {
        let ListedGrant { grant, link, .. } = listed;
        let dollars = |amount: Option<Usd>| amount.map(Usd::dollars);
        Self {
            grantor_ein: listed.grantor_ein,
            grantor_name: listed.grantor_name,
            recipient_ein: listed.recipient_ein,
            recipient_name: listed.recipient_name,
            is_listed_elsewhere: grant.is_listed_elsewhere,
            recipient_match: match link.kind {
                LinkKind::Filed => RecipientMatch::Filed,
                LinkKind::Matched => RecipientMatch::Matched,
                LinkKind::Unmatched => RecipientMatch::Unmatched,
            },
            match_score: link.probability,
            cash: dollars(grant.cash),
            noncash: dollars(grant.noncash),
            purpose: grant.purpose,
            tax_year: grant.tax_year,
            form: grant.form.name(),
            stage: grant.stage.name(),
            foreign_region: grant.foreign_region,
            file_url: grant.object_id.as_deref().map(filing_url),
        }
    }
}
