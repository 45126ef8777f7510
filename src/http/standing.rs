//! `GET /nonprofits/standing/{ein}`: the federal tax status of a nonprofit according to the IRS's
//! lists. For exemption, deductibility and revocation it gives the state, the list that decides it,
//! and as of when. Not in the specification; case workers ask for it, and the explorer shows it.

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;

use super::api_error::ApiError;
use super::declared::EIN;
use super::endpoint::{Body, Context, Cost, Endpoint, Reply, Reuse, Rows, UNKNOWN_EIN, json};
use super::list::ListShown;
use super::parameter::parameters;
use super::provenance::year_and_month;
use crate::record::{
    Date, Ein, FilingDuty, Formation, GroupNumber, Month, OrgSize, Organization, State, Subsection,
    Usd,
};
use crate::search::details::details;
use crate::search::standing::{self, Check, Standing};
use crate::snapshot::Manifest;
use crate::taxonomy;

parameters! {
    /// What standing takes.
    Params {
        ein: Ein = EIN,
    }
}

/// The endpoint.
pub(super) static STANDING: Endpoint = Endpoint {
    path: "/nonprofits/standing/{ein}",
    tag: "Insights",
    summary: "Tax-exempt standing of one nonprofit",
    body: Body::Json(SchemaGenerator::subschema_for::<StandingShown<'_>>),
    rows: Rows::None,
    reuse: Reuse::UntilSwap,
    not_found: Some(UNKNOWN_EIN),
    // One lookup and one record.
    cost: Cost::Micro,
    parameters: Params::DECLARED,
    answer,
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = Params::read(&context.input)?;
    let snapshot = context.snapshot()?;
    let found = details(snapshot, asked.ein)?.ok_or(ApiError::UnknownNonprofit)?;
    json(&StandingShown::of(&found, &snapshot.manifest))
}

/// What a nonprofit is in the eyes of the tax code, by the IRS's lists.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "NonprofitStanding")]
pub(super) struct StandingShown<'a> {
    /// Employer Identification Number of the nonprofit: nine digits, leading zeros kept.
    ein: Ein,
    /// Section under which it is exempt, such as `501(c)(3)` (master file, column SUBSECTION);
    /// null where it is blank.
    exemption: Option<String>,
    /// Subsection code of two digits, such as `03` (master file, column SUBSECTION); null where it
    /// is blank.
    subsection: Option<String>,
    /// Whether contributions are deductible: not to a revoked nonprofit, else as Publication 78 or
    /// the master file (column DEDUCTIBILITY) says; null where no list says.
    deductible: Option<bool>,
    /// Deductibility codes of Publication 78, such as `PC`; empty where that list does not have
    /// it.
    publication_78: &'a [String],
    /// Whether its exemption is revoked and not reinstated (automatic revocation list); null where
    /// no revocation list was loaded.
    inactive: Option<bool>,
    /// First day of the month in which the IRS recognized the exemption (master file, column
    /// RULING); null where it is blank.
    #[schemars(extend("format" = "date"))]
    ruling: Option<String>,
    /// Day of the latest revocation (automatic revocation list); null where the list does not have
    /// it.
    #[schemars(extend("format" = "date"))]
    revoked: Option<String>,
    /// Day on which the IRS posted that revocation (automatic revocation list); null where it is
    /// not stated.
    #[schemars(extend("format" = "date"))]
    revocation_posted: Option<String>,
    /// Day from which the exemption was reinstated (automatic revocation list); null where it was
    /// not.
    #[schemars(extend("format" = "date"))]
    reinstated: Option<String>,
    /// Number of the group exemption that it belongs to (master file, column GROUP); null where it
    /// belongs to none.
    group_number: Option<u16>,
    /// Title of its NTEE code (master file, column NTEE_CD, else Form 1023-EZ); null where the code is
    /// not known.
    ntee_title: Option<&'static str>,
    /// Every other name in title case (master file, column SORT_NAME, and Form 990-N).
    other_names: &'a [String],
    /// Person in whose care mail is sent, in title case (master file, column ICO); null where it
    /// is blank.
    in_care_of: Option<&'a str>,
    /// Country of an address abroad (master file, column CITY); null within the United States.
    country: Option<&'a str>,
    /// County of the ZIP code, without “County” or “Parish”; null where it is not known.
    county: Option<&'a str>,
    /// What it was for by the IRS's activity codes, which were given until January 1995 (master file,
    /// column ACTIVITY); empty where it has none.
    activities: Vec<&'static str>,
    /// Size class by total expenses, else by total revenue, else by the form that it files and the
    /// classes of its receipts and assets; an operator's value takes precedence. Null if unknown.
    size: Option<OrgSize>,
    /// Its annual return, or that it need not file one, in words (master file, columns
    /// FILING_REQ_CD and PF_FILING_REQ_CD); null where neither is stated.
    filing_requirement: Option<&'static str>,
    /// Total assets at the end of a tax period in whole US dollars (master file, column ASSET_AMT, or
    /// a later return); null where none were reported.
    #[schemars(with = "Option<f64>")]
    assets: Option<i64>,
    /// Last month of the tax period that `assets` are of, `YYYY-MM`; null where it is not known.
    assets_period: Option<String>,
    /// Gross receipts in whole US dollars (master file, column INCOME_AMT): revenue before costs are
    /// taken off it; null where none were reported.
    #[schemars(with = "Option<f64>")]
    gross_receipts: Option<i64>,
    /// Where no amount of revenue is known, what it is at most in whole US dollars: gross receipts,
    /// the highest of their class (master file, column INCOME_CD), or 50,000 for who files Form
    /// 990-N; null where the amount is known or nothing limits it.
    #[schemars(with = "Option<f64>")]
    revenue_ceiling: Option<i64>,
    /// Telephone, as its latest return has it; null where no return was loaded.
    phone: Option<&'a str>,
    /// Day on which it was incorporated or formed, as it said on Form 1023-EZ; null where no such form
    /// of it was loaded.
    incorporated: Option<Date>,
    /// State in which it was incorporated or formed (Form 1023-EZ); null abroad and where it is not known.
    incorporated_in: Option<State>,
    /// Purposes of section 501(c)(3) that it said it has (Form 1023-EZ); empty where no such form of it
    /// was loaded.
    purposes: Vec<&'static str>,
    /// Last month of the tax period of its latest Form 990-T, `YYYY-MM`: it has income from business that
    /// is not related to its exemption; null where no such return was loaded.
    unrelated_business: Option<String>,
    /// Whether a master file that was loaded has it; null where none was loaded.
    in_master_file: Option<bool>,
    /// The three questions, each with the list that answers it.
    checks: Checks<'a>,
    /// Name of the snapshot that answered.
    snapshot: &'a str,
}

