//! One nonprofit: what is asked of it, and others like it.

use super::{Answer, Named, ROWS, SearchError, Turn, fact, say, suggest};
use crate::record::{Ein, Organization};
use crate::search::details::details;
use crate::search::nonprofits::{self, Like, Query, Row};
use crate::understand::{self, Fact, Intent, Names, Shown, Subject, Wanted};

/// Who is called by a name.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Called {
    /// Surely this one.
    One(Ein),
    /// So many may be meant; nobody of that name is in the data when there are none.
    Several { asked: String, count: usize },
    /// It is no name.
    NoName,
}

impl Turn<'_> {
    /// One that was shown: it, or others like it.
    pub(super) fn one_of_those(self, ein: Ein, shown: &Shown) -> Result<Answer, SearchError> {
        match shown.wanted {
            Wanted::Itself => self.details_of(ein, shown.fact),
            Wanted::Similar => {
                let Some(found) = details(self.snapshot, ein)? else { return self.unknown() };
                self.similar_to(&found, &shown.rest)
            }
        }
    }

    /// A fact of a nonprofit that is called so; else the message is a question about a term, or a search.
    pub(super) fn fact_of(self, fact: Fact, name: &str, asks: bool) -> Result<Answer, SearchError> {
        match self.called(name)? {
            Called::NoName if asks => self.knowledge(true),
            Called::NoName => self.search(),
            called => self.of_called(called, Some(fact)),
        }
    }

    /// The nonprofit that a text names, if it does.
    pub(super) fn called(&self, name: &str) -> Result<Called, SearchError> {
        // One common word is no name, though some nonprofit may be called so.
        let lower = name.chars().all(|c| c.is_lowercase() || !c.is_alphabetic());
        if !name.contains(' ') && lower && self.snapshot.is_word(name)? {
            return Ok(Called::NoName);
        }
        let asked = format!("tell me about {name}");
        let heard = understand::understand(&asked, self.snapshot)?.frame;
        match heard.organization {
            Some(found) if found.wanted == Wanted::Itself => Ok(who_is(found)),
            _ => Ok(Called::NoName),
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
            Called::NoName => self.unknown(),
        }
    }

    /// Those that may be meant by a name, or that come nearest to it.
    fn nearly(mut self, asked: String, count: usize) -> Result<Answer, SearchError> {
        let like = Like { name: Some(asked.clone()), is_name: true, ..Like::text(asked.clone()) };
        let query = Query {
            filters: self.explicit.filters(),
            origin: None,
            like,
            distance_max: None,
            sort: Vec::new(),
            page: 1,
            size: ROWS,
        };
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
        let filings = match self.snapshot.columns.org_of(ein)? {
            Some(org) => self.snapshot.records.filings(org)?,
            None => Vec::new(),
        };
        let message = match asked {
            Some(fact) => fact::said(fact, &organization, filings.first()),
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

    /// Others like one.
    fn similar_to(
        mut self,
        organization: &Organization,
        rest: &str,
    ) -> Result<Answer, SearchError> {
        let like = understand::Organization {
            name: organization.name.clone(),
            ein: Some(organization.ein),
            asked: organization.name.clone(),
            namesakes: 1,
            wanted: Wanted::Similar,
        };
        self.conversation.frame =
            understand::Frame { organization: Some(like), ..understand::Frame::default() };
        // `similar ones in Texas`: refines what is similar.
        self.find(rest, 1)
    }
}

/// Who is called as was understood.
pub(super) fn who_is(found: understand::Organization) -> Called {
    match found.ein {
        Some(ein) => Called::One(ein),
        None => Called::Several { asked: found.asked, count: found.namesakes },
    }
}
