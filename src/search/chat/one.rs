//! One nonprofit: what is asked of it, and others like it.

use super::{Answer, Named, ROWS, SearchError, Turn, fact, say, suggest};
use crate::naming;
use crate::record::{Ein, Organization};
use crate::search::details::details;
use crate::search::nonprofits::{self, Like, Query, Row};
use crate::understand::{self, Fact, Intent, Names, Shown, Subject, Wanted};

/// Nonprofits by words that are looked at for the greatest of a name.
const NAMES_LOOKED_AT: usize = 48;

/// Who is called by a name.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Called {
    /// So many, of which this is the greatest.
    So { name: String, ein: Ein, count: usize },
    /// None exactly; the nearest, if one has all its words.
    Nearly { name: String, near: Option<Ein> },
    /// It is no name.
    Nobody,
}

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

    /// A fact of a nonprofit that is called so; else the message is a question about a term, or a search.
    pub(super) fn fact_of(self, fact: Fact, name: &str, asks: bool) -> Result<Answer, SearchError> {
        match self.called(name)? {
            Called::Nobody if asks => self.knowledge(true),
            Called::Nobody => self.search(),
            called => self.of_called(called, Some(fact)),
        }
    }

    /// The nonprofit that a text names, if it does.
    pub(super) fn called(&self, name: &str) -> Result<Called, SearchError> {
        // One common word is no name, though some nonprofit may be called so.
        let lower = name.chars().all(|c| c.is_lowercase() || !c.is_alphabetic());
        if !name.contains(' ') && lower && self.snapshot.is_word(name)? {
            return Ok(Called::Nobody);
        }
        let asked = format!("tell me about {name}");
        let heard = understand::understand(&asked, self.snapshot)?.frame;
        match heard.organization {
            Some(found) if found.wanted == Wanted::Itself => self.who_is(found),
            _ => Ok(Called::Nobody),
        }
    }

    /// Who is called as was understood.
    pub(super) fn who_is(&self, found: understand::Organization) -> Result<Called, SearchError> {
        let name = found.name;
        let eins = self.snapshot.of_name(&name)?;
        if let Some(&first) = eins.first() {
            return Ok(Called::So { name, ein: first, count: eins.len() });
        }
        let near = self.greatest_with(&name)?.or(found.ein);
        Ok(Called::Nearly { name, near })
    }

    /// The greatest nonprofit whose name, as it is shown, has all words of this.
    fn greatest_with(&self, words: &str) -> Result<Option<Ein>, SearchError> {
        let form = naming::normalise(words);
        let hits = self.snapshot.fulltext.search(&form, NAMES_LOOKED_AT, None)?;
        let mut best: Option<(Option<i64>, Ein)> = None;
        for hit in hits {
            let known = self.snapshot.records.organization(hit.org)?;
            let has_all = |name: &String| {
                let name = naming::normalise(name);
                form.split(' ').all(|word| name.split(' ').any(|other| other == word))
            };
            if has_all(&known.name) || known.alt_name.as_ref().is_some_and(has_all) {
                let revenue = known.finances.revenue.map(crate::record::Usd::dollars);
                if best.is_none_or(|(most, _)| revenue > most) {
                    best = Some((revenue, known.ein));
                }
            }
        }
        Ok(best.map(|(_, ein)| ein))
    }

    /// What is asked of a nonprofit that was named; of several called so, the greatest.
    pub(super) fn of_called(
        self,
        called: Called,
        asked: Option<Fact>,
    ) -> Result<Answer, SearchError> {
        match called {
            Called::So { name, ein, count } => {
                let answer = self.details_of(ein, Some(name.clone()), asked)?;
                let namesakes = say::namesakes(&name, count);
                Ok(Answer { message: format!("{}{namesakes}", answer.message), ..answer })
            }
            Called::Nearly { name, near } => self.nearly(name, near),
            Called::Nobody => self.unknown(),
        }
    }

    /// Those nearest to a name that nobody has.
    fn nearly(mut self, name: String, near: Option<Ein>) -> Result<Answer, SearchError> {
        let like = Like { text: Some(name.clone()), named: near, ..Like::default() };
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
        let first = found.rows.first().map(|row| &row.organization);
        let message = say::nearly(&name, first.filter(|one| Some(one.ein) == near));
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
            about: Some(name.clone()),
            named: Some(Named { name: Some(name), ein: None }),
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
        called: Option<String>,
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
        let name = called.unwrap_or_else(|| organization.name.clone());
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
            wanted: Wanted::Similar,
        };
        self.conversation.frame =
            understand::Frame { organization: Some(like), ..understand::Frame::default() };
        // `similar ones in Texas`: refines what is similar.
        self.find(rest, 1)
    }
}
