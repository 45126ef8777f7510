//! What to download: sources as people name them, and the addresses at which the IRS publishes
//! them (`data/irs_addresses.tsv`). Which files the returns of a year are in is known in part only;
//! `returns` finds out the rest.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use super::address::Address;
use crate::sources::SourceKind;
use crate::table::table;

/// The first year whose returns the IRS still has as ZIP files.
const YEAR_MIN: u16 = 2017;

/// The last year that is taken: beyond it is a typing error.
const YEAR_MAX: u16 = 2099;

/// Lists that come whole or in files of a year each, by the names that the table and people have for them.
pub const LISTS: [(&str, SourceKind); 6] = [
    ("publication-78", SourceKind::Publication78),
    ("revocations", SourceKind::RevocationList),
    ("postcards", SourceKind::Postcard),
    ("approvals", SourceKind::Approvals),
    ("extracts", SourceKind::Extract),
    ("filing-index", SourceKind::FilingIndex),
];

/// What to download. None of it twice, whatever the order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// Parts of the master file extract.
    pub extracts: BTreeSet<Extract>,
    /// Names of [`LISTS`].
    pub lists: BTreeSet<&'static str>,
    /// Years of Form 990 returns: their index and all their ZIP files, 2 to 5 GB a year.
    pub years: BTreeSet<Year>,
}

impl Plan {
    /// Everything but returns: the master file of all regions and the lists.
    pub fn lists() -> Self {
        Self {
            extracts: Extract::regions().collect(),
            lists: LISTS.map(|(name, _)| name).into(),
            years: BTreeSet::new(),
        }
    }

    /// The files of the master file and the lists.
    pub(super) fn single_files(&self) -> Vec<Item> {
        let extracts =
            self.extracts.iter().map(|extract| ("master", extract.0, SourceKind::MasterFile));
        let lists = LISTS.iter().filter(|(name, _)| self.lists.contains(name));
        let lists = lists.map(|(name, kind)| ("list", *name, *kind));
        // A year of returns begins with its index.
        let of_years: Vec<Item> = self.years.iter().flat_map(|year| year.index()).collect();
        extracts
            .chain(lists)
            .flat_map(|(what, which, kind)| items(what, which, kind, ["", ""]))
            .filter(|item| of_years.iter().all(|index| index.name != item.name))
            .collect()
    }

    /// Whether a file of this name may be one of the plan; of the ZIP files of a year, whose names
    /// its index has, the beginning is looked at.
    pub(super) fn may_have(&self, name: &str) -> bool {
        let of_year = |year: &Year| {
            let batch = format!("{year}_TEOS_XML_");
            name.get(..batch.len()).is_some_and(|start| start.eq_ignore_ascii_case(&batch))
                || year.index().iter().chain(&year.known_returns()).any(|item| item.name == name)
        };
        self.single_files().iter().any(|item| item.name == name) || self.years.iter().any(of_year)
    }
}

/// A part of the master file extract: a region, `1` to `4`, or a state, `OH`. All regions together
/// are all states together; `XX` is foreign, military and territories.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Extract(&'static str);

/// Why something is no [`Extract`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected a region, 1 to 4, or a state as two letters (PR for Puerto Rico, XX for foreign), found {found:?}"
)]
pub struct ExtractError {
    found: String,
}

impl Extract {
    /// The regions, which together are the whole master file.
    pub fn regions() -> impl Iterator<Item = Self> {
        Self::all().filter(|extract| extract.0.len() == 1)
    }

    fn all() -> impl Iterator<Item = Self> {
        ROWS.iter().filter(|[what, ..]| *what == "master").map(|[_, which, _]| Self(which))
    }
}

impl FromStr for Extract {
    type Err = ExtractError;

    fn from_str(text: &str) -> Result<Self, ExtractError> {
        Self::all()
            .find(|extract| extract.0.eq_ignore_ascii_case(text.trim()))
            .ok_or_else(|| ExtractError { found: text.chars().take(40).collect() })
    }
}

impl fmt::Display for Extract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.to_ascii_uppercase())
    }
}

/// A year in which the IRS processed returns, mostly those for the tax year before: 2017 to 2099.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Year(u16);

/// Why something is no [`Year`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a year from {YEAR_MIN} on, the first that the IRS still offers, found {found:?}")]
pub struct YearError {
    found: String,
}

impl FromStr for Year {
    type Err = YearError;

    fn from_str(text: &str) -> Result<Self, YearError> {
        let year = text.trim().parse().ok().filter(|year| (YEAR_MIN..=YEAR_MAX).contains(year));
        year.map(Self).ok_or_else(|| YearError { found: text.chars().take(40).collect() })
    }
}

impl fmt::Display for Year {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Year {
    /// The year, as four digits.
    pub fn number(self) -> u16 {
        self.0
    }

    /// The index of its returns.
    pub(super) fn index(self) -> Option<Item> {
        items("index", "", SourceKind::FilingIndex, [&self.to_string(), ""]).next()
    }

    /// The ZIP file of a batch of its returns.
    pub(super) fn batch(self, batch: &str) -> Option<Item> {
        items("batch", "", SourceKind::Returns, [&self.to_string(), batch]).next()
    }

