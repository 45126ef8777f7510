//! How well nonprofits fit a question: the probability that each candidate is what was asked for, and the order
//! and the cut that follow.
//!
//! Candidates ([`Ranker`]) are the same for every page of an answer, so that pages neither repeat a row nor leave
//! one out. They are judged by a learned model ([`rank`]), wherever they are: of those outside the place that words
//! name only likely ones are listed. What is no candidate follows by meaning. Without vectors, words and codes alone
//! rank, and rows that no index finds are not shown.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use super::SearchError;
use super::candidates::{
    CANDIDATES_MAX, CandidateLists, Candidates, Ranker, RankingRequest, by_words,
};
use super::passage::passage;
use super::plan::{Fit, Plan};
use crate::index::columns::Bitmap;
use crate::index::names::without_legal_form;
use crate::naming;
use crate::rank::{self, FIT_MIN, Feature, READ_MAX, Reading};
use crate::record::{Ntee, OrgId};
use crate::understand::{Lookup, Names};

/// How likely a nonprofit must be meant, beside the likeliest, to come before all others where the question
/// is read as a name.
const NAMED_SHARE_MIN: f64 = 0.02;
/// How likely one must be meant to come first, however the question is read.
const NAMED_PROBABILITY_MIN: f64 = 0.5;
/// How likely somebody must be meant for nobody else to be read beside the question.
const CERTAIN_MIN: f64 = 0.9;
/// How many come first.
const NAMED_MAX: usize = 20;
/// How likely a row must be what was asked for to come close where none fits.
const CLOSE_PROBABILITY_MIN: f64 = 0.15;
/// The share of a cause that is all of it, but for the rounding of sums.
const WHOLE_SHARE_MIN: f32 = 0.999;
/// Where a ranked answer ends: no page costs a sort of the country.
pub const RANKED_MAX: u64 = 10_000;
/// The NTEE major group of animals; how probable it makes a cause's words to be of animals; and the share of the probability
/// that is left to its rows where they are not.
const ANIMALS: char = 'D';
const ANIMALS_CAUSE_MIN: f32 = 0.1;
const ANIMALS_SHARE: f64 = 0.05;
/// Rows outside the place that are listed at most, and how likely each must be what was asked for. Where no row of the
/// place fits, whoever asks has to look around it, and for those near it or in its state less is enough.
const OUTSIDE_MAX: usize = 10;
const OUTSIDE_PROBABILITY_MIN: f64 = 0.15;
const OUTSIDE_ALONE_PROBABILITY_MIN: f64 = 0.04;

/// Rows in order.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    pub orgs: Vec<OrgId>,
    /// The candidates in order, whatever the page.
    pub best: Vec<OrgId>,
    /// How likely each candidate is what was asked for; empty where that is not known.
    pub probabilities: HashMap<OrgId, f64>,
    /// How many rows there are on all pages.
    pub total: u64,
    /// How they were found.
    pub plan: Plan,
    /// The text's vector: what cosines are taken with.
    pub query: Option<Vec<f32>>,
    /// The rows that match and have a word of the text or are candidates, where rows end with these.
    pub of_text: Option<Bitmap>,
}

/// The candidates that are listed, in order.
#[derive(Default)]
struct RankedCandidates {
    orgs: Vec<OrgId>,
    probabilities: HashMap<OrgId, f64>,
    fit: Fit,
    /// How many are outside the place, and how many of these fit.
    outside: u64,
    outside_fit: u64,
    /// Those that come close.
    close: Vec<OrgId>,
    found: CandidateLists,
}

