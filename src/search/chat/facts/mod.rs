//! What is known of one nonprofit, fact by fact: a sentence of it, a short value to compare by, and why it is not known.

mod figures;
mod grants;
mod people;
mod records;
mod relatives;
mod standing;
#[cfg(test)]
mod tests;

use super::SearchError;
use super::phrase::{Phrase, Value, exists, text};
use crate::reader::{DialogueAct, Language};
use crate::record::{Ein, Month, Organization};
use crate::search::changes;
use crate::search::details::details;
use crate::search::listing::Paging;
use crate::search::provenance::TracedNonprofit;
use crate::snapshot::Snapshot;

pub(super) use grants::GrantsQuestion;
pub(super) use records::{cause, place};

/// Changes that a sentence tells.
const CHANGES_SAID: usize = 3;

/// A nonprofit of which something is asked.
pub(super) struct Profile<'a> {
    pub(super) traced: TracedNonprofit<'a>,
    pub(super) language: Language,
    /// Only of this year.
    pub(super) year: Option<u16>,
    /// The words that ask: whose title they have comes first of the people.
    pub(super) text: &'a str,
    /// Which grants are asked for.
    pub(super) grants: GrantsQuestion,
}

/// How a sentence calls the nonprofit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mention {
    Name,
    /// It was named just before.
    Pronoun,
}

impl<'a> Profile<'a> {
    /// The nonprofit of an EIN with its returns; `None` where nobody has it.
    pub(super) fn of(
        snapshot: &'a Snapshot,
        ein: Ein,
        language: Language,
        text: &'a str,
    ) -> Result<Option<Self>, SearchError> {
        let Some(organization) = details(snapshot, ein)? else { return Ok(None) };
        let filings = match snapshot.columns.org_of(ein)? {
            Some(org) => snapshot.records.filings(org)?,
            None => Vec::new(),
        };
        let traced = TracedNonprofit { organization, filings, sources: &snapshot.manifest.sources };
        let grants = GrantsQuestion::default();
        Ok(Some(Self { traced, language, year: None, text, grants }))
    }

    pub(super) fn organization(&self) -> &Organization {
        &self.traced.organization
    }

    /// The facts that are asked for, in their order.
    pub(super) fn sentences(
        &self,
        snapshot: &Snapshot,
        asked: &[DialogueAct],
    ) -> Result<String, SearchError> {
        let mut said = Vec::new();
        for (at, fact) in asked.iter().enumerate() {
            let mention = if at == 0 { Mention::Name } else { Mention::Pronoun };
            said.push(self.sentence(snapshot, *fact, mention)?);
        }
        // A sentence that several facts have in common appears once.
        let mut once: Vec<&str> = Vec::new();
        for sentence in said.iter().flat_map(|said| said.split_inclusive(". ")) {
            if !once.iter().any(|before| before.trim_end() == sentence.trim_end()) {
                once.push(sentence.trim_end());
            }
        }
        Ok(once.join(" "))
    }

    fn sentence(
        &self,
        snapshot: &Snapshot,
        fact: DialogueAct,
        mention: Mention,
    ) -> Result<String, SearchError> {
        use DialogueAct as Act;
        let said = match fact {
            Act::Revenue | Act::Expenses | Act::Assets | Act::NetAssets | Act::Employees => {
                self.figure(fact, mention)
            }
            Act::Size => self.size(mention),
            Act::Health => self.health(mention),
            Act::Trend => self.trend(mention),
            Act::Share => self.share(mention),
            Act::Missing => self.missing(),
            Act::Leaders => self.leaders(snapshot, mention)?,
            Act::Pay => self.pay(snapshot, mention)?,
            Act::Standing => self.standing(),
            Act::Deductible => self.deductibility(),
            Act::Changed => self.changed(snapshot)?,
            Act::GrantsMade | Act::GrantsReceived => self.grants(snapshot, fact)?,
            Act::Family => self.family(snapshot, mention)?,
            Act::Peers => self.peers(snapshot)?,
            _ => self.record(fact, mention),
        };
        Ok(said)
    }

    /// A fact in a few words, for a comparison; `None` where it is not known.
    pub(super) fn value(&self, fact: DialogueAct) -> Option<String> {
        self.figure_value(fact)
            .or_else(|| self.standing_value(fact))
            .or_else(|| self.record_value(fact))
    }

