//! How well nonprofits fit a text: those that it names first, then the ranking by meaning and the
//! ranking by words, joined, then the rest by meaning.
//!
//! The two rankings are joined by reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009): each
//! gives a row 1 / (60 + rank), which needs no common scale of cosines and BM25 scores. Only the
//! first [`CANDIDATES_MAX`] of each are joined; the same for every page of an answer, so that pages
//! neither repeat a row nor leave one out. Where the text is a known cause, those of both whose NTEE
//! code is one of that cause's are a third ranking. Without vectors, words alone rank, and rows that have
//! none of them are not shown.

use std::collections::{HashMap, HashSet};
use std::fmt;

use super::SearchError;
use super::gaps::Gaps;
use super::nonprofits::Like;
use crate::index::columns::Bitmap;
use crate::index::names::{Feature, Question};
use crate::index::vectors::{self, Ask, Matching, Nearest, Vectors};
use crate::record::OrgId;
use crate::snapshot::{ModelError, Snapshot};

/// Rows of each ranking that are joined: the largest page.
pub const CANDIDATES_MAX: usize = 100;

/// What ranks are raised by: the published constant, which keeps one ranking's first row from
/// outweighing agreement of both.
const RANK_OFFSET: f64 = 60.0;

/// How likely a nonprofit must be meant, beside the likeliest, to come before those that rank by words
/// and meaning; and how likely by itself, where the question is not read as a name and its name and
/// place do not have all of its words.
const NAMED_SHARE_MIN: f64 = 0.02;
const NAMED_PROBABILITY_MIN: f64 = 0.3;
/// How many come first.
const NAMED_MAX: usize = 20;

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

/// Rows in order.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    pub orgs: Vec<OrgId>,
    /// Those that both rankings put first, in order, whatever the page.
    pub best: Vec<OrgId>,
    /// How many rows there are on all pages.
    pub total: u64,
    /// How they were found.
    pub plan: Plan,
    /// The text's vector: what cosines are taken with.
    pub query: Option<Vec<f32>>,
}

/// How an answer was found: `x-almoner-plan` and the log show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// How the vectors were searched; `None` when they were not.
    pub meaning: Option<vectors::Plan>,
    /// Whether words were looked up.
    pub words: bool,
    /// Organizations that satisfy the filters.
    pub matches: u64,
    /// Vectors that were compared.
    pub visits: u64,
    /// Rows on all pages, where they are fewer: of what matches only those that fit are sorted.
    pub listed: Option<u64>,
    /// What filters ask for that is not loaded.
    pub gaps: Gaps,
}

impl Plan {
    /// Every name that a plan can have.
    pub const NAMES: [&'static str; 12] = [
        "columns",
        "words",
        "none",
        "none+words",
        "graph",
        "graph+words",
        "graph+scan",
        "graph+scan+words",
        "bits",
        "bits+words",
        "scan",
        "scan+words",
    ];

    /// Which structures answered.
    pub fn name(&self) -> &'static str {
        let row = match self.meaning {
            None => 0,
            Some(vectors::Plan::None) => 1,
            Some(vectors::Plan::Graph) => 2,
            Some(vectors::Plan::GraphThenScan) => 3,
            Some(vectors::Plan::Bits) => 4,
            Some(vectors::Plan::Scan) => 5,
        };
        Self::NAMES[2 * row + usize::from(self.words)]
    }

    /// Filters and columns alone.
    pub(crate) fn columns(matches: u64) -> Self {
        let gaps = Gaps::default();
        Self { meaning: None, words: false, matches, visits: 0, listed: None, gaps }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; matches={}; visits={}", self.name(), self.matches, self.visits)?;
        if let Some(listed) = self.listed {
            write!(f, "; listed={listed}")?;
        }
        match self.gaps.is_empty() {
            true => Ok(()),
            false => write!(f, "; not_loaded={}", self.gaps),
        }
    }
}