impl Ranker<'_> {
    /// The candidates in order, and how many of them fit.
    fn ranked(&self, text: &str) -> Result<RankedCandidates, SearchError> {
        let Candidates { rows, found } = self.candidates(text)?;
        let query = self.request.query;
        let probabilities = rank::probabilities(rows.iter().map(|(_, features)| features));
        let orgs = rows.iter().map(|(org, _)| *org);
        let mut judged: Vec<(f64, OrgId)> = probabilities.into_iter().zip(orgs).collect();
        judged.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let named = self.named_first(&found, &rows)?;
        let is_certain =
            query.is_name && found.named.first().is_some_and(|one| one.1 >= CERTAIN_MIN);
        if !is_certain {
            self.read(&mut judged)?;
        }
        self.doubt_animals(&mut judged, &rows)?;
        // With vectors the learned model knows of other kinds.
        if self.meaning.is_none() && query.ntee_is_text && !query.ntee.is_empty() {
            put_other_kinds_last(&mut judged, &rows);
        }
        let is_named: HashSet<OrgId> = named.iter().copied().collect();
        let rest = judged.into_iter().filter(|(_, org)| !is_named.contains(org));
        let cut: HashSet<OrgId> = found.cut.iter().copied().collect();
        let mut ranked = RankedCandidates { found, ..RankedCandidates::default() };
        ranked.orgs.reserve(rows.len());
        let all: Vec<_> = named.into_iter().map(|org| (1.0, org)).chain(rest).collect();
        let lies_outside = |org| !self.request.matching.contains(org);
        let any_fits = all.iter().any(|(likely, org)| *likely >= FIT_MIN && !lies_outside(*org));
        let around = self.request.place.filter(|_| !any_fits);
        let outside_min = |org| match around {
            Some(place) if place.is_around(org) => OUTSIDE_ALONE_PROBABILITY_MIN,
            _ => OUTSIDE_PROBABILITY_MIN,
        };
        for (probability, org) in all {
            let is_outside = lies_outside(org);
            let fits = probability >= FIT_MIN;
            let is_listed = !is_outside
                || (probability >= outside_min(org) && ranked.outside < OUTSIDE_MAX as u64);
            if !is_listed {
                continue;
            }
            if probability >= CLOSE_PROBABILITY_MIN {
                ranked.close.push(org);
            }
            ranked.outside += u64::from(is_outside);
            ranked.outside_fit += u64::from(is_outside && fits);
            if fits && !is_outside {
                ranked.fit.count += 1;
                ranked.fit.is_least |= cut.contains(&org);
            }
            ranked.orgs.push(org);
            ranked.probabilities.insert(org, probability);
        }
        ranked.fit.close = ranked.close.len() as u64;
        Ok(ranked)
    }

    /// Reads the likeliest rows beside the question and puts them in the order that follows; without vectors, or where
    /// rows are compared with a nonprofit, nothing is read.
    fn read(&self, judged: &mut [(f64, OrgId)]) -> Result<(), SearchError> {
        let query = self.request.query;
        let Some(question) = query.typed().filter(|_| query.nonprofit.is_none()) else {
            return Ok(());
        };
        if self.meaning.is_none() {
            return Ok(());
        }
        let count = judged.len().min(READ_MAX);
        let likeliest = &mut judged[..count];
        let orgs: Vec<OrgId> = likeliest.iter().map(|row| row.1).collect();
        let records = self.snapshot.records.get_all(&orgs)?;
        let texts = orgs.iter().zip(&records);
        let texts =
            texts.map(|(org, record)| passage(self.snapshot, *org, record, self.proximity(*org)));
        let texts = texts.collect::<Result<Vec<_>, _>>()?;
        let by_trees: Vec<f64> = likeliest.iter().map(|row| row.0).collect();
        let read = Reading::shared()?.probabilities(question, &texts, &by_trees)?;
        likeliest.iter_mut().zip(read).for_each(|(row, probability)| row.0 = probability);
        likeliest.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        Ok(())
    }

    /// Doubts rows filed under animals where neither the codes of the cause nor its words are of animals, and puts them behind
    /// the others: *shelter* and *rescue* are words of both.
    fn doubt_animals(
        &self,
        judged: &mut [(f64, OrgId)],
        rows: &[(OrgId, rank::Features)],
    ) -> Result<(), SearchError> {
        let codes = &self.request.query.ntee;
        let is_of_animals = codes.iter().any(|code| code.starts_with(ANIMALS));
        if self.request.query.is_name || codes.is_empty() || is_of_animals {
            return Ok(());
        }
        let orgs: Vec<OrgId> = rows.iter().map(|row| row.0).collect();
        let filed = self.snapshot.columns.ntee_of(&orgs)?;
        let doubted = rows.iter().zip(filed).filter(|((_, row), code)| is_doubted(row, *code));
        let doubted: HashSet<OrgId> = doubted.map(|((org, _), _)| *org).collect();
        for row in judged.iter_mut().filter(|row| doubted.contains(&row.1)) {
            row.0 *= ANIMALS_SHARE;
        }
        judged.sort_by_key(|row| doubted.contains(&row.1));
        Ok(())
    }

    /// Those that the question names, which come first: before all others who are called exactly what was typed, then those
    /// whose initials it is.
    fn named_first(
        &self,
        found: &CandidateLists,
        rows: &[(OrgId, rank::Features)],
    ) -> Result<Vec<OrgId>, SearchError> {
        let query = self.request.query;
        let candidates: HashSet<OrgId> = rows.iter().map(|(org, _)| *org).collect();
        let named = found.named.iter().filter(|one| candidates.contains(&one.0));
        let likeliest = found.named.first().map_or(0.0, |one| one.1);
        let names_one = query.may_name && likeliest >= NAMED_PROBABILITY_MIN;
        let least = match query.is_name {
            true => likeliest * NAMED_SHARE_MIN,
            false if names_one => NAMED_PROBABILITY_MIN,
            false => f64::INFINITY,
        };
        let typed = query.typed().map(without_legal_form);
        let acronym = match typed.as_deref().filter(|typed| !typed.contains(' ')) {
            // `pets` is a word.
            Some(word) if !self.snapshot.is_word(word)? => Some(word.to_ascii_uppercase()),
            _ => None,
        };
        let (mut exact, mut likely) = (Vec::new(), Vec::new());
        for (org, probability) in named.copied() {
            let name = self.snapshot.typeahead.card(org)?.name;
            let is_equal = typed.as_ref() == Some(&without_legal_form(&name));
            // `PPAC`, before names that are like it.
            if is_equal || acronym.is_some() && naming::initials_of(&name) == acronym {
                exact.push((!is_equal, Reverse(self.snapshot.typeahead.weight(org)?), org));
            } else if probability >= least {
                likely.push(org);
            }
        }
        // A great body and its chapters may all be called so.
        exact.sort_unstable();
        let exact = exact.into_iter().map(|(.., org)| org);
        Ok(exact.chain(likely).take(NAMED_MAX).collect())
    }

    /// The rows of all pages where they end with the text: those with all words of it, and those among the
    /// `candidates` that come close; where there are none, those with any word. Without vectors nothing is known
    /// of what comes close: any word and all candidates.
    fn of_text(
        &self,
        candidates: &mut Vec<OrgId>,
        close: Option<&[OrgId]>,
    ) -> Result<Option<Bitmap>, SearchError> {
        let text = self.request.query.words();
        let Some(text) = text.filter(|_| self.ends_with_text()) else { return Ok(None) };
        let fulltext = &self.snapshot.fulltext;
        let of = |rows: &[OrgId]| {
            Bitmap::of(self.snapshot.columns.organizations(), rows.iter().copied())
        };
        let (mut set, likely) = match close {
            Some(close) => (fulltext.all_of(text)?, of(close)),
            None => (fulltext.any_of(text)?, of(candidates)),
        };
        set.union(&likely);
        set.intersect(self.request.matching);
        if set.count() == 0 {
            set = fulltext.any_of(text)?;
            set.intersect(self.request.matching);
        }
        candidates.retain(|org| set.contains(*org) || !self.request.matching.contains(*org));
        Ok(Some(set))
    }

    /// Without vectors nothing tells more than words do.
    fn ends_with_text(&self) -> bool {
        self.request.ends_with_text || self.meaning.is_none()
    }

    /// What every page begins from.
    fn head(&self) -> Result<Page, SearchError> {
        let words = self.request.query.words();
        let ranked = match words {
            Some(text) => self.ranked(text)?,
            None => {
                let nearest = self.nearest(CANDIDATES_MAX)?;
                let hits = nearest.iter().flat_map(|nearest| &nearest.hits);
                let orgs = hits.map(|hit| hit.row).collect();
                let mut ranked = RankedCandidates { orgs, ..RankedCandidates::default() };
                ranked.found.nearest = nearest;
                ranked
            }
        };
        let RankedCandidates {
            mut orgs,
            mut probabilities,
            fit,
            outside,
            outside_fit,
            close,
            found,
        } = ranked;
        let nearest = found.nearest;
        // The probability is learned of rankings with vectors.
        let fit = Some(fit).filter(|_| words.is_some() && self.meaning.is_some());
        if fit.is_none() {
            probabilities.clear();
        }
        let of_text = self.of_text(&mut orgs, fit.map(|_| &close[..]))?;
        let listed = of_text.as_ref().map(Bitmap::count);
        let plan = Plan {
            listed,
            meaning: nearest.as_ref().map(|nearest| nearest.plan),
            words: true,
            visits: nearest.as_ref().map_or(0, |nearest| nearest.visits),
            fit,
            nearby: outside,
            nearby_fit: outside_fit,
            ..Plan::columns(self.request.total)
        };
        let within = nearest.as_ref().and_then(|nearest| nearest.within);
        let matches = within.or(listed).unwrap_or(self.request.total);
        let total = matches + outside;
        let query = self.meaning.as_ref().map(|(_, query)| query.clone());
        Ok(Page { best: orgs.clone(), orgs, probabilities, total, plan, query, of_text })
    }
}

