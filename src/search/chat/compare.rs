//! Several nonprofits side by side, and where what is said of one comes from.

use super::one::{NameResolution, who_is};
use super::reply::FixedReply;
use super::{Answer, Intent, NonprofitRef, SearchError, Turn, fact, figure, suggest};
use crate::reader::{Fact, Role};
use crate::record::{Ein, Organization};
use crate::search::details::details;
use crate::search::nonprofits::NonprofitHit;
use crate::understand::{self, FactQuestion, NameUse, Names, Subject, Which};

/// Nonprofits that one answer compares.
const COMPARED_MAX: usize = 5;

/// What is compared when nothing else is asked: what most returns tell.
const COMPARED: [Fact; 3] = [Fact::Revenue, Fact::Assets, Fact::Place];

impl Turn<'_> {
    /// Those that are named or were shown, side by side.
    pub(super) fn compare(mut self) -> Result<Answer, SearchError> {
        let mut eins: Vec<Ein> = Vec::new();
        let mut unsure: Option<NameResolution> = None;
        for span in self.message.spans.iter().filter(|span| span.role == Role::Name) {
            let asked = self.text[span.bytes.clone()].trim();
            let naming = self.snapshot.named(asked)?;
            match who_is(understand::organization(asked, &naming, NameUse::Itself)) {
                NameResolution::One(ein) => eins.push(ein),
                several => unsure = unsure.or(Some(several)),
            }
        }
        for span in self.message.spans.iter().filter(|span| span.role == Role::Ein) {
            eins.extend(Ein::from_typed(self.text[span.bytes.clone()].trim()));
        }
        // Nobody is taken for another: who is not surely meant is asked for first.
        if let Some(unsure) = unsure {
            return self.of_called(unsure, None);
        }
        let mut which = self.referred();
        if eins.is_empty() && matches!(which[..], [] | [Which::That]) {
            which = (1..=2).map(Which::Nth).collect();
        }
        eins.extend(which.into_iter().filter_map(|which| self.ein_shown(which)));
        eins.dedup();
        eins.truncate(COMPARED_MAX);
        let mut found: Vec<Organization> = Vec::new();
        for ein in &eins {
            found.extend(details(self.snapshot, *ein)?);
        }
        if found.len() < 2 {
            return self.reply(Intent::NonprofitDetails, FixedReply::NothingToCompare);
        }
        let facts: Vec<FactQuestion> = match self.fact() {
            Some(asked) => vec![asked],
            None => COMPARED.map(|fact| FactQuestion { fact, year: self.year() }).to_vec(),
        };
        let mut said: Vec<String> = Vec::new();
        for one in &found {
            let (traced, people) = (self.traced(one.clone())?, self.people(one.ein)?);
            said.extend(facts.iter().map(|asked| fact::sentence(*asked, &traced, &people)));
        }
        let suggestions = found.iter().take(2).map(suggest::details_of).collect();
        self.conversation.show_nonprofits(eins, found.len() as u64);
        let answer = Answer::of(Intent::NonprofitDetails, said.join(" "), self.conversation);
        let nonprofits = found
            .into_iter()
            .map(|organization| NonprofitHit { organization, cosine: None })
            .collect();
        Ok(Answer { nonprofits, suggestions, ..answer })
    }

    /// Where what was said of a nonprofit comes from: the return or the list of the fact that was asked
    /// for last.
    pub(super) fn source(self) -> Result<Answer, SearchError> {
        let which = self.referred().first().copied().unwrap_or(Which::That);
        let shown = match self.conversation.subject {
            Subject::Nonprofits => self.ein_shown(which),
            _ => None,
        };
        let found = match shown {
            Some(ein) => details(self.snapshot, ein)?,
            None => None,
        };
        let Some(organization) = found else {
            return self.reply(Intent::Knowledge, FixedReply::Sources);
        };
        let traced = self.traced(organization)?;
        let mut message = figure::source(self.conversation.asked, &traced);
        if self.words(Role::Reference).is_none() {
            // Perhaps of all the data.
            message
                .push_str(&format!(" {}", FixedReply::Sources.text(self.message.language.label)));
        }
        let organization = traced.organization;
        let suggestions = vec![suggest::details_of(&organization)];
        let named =
            NonprofitRef { name: Some(organization.name.clone()), ein: Some(organization.ein) };
        let answer = Answer::of(Intent::NonprofitDetails, message, self.conversation);
        let nonprofits = vec![NonprofitHit { organization, cosine: None }];
        Ok(Answer { named: Some(named), nonprofits, suggestions, ..answer })
    }
}
