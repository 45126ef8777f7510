//! Candidates: the organizations whose terms weigh most of a question, the heaviest of equals.
//!
//! The positions of a question lead in turn, the rarest first: each organization that has the
//! leading position, and none that led before, is scored by looking it up in the rest. That ends where
//! what the rest weighs cannot lift an organization above the candidates any more (the bound of
//! MaxScore: Turtle and Flood, *Query evaluation*, 1995), which a few rare terms mostly reach at once.
//! Names of frequent words alone have no such term: there pairs of neighbours lead before all others.
//! Ranks come heaviest first, so that of equal scores the first ones stay, and a list that is too long
//! to be read is read where people mean most.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::Names;
use super::postings::{Cursor, END};
use super::query::{Alternative, Query};
use super::terms::TermId;
use crate::mapped::Damage;
use crate::record::OrgId;

/// Look-ups in postings that one question may take: what bounds its time, whatever is asked.
pub const STEPS_MAX: u32 = 60_000;
/// The same of a row of a list, of which there may be a million: it names its place, which is rarer.
pub(super) const STEPS_OF_ROW_MAX: u32 = STEPS_MAX / 5;

/// Share of the best candidate's score that another must have to be worth comparing: this at least, and
/// [`WHOLE_SHARE_MIN`] times the share of the whole question that the best one has.
const SHARE_MIN: f32 = 0.45;
const WHOLE_SHARE_MIN: f32 = 0.75;
/// Whose candidates are wanted.
pub(super) struct RetrievalQuery<'a> {
    pub k: usize,
    /// Look-ups that may be taken: a half of them while pairs lead, a third while one position leads.
    pub steps_max: u32,
    pub only_active_charities: bool,
    pub accepts: &'a dyn Fn(OrgId) -> bool,
}

/// The lists of one position, and what each adds.
struct Union<'index> {
    lists: Vec<(Cursor<'index>, f32)>,
    /// The most that one adds.
    most: f32,
    /// Postings of all.
    postings: u64,
}

impl Union<'_> {
    fn rank(&self) -> u32 {
        self.lists.iter().map(|(cursor, _)| cursor.rank()).min().unwrap_or(END)
    }

    /// What it adds to an organization that it stands on.
    fn weight_at(&self, rank: u32) -> f32 {
        let here = self.lists.iter().filter(|(cursor, _)| cursor.rank() == rank);
        here.map(|(_, weight)| *weight).fold(0.0, f32::max)
    }

    /// Goes on past a rank.
    fn pass(&mut self, rank: u32) -> Result<(), Damage> {
        for (cursor, _) in self.lists.iter_mut().filter(|(cursor, _)| cursor.rank() == rank) {
            cursor.advance()?;
        }
        Ok(())
    }

    /// Goes back to before the first.
    fn reset(&mut self) {
        self.lists.iter_mut().for_each(|(cursor, _)| cursor.reset());
    }

    /// Goes on to a rank; tells how many lists had to be looked at, and one at least.
    fn seek(&mut self, rank: u32) -> Result<u32, Damage> {
        let mut steps = 0;
        for (cursor, _) in self.lists.iter_mut().filter(|(cursor, _)| cursor.is_before(rank)) {
            cursor.seek(rank)?;
            steps += 1;
        }
        Ok(steps.max(1))
    }
}

/// A candidate while better ones are looked for; the worst is the greatest.
#[derive(Debug, Clone, Copy, PartialEq)]
struct HeapEntry {
    score: f32,
    rank: u32,
}

impl Eq for HeapEntry {}

impl Ord for HeapEntry {
    fn cmp(&self, other: &Self) -> Ordering {
        other.score.total_cmp(&self.score).then(self.rank.cmp(&other.rank))
    }
}

impl PartialOrd for HeapEntry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The best candidates so far, and what another must score.
struct Best<'a> {
    wanted: &'a RetrievalQuery<'a>,
    heap: BinaryHeap<HeapEntry>,
    threshold: f32,
    greatest: f32,
    /// What one with all of the question scores.
    whole: f32,
}

impl Best<'_> {
    fn add(&mut self, scored: HeapEntry) {
        self.greatest = self.greatest.max(scored.score);
        self.heap.push(scored);
        if self.heap.len() > self.wanted.k {
            self.heap.pop();
        }
        let share = SHARE_MIN.max(WHOLE_SHARE_MIN * self.greatest / self.whole);
        self.threshold = self.greatest * share;
        if self.heap.len() == self.wanted.k {
            let worst = self.heap.peek().map_or(0.0, |worst| worst.score);
            self.threshold = self.threshold.max(worst);
        }
    }
}

