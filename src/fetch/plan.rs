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

/// What to download. None of it twice, whatever the order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// Parts of the master file extract.
    pub extracts: BTreeSet<Extract>,
    /// Publication 78 data, revocations, e-Postcards, Form 1023-EZ approvals, annual extracts and indexes.
    pub lists: BTreeSet<List>,
    /// Years of Form 990 returns: their index and all their ZIP files, 2 to 5 GB a year.
    pub years: BTreeSet<Year>,
}

impl Plan {
    /// Everything but returns: the master file of all regions and the lists.
    pub fn lists() -> Self {
        Self {
            extracts: Extract::regions().collect(),
            lists: List::ALL.into(),
            years: BTreeSet::new(),
        }
    }

    /// Whether a file of this name may be one of the plan; of the ZIP files of a year, whose names
    /// its index has, the beginning is looked at.
    pub(super) fn may_have(&self, name: &str) -> bool {
        let of_year = |year: &Year| {
            let batch = format!("{year}_TEOS_XML_");
            name.get(..batch.len()).is_some_and(|start| start.eq_ignore_ascii_case(&batch))
                || index(*year).iter().chain(&known_returns(*year)).any(|item| item.name == name)
        };
        single_files(self).iter().any(|item| item.name == name) || self.years.iter().any(of_year)
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
        ROWS.iter().filter(|row| row.what == "master").map(|row| Self(row.which))
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

/// A list that comes whole or in files of a year each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum List {
    /// Publication 78 data: deductibility.
    Publication78,
    /// Automatic revocations of exemption.
    Revocations,
    /// Form 990-N (e-Postcard).
    Postcards,
    /// Form 1023-EZ approvals of all years.
    Approvals,
    /// Annual extracts of the latest years: figures of returns.
    Extracts,
    /// Indexes of e-filed returns of the latest years: form, period and link of each.
    FilingIndex,
}

impl List {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Publication78,
        Self::Revocations,
        Self::Postcards,
        Self::Approvals,
        Self::Extracts,
        Self::FilingIndex,
    ];

    fn key(self) -> &'static str {
        match self {
            Self::Publication78 => "publication-78",
            Self::Revocations => "revocations",
            Self::Postcards => "postcards",
            Self::Approvals => "approvals",
            Self::Extracts => "extracts",
            Self::FilingIndex => "filing-index",
        }
    }

    fn kind(self) -> SourceKind {
        match self {
            Self::Publication78 => SourceKind::Publication78,
            Self::Revocations => SourceKind::RevocationList,
            Self::Postcards => SourceKind::Postcard,
            Self::Approvals => SourceKind::Approvals,
            Self::Extracts => SourceKind::Extract,
            Self::FilingIndex => SourceKind::FilingIndex,
        }
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
}

/// What a file must hold to be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// What `sources` recognises as this, and nothing else.
    Source(SourceKind),
    /// The index of e-filed returns of a year.
    Index,
}

/// A file to download.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) address: Address,
    /// Name of the file in the folder.
    pub(super) name: String,
    pub(super) content: Content,
}

impl Item {
    /// `None` when the address does not end in a fit file name.
    fn new(address: Address, content: Content) -> Option<Self> {
        let name = address.file_name()?.to_owned();
        Some(Self { address, name, content })
    }
}

/// The master file and the lists of a plan.
pub(super) fn single_files(plan: &Plan) -> Vec<Item> {
    let master = plan
        .extracts
        .iter()
        .map(|extract| ("master", extract.0, Content::Source(SourceKind::MasterFile)));
    let lists = plan.lists.iter().map(|list| ("list", list.key(), Content::Source(list.kind())));
    let items = master.chain(lists);
    let items = items.flat_map(|(what, which, content)| addresses(what, which, content));
    // A year of returns begins with its index.
    let of_years: Vec<Item> = plan.years.iter().flat_map(|year| index(*year)).collect();
    items.filter(|item| of_years.iter().all(|index| index.name != item.name)).collect()
}

/// The index of a year.
pub(super) fn index(year: Year) -> Vec<Item> {
    patterns("index", year, "", Content::Index)
}

/// The ZIP file of a batch of returns.
pub(super) fn batch(year: Year, batch: &str) -> Vec<Item> {
    patterns("batch", year, batch, Content::Source(SourceKind::Returns))
}

/// The ZIP files of a year of which the table knows the names; empty for all other years.
pub(super) fn known_returns(year: Year) -> Vec<Item> {
    addresses("returns", &year.to_string(), Content::Source(SourceKind::Returns))
}

fn addresses(what: &str, which: &str, content: Content) -> Vec<Item> {
    let rows = ROWS.iter().filter(|row| row.what == what && row.which == which);
    rows.filter_map(|row| Item::new(Address::parse(row.address)?, content)).collect()
}

fn patterns(what: &str, year: Year, batch: &str, content: Content) -> Vec<Item> {
    let fill =
        |pattern: &str| pattern.replace("{year}", &year.to_string()).replace("{batch}", batch);
    let rows = ROWS.iter().filter(|row| row.what == what);
    rows.filter_map(|row| Item::new(Address::parse(&fill(row.address))?, content)).collect()
}

/// A row of the table.
struct PlanRow {
    what: &'static str,
    which: &'static str,
    address: &'static str,
}

static ROWS: LazyLock<Vec<PlanRow>> = LazyLock::new(|| {
    let rows = table!("data/irs_addresses.tsv").rows();
    rows.map(|[what, which, address]| PlanRow { what, which, address }).collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_table_is_a_file_of_its_own() {
        let mut names = BTreeSet::new();
        for row in ROWS.iter() {
            let filled = row.address.replace("{year}", "2030").replace("{batch}", "b");
            let address = Address::parse(&filled).unwrap();
            assert!(address.is_secure(), "{filled}");
            assert!(address.uri().host().unwrap().ends_with("irs.gov"), "{filled}");
            // The index of a year may be a list, too.
            let is_new = names.insert(address.file_name().unwrap().to_owned());
            assert!(is_new || row.which == "filing-index", "{filled}");
            let whats = ["master", "list", "index", "batch", "returns"];
            assert!(whats.contains(&row.what), "{:?}", row.what);
        }
    }

    #[test]
    fn plans_become_files() {
        let names =
            |items: Vec<Item>| -> Vec<String> { items.into_iter().map(|item| item.name).collect() };
        assert_eq!(
            names(single_files(&Plan::lists())),
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
        assert!(!names(single_files(&with_returns)).contains(&"index_2025.csv".to_owned()));
        let year = |text: &str| text.parse::<Year>().unwrap();
        assert_eq!(names(index(year("2024"))), ["index_2024.csv"]);
        let found = batch(year("2025"), "2025_TEOS_XML_05B");
        assert_eq!(
            found[0].address.to_string(),
            "https://apps.irs.gov/pub/epostcard/990/xml/2025/2025_TEOS_XML_05B.zip"
        );
        let counts = (2017..2025).map(|number| known_returns(Year(number)).len());
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
