//! How well nonprofits fit a text: the probability that each candidate is what was asked for, and what follows
//! from that.
//!
//! Candidates ([`Ranker`]) are the same for every page of an answer, so that pages neither repeat a row nor leave
//! one out. They are judged by a learned model ([`rank`]); where the question was read as a name, those that it may
//! name come first. Where hardly any is likely in the places that are asked for, those around them that fit are
//! ranked among them. What is no candidate follows by meaning. Without vectors, words and codes alone rank, and
//! rows that no index finds are not shown.

use std::collections::HashSet;

use super::SearchError;
use super::candidates::{
    ByText, CANDIDATES_MAX, CandidateLists, Candidates, Ranker, RankingRequest, by_words,
};
use super::plan::{Fit, Plan};
use crate::index::columns::Bitmap;
use crate::rank::{self, FIT_MIN};
use crate::record::OrgId;
use crate::snapshot::Snapshot;

/// How likely a nonprofit must be meant, beside the likeliest, to come before all others where the question
/// is read as a name.
const NAMED_SHARE_MIN: f64 = 0.02;
/// How likely one must be meant to come first, however the question is read.
const NAMED_PROBABILITY_MIN: f64 = 0.5;
/// How many come first.
const NAMED_MAX: usize = 20;

/// Where fewer are this likely to be what was asked for, those around the places asked for are looked at; and
/// how many of these that fit are ranked among them at most.
const LIKELY_MIN: f64 = 0.65;
const LIKELY_ROWS_MIN: usize = 5;
const NEARBY_MAX: usize = 10;
/// What of its odds one loses that is near the places asked for, and one elsewhere in their state.
const NEAR_COST: f64 = 2.0;
const ELSEWHERE_COST: f64 = 6.0;

/// Nonprofits around the places that were asked for, none of them in these places.
#[derive(Debug, Clone)]
pub struct Beyond {
    /// Those within some miles.
    pub near: Bitmap,
    /// All.
    pub all: Bitmap,
}

impl Beyond {
    /// The probability of one of them, as it counts beside those in the places.
    fn discounted(&self, (org, probability): (OrgId, f64)) -> (OrgId, f64) {
        let cost = if self.near.contains(org) { NEAR_COST } else { ELSEWHERE_COST };
        (org, probability / (probability + cost * (1.0 - probability)))
    }
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

/// The candidates in order, each with the probability that it is what was asked for.
struct RankedCandidates {
    rows: Vec<(OrgId, f64)>,
    fit: Fit,
    found: CandidateLists,
}

impl Ranker<'_> {
    /// The candidates in order, and how many of them fit.
    fn ranked(&self, text: &str) -> Result<RankedCandidates, SearchError> {
        let Candidates { rows, found } = self.candidates(text)?;
        let probabilities = rank::probabilities(rows.iter().map(|(_, features)| features));
        let orgs = rows.iter().map(|(org, _)| *org);
        let mut judged: Vec<(f64, OrgId)> = probabilities.into_iter().zip(orgs).collect();
        judged.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut ranked: Vec<(OrgId, f64)> = Vec::new();
        let likeliest = found.named.first().map_or(0.0, |one| one.1);
        let is_name = self.wanted.like.is_name;
        let names_one = self.wanted.like.name.is_some() && likeliest >= NAMED_PROBABILITY_MIN;
        if is_name || names_one {
            let least = if is_name { likeliest * NAMED_SHARE_MIN } else { NAMED_PROBABILITY_MIN };
            let likely = found.named.iter().filter(|one| one.1 >= least);
            let candidates: HashSet<OrgId> = judged.iter().map(|one| one.1).collect();
            let likely = likely.map(|one| one.0).filter(|org| candidates.contains(org));
            ranked.extend(likely.take(NAMED_MAX).map(|org| (org, 1.0)));
        }
        let named: HashSet<OrgId> = ranked.iter().map(|one| one.0).collect();
        let rest = judged.into_iter().filter(|(_, org)| !named.contains(org));
        let cut: HashSet<OrgId> = found.cut.iter().copied().collect();
        let mut fit = Fit { count: ranked.len() as u64, is_least: false };
        for (probability, org) in rest {
            if probability >= FIT_MIN {
                fit.count += 1;
                fit.is_least |= cut.contains(&org);
            }
            ranked.push((org, probability));
        }
        Ok(RankedCandidates { rows: ranked, fit, found })
    }

    /// Of those around the places asked for the best that fit, with what their probability is worth beside those in
    /// the places.
    fn nearby(&self, beyond: &Beyond) -> Result<Vec<(OrgId, f64)>, SearchError> {
        let Some(text) = self.wanted.like.words() else { return Ok(Vec::new()) };
        let wanted =
            RankingRequest { matching: &beyond.all, total: beyond.all.count(), ..*self.wanted };
        let ranker = Ranker {
            snapshot: self.snapshot,
            wanted: &wanted,
            meaning: self.meaning.clone(),
            by_text: ByText::of(self.snapshot, &wanted)?,
        };
        let RankedCandidates { rows, fit, .. } = ranker.ranked(text)?;
        let fitting = rows.into_iter().take(fit.count as usize);
        let mut rows: Vec<(OrgId, f64)> = fitting.map(|row| beyond.discounted(row)).collect();
        rows.sort_by(|a, b| b.1.total_cmp(&a.1));
        rows.truncate(NEARBY_MAX);
        rows.iter_mut().for_each(|row| row.1 = row.1.max(FIT_MIN));
        Ok(rows)
    }

