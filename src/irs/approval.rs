//! Form 1023-EZ approvals: what small organizations said when they applied for their exemption. One
//! workbook a year, or the same as CSV; columns named by a header. No person, address or telephone of
//! a row is read.
//!
//! Source: IRS, Exempt Organizations Form 1023-EZ Approvals, its data dictionary.

use serde::{Deserialize, Serialize};

use super::layout::{FieldError, Heading, Layout, ListFormat, Values, parsed};
use super::records::{Dialect, Fields};
use super::website::website;
use super::{ListRow, text};
use crate::naming;
use crate::record::{Date, Ein, Formation, Ntee, Organization, Origin, Purpose};

/// A row of the Form 1023-EZ approvals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ApprovalRow {
    pub ein: Ein,
    pub name: String,
    /// When it applied, as year and day of the year (2014269); 0 when the row does not say.
    pub submitted: u32,
    /// Normalised.
    pub website: Option<String>,
    /// In sentence case; no workbook before 2018 has one.
    pub mission: Option<String>,
    /// The code that the applicant chose.
    pub ntee: Option<Ntee>,
    pub formation: Formation,
}

impl ApprovalRow {
    /// Completes an organization by what it said on Form 1023-EZ.
    pub(super) fn complete(self, organization: &mut Organization, source: u32) {
        let origins = &mut organization.origins;
        let said_here = Origin::Approval { source };
        fill(&mut organization.summary, self.mission, &mut origins.summary, said_here);
        fill(&mut organization.website, self.website, &mut origins.website, said_here);
        let code = self.ntee.filter(|code| !code.is_unknown());
        fill(&mut organization.ntee, code, &mut origins.ntee, said_here);
        let year = self.formation.incorporated.map(|day| day.year());
        fill(&mut organization.year_formed, year, &mut origins.year_formed, said_here);
        organization.formation = Some(Box::new(self.formation));
        origins.formation = said_here;
    }
}

/// Fills a value that is not known.
fn fill<T>(known: &mut Option<T>, said: Option<T>, origin: &mut Origin, said_here: Origin) {
    if known.is_none() && said.is_some() {
        (*known, *origin) = (said, said_here);
    }
}

/// The columns without which a file is none of approvals; those of purposes follow [`Purpose::ALL`].
pub(crate) const COLUMNS: [&str; 16] = [
    "EIN",
    "Case Number",
    "Orgname1",
    "Orgname2",
    "Orgurl",
    "Incorporateddate",
    "Incorporatedstate",
    "Nteecode",
    "Orgpurposecharitable",
    "Orgpurposereligious",
    "Orgpurposeeducational",
    "Orgpurposescientific",
    "Orgpurposeliterary",
    "Orgpurposepublicsafety",
    "Orgpurposeamateursports",
    "Orgpurposecrueltyprevention",
];

/// Since 2018.
const MISSION: &str = "Mission";

/// Where in [`COLUMNS`] the purposes begin.
const PURPOSES: usize = 8;

/// How many columns make a header one of approvals, so that what is missing can be named.
const COLUMNS_MIN: usize = 5;

pub(super) const FORMAT: ListFormat = ListFormat {
    columns: &COLUMNS,
    columns_min: COLUMNS_MIN,
    dialects: &[Dialect::Commas],
    heading: Heading::Named(layout),
};

/// Digits of an EIN, whose zeros in front a workbook loses.
const EIN_DIGITS: usize = 9;

/// The length of the first line of a name: one that fills it goes on without a blank.
const NAME_LINE_CHARACTERS: usize = 35;

/// The layout that a header line gives.
///
/// # Errors
/// The columns that it lacks.
fn layout(header: Fields<'_>) -> Result<Layout, Vec<&'static str>> {
    let position = |name: &&str| header.iter().position(|heading| is_called(heading, name));
    let missing: Vec<_> = COLUMNS.into_iter().filter(|name| position(name).is_none()).collect();
    if !missing.is_empty() {
        return Err(missing);
    }
    let names: Vec<_> = COLUMNS.into_iter().chain([MISSION]).collect();
    let positions = names.iter().map(position).collect();
    Ok(Layout { names, positions, width: header.len(), commas_at: None, row })
}

/// Whether a heading is a column's name, in any case and with or without blanks.
fn is_called(heading: &[u8], column: &str) -> bool {
    fn letters(text: &[u8]) -> impl Iterator<Item = u8> {
        text.iter().filter(|byte| byte.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase)
    }
    letters(heading).eq(letters(column.as_bytes()))
}

/// An EIN as a text or as a number, which has lost its zeros.
fn ein(code: &str) -> Option<Ein> {
    let is_number = !code.is_empty() && code.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| format!("{code:0>EIN_DIGITS$}"))?.parse().ok()
}

/// The day in a case's number, `EO-2014269-000138`, as year and day of the year: 2014269.
fn day_of_case(number: &str) -> Option<u32> {
    let digits = number.split('-').nth(1)?;
    (digits.len() == 7).then(|| digits.parse().ok())?
}

/// A day as `11/28/2001`, as `2001-11-28`, with or without a time behind it, or as the number that a
/// spreadsheet keeps.
fn day(text: &str) -> Option<Date> {
    let text = text.split([' ', 'T']).next().unwrap_or_default();
    if let Ok(days) = text.parse() {
        return Date::of_spreadsheet(days);
    }
    let mut parts = text.splitn(3, '/').map(str::parse::<u16>);
    match (parts.next(), parts.next(), parts.next()) {
        (Some(Ok(month)), Some(Ok(day)), Some(Ok(year))) => {
            Date::new(year, u8::try_from(month).ok()?, u8::try_from(day).ok()?)
        }
        _ => Date::parse_yyyy_mm_dd(text).ok(),
    }
}

