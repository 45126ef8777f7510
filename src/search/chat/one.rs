//! One nonprofit: what is asked of it, and others like it.

use super::{
    Answer, Intent, NonprofitRef, ROWS, SearchError, Turn, fact, figure, say, standing, suggest,
};
use crate::reader::{Fact, Role};
use crate::record::{Ein, Organization, Person};
use crate::search::changes;
use crate::search::details::details;
use crate::search::listing;
use crate::search::names::departed_called;
use crate::search::nonprofits::{self, NonprofitHit, Query, RelevanceQuery};
use crate::search::officers;
use crate::search::provenance::TracedNonprofit;
use crate::search::questions::Question;
use crate::snapshot::Snapshot;
use crate::understand::{self, Conversation, FactQuestion, Frame, NameUse, Subject, Which, decode};

/// Changes of a nonprofit that a sentence tells.
const CHANGES_SAID: usize = 3;

/// Who is called by a name.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum NameResolution {
    /// Surely this one.
    One(Ein),
    /// So many may be meant; nobody of that name is in the data when there are none.
    Several { asked: String, count: usize },
}

/// A nonprofit of which a question is asked.
pub(super) struct Questioned<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) ein: Ein,
    pub(super) name: &'a str,
    pub(super) question: &'a Question,
    /// The message.
    pub(super) text: &'a str,
}