    /// Who it is and where, what it is for, and how big.
    pub(super) fn portrait(&self) -> String {
        let organization = self.organization();
        let first = Phrase::new("portrait")
            .with("name", &organization.name)
            .with("ein", organization.ein.to_string())
            .with("kind", self.kind())
            .with_some("place", place(organization))
            .with_some("cause", cause(organization, self.language));
        let mut said = vec![self.say(&first)];
        if organization.exemption.is_inactive() == Some(true) {
            said.push(self.say(&Phrase::new("portrait.revoked")));
        }
        said.push(self.size(Mention::Pronoun));
        if organization.summary.is_some() {
            said.push(self.record(DialogueAct::Mission, Mention::Pronoun));
        }
        said.join(" ")
    }

    fn say(&self, phrase: &Phrase) -> String {
        phrase.say(self.language)
    }

    /// A sentence about it, which names it or not.
    fn about(&self, name: &str, mention: Mention) -> Phrase {
        let called = &self.organization().name;
        let (who, whose) = match mention {
            Mention::Name => (called.clone(), format!("{called}'s")),
            Mention::Pronoun => {
                (text("it", self.language).to_owned(), text("its", self.language).to_owned())
            }
        };
        let of = match (mention, self.language) {
            (Mention::Name, Language::Spanish) => format!("de {called}"),
            (Mention::Name, _) => format!("of {called}"),
            (Mention::Pronoun, Language::Spanish) => String::new(),
            (Mention::Pronoun, _) => "of it".to_owned(),
        };
        Phrase::new(name).with("who", who).with("whose", whose).with("of", of).with("name", called)
    }

    /// That a fact is not known, and why.
    fn unknown(&self, fact: DialogueAct, mention: Mention, why: &str) -> String {
        let what = Phrase::new(format!("what.{}", fact.name()))
            .with("name", &self.organization().name)
            .part(self.language);
        let why = text(&format!("why.{why}"), self.language);
        let own = format!("not_known.{}", fact.name());
        if exists(&own) {
            let said = self.say(&self.about(&own, mention));
            return if why.is_empty() { said } else { format!("{said} {why}") };
        }
        let is_figure = matches!(
            fact,
            DialogueAct::Revenue
                | DialogueAct::Expenses
                | DialogueAct::Assets
                | DialogueAct::NetAssets
                | DialogueAct::Employees
                | DialogueAct::Size
        );
        let name = if is_figure { "not_known.figure" } else { "not_known" };
        let said = self.say(&self.about(name, mention).with("what", what));
        if why.is_empty() { said } else { format!("{said} {why}") }
    }

    /// What its latest period is called in a sentence.
    fn period(&self, month: Option<Month>) -> Option<String> {
        let month = month?;
        let filings = self.traced.filings.iter();
        let months = filings.filter(|filing| filing.tax_period() == Some(month));
        let short = months.filter_map(crate::record::Filing::short_months).next();
        let phrase = match short {
            Some(months) => Phrase::new("period.short").with("count", u64::from(months)),
            None => Phrase::new("period"),
        };
        Some(phrase.with("month", month).part(self.language))
    }

    /// What changed of it since earlier snapshots.
    fn changed(&self, snapshot: &Snapshot) -> Result<String, SearchError> {
        let query = changes::Query {
            since: changes::Since::First,
            eins: vec![self.organization().ein],
            state: None,
            kinds: Vec::new(),
            paging: Paging { page: 1, size: CHANGES_SAID },
        };
        let rows = changes::search(snapshot, &query)?.map_or(Vec::new(), |found| found.rows);
        let since = snapshot.changes.since().last().map(|one| one.built_at.as_str());
        Ok(self.changes(&rows, since))
    }

    pub(super) fn changes(&self, rows: &[changes::DatedChange], since: Option<&str>) -> String {
        let day = |moment: &str| -> Value {
            let text = moment.get(..10).unwrap_or(moment);
            crate::record::Date::parse_yyyy_mm_dd(text).map_or(Value::from(text), Value::Day)
        };
        let name = &self.organization().name;
        let phrase = match (rows, since) {
            ([], None) => Phrase::new("changed.unknown"),
            ([], Some(since)) => Phrase::new("changed.nothing").with("day", day(since)),
            (rows, _) => {
                let said = |row: &changes::DatedChange| {
                    let what = text(&format!("change.{}", row.change.kind.name()), self.language);
                    Phrase::new("change.item")
                        .with("what", what)
                        .with_some("before", row.change.before.clone())
                        .with_some("after", row.change.after.clone())
                        .with("day", day(&row.seen))
                        .part(self.language)
                };
                Phrase::new("changed").with("changes", rows.iter().map(said).collect::<Vec<_>>())
            }
        };
        self.say(&phrase.with("name", name))
    }
}
