//! What the IRS's lists establish of a nonprofit's exemption, deductibility and revocation, and by
//! which list.
//!
//! Each is a [`Check`] of three states: a list that was not loaded makes it [`State::NotChecked`], never
//! a no. What decides is documented in `docs/standing.md`, row by row.

use schemars::JsonSchema;
use serde::Serialize;

use crate::record::{Date, FilingDuty, Listing, Month, Organization};
use crate::sources::{SourceKind, Summary};

/// What a list says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize)]
#[schemars(inline)]
pub enum State {
    #[serde(rename = "yes")]
    Yes,
    #[serde(rename = "no")]
    No,
    /// No list that says was loaded.
    #[serde(rename = "not checked")]
    NotChecked,
}

impl State {
    fn of(answer: Option<bool>) -> Self {
        match answer {
            Some(true) => Self::Yes,
            Some(false) => Self::No,
            None => Self::NotChecked,
        }
    }
}

/// One question, answered from one list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Check<'a> {
    pub state: State,
    /// Which list was asked.
    pub kind: SourceKind,
    /// The list that decided, or that was looked at in vain; `None` where none was loaded.
    pub list: Option<&'a Summary>,
    /// Whether that list has a row of the nonprofit.
    pub is_listed: Option<bool>,
    /// The day that the row itself gives, if it gives one.
    pub row_date: Option<Date>,
}

/// The standing of a nonprofit according to the lists.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Standing<'a> {
    /// Whether a master file has it; `None` where none was loaded.
    pub in_master_file: Option<bool>,
    /// Whether it is exempt. By a row of the master file; the row's date is that of the ruling.
    pub exemption: Check<'a>,
    /// Whether contributions to it are deductible: not to a revoked one; else by Publication 78, or
    /// by the code in the master file.
    pub deductibility: Check<'a>,
    /// Whether its exemption was revoked and not reinstated.
    pub revocation: Check<'a>,
}

impl<'a> Standing<'a> {
    /// The standing of a nonprofit of a snapshot that was built from `sources`.
    pub fn of(organization: &Organization, sources: &'a [Summary]) -> Self {
        let exemption = &organization.exemption;
        let listings = exemption.listings;
        let check = |kind, listing: Listing, answer, row_date| Check {
            state: State::of(answer),
            kind,
            list: match listing {
                Listing::Row { source } => sources.get(source as usize),
                Listing::Absent => latest(sources, kind),
                Listing::NotLoaded => None,
            },
            is_listed: listing.is_listed(),
            row_date,
        };
        let entry = exemption.revocation.as_ref();
        let revocation = check(
            SourceKind::RevocationList,
            listings.revocations,
            exemption.is_inactive(),
            entry.and_then(|entry| entry.posted.or(Some(entry.revoked))),
        );
        let is_revoked = revocation.state == State::Yes;
        let refused = Check { state: State::No, ..revocation };
        let by_master = |answer, row_date| {
            check(SourceKind::MasterFile, listings.master_file, answer, row_date)
        };
        let ruling = exemption.ruling.and_then(|month| Date::new(month.year(), month.month(), 1));
        // Not to be on it is no answer: churches and members of a group need not be.
        let is_on_publication_78 =
            listings.publication_78.is_listed().filter(|is_listed| *is_listed);
        let by_publication_78 =
            check(SourceKind::Publication78, listings.publication_78, is_on_publication_78, None);
        let in_master_file = listings.master_file.is_listed();
        let is_exempt = exemption.is_exempt().filter(|_| in_master_file == Some(true));
        Self {
            in_master_file,
            exemption: if is_revoked { refused } else { by_master(is_exempt, ruling) },
            deductibility: match exemption.is_deductible() {
                _ if is_revoked => refused,
                Some(_) if by_publication_78.state == State::Yes => by_publication_78,
                Some(answer) => by_master(Some(answer), None),
                None => by_publication_78,
            },
            revocation,
        }
    }
}

/// Months between the end of the last tax period on file and the list, from which on three returns may be missing.
const MONTHS_WITHOUT_RETURN: u16 = 36;

