//! What the matching of lists asks of the index: candidates that are not yet compared, and what is known
//! of an organization, term by term, for comparisons of another kind than that of a whole question.

use std::borrow::Cow;

use super::documents::Name;
use super::retrieve::STEPS_OF_ROW_MAX;
use super::{Names, Question, analysis};
use crate::mapped::Damage;
use crate::record::OrgId;

/// A term and how much it tells: its inverse document frequency.
#[derive(Debug, Clone, PartialEq)]
pub struct WeighedTerm<'a> {
    pub text: Cow<'a, str>,
    pub mass: f32,
}

/// What the index knows of an organization.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Listed<'a> {
    /// Its names, the legal one first.
    pub names: Vec<(Name, Vec<WeighedTerm<'a>>)>,
    /// The terms of its city, as written out and as filed.
    pub city: Vec<Cow<'a, str>>,
    pub county: Vec<Cow<'a, str>>,
    /// Its state's code and its ZIP code, in small letters.
    pub region: Vec<&'a str>,
    /// How well known it is, 0 to 1.
    pub weight: f32,
    pub is_active_charity: bool,
}

/// Whether one term may be short for the other.
pub fn may_stand_for(one: &str, other: &str) -> bool {
    analysis::variants(one).iter().any(|variant| variant == other)
}

impl Names {
    /// The terms of a text, weighed.
    pub fn weigh(&self, text: &str) -> Result<Vec<WeighedTerm<'static>>, Damage> {
        let weighed = analysis::terms(text).into_iter().map(|text| {
            let mass = match self.terms.find(&text)? {
                Some(term) => self.terms.mass(term)?,
                None => self.terms.mass_of_frequency(0),
            };
            Ok(WeighedTerm { text: Cow::Owned(text), mass })
        });
        weighed.collect()
    }

    /// At most `k` organizations whose names and places have most of a question's terms, the likeliest
    /// first, after those that have exactly its terms as a name.
    pub fn candidates(&self, question: &Question<'_>, k: usize) -> Result<Vec<OrgId>, Damage> {
        let query = self.read(question)?;
        if query.positions.iter().all(|position| position.is_state_only) {
            return Ok(Vec::new());
        }
        let ranks = self.ranks(question, &query, k, STEPS_OF_ROW_MAX)?;
        ranks.into_iter().map(|rank| Ok(self.documents.org(rank)?.0)).collect()
    }

    /// How many organizations, at most `k`, have exactly these terms as a name.
    pub fn namesakes(&self, terms: &[WeighedTerm<'_>], k: usize) -> Result<usize, Damage> {
        Ok(self.documents.named(terms.iter().map(|term| &*term.text), k)?.len())
    }

    /// How many names in all are exactly the terms of a text.
    pub fn count(&self, text: &str) -> Result<usize, Damage> {
        match analysis::terms(text) {
            terms if terms.is_empty() => Ok(0),
            terms => self.documents.count_named(terms.iter().map(String::as_str)),
        }
    }

    /// The organizations that have exactly these terms as a name, at most `k`, the heaviest first.
    pub fn organizations_named(
        &self,
        terms: &[WeighedTerm<'_>],
        k: usize,
    ) -> Result<Vec<OrgId>, Damage> {
        let ranks = self.documents.named(terms.iter().map(|term| &*term.text), k)?;
        ranks.into_iter().map(|rank| Ok(self.documents.org(rank)?.0)).collect()
    }

    /// What is known of an organization.
    pub fn listed(&self, org: OrgId) -> Result<Listed<'_>, Damage> {
        let document = self.documents.of_org(org)?;
        let text = |term: &_| self.terms.text(*term).map(Cow::Borrowed);
        let texts = |terms: &[_]| terms.iter().map(text).collect::<Result<Vec<_>, Damage>>();
        let mut names = Vec::with_capacity(document.names.len());
        for named in &document.names {
            let weighed = named
                .terms
                .iter()
                .map(|term| Ok(WeighedTerm { text: text(term)?, mass: self.terms.mass(*term)? }));
            names.push((named.name, weighed.collect::<Result<Vec<_>, Damage>>()?));
        }
        let region = document
            .region
            .iter()
            .map(|term| Ok(self.terms.text(*term)?.trim_start_matches(analysis::REGION)));
        Ok(Listed {
            names,
            city: texts(&document.city)?,
            county: texts(&document.county)?,
            region: region.collect::<Result<_, Damage>>()?,
            weight: f32::from(document.weight) / f32::from(u16::MAX),
            is_active_charity: document.is_active_charity,
        })
    }
}
