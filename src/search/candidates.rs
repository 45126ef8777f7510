//! Candidates of every index for a question, each with its features ([`rank::Feature`](crate::rank::Feature)).
//!
//! Candidates are those that the question may name, the best by words, the nearest in meaning, and those whose
//! NTEE code, filed or predicted, the cause makes probable: in the place that was asked for and around it.

mod around;
mod features;

use std::collections::BTreeSet;

pub use around::AROUND_MAX;

use super::SearchError;
use super::place_scope::{PlaceScope, Proximity};
use crate::classify::{CodeClassifier, Distribution};
use crate::index::columns::Bitmap;
use crate::index::names::{Answer, Question};
use crate::index::vectors::{Matching, Nearest, Query, Vectors};
use crate::processor_time::Account;
use crate::rank::Features;
use crate::record::OrgId;
use crate::snapshot::{ModelError, Snapshot};
use crate::understand::{Lookup, RelevanceQuery};

/// Rows of the rankings by words and by meaning that are candidates, of those that match.
pub const CANDIDATES_MAX: usize = 100;
/// The same from the list of each code.
pub const OF_CODE_MAX: usize = 40;
/// Prefixes of a cause's term, and likely codes, whose lists are read; and the least probability of
/// such a code.
const CODES_MAX: usize = 4;
const CODE_PROBABILITY_MIN: f32 = 0.08;

/// A ranking: its query and the rows that it may contain.
#[derive(Debug, Clone, Copy)]
pub struct RankingRequest<'a> {
    /// A text that is not blank, or a nonprofit.
    pub query: &'a RelevanceQuery,
    /// The rows that satisfy the filters.
    pub matching: &'a Bitmap,
    /// The number of these.
    pub total: u64,
    /// The rows that satisfy every filter but a place in words: a named nonprofit may be elsewhere.
    pub open: &'a Bitmap,
    /// The place in words.
    pub place: Option<&'a PlaceScope>,
    /// How far in meaning a row may be.
    pub distance_max: Option<f64>,
    /// Whether rows end with those that have a word of the text or are candidates; else all others that match
    /// follow by meaning.
    pub ends_with_text: bool,
}

/// What the indexes find, best first.
#[derive(Debug, Clone, Default)]
pub struct CandidateLists {
    /// Organizations that the question may name, with the probability of each.
    pub named: Vec<(OrgId, f64)>,
    /// By the words of the text, with BM25.
    pub words: Vec<(OrgId, f32)>,
    /// By the meaning of the text.
    pub meaning: Vec<OrgId>,
    /// Others: by the question's words and meaning, around the place, by the codes of the cause.
    others: Vec<OrgId>,
    /// Rows of truncated lists whose fit shows whether more might.
    pub(super) cut: Vec<OrgId>,
    /// How the vectors were searched.
    pub(super) nearest: Option<Nearest>,
}

/// Every candidate with its features, by OrgId, and what each index found.
#[derive(Debug, Clone)]
pub struct Candidates {
    pub rows: Vec<(OrgId, Features)>,
    pub found: CandidateLists,
}

/// Finds candidates and computes their features.
pub struct Ranker<'a> {
    pub(super) snapshot: &'a Lookup<'a>,
    pub(super) request: &'a RankingRequest<'a>,
    /// The vectors, and that of the text or of the nonprofit.
    pub(super) meaning: Option<(&'a Vectors, Vec<f32>)>,
}

impl<'a> Ranker<'a> {
    pub fn new(
        snapshot: &'a Lookup<'a>,
        request: &'a RankingRequest<'a>,
    ) -> Result<Self, SearchError> {
        Ok(Self { snapshot, request, meaning: meaning(snapshot, request.query)? })
    }

    fn distance_max(&self) -> Option<f32> {
        self.request.distance_max.map(|distance| distance as f32)
    }

    /// The `k` nearest in meaning of those that match.
    pub(super) fn nearest(&self, k: usize) -> Result<Option<Nearest>, SearchError> {
        let Some((vectors, query)) = &self.meaning else { return Ok(None) };
        let filter = self.request.filter(self.snapshot);
        let ask = Query {
            matching: filter.as_ref(),
            distance_max: self.distance_max(),
            ..Query::new(query, k)
        };
        Ok(Some(vectors.nearest(&ask)?))
    }

