//! Who governs and leads a nonprofit, and what they are paid: by the lists of its latest return, or of the
//! return of a year.

use std::cmp::Reverse;

use super::SearchError;
use super::one::Questioned;
use super::say::{dollars, list};
use crate::naming::normalise;
use crate::record::counted;
use crate::record::{Person, Role};
use crate::search::listing::{Paging, SIZE_MAX};
use crate::search::people::{FoundOfOne, OfOne, of_one};
use crate::understand::tells;

/// People whom a sentence names.
const LEADERS_NAMED: usize = 6;
const PAID_NAMED: usize = 4;

/// Who governs and leads it; those whose title is asked for come first.
pub(super) fn board(one: &Questioned<'_>) -> Result<String, SearchError> {
    let (year, mut people) = match people(one)? {
        Listed::People(year, people) => (year, people),
        Listed::Nobody(why) => return Ok(why),
    };
    let leads = |person: &Person| {
        let roles = &person.roles;
        let governs =
            [Role::TrusteeOrDirector, Role::InstitutionalTrustee, Role::Officer, Role::Listed];
        governs.into_iter().any(|role| roles.contains(role)) && !roles.contains(Role::Former)
    };
    people.retain(leads);
    let name = one.name;
    if people.is_empty() {
        return Ok(format!(
            "The return of {name} for {year} lists no officers, directors or trustees."
        ));
    }
    people.sort_by_key(|person| Reverse(shared(person, one.text)));
    let named: Vec<String> = people.iter().take(LEADERS_NAMED).map(titled).collect();
    let more = match people.len().saturating_sub(named.len()) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let count = counted(
        people.len() as u64,
        "officer, director or trustee",
        "officers, directors and trustees",
    );
    Ok(format!("The return of {name} for {year} lists {count}: {}{more}.", named.join(", ")))
}

/// What its people are paid: those whose title is asked for first, then the best paid.
pub(super) fn pay(one: &Questioned<'_>) -> Result<String, SearchError> {
    let (year, mut people) = match people(one)? {
        Listed::People(year, people) => (year, people),
        Listed::Nobody(why) => return Ok(why),
    };
    let (name, count) = (one.name, people.len() as u64);
    let of_form = people.iter().any(|person| person.roles.contains(Role::Listed));
    let line = match of_form {
        true => "its list of officers, directors, trustees and key employees",
        false => "Form 990, Part VII, Section A, column D",
    };
    let is_stated = people.iter().any(|person| person.compensation.is_some());
    people.retain(|person| paid(person) > 0);
    if people.is_empty() {
        let people = counted(count, "person", "people");
        return Ok(match is_stated {
            true => format!(
                "The return of {name} for {year} lists {people}, none of them paid ({line})."
            ),
            false => format!(
                "The return of {name} for {year} lists {people} and states no pay ({line})."
            ),
        });
    }
    people.sort_by_key(|person| Reverse((shared(person, one.text) > 0, paid(person))));
    let more = match people.len().saturating_sub(PAID_NAMED) {
        0 => String::new(),
        more => format!("; {more} more were paid"),
    };
    let named: Vec<String> = people
        .iter()
        .take(PAID_NAMED)
        .map(|person| {
            let beside =
                [person.compensation_related, person.compensation_other].into_iter().flatten();
            let beside: i64 = beside.map(|usd| usd.dollars()).sum();
            let beside = match beside {
                0 => String::new(),
                beside => {
                    format!(" and {} from related organizations and benefits", dollars(beside))
                }
            };
            format!("{} {}{beside}", titled(person), dollars(paid(person)))
        })
        .collect();
    Ok(format!(
        "The return of {name} for {year} says that it paid ({line}): {}{more}.",
        list(&named)
    ))
}

/// Whom the return of a year lists, or why nobody.
enum Listed {
    People(u16, Vec<Person>),
    Nobody(String),
}

fn people(one: &Questioned<'_>) -> Result<Listed, SearchError> {
    let name = one.name;
    let not_loaded = || format!("Not in the loaded returns: the people of {name}.");
    if one.snapshot.manifest.without_people {
        return Ok(Listed::Nobody("People were left out when this snapshot was built.".to_owned()));
    }
    let ask = |year: Option<u16>| {
        let asked = OfOne { ein: one.ein, year, paging: Paging { page: 1, size: SIZE_MAX } };
        of_one(one.snapshot, &asked)
    };
    let Some(all) = ask(one.question.year)? else { return Ok(Listed::Nobody(not_loaded())) };
    let FoundOfOne { page, years, has_returns } = all;
    let Some(latest) = years.first().copied() else {
        return Ok(Listed::Nobody(match has_returns {
            true => format!("The loaded returns of {name} list nobody."),
            false => not_loaded(),
        }));
    };
    let year = one.question.year.unwrap_or(latest);
    let people: Vec<Person> = page.rows.into_iter().filter(|row| row.tax_year == year).collect();
    if people.is_empty() {
        let years: Vec<String> = years.iter().map(u16::to_string).collect();
        let years = list(&years);
        return Ok(Listed::Nobody(format!(
            "Not in the loaded returns: the people of {name} in {year}. Loaded are those of {years}."
        )));
    }
    Ok(Listed::People(year, people))
}

fn paid(person: &Person) -> i64 {
    person.compensation.map_or(0, |usd| usd.dollars())
}

/// Name and title as filed.
fn titled(person: &Person) -> String {
    let title = person.title.as_deref().map_or(String::new(), |title| format!(" ({title})"));
    format!("{}{title}", person.name)
}

/// How many words of somebody's title a message has.
fn shared(person: &Person, text: &str) -> usize {
    let text = normalise(text);
    let title = normalise(person.title.as_deref().unwrap_or_default());
    title.split(' ').filter(|word| tells(word) && text.split(' ').any(|own| own == *word)).count()
}
