//! Who governs and leads a nonprofit, and what they are paid: by the lists of its latest return, or of that of the year.

use std::cmp::Reverse;

use super::figures::return_of;
use super::{Act, Mention, Profile, Result};
use crate::naming::{is_apostrophe, normalise};
use crate::record::{Filing, Person, Role, Usd};
use crate::search::chat::phrase::{dollars, phrase};
use crate::search::listing::{Paging, SIZE_MAX};
use crate::search::officers::{of_person, title_of_person};
use crate::search::people::{NonprofitPeople, NonprofitQuery, PeopleOrder, nonprofit_people};
use crate::search::standing::latest;
use crate::snapshot::Snapshot;
use crate::sources::SourceKind;
use crate::understand::{count_in_order, says, tells};

/// People named in a sentence.
const LEADERS_NAMED: usize = 5;
const PAID_NAMED: usize = 4;
const PAID_NAMED_MAX: usize = 10;
/// Words of a title that count as shared where the message asks for who leads, or may do so, and somebody does by another
/// title.
const LEADS_SURELY: usize = 99;
const LEADS: usize = 2;

/// The people in a return, or why there are none.
enum Listed {
    People(u16, Vec<Person>),
    Nobody(String),
}

impl Profile<'_> {
    /// Who governs and leads it; whose title is asked for comes first, then who leads.
    pub(super) fn leaders(&self, snapshot: &Snapshot, mention: Mention) -> Result<String> {
        Ok(match self.people(snapshot, Act::Leaders, mention)? {
            Listed::People(year, people) => self.led_by(year, people),
            Listed::Nobody(why) if snapshot.manifest.without_people || self.year.is_some() => why,
            Listed::Nobody(why) => self.without_people(why),
        })
    }

    pub(super) fn led_by(&self, year: u16, mut people: Vec<Person>) -> String {
        let governs =
            [Role::TrusteeOrDirector, Role::InstitutionalTrustee, Role::Officer, Role::Listed];
        people.retain(|person| {
            let roles = &person.roles;
            governs.into_iter().any(|role| roles.contains(role)) && !roles.contains(Role::Former)
        });
        if people.is_empty() {
            return self.say(phrase!("people.none", year));
        }
        people.sort_by_key(|person| (Reverse(self.shared(person)), rank(person)));
        let more = some_more(people.len(), LEADERS_NAMED);
        let people: Vec<String> = people.iter().take(LEADERS_NAMED).map(titled).collect();
        self.say(phrase!("leaders", year, people, more))
    }

    /// What its people are paid: whose office is asked for, else the best paid first.
    pub(super) fn pay(&self, snapshot: &Snapshot, mention: Mention) -> Result<String> {
        Ok(match self.people(snapshot, Act::Pay, mention)? {
            Listed::People(year, people) => self.paid_by(year, &people),
            Listed::Nobody(why) => why,
        })
    }

    pub(super) fn paid_by(&self, year: u16, people: &[Person]) -> String {
        let count = people.len();
        let is_stated = people.iter().any(|person| person.compensation.is_some());
        let paid_ones = people.iter().filter(|person| paid(person) > 0);
        let mut people: Vec<(usize, &Person)> =
            paid_ones.map(|person| (self.office_asked(person), person)).collect();
        if people.is_empty() {
            let name = if is_stated { "pay.none" } else { "pay.unstated" };
            return self.say(phrase!(name, year, count));
        }
        people.sort_by_key(|(office, one)| Reverse((*office, paid(one))));
        let best = people[0].0;
        let those = people.iter().take_while(|(office, _)| *office == best).count();
        let asked = count_in_order(self.text).filter(|_| says(self.text, "top of a list"));
        let count = those.min(asked.unwrap_or(PAID_NAMED).min(PAID_NAMED_MAX));
        let more = some_more(people.len(), count);
        let named = people.iter().take(count).map(|(_, one)| self.paid_one(one));
        self.say(phrase!("pay", year, people = named.collect::<Vec<_>>(), more))
    }

    /// Somebody with what the organization paid, what related ones did, and the estimated value of benefits.
    fn paid_one(&self, one: &Person) -> String {
        let stated =
            |pay: Option<Usd>| pay.map(|usd| usd.dollars()).filter(|usd| *usd != 0).map(dollars);
        let (related, other) = (stated(one.compensation_related), stated(one.compensation_other));
        let (person, amount) = (titled(one), dollars(paid(one)));
        phrase!("pay.one", person, amount, related, other).part(self.language)
    }

    fn people(&self, snapshot: &Snapshot, fact: Act, mention: Mention) -> Result<Listed> {
        let nobody = |why| Ok(Listed::Nobody(self.unknown(fact, mention, why)));
        if snapshot.manifest.without_people {
            return nobody("people");
        }
        let ein = self.organization().ein;
        let paging = Paging { page: 1, size: SIZE_MAX };
        let order = PeopleOrder::Form;
        // Rows have the year of the form, which may be the one before that in which the period ended.
        let of_form = |year| return_of(year, &self.traced.filings).map_or(year, |one| one.tax_year);
        let form_year = self.year.map(of_form);
        let asked = NonprofitQuery { ein, year: form_year, order, paging };
        let Some(found) = nonprofit_people(snapshot, &asked)? else { return nobody("return") };
        let NonprofitPeople { page, years, has_returns } = found;
        let Some(latest) = years.first().copied() else {
            return nobody(if has_returns { "line" } else { "return" });
        };
        let year = self.year.unwrap_or(latest);
        let form_year = form_year.unwrap_or(latest);
        let of_year = page.rows.into_iter().filter(|row| row.tax_year == form_year);
        let people: Vec<Person> = of_year.collect();
        if people.is_empty() {
            let years: Vec<String> = years.iter().map(u16::to_string).collect();
            return Ok(Listed::Nobody(self.about(mention, phrase!("people.year", years, year))));
        }
        Ok(Listed::People(year, people))
    }

    /// Why its leaders are not known, with the person who gets its mail.
    fn without_people(&self, why: String) -> String {
        let organization = self.organization();
        let officer = organization.principal_officer.as_deref();
        // `% THE BANK` and a single word are nobody who leads.
        let care = organization.in_care_of.as_deref().filter(|name| name.contains(' '));
        let Some(person) = officer.or(care).map(crate::naming::display_name) else { return why };
        let said = match officer.is_some() {
            true => {
                let mut filings = self.traced.filings.iter();
                let of = filings.find(|filing| filing.principal_officer.is_some());
                let month = of.and_then(Filing::tax_period);
                phrase!("leaders.officer", person, month)
            }
            false => {
                let list = latest(self.traced.sources, SourceKind::MasterFile);
                let list = self.as_of(SourceKind::MasterFile, list);
                phrase!("leaders.care", person, list)
            }
        };
        format!("{why} {}", self.say(said))
    }

    /// How well somebody's office is the one that the message asks for; the same for all if it asks for none.
    fn office_asked(&self, person: &Person) -> usize {
        let text = without_possessives(self.text);
        // Of `the highest paid people` no word is of a title.
        if says(&text, "earns most") {
            return 0;
        }
        let is_past = says(&title_form(person), "leads no more") && !says(&text, "leads no more");
        let leads = rank(person) == 0;
        match self.shared(person) {
            _ if is_past => 0,
            _ if leads && says(&text, "leads") => LEADS_SURELY,
            // `the medical director` leads a part.
            shared if shared > 1 => shared + 1,
            _ if leads && says(&text, "who leads") => LEADS,
            shared => shared,
        }
    }

    /// How many words of somebody's title the message has.
    fn shared(&self, person: &Person) -> usize {
        let text = normalise(&without_possessives(self.text));
        let title = title_form(person);
        let is_told = |word: &str| tells(word) && !says(word, "word of any office");
        let is_said = |word: &&str| is_told(word) && text.split(' ').any(|own| own == *word);
        title.split(' ').filter(is_said).count()
    }
}

