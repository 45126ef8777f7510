//! How well nonprofits fit a text: candidates from every index, and the probability that each is what
//! was asked for.
//!
//! Candidates are those that the question may name, the best by words, the nearest in meaning, and those whose
//! NTEE code, filed or predicted, the cause makes probable, the same for every page of an answer, so that
//! pages neither repeat a row nor leave one out. Each is laid beside the question ([`Feature`]) and judged by
//! a learned model ([`rank`]); where the question was read as a name, those that it may name come first. What is no
//! candidate follows by meaning. Without vectors, words and codes alone rank, and rows that
//! no index finds are not shown.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::SearchError;
use super::nonprofits::Like;
use super::plan::{Fit, Plan};
use crate::classify::{CodeClassifier, Distribution};
use crate::index::columns::Bitmap;
use crate::index::names::{self, Question};
use crate::index::vectors::{Ask, Matching, Nearest, Vectors};
use crate::rank::{self, FIT_MIN, Feature, Features};
use crate::record::{Ntee, OrgId};
use crate::snapshot::{ModelError, Snapshot};

/// Rows of the rankings by words and by meaning that are candidates.
pub const CANDIDATES_MAX: usize = 150;
/// Rows of the list of each code that are.
pub const OF_CODE_MAX: usize = 40;
/// Prefixes of a cause's term, and codes that are likely, whose lists are looked at; and how probable each of
/// these must be.
const CODES_MAX: usize = 4;
const CODE_PROBABILITY_MIN: f32 = 0.08;

/// How likely a nonprofit must be meant, beside the likeliest, to come before all others where the question
/// is read as a name.
const NAMED_SHARE_MIN: f64 = 0.02;
/// How likely one must be meant to come first, however the question is read.
const NAMED_PROBABILITY_MIN: f64 = 0.5;
/// How many come first.
const NAMED_MAX: usize = 20;

/// Where fewer fit, those around the places asked for are looked at, and at most how many of them follow.
const FITTING_MIN: u64 = 5;
const NEARBY_MAX: usize = 10;

/// What is wanted of the ranking.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// What rows should be like: a text that is not blank, or a nonprofit.
    pub like: &'a Like,
    /// Those that satisfy the filters.
    pub matching: &'a Bitmap,
    /// How many they are.
    pub total: u64,
    /// How far in meaning a row may be.
    pub distance_max: Option<f64>,
}

/// Nonprofits around the places that were asked for, none of them in these places.
#[derive(Debug, Clone)]
pub struct Beyond {
    /// Those within some miles.
    pub near: Bitmap,
    /// All.
    pub all: Bitmap,
}

/// Rows in order.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    pub orgs: Vec<OrgId>,
    /// The candidates in order, whatever the page.
    pub best: Vec<OrgId>,
    /// How many rows there are on all pages.
    pub total: u64,
    /// How they were found.
    pub plan: Plan,
    /// The text's vector: what cosines are taken with.
    pub query: Option<Vec<f32>>,
}

/// What each index finds, best first.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// Those that the question may name, with the probability that each is meant.
    pub named: Vec<(OrgId, f64)>,
    /// By words, with BM25.
    pub words: Vec<(OrgId, f32)>,
    pub meaning: Vec<OrgId>,
    /// By the codes of the cause.
    pub codes: Vec<OrgId>,
    /// Of lists that were cut off what tells whether more would fit: the last of those in order of fit, all of
    /// those by weight.
    cut: Vec<OrgId>,
    /// How the vectors were searched.
    nearest: Option<Nearest>,
}

/// Every candidate with its features, by OrgId, and what each index found.
#[derive(Debug, Clone)]
pub struct Candidates {
    pub rows: Vec<(OrgId, Features)>,
    pub found: Found,
}

/// What rows are ranked with.
pub struct Ranker<'a> {
    snapshot: &'a Snapshot,
    wanted: &'a Wanted<'a>,
    /// The vectors and the text's own.
    meaning: Option<(&'a Vectors, Vec<f32>)>,
}