    /// How many rows all pages have where words alone find any: those with a word, and the candidates.
    fn reachable(&self, text: &str, candidates: &[OrgId]) -> Result<u64, SearchError> {
        let mut set = self.snapshot.fulltext.any_of(text)?;
        set.intersect(self.wanted.matching);
        let others = candidates.iter().filter(|org| !set.contains(**org)).count() as u64;
        Ok(set.count() + others)
    }

    /// What every page begins from, with those around the places asked for where hardly any is likely in them.
    fn head(
        &self,
        beyond: &dyn Fn() -> Result<Option<Beyond>, SearchError>,
    ) -> Result<Page, SearchError> {
        let mut nearby = 0;
        let (orgs, fit, nearest): (Vec<OrgId>, _, _) = match self.wanted.like.words() {
            Some(text) => {
                let RankedCandidates { mut rows, fit, found } = self.ranked(text)?;
                // The probability is learned of rankings with vectors.
                let fit = self.meaning.is_some().then_some(fit);
                let likely = rows.iter().filter(|row| row.1 >= LIKELY_MIN).count();
                if fit.is_some()
                    && likely < LIKELY_ROWS_MIN
                    && let Some(beyond) = beyond()?
                {
                    let around = self.nearby(&beyond)?;
                    nearby = around.len() as u64;
                    rows.extend(around);
                    // All that fit come before the rest; of equally probable ones those in the places.
                    rows.sort_by(|a, b| b.1.total_cmp(&a.1));
                }
                (rows.into_iter().map(|row| row.0).collect(), fit, found.nearest)
            }
            None => {
                let nearest = self.nearest(CANDIDATES_MAX)?;
                let hits = nearest.iter().flat_map(|nearest| &nearest.hits);
                (hits.map(|hit| hit.row).collect(), None, nearest)
            }
        };
        let listed = match self.wanted.like.words() {
            Some(text) if self.meaning.is_none() => Some(self.reachable(text, &orgs)?),
            _ => None,
        };
        let plan = Plan {
            listed,
            meaning: nearest.as_ref().map(|nearest| nearest.plan),
            words: true,
            visits: nearest.as_ref().map_or(0, |nearest| nearest.visits),
            fit,
            nearby,
            ..Plan::columns(self.wanted.total)
        };
        let within = nearest.as_ref().and_then(|nearest| nearest.within);
        let matches = within.or(listed).unwrap_or(self.wanted.total);
        let total = matches + nearby;
        let query = self.meaning.as_ref().map(|(_, query)| query.clone());
        Ok(Page { best: orgs.clone(), orgs, total, plan, query })
    }
}

/// The rows of a page, `skipped` before it and `size` on it.
///
/// # Errors
/// When the snapshot is damaged, or was built with a model that is not at hand.
pub(super) fn page(
    snapshot: &Snapshot,
    wanted: &RankingRequest<'_>,
    beyond: &dyn Fn() -> Result<Option<Beyond>, SearchError>,
    skipped: u64,
    size: usize,
) -> Result<Page, SearchError> {
    let ranker = Ranker::new(snapshot, wanted)?;
    let mut page = ranker.head(beyond)?;
    let end = skipped.saturating_add(size as u64).min(page.total) as usize;
    if end > page.orgs.len() {
        let (ranked, visits) = match ranker.nearest(end)? {
            Some(nearest) => {
                page.plan.meaning = Some(nearest.plan);
                (nearest.hits.into_iter().map(|hit| hit.row).collect(), nearest.visits)
            }
            None => match wanted.like.words() {
                Some(text) => {
                    let hits = by_words(snapshot, wanted, text, end)?;
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
pub(super) fn fitting(
    snapshot: &Snapshot,
    wanted: &RankingRequest<'_>,
) -> Result<Page, SearchError> {
    let ranker = Ranker::new(snapshot, wanted)?;
    let mut page = ranker.head(&|| Ok(None))?;
    match page.plan.fit.filter(|fit| fit.count > 0) {
        _ if wanted.distance_max.is_some() && page.total as usize > page.orgs.len() => {
            if let Some(nearest) = ranker.nearest(page.total as usize)? {
                page.orgs = nearest.hits.into_iter().map(|hit| hit.row).collect();
                page.plan.meaning = Some(nearest.plan);
                page.plan.visits += nearest.visits;
            }
        }
        Some(fit) if wanted.distance_max.is_none() => page.orgs.truncate(fit.count as usize),
        _ => {}
    }
    Ok(page)
}
