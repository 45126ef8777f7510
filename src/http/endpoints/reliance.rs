//! `GET /nonprofits/reliance/{ein}`: what Rev. Proc. 2018-32 asks a third party to report for grantors
//! and contributors to rely on. Beside the specification; the page shows it to be printed.

use crate::http::interface::api_error::ApiError;
use crate::http::interface::declared::OfNonprofit;
use crate::http::interface::endpoint::{Context, Endpoint, Reply, Reuse, UNKNOWN_EIN, json};
use crate::record::{
    CharityClassification, DeductionLimit, Ein, State as RecordState, Timestamp, Zip5,
};
use crate::search::family::{Group, GroupRole, family};
use crate::search::listing::Paging;
use crate::search::reliance::{CITATION, Report};
use crate::search::standing::{Check, State};
use crate::snapshot::Manifest;
use crate::views::{ListShown, view};

/// The endpoint: one lookup and one record.
pub(crate) static RELIANCE: Endpoint = Endpoint {
    summary: "Report on one nonprofit for grantors and contributors to rely on",
    reuse: Reuse::Never,
    not_found: Some(UNKNOWN_EIN),
    ..Endpoint::json::<Answer<'_>>("/nonprofits/reliance/{ein}", OfNonprofit::DECLARED, answer)
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = OfNonprofit::read(&context.input)?;
    let found = context.nonprofit(asked.ein)?;
    let snapshot = context.snapshot()?;
    let manifest = &snapshot.manifest;
    let group = family(snapshot, asked.ein, Paging { page: 1, size: 1 })?.and_then(|of| of.group);
    json(&Answer::of(&Report::of(&found, &manifest.sources), manifest, group))
}

view! {
    /// What Rev. Proc. 2018-32 asks a third party to report for grantors and contributors to rely on.
    #[schemars(rename = "RelianceReport")]
    struct Answer<'a> of |report: &'a Report<'a>, manifest: &'a Manifest, group: Option<Group>| {
        let Report { organization, classification, standing, caveats, is_complete, .. } = report;
        let exemption = &organization.exemption;

        /// Employer Identification Number of the nonprofit: nine digits, leading zeros kept.
        ein: Ein = organization.ein,
        /// Legal name as the list spells it (master file, column NAME).
        legal_name: &'a str = &organization.legal_name,
        /// The name that tells it from others of its group (master file, column SORT_NAME); null where it has none.
        alt_name: Option<&'a str> = organization.alt_name.as_deref(),
        /// Street or post office box in title case; null where it is blank.
        street: Option<&'a str> = organization.address.street.as_deref(),
        /// City in title case; null where it is not known.
        city: Option<&'a str> = organization.address.city.as_deref(),
        /// USPS code of the state; null abroad and where it is not known.
        state: Option<RecordState> = organization.address.state,
        /// First five digits of the ZIP code; null abroad and where it is not known.
        zip: Option<Zip5> = organization.address.zip,
        /// Its group exemption (master file, column GROUP); null where it is in none.
        group: Option<GroupReported> = group.map(GroupReported::of),
        /// Section under which it is exempt, such as `501(c)(3)` (master file, column SUBSECTION);
        /// null where it is blank.
        exemption: Option<String> = exemption.section(),
        /// Code of the master file (column FOUNDATION), 0 to 99; null where it is blank.
        foundation_code: Option<u8> = exemption.foundation.map(|code| code.number()),
        /// What the code of the column FOUNDATION says; null where it is blank or says nothing.
        classification: Option<CharityClassification> = *classification,
        /// Whether contributions are deductible; `not checked` where no list that was loaded says.
        deductible: State = standing.deductibility.state,
        /// What limits the deduction, where gifts are deductible; null where nothing does beyond what limits a gift to a
        /// public charity.
        deduction_limit: Option<&'static str> =
            exemption.deduction_limit().map(DeductionLimit::description),
        /// Deductibility codes of Publication 78, such as `PC`; empty where that list does not have
        /// it.
        publication_78: &'a [String] = &exemption.publication_78,
        /// Whether the exemption was revoked and not reinstated; `not checked` where no revocation
        /// list was loaded.
        revoked: State = standing.revocation.state,
        /// The questions that lists answer, each with its list and the date of that.
        lists: Vec<ListOf<'a>> =
            report.checks().map(|(question, check)| ListOf::of(question, check)).into(),
        /// From which update of the master file the report is, and what was not checked, in sentences.
        statement: String = statement(report),
        /// Whether the report states all that the procedure asks for, and nothing speaks against
        /// relying on it.
        complete: bool = *is_complete,
        /// What the report lacks, and what speaks against relying on it, one sentence each.
        caveats: &'a [String] = caveats,
        /// When this report was provided: an RFC 3339 time in UTC.
        provided_at: Timestamp = Timestamp::now(),
        /// Name of the snapshot that answered.
        snapshot: &'a str = &manifest.snapshot,
        /// When the snapshot was built: an RFC 3339 time in UTC.
        built_at: &'a str = &manifest.built_at,
        /// The revenue procedure that the report rests on.
        citation: &'static str = CITATION,
    }
}