/// Whether a row is filed under animals though the words of the cause are hardly of these.
fn is_doubted(features: &rank::Features, filed: Option<Ntee>) -> bool {
    filed.is_some_and(|code| code.major() == ANIMALS)
        && features.get(Feature::FiledMajor) < ANIMALS_CAUSE_MIN
}

/// Puts rows behind all others that are filed under another major group than the codes of a cause, unless their names
/// have all of its words: an animal shelter is no women's shelter. `rows` are in the order of their OrgIds.
fn put_other_kinds_last(judged: &mut [(f64, OrgId)], rows: &[(OrgId, rank::Features)]) {
    let is_other_kind = |org: OrgId| {
        let row = rows.binary_search_by_key(&org, |row| row.0).ok().map(|at| &rows[at].1);
        row.is_some_and(|row| {
            row.get(Feature::Filed) > 0.0
                && row.get(Feature::FiledOfTerm) == 0.0
                && row.get(Feature::CauseInName) < WHOLE_SHARE_MIN
        })
    };
    judged.sort_by_cached_key(|(_, org)| is_other_kind(*org));
}

/// The rows of a page, `skipped` before it and `size` on it.
pub(super) fn page(
    snapshot: &Lookup<'_>,
    request: &RankingRequest<'_>,
    skipped: u64,
    size: usize,
) -> Result<Page, SearchError> {
    let ranker = Ranker::new(snapshot, request)?;
    let mut page = ranker.head()?;
    let end = skipped.saturating_add(size as u64).min(page.total).min(RANKED_MAX) as usize;
    if end > page.orgs.len() {
        let nearest = if ranker.ends_with_text() { None } else { ranker.nearest(end)? };
        let (ranked, visits) = match nearest {
            Some(nearest) => {
                page.plan.meaning = Some(nearest.plan);
                (nearest.hits.into_iter().map(|hit| hit.row).collect(), nearest.visits)
            }
            None => match request.query.words() {
                Some(text) => {
                    let matching = page.of_text.as_ref().unwrap_or(request.matching);
                    let request = RankingRequest { matching, total: page.total, ..*request };
                    let hits = by_words(snapshot, &request, text, end)?;
                    (hits.into_iter().map(|(org, _)| org).collect(), 0)
                }
                None => (Vec::new(), 0),
            },
        };
        page.plan.visits += visits;
        let shown: HashSet<OrgId> = page.orgs.iter().copied().collect();
        page.orgs.extend(ranked.into_iter().filter(|org: &OrgId| !shown.contains(org)));
    }
    let start = usize::try_from(skipped).map_or(page.orgs.len(), |at| at.min(page.orgs.len()));
    page.orgs.truncate(end.max(start));
    page.orgs.drain(..start);
    Ok(page)
}

