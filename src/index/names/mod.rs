//! A whole question to the organizations that it may name, each with the probability that it is the
//! one that was meant.
//!
//! People remember a name and a town, a chapter, the words in another order, and type them with
//! mistakes. So a question is cut into terms (`analysis`), each term is given what it may stand for
//! (`query`: short forms, misspellings, words written apart), organizations that have much of it are
//! gathered from postings (`retrieve`) and by whole names (`documents`), and compared with it
//! name by name and place by place (`score`). A learned model makes probabilities of that (`model`).
//!
//! It knows nothing of what else a text may be, such as a cause: that is the reader's to weigh
//! against [`Answer::nobody`].

mod analysis;
mod build;
mod documents;
mod listed;
mod model;
mod postings;
mod query;
mod retrieve;
mod score;
mod similar;
mod terms;

pub use analysis::{TERMS_MAX, terms, without_legal_form};
pub use build::{Builder, Text};
pub use documents::Name;
pub use listed::{Listed, WeighedTerm, may_stand_for};
pub use model::Size;
pub use query::edited;
pub use retrieve::STEPS_MAX;
pub use score::{FEATURES, Feature, Features};

use documents::Documents;
use query::Query;
use retrieve::RetrievalQuery;
use similar::Segments;
use terms::Terms;

use crate::mapped::{Damage, Files, OpenError, Table};
use crate::record::OrgId;

/// The table of the index, as a path within a snapshot.
const FILE: &str = "names";

/// Organizations that are compared with a question.
const COMPARED_MAX: usize = 48;
/// Of those, such as have exactly its terms.
const EQUAL_MAX: usize = 24;
/// Positions that are taken for misspelt though the index has such a term.
const DOUBTED_MAX: usize = 3;
/// How sure it must be that somebody is meant, so that no word is doubted.
const NOBODY_DOUBTED_MIN: f64 = 0.2;

/// What is asked.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// As it was typed.
    pub text: &'a str,
    /// Whether its last word may be still being typed.
    pub is_begun: bool,
    pub only_active_charities: bool,
    /// Which organizations may answer.
    pub accepts: &'a dyn Fn(OrgId) -> bool,
}

impl<'a> Question<'a> {
    /// A whole question to all organizations.
    pub fn of(text: &'a str) -> Self {
        Self { text, is_begun: false, only_active_charities: false, accepts: &|_| true }
    }
}

/// An organization that the text may name.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    pub org: OrgId,
    /// The probability that the text names it, 0 to 1.
    pub probability: f64,
    /// By which of its names it was found.
    pub name: Name,
    pub features: Features,
}

/// Who may be meant.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answer {
    /// Likeliest first; of equally likely ones the heaviest.
    pub candidates: Vec<Candidate>,
    /// The probability that none of them is meant.
    pub nobody: f64,
    /// Of the question.
    pub size: Size,
}

/// The opened index.
#[derive(Debug)]
pub struct Names {
    terms: Terms,
    segments: Segments,
    documents: Documents,
}

impl Names {
    /// Opens the index.
    pub fn open(files: &mut Files<'_>) -> Result<Self, OpenError> {
        let table = Table::open(files, FILE)?;
        let documents = Documents::of(&table)?;
        let terms = Terms::of(&table, documents.count())?;
        Ok(Self { terms, segments: Segments::of(&table)?, documents })
    }

    /// Who may be meant by a question. Its time is bounded by [`TERMS_MAX`] and [`STEPS_MAX`],
    /// whatever is asked.
    pub fn find(&self, question: &Question<'_>) -> Result<Answer, Damage> {
        let mut query = self.read(question)?;
        let mut answer = Answer { nobody: 1.0, ..Answer::default() };
        if query.positions.iter().all(|position| position.is_state_only) {
            return Ok(answer);
        }
        let mut doubtful = self.gather(question, &query, &mut answer)?;
        if answer.nobody > NOBODY_DOUBTED_MIN {
            // Some word may be another one misspelt: `mouse of prayer`.
            doubtful.retain(|at| query.may_be_misspelt(*at));
            doubtful.sort_by(|a, b| query.positions[*b].mass.total_cmp(&query.positions[*a].mass));
            doubtful.truncate(DOUBTED_MAX);
            if !doubtful.is_empty() {
                for at in doubtful {
                    self.add_similar(&mut query.positions[at])?;
                }
                self.gather(question, &query, &mut answer)?;
            }
        }
        Ok(answer)
    }

    /// A text that any organization can be compared with.
    pub fn comparison(&self, text: &str) -> Result<Comparison<'_>, Damage> {
        Ok(Comparison { names: self, query: self.read(&Question::of(text))? })
    }

    /// The ranks of organizations that have exactly a question's terms as a name, then those of at most `k` others whose
    /// names and places have most of them, the likeliest first.
    fn ranks(
        &self,
        question: &Question<'_>,
        query: &Query,
        k: usize,
        steps_max: u32,
    ) -> Result<Vec<u32>, Damage> {
        let Question { only_active_charities, accepts, .. } = *question;
        let terms = query.positions.iter().filter(|one| !one.is_state_only);
        let mut ranks = Vec::new();
        for rank in self.documents.named(terms.map(|one| one.text.as_str()), EQUAL_MAX)? {
            let (org, is_active_charity) = self.documents.org(rank)?;
            if (is_active_charity || !only_active_charities) && accepts(org) {
                ranks.push(rank);
            }
        }
        let wanted = RetrievalQuery { k, steps_max, only_active_charities, accepts };
        let mut others = retrieve::candidates(self, query, &self.pairs(query)?, &wanted)?;
        others.retain(|rank| !ranks.contains(rank));
        ranks.extend(others);
        Ok(ranks)
    }

    /// Adds candidates to an answer; tells which positions the best of them leaves in doubt.
    fn gather(
        &self,
        question: &Question<'_>,
        query: &Query,
        answer: &mut Answer,
    ) -> Result<Vec<usize>, Damage> {
        let mut ranks = self.ranks(question, query, COMPARED_MAX, STEPS_MAX)?;
        // Equally likely ones stay in this order: the heaviest first.
        ranks.sort_unstable();
        let mut compared = Vec::with_capacity(ranks.len());
        for rank in ranks {
            let document = self.documents.get(rank)?;
            compared.push((document.org(), score::compare(self, query, &document)?));
        }
        let features: Vec<Features> = compared.iter().map(|(_, one)| one.features).collect();
        let mass: f32 = query.positions.iter().map(|position| position.mass).sum();
        answer.size = Size { terms: query.positions.len(), mass };
        let (probabilities, nobody) = model::probabilities(&features, answer.size);
        let mut doubtful = Vec::new();
        let best = probabilities.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
        match best {
            Some((at, _)) => doubtful.clone_from(&compared[at].1.doubtful),
            None => doubtful.extend(0..query.positions.len()),
        }
        answer.nobody = nobody;
        answer.candidates = compared
            .into_iter()
            .zip(probabilities)
            .map(|((org, one), probability)| Candidate {
                org,
                probability,
                name: one.name,
                features: one.features,
            })
            .collect();
        answer.candidates.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        Ok(doubtful)
    }
}

/// A text as it is compared with organizations, found by it or not.
#[derive(Debug, Clone)]
pub struct Comparison<'a> {
    names: &'a Names,
    query: Query,
}

impl Comparison<'_> {
    /// How well the names and the place of an organization explain the text.
    pub fn features(&self, org: OrgId) -> Result<Features, Damage> {
        let document = self.names.documents.of_org(org)?;
        Ok(score::compare(self.names, &self.query, &document)?.features)
    }
}

#[cfg(test)]
mod tests;