/// The note on a subordinate, which Publication 78 need not list.
const SUBORDINATES: &str = "Publication 78 does not, as a rule, list the subordinates of a group exemption one by one \
    (see Rev. Proc. 2018-32): its central organization can confirm that this one belongs to the group.";

view! {
    /// The group exemption of a nonprofit, as a report names it.
    #[schemars(rename = "GroupReported")]
    struct GroupReported of |group: Group| {
        let is_subordinate = group.role == Some(GroupRole::Subordinate);
        let central = group.central.into_iter().next();

        /// Number of the group exemption, 1 to 9999.
        number: u16 = group.number.number(),
        /// What the nonprofit is in it (master file, column AFFILIATION): `central` or `subordinate`; null where it is
        /// neither.
        role: Option<&'static str> = group.role.map(GroupRole::name),
        /// EIN of the central organization; null where no list that was loaded has it.
        central_ein: Option<Ein> = central.as_ref().map(|one| one.ein),
        /// Its name in title case; null where no list that was loaded has it.
        central_name: Option<String> = central.map(|one| one.name),
        /// That Publication 78 need not list it; null where it is no subordinate.
        note: Option<&'static str> = is_subordinate.then_some(SUBORDINATES),
    }
}

view! {
    /// A question, what the lists say, and which of them says it.
    #[schemars(rename = "ListAsked")]
    struct ListOf<'a> of |question: &'static str, check: Check<'a>| {
        /// The question.
        question: &'static str = question,
        /// What the lists say; `not checked` where no list that decides was loaded, or where none
        /// says.
        state: State = check.state,
        /// Whether the list has a row of the nonprofit; null where no such list was loaded.
        listed: Option<bool> = check.is_listed,
        /// The list that decides, or that does not have the nonprofit; null where none was loaded.
        list: Option<ListShown<'a>> = check.list.map(ListShown::of),
        /// SHA-256 of the file of the list, in hexadecimal; null where there is no list.
        sha256: Option<&'a str> = check.list.map(|list| list.sha256.as_str()),
    }
}

/// From which update of the master file this is, and what nobody has checked.
fn statement(report: &Report<'_>) -> String {
    let Some(list) = report.master_file else {
        return "No Business Master File extract that is loaded has this organization.".to_owned();
    };
    let dated = list.vintage().map_or(String::new(), |vintage| {
        format!(" dated {vintage} by {}", vintage.dated_by.name())
    });
    format!(
        "This information is from the IRS Business Master File extract {}{dated}, the most current \
         update that is loaded here. Whether the IRS has published a later one since was not checked: \
         compare with irs.gov before relying on it, and keep a copy of this report.",
        list.name
    )
}
