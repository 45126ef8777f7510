//! One nonprofit: what is asked of it, and others like it.

use super::{Answer, Intent, Named, ROWS, SearchError, Turn, fact, say, suggest};
use crate::reader::{Fact, Role};
use crate::record::{Ein, Filing, Organization};
use crate::search::details::details;
use crate::search::nonprofits::{self, Like, Query, Row};
use crate::understand::{self, Conversation, Frame, Subject, Wanted, Which, decode};

/// Who is called by a name.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Called {
    /// Surely this one.
    One(Ein),
    /// So many may be meant; nobody of that name is in the data when there are none.
    Several { asked: String, count: usize },
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
                let named = Some(Named { name: None, ein: Some(ein) });
                let answer = self.said(Intent::SimilarNonprofits, &say::no_such_ein(ein))?;
                Ok(Answer { named, ..answer })
            }
        }
    }

    /// What is asked of a nonprofit that was named. Nobody is taken for another: where it is not
    /// sure who is meant, those that may be are shown.
    pub(super) fn of_called(
        self,
        called: Called,
        asked: Option<Fact>,
    ) -> Result<Answer, SearchError> {
        match called {
            Called::One(ein) => self.details_of(ein, asked),
            Called::Several { asked, count } => self.nearly(asked, count),
        }
    }

    /// Those that may be meant by a name, or that come nearest to it.
    fn nearly(mut self, asked: String, count: usize) -> Result<Answer, SearchError> {
        let like = Like { name: Some(asked.clone()), is_name: true, ..Like::text(asked.clone()) };
        let query = Query::of(self.explicit.filters(), like, ROWS);
        let found = nonprofits::search(self.snapshot, &query)?;
        let message = say::nearly(&asked, count, &found.rows);
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
            named: Some(Named { name: Some(asked), ein: None }),
            nonprofits: found.rows,
            plan: Some(found.plan),
            suggestions,
            ..answer
        })
    }

    /// Its returns, the latest first.
    pub(super) fn filings(&self, ein: Ein) -> Result<Vec<Filing>, SearchError> {
        Ok(match self.snapshot.columns.org_of(ein)? {
            Some(org) => self.snapshot.records.filings(org)?,
            None => Vec::new(),
        })
    }

    /// All of one nonprofit, and in words the fact that was asked for.
    pub(super) fn details_of(
        mut self,
        ein: Ein,
        asked: Option<Fact>,
    ) -> Result<Answer, SearchError> {
        let Some(organization) = details(self.snapshot, ein)? else {
            let message = say::no_such_ein(ein);
            let named = Some(Named { name: None, ein: Some(ein) });
            let suggestions = suggest::openings(self.snapshot)?;
            let answer = Answer::of(Intent::NonprofitDetails, message, self.conversation);
            return Ok(Answer { named, suggestions, ..answer });
        };
        let filings = self.filings(ein)?;
        let message = match asked {
            Some(fact) => {
                let sources = &self.snapshot.manifest.sources;
                fact::said(fact, &organization, filings.first(), sources)
            }
            None => fact::portrait(&organization, filings.first()),
        };
        let suggestions = suggest::after_details(self.snapshot, &organization)?;
        let name = organization.name.clone();
        self.conversation.focus = Some(ein);
        if self.conversation.nonprofits.is_empty() {
            self.conversation.nonprofits = vec![ein];
        }
        self.conversation.subject = Subject::Nonprofits;
        let nonprofits = vec![Row { organization, cosine: None }];
        let answer = Answer::of(Intent::NonprofitDetails, message, self.conversation);
        Ok(Answer {
            named: Some(Named { name: Some(name), ein: Some(ein) }),
            nonprofits,
            suggestions,
            ..answer
        })
    }

    /// Others like one, of those that the message asks for otherwise.
    fn similar_to(mut self, organization: &Organization) -> Result<Answer, SearchError> {
        let like = understand::Organization {
            name: organization.name.clone(),
            ein: Some(organization.ein),
            asked: organization.name.clone(),
            namesakes: 1,
            wanted: Wanted::Similar,
        };
        self.message.spans.retain(|span| !matches!(span.role, Role::Ein | Role::Reference));
        let beside = decode(self.text, &self.message, None, self.snapshot)?.heard.frame;
        self.conversation.ask(Frame { organization: Some(like), ..beside });
        self.list(1)
    }
}

/// Who is called as was understood.
pub(super) fn who_is(found: understand::Organization) -> Called {
    match found.ein {
        Some(ein) => Called::One(ein),
        None => Called::Several { asked: found.asked, count: found.namesakes },
    }
}
