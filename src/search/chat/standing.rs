//! What the IRS's lists say of one nonprofit, in a sentence or two. What no list was checked for is
//! said to be that.

use crate::naming::capitalised;
use crate::record::{Change, ChangeKind, Organization, Subsection};
use crate::search::changes;
use crate::search::standing::{Check, Standing, State};
use crate::sources::{DatedBy, SourceKind, Summary, Vintage};

const NOT_CHECKED: &str = "Whether its exemption was revoked was not checked: no revocation list is \
                           loaded.";

/// Whether it is exempt, and whether that was revoked.
pub(super) fn exemption(organization: &Organization, sources: &[Summary]) -> String {
    let name = &organization.name;
    let standing = Standing::of(organization, sources);
    if standing.revocation.state == State::Yes {
        return revoked(organization, &standing);
    }
    let section = organization.exemption.subsection.and_then(Subsection::section);
    let of_section = section.map_or(String::new(), |section| format!(" under section {section}"));
    let listed = match (standing.exemption.state, standing.in_master_file) {
        (State::Yes, _) => {
            format!("{} has {name} as exempt{of_section}.", capitalised(&list(standing.exemption)))
        }
        (State::No, _) => format!(
            "{} has {name}{of_section}, which is no exemption.",
            capitalised(&list(standing.exemption))
        ),
        (State::NotChecked, Some(true)) => {
            format!("The IRS's master file has {name}, and does not say under which section.")
        }
        (State::NotChecked, Some(false)) => format!(
            "{name} is in no master file that is loaded, so whether it is exempt was not checked: \
             the data holds its returns alone."
        ),
        (State::NotChecked, None) => format!(
            "Whether {name} is exempt was not checked: no master file of the IRS is loaded."
        ),
    };
    let end = match standing.exemption.state {
        State::Yes => " That says nothing about how well it works.",
        _ => "",
    };
    format!("{listed} {}{end}", not_revoked(organization, &standing))
}

/// Whether contributions to it are deductible.
pub(super) fn deductibility(organization: &Organization, sources: &[Summary]) -> String {
    let name = &organization.name;
    let standing = Standing::of(organization, sources);
    let check = standing.deductibility;
    match check.state {
        _ if standing.revocation.state == State::Yes => revoked(organization, &standing),
        State::Yes => format!(
            "By {}, contributions to {name} are tax-deductible. {}",
            list(check),
            not_revoked(organization, &standing)
        ),
        State::No => {
            format!("By {}, contributions to {name} are not tax-deductible.", list(check))
        }
        State::NotChecked => {
            let why = match check.is_listed {
                None => "Publication 78 is not loaded".to_owned(),
                Some(_) => format!("{} has no row of it", list(check)),
            };
            format!(
                "Whether contributions to {name} are tax-deductible is not known: no master file \
                 that is loaded says so, and {why}."
            )
        }
    }
}

fn revoked(organization: &Organization, standing: &Standing<'_>) -> String {
    let name = &organization.name;
    let day = organization.exemption.revocation.as_ref().map(|entry| entry.revoked);
    let since = day.map_or(String::new(), |day| format!(" since {day}"));
    format!(
        "{} has the exemption of {name} as revoked{since}, and not as reinstated: contributions are \
         not tax-deductible unless that has changed.",
        capitalised(&list(standing.revocation))
    )
}

/// That it is on no revocation list, that it was reinstated, or that nobody looked.
fn not_revoked(organization: &Organization, standing: &Standing<'_>) -> String {
    if standing.revocation.state == State::NotChecked {
        return NOT_CHECKED.to_owned();
    }
    let list = list(standing.revocation);
    let reinstated = organization.exemption.revocation.as_ref().and_then(|entry| entry.reinstated);
    match reinstated {
        Some(day) => format!("{} has it as reinstated from {day}.", capitalised(&list)),
        None => format!("{} does not have it.", capitalised(&list)),
    }
}

/// The list that decided, and as of when it speaks.
fn list(check: Check<'_>) -> String {
    as_of(check.kind, check.list)
}

/// A list, and as of when it speaks.
pub(super) fn as_of(kind: SourceKind, list: Option<&Summary>) -> String {
    let title = match kind {
        SourceKind::MasterFile => "the IRS's master file",
        SourceKind::Publication78 => "the IRS's Publication 78",
        SourceKind::RevocationList => "the IRS's automatic revocation list",
        SourceKind::Postcard => "Form 990-N",
        SourceKind::Returns => "the loaded returns",
        SourceKind::Extract => "the IRS's annual extract of returns",
        SourceKind::Approvals => "the IRS's Form 1023-EZ approvals",
        SourceKind::FilingIndex => "the IRS's index of e-filed returns",
        SourceKind::Curated | SourceKind::Feed => "the records of the operator of this service",
    };
    let Some(Vintage { date, dated_by }) = list.and_then(Summary::vintage) else {
        return title.to_owned();
    };
    match dated_by {
        DatedBy::Posting => format!("{title} (posted to {date})"),
        DatedBy::Name => format!("{title} (of {date}, by the file's name)"),
        DatedBy::Ruling => format!("{title} (rulings to {} {})", date.month_name(), date.year()),
        DatedBy::Filing => format!("{title} (filed to {date})"),
        DatedBy::Download => format!("{title} (file of {date})"),
    }
}

/// What changed of it since earlier files, the latest first; `since` is the day of the earliest of them.
pub(super) fn changed(changes: &[changes::DatedChange], since: Option<&str>) -> String {
    let day = |moment: &str| moment.get(..10).unwrap_or(moment).to_owned();
    match (changes, since) {
        ([], None) => {
            "Whether it has changed, its name included, is not known: no earlier files were \
                       loaded to compare with."
                .to_owned()
        }
        ([], Some(since)) => {
            format!(
                "Nothing of it, its name included, has changed since the files of {}.",
                day(since)
            )
        }
        (changes, _) => {
            let said = |row: &changes::DatedChange| {
                let Change { kind, before, after, .. } = &row.change;
                let from =
                    before.as_ref().map_or(String::new(), |before| format!(" from “{before}”"));
                let to = after.as_ref().map_or(String::new(), |after| format!(" to “{after}”"));
                format!("{}{from}{to}, seen on {}", what_changed(*kind), day(&row.seen))
            };
            let said: Vec<String> = changes.iter().map(said).collect();
            format!("Of changes, the data has: {}.", said.join("; "))
        }
    }
}

fn what_changed(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Appeared => "new in the master file",
        ChangeKind::Vanished => "gone from the master file",
        ChangeKind::Renamed => "its name",
        ChangeKind::Moved => "its address",
        ChangeKind::Revoked => "its exemption was revoked,",
        ChangeKind::Reinstated => "its exemption was reinstated,",
        ChangeKind::DeductibilityChanged => "its deductibility",
        ChangeKind::FoundationChanged => "its foundation code",
        ChangeKind::NewReturn => "a new return,",
    }
}
