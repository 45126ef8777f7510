//! What is known of one nonprofit, fact by fact: a sentence of it, a short value to compare by, and why it is not known.

mod applications;
mod figures;
mod grant_sides;
mod grants;
mod lines;
mod people;
mod programs;
mod recipients;
mod records;
mod relatives;
mod standing;
#[cfg(test)]
mod tests;

use super::phrase::{Phrase, Value, exists, phrase, text};
use super::{Result, Turn};
use crate::reader::{DialogueAct as Act, Language};
use crate::record::{Change, Date, Ein, Filing, Month, Organization};
use crate::search::changes;
use crate::search::details::details;
use crate::search::listing::Paging;
use crate::search::provenance::TracedNonprofit;
use crate::snapshot::Snapshot;
use crate::understand::{Lookup, opens_with, says};
use figures::figure;

pub(super) use grants::GrantsQuestion;
pub(super) use lines::{asks_for_lines, lines_in};
pub(super) use records::{cause, place};
pub(super) use standing::as_of;

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
    /// The lines of a return that the question before asked for.
    pub(super) lines_before: Vec<&'static str>,
    /// Which grants are asked for.
    pub(super) grants: GrantsQuestion,
    /// Whether the message goes on from one that asks whether a foundation may make a grant.
    pub(super) is_asked_by_grantor: bool,
}

/// How a sentence calls the nonprofit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mention {
    Name,
    /// It was named just before.
    Pronoun,
}

impl<'a> Turn<'a> {
    /// A nonprofit with its returns, in the language of the message and of its year; `None` where nobody has the EIN.
    pub(super) fn profile(&self, ein: Ein) -> Result<Option<Profile<'a>>> {
        let Turn { snapshot, language, text, .. } = *self;
        let Some(organization) = details(snapshot, ein)? else { return Ok(None) };
        let filings = match snapshot.columns.org_of(ein)? {
            Some(org) => snapshot.records.filings(org)?,
            None => Vec::new(),
        };
        let traced = TracedNonprofit { organization, filings, sources: &snapshot.manifest.sources };
        let grants = GrantsQuestion::default();
        let asked = self.conversation.asked.as_ref();
        let lines_before = asked.map_or(Vec::new(), |asked| asked.lines.clone());
        let before = self.conversation.said.as_deref().unwrap_or_default();
        let is_asked_by_grantor =
            opens_with(text, "asks the same") && says(before, "asks whether it may get a grant");
        let year = self.year();
        Ok(Some(Profile {
            traced,
            language,
            year,
            text,
            lines_before,
            grants,
            is_asked_by_grantor,
        }))
    }
}