/// What to mind before relying on a nonprofit's standing, a clause each.
pub fn cautions(organization: &Organization, sources: &[Summary]) -> Vec<String> {
    let exemption = &organization.exemption;
    let mut said: Vec<String> = exemption.cautions().into_iter().map(str::to_owned).collect();
    if exemption.is_inactive() != Some(true)
        && let Some(period) = last_return_if_old(organization, sources)
    {
        said.push(format!(
            "the IRS's file shows no return of it after the period that ended in {period}; whoever files none for three \
             years in a row loses the exemption, so ask for its latest return"
        ));
    }
    said
}

/// The last tax period of one that must file, where it ended long before the master file was made.
fn last_return_if_old(organization: &Organization, sources: &[Summary]) -> Option<Month> {
    let finances = &organization.finances;
    let Listing::Row { source } = organization.exemption.listings.master_file else { return None };
    let list = sources.get(source as usize)?.stated_vintage()?;
    let must_file = finances.filing_duty().is_some_and(FilingDuty::is_yearly);
    let period = finances.tax_period.filter(|_| must_file)?;
    let listed = Month::new(list.date.year(), list.date.month())?;
    let age = listed.ordinal().saturating_sub(period.ordinal());
    (age >= MONTHS_WITHOUT_RETURN).then_some(period)
}

