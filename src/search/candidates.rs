//! Candidates of every index for what rows should be like, each laid beside the question ([`Feature`]).
//!
//! Candidates are those that the question may name, the best by words, the nearest in meaning, and those whose
//! NTEE code, filed or predicted, the cause makes probable. Texts and vectors are looked up side by side.

use std::collections::{BTreeSet, HashMap};

use rayon::prelude::*;

use super::SearchError;
use crate::classify::{CodeClassifier, Distribution};
use crate::index::columns::Bitmap;
use crate::index::names::{self, Question};
use crate::index::vectors::{Matching, Nearest, Query, Vectors};
use crate::rank::{Feature, Features};
use crate::record::{Ein, Ntee, OrgId};
use crate::snapshot::{ModelError, Snapshot};

/// Rows of the rankings by words and by meaning that are candidates.
pub const CANDIDATES_MAX: usize = 150;
/// Rows of the list of each code that are.
pub const OF_CODE_MAX: usize = 40;
/// Candidates whose features one task works out.
const ROWS_A_TASK: usize = 64;
/// Prefixes of a cause's term, and codes that are likely, whose lists are looked at; and how probable each of
/// these must be.
const CODES_MAX: usize = 4;
const CODE_PROBABILITY_MIN: f32 = 0.08;

/// What rows should be like.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Like {
    /// What they should be about, in plain words.
    pub text: Option<String>,
    /// A nonprofit that they should be like; its vector counts instead of the text's.
    pub nonprofit: Option<Ein>,
    /// The whole question: those that it may name come first.
    pub name: Option<String>,
    /// Whether it was read as a name: else only such come first as are likely meant.
    pub is_name: bool,
    /// Prefixes of NTEE codes, in capitals, that speak for a row.
    pub ntee: Vec<String>,
    /// Whether these codes say all of the text: who has one fits, when rows are sorted by a column.
    pub ntee_is_text: bool,
    /// What cosines are taken with when there is neither text nor nonprofit.
    pub measured_with: Option<String>,
}

impl Like {
    /// Plain words.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..Self::default() }
    }

    /// Whether rows can be ranked by it.
    pub(super) fn ranks(&self) -> bool {
        self.words().is_some() || self.nonprofit.is_some()
    }

    /// The text, unless it is blank.
    pub fn words(&self) -> Option<&str> {
        self.text.as_deref().map(str::trim).filter(|text| !text.is_empty())
    }
}

/// What is wanted of the ranking.
#[derive(Debug, Clone, Copy)]
pub struct RankingRequest<'a> {
    /// What rows should be like: a text that is not blank, or a nonprofit.
    pub like: &'a Like,
    /// Those that satisfy the filters.
    pub matching: &'a Bitmap,
    /// How many they are.
    pub total: u64,
    /// How far in meaning a row may be.
    pub distance_max: Option<f64>,
}

/// What each index finds, best first.
#[derive(Debug, Clone, Default)]
pub struct CandidateLists {
    /// Those that the question may name, with the probability that each is meant.
    pub named: Vec<(OrgId, f64)>,
    /// By words, with BM25.
    pub words: Vec<(OrgId, f32)>,
    pub meaning: Vec<OrgId>,
    /// By the codes of the cause.
    pub codes: Vec<OrgId>,
    /// Of lists that were cut off what tells whether more would fit: the last of those in order of fit, all of
    /// those by weight.
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

/// What rows are ranked with.
pub struct Ranker<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) wanted: &'a RankingRequest<'a>,
    /// The vectors and the text's own.
    pub(super) meaning: Option<(&'a Vectors, Vec<f32>)>,
    pub(super) by_text: ByText,
}

/// What the words of a text find, best first.
#[derive(Debug, Clone, Default)]
pub(super) struct ByText {
    named: Vec<(OrgId, f64)>,
    words: Vec<(OrgId, f32)>,
}

impl<'a> Ranker<'a> {
    /// # Errors
    /// When the snapshot is damaged, or was built with a model that is not at hand.
    pub fn new(
        snapshot: &'a Snapshot,
        wanted: &'a RankingRequest<'a>,
    ) -> Result<Self, SearchError> {
        let (meaning, by_text) =
            rayon::join(|| meaning(snapshot, wanted.like), || ByText::of(snapshot, wanted));
        Ok(Self { snapshot, wanted, meaning: meaning?, by_text: by_text? })
    }

