//! As of when a source speaks.
//!
//! None of the files says it outright, so that the best of what they do say counts, and an answer
//! says which that was: the days on which the revocation list posted its rows; a date in the file's
//! name; the latest ruling or filing in it, than which it is not older; and, with nothing of these,
//! the day of the file. That is the IRS's where `almoner fetch` downloaded it, which sets what the
//! server says, and else that of whoever downloaded it.

use std::fmt;

use super::{SourceKind, Summary};
use crate::irs::{DatedBy, List};
use crate::record::{Date, Month, Timestamp};

/// As of when a source speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Vintage {
    pub date: Date,
    pub dated_by: DatedBy,
}

impl Vintage {
    /// The month, where the source tells no day.
    pub fn month(&self) -> Option<Month> {
        let is_month = matches!(self.dated_by, DatedBy::Ruling | DatedBy::Name);
        Month::new(self.date.year(), self.date.month()).filter(|_| is_month && self.date.day() == 1)
    }
}

/// `2026-03`, or `2026-03-14` where the source tells a day.
impl fmt::Display for Vintage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.month() {
            Some(month) => write!(f, "{}-{:02}", month.year(), month.month()),
            None => write!(f, "{}", self.date),
        }
    }
}

impl Summary {
    /// Whether anything of it is in the data: of reports, a document that no nonprofit is assigned to is not.
    pub fn is_used(&self) -> bool {
        self.kind != SourceKind::Report || self.rows > 0
    }

    /// As of when it speaks; `None` of a file whose own date cannot be.
    pub fn vintage(&self) -> Option<Vintage> {
        let downloaded = self.downloaded();
        let is_past = |date: &Date| downloaded.is_none_or(|downloaded| *date <= downloaded);
        let dated = |date: Option<Date>, dated_by| {
            date.filter(is_past).map(|date| Vintage { date, dated_by })
        };
        let by_rows = self.kind.list().map_or(DatedBy::Filing, List::dated_by);
        dated(self.latest_row.filter(|_| by_rows == DatedBy::Posting), by_rows)
            .or_else(|| dated(date_in(&self.name), DatedBy::Name))
            .or_else(|| dated(self.latest_row, by_rows))
            .or_else(|| dated(downloaded, DatedBy::Download))
    }

    /// As of when it speaks by what it states itself, and not by the day of the file alone.
    pub fn stated_vintage(&self) -> Option<Vintage> {
        self.vintage().filter(|vintage| vintage.dated_by != DatedBy::Download)
    }

    /// The latest day that it states itself, in its name or its rows: whoever reads it cannot live before.
    pub fn stated(&self) -> Option<Date> {
        let vintage = self.stated_vintage();
        vintage.map(|one| one.date).max(self.latest_row).max(self.common_day)
    }

    /// The day of the file, or of the last of its files.
    pub fn downloaded(&self) -> Option<Date> {
        Timestamp::from_seconds(self.modified_seconds)?.date()
    }
}

/// What stands between year and month in the names of the IRS's ZIP files of returns.
const RETURNS_OF: &str = "_TEOS_XML_";

/// The first date in a file's name: `2026-04-14`, `20260414`, `2026_04`, `202604`, or year and month
/// of the IRS's own ZIP files of returns, `2025_TEOS_XML_01A`. Of a month its first day.
fn date_in(name: &str) -> Option<Date> {
    let name = name.replace(RETURNS_OF, "-");
    // Between digits that belong together stands one sign.
    let runs: Vec<&str> = name.split(|c: char| !c.is_ascii_digit()).collect();
    let day = |year: &str, month: &str, day: &str| {
        let year = year.parse().ok().filter(|year| (2000..2100).contains(year))?;
        Date::new(year, month.parse().ok()?, day.parse().ok()?)
    };
    let one = |run: &str| match run.len() {
        8 => day(&run[..4], &run[4..6], &run[6..]),
        6 => day(&run[..4], &run[4..], "1"),
        _ => None,
    };
    let several = |at: usize| {
        let [year, month, rest @ ..] = &runs[at..] else { return None };
        let first_of_month = match (year.len(), month.len()) {
            (4, 2) => day(year, month, "1"),
            _ => None,
        };
        let third = rest.first().filter(|run| run.len() == 2);
        third
            .and_then(|third| day(year, month, third).filter(|_| first_of_month.is_some()))
            .or(first_of_month)
    };
    (0..runs.len()).find_map(|at| one(runs[at]).or_else(|| several(at)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_in_names() {
        for (name, expected) in [
            ("eo-2026-04-14.csv", Some("2026-04-14")),
            ("eo_md_20260414.csv", Some("2026-04-14")),
            ("202604_bmf.csv", Some("2026-04-01")),
            ("data-download-revocation 2026.04.zip!data.txt", Some("2026-04-01")),
            ("2025_TEOS_XML_01A.zip", Some("2025-01-01")),
            ("2025_TEOS_XML_11D.zip", Some("2025-11-01")),
            ("eo4.csv", None),
            ("2026.csv", None),
            ("eo_2026_part_02.csv", None),
            ("2026-13.csv", None),
            ("202300559349300125_public.xml", None),
            ("eo_1926-04-14.csv", None),
            ("", None),
        ] {
            let found = date_in(name).map(|date| date.to_string());
            assert_eq!(found.as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn the_best_of_what_a_source_says() {
        let check = |kind, name: &str, latest_row: Option<&str>, expected: (&str, DatedBy)| {
            let summary = Summary {
                kind,
                name: name.into(),
                bytes: 1,
                sha256: String::new(),
                // 2026-05-02.
                modified_seconds: 1_777_680_000,
                latest_row: latest_row.map(|day| Date::parse_yyyy_mm_dd(day).unwrap()),
                common_day: None,
                rows: 1,
                rejects: 0,
                warnings: Default::default(),
            };
            let Vintage { date, dated_by } = summary.vintage().unwrap();
            assert_eq!((date.to_string().as_str(), dated_by), expected, "{name} {latest_row:?}");
        };
        let (master, revoked) = (SourceKind::MasterFile, SourceKind::RevocationList);
        check(master, "eo1.csv", Some("2026-03-01"), ("2026-03-01", DatedBy::Ruling));
        check(master, "eo1_202604.csv", Some("2026-03-01"), ("2026-04-01", DatedBy::Name));
        check(master, "eo1.csv", None, ("2026-05-02", DatedBy::Download));
        // A date to come is a mistake.
        check(master, "eo1_202704.csv", Some("2027-01-01"), ("2026-05-02", DatedBy::Download));
        check(revoked, "2026-05.txt", Some("2026-04-13"), ("2026-04-13", DatedBy::Posting));
        check(revoked, "2026-05.txt", None, ("2026-05-01", DatedBy::Name));
        check(SourceKind::Returns, "efile/", Some("2023-02-23"), ("2023-02-23", DatedBy::Filing));
    }
}
