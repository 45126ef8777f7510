//! `GET /nonprofits/reliance/{ein}`: what Rev. Proc. 2018-32 asks a third party to report for grantors
//! and contributors to rely on. Beside the specification; the page shows it to be printed.

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;

use super::api_error::ApiError;
use super::declared::EIN;
use super::endpoint::{Body, Context, Cost, Endpoint, Reply, Reuse, Rows, UNKNOWN_EIN, json};
use super::list::ListShown;
use super::parameter::parameters;
use crate::record::{CharityClassification, Ein, Subsection, Timestamp};
use crate::search::details::details;
use crate::search::reliance::{CITATION, Report};
use crate::search::standing::State;
use crate::snapshot::Manifest;

parameters! {
    /// What a report takes.
    Params {
        ein: Ein = EIN,
    }
}

/// The endpoint.
pub(super) static RELIANCE: Endpoint = Endpoint {
    path: "/nonprofits/reliance/{ein}",
    tag: "Insights",
    summary: "Report on one nonprofit for grantors and contributors to rely on",
    body: Body::Json(SchemaGenerator::subschema_for::<Answer<'_>>),
    rows: Rows::None,
    reuse: Reuse::Never,
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
    let manifest = &snapshot.manifest;
    json(&Answer::of(&Report::of(&found, &manifest.sources), manifest))
}

/// What Rev. Proc. 2018-32 asks a third party to report for grantors and contributors to rely on.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "RelianceReport")]
struct Answer<'a> {
    /// Employer Identification Number of the nonprofit: nine digits, leading zeros kept.
    ein: Ein,
    /// Legal name as the list spells it (master file, column NAME).
    legal_name: &'a str,
    /// Section under which it is exempt, such as `501(c)(3)` (master file, column SUBSECTION);
    /// null where it is blank.
    exemption: Option<String>,
    /// Code of the master file (column FOUNDATION), 0 to 99; null where it is blank.
    foundation_code: Option<u8>,
    /// What the code of the column FOUNDATION says; null where it is blank or says nothing.
    classification: Option<CharityClassification>,
    /// Whether contributions are deductible; `not checked` where no list that was loaded says.
    deductible: State,
    /// Deductibility codes of Publication 78, such as `PC`; empty where that list does not have
    /// it.
    publication_78: &'a [String],
    /// Whether the exemption was revoked and not reinstated; `not checked` where no revocation
    /// list was loaded.
    revoked: State,
    /// The questions that lists answer, each with its list and the date of that.
    lists: Vec<ListOf<'a>>,
    /// From which update of the master file the report is, and what was not checked, in sentences.
    statement: String,
    /// Whether the report states all that the procedure asks for, and nothing speaks against
    /// relying on it.
    complete: bool,
    /// What the report lacks, and what speaks against relying on it, one sentence each.
    caveats: &'a [&'static str],
    /// When this report was provided: an RFC 3339 time in UTC.
    provided_at: String,
    /// Name of the snapshot that answered.
    snapshot: &'a str,
    /// When the snapshot was built: an RFC 3339 time in UTC.
    built_at: &'a str,
    /// The revenue procedure that the report rests on.
    citation: &'static str,
}

/// A question, what the lists say, and which of them says it.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "ListAsked")]
struct ListOf<'a> {
    /// The question.
    question: &'static str,
    /// What the lists say; `not checked` where no list that decides was loaded, or where none
    /// says.
    state: State,
    /// Whether the list has a row of the nonprofit; null where no such list was loaded.
    listed: Option<bool>,
    /// The list that decides, or that does not have the nonprofit; null where none was loaded.
    list: Option<ListShown<'a>>,
    /// SHA-256 of the file of the list, in hexadecimal; null where there is no list.
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
            provided_at: Timestamp::now().to_string(),
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
        format!(" dated {} by {}", vintage.date, vintage.dated_by.name())
    });
    format!(
        "This information is from the IRS Business Master File extract {}{dated}, the most current \
         update that is loaded here. Whether the IRS has published a later one since was not checked: \
         compare with irs.gov before relying on it, and keep a copy of this report.",
        list.name
    )
}