    fn distance_max(&self) -> Option<f32> {
        self.wanted.distance_max.map(|distance| distance as f32)
    }

    /// The `k` nearest in meaning.
    pub(super) fn nearest(&self, k: usize) -> Result<Option<Nearest>, SearchError> {
        let Some((vectors, query)) = &self.meaning else { return Ok(None) };
        let filter = self.wanted.filter(self.snapshot);
        let ask = Query {
            matching: filter.as_ref(),
            distance_max: self.distance_max(),
            ..Query::new(query, k)
        };
        Ok(Some(vectors.nearest(&ask)?))
    }

    /// Those of the lists of the cause's codes.
    fn by_codes(&self, cause: &Cause) -> Result<Vec<(Vec<OrgId>, bool)>, SearchError> {
        let having = |prefix: &String| {
            let causes = &self.snapshot.causes;
            Ok(causes.having(prefix, self.wanted.matching, OF_CODE_MAX)?)
        };
        cause.prefixes.iter().map(having).collect()
    }

    /// What the cause is about.
    fn cause(&self, text: &str) -> Result<Cause, SearchError> {
        // A nonprofit's vector, or another model's, is not of this text.
        let is_of_text = self.wanted.like.nonprofit.is_none();
        let meaning = self.meaning.as_ref().filter(|_| is_of_text);
        let is_embedded = meaning.is_some() && CodeClassifier::reads(self.snapshot.model()?);
        let vector = meaning.filter(|_| is_embedded).map(|(_, vector)| vector.as_slice());
        let codes = CodeClassifier::shared()?.codes_of(text, vector);
        let mut prefixes: Vec<String> =
            self.wanted.like.ntee.iter().take(CODES_MAX).cloned().collect();
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

    /// What each index finds of a text.
    ///
    /// # Errors
    /// When the snapshot is damaged.
    fn find(&self, cause: &Cause) -> Result<CandidateLists, SearchError> {
        let nearest = self.nearest(CANDIDATES_MAX)?;
        let hits = nearest.iter().flat_map(|nearest| &nearest.hits);
        let meaning: Vec<OrgId> = hits.map(|hit| hit.row).collect();
        if self.wanted.total == 0 {
            return Ok(CandidateLists { nearest, ..CandidateLists::default() });
        }
        let ByText { named, words } = self.by_text.clone();
        let codes = self.by_codes(cause)?;
        let mut cut = Vec::new();
        cut.extend(words.get(CANDIDATES_MAX - 1).map(|hit| hit.0));
        cut.extend(meaning.get(CANDIDATES_MAX - 1));
        for (list, is_cut) in &codes {
            cut.extend(list.iter().filter(|_| *is_cut));
        }
        let codes = codes.into_iter().flat_map(|(list, _)| list).collect();
        Ok(CandidateLists { named, words, meaning, codes, cut, nearest })
    }

    /// Every candidate for a text.
    ///
    /// # Errors
    /// When the snapshot is damaged.
    pub fn candidates(&self, text: &str) -> Result<Candidates, SearchError> {
        let cause = self.cause(text)?;
        let found = self.find(&cause)?;
        let all = found.named.iter().map(|one| one.0).chain(found.words.iter().map(|one| one.0));
        let all = all.chain(found.meaning.iter().copied()).chain(found.codes.iter().copied());
        let orgs: Vec<OrgId> = all.collect::<BTreeSet<OrgId>>().into_iter().collect();
        let (orgs, cosines) = self.within(orgs)?;
        let (best, mean, deviation) = spread(&cosines);
        let most = found.words.first().map_or(1.0, |one| one.1);
        let words: HashMap<OrgId, f32> = found.words.iter().copied().collect();
        let named: HashMap<OrgId, f64> = found.named.iter().copied().collect();
        let like = self.wanted.like;
        let filed = self.snapshot.columns.ntee_of(&orgs)?;
        let mut of_question = Features::default();
        of_question.set(Feature::IsName, f32::from(like.is_name));
        of_question.set(Feature::Matching, (self.wanted.total as f32).max(1.0).ln() / 10.0);
        of_question.set(Feature::IsTerm, f32::from(!like.ntee.is_empty()));
        of_question.set(Feature::CauseSure, cause.sure);
        let row = |at: usize, org: OrgId| {
            let mut features = of_question;
            let cosine = cosines.get(at).copied();
            features.set(Feature::Cosine, cosine.unwrap_or(0.0));
            features.set(Feature::CosineBehind, cosine.map_or(0.0, |cosine| best - cosine));
            features.set(Feature::CosineAbove, cosine.map_or(0.0, |one| (one - mean) / deviation));
            features.set(Feature::Words, words.get(&org).map_or(0.0, |score| score / most));
            features.set(Feature::Named, named.get(&org).map_or(0.0, |one| *one as f32));
            self.set_codes(&mut features, &cause, filed[at], org)?;
            Ok::<_, SearchError>((org, features))
        };
        let whole = like.name.as_deref().filter(|whole| *whole != text);
        let some = |(chunk, orgs): (usize, &[OrgId])| {
            let of_cause = self.snapshot.names.comparison(text)?;
            let of_whole = whole.map(|whole| self.snapshot.names.comparison(whole)).transpose()?;
            let orgs = (chunk * ROWS_A_TASK..).zip(orgs);
            let row = |(at, org): (usize, &OrgId)| {
                let (org, mut features) = row(at, *org)?;
                let by_cause = of_cause.features(org)?;
                let by_whole = of_whole.as_ref().map(|whole| whole.features(org)).transpose()?;
                set_names(&mut features, &by_cause, by_whole.as_ref().unwrap_or(&by_cause));
                Ok((org, features))
            };
            orgs.map(row).collect::<Result<Vec<_>, SearchError>>()
        };
        let rows = orgs.par_chunks(ROWS_A_TASK).enumerate().map(some);
        let rows = rows.collect::<Result<Vec<_>, SearchError>>()?.into_iter().flatten().collect();
        Ok(Candidates { rows, found })
    }

    /// Those that are not too far in meaning, and their cosines; none without vectors.
    fn within(&self, orgs: Vec<OrgId>) -> Result<(Vec<OrgId>, Vec<f32>), SearchError> {
        let Some((vectors, query)) = &self.meaning else { return Ok((orgs, Vec::new())) };
        let cosines = vectors.cosines(query, &orgs)?;
        let Some(distance_max) = self.distance_max() else { return Ok((orgs, cosines)) };
        let near = orgs.into_iter().zip(cosines);
        Ok(near.filter(|(_, cosine)| *cosine >= 1.0 - distance_max).unzip())
    }

    fn set_codes(
        &self,
        features: &mut Features,
        cause: &Cause,
        filed: Option<Ntee>,
        org: OrgId,
    ) -> Result<(), SearchError> {
        let terms = &self.wanted.like.ntee;
        features.set(Feature::Filed, f32::from(filed.is_some()));
        if let Some(code) = filed {
            features.set(Feature::FiledOfTerm, of_term(code, terms));
            features.set(Feature::Grantmaker, f32::from(code.major() == 'T'));
            let [same, decile, major] = cause.codes.of_code(code);
            features.set(Feature::FiledCode, same);
            features.set(Feature::FiledDecile, decile);
            features.set(Feature::FiledMajor, major);
        }
        let mut sums = [0.0; 4];
        for (code, probability) in self.snapshot.causes.predicted(org)? {
            let [same, decile, major] = cause.codes.of_code(code);
            for (sum, value) in sums.iter_mut().zip([of_term(code, terms), same, decile, major]) {
                *sum += probability * value;
            }
        }
        let [term, same, decile, major] = sums;
        features.set(Feature::PredictedOfTerm, term);
        features.set(Feature::PredictedCode, same);
        features.set(Feature::PredictedDecile, decile);
        features.set(Feature::PredictedMajor, major);
        Ok(())
    }
}

impl RankingRequest<'_> {
    /// The bitmap, unless it is of all.
    fn filter(&self, snapshot: &Snapshot) -> Option<Matching<'_>> {
        let all = self.total == u64::from(snapshot.columns.organizations());
        (!all).then_some(Matching { set: self.matching, count: self.total })
    }
}

