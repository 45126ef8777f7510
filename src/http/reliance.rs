//! `GET /nonprofits/reliance/{ein}`: what Rev. Proc. 2018-32 asks a third party to report for grantors
//! and contributors to rely on. Beside the specification; the page shows it to be printed.

use serde::Serialize;

use super::declared::EIN;
use super::endpoint::{Context, Cost, Endpoint, Reply, json};
use super::list::ListShown;
use super::parameter::parameters;
use super::refusal::Refusal;
use crate::record::{CharityClassification, Ein, Moment, Subsection};
use crate::search::reliance::{CITATION, Report};
use crate::search::standing::State;
use crate::snapshot::Manifest;

parameters! {
    /// What a report takes.
    Asked {
        ein: Ein = EIN,
    }
}

/// The endpoint.
pub(super) static RELIANCE: Endpoint = Endpoint {
    path: "/nonprofits/reliance/{ein}",
    tag: "Insights",
    summary: "Report on one nonprofit for grantors and contributors to rely on",
    schema: "RelianceReport",
    // One lookup and one record.
    cost: Cost::Micro,
    parameters: Asked::DECLARED,
    answer,
};

fn answer(context: &Context<'_>) -> Result<Reply, Refusal> {
    let asked = Asked::read(&context.input)?;
    let source = context.source()?;
    let found = source.details(asked.ein)?.ok_or(Refusal::UnknownNonprofit)?;
    let manifest = source.manifest();
    json(&Answer::of(&Report::of(&found, &manifest.sources), manifest))
}

#[derive(Debug, Serialize)]
struct Answer<'a> {
    ein: Ein,
    /// As the list spells it.
    legal_name: &'a str,
    /// The section under which it is exempt, in words: `501(c)(3)`.
    exemption: Option<String>,
    foundation_code: Option<u8>,
    classification: Option<CharityClassification>,
    deductible: State,
    /// Codes of Publication 78, empty for who is not on it.
    publication_78: &'a [String],
    revoked: State,
    /// The lists that say so, with their dates.
    lists: Vec<ListOf<'a>>,
    statement: String,
    /// Whether it states all that the procedure asks for, and nothing speaks against it.
    complete: bool,
    caveats: &'a [&'static str],
    /// When this was provided: RFC 3339, UTC.
    provided_at: String,
    snapshot: &'a str,
    built_at: &'a str,
    citation: &'static str,
}

#[derive(Debug, Serialize)]
struct ListOf<'a> {
    question: &'static str,
    state: State,
    listed: Option<bool>,
    list: Option<ListShown<'a>>,
    sha256: Option<&'a str>,
}

impl<'a> Answer<'a> {
    fn of(report: &'a Report<'a>, manifest: &'a Manifest) -> Self {
        let Report { organization, classification, standing, caveats, is_complete, .. } = report;
        let exemption = &organization.exemption;
        let lists = report.checks().map(|(question, check)| ListOf {
            question,
            state: check.state,
            listed: check.is_listed,
            list: check.list.map(ListShown::of),
            sha256: check.list.map(|list| list.sha256.as_str()),
        });
        Self {
            ein: organization.ein,
            legal_name: &organization.legal_name,
            exemption: exemption.subsection.and_then(Subsection::section),
            foundation_code: exemption.foundation.map(|code| code.number()),
            classification: *classification,
            deductible: standing.deductibility.state,
            publication_78: &exemption.publication_78,
            revoked: standing.revocation.state,
            lists: lists.into(),
            statement: statement(report),
            complete: *is_complete,
            caveats,
            provided_at: Moment::now().to_string(),
            snapshot: &manifest.snapshot,
            built_at: &manifest.built_at,
            citation: CITATION,
        }
    }
}

/// From which update of the master file this is, and what nobody has checked.
fn statement(report: &Report<'_>) -> String {
    let Some(list) = report.master_file else {
        return "No Business Master File extract that is loaded has this organization.".to_owned();
    };
    let dated = list.vintage().map_or(String::new(), |vintage| {
        format!(" dated {} by {}", vintage.date, vintage.dated_by.title())
    });
    format!(
        "This information is from the IRS Business Master File extract {}{dated}, the most current \
         update that is loaded here. Whether the IRS has published a later one since was not checked: \
         compare with irs.gov before relying on it, and keep a copy of this report.",
        list.name
    )
}
