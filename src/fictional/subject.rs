//! The organization that a text is about: its names as people write them, its place, and the cause
//! that its NTEE code, else its name, tells.

use std::sync::LazyLock;

use super::name;
use super::row::Row;
use crate::naming::{display_name, display_place};
use crate::record::State;
use crate::table::table;

/// A cause, and the words that texts about it are made of.
#[derive(Debug)]
pub(super) struct Cause {
    /// Names it in the other tables.
    pub(super) key: &'static str,
    pub(super) label: &'static str,
    prefixes: &'static str,
    pub(super) goals: Vec<u8>,
    pub(super) topic: &'static str,
    pub(super) people: &'static str,
    pub(super) place: &'static str,
    pub(super) doing: &'static str,
    pub(super) tags: Vec<&'static str>,
}

/// In the order of the table.
pub(super) static CAUSES: LazyLock<Vec<Cause>> = LazyLock::new(|| {
    table!("data/fictional_causes.tsv")
        .rows()
        .map(|[key, label, prefixes, goals, topic, people, place, doing, tags]| Cause {
            key,
            label,
            prefixes,
            goals: goals.split(',').filter_map(|goal| goal.parse().ok()).collect(),
            topic,
            people,
            place,
            doing,
            tags: tags.split('|').collect(),
        })
        .collect()
});

/// The cause of those whose code and name tell none.
const DEFAULT_KEY: &str = "community";

impl Cause {
    /// The cause of an NTEE code, by the longest prefix; `None` for one that is not in the table.
    fn of_code(code: &str) -> Option<&'static Self> {
        let fit = |cause: &Self| {
            let fitting = cause.prefixes.split(',').filter(|prefix| code.starts_with(prefix));
            fitting.map(str::len).max()
        };
        // The last of equals is taken: in reverse, the first of the table.
        CAUSES.iter().rev().filter(|cause| fit(cause).is_some()).max_by_key(|cause| fit(cause))
    }

    fn of(row: &Row) -> &'static Self {
        let mentions = |words: &str| row.name.contains(words);
        let code = match name::causes().find(|(words, _)| mentions(words)) {
            _ if ["CHURCH", "MINISTRIES", "CHRISTIAN"].into_iter().any(mentions) => "X",
            Some((_, code)) => code,
            None => "",
        };
        let default = || CAUSES.iter().find(|cause| cause.key == DEFAULT_KEY);
        Self::of_code(&row.ntee)
            .or_else(|| Self::of_code(code))
            .or_else(default)
            .expect("the table has the default cause: tested")
    }
}

/// The facts about an organization that texts mention.
#[derive(Debug)]
pub(super) struct Subject<'a> {
    pub(super) row: &'a Row,
    /// Nine digits.
    pub(super) ein: String,
    /// In title case.
    pub(super) name: String,
    /// The name without `Inc` and the like.
    pub(super) short: String,
    pub(super) city: String,
    /// Name of the state; abroad, the country.
    pub(super) state: String,
    /// `City, ST`; abroad, the country.
    pub(super) geo: String,
    /// Where its pages are: `https://www.` and a name below a domain reserved for examples.
    pub(super) site: String,
    pub(super) cause: &'static Cause,
    /// Year of formation.
    pub(super) founded: u64,
    /// Whole dollars a year, roughly: how large its figures may be.
    pub(super) money: u64,
}

/// Taken for an organization whose amounts are not known or 0: of that size most are.
const MONEY_DEFAULT: u64 = 150_000;

/// Endings of names that texts leave out.
const FORMS: [&str; 4] = [" Inc", " Incorporated", " LLC", " Corp"];

/// Longest label of a host, in bytes; a domain name allows 63.
const LABEL_BYTES_MAX: usize = 40;

impl<'a> Subject<'a> {
    /// The subject of a row.
    pub(super) fn of(row: &'a Row) -> Self {
        let name = display_name(&row.name);
        let short = FORMS.iter().find_map(|form| name.strip_suffix(form)).unwrap_or(&name);
        let short = short.to_owned();
        let city = display_place(row.city);
        let state = row.state.parse::<State>();
        let amounts = [row.revenue, row.income].into_iter().flatten();
        Self {
            row,
            ein: format!("{:09}", row.ein),
            site: format!("https://www.{}.example.org", label(&short, row.ein)),
            short,
            name,
            state: state.map_or(city.clone(), |state| state.name().to_owned()),
            geo: match row.state {
                "" => city.clone(),
                code => format!("{city}, {code}"),
            },
            city,
            cause: Cause::of(row),
            founded: match row.ruling / 100 {
                0 => 1990,
                year => year - row.plus_four % 4,
            },
            money: amounts.filter(|amount| *amount > 0).min().map_or(MONEY_DEFAULT, |n| n as u64),
        }
    }
}

/// A host's label made of a name; the last digits of the EIN tell equal names apart.
fn label(name: &str, ein: u32) -> String {
    let mut label = String::with_capacity(LABEL_BYTES_MAX + 6);
    let words = name.split(|character: char| !character.is_ascii_alphanumeric());
    for word in words.filter(|word| !word.is_empty()) {
        if label.len() + word.len() > LABEL_BYTES_MAX {
            break;
        }
        label += &format!("{}-", word.to_ascii_lowercase());
    }
    format!("{label}{:04}", ein % 10_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_follow_codes_then_names() {
        for (code, name, expected) in [
            ("K31", "X", "food"),
            ("P84", "X", "refugees"),
            ("P40", "X", "family"),
            ("C32", "X", "water"),
            ("C30", "X", "environment"),
            ("W30", "X", "veterans"),
            ("E92", "X", "seniors"),
            ("X20", "X", "faith"),
            ("", "FIRST BAPTIST CHURCH", "faith"),
            ("", "YARBROOK WATERSHED ALLIANCE", "water"),
            ("050", "YARBROOK", "community"),
        ] {
            let row = Row { ntee: code.into(), name: name.into(), ..Row::default() };
            assert_eq!(Cause::of(&row).key, expected, "{code} {name}");
        }
    }

    #[test]
    fn subjects_are_written_as_people_write_them() {
        let row = Row {
            ein: 70_001_234,
            name: "YARBROOK MEALS & MORE INC".into(),
            city: "SAN JOSE",
            state: "CA",
            ruling: 199_903,
            ..Row::default()
        };
        let subject = Subject::of(&row);
        assert_eq!(subject.ein, "070001234");
        assert_eq!(subject.short, "Yarbrook Meals & More");
        assert_eq!(subject.site, "https://www.yarbrook-meals-more-1234.example.org");
        assert_eq!((&*subject.geo, &*subject.state), ("San Jose, CA", "California"));
        assert_eq!(subject.money, MONEY_DEFAULT);
    }
}