    /// The codes of the cause.
    fn cause(&self, text: &str) -> Result<Cause, SearchError> {
        // A nonprofit's vector, or another model's, is not of this text.
        let is_of_text = self.request.query.nonprofit.is_none();
        let meaning = self.meaning.as_ref().filter(|_| is_of_text);
        let is_embedded = meaning.is_some() && CodeClassifier::reads(self.snapshot.model()?);
        let vector = meaning.filter(|_| is_embedded).map(|(_, vector)| vector.as_slice());
        let codes = CodeClassifier::shared()?.codes_of(text, vector);
        let mut prefixes: Vec<String> =
            self.request.query.ntee.iter().take(CODES_MAX).cloned().collect();
        let likeliest = codes.likeliest(CODES_MAX);
        let sure = likeliest.first().map_or(0.0, |one| one.1);
        for (code, probability) in likeliest {
            let code = code.as_str().to_owned();
            if probability >= CODE_PROBABILITY_MIN
                && !prefixes.iter().any(|known| code.starts_with(known))
            {
                prefixes.push(code);
            }
        }
        Ok(Cause { codes, sure, prefixes })
    }

    /// The candidates from every index, for a text and the whole question, whose vector is `question`.
    fn find(
        &self,
        text: &str,
        cause: &Cause,
        question: Option<&[f32]>,
    ) -> Result<CandidateLists, SearchError> {
        let request = self.request;
        if request.open.count() == 0 {
            let nearest = self.nearest(CANDIDATES_MAX)?;
            return Ok(CandidateLists { nearest, ..CandidateLists::default() });
        }
        let whole = request.query.words_beside(text);
        let typed = request.query.typed().unwrap_or(text);
        let find_words = || {
            let named = self.named(typed)?;
            let words = by_words(self.snapshot, request, text, CANDIDATES_MAX)?;
            // Without vectors every candidate is listed, and who has the name of the place alone is none.
            let of_whole = whole.as_deref().filter(|_| self.meaning.is_some());
            let of_whole =
                of_whole.map(|whole| by_words(self.snapshot, request, whole, AROUND_MAX));
            Ok::<_, SearchError>((named, words, of_whole.transpose()?.unwrap_or_default()))
        };
        let find_meaning = || {
            let nearest = self.nearest(CANDIDATES_MAX)?;
            let of_whole = match (&self.meaning, question) {
                (Some((vectors, _)), Some(question)) => {
                    let filter = request.filter(self.snapshot);
                    let ask =
                        Query { matching: filter.as_ref(), ..Query::new(question, AROUND_MAX) };
                    vectors.nearest(&ask)?.hits.into_iter().map(|hit| hit.row).collect()
                }
                _ => Vec::new(),
            };
            Ok::<_, SearchError>((nearest, of_whole))
        };
        let account = Account::current();
        let (by_words, by_meaning) =
            rayon::join(|| account.charge(find_words), || account.charge(find_meaning));
        let (named, words, words_of_whole) = by_words?;
        let (nearest, meaning_of_whole) = by_meaning?;
        let hits = nearest.iter().flat_map(|nearest| &nearest.hits);
        let meaning: Vec<OrgId> = hits.map(|hit| hit.row).collect();
        let mut others: Vec<OrgId> = words_of_whole.into_iter().map(|hit| hit.0).collect();
        others.extend(meaning_of_whole);
        let mut cut = Vec::new();
        cut.extend(words.get(CANDIDATES_MAX - 1).map(|hit| hit.0));
        cut.extend(meaning.get(CANDIDATES_MAX - 1));
        for prefix in &cause.prefixes {
            let causes = &self.snapshot.causes;
            let (list, is_cut) = causes.having(prefix, request.matching, OF_CODE_MAX)?;
            cut.extend(list.iter().filter(|_| is_cut));
            others.extend(list);
        }
        if let Some(place) = request.place {
            others.extend(self.find_around(text, cause, place)?);
        }
        Ok(CandidateLists { named, words, meaning, others, cut, nearest })
    }

    /// The open rows that a question may name, with the probability of each.
    fn named(&self, typed: &str) -> Result<Vec<(OrgId, f64)>, SearchError> {
        let open = self.request.open;
        let list = |found: &Answer| {
            found.candidates.iter().map(|one| (one.org, one.probability)).collect()
        };
        // Understanding has looked up the same.
        if open.count() == u64::from(self.snapshot.columns.organizations()) {
            return Ok(list(&*self.snapshot.candidates(typed)?));
        }
        let accepts = |org: OrgId| open.contains(org);
        let asked = Question { accepts: &accepts, ..Question::of(typed) };
        Ok(list(&self.snapshot.names.find(&asked)?))
    }

