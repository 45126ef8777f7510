//! What an NTEE code means: its title, its issue area, and the Sustainable Development Goals it
//! maps to. The tables are in `data/`, where `README.md` says how each was made.

mod cause;

use std::sync::LazyLock;

use crate::record::{Ntee, Sdg, SdgSet};
use crate::table::{Table, table};

pub use cause::{Activity, Cause, CauseEvidence, activities, activity_codes};

/// The title of a code's major group, such as “Human Services”.
pub fn issue_area(code: Ntee) -> Option<&'static str> {
    find(&MAJORS, &code.as_str()[..1])
}

/// The title of a code; `None` for one that the taxonomy lacks. A code of one letter has its major
/// group's.
pub fn title(code: Ntee) -> Option<&'static str> {
    match code.as_str().len() {
        1 => issue_area(code),
        _ => find(&CODES, code.as_str()),
    }
}

/// Whether a code says no more than its major group: “not elsewhere classified”, and the common codes of any group.
pub fn is_general(code: Ntee) -> bool {
    matches!(code.as_str().as_bytes(), [_] | [_, b'0', _, ..] | [_, b'9', b'9', ..])
}

/// Every code with its title, sorted by code.
pub fn titles() -> impl Iterator<Item = (&'static str, &'static str)> {
    CODES.iter().copied()
}

/// What people look for, in everyday words.
pub fn needs() -> impl Iterator<Item = &'static str> {
    table!("data/needs.tsv").rows().map(|[need, _]| need)
}

/// The goals that a code maps to; empty when it maps to none.
pub fn goals(code: Ntee) -> SdgSet {
    let code = code.as_str();
    (1..=code.len())
        .rev()
        .find_map(|length| {
            GOALS.binary_search_by_key(&&code[..length], |entry| entry.0).ok().map(|at| GOALS[at].1)
        })
        .unwrap_or_default()
}

/// Code and title, sorted by code.
type Titles = Vec<(&'static str, &'static str)>;

static MAJORS: LazyLock<Titles> = LazyLock::new(|| sorted(table!("data/ntee_majors.tsv")));

static CODES: LazyLock<Titles> = LazyLock::new(|| sorted(table!("data/ntee.tsv")));

/// Prefix of codes and goals, sorted by prefix.
static GOALS: LazyLock<Vec<(&'static str, SdgSet)>> = LazyLock::new(|| {
    let mut goals: Vec<(&str, SdgSet)> = table!("data/ntee_sdgs.tsv")
        .each(|[prefix, numbers]| Some((prefix, set(numbers)?)))
        .collect();
    goals.sort_by_key(|entry| entry.0);
    goals
});

/// Goals as their numbers.
fn set(numbers: &str) -> Option<SdgSet> {
    let goal = |number: &str| Sdg::new(number.parse().ok()?).ok();
    numbers.split(',').filter(|number| !number.is_empty()).map(goal).collect()
}

fn sorted(table: Table) -> Titles {
    let mut titles: Titles = table.rows().map(|[code, title]| (code, title)).collect();
    titles.sort_unstable();
    titles
}

fn find(titles: &Titles, code: &str) -> Option<&'static str> {
    titles.binary_search_by_key(&code, |entry| entry.0).ok().map(|at| titles[at].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ntee(code: &str) -> Ntee {
        code.parse().unwrap()
    }

    #[test]
    fn issue_areas_and_titles() {
        for (code, area, name) in [
            ("P30", "Human Services", Some("Children & Youth Services")),
            ("A6E", "Arts, Culture & Humanities", Some("Performing Arts Schools")),
            ("X20Z", "Religion-Related", Some("Christianity")),
            (
                "t",
                "Philanthropy, Voluntarism & Grantmaking Foundations",
                Some("Philanthropy, Voluntarism & Grantmaking Foundations"),
            ),
            ("T2", "Philanthropy, Voluntarism & Grantmaking Foundations", None),
            ("Z99", "Unknown", Some("Unknown")),
            ("B71", "Education", None),
        ] {
            assert_eq!(issue_area(ntee(code)), Some(area), "{code}");
            assert_eq!(title(ntee(code)), name, "{code}");
        }
    }

    #[test]
    fn the_longest_prefix_gives_the_goals() {
        for (code, expected) in [
            ("K31", &[2][..]),
            ("K25", &[2, 15]),
            ("B94", &[4]),
            ("E22", &[3]),
            ("E42", &[3, 5]),
            ("C32", &[6, 14, 15]),
            ("C99", &[13, 15]),
            ("L41", &[1, 11]),
            ("R20", &[10, 16]),
            ("J22", &[4, 8]),
            ("W99", &[16]),
            ("P", &[1]),
            ("X20", &[]),
            ("Z99", &[]),
        ] {
            let found: Vec<u8> = goals(ntee(code)).iter().map(Sdg::number).collect();
            assert_eq!(found, expected, "{code}");
        }
    }

    #[test]
    fn the_tables_are_whole() {
        assert_eq!(MAJORS.len(), 26);
        assert!(CODES.len() > 600);
        assert!(CODES.is_sorted_by(|a, b| a.0 < b.0));
        assert!(GOALS.is_sorted_by(|a, b| a.0 < b.0));
        for (code, name) in CODES.iter() {
            assert_eq!(ntee(code).as_str(), *code);
            assert!(issue_area(ntee(code)).is_some() && !name.is_empty(), "{code}");
        }
        for letter in 'A'..='Z' {
            assert!(GOALS.iter().any(|entry| entry.0 == letter.to_string()), "{letter}");
        }
        for (prefix, _) in GOALS.iter() {
            assert!(
                prefix.len() == 1 || CODES.iter().any(|code| code.0.starts_with(prefix)),
                "{prefix}"
            );
        }
    }

    #[test]
    #[cfg_attr(not(shared_data), ignore = "needs ../shared/data")]
    fn the_published_list_is_covered() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/ntee/ntee.csv");
        for record in csv::Reader::from_path(path).unwrap().records() {
            let code = record.unwrap()[0].to_owned();
            assert!(title(ntee(&code)).is_some(), "{code}");
        }
    }
}
