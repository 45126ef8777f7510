//! What a third party's report states on which a grantor or contributor may rely.
//!
//! Rev. Proc. 2018-32 (2018-23 I.R.B. 739) lets grantors and contributors rely on the IRS's databases,
//! also where somebody else reports them, if the report has the organization's name, its EIN, its
//! classification under section 509(a)(1), (2) or (3), of a supporting organization its type, and
//! whether contributions are deductible; says that this is from the most current update of the Business
//! Master File extract, and the date of that; and says when the information was provided. This program
//! cannot know whether the IRS has published a later update since, and the report says so as well.

use super::standing::{Check, Standing, State, cautions};
use crate::record::{CharityClassification, Listing, Organization};
use crate::sources::{DatedBy, Summary};

/// What the report rests on.
pub const CITATION: &str = "Rev. Proc. 2018-32, 2018-23 I.R.B. 739";

/// The report, but for the time at which it is provided.
#[derive(Debug, Clone, PartialEq)]
pub struct Report<'a> {
    pub organization: &'a Organization,
    pub classification: Option<CharityClassification>,
    pub standing: Standing<'a>,
    /// The master file that has it; `None` where none does.
    pub master_file: Option<&'a Summary>,
    /// What the procedure asks for and this report cannot state, and what speaks against relying on it.
    pub caveats: Vec<String>,
    /// Whether it states all that the procedure asks for, and nothing speaks against it.
    pub is_complete: bool,
}

impl<'a> Report<'a> {
    /// The report on a nonprofit of a snapshot that was built from `sources`.
    pub fn of(organization: &'a Organization, sources: &'a [Summary]) -> Self {
        let exemption = &organization.exemption;
        let standing = Standing::of(organization, sources);
        let classification = exemption.foundation.and_then(|code| code.classification());
        let master_file = match exemption.listings.master_file {
            Listing::Row { source } => sources.get(source as usize),
            Listing::Absent | Listing::NotLoaded => None,
        };
        let mut caveats = Vec::new();
        if master_file.is_none() {
            caveats.push("no master file that is loaded has this organization");
        }
        match classification {
            None => caveats.push("the classification under section 509(a) is not known"),
            Some(known) if known.section.is_none() => {
                caveats.push("not classified as a public charity under section 509(a): for a grant to it, not for a gift, a private foundation has to \
                 exercise expenditure responsibility");
            }
            Some(_) => {}
        }
        match standing.deductibility.state {
            State::Yes => {}
            State::No => caveats.push("contributions are not deductible by the lists named here"),
            State::NotChecked => {
                caveats.push("no loaded list says whether contributions are deductible")
            }
        }
        match standing.revocation.state {
            State::Yes => caveats.push("the exemption is on the automatic revocation list"),
            State::NotChecked => {
                caveats
                    .push("not checked against the automatic revocation list, which is not loaded");
            }
            State::No => {}
        }
        let by_download = |list: &Summary| {
            list.vintage().is_none_or(|vintage| vintage.dated_by == DatedBy::Download)
        };
        if master_file.is_some_and(by_download) {
            caveats.push(
                "the master file's own date is not known: the date is that of the file as downloaded",
            );
        }
        let is_complete = caveats.is_empty() && standing.exemption.state != State::No;
        let mut caveats: Vec<String> = caveats.into_iter().map(str::to_owned).collect();
        // A caveat says it of private foundations already.
        let is_said = |caution: &String| {
            organization.is_private_foundation() == Some(true)
                && organization.exemption.caution_of_class() == Some(caution)
        };
        caveats.extend(cautions(organization, sources).into_iter().filter(|one| !is_said(one)));
        Self { organization, classification, standing, master_file, caveats, is_complete }
    }

    /// The lists that it rests on, each with its question.
    pub fn checks(&self) -> [(&'static str, Check<'a>); 3] {
        let Standing { exemption, deductibility, revocation, .. } = self.standing;
        [("exemption", exemption), ("deductibility", deductibility), ("revocation", revocation)]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::record::{Date, Listings};
    use crate::sources::SourceKind;

    fn source(kind: SourceKind, latest_row: Option<Date>) -> Summary {
        Summary {
            kind,
            name: "list".into(),
            bytes: 1,
            sha256: String::new(),
            modified_seconds: 1_777_680_000,
            latest_row,
            common_day: None,
            rows: 1,
            rejects: 0,
            warnings: BTreeMap::new(),
        }
    }

    /// A caveat for each thing that is not known, and for each that speaks against relying on it.
    #[test]
    fn a_report_is_complete_or_says_what_it_lacks() {
        let dated = Date::new(2026, 3, 1);
        let row = Listing::Row { source: 0 };
        let check = |foundation: &str, code: &str, revocations, dated, expected: &[&str]| {
            let mut one = Organization::named("010000001".parse().unwrap(), "Alpha");
            one.exemption.subsection = "03".parse().ok();
            one.exemption.foundation = foundation.parse().ok();
            one.exemption.deductibility = code.parse().ok();
            one.exemption.listings =
                Listings { master_file: row, revocations, ..Listings::default() };
            let sources =
                [source(SourceKind::MasterFile, dated), source(SourceKind::RevocationList, dated)];
            let report = Report::of(&one, &sources);
            assert_eq!(report.is_complete, expected.is_empty());
            assert_eq!(report.caveats.len(), expected.len(), "{:?}", report.caveats);
            for (caveat, part) in report.caveats.iter().zip(expected) {
                assert!(caveat.contains(part), "{caveat}: {part}");
            }
        };
        check("15", "1", Listing::Absent, dated, &[]);
        check("04", "1", Listing::Absent, dated, &["not classified as a public charity"]);
        check("", "1", Listing::Absent, dated, &["not known"]);
        check("15", "2", Listing::Absent, dated, &["not deductible"]);
        check("15", "0", Listing::Absent, dated, &["no loaded list says"]);
        check("15", "1", Listing::NotLoaded, dated, &["not checked"]);
        check("15", "1", Listing::Absent, None, &["as downloaded"]);
        let one = Organization::named("010000001".parse().unwrap(), "Alpha");
        let report = Report::of(&one, &[]);
        assert_eq!(report.caveats.len(), 4, "{:?}", report.caveats);
    }

    #[test]
    fn public_charities_have_their_paragraph_and_type() {
        for (code, section, supporting) in [
            ("10", Some("509(a)(1)"), None),
            ("16", Some("509(a)(2)"), None),
            ("21", Some("509(a)(3)"), Some("Type I")),
            ("04", None, None),
        ] {
            let mut one = Organization::named("010000001".parse().unwrap(), "Alpha");
            one.exemption.foundation = code.parse().ok();
            let found = Report::of(&one, &[]).classification.unwrap();
            assert_eq!((found.section, found.supporting), (section, supporting), "{code}");
        }
        assert!("77".parse::<crate::record::Foundation>().unwrap().classification().is_none());
    }
}