/// Every matching row that fits, to be sorted by something else: all that are within the distance when one is
/// given; where none fits, the candidates.
pub(super) fn fitting(
    snapshot: &Lookup<'_>,
    request: &RankingRequest<'_>,
) -> Result<Page, SearchError> {
    // Sorted rows are those of the place alone.
    let request = RankingRequest { open: request.matching, place: None, ..*request };
    let ranker = Ranker::new(snapshot, &request)?;
    let mut page = ranker.head()?;
    match page.plan.fit.filter(|fit| fit.count > 0) {
        _ if request.distance_max.is_some() && page.total as usize > page.orgs.len() => {
            if let Some(nearest) = ranker.nearest(page.total as usize)? {
                page.orgs = nearest.hits.into_iter().map(|hit| hit.row).collect();
                page.plan.meaning = Some(nearest.plan);
                page.plan.visits += nearest.visits;
            }
        }
        Some(fit) if request.distance_max.is_none() => page.orgs.truncate(fit.count as usize),
        _ => {}
    }
    // Without vectors a list may end with the words; what is sorted need not have them.
    if request.distance_max.is_none() && !request.ends_with_text {
        page.total = request.total;
    }
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_kind_comes_after_what_is_of_the_cause() {
        let row = |org: u32, features: &[(Feature, f32)]| {
            let mut row = rank::Features::default();
            features.iter().for_each(|(feature, value)| row.set(*feature, *value));
            (OrgId::new(org), row)
        };
        let rows = [
            row(0, &[(Feature::Filed, 1.0), (Feature::CauseInName, 0.5)]),
            row(1, &[(Feature::Filed, 1.0), (Feature::FiledOfTerm, 0.3)]),
            row(2, &[(Feature::CauseInName, 0.5)]),
            row(3, &[(Feature::Filed, 1.0), (Feature::CauseInName, 1.0)]),
        ];
        let mut judged: Vec<(f64, OrgId)> = rows.iter().map(|(org, _)| (0.5, *org)).collect();
        put_other_kinds_last(&mut judged, &rows);
        let orgs: Vec<OrgId> = judged.into_iter().map(|(_, org)| org).collect();
        assert_eq!(orgs, [1, 2, 3, 0].map(OrgId::new));
    }

    #[test]
    fn animals_are_doubted_where_the_cause_is_of_people() {
        let of_animals = |share: f32| {
            let mut features = rank::Features::default();
            features.set(Feature::FiledMajor, share);
            features
        };
        let code = |code: &str| Some(code.parse::<Ntee>().unwrap());
        assert!(is_doubted(&of_animals(0.01), code("D20")));
        // `beekeepers`, `rescue of burros`.
        assert!(!is_doubted(&of_animals(0.4), code("D20")));
        assert!(!is_doubted(&of_animals(0.01), code("P43")));
        assert!(!is_doubted(&of_animals(0.01), None));
    }
}
