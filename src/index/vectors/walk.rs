//! Search along the links of the graph: the best matching nodes are kept, and the best unexpanded
//! node, matching or not, is expanded next, until no node is better than the worst kept. Rows of nodes
//! whose bits show that they are too far are not read.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::scan::Scored;
use super::sign_bits::DistanceEstimator;
use super::visited::VisitedSet;
use super::{DEGREE, NO_NODE};

/// A graph, seen from what is sought.
pub(super) trait Linked {
    /// Why it cannot be read.
    type Error;

    /// Estimates the scores of nodes from their bits.
    fn estimator(&self) -> &DistanceEstimator;

    /// The bits of a node.
    fn bits(&self, node: u32) -> Result<&[u8], Self::Error>;

    /// How near a node is: more is nearer. Reads its row.
    fn score(&self, node: u32) -> Result<f32, Self::Error>;

    /// The neighbours of a node, [`NO_NODE`] behind the last.
    fn neighbours(&self, node: u32, into: &mut [u32; DEGREE]) -> Result<(), Self::Error>;

    /// Asks for what [`Linked::bits`] will read.
    fn prefetch_bits(&self, node: u32);

    /// Asks for what [`Linked::score`] will read.
    fn prefetch_row(&self, node: u32);

    /// Asks for what [`Linked::neighbours`] will read.
    fn prefetch_neighbours(&self, node: u32);
}

/// Scores nodes, at most [`DEGREE`], but for those whose bits tell that they are hardly nearer than a floor;
/// says how many it scored.
#[inline]
fn score<L: Linked>(
    linked: &L,
    nodes: &[u32],
    floor: Option<f32>,
    mut scored: impl FnMut(Scored) -> Result<(), L::Error>,
) -> Result<usize, L::Error> {
    let estimator = linked.estimator();
    let least = floor.map_or(f64::NEG_INFINITY, |floor| estimator.least(floor));
    let (mut near, mut count) = ([(NO_NODE, 0); DEGREE], 0);
    for &node in nodes {
        let sum = estimator.sum(linked.bits(node)?);
        if f64::from(sum) >= least {
            linked.prefetch_row(node);
            near[count] = (node, sum);
            count += 1;
        }
    }
    for &(node, sum) in &near[..count] {
        let score = linked.score(node)?;
        estimator.learn(sum, score);
        scored((score, node))?;
    }
    Ok(count)
}

/// The neighbours of a node that were not seen before; asks for what their scores need.
#[inline]
fn unseen<L: Linked>(
    linked: &L,
    node: u32,
    seen: &mut VisitedSet,
    into: &mut [u32; DEGREE],
) -> Result<usize, L::Error> {
    let mut row = [NO_NODE; DEGREE];
    linked.neighbours(node, &mut row)?;
    let mut count = 0;
    for next in row.into_iter().take_while(|&next| next != NO_NODE) {
        if seen.first(next) {
            linked.prefetch_bits(next);
            into[count] = next;
            count += 1;
        }
    }
    Ok(count)
}

/// A score and its node as one number that is greater the better the score is, and the smaller the
/// node is among equal ones.
#[inline]
fn ranked((score, node): Scored) -> u64 {
    let bits = score.to_bits();
    // The order of floats as that of unsigned numbers.
    let ordered = bits ^ if bits >> 31 == 1 { u32::MAX } else { 1 << 31 };
    u64::from(ordered) << 32 | u64::from(!node)
}

/// What [`ranked`] was made of.
#[inline]
fn scored(rank: u64) -> Scored {
    let ordered = (rank >> 32) as u32;
    let bits = ordered ^ if ordered >> 31 == 1 { 1 << 31 } else { u32::MAX };
    (f32::from_bits(bits), !(rank as u32))
}

/// How far a search goes.
#[derive(Debug, Clone, Copy)]
pub(super) struct WalkParams {
    /// Nodes that are kept in view.
    pub(super) ef: usize,
    /// Whose neighbours are looked at beyond them.
    pub(super) slack: Option<Slack>,
    /// Nodes met at which it gives up, with what was found.
    pub(super) visits_max: u64,
}