/// The ranks of at most `k` candidates, best first. `neighbours` are terms of neighbours together.
pub(super) fn candidates(
    names: &Names,
    query: &Query,
    neighbours: &[TermId],
    wanted: &RetrievalQuery<'_>,
) -> Result<Vec<u32>, Damage> {
    let mut unions = unions(names, query)?;
    unions.sort_by_key(|union| union.postings);
    // What all positions from one on can add.
    let mut bounds = vec![0.0; unions.len() + 1];
    for at in (0..unions.len()).rev() {
        bounds[at] = bounds[at + 1] + unions[at].most;
    }
    let (heap, whole) = (BinaryHeap::new(), bounds[0].max(f32::MIN_POSITIVE));
    let mut best = Best { wanted, heap, threshold: 0.0, greatest: 0.0, whole };
    let mut steps = 0;
    for mut pair in pairs(names, neighbours)? {
        if bounds[0] <= best.threshold || steps >= wanted.steps_max / 2 {
            break;
        }
        unions.iter_mut().for_each(Union::reset);
        let lead =
            Lead { leader: &mut pair, before: &mut [], others: &mut unions, bounds: &bounds };
        lead.run(names, &mut best, &mut steps, wanted.steps_max / 2)?;
    }
    for leading in 0..unions.len() {
        if bounds[leading] <= best.threshold || steps >= wanted.steps_max {
            break;
        }
        unions.iter_mut().for_each(Union::reset);
        let (before, rest) = unions.split_at_mut(leading);
        let Some((leader, others)) = rest.split_first_mut() else { break };
        let lead = Lead { leader, before, others, bounds: &bounds[leading + 1..] };
        lead.run(names, &mut best, &mut steps, wanted.steps_max)?;
    }
    Ok(best.heap.into_sorted_vec().into_iter().map(|scored| scored.rank).collect())
}

/// One list that leads, those that led before it and those that are looked up.
struct Lead<'a, 'index> {
    leader: &'a mut Union<'index>,
    before: &'a mut [Union<'index>],
    others: &'a mut [Union<'index>],
    /// What the others can add, from each one on.
    bounds: &'a [f32],
}

impl Lead<'_, '_> {
    /// Scores the organizations of the leader that none before it has, until `steps` comes to `steps_max`.
    fn run(
        self,
        names: &Names,
        best: &mut Best<'_>,
        steps: &mut u32,
        steps_max: u32,
    ) -> Result<(), Damage> {
        let Self { leader, before, others, bounds } = self;
        let steps_end = steps_max.min(*steps + best.wanted.steps_max / 3);
        leader.seek(0)?;
        while *steps < steps_end && leader.most + bounds[0] > best.threshold {
            let rank = leader.rank();
            if rank == END {
                break;
            }
            let mut score = leader.weight_at(rank);
            leader.pass(rank)?;
            *steps += 1;
            for (union, bound) in others.iter_mut().zip(bounds) {
                if score + bound <= best.threshold {
                    score = 0.0;
                    break;
                }
                *steps += union.seek(rank)?;
                score += union.weight_at(rank);
            }
            if score <= best.threshold {
                continue;
            }
            let mut is_known = best.heap.iter().any(|scored| scored.rank == rank);
            for union in before.iter_mut() {
                union.seek(rank)?;
                is_known |= union.rank() == rank;
            }
            let (org, is_active_charity) = names.documents.org(rank)?;
            let fits = (is_active_charity || !best.wanted.only_active_charities)
                && (best.wanted.accepts)(org);
            if fits && !is_known {
                best.add(HeapEntry { score, rank });
            }
        }
        Ok(())
    }
}

/// The lists of neighbours, the rarest first. They add nothing: their words do.
fn pairs<'index>(
    names: &'index Names,
    neighbours: &[TermId],
) -> Result<Vec<Union<'index>>, Damage> {
    let mut pairs = Vec::with_capacity(neighbours.len());
    for &pair in neighbours {
        let cursor = names.terms.postings(pair)?;
        let postings = cursor.count() as u64;
        pairs.push(Union { lists: vec![(cursor, 0.0)], most: 0.0, postings });
    }
    pairs.sort_by_key(|pair| pair.postings);
    Ok(pairs)
}

fn unions<'index>(names: &'index Names, query: &Query) -> Result<Vec<Union<'index>>, Damage> {
    let mut unions = Vec::with_capacity(query.positions.len());
    for (at, position) in query.positions.iter().enumerate() {
        let lists_max = position.alternatives.len() + 1;
        let mut union = Union { lists: Vec::with_capacity(lists_max), most: 0.0, postings: 0 };
        let mut add = |one: &Alternative, mass: f32| -> Result<(), Damage> {
            let (cursor, weight) = (names.terms.postings(one.term)?, mass * one.quality);
            union.postings += cursor.count() as u64;
            union.most = union.most.max(weight);
            union.lists.push((cursor, weight));
            Ok(())
        };
        for one in &position.alternatives {
            // What was typed tells how much is found, not how rare its misspellings are.
            let covered = query.positions.iter().skip(at).take(one.covers);
            add(one, covered.map(|position| position.mass).sum())?;
        }
        if let Some(state) = &position.state {
            add(state, names.terms.mass(state.term)?)?;
        }
        if !union.lists.is_empty() {
            unions.push(union);
        }
    }
    Ok(unions)
}
