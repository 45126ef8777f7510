//! Candidates: the organizations whose terms weigh most of a question, the heaviest of equals.
//!
//! The positions of a question lead in turn, the rarest first: each organization that has the
//! leading position, and none that led before, is scored by looking it up in the rest. That ends where
//! what the rest weighs cannot lift an organization above the candidates any more (the bound of
//! MaxScore: Turtle and Flood, *Query evaluation*, 1995), which a few rare terms mostly reach at once.
//! Ranks come heaviest first, so that of equal scores the first ones stay, and a list that is too long
//! to be read is read where people mean most.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::documents::Documents;
use super::postings::{Cursor, END};
use super::query::Query;
use super::terms::Terms;
use crate::mapped::{Damage, Mapped};
use crate::record::OrgId;

/// Look-ups in postings that one question may take: what bounds its time, whatever is asked.
pub const STEPS_MAX: u32 = 60_000;
/// Of those, how many while one position leads.
const STEPS_OF_ONE_MAX: u32 = STEPS_MAX / 3;

/// Share of the best candidate's score that another must have to be worth comparing.
const SHARE_MIN: f32 = 0.45;

/// Whose candidates are wanted.
pub(super) struct Wanted<'a> {
    pub k: usize,
    pub only_active_charities: bool,
    pub accepts: &'a dyn Fn(OrgId) -> bool,
}

/// Where the lists are.
#[derive(Clone, Copy)]
pub(super) struct Lists<'index> {
    pub terms: &'index Terms,
    pub postings: &'index Mapped,
    pub documents: &'index Documents,
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

    fn seek(&mut self, rank: u32) -> Result<(), Damage> {
        self.lists.iter_mut().try_for_each(|(cursor, _)| cursor.seek(rank))
    }
}

/// A candidate while better ones are looked for; the worst is the greatest.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Scored {
    score: f32,
    rank: u32,
}

impl Eq for Scored {}

impl Ord for Scored {
    fn cmp(&self, other: &Self) -> Ordering {
        other.score.total_cmp(&self.score).then(self.rank.cmp(&other.rank))
    }
}

impl PartialOrd for Scored {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The best candidates so far, and what another must score.
struct Best<'a> {
    wanted: &'a Wanted<'a>,
    heap: BinaryHeap<Scored>,
    threshold: f32,
    greatest: f32,
}

impl Best<'_> {
    fn add(&mut self, scored: Scored) {
        self.greatest = self.greatest.max(scored.score);
        self.heap.push(scored);
        if self.heap.len() > self.wanted.k {
            self.heap.pop();
        }
        self.threshold = self.greatest * SHARE_MIN;
        if self.heap.len() == self.wanted.k {
            let worst = self.heap.peek().map_or(0.0, |worst| worst.score);
            self.threshold = self.threshold.max(worst);
        }
    }
}

/// The ranks of at most `k` candidates, best first.
pub(super) fn candidates(
    lists: Lists<'_>,
    query: &Query,
    wanted: &Wanted<'_>,
) -> Result<Vec<u32>, Damage> {
    let mut best = Best { wanted, heap: BinaryHeap::new(), threshold: 0.0, greatest: 0.0 };
    let mut steps = 0;
    let mut unions = unions(lists, query)?;
    unions.sort_by_key(|union| union.postings);
    // What all positions from one on can add.
    let mut bounds = vec![0.0; unions.len() + 1];
    for at in (0..unions.len()).rev() {
        bounds[at] = bounds[at + 1] + unions[at].most;
    }
    for leading in 0..unions.len() {
        if bounds[leading] <= best.threshold || steps >= STEPS_MAX {
            break;
        }
        unions.iter_mut().for_each(Union::reset);
        lead(lists, &mut unions, &bounds[leading..], &mut best, &mut steps)?;
    }
    Ok(best.heap.into_sorted_vec().into_iter().map(|scored| scored.rank).collect())
}

/// Scores the organizations that have one position, and none before it. `bounds` are what positions can
/// add from the leading one on.
fn lead(
    lists: Lists<'_>,
    unions: &mut [Union<'_>],
    bounds: &[f32],
    best: &mut Best<'_>,
    steps: &mut u32,
) -> Result<(), Damage> {
    let leading = unions.len() + 1 - bounds.len();
    let steps_end = STEPS_MAX.min(*steps + STEPS_OF_ONE_MAX);
    let (before, rest) = unions.split_at_mut(leading);
    let Some((leader, others)) = rest.split_first_mut() else { return Ok(()) };
    leader.seek(0)?;
    while *steps < steps_end && bounds[0] > best.threshold {
        let rank = leader.rank();
        if rank == END {
            break;
        }
        let mut score = leader.weight_at(rank);
        leader.pass(rank)?;
        *steps += leader.lists.len() as u32;
        for (at, union) in others.iter_mut().enumerate() {
            if score + bounds[1 + at] <= best.threshold {
                score = 0.0;
                break;
            }
            *steps += union.lists.len() as u32;
            union.seek(rank)?;
            score += union.weight_at(rank);
        }
        if score <= best.threshold {
            continue;
        }
        let mut led_before = false;
        for union in before.iter_mut() {
            union.seek(rank)?;
            led_before |= union.rank() == rank;
        }
        let (org, is_active_charity) = lists.documents.org(rank)?;
        let fits =
            (is_active_charity || !best.wanted.only_active_charities) && (best.wanted.accepts)(org);
        if fits && !led_before {
            best.add(Scored { score, rank });
        }
    }
    Ok(())
}

fn unions<'index>(lists: Lists<'index>, query: &Query) -> Result<Vec<Union<'index>>, Damage> {
    let mut unions = Vec::with_capacity(query.positions.len());
    for position in &query.positions {
        let alternatives = position.alternatives.iter().chain(&position.state);
        let lists_max = position.alternatives.len() + 1;
        let mut union = Union { lists: Vec::with_capacity(lists_max), most: 0.0, postings: 0 };
        for one in alternatives {
            let weight = one.mass * one.quality;
            let frequency = lists.terms.frequency(one.term)?;
            let start = lists.terms.postings(one.term)?;
            union.lists.push((Cursor::new(lists.postings, start, frequency), weight));
            union.most = union.most.max(weight);
            union.postings += u64::from(frequency);
        }
        if !union.lists.is_empty() {
            unions.push(union);
        }
    }
    Ok(unions)
}