    /// The ZIP files of its returns of which the table knows the names; none of all other years.
    pub(super) fn known_returns(self) -> Vec<Item> {
        items("returns", &self.to_string(), SourceKind::Returns, ["", ""]).collect()
    }
}

/// A file to download.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) address: Address,
    /// Name of the file in the folder.
    pub(super) name: String,
    /// What `sources` must recognise in it, and nothing else.
    pub(super) kind: SourceKind,
}

/// The files of the table's rows of this beginning, for a year and a batch.
fn items(
    what: &str,
    which: &str,
    kind: SourceKind,
    [year, batch]: [&str; 2],
) -> impl Iterator<Item = Item> {
    ROWS.iter().filter(move |row| row[..2] == [what, which]).filter_map(move |[.., address]| {
        let address = address.replace("{year}", year).replace("{batch}", batch);
        let address = Address::parse(&address)?;
        let name = address.file_name()?.to_owned();
        Some(Item { address, name, kind })
    })
}

/// The rows of the table: what, which, address.
static ROWS: LazyLock<Vec<[&str; 3]>> =
    LazyLock::new(|| table!("data/irs_addresses.tsv").rows().collect());

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_table_is_a_file_of_its_own() {
        let mut names = BTreeSet::new();
        for [what, which, address] in ROWS.iter() {
            let filled = address.replace("{year}", "2030").replace("{batch}", "b");
            let address = Address::parse(&filled).unwrap();
            assert!(address.is_secure(), "{filled}");
            assert!(address.uri().host().unwrap().ends_with("irs.gov"), "{filled}");
            // The index of a year may be a list, too.
            let is_new = names.insert(address.file_name().unwrap().to_owned());
            assert!(is_new || *which == "filing-index", "{filled}");
            let whats = ["master", "list", "index", "batch", "returns"];
            assert!(whats.contains(what), "{what:?}");
        }
    }

    #[test]
    fn plans_become_files() {
        let names =
            |items: Vec<Item>| -> Vec<String> { items.into_iter().map(|item| item.name).collect() };
        assert_eq!(
            names(Plan::lists().single_files()),
            [
                "eo1.csv",
                "eo2.csv",
                "eo3.csv",
                "eo4.csv",
                "data-download-pub78.zip",
                "data-download-revocation.zip",
                "data-download-epostcard.zip",
                "f1023ez_approvals_2014.xlsx",
                "f1023ez_approvals_2015.xlsx",
                "f1023ez_approvals_2016.xlsx",
                "f1023EZ_approvals_2017.xlsx",
                "f1023ez_approvals_2018.xlsx",
                "f1023ez_approvals_2019.xlsx",
                "f1023ez-approvals-2020.xlsx",
                "f1023ez-approvals-2021.xlsx",
                "23eoextract990.zip",
                "23eoextractez.zip",
                "23eoextract990pf.zip",
                "24eoextract990.zip",
                "24eoextract990EZ.zip",
                "24eoextract990pf.zip",
                "index_2024.csv",
                "index_2025.csv",
                "index_2026.csv",
            ]
        );
        let with_returns = Plan { years: ["2025".parse().unwrap()].into(), ..Plan::lists() };
        assert!(!names(with_returns.single_files()).contains(&"index_2025.csv".to_owned()));
        let year = |text: &str| text.parse::<Year>().unwrap();
        assert_eq!(year("2024").index().unwrap().name, "index_2024.csv");
        let found = year("2025").batch("2025_TEOS_XML_05B").unwrap();
        assert_eq!(
            found.address.to_string(),
            "https://apps.irs.gov/pub/epostcard/990/xml/2025/2025_TEOS_XML_05B.zip"
        );
        let counts = (2017..2025).map(|number| Year(number).known_returns().len());
        assert_eq!(counts.collect::<Vec<_>>(), [8, 10, 9, 9, 1, 2, 12, 0]);
        assert_eq!((Extract::regions().count(), Extract::all().count()), (4, 4 + 53));
    }

    #[test]
    fn names_of_plans() {
        let years = ["2017", "2025"].map(|year| year.parse().unwrap()).into();
        let plan = Plan { extracts: ["1".parse().unwrap()].into(), years, ..Plan::default() };
        for (name, expected) in [
            ("eo1.csv", true),
            ("eo2.csv", false),
            ("data-download-pub78.zip", false),
            ("index_2025.csv", true),
            ("index_2024.csv", false),
            ("2025_TEOS_XML_05B.zip", true),
            ("2025_teos_xml_05b.zip", true),
            ("2024_TEOS_XML_05B.zip", false),
            ("download990xml_2017_1.zip", true),
            ("", false),
        ] {
            assert_eq!(plan.may_have(name), expected, "{name:?}");
        }
    }

    #[test]
    fn extracts_and_years_are_read() {
        for (text, expected) in
            [("1", Some("1")), (" oh ", Some("OH")), ("XX", Some("XX")), ("5", None), ("", None)]
        {
            let found = text.parse::<Extract>().ok().map(|extract| extract.to_string());
            assert_eq!(found.as_deref(), expected, "{text:?}");
        }
        for (text, expected) in
            [("2017", Some(2017)), ("2016", None), ("20244", None), ("x", None), ("-1", None)]
        {
            let found = text.parse::<Year>().ok().map(Year::number);
            assert_eq!(found, expected, "{text:?}");
        }
    }
}