impl WalkParams {
    /// A beam of a width that goes on to its end.
    pub(super) fn of(ef: usize) -> Self {
        Self { ef, slack: None, visits_max: u64::MAX }
    }
}

/// Lets a search go on past its width while nodes are hardly farther than what is wanted: where
/// thousands are about as far as the nearest, as around a question of one word, a width that is
/// enough elsewhere is filled by the first of them. Where the nearest are near it lets nothing more
/// in. After "Distance Adaptive Beam Search for Provably Accurate Graph-Based Nearest Neighbor
/// Search" (Al-Jazzazi and others, 2025), with cosines.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slack {
    /// The rank, from 1 on, of the node found that others are measured by, whether it matches or not.
    pub(super) rank: usize,
    /// How much farther a node may be than that one, as a part of how far that one is.
    pub(super) share: f32,
}

/// The lowest rank that is near enough for a [`Slack`].
struct Near {
    slack: Slack,
    /// The best nodes, as many as the slack's rank.
    best: BinaryHeap<Reverse<u64>>,
    floor: u64,
}

impl Near {
    fn new(slack: Slack) -> Self {
        Self { slack, best: BinaryHeap::with_capacity(slack.rank + 1), floor: 0 }
    }

    #[inline]
    fn enter(&mut self, rank: u64) {
        self.best.push(Reverse(rank));
        if self.best.len() > self.slack.rank {
            self.best.pop();
        }
        if let Some(&Reverse(last)) = self.best.peek()
            && self.best.len() == self.slack.rank
        {
            let score = scored(last).0;
            self.floor = ranked((score - self.slack.share * (1.0 - score), NO_NODE));
        }
    }
}

/// The best nodes that match, found along the links of all, best first, and how many were scored;
/// calls for each node whose neighbours are looked at.
pub(super) fn beam<L: Linked>(
    linked: &L,
    starts: &[Scored],
    params: WalkParams,
    seen: &mut VisitedSet,
    matches: impl Fn(u32) -> Result<bool, L::Error>,
    mut opened: impl FnMut(u32),
) -> Result<(Vec<Scored>, u64), L::Error> {
    let mut kept: BinaryHeap<Reverse<u64>> = BinaryHeap::with_capacity(params.ef + 1);
    let mut waiting: BinaryHeap<u64> = BinaryHeap::with_capacity(params.ef * 2);
    // Nothing of a lower rank is looked at any more.
    let mut floor = 0;
    let mut near = params.slack.map(Near::new);
    let mut enter = |rank, waiting: &mut BinaryHeap<u64>| -> Result<u64, L::Error> {
        waiting.push(rank);
        if matches(scored(rank).1)? {
            kept.push(Reverse(rank));
            if kept.len() > params.ef {
                kept.pop();
            }
        }
        let near = near.as_mut().map_or(u64::MAX, |near| {
            near.enter(rank);
            near.floor
        });
        let full = kept.len() == params.ef;
        Ok(kept.peek().filter(|_| full).map_or(0, |worst| worst.0.min(near)))
    };
    for &start in starts {
        if seen.first(start.1) {
            floor = enter(ranked(start), &mut waiting)?;
        }
    }
    let (mut met, mut visits, mut fresh) = (0, 0, [NO_NODE; DEGREE]);
    while let Some(rank) = waiting.pop() {
        if rank < floor || met >= params.visits_max {
            break;
        }
        let node = scored(rank).1;
        opened(node);
        let count = unseen(linked, node, seen, &mut fresh)?;
        met += count as u64;
        if let Some(&next) = waiting.peek() {
            linked.prefetch_neighbours(scored(next).1);
        }
        let worst = (floor > 0).then(|| scored(floor).0);
        let read = score(linked, &fresh[..count], worst, |scored| {
            let rank = ranked(scored);
            if rank > floor {
                floor = enter(rank, &mut waiting)?;
            }
            Ok(())
        })?;
        visits += read as u64;
    }
    let mut kept = kept.into_vec();
    kept.sort_unstable();
    Ok((kept.into_iter().map(|Reverse(rank)| scored(rank)).collect(), visits))
}
