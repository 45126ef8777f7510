//! Officers as a profile shows them: of all people in a return, those of its list of officers.

use std::collections::HashSet;
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Serialize;

use super::SearchError;
use super::people;
use crate::naming::display_name;
use crate::record::{Ein, Filing, Form, Person, Role, Usd};
use crate::snapshot::Snapshot;
use crate::table::table;
use crate::text::runs;

/// The most officers that a profile has; the list of people has all of them.
const OFFICERS_MAX: usize = 500;
/// Bytes of a title that may be the beginning of a longer one; fewer begin anything.
const CUT_TITLE_LETTERS_MIN: usize = 9;

/// An officer, director, trustee or key employee named in a return.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct Officer {
    /// Name, in title case where the form has capitals only.
    pub name: String,
    /// Title or office, in title case where the form has capitals only; null where it is not
    /// stated.
    pub title: Option<String>,
    /// Average hours a week; null where they are not stated.
    pub hours: Option<f32>,
    /// Compensation by the nonprofit in the tax period in whole US dollars; null where the return
    /// does not state it.
    pub compensation: Option<Usd>,
}

/// Every person in the returns of a nonprofit; empty for an unknown EIN.
pub fn everybody(snapshot: &Snapshot, ein: Ein) -> Result<Vec<Person>, SearchError> {
    let org = snapshot.columns.org_of(ein)?;
    org.map_or(Ok(Vec::new()), |org| people::rows(snapshot, org))
}

/// Officers, directors, trustees and key employees of a return, in the order of the form; `people` are
/// those of all returns of the nonprofit.
pub fn of_filing(filing: &Filing, people: &[Person]) -> Vec<Officer> {
    let is_whole = filing.form == Form::Full;
    let is_listed = |person: &&Person| {
        // The best paid employees of the smaller forms are a list of their own.
        person.period_end == filing.period_end && (is_whole || person.roles.contains(Role::Listed))
    };
    let mut listed: Vec<&Person> = people.iter().filter(is_listed).collect();
    listed.sort_by_key(|person| person.position);
    let officer = |person: &Person| Officer {
        name: of_person(&person.name),
        title: person.title.as_deref().map(of_person),
        hours: person.hours,
        compensation: person.compensation,
    };
    listed.into_iter().take(OFFICERS_MAX).map(officer).collect()
}

/// A name or a title as a person would write it: `EVP, CHIEF NURSE` becomes `EVP, Chief Nurse`.
pub(super) fn of_person(filed: &str) -> String {
    static INITIALS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
        table!("data/officer_initials.txt").lines().flat_map(str::split_whitespace).collect()
    });
    let mut shown = display_name(filed);
    let words: Vec<_> = runs(&shown, char::is_alphanumeric).collect();
    for word in words {
        let capitals = shown[word.clone()].to_ascii_uppercase();
        // Small letters of the filer's own are meant; ASCII capitals have as many bytes.
        let filed_so = filed.split(|c: char| !c.is_alphanumeric()).any(|word| word == capitals);
        if filed_so && INITIALS.contains(capitals.as_str()) {
            shown.replace_range(word, &capitals);
        }
    }
    shown
}

/// A title as a person would write it, whole where the software that filed the return cut off a usual one:
/// `EXECUTIVE DI` becomes `Executive Director`. What begins no usual title stays as it is.
pub(super) fn title_of_person(filed: &str) -> String {
    static USUAL: LazyLock<Vec<&str>> =
        LazyLock::new(|| table!("data/officer_titles.txt").lines().collect());
    let shown = of_person(filed);
    let begins = |usual: &&&str| {
        let (Some(start), Some(rest)) = (usual.get(..shown.len()), usual.get(shown.len()..)) else {
            return false;
        };
        start.eq_ignore_ascii_case(&shown) && rest.starts_with(char::is_alphabetic)
    };
    let is_cut = shown.len() >= CUT_TITLE_LETTERS_MIN
        && shown.ends_with(char::is_alphabetic)
        && !USUAL.iter().any(|usual| usual.eq_ignore_ascii_case(&shown));
    let whole = USUAL.iter().find(begins).filter(|_| is_cut);
    whole.map_or(shown, |usual| (*usual).to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::record::{Date, Month, Roles};

    fn person(name: &str, title: Option<&str>, end: Date, position: u32, role: Role) -> Person {
        Person {
            ein: "970000001".parse().unwrap(),
            tax_year: end.year(),
            period_end: end,
            object_id: None,
            is_business: false,
            title: title.map(str::to_owned),
            hours: Some(37.5),
            hours_related: None,
            roles: [role].into_iter().collect::<Roles>(),
            detail: None,
            compensation_related: None,
            compensation_other: None,
            compensation: Some(Usd::new(85_000)),
            position,
            name: name.to_owned(),
        }
    }

    #[test]
    fn titles_that_were_cut_off_are_completed() {
        for (filed, expected) in [
            ("EXECUTIVE DI", "Executive Director"),
            ("VICE PRESIDE", "Vice President"),
            ("Executive Director", "Executive Director"),
            ("SECRETARY", "Secretary"),
            ("Vice", "Vice"),
            ("EXECUTIVE DIVA", "Executive Diva"),
            ("Directora Générale", "Directora Générale"),
        ] {
            assert_eq!(title_of_person(filed), expected, "{filed}");
        }
    }

    #[test]
    fn a_return_has_those_of_its_own_list_in_its_order() {
        let ein = "970000001".parse().unwrap();
        let filing = |form| Filing::of_figures(ein, form, Month::new(2022, 6).unwrap());
        let end = filing(Form::Full).period_end;
        let earlier = Date::new(2021, 6, 30).unwrap();
        let mut people = vec![
            person("EVE FICTION", None, end, 2, Role::HighestCompensated),
            person("ADA FICTION", Some("PRESIDENT/COO"), end, 1, Role::Listed),
            person("Dee Lantern", Some("EVP, CHIEF NURSE, Md"), earlier, 1, Role::Listed),
        ];
        let names = |form, people: &[Person]| {
            let officers = of_filing(&filing(form), people).into_iter();
            officers.map(|officer| officer.name).collect::<Vec<_>>()
        };
        assert_eq!(names(Form::Full, &people), ["Ada Fiction", "Eve Fiction"]);
        assert_eq!(names(Form::Short, &people), ["Ada Fiction"]);
        let [ada, _] = &of_filing(&filing(Form::Full), &people)[..] else { panic!("two") };
        assert_eq!(ada.title.as_deref(), Some("President/COO"));
        assert_eq!((ada.hours, ada.compensation), (Some(37.5), Some(Usd::new(85_000))));
        people[2].period_end = end;
        let titles: Vec<_> =
            of_filing(&filing(Form::Full), &people).into_iter().map(|one| one.title).collect();
        assert_eq!(titles[1].as_deref(), Some("EVP, CHIEF NURSE, Md"));
        let many = vec![people[0].clone(); 700];
        assert_eq!(of_filing(&filing(Form::Full), &many).len(), OFFICERS_MAX);
        assert!(of_filing(&filing(Form::Full), &[]).is_empty());
    }
}