impl Turn<'_> {
    /// A nonprofit that is named or was shown, or a fact of it.
    pub(super) fn details(self) -> Result<Answer, SearchError> {
        if self.words(Role::Name).is_some() || self.words(Role::Ein).is_some() {
            return self.search();
        }
        let which = self.referred().first().copied();
        let Conversation { focus, nonprofits, subject, .. } = &self.conversation;
        match which {
            Some(which) => {
                // A fact is a nonprofit's; else it is whatever was shown.
                let subject =
                    if self.message.fact.is_some() { Subject::Nonprofits } else { *subject };
                self.shown(which, subject)
            }
            // `tell me more` behind an explanation: all of it.
            None if *subject == Subject::Knowledge => self.shown(Which::That, Subject::Knowledge),
            None if focus.is_some() || !nonprofits.is_empty() => {
                self.shown(Which::That, Subject::Nonprofits)
            }
            None => self.search(),
        }
    }

    /// Nonprofits like one that is named or was shown.
    pub(super) fn similar(self) -> Result<Answer, SearchError> {
        if self.words(Role::Name).is_some() {
            return self.search();
        }
        let which = self.referred().first().copied();
        let ein = self
            .words(Role::Ein)
            .and_then(Ein::from_typed)
            .or_else(|| which.and_then(|which| self.ein_shown(which)));
        let Some(ein) = ein else {
            return match which {
                Some(which) => self.missing(which, Subject::Nonprofits),
                None => self.search(),
            };
        };
        match details(self.snapshot, ein)? {
            Some(found) => self.similar_to(&found),
            None => {
                let named = Some(NonprofitRef { name: None, ein: Some(ein) });
                let answer = self.said(Intent::SimilarNonprofits, &say::no_such_ein(ein))?;
                Ok(Answer { named, ..answer })
            }
        }
    }

    /// What is asked of a nonprofit that was named. Nobody is taken for another: where it is not
    /// sure who is meant, those that may be are shown.
    pub(super) fn of_called(
        self,
        called: NameResolution,
        asked: Option<FactQuestion>,
    ) -> Result<Answer, SearchError> {
        match called {
            NameResolution::One(ein) => self.details_of(ein, asked),
            NameResolution::Several { asked: name, count } => self.nearly(name, count, asked),
        }
    }

    /// Those that may be meant by a name, or that come nearest to it. Who left the master file is
    /// meant where nobody else is.
    fn nearly(
        mut self,
        asked: String,
        count: usize,
        fact: Option<FactQuestion>,
    ) -> Result<Answer, SearchError> {
        let like = RelevanceQuery {
            question: Some(asked.clone()),
            is_name: true,
            ..RelevanceQuery::text(asked.clone())
        };
        let departed = match count {
            0 => departed_called(self.snapshot, &asked)?,
            _ => Vec::new(),
        };
        if let [one] = &departed[..] {
            return self.details_of(one.ein, fact);
        }
        let query = Query::of(self.explicit.filters(), like, ROWS);
        let found = nonprofits::search(self.snapshot, &query)?;
        let mut message = say::nearly(&asked, count, &found.rows);
        message.extend(say::departed(&departed).map(|said| format!(" {said}")));
        let mut suggestions = Vec::new();
        for row in found.rows.iter().take(2) {
            suggestions.push(suggest::details_of(&row.organization));
        }
        if suggestions.is_empty() {
            suggestions = suggest::openings(self.snapshot)?;
        }
        let eins = found.rows.iter().map(|row| row.organization.ein);
        self.conversation.show_nonprofits(eins, ROWS as u64);
        let answer = Answer::of(Intent::NonprofitDetails, message, self.conversation);
        Ok(Answer {
            about: Some(asked.clone()),
            named: Some(NonprofitRef { name: Some(asked), ein: None }),
            nonprofits: found.rows,
            plan: Some(found.plan),
            suggestions,
            ..answer
        })
    }

    /// It with its returns and what it was read from.
    pub(super) fn traced(
        &self,
        organization: Organization,
    ) -> Result<TracedNonprofit<'_>, SearchError> {
        let filings = match self.snapshot.columns.org_of(organization.ein)? {
            Some(org) => self.snapshot.records.filings(org)?,
            None => Vec::new(),
        };
        Ok(TracedNonprofit { organization, filings, sources: &self.snapshot.manifest.sources })
    }

    /// Everybody whom its returns list.
    pub(super) fn people(&self, ein: Ein) -> Result<Vec<Person>, SearchError> {
        officers::everybody(self.snapshot, ein)
    }

    /// What changed of it since earlier snapshots, the latest first.
    fn changed(&self, ein: Ein) -> Result<Vec<changes::DatedChange>, SearchError> {
        let query = changes::Query {
            since: changes::Since::First,
            eins: vec![ein],
            state: None,
            kinds: Vec::new(),
            paging: listing::Paging { page: 1, size: CHANGES_SAID },
        };
        Ok(changes::search(self.snapshot, &query)?.map_or(Vec::new(), |found| found.rows))
    }

    /// All of one nonprofit, and in words the fact that was asked for.
    pub(super) fn details_of(
        mut self,
        ein: Ein,
        asked: Option<FactQuestion>,
    ) -> Result<Answer, SearchError> {
        let Some(organization) = details(self.snapshot, ein)? else {
            let message = say::no_such_ein(ein);
            let named = Some(NonprofitRef { name: None, ein: Some(ein) });
            let suggestions = suggest::openings(self.snapshot)?;
            let answer = Answer::of(Intent::NonprofitDetails, message, self.conversation);
            return Ok(Answer { named, suggestions, ..answer });
        };
        let traced = self.traced(organization)?;
        let mut message = match asked {
            Some(asked) => fact::sentence(asked, &traced, &self.people(ein)?),
            None => fact::portrait(&traced),
        };
        let changes = self.changed(ein)?;
        let before = self.conversation.asked.filter(|_| self.conversation.focus == Some(ein));
        match asked.map(|asked| asked.fact) {
            // `how old is it?` may mean the figure that was said before.
            Some(Fact::Founded) => {
                let age = before.and_then(|before| figure::age(before, &traced));
                message.extend(age.map(|age| format!(" {age}")));
            }
            None if changes.is_empty() => {}
            None | Some(Fact::Standing) => {
                let since = self.snapshot.changes.since().last().map(|one| one.built_at.as_str());
                message.push_str(&format!(" {}", standing::changed(&changes, since)));
            }
            _ => {}
        }
        let organization = traced.organization;
        let suggestions = suggest::after_details(self.snapshot, &organization)?;
        let name = organization.name.clone();
        self.conversation.focus = Some(ein);
        let is_figure = |asked: FactQuestion| figure::is_figure(asked.fact);
        match asked.filter(|asked| asked.fact == Fact::Founded) {
            Some(_) if before.is_some_and(is_figure) => {}
            _ => self.conversation.asked = asked,
        }
        if self.conversation.nonprofits.is_empty() {
            self.conversation.nonprofits = vec![ein];
        }
        self.conversation.subject = Subject::Nonprofits;
        let nonprofits = vec![NonprofitHit { organization, cosine: None }];
        let answer = Answer::of(Intent::NonprofitDetails, message, self.conversation);
        Ok(Answer {
            named: Some(NonprofitRef { name: Some(name), ein: Some(ein) }),
            nonprofits,
            suggestions,
            ..answer
        })
    }

    /// Others like one, of those that the message asks for otherwise.
    fn similar_to(mut self, organization: &Organization) -> Result<Answer, SearchError> {
        let like = understand::Organization {
            name: organization.name.clone(),
            other_name: None,
            ein: Some(organization.ein),
            asked: organization.name.clone(),
            namesakes: 1,
            wanted: NameUse::Similar,
        };
        self.message.spans.retain(|span| !matches!(span.role, Role::Ein | Role::Reference));
        let beside = decode(self.text, &self.message, None, self.snapshot)?.heard.frame;
        self.conversation.ask(Frame { organization: Some(like), ..beside });
        self.list(1)
    }
}

/// Who is called as was understood.
pub(super) fn who_is(found: understand::Organization) -> NameResolution {
    match found.ein {
        Some(ein) => NameResolution::One(ein),
        None => NameResolution::Several { asked: found.asked, count: found.namesakes },
    }
}
