//! `GET /nonprofits/standing/{ein}`: what a nonprofit is in the eyes of the tax code, and what else
//! the IRS's lists say of it: for exemption, deductibility and revocation the state, the list that
//! decides, and as of when. Beside the specification; case workers ask for it, and the explorer.

use serde::Serialize;

use super::declared::EIN;
use super::endpoint::{Context, Cost, Endpoint, Reply, json};
use super::list::ListShown;
use super::parameter::parameters;
use super::refusal::Refusal;
use crate::record::{Date, Ein, GroupNumber, Month, OrgSize, Organization, Subsection};
use crate::search::standing::{Check, Standing, State};
use crate::snapshot::Manifest;
use crate::taxonomy;

parameters! {
    /// What standing takes.
    Asked {
        ein: Ein = EIN,
    }
}

/// The endpoint.
pub(super) static STANDING: Endpoint = Endpoint {
    path: "/nonprofits/standing/{ein}",
    tag: "Insights",
    summary: "Tax-exempt standing of one nonprofit",
    schema: "NonprofitStanding",
    // One lookup and one record.
    cost: Cost::Micro,
    parameters: Asked::DECLARED,
    answer,
};

fn answer(context: &Context<'_>) -> Result<Reply, Refusal> {
    let asked = Asked::read(&context.input)?;
    let source = context.source()?;
    let found = source.details(asked.ein)?.ok_or(Refusal::UnknownNonprofit)?;
    json(&Answer::of(&found, source.manifest()))
}

/// The answer. A day or month that a list gives is `YYYY-MM-DD`.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    ein: Ein,
    /// The section under which it is exempt, in words: `501(c)(3)`.
    exemption: Option<String>,
    subsection: Option<String>,
    /// `null` where neither the master file nor Publication 78 says.
    deductible: Option<bool>,
    /// Codes of Publication 78, empty for who is not on it.
    publication_78: &'a [String],
    /// `null` where no revocation list was loaded.
    inactive: Option<bool>,
    ruling: Option<String>,
    revoked: Option<String>,
    revocation_posted: Option<String>,
    reinstated: Option<String>,
    group_number: Option<u16>,
    ntee_title: Option<&'static str>,
    other_names: &'a [String],
    in_care_of: Option<&'a str>,
    county: Option<&'a str>,
    size: Option<OrgSize>,
    /// `null` where no master file was loaded.
    in_master_file: Option<bool>,
    checks: Checks<'a>,
    snapshot: &'a str,
}

/// The questions that lists answer.
#[derive(Debug, Serialize)]
struct Checks<'a> {
    exemption: CheckShown<'a>,
    deductibility: CheckShown<'a>,
    revocation: CheckShown<'a>,
}

#[derive(Debug, Serialize)]
struct CheckShown<'a> {
    state: State,
    /// Whether the list has a row of it; `null` where no such list was loaded.
    listed: Option<bool>,
    /// The day that the row itself gives.
    row_date: Option<Date>,
    list: Option<ListShown<'a>>,
}

impl<'a> CheckShown<'a> {
    fn of(check: Check<'a>) -> Self {
        let Check { state, list, is_listed, row_date, kind: _ } = check;
        Self { state, listed: is_listed, row_date, list: list.map(ListShown::of) }
    }
}

impl<'a> Answer<'a> {
    fn of(organization: &'a Organization, manifest: &'a Manifest) -> Self {
        let Standing { in_master_file, exemption: exempt, deductibility, revocation: revoked } =
            Standing::of(organization, &manifest.sources);
        let Organization { exemption, address, .. } = organization;
        let revocation = exemption.revocation.as_ref();
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
            county: address.county.as_deref(),
            size: organization.size(),
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