impl ByText {
    pub(super) fn of(
        snapshot: &Snapshot,
        wanted: &RankingRequest<'_>,
    ) -> Result<Self, SearchError> {
        let RankingRequest { like, matching, total, .. } = wanted;
        let Some(text) = like.words().filter(|_| *total > 0) else { return Ok(Self::default()) };
        let accepts = |org: OrgId| matching.contains(org);
        let question =
            Question { accepts: &accepts, ..Question::of(like.name.as_deref().unwrap_or(text)) };
        let named = snapshot.names.find(&question)?.candidates;
        let named = named.into_iter().map(|one| (one.org, one.probability)).collect();
        Ok(Self { named, words: by_words(snapshot, wanted, text, CANDIDATES_MAX)? })
    }
}

/// The `k` best by words, with BM25.
pub(super) fn by_words(
    snapshot: &Snapshot,
    wanted: &RankingRequest<'_>,
    text: &str,
    k: usize,
) -> Result<Vec<(OrgId, f32)>, SearchError> {
    let filter = wanted.filter(snapshot).map(|filter| filter.set);
    let hits = snapshot.fulltext.search(text, k, filter)?;
    Ok(hits.into_iter().map(|hit| (hit.row, hit.score)).collect())
}

/// The vectors, and that of what rows should be like; `None` where either is missing.
fn meaning<'a>(
    snapshot: &'a Snapshot,
    like: &Like,
) -> Result<Option<(&'a Vectors, Vec<f32>)>, SearchError> {
    let Some(vectors) = &snapshot.vectors else { return Ok(None) };
    let like_org = like.nonprofit.map(|ein| snapshot.columns.org_of(ein)).transpose()?.flatten();
    let vector = match like_org {
        Some(org) => Some(vectors.vector(org)?),
        None => measure(snapshot, like.words())?,
    };
    Ok(vector.map(|vector| (vectors, vector)))
}

