//! Who governs and leads a nonprofit, and what they are paid: by the lists of its latest return, or of that of the year.

use std::cmp::Reverse;

use super::{Mention, Profile, SearchError};
use crate::naming::normalise;
use crate::reader::DialogueAct;
use crate::record::{Person, Role};
use crate::search::chat::phrase::{Phrase, dollars};
use crate::search::listing::{Paging, SIZE_MAX};
use crate::search::people::{NonprofitPeople, NonprofitQuery, nonprofit_people};
use crate::snapshot::Snapshot;
use crate::understand::{says, tells};

/// People named in a sentence.
const LEADERS_NAMED: usize = 5;
const PAID_NAMED: usize = 4;

/// The people in a return, or why there are none.
enum Listed {
    People(u16, Vec<Person>),
    Nobody(String),
}

impl Profile<'_> {
    /// Who governs and leads it; whose title is asked for comes first, then who leads.
    pub(super) fn leaders(
        &self,
        snapshot: &Snapshot,
        mention: Mention,
    ) -> Result<String, SearchError> {
        match self.people(snapshot, DialogueAct::Leaders, mention)? {
            Listed::People(year, people) => Ok(self.led_by(year, people)),
            Listed::Nobody(why) if snapshot.manifest.without_people || self.year.is_some() => {
                Ok(why)
            }
            Listed::Nobody(why) => Ok(self.without_people(&why)),
        }
    }

    pub(super) fn led_by(&self, year: u16, mut people: Vec<Person>) -> String {
        let governs =
            [Role::TrusteeOrDirector, Role::InstitutionalTrustee, Role::Officer, Role::Listed];
        people.retain(|person| {
            let roles = &person.roles;
            governs.into_iter().any(|role| roles.contains(role)) && !roles.contains(Role::Former)
        });
        let phrase =
            |name| Phrase::new(name).with("year", year).with("name", &self.organization().name);
        if people.is_empty() {
            return self.say(&phrase("people.none"));
        }
        people.sort_by_key(|person| (Reverse(self.shared(person)), rank(person)));
        let named: Vec<String> = people.iter().take(LEADERS_NAMED).map(titled).collect();
        let more = people.len() - named.len();
        let more = (more > 0).then_some(more);
        self.say(&phrase("leaders").with("people", named).with_some("more", more))
    }

    /// What its people are paid: whose title is asked for first, then the best paid.
    pub(super) fn pay(&self, snapshot: &Snapshot, mention: Mention) -> Result<String, SearchError> {
        Ok(match self.people(snapshot, DialogueAct::Pay, mention)? {
            Listed::People(year, people) => self.paid_by(year, people),
            Listed::Nobody(why) => why,
        })
    }

    pub(super) fn paid_by(&self, year: u16, mut people: Vec<Person>) -> String {
        let phrase =
            |name| Phrase::new(name).with("year", year).with("name", &self.organization().name);
        let count = people.len();
        let is_stated = people.iter().any(|person| person.compensation.is_some());
        people.retain(|person| paid(person) > 0);
        if people.is_empty() {
            let name = if is_stated { "pay.none" } else { "pay.unstated" };
            return self.say(&phrase(name).with("count", count));
        }
        people.sort_by_key(|person| Reverse((self.shared(person) > 0, paid(person))));
        let named: Vec<String> =
            people.iter().take(PAID_NAMED).map(|one| self.paid_one(one)).collect();
        let more = people.len() - named.len();
        let more = (more > 0).then_some(more);
        self.say(&phrase("pay").with("people", named).with_some("more", more))
    }

    /// Somebody with what the organization paid, and what came from elsewhere.
    fn paid_one(&self, person: &Person) -> String {
        let beside = [person.compensation_related, person.compensation_other].into_iter().flatten();
        let beside: i64 = beside.map(|usd| usd.dollars()).sum();
        if beside == 0 {
            return format!("{} {}", titled(person), dollars(paid(person)));
        }
        Phrase::new("pay.related")
            .with("person", titled(person))
            .dollars("amount", Some(paid(person)))
            .dollars("other", Some(beside))
            .part(self.language)
    }

    fn people(
        &self,
        snapshot: &Snapshot,
        fact: DialogueAct,
        mention: Mention,
    ) -> Result<Listed, SearchError> {
        if snapshot.manifest.without_people {
            return Ok(Listed::Nobody(self.unknown(fact, mention, "people")));
        }
        let ein = self.organization().ein;
        let asked =
            NonprofitQuery { ein, year: self.year, paging: Paging { page: 1, size: SIZE_MAX } };
        let Some(NonprofitPeople { page, years, has_returns }) =
            nonprofit_people(snapshot, &asked)?
        else {
            return Ok(Listed::Nobody(self.unknown(fact, mention, "return")));
        };
        let Some(latest) = years.first().copied() else {
            let why = if has_returns { "line" } else { "return" };
            return Ok(Listed::Nobody(self.unknown(fact, mention, why)));
        };
        let year = self.year.unwrap_or(latest);
        let people: Vec<Person> =
            page.rows.into_iter().filter(|row| row.tax_year == year).collect();
        if people.is_empty() {
            let years: Vec<String> = years.iter().map(u16::to_string).collect();
            let phrase = self.about("people.year", mention).with("years", years).with("year", year);
            return Ok(Listed::Nobody(self.say(&phrase)));
        }
        Ok(Listed::People(year, people))
    }

    /// Why its leaders are not known, with the person who gets its mail.
    fn without_people(&self, why: &str) -> String {
        let organization = self.organization();
        let officer =
            organization.principal_officer.as_deref().map(|person| ("leaders.officer", person));
        let care = organization.in_care_of.as_deref().map(|person| ("leaders.care", person));
        match officer.or(care) {
            Some((name, person)) => {
                let person = crate::naming::display_name(person);
                format!("{why} {}", self.say(&Phrase::new(name).with("person", person)))
            }
            None => why.to_owned(),
        }
    }

    /// How many words of somebody's title the message has.
    fn shared(&self, person: &Person) -> usize {
        let text = normalise(self.text);
        let title = normalise(person.title.as_deref().unwrap_or_default());
        let is_said = |word: &&str| tells(word) && text.split(' ').any(|own| own == *word);
        title.split(' ').filter(is_said).count()
    }
}

/// Who leads comes first, who no longer does last: the forms list boards in any order.
fn rank(person: &Person) -> u8 {
    let title = normalise(person.title.as_deref().unwrap_or_default());
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
    let name = crate::search::officers::of_person(&person.name);
    match person.title.as_deref() {
        Some(title) => format!("{name} ({})", crate::search::officers::of_person(title)),
        None => name,
    }
}