/// What rows are ranked with.
struct Ranker<'a> {
    snapshot: &'a Snapshot,
    wanted: &'a Wanted<'a>,
    /// The vectors and the text's own.
    meaning: Option<(&'a Vectors, Vec<f32>)>,
}

impl<'a> Ranker<'a> {
    fn new(snapshot: &'a Snapshot, wanted: &'a Wanted<'a>) -> Result<Self, SearchError> {
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
    fn by_words(&self, k: usize) -> Result<Vec<OrgId>, SearchError> {
        let Some(text) = self.wanted.like.words().filter(|_| self.wanted.total > 0) else {
            return Ok(Vec::new());
        };
        let filter = self.filter().map(|filter| filter.set);
        let hits = self.snapshot.fulltext.search(text, k, filter)?;
        self.within(hits.into_iter().map(|hit| hit.org).collect())
    }

    /// Those that the question may name, the likeliest first.
    fn named(&self) -> Result<Vec<OrgId>, SearchError> {
        let Wanted { like, matching, .. } = self.wanted;
        let Some(text) = &like.name else { return Ok(Vec::new()) };
        let accepts = |org: OrgId| matching.contains(org);
        let question = Question { accepts: &accepts, ..Question::of(text) };
        let candidates = self.snapshot.names.find(&question)?.candidates;
        let likeliest = candidates.first().map_or(0.0, |one| one.probability);
        let likely = candidates
            .iter()
            .take_while(|one| one.probability >= likeliest * NAMED_SHARE_MIN)
            .filter(|one| {
                let explains = one.features[Feature::Explained as usize] == 1.0;
                like.is_name || explains || one.probability >= NAMED_PROBABILITY_MIN
            });
        self.within(likely.take(NAMED_MAX).map(|one| one.org).collect())
    }

    /// Those that are not too far in meaning.
    fn within(&self, orgs: Vec<OrgId>) -> Result<Vec<OrgId>, SearchError> {
        let (Some(distance_max), Some((vectors, query))) = (self.distance_max(), &self.meaning)
        else {
            return Ok(orgs);
        };
        let cosines = vectors.cosines(query, &orgs)?;
        let near =
            orgs.into_iter().zip(cosines).filter(|(_, cosine)| *cosine >= 1.0 - distance_max);
        Ok(near.map(|(org, _)| org).collect())
    }

    /// Those of both rankings whose code speaks for them, in the order of both: first those with a
    /// code of the cause, then those of its major group.
    fn told_by_code(&self, meaning: &[OrgId], words: &[OrgId]) -> Result<Vec<OrgId>, SearchError> {
        let prefixes = &self.wanted.like.ntee;
        if prefixes.is_empty() {
            return Ok(Vec::new());
        }
        let both = fused(&[meaning.to_vec(), words.to_vec()]);
        let majors: Vec<String> =
            prefixes.iter().filter_map(|prefix| prefix.get(..1)).map(str::to_owned).collect();
        let columns = &self.snapshot.columns;
        let (have, near) =
            (columns.have_ntee(&both, prefixes)?, columns.have_ntee(&both, &majors)?);
        let mut told: Vec<OrgId> = Vec::new();
        for wanted in [true, false] {
            let tier = both.iter().zip(have.iter().zip(&near));
            let tier = tier.filter(|(_, (has, near))| **has == wanted && **near);
            told.extend(tier.map(|(org, _)| *org));
        }
        Ok(told)
    }

    /// What every page begins from.
    fn head(&self) -> Result<Page, SearchError> {
        let nearest = self.nearest(CANDIDATES_MAX)?;
        let words = self.by_words(CANDIDATES_MAX)?;
        let plan = Plan {
            meaning: nearest.as_ref().map(|nearest| nearest.plan),
            words: true,
            visits: nearest.as_ref().map_or(0, |nearest| nearest.visits),
            ..Plan::columns(self.wanted.total)
        };
        let total =
            nearest.as_ref().and_then(|nearest| nearest.within).unwrap_or(self.wanted.total);
        let meaning: Vec<OrgId> =
            nearest.iter().flat_map(|nearest| &nearest.hits).map(|hit| hit.org).collect();
        let mut orgs = self.named()?;
        let named: HashSet<OrgId> = orgs.iter().copied().collect();
        let told = self.told_by_code(&meaning, &words)?;
        orgs.extend(fused(&[meaning, words, told]).into_iter().filter(|org| !named.contains(org)));
        let query = self.meaning.as_ref().map(|(_, query)| query.clone());
        Ok(Page { best: orgs.clone(), orgs, total, plan, query })
    }
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
    skipped: u64,
    size: usize,
) -> Result<Page, SearchError> {
    let ranker = Ranker::new(snapshot, wanted)?;
    let mut page = ranker.head()?;
    let end = skipped.saturating_add(size as u64).min(page.total) as usize;
    if end > page.orgs.len() {
        let (ranked, visits) = match ranker.nearest(end)? {
            Some(nearest) => {
                page.plan.meaning = Some(nearest.plan);
                (nearest.hits.into_iter().map(|hit| hit.org).collect(), nearest.visits)
            }
            None => (ranker.by_words(end)?, 0),
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

/// Every row that fits well enough to be sorted by something else: all that are within the
/// distance when one is given.
///
/// # Errors
/// As [`page`].
pub(super) fn candidates(snapshot: &Snapshot, wanted: &Wanted<'_>) -> Result<Page, SearchError> {
    let ranker = Ranker::new(snapshot, wanted)?;
    let mut page = ranker.head()?;
    if wanted.distance_max.is_some()
        && page.total as usize > page.orgs.len()
        && let Some(nearest) = ranker.nearest(page.total as usize)?
    {
        page.orgs = nearest.hits.into_iter().map(|hit| hit.org).collect();
        page.plan.meaning = Some(nearest.plan);
        page.plan.visits += nearest.visits;
    }
    Ok(page)
}

/// Joins rankings by reciprocal rank fusion; equally good ones by OrgId.
fn fused(rankings: &[Vec<OrgId>]) -> Vec<OrgId> {
    let mut scores: HashMap<OrgId, f64> = HashMap::new();
    for ranking in rankings {
        for (rank, &org) in (1_u32..).zip(ranking) {
            *scores.entry(org).or_default() += 1.0 / (RANK_OFFSET + f64::from(rank));
        }
    }
    let mut scores: Vec<(OrgId, f64)> = scores.into_iter().collect();
    scores.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    scores.into_iter().map(|(org, _)| org).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_say_how_rows_were_found() {
        let plan = Plan { words: true, visits: 7, ..Plan::columns(63) };
        for (meaning, listed, said) in [
            (None, None, "words; matches=63; visits=7"),
            (Some(vectors::Plan::None), None, "none+words; matches=63; visits=7"),
            (Some(vectors::Plan::Graph), Some(9), "graph+words; matches=63; visits=7; listed=9"),
            (Some(vectors::Plan::GraphThenScan), None, "graph+scan+words; matches=63; visits=7"),
            (Some(vectors::Plan::Bits), None, "bits+words; matches=63; visits=7"),
            (Some(vectors::Plan::Scan), None, "scan+words; matches=63; visits=7"),
        ] {
            assert_eq!(Plan { meaning, listed, ..plan }.to_string(), said);
        }
        assert_eq!(Plan::columns(2).name(), "columns");
        let distinct: std::collections::BTreeSet<_> = Plan::NAMES.iter().collect();
        assert_eq!(distinct.len(), Plan::NAMES.len());
    }

    #[test]
    fn agreement_of_both_rankings_beats_the_first_place_of_one() {
        let orgs = |numbers: &[u32]| numbers.iter().copied().map(OrgId).collect::<Vec<_>>();
        let joined = fused(&[orgs(&[1, 2, 3]), orgs(&[4, 2, 5])]);
        assert_eq!(joined, orgs(&[2, 1, 4, 3, 5]));
        assert_eq!(fused(&[orgs(&[7, 6]), Vec::new()]), orgs(&[7, 6]));
    }
}