impl Profile<'_> {
    pub(super) fn organization(&self) -> &Organization {
        &self.traced.organization
    }

    /// The facts that are asked for, in their order.
    pub(super) fn sentences(&self, snapshot: &Lookup<'_>, asked: &[Act]) -> Result<String> {
        let mut said = Vec::new();
        for (at, fact) in asked.iter().enumerate() {
            let mention = if at == 0 { Mention::Name } else { Mention::Pronoun };
            said.push(self.sentence(snapshot, *fact, mention)?);
        }
        // A sentence that several facts have in common appears once, whether it has the name or a pronoun.
        let (name, it) = (&self.organization().name, self.text("it"));
        let (own, its) = (format!("{name}'s"), self.text("its"));
        let form =
            |sentence: &str| sentence.replace(&own, its).replace(name, it).trim().to_lowercase();
        let mut once: Vec<&str> = Vec::new();
        for sentence in said.iter().flat_map(|said| said.split_inclusive(". ")) {
            if !once.iter().any(|before| form(before) == form(sentence)) {
                once.push(sentence.trim_end());
            }
        }
        Ok(once.join(" "))
    }

    fn sentence(&self, snapshot: &Lookup<'_>, fact: Act, mention: Mention) -> Result<String> {
        let may_be_of_programs = matches!(fact, Act::Expenses | Act::Share | Act::Lines);
        let is_of_programs = may_be_of_programs && !asks_for_lines(self.text);
        if is_of_programs && let Some(said) = self.programs_asked(mention) {
            return Ok(said);
        }
        Ok(match fact {
            Act::Revenue | Act::Expenses | Act::Assets | Act::NetAssets | Act::Employees => {
                self.figure(fact, mention)
            }
            Act::Size => self.size(mention),
            Act::Health => self.health(mention),
            Act::Surplus => self.surplus(mention),
            Act::Trend => self.trend(mention),
            Act::Share => self.share(mention),
            Act::Lines => self.lines(mention),
            Act::Missing => self.missing(),
            Act::Leaders => self.leaders(snapshot, mention)?,
            Act::Pay => self.pay(snapshot, mention)?,
            Act::Applications => self.applications(mention),
            Act::Standing => self.standing(),
            Act::Vetting => self.vetting(),
            Act::Deductible => self.deductibility(),
            Act::Changed => self.changed(snapshot)?,
            Act::GrantsMade | Act::GrantsReceived => self.grants(snapshot, fact)?,
            Act::Family => self.family(snapshot, mention)?,
            Act::Peers => self.peers(snapshot)?,
            _ => self.record(fact, mention),
        })
    }

    /// A fact in a few words, for a comparison; `None` where it is not known.
    pub(super) fn value(&self, fact: Act) -> Option<String> {
        let organization = self.organization();
        match fact {
            Act::Standing | Act::Deductible => self.standing_value(fact),
            Act::Founded => {
                let month = organization.exemption.ruling?;
                Some(phrase!("month", month).part(self.language))
            }
            Act::Kind => organization.exemption.subsection.map(|_| self.sourced_kind()),
            Act::Code => organization.ntee.map(|code| code.to_string()),
            Act::Mission => cause(organization, self.language),
            Act::Address => place(organization),
            Act::Phone => organization.phone.clone(),
            Act::Website => organization.website.clone(),
            Act::Ein => Some(organization.ein.dashed()),
            Act::Lines => self.line_value(),
            Act::Leaders => organization.principal_officer.clone(),
            Act::Filing => match &organization.latest_filing {
                Some(filing) => {
                    Some(format!("Form {} ({})", filing.form, filing.period_end.year()))
                }
                None => self.duty().map(str::to_owned),
            },
            // `how big are they?`: by what each takes in, else by what it owns.
            Act::Size => self.figure_value(Act::Revenue).or_else(|| {
                let amount = self.figure_value(Act::Assets)?;
                Some(phrase!("value.assets", amount).part(self.language))
            }),
            _ => self.figure_value(fact),
        }
    }

    /// Who it is and where, what it is for, and how big.
    pub(super) fn portrait(&self) -> String {
        let organization = self.organization();
        let mut said = vec![self.say(phrase!(
            "portrait",
            ein = organization.ein.dashed(),
            kind = self.sourced_kind(),
            place = place(organization),
            cause = cause(organization, self.language),
        ))];
        if organization.exemption.is_inactive() == Some(true) {
            said.push(self.say(phrase!("portrait.revoked")));
        }
        said.push(self.size(Mention::Pronoun));
        if organization.summary.is_some() {
            said.push(self.record(Act::Mission, Mention::Pronoun));
        }
        said.join(" ")
    }

    fn text(&self, name: &str) -> &'static str {
        text(name, self.language)
    }

    /// A sentence that may have its name.
    pub(super) fn say(&self, phrase: Phrase) -> String {
        phrase.with("name", &self.organization().name).say(self.language)
    }

    /// A sentence about it, which names it or not.
    fn about(&self, mention: Mention, phrase: Phrase) -> String {
        let name = &self.organization().name;
        let possessive = format!("{name}'s");
        let (who, whose) = match mention {
            Mention::Name => (&**name, &*possessive),
            Mention::Pronoun => (self.text("it"), self.text("its")),
        };
        let of = match (mention, self.language) {
            (Mention::Name, Language::Spanish) => format!("de {name}"),
            (Mention::Name, _) => format!("of {name}"),
            (Mention::Pronoun, Language::Spanish) => String::new(),
            (Mention::Pronoun, _) => "of it".to_owned(),
        };
        self.say(phrase.with("who", who).with("whose", whose).with("of", &of))
    }

    /// That a fact is not known, and why.
    fn unknown(&self, fact: Act, mention: Mention, why: &str) -> String {
        let own = format!("not_known.{}", fact.name());
        let name = match figure(fact) {
            _ if exists(&own) => &*own,
            None => "not_known",
            _ => "not_known.figure",
        };
        let what = self.text(&format!("what.{}", fact.name()));
        let said = self.about(mention, phrase!(name, what));
        format!("{said} {}", self.text(&format!("why.{why}"))).trim_end().to_owned()
    }

    /// What its latest period is called in a sentence.
    fn period(&self, month: Option<Month>) -> Option<String> {
        let month = month?;
        let of_month = |filing: &&Filing| filing.tax_period() == Some(month);
        let short = self.traced.filings.iter().filter(of_month).find_map(Filing::short_months);
        let phrase = match short {
            Some(months) => phrase!("period.short", count = u64::from(months)),
            None => phrase!("period"),
        };
        Some(phrase.with("month", &month).part(self.language))
    }

    /// What changed of it since earlier snapshots.
    fn changed(&self, snapshot: &Snapshot) -> Result<String> {
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

    fn changes(&self, rows: &[changes::DatedChange], since: Option<&str>) -> String {
        let day = |moment: &str| {
            let text = moment.get(..10).unwrap_or(moment);
            Date::parse_yyyy_mm_dd(text).map_or(Value::Text(text.to_owned()), Value::Day)
        };
        let item = |row: &changes::DatedChange| {
            let Change { kind, before, after, .. } = &row.change;
            let what = self.text(&format!("change.{}", kind.name()));
            phrase!("change.item", what, before, after, day = day(&row.seen)).part(self.language)
        };
        self.say(match (rows, since) {
            ([], None) => phrase!("changed.unknown"),
            ([], Some(since)) => phrase!("changed.nothing", day = day(since)),
            (rows, _) => phrase!("changed", changes = rows.iter().map(item).collect::<Vec<_>>()),
        })
    }
}