fn row(values: &mut Values<'_>) -> Result<ListRow, FieldError> {
    let ein = ein(values.code_at(0)).ok_or_else(|| values.fault(0, "at most nine digits"))?;
    let first = values.required(2)?;
    let name = match values.text(3) {
        None => first,
        Some(rest) if first.chars().count() >= NAME_LINE_CHARACTERS => first + &rest,
        Some(rest) => format!("{first} {rest}"),
    };
    let submitted = values.code(1, |code| day_of_case(code).map(Some)).unwrap_or_default();
    // What was formed after it applied was not formed then.
    let formed = |code: &str| {
        let day = day(code)?;
        (submitted == 0 || u32::from(day.year()) <= submitted / 1000).then_some(Some(day))
    };
    let purposes = (PURPOSES..).zip(Purpose::ALL);
    let purposes = purposes.filter(|(column, _)| values.code_at(*column) == "1");
    let purposes = purposes.map(|(_, purpose)| purpose).collect();
    let incorporated = values.code(5, formed);
    let state = values.code(6, parsed);
    let ntee = values.code(7, parsed);
    let mission = values.text(COLUMNS.len()).filter(|mission| !text::is_nothing(mission));
    Ok(ListRow::Approvals(Box::new(ApprovalRow {
        ein,
        name,
        submitted,
        website: values.text(4).and_then(|typed| website(&typed)),
        mission: mission.map(|text| naming::sentence_case(&text)),
        ntee,
        formation: Formation { incorporated, state, purposes },
    })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::irs::tests::read_all;
    use crate::irs::{Extent, Head, List, recognise};

    fn file(columns: &[&str], rows: &[&str]) -> String {
        format!("{}\n{}\n", columns.join(","), rows.join("\n"))
    }

    #[test]
    fn a_row_says_what_an_applicant_said() {
        let mut columns = COLUMNS.to_vec();
        columns.insert(1, "Signaturename");
        columns.push(MISSION);
        let text = file(
            &columns,
            &[
                "10584691,JANE DOE,EO-2014269-000138,SPECIAL IMPROVEMENT DISTRICT OF NET,CONG \
                 BOROUGH INC,WWW.Netcong.ORG,11/28/2001,NJ,S20,1,0,1,0,0,0,0,0,TO HELP THE TOWN.",
                "010584692,,x,A CLUB,,N/A,37223,ZZ,050,0,0,0,0,0,0,1,0,N/A",
                "1058469X,,,A CLUB,,,,,,,,,,,,,,",
                "10584693,,,,,,,,,,,,,,,,,",
            ],
        );
        assert_eq!(recognise(text.as_bytes(), Extent::Whole), Some(Head::Known(List::Approvals)));
        let found = read_all(List::Approvals, text.as_bytes()).unwrap();
        let first = ApprovalRow {
            ein: "010584691".parse().unwrap(),
            name: "SPECIAL IMPROVEMENT DISTRICT OF NETCONG BOROUGH INC".to_owned(),
            submitted: 2_014_269,
            website: Some("https://www.netcong.org".to_owned()),
            mission: Some("To help the town.".to_owned()),
            ntee: "S20".parse().ok(),
            formation: Formation {
                incorporated: Date::new(2001, 11, 28),
                state: "NJ".parse().ok(),
                purposes: vec![Purpose::Charitable, Purpose::Educational],
            },
        };
        let second = ApprovalRow {
            ein: "010584692".parse().unwrap(),
            name: "A CLUB".to_owned(),
            submitted: 0,
            website: None,
            mission: None,
            ntee: None,
            formation: Formation {
                incorporated: Date::new(2001, 11, 28),
                state: None,
                purposes: vec![Purpose::AmateurSports],
            },
        };
        let rows = [(2, first), (3, second)];
        assert_eq!(found.rows, rows.map(|(line, row)| (line, ListRow::Approvals(Box::new(row)))));
        assert_eq!(found.faults(), ["4 EIN", "5 Orgname1"]);
        // The case's number, the state and the code of the second row.
        assert_eq!(found.counts.warnings.values().sum::<u64>(), 3);
    }

    #[test]
    fn days_are_written_in_several_ways() {
        for (text, expected) in [
            ("1/1/1998", Date::new(1998, 1, 1)),
            ("2001-11-28", Date::new(2001, 11, 28)),
            ("2001-11-28T00:00:00", Date::new(2001, 11, 28)),
            ("2001-11-28 00:00:00", Date::new(2001, 11, 28)),
            ("37223", Date::new(2001, 11, 28)),
            ("37223.5", None),
            ("13/1/1998", None),
            ("1/1/98", None),
            ("soon", None),
            ("", None),
        ] {
            assert_eq!(day(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_header_without_columns_says_which() {
        let columns: Vec<_> = COLUMNS.into_iter().filter(|column| *column != "Orgurl").collect();
        let head = file(&columns, &["1"]);
        let missing = vec!["Orgurl"];
        assert_eq!(
            recognise(head.as_bytes(), Extent::Whole),
            Some(Head::Incomplete(List::Approvals, missing))
        );
        assert_eq!(recognise(b"EIN,Orgname1,City\n", Extent::Whole), None);
    }
}
