//! The purpose of an organization: its NTEE code or, without one, the code implied by other columns of the master file.

use std::sync::LazyLock;

use crate::record::{Ntee, Organization, SdgSet};
use crate::table::table;

/// What tells a [`Cause`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CauseEvidence {
    /// NTEE_CD, or the code chosen on Form 1023-EZ: as filed.
    Filed,
    /// GROUP: most members of its group ruling that have a code have this one.
    Group,
    /// ACTIVITY: the first of the activity codes used before 1995 that tells something.
    Activity,
    /// FOUNDATION: churches, schools, hospitals and private foundations have codes of their own.
    Foundation,
    /// PF_FILING_REQ_CD: who files Form 990-PF is a private foundation.
    PrivateFoundationFiling,
    /// SUBSECTION: of leagues, lodges, clubs and the like.
    Subsection,
}

impl CauseEvidence {
    /// The column of the master file.
    pub fn column(self) -> &'static str {
        match self {
            Self::Filed => "NTEE_CD",
            Self::Group => "GROUP",
            Self::Activity => "ACTIVITY",
            Self::Foundation => "FOUNDATION",
            Self::PrivateFoundationFiling => "PF_FILING_REQ_CD",
            Self::Subsection => "SUBSECTION",
        }
    }
}

/// What an organization is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cause {
    /// As filed, or the NTEE code nearest to what the evidence says: its major group can be relied on.
    pub code: Ntee,
    pub evidence: CauseEvidence,
}

impl Cause {
    /// Of an organization; `None` where no column tells.
    pub fn of(organization: &Organization) -> Option<Self> {
        if let Some(code) = organization.ntee {
            return Some(Self { code, evidence: CauseEvidence::Filed });
        }
        let exemption = &organization.exemption;
        let activity = || activities(organization).next().map(|activity| activity.ntee);
        let foundation = || of_code(&FOUNDATIONS, exemption.foundation?.number());
        if let Some(code) = organization.group_ntee {
            return Some(Self { code, evidence: CauseEvidence::Group });
        }
        let files = || organization.finances.files_as_private_foundation();
        let subsection = || of_code(&SUBSECTIONS, exemption.subsection?.number());
        let told = activity().map(|code| (code, CauseEvidence::Activity));
        let told = told.or_else(|| Some((foundation()?, CauseEvidence::Foundation)));
        let told = told
            .or_else(|| files().then_some((GRANTMAKER, CauseEvidence::PrivateFoundationFiling)));
        let told = told.or_else(|| Some((subsection()?, CauseEvidence::Subsection)));
        let (code, evidence) = told?;
        Some(Self { code: code.parse().ok()?, evidence })
    }

    /// The title of its major group, such as “Human Services”.
    pub fn issue_area(self) -> Option<&'static str> {
        super::issue_area(self.code)
    }

    /// The goals that it stands for.
    pub fn goals(self) -> SdgSet {
        super::goals(self.code)
    }
}

/// What one of the IRS's activity codes meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Activity {
    code: &'static str,
    /// The NTEE code nearest to it.
    pub ntee: &'static str,
    pub title: &'static str,
}

/// The activities that the master file gives an organization (column ACTIVITY), up to three; codes that tell
/// nothing of what it does, or that the IRS's list lacks, are left out.
pub fn activities(organization: &Organization) -> impl Iterator<Item = &'static Activity> {
    let digits = organization.exemption.activity.as_deref().unwrap_or_default();
    (0..digits.len()).step_by(3).filter_map(|at| {
        let code = digits.get(at..at + 3)?;
        let found = ACTIVITIES.binary_search_by_key(&code, |activity| activity.code).ok()?;
        Some(&ACTIVITIES[found])
    })
}

/// The activity codes that a major group stands for.
pub fn activity_codes(major: char) -> Vec<&'static str> {
    let of_major = |activity: &&Activity| activity.ntee.starts_with(major);
    ACTIVITIES.iter().filter(of_major).map(|activity| activity.code).collect()
}

static ACTIVITIES: LazyLock<Vec<Activity>> = LazyLock::new(|| {
    let mut activities: Vec<Activity> = table!("data/activities.tsv")
        .rows()
        .map(|[code, ntee, title]| Activity { code, ntee, title })
        .collect();
    activities.sort_unstable_by_key(|activity| activity.code);
    activities
});

/// Private grantmaking foundations.
const GRANTMAKER: &str = "T20";

/// FOUNDATION codes that say what an organization is.
const FOUNDATIONS: [(u8, &str); 8] = [
    (2, GRANTMAKER),
    (3, GRANTMAKER),
    (4, GRANTMAKER),
    (10, "X99"),
    (11, "B20"),
    (12, "E20"),
    (13, "B12"),
    (18, "W90"),
];

/// SUBSECTIONs that say what an organization is.
const SUBSECTIONS: [(u8, &str); 20] = [
    (2, "S47"),
    (5, "J40"),
    (6, "S41"),
    (7, "N50"),
    (8, "Y40"),
    (9, "Y40"),
    (10, "Y40"),
    (11, "Y30"),
    (12, "Y99"),
    (13, "Y50"),
    (14, "Y99"),
    (15, "Y20"),
    (17, "Y30"),
    (19, "W30"),
    (20, "I80"),
    (22, "Y30"),
    (23, "W30"),
    (25, "S47"),
    (27, "Y20"),
    (92, GRANTMAKER),
];

fn of_code(table: &[(u8, &'static str)], code: u8) -> Option<&'static str> {
    table.iter().find(|entry| entry.0 == code).map(|entry| entry.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Ein;

    fn organization(activity: &str, foundation: &str, subsection: &str) -> Organization {
        let ein: Ein = "000000001".parse().unwrap();
        let mut organization = Organization::named(ein, "Somebody");
        organization.exemption.activity = Some(activity.to_owned());
        organization.exemption.foundation = foundation.parse().ok();
        organization.exemption.subsection = subsection.parse().ok();
        organization
    }

    #[test]
    fn the_first_evidence_that_tells_decides() {
        for (activity, foundation, subsection, expected) in [
            ("160059000", "15", "03", Some(("P80", CauseEvidence::Activity))),
            // Unspecified, and a code that the IRS's list lacks.
            ("998777000", "10", "03", Some(("X99", CauseEvidence::Foundation))),
            ("000000000", "00", "07", Some(("N50", CauseEvidence::Subsection))),
            ("", "15", "03", None),
        ] {
            let cause = Cause::of(&organization(activity, foundation, subsection));
            let found = cause.map(|cause| (cause.code.to_string(), cause.evidence));
            assert_eq!(found, expected.map(|(code, by)| (code.to_owned(), by)), "{activity}");
        }
        let mut filed = organization("160000000", "15", "03");
        filed.ntee = "K31".parse().ok();
        let cause = Cause::of(&filed).unwrap();
        assert_eq!((cause.code.as_str(), cause.evidence), ("K31", CauseEvidence::Filed));
    }

    #[test]
    fn every_code_of_the_tables_has_an_issue_area() {
        let of_activities = ACTIVITIES.iter().map(|activity| activity.ntee);
        let of_codes = FOUNDATIONS.iter().chain(&SUBSECTIONS).map(|entry| entry.1);
        for code in of_activities.chain(of_codes) {
            assert!(super::super::title(code.parse().unwrap()).is_some(), "{code}");
        }
        assert!(ACTIVITIES.windows(2).all(|pair| pair[0].code < pair[1].code));
    }
}
