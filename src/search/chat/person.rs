//! People of returns: at which nonprofits a name stands. Equal names may be of different people.

use super::phrase::{dollars, phrase};
use super::{Answer, Intent, Result, Turn};
use crate::naming::normalise;
use crate::reader::Role;
use crate::record::Ein;
use crate::search::listing::Paging;
use crate::search::officers::of_person;
use crate::search::people::{self, NameHit};
use crate::understand::{says, tells};

/// Words of a name that stands in a message, and stretches of it that are looked up.
const NAME_WORDS: std::ops::RangeInclusive<usize> = 2..=5;
const TRIED_MAX: usize = 32;
/// Nonprofits that a sentence names.
const NAMED: usize = 8;
/// Best paid people that an answer names.
const PAID_NAMED: usize = 3;
/// Entries read for them.
const PAID_READ: usize = 12;

impl Turn<'_> {
    /// The entries in returns of the person named in the message.
    pub(super) fn boards(self) -> Result<Answer> {
        let named: Vec<&str> = self.all_words(Role::Name).map(str::trim).collect();
        let form = normalise(self.text);
        let words: Vec<&str> = form.split(' ').collect();
        let stretches = NAME_WORDS.rev().flat_map(|length| words.windows(length));
        let stretches = stretches.filter(|words| words.iter().all(|word| may_be_name(word)));
        let stretches = stretches.map(|words| words.join(" ")).take(TRIED_MAX);
        for asked in named.iter().map(|named| (*named).to_owned()).chain(stretches) {
            if let Some(answer) = self.person(&asked)? {
                return Ok(answer);
            }
        }
        let message = match named.first() {
            _ if self.snapshot.manifest.without_people => phrase!("why.people"),
            Some(asked) => phrase!("person.nobody", asked),
            None => phrase!("person.full_name"),
        };
        let message = message.say(self.language);
        self.told(Intent::NonprofitDetails, message)
    }

    /// At which nonprofits a name stands; `None` where it stands at none.
    pub(super) fn person(&self, asked: &str) -> Result<Option<Answer>> {
        let asked = person_words(asked);
        if !NAME_WORDS.contains(&asked.split(' ').count()) {
            return Ok(None);
        }
        let paging = Paging { page: 1, size: NAMED };
        let query = people::Query { text: Some(&asked), ..people::Query::default() };
        let found = people::search(self.snapshot, &query, paging)?.page;
        let Some(first) = found.rows.first() else { return Ok(None) };
        let name = of_person(&first.named.name);
        let items: Vec<String> = found.rows.iter().map(|hit| self.post(hit)).collect();
        let more = found.total.checked_sub(items.len() as u64).filter(|more| *more > 0);
        let more = more.map(|more| more.to_string());
        let said = phrase!("person", name, items, more).say(self.language);
        let message = format!("{said} {}", phrase!("person.equal").say(self.language));
        let eins: Vec<Ein> = found.rows.iter().map(|hit| hit.organization.ein).collect();
        let organizations = self.records(&eins)?;
        self.clone().of_organizations(organizations, message).map(Some)
    }

    /// Who is paid most in all the returns loaded; `None` where one nonprofit is asked about.
    pub(super) fn best_paid(&self) -> Result<Option<Answer>> {
        let asks = says(self.text, "earns most") && says(self.text, "of all returns");
        let narrows = [Role::Name, Role::Place, Role::Cause, Role::Reference];
        let is_of_some = narrows.into_iter().any(|role| self.has(role));
        if !asks || is_of_some || self.snapshot.manifest.without_people {
            return Ok(None);
        }
        let paging = Paging { page: 1, size: PAID_READ };
        let query = people::Query { order: people::NameOrder::Pay, ..people::Query::default() };
        let mut found = people::search(self.snapshot, &query, paging)?.page;
        // A person paid by related organizations is listed in the return of each.
        found.rows.dedup_by(|one, other| one.named.name == other.named.name);
        found.rows.truncate(PAID_NAMED);
        let items = found.rows.iter().filter_map(|hit| {
            let paid = hit.named.rows.iter().filter_map(|row| row.reportable_pay()).max()?;
            let at = self.post(hit);
            let (name, amount) = (of_person(&hit.named.name), dollars(paid));
            Some(phrase!("person.paid", name, amount, at).part(self.language))
        });
        let items: Vec<String> = items.collect();
        if items.is_empty() {
            return Ok(None);
        }
        let message = phrase!("person.best_paid", items = items.join("; ")).say(self.language);
        let mut eins: Vec<Ein> = found.rows.iter().map(|hit| hit.organization.ein).collect();
        eins.dedup();
        let organizations = self.records(&eins)?;
        self.clone().of_organizations(organizations, message).map(Some)
    }

    /// A nonprofit at which a name stands, with the latest title and the years.
    fn post(&self, hit: &NameHit) -> String {
        let title = hit.named.rows.iter().find_map(|row| row.title.as_deref()).map(of_person);
        let years: Vec<String> = hit.named.years().iter().map(u16::to_string).collect();
        let (organization, years) = (&hit.organization.name, years.join(", "));
        phrase!("person.at", organization, title, years).part(self.language)
    }
}

/// The words of a text from the first to the last that may be of a name.
fn person_words(text: &str) -> String {
    let form = normalise(text);
    let words: Vec<&str> = form.split(' ').collect();
    let first = words.iter().position(|word| may_be_name(word)).unwrap_or(words.len());
    let last = words.iter().rposition(|word| may_be_name(word)).map_or(first, |last| last + 1);
    words[first..last].join(" ")
}

fn may_be_name(word: &str) -> bool {
    tells(word) && !says(word, "asks for boards") && !says(word, "question opening")
}