/// A text without the endings of possessives: of `the president's pay` the word of a title is left.
fn without_possessives(text: &str) -> String {
    let mut left = String::new();
    let mut parts = text.split(is_apostrophe).peekable();
    while let Some(part) = parts.next() {
        left.push_str(part);
        if let Some(next) = parts.peek_mut()
            && let Some(rest) =
                next.strip_prefix('s').filter(|rest| !rest.starts_with(char::is_alphanumeric))
        {
            *next = rest;
        }
    }
    left
}

/// How many of a list a sentence does not name.
pub(super) fn some_more(all: usize, named: usize) -> Option<usize> {
    all.checked_sub(named).filter(|more| *more > 0)
}

/// Who leads comes first, who no longer does last: the forms list boards in any order.
fn rank(person: &Person) -> u8 {
    let title = title_form(person);
    match () {
        () if says(&title, "leads no more") => 3,
        () if says(&title, "leads") => 0,
        () if says(&title, "presides") => 1,
        () => 2,
    }
}

fn paid(person: &Person) -> i64 {
    person.compensation.map_or(0, |usd| usd.dollars())
}

/// Name and title as filed, in the letters of names.
fn titled(person: &Person) -> String {
    let name = of_person(&person.name);
    match person.title.as_deref() {
        Some(title) => format!("{name} ({})", title_of_person(title)),
        None => name,
    }
}

/// Somebody's whole title in normal form; empty if none is stated.
fn title_form(person: &Person) -> String {
    person.title.as_deref().map(title_of_person).map_or_else(String::new, |title| normalise(&title))
}