/// What the lists that were loaded say, one question each.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "StandingChecks")]
struct Checks<'a> {
    /// Whether it is exempt (master file).
    exemption: CheckShown<'a>,
    /// Whether contributions to it are deductible (Publication 78, else master file).
    deductibility: CheckShown<'a>,
    /// Whether its exemption was revoked and not reinstated (automatic revocation list).
    revocation: CheckShown<'a>,
}

/// What a list says on one question.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Check")]
struct CheckShown<'a> {
    /// What the lists say; `not checked` where no list that decides was loaded, or where none
    /// says.
    state: standing::State,
    /// Whether the list has a row of the nonprofit; null where no such list was loaded.
    listed: Option<bool>,
    /// Day that the row of the list gives; null where there is no row or it gives none.
    row_date: Option<Date>,
    /// The list that decides, or that does not have the nonprofit; null where none was loaded.
    list: Option<ListShown<'a>>,
}

impl<'a> CheckShown<'a> {
    fn of(check: Check<'a>) -> Self {
        let Check { state, list, is_listed, row_date, kind: _ } = check;
        Self { state, listed: is_listed, row_date, list: list.map(ListShown::of) }
    }
}

impl<'a> StandingShown<'a> {
    pub(super) fn of(organization: &'a Organization, manifest: &'a Manifest) -> Self {
        let Standing { in_master_file, exemption: exempt, deductibility, revocation: revoked } =
            Standing::of(organization, &manifest.sources);
        let Organization { exemption, address, finances, .. } = organization;
        let revocation = exemption.revocation.as_ref();
        let formation = organization.formation.as_deref();
        let day = |day: Option<Date>| day.map(|day| day.to_string());
        Self {
            ein: organization.ein,
            exemption: exemption.subsection.and_then(Subsection::section),
            subsection: exemption.subsection.map(|code| code.to_string()),
            deductible: exemption.is_deductible(),
            publication_78: &exemption.publication_78,
            inactive: exemption.is_inactive(),
            ruling: exemption.ruling.map(Month::first_day),
            revoked: day(revocation.map(|entry| entry.revoked)),
            revocation_posted: day(revocation.and_then(|entry| entry.posted)),
            reinstated: day(revocation.and_then(|entry| entry.reinstated)),
            group_number: exemption.group.map(GroupNumber::number),
            ntee_title: organization.ntee.and_then(taxonomy::title),
            other_names: &organization.other_names,
            in_care_of: organization.in_care_of.as_deref(),
            country: address.country.as_deref(),
            county: address.county.as_deref(),
            activities: taxonomy::activities(organization).map(|activity| activity.title).collect(),
            size: organization.size(),
            filing_requirement: finances.filing_duty().map(FilingDuty::description),
            assets: finances.assets.map(Usd::dollars),
            assets_period: organization.assets_period().map(year_and_month),
            gross_receipts: finances.income.map(Usd::dollars),
            revenue_ceiling: finances.revenue_ceiling().map(Usd::dollars),
            phone: organization.phone.as_deref(),
            incorporated: formation.and_then(|formation| formation.incorporated),
            incorporated_in: formation.and_then(|formation| formation.state),
            purposes: formation.map_or_else(Vec::new, Formation::purpose_names),
            unrelated_business: organization.unrelated_business.map(year_and_month),
            in_master_file,
            checks: Checks {
                exemption: CheckShown::of(exempt),
                deductibility: CheckShown::of(deductibility),
                revocation: CheckShown::of(revoked),
            },
            snapshot: &manifest.snapshot,
        }
    }
}