/// What a cause is about.
struct Cause {
    codes: Distribution,
    /// The probability of the likeliest code.
    sure: f32,
    /// Prefixes of codes whose lists have candidates.
    prefixes: Vec<String>,
}

/// The greatest of some numbers, their mean and standard deviation, which is at least a little.
fn spread(values: &[f32]) -> (f32, f32, f32) {
    const DEVIATION_MIN: f32 = 1e-3;
    let count = values.len().max(1) as f32;
    let mean = values.iter().sum::<f32>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f32>() / count;
    let best = values.iter().copied().fold(0.0, f32::max);
    (best, mean, variance.sqrt().max(DEVIATION_MIN))
}

/// How well a code is one of a term: 1 for the term's first prefix, less for a later one, little for one
/// of its major group.
fn of_term(code: Ntee, prefixes: &[String]) -> f32 {
    const LATER: f32 = 0.7;
    const SAME_MAJOR: f32 = 0.3;
    let is_of = |prefix: &String| code.as_str().starts_with(prefix.as_str());
    match prefixes.iter().position(is_of) {
        Some(0) => 1.0,
        Some(_) => LATER,
        None if prefixes.iter().any(|prefix| prefix.starts_with(code.major())) => SAME_MAJOR,
        None => 0.0,
    }
}

/// What comparing names with the cause and with the whole question says.
fn set_names(features: &mut Features, cause: &names::Features, whole: &names::Features) {
    use names::Feature as Of;
    let mut copy = |from: &names::Features, pairs: &[(Feature, Of)]| {
        for (feature, value) in pairs {
            features.set(*feature, from[*value as usize]);
        }
    };
    copy(
        cause,
        &[
            (Feature::CauseInName, Of::InName),
            (Feature::CauseInOtherName, Of::InOtherName),
            (Feature::CauseInPlace, Of::InPlace),
            (Feature::CauseUnexplained, Of::Unexplained),
            (Feature::CauseMisspelt, Of::Misspelt),
            (Feature::NameOpen, Of::Open),
            (Feature::NameOpenMass, Of::OpenMass),
            (Feature::CauseInOrder, Of::InOrder),
            (Feature::NameComplete, Of::Complete),
            (Feature::CauseExplained, Of::Explained),
            (Feature::CauseNameMass, Of::NameMass),
            (Feature::Weight, Of::Weight),
            (Feature::ActiveCharity, Of::ActiveCharity),
        ],
    );
    copy(
        whole,
        &[
            (Feature::WholeInName, Of::InName),
            (Feature::WholeInPlace, Of::InPlace),
            (Feature::WholeCityNamed, Of::CityNamed),
            (Feature::WholeUnexplained, Of::Unexplained),
            (Feature::WholeExplained, Of::Explained),
            (Feature::WholeEqual, Of::Equal),
            (Feature::WholeOtherNumber, Of::OtherNumber),
        ],
    );
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
