//! One nonprofit: what is asked of it, and others like it.

use super::{Answer, Named, SearchError, Turn, fact, say, suggest};
use crate::record::{Ein, Organization};
use crate::search::details::details;
use crate::search::nonprofits::Row;
use crate::understand::{self, Fact, Intent, Names, Shown, Subject, Wanted};

impl Turn<'_> {
    /// One that was shown: it, or others like it.
    pub(super) fn one_of_those(self, ein: Ein, shown: &Shown) -> Result<Answer, SearchError> {
        match shown.wanted {
            Wanted::Itself => self.details_of(ein, None, shown.fact),
            Wanted::Similar => {
                let Some(found) = details(self.snapshot, ein)? else { return self.unknown() };
                self.similar_to(&found, &shown.rest)
            }
        }
    }

    /// A fact of a nonprofit that is called so; else the message is a search.
    pub(super) fn fact_of(
        self,
        fact: Option<Fact>,
        name: &str,
        asks: bool,
    ) -> Result<Answer, SearchError> {
        let asked = format!("tell me about {name}");
        let heard = understand::understand(&asked, self.snapshot)?.frame;
        let said = heard.organization.filter(|found| found.wanted == Wanted::Itself);
        let only = match heard.eins[..] {
            [ein] => Some(ein),
            _ => None,
        };
        if let Some(ein) = only {
            return self.details_of(ein, None, fact);
        }
        // One common word is no name, though some nonprofit may be called so.
        let lower = name.chars().all(|c| c.is_lowercase() || !c.is_alphabetic());
        let word = !name.contains(' ') && lower && self.snapshot.is_word(name)?;
        if let Some(found) = said.filter(|_| !word) {
            let ein = match found.ein {
                Some(ein) => Some(ein),
                // Of several the greatest: the answer says which.
                None => self.snapshot.of_name(&found.name)?.first().copied(),
            };
            if let Some(ein) = ein {
                return self.details_of(ein, Some(found.name), fact);
            }
        }
        if asks { self.knowledge(true) } else { self.search() }
    }

    /// All of one nonprofit, and in words the fact that was asked for.
    pub(super) fn details_of(
        mut self,
        ein: Ein,
        called: Option<String>,
        asked: Option<Fact>,
    ) -> Result<Answer, SearchError> {
        let Some(organization) = details(self.snapshot, ein)? else {
            let message = say::no_such_ein(ein);
            let named = Some(Named { name: ein.to_string(), ein: Some(ein) });
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
            None => fact::portrait(&organization),
        };
        let suggestions = suggest::after_details(self.snapshot, &organization)?;
        let name = called.unwrap_or_else(|| organization.name.clone());
        self.conversation.focus = Some(ein);
        if self.conversation.nonprofits.is_empty() {
            self.conversation.nonprofits = vec![ein];
        }
        self.conversation.subject = Subject::Nonprofits;
        let nonprofits = vec![Row { organization, cosine: None }];
        let answer = Answer::of(Intent::NonprofitDetails, message, self.conversation);
        Ok(Answer {
            named: Some(Named { name, ein: Some(ein) }),
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
            wanted: Wanted::Similar,
        };
        self.conversation.frame =
            understand::Frame { organization: Some(like), ..understand::Frame::default() };
        // `similar ones in Texas`: refines what is similar.
        self.find(rest, 1)
    }
}