/// The latest of the sources of a kind.
pub(super) fn latest(sources: &[Summary], kind: SourceKind) -> Option<&Summary> {
    sources
        .iter()
        .filter(|source| source.kind == kind)
        .max_by_key(|source| source.vintage().map(|vintage| vintage.date))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Month, Revocation};

    const KINDS: [SourceKind; 3] =
        [SourceKind::MasterFile, SourceKind::Publication78, SourceKind::RevocationList];

    fn source(kind: SourceKind) -> Summary {
        Summary {
            kind,
            name: kind.name().into(),
            bytes: 1,
            sha256: String::new(),
            modified_seconds: 86_400,
            latest_row: None,
            common_day: None,
            rows: 1,
            rejects: 0,
            warnings: Default::default(),
        }
    }

    /// What lists have of a nonprofit: `-` not loaded, `0` no row, `1` a row; the master file's row
    /// with subsection and code of deductibility, that of the revocation list `r` reinstated.
    fn organization(lists: &str) -> Organization {
        let [master, deductible, charity, revoked] = lists.as_bytes() else { panic!("{lists}") };
        let listing = |letter: &u8, at| match letter {
            b'-' => Listing::NotLoaded,
            b'0' => Listing::Absent,
            _ => Listing::Row { source: at },
        };
        let mut one = Organization::named("010000001".parse().unwrap(), "Alpha");
        let exemption = &mut one.exemption;
        exemption.listings.master_file = listing(master, 0);
        exemption.listings.publication_78 = listing(charity, 1);
        exemption.listings.revocations = listing(revoked, 2);
        if *master == b'1' {
            exemption.subsection = "03".parse().ok();
            exemption.ruling = Month::new(1999, 5);
        }
        let code = if *charity == b'1' { b'1' } else { *deductible };
        exemption.deductibility = char::from(code).to_string().parse().ok();
        let day = |year| Date::new(year, 5, 15).unwrap();
        exemption.revocation = matches!(revoked, b'1' | b'r').then(|| Revocation {
            revoked: day(2010),
            posted: Some(day(2011)),
            reinstated: (*revoked == b'r').then(|| day(2012)),
        });
        one
    }

    /// Lists as above; then whether a master file has it; then, of exemption, deductibility and
    /// revocation, the state, the list that says so, and whether that has a row of it.
    #[test]
    fn each_list_loaded_or_absent_with_a_row_or_without() {
        let sources = KINDS.map(source);
        for (lists, in_master_file, expected) in [
            ("----", None, "not checked - -, not checked - -, not checked - -"),
            ("0---", Some(false), "not checked m n, not checked - -, not checked - -"),
            ("11--", Some(true), "yes m y, yes m y, not checked - -"),
            ("12--", Some(true), "yes m y, no m y, not checked - -"),
            ("10--", Some(true), "yes m y, not checked - -, not checked - -"),
            ("100-", Some(true), "yes m y, not checked p n, not checked - -"),
            ("1200", Some(true), "yes m y, no m y, no r n"),
            ("1110", Some(true), "yes m y, yes p y, no r n"),
            ("0010", Some(false), "not checked m n, yes p y, no r n"),
            ("---0", None, "not checked - -, not checked - -, no r n"),
            ("1111", Some(true), "no r y, no r y, yes r y"),
            ("---1", None, "no r y, no r y, yes r y"),
            ("111r", Some(true), "yes m y, yes p y, no r y"),
        ] {
            let one = organization(lists);
            let standing = Standing::of(&one, &sources);
            assert_eq!(standing.in_master_file, in_master_file, "{lists}");
            let said = |check: Check<'_>| {
                let state = serde_json::to_value(check.state).unwrap();
                let list = check.list.map_or("-", |list| match list.kind {
                    SourceKind::MasterFile => "m",
                    SourceKind::Publication78 => "p",
                    _ => "r",
                });
                let is_listed = check.is_listed.map_or("-", |is| if is { "y" } else { "n" });
                format!("{} {list} {is_listed}", state.as_str().unwrap())
            };
            let Standing { exemption, deductibility, revocation, .. } = standing;
            let found = [exemption, deductibility, revocation].map(said).join(", ");
            assert_eq!(found, expected, "{lists}");
        }
    }

    #[test]
    fn rows_give_their_own_dates() {
        let sources = KINDS.map(source);
        let one = organization("1111");
        let standing = Standing::of(&one, &sources);
        assert_eq!(standing.revocation.row_date, Date::new(2011, 5, 15));
        let one = organization("1110");
        let standing = Standing::of(&one, &sources);
        assert_eq!(standing.exemption.row_date, Date::new(1999, 5, 1));
        assert_eq!(standing.deductibility.row_date, None);
    }

    #[test]
    fn a_trust_under_section_4947_is_not_exempt() {
        let sources = KINDS.map(source);
        let mut charitable = organization("1100");
        charitable.exemption.subsection = "92".parse().ok();
        let mut split_interest = organization("1100");
        split_interest.exemption.status = Some(12);
        for (one, section) in [(charitable, "4947(a)(1)"), (split_interest, "4947(a)(2)")] {
            assert_eq!(Standing::of(&one, &sources).exemption.state, State::No);
            assert_eq!(one.exemption.section().as_deref(), Some(section));
            assert_eq!(cautions(&one, &sources).len(), 1);
        }
    }

    #[test]
    fn cautions_are_of_status_class_and_old_returns() {
        let dated = Date::new(2026, 3, 1);
        let modified_seconds = 1_777_680_000;
        let list = source(SourceKind::MasterFile);
        let sources = [Summary { latest_row: dated, common_day: dated, modified_seconds, ..list }];
        let said = |status: u8, foundation: &str, filing: &str, period: Option<Month>| {
            let mut one = organization("1100");
            one.exemption.status = Some(status);
            one.exemption.foundation = foundation.parse().ok();
            one.finances.filing_requirement = filing.parse().ok();
            one.finances.tax_period = period;
            cautions(&one, &sources)
        };
        assert!(said(1, "15", "02", Month::new(2023, 4)).is_empty());
        assert!(said(1, "15", "06", Month::new(2015, 12)).is_empty());
        for (found, part) in [
            (said(2, "15", "02", None), "conditional"),
            (said(25, "04", "01", None), "status code 25"),
            (said(1, "24", "01", None), "Type III"),
            (said(1, "04", "01", None), "it is a private foundation"),
            (said(1, "15", "02", Month::new(2023, 3)), "March 2023"),
        ] {
            assert!(matches!(&found[..], [one] if one.contains(part)), "{found:?}");
        }
    }
}