    /// Every candidate for a text.
    pub fn candidates(&self, text: &str) -> Result<Candidates, SearchError> {
        let query = self.request.query;
        let cause = self.cause(text)?;
        let whole = query.question.as_deref().filter(|whole| *whole != text);
        let is_measured = self.meaning.is_some() && query.nonprofit.is_none();
        let whole_vector =
            whole.filter(|_| is_measured).map(|whole| measure(self.snapshot, Some(whole)));
        let whole_vector = whole_vector.transpose()?.flatten();
        let found = self.find(text, &cause, whole_vector.as_deref())?;
        let all = found.named.iter().map(|one| one.0).chain(found.words.iter().map(|one| one.0));
        let all = all.chain(found.meaning.iter().copied()).chain(found.others.iter().copied());
        let orgs: Vec<OrgId> = all.collect::<BTreeSet<OrgId>>().into_iter().collect();
        let (orgs, cosines) = self.within(orgs)?;
        let rows =
            self.described(text, &cause, &found, whole_vector.as_deref(), &orgs, &cosines)?;
        Ok(Candidates { rows, found })
    }

    /// The rows that are not too far in meaning, with their cosines; empty without vectors.
    fn within(&self, orgs: Vec<OrgId>) -> Result<(Vec<OrgId>, Vec<f32>), SearchError> {
        let Some((vectors, query)) = &self.meaning else { return Ok((orgs, Vec::new())) };
        let cosines = vectors.cosines(query, &orgs)?;
        let Some(distance_max) = self.distance_max() else { return Ok((orgs, cosines)) };
        let near = orgs.into_iter().zip(cosines);
        Ok(near.filter(|(_, cosine)| *cosine >= 1.0 - distance_max).unzip())
    }

    /// Where a row is, in relation to the place that was asked for.
    pub(super) fn proximity(&self, org: OrgId) -> Proximity {
        self.request.place.map_or(Proximity::Anywhere, |place| place.proximity(org))
    }
}

impl RankingRequest<'_> {
    /// The bitmap, unless it is of all.
    fn filter(&self, snapshot: &Snapshot) -> Option<Matching<'_>> {
        let all = self.total == u64::from(snapshot.columns.organizations());
        (!all).then_some(Matching { set: self.matching, count: self.total })
    }
}

/// The `k` best matching rows by words, with BM25.
pub(super) fn by_words(
    snapshot: &Snapshot,
    request: &RankingRequest<'_>,
    text: &str,
    k: usize,
) -> Result<Vec<(OrgId, f32)>, SearchError> {
    let filter = request.filter(snapshot).map(|filter| filter.set);
    let hits = snapshot.fulltext.search(text, k, filter)?;
    Ok(hits.into_iter().map(|hit| (hit.row, hit.score)).collect())
}

/// The vectors, and the vector of the text or nonprofit; `None` where either is missing.
fn meaning<'a>(
    snapshot: &'a Snapshot,
    query: &RelevanceQuery,
) -> Result<Option<(&'a Vectors, Vec<f32>)>, SearchError> {
    let Some(vectors) = &snapshot.vectors else { return Ok(None) };
    let org = query.nonprofit.map(|ein| snapshot.columns.org_of(ein)).transpose()?.flatten();
    let vector = match org {
        Some(org) => Some(vectors.vector(org)?),
        None => measure(snapshot, query.words())?,
    };
    Ok(vector.map(|vector| (vectors, vector)))
}

/// The codes of a cause.
struct Cause {
    codes: Distribution,
    /// The probability of the likeliest code.
    sure: f32,
    /// Prefixes of codes whose lists have candidates.
    prefixes: Vec<String>,
}

/// The vector of a text; `None` without a text, or when the snapshot has no vectors to compare with.
///
/// # Errors
/// When the snapshot was built with a model that is not at hand.
pub(super) fn measure(
    snapshot: &Snapshot,
    text: Option<&str>,
) -> Result<Option<Vec<f32>>, SearchError> {
    let Some(text) = text.filter(|text| !text.trim().is_empty()) else { return Ok(None) };
    match (&snapshot.vectors, snapshot.model()) {
        (None, _) | (_, Err(ModelError::None)) => Ok(None),
        (Some(_), model) => Ok(Some(model?.embed_one(text)?)),
    }
}