impl<'a> Ranker<'a> {
    /// # Errors
    /// When the snapshot is damaged, or was built with a model that is not at hand.
    pub fn new(snapshot: &'a Snapshot, wanted: &'a Wanted<'a>) -> Result<Self, SearchError> {
        let model = wanted.like.nonprofit.map(|ein| snapshot.columns.org_of(ein)).transpose()?;
        let meaning = match (&snapshot.vectors, model.flatten()) {
            (None, _) => None,
            (Some(vectors), Some(org)) => Some((vectors, vectors.vector(org)?)),
            (Some(vectors), None) => {
                measure(snapshot, wanted.like.words())?.map(|query| (vectors, query))
            }
        };
        Ok(Self { snapshot, wanted, meaning })
    }

    /// The bitmap, unless it is of all.
    fn filter(&self) -> Option<Matching<'a>> {
        let Wanted { matching, total, .. } = *self.wanted;
        let all = total == u64::from(self.snapshot.columns.organizations());
        (!all).then_some(Matching { set: matching, count: total })
    }

    fn distance_max(&self) -> Option<f32> {
        self.wanted.distance_max.map(|distance| distance as f32)
    }

    /// The `k` nearest in meaning.
    fn nearest(&self, k: usize) -> Result<Option<Nearest>, SearchError> {
        let Some((vectors, query)) = &self.meaning else { return Ok(None) };
        let filter = self.filter();
        let ask = Ask { query, k, matching: filter.as_ref(), distance_max: self.distance_max() };
        Ok(Some(vectors.nearest(&ask)?))
    }

    /// The `k` best by words.
    fn by_words(&self, text: &str, k: usize) -> Result<Vec<(OrgId, f32)>, SearchError> {
        let filter = self.filter().map(|filter| filter.set);
        let hits = self.snapshot.fulltext.search(text, k, filter)?;
        Ok(hits.into_iter().map(|hit| (hit.org, hit.score)).collect())
    }

    /// Those that the question may name, the likeliest first.
    fn named(&self) -> Result<Vec<(OrgId, f64)>, SearchError> {
        let Wanted { like, matching, .. } = self.wanted;
        let Some(text) = like.name.as_deref().or(like.words()) else { return Ok(Vec::new()) };
        let accepts = |org: OrgId| matching.contains(org);
        let question = Question { accepts: &accepts, ..Question::of(text) };
        let candidates = self.snapshot.names.find(&question)?.candidates;
        Ok(candidates.into_iter().map(|one| (one.org, one.probability)).collect())
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
    fn find(&self, text: &str, cause: &Cause) -> Result<Found, SearchError> {
        let nearest = self.nearest(CANDIDATES_MAX)?;
        let hits = nearest.iter().flat_map(|nearest| &nearest.hits);
        let meaning: Vec<OrgId> = hits.map(|hit| hit.org).collect();
        if self.wanted.total == 0 {
            return Ok(Found { nearest, ..Found::default() });
        }
        let words = self.by_words(text, CANDIDATES_MAX)?;
        let codes = self.by_codes(cause)?;
        let mut cut = Vec::new();
        cut.extend(words.get(CANDIDATES_MAX - 1).map(|hit| hit.0));
        cut.extend(meaning.get(CANDIDATES_MAX - 1));
        for (list, is_cut) in &codes {
            cut.extend(list.iter().filter(|_| *is_cut));
        }
        let codes = codes.into_iter().flat_map(|(list, _)| list).collect();
        Ok(Found { named: self.named()?, words, meaning, codes, cut, nearest })
    }

    /// Every candidate for a text.
    ///
    /// # Errors
    /// When the snapshot is damaged.
    pub fn candidates(&self, text: &str) -> Result<Candidates, SearchError> {
        let cause = self.cause(text)?;
        let found = self.find(text, &cause)?;
        let all = found.named.iter().map(|one| one.0).chain(found.words.iter().map(|one| one.0));
        let all = all.chain(found.meaning.iter().copied()).chain(found.codes.iter().copied());
        let orgs: Vec<OrgId> = all.collect::<BTreeSet<OrgId>>().into_iter().collect();
        let (orgs, cosines) = self.within(orgs)?;
        let (best, mean, deviation) = spread(&cosines);
        let most = found.words.first().map_or(1.0, |one| one.1);
        let words: HashMap<OrgId, f32> = found.words.iter().copied().collect();
        let named: HashMap<OrgId, f64> = found.named.iter().copied().collect();
        let like = self.wanted.like;
        let of_cause = self.snapshot.names.comparison(text)?;
        let whole = like.name.as_deref().filter(|whole| *whole != text);
        let of_whole = whole.map(|whole| self.snapshot.names.comparison(whole)).transpose()?;
        let filed = self.snapshot.columns.ntee_of(&orgs)?;
        let mut of_question = Features::default();
        of_question.set_flag(Feature::IsName, like.is_name);
        of_question.set(Feature::Matching, (self.wanted.total as f32).max(1.0).ln() / 10.0);
        of_question.set_flag(Feature::IsTerm, !like.ntee.is_empty());
        of_question.set(Feature::CauseSure, cause.sure);
        let mut rows = Vec::with_capacity(orgs.len());
        for (at, org) in orgs.into_iter().enumerate() {
            let mut features = of_question;
            let cosine = cosines.get(at).copied();
            features.set(Feature::Cosine, cosine.unwrap_or(0.0));
            features.set(Feature::CosineBehind, cosine.map_or(0.0, |cosine| best - cosine));
            features.set(Feature::CosineAbove, cosine.map_or(0.0, |one| (one - mean) / deviation));
            features.set(Feature::Words, words.get(&org).map_or(0.0, |score| score / most));
            features.set(Feature::Named, named.get(&org).map_or(0.0, |one| *one as f32));
            let by_cause = of_cause.features(org)?;
            let by_whole = of_whole.as_ref().map(|whole| whole.features(org)).transpose()?;
            set_names(&mut features, &by_cause, by_whole.as_ref().unwrap_or(&by_cause));
            self.set_codes(&mut features, &cause, filed[at], org)?;
            rows.push((org, features));
        }
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
        features.set_flag(Feature::Filed, filed.is_some());
        if let Some(code) = filed {
            features.set(Feature::FiledOfTerm, of_term(code, terms));
            features.set_flag(Feature::Grantmaker, code.major() == 'T');
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

    /// The candidates in order, and how many of them fit.
    fn ranked(&self, text: &str) -> Result<(Vec<OrgId>, Fit, Found), SearchError> {
        let Candidates { rows, found } = self.candidates(text)?;
        let mut judged: Vec<(f64, OrgId)> =
            rows.into_iter().map(|(org, features)| (rank::probability(&features), org)).collect();
        judged.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut first: Vec<OrgId> = Vec::new();
        let likeliest = found.named.first().map_or(0.0, |one| one.1);
        let is_name = self.wanted.like.is_name;
        let names_one = self.wanted.like.name.is_some() && likeliest >= NAMED_PROBABILITY_MIN;
        if is_name || names_one {
            let least = if is_name { likeliest * NAMED_SHARE_MIN } else { NAMED_PROBABILITY_MIN };
            let likely = found.named.iter().filter(|one| one.1 >= least);
            let candidates: HashSet<OrgId> = judged.iter().map(|one| one.1).collect();
            let likely = likely.map(|one| one.0).filter(|org| candidates.contains(org));
            first.extend(likely.take(NAMED_MAX));
        }
        let named: HashSet<OrgId> = first.iter().copied().collect();
        let rest = judged.into_iter().filter(|(_, org)| !named.contains(org));
        let cut: HashSet<OrgId> = found.cut.iter().copied().collect();
        let mut fit = Fit { count: first.len() as u64, is_least: false };
        for (probability, org) in rest {
            if probability >= FIT_MIN {
                fit.count += 1;
                fit.is_least |= cut.contains(&org);
            }
            first.push(org);
        }
        Ok((first, fit, found))
    }

    /// Of those around the places asked for that fit, the best, the near ones first.
    fn nearby(&self, beyond: &Beyond) -> Result<Vec<OrgId>, SearchError> {
        let Some(text) = self.wanted.like.words() else { return Ok(Vec::new()) };
        let wanted = Wanted { matching: &beyond.all, total: beyond.all.count(), ..*self.wanted };
        let ranker = Ranker { wanted: &wanted, meaning: self.meaning.clone(), ..*self };
        let (mut orgs, fit, _) = ranker.ranked(text)?;
        orgs.truncate(fit.count as usize);
        orgs.sort_by_key(|org| !beyond.near.contains(*org));
        orgs.truncate(NEARBY_MAX);
        Ok(orgs)
    }

    /// What every page begins from.
    fn head(&self) -> Result<Page, SearchError> {
        let (orgs, fit, nearest) = match self.wanted.like.words() {
            Some(text) => {
                let (orgs, fit, found) = self.ranked(text)?;
                // The probability is learned of rankings with vectors.
                (orgs, self.meaning.is_some().then_some(fit), found.nearest)
            }
            None => {
                let nearest = self.nearest(CANDIDATES_MAX)?;
                let hits = nearest.iter().flat_map(|nearest| &nearest.hits);
                (hits.map(|hit| hit.org).collect(), None, nearest)
            }
        };
        let plan = Plan {
            meaning: nearest.as_ref().map(|nearest| nearest.plan),
            words: true,
            visits: nearest.as_ref().map_or(0, |nearest| nearest.visits),
            fit,
            ..Plan::columns(self.wanted.total)
        };
        let total =
            nearest.as_ref().and_then(|nearest| nearest.within).unwrap_or(self.wanted.total);
        let query = self.meaning.as_ref().map(|(_, query)| query.clone());
        Ok(Page { best: orgs.clone(), orgs, total, plan, query })
    }
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

/// The rows of a page, `skipped` before it and `size` on it.
///
/// # Errors
/// When the snapshot is damaged, or was built with a model that is not at hand.
pub(super) fn page(
    snapshot: &Snapshot,
    wanted: &Wanted<'_>,
    beyond: &dyn Fn() -> Result<Option<Beyond>, SearchError>,
    skipped: u64,
    size: usize,
) -> Result<Page, SearchError> {
    let ranker = Ranker::new(snapshot, wanted)?;
    let mut page = ranker.head()?;
    if let Some(fit) = page.plan.fit.filter(|fit| fit.count < FITTING_MIN)
        && let Some(beyond) = beyond()?
    {
        let nearby = ranker.nearby(&beyond)?;
        page.plan.nearby = nearby.len() as u64;
        page.total += page.plan.nearby;
        let at = (fit.count as usize).min(page.orgs.len());
        page.orgs.splice(at..at, nearby);
    }
    let end = skipped.saturating_add(size as u64).min(page.total) as usize;
    if end > page.orgs.len() {
        let (ranked, visits) = match ranker.nearest(end)? {
            Some(nearest) => {
                page.plan.meaning = Some(nearest.plan);
                (nearest.hits.into_iter().map(|hit| hit.org).collect(), nearest.visits)
            }
            None => match wanted.like.words() {
                Some(text) => {
                    let hits = ranker.by_words(text, end)?;
                    (hits.into_iter().map(|(org, _)| org).collect(), 0)
                }
                None => (Vec::new(), 0),
            },
        };
        page.plan.visits += visits;
        let shown: HashSet<OrgId> = page.orgs.iter().copied().collect();
        page.orgs.extend(ranked.into_iter().filter(|org| !shown.contains(org)));
    }
    let start = usize::try_from(skipped).map_or(page.orgs.len(), |at| at.min(page.orgs.len()));
    page.orgs.drain(..start);
    page.orgs.truncate(size);
    Ok(page)
}

/// Every row that fits, to be sorted by something else: all that are within the distance when one is
/// given; where none fits, the candidates.
///
/// # Errors
/// As [`page`].
pub(super) fn fitting(snapshot: &Snapshot, wanted: &Wanted<'_>) -> Result<Page, SearchError> {
    let ranker = Ranker::new(snapshot, wanted)?;
    let mut page = ranker.head()?;
    match page.plan.fit.filter(|fit| fit.count > 0) {
        _ if wanted.distance_max.is_some() && page.total as usize > page.orgs.len() => {
            if let Some(nearest) = ranker.nearest(page.total as usize)? {
                page.orgs = nearest.hits.into_iter().map(|hit| hit.org).collect();
                page.plan.meaning = Some(nearest.plan);
                page.plan.visits += nearest.visits;
            }
        }
        Some(fit) if wanted.distance_max.is_none() => page.orgs.truncate(fit.count as usize),
        _ => {}
    }
    Ok(page)
}
