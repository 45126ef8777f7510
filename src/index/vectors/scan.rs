//! Exact search: the coarse plane of every match, then the fine plane of those that may be among
//! the nearest; and the prefilter by 1-bit codes before it, which is quicker and nearly exact.

use super::codec::EncodedQuery;
use super::pace::{AHEAD, Prefetcher};
use super::query::Matching;
use super::visited::VisitedSet;
use super::{Damage, Vectors};
use crate::mapped::Rows;

/// Share of the largest possible error of a coarse score that is hardly ever exceeded: the errors
/// of hundreds of components mostly cancel out.
pub(super) const LIKELY: f32 = 0.25;

/// Rows of a step where all are looked at, in their order.
const RUN: usize = 512;

/// Candidates that are collected, at the least, before the worse ones are dropped.
const ROOM_MIN: usize = 1024;

/// A node and its score.
pub(super) type Scored = (f32, u32);

/// Keeps the best of many scores and those near enough to them that they may yet be better.
#[derive(Debug)]
pub(super) struct Collector {
    wanted: usize,
    /// How far below the last wanted score one may be and still count.
    slack: f32,
    floor: f32,
    room: usize,
    kept: Vec<Scored>,
}

impl Collector {
    pub(super) fn new(wanted: usize, slack: f32) -> Self {
        let room = wanted.saturating_mul(2).max(ROOM_MIN);
        Self { wanted, slack, floor: f32::NEG_INFINITY, room, kept: Vec::new() }
    }

    /// Counts nothing below a score from now on.
    pub(super) fn with_floor(mut self, floor: f32) -> Self {
        self.floor = floor;
        self
    }

    #[inline]
    pub(super) fn push(&mut self, score: f32, node: u32) {
        if score >= self.floor {
            self.kept.push((score, node));
            if self.kept.len() >= self.room {
                self.thin();
            }
        }
    }

    fn thin(&mut self) {
        if self.wanted == 0 {
            self.kept.clear();
            return;
        }
        if self.kept.len() > self.wanted {
            let better = |a: &Scored, b: &Scored| b.0.total_cmp(&a.0);
            let (_, last, _) = self.kept.select_nth_unstable_by(self.wanted - 1, better);
            self.floor = self.floor.max(last.0 - self.slack);
            let floor = self.floor;
            self.kept.retain(|scored| scored.0 >= floor);
        }
        self.room = self.kept.len().saturating_mul(2).max(self.room);
    }

    /// The best, in no order.
    pub(super) fn finish(mut self) -> Vec<Scored> {
        self.thin();
        self.kept
    }
}

/// Calls for each node that has a matching row, once, in no order that matters; `plane` is what
/// the call reads.
fn each_node<T>(
    vectors: &Vectors<T>,
    matching: Option<&Matching<T>>,
    plane: &Rows,
    mut each: impl FnMut(u32) -> Result<(), Damage>,
) -> Result<u64, Damage> {
    let prefetcher = Prefetcher::new();
    let Some(matching) = matching else {
        let nodes = plane.count();
        for first in (0..nodes).step_by(RUN) {
            prefetcher.step();
            prefetcher.ask_run(plane, first + RUN, RUN);
            (first..nodes.min(first + RUN)).try_for_each(|node| each(node as u32))?;
        }
        return Ok(nodes as u64);
    };
    let (mut waiting, mut visits, mut seen) = ([0_u32; AHEAD], 0_usize, VisitedSet::new());
    for row in matching.set.iter() {
        let node = vectors.node(row)?;
        if seen.first(node) {
            prefetcher.ahead(plane, node);
            let slot = visits % AHEAD;
            if visits >= AHEAD {
                each(waiting[slot])?;
            }
            waiting[slot] = node;
            visits += 1;
        }
    }
    for at in visits.saturating_sub(AHEAD)..visits {
        each(waiting[at % AHEAD])?;
    }
    Ok(visits as u64)
}

/// The nodes, with their cosines and in no order, among which are the `wanted` nearest of those
/// that have a match and are not below `floor`; and how many nodes were looked at.
pub(super) fn exact<T>(
    vectors: &Vectors<T>,
    query: &EncodedQuery,
    matching: Option<&Matching<T>>,
    wanted: usize,
    floor: f32,
) -> Result<(Vec<Scored>, u64), Damage> {
    let error = query.coarse_error(vectors.scale_max);
    let mut collector = Collector::new(wanted, 2.0 * error).with_floor(floor - error);
    let visits = each_node(vectors, matching, &vectors.coarse, |node| {
        collector.push(query.coarse(vectors.coarse.row(node as usize)?), node);
        Ok(())
    })?;
    let found = rescore(vectors, query, collector.finish())?;
    Ok((found.into_iter().filter(|scored| scored.0 >= floor).collect(), visits))
}

/// As [`exact`] without a floor, but looking only at the `prefiltered` nearest as far as their 1-bit codes
/// tell: nearly exact.
pub(super) fn prefilter<T>(
    vectors: &Vectors<T>,
    query: &EncodedQuery,
    matching: Option<&Matching<T>>,
    wanted: usize,
    prefiltered: usize,
) -> Result<(Vec<Scored>, u64), Damage> {
    let estimator = query.estimator();
    let mut collector = Collector::new(prefiltered.max(wanted), 0.0);
    let visits = each_node(vectors, matching, &vectors.bits, |node| {
        collector.push(estimator.sum(vectors.bits.row(node as usize)?) as f32, node);
        Ok(())
    })?;
    let passed = collector.finish();
    let error = query.coarse_error(vectors.scale_max);
    let mut collector = Collector::new(wanted, 2.0 * error);
    let prefetcher = Prefetcher::new();
    for (at, &(_, node)) in passed.iter().enumerate() {
        if let Some(&(_, later)) = passed.get(at + AHEAD) {
            prefetcher.ahead(&vectors.coarse, later);
        }
        collector.push(query.coarse(vectors.coarse.row(node as usize)?), node);
    }
    Ok((rescore(vectors, query, collector.finish())?, visits))
}

/// Replaces coarse scores by cosines.
pub(super) fn rescore<T>(
    vectors: &Vectors<T>,
    query: &EncodedQuery,
    mut nodes: Vec<Scored>,
) -> Result<Vec<Scored>, Damage> {
    let prefetcher = Prefetcher::new();
    for at in 0..nodes.len() {
        if let Some(&(_, later)) = nodes.get(at + AHEAD) {
            prefetcher.ahead(&vectors.fine, later);
            prefetcher.ask(&vectors.coarse, later);
        }
        nodes[at].0 = vectors.cosine(query, nodes[at].1)?;
    }
    Ok(nodes)
}

/// How many matching rows are not below a cosine: exact.
pub(super) fn within<T>(
    vectors: &Vectors<T>,
    query: &EncodedQuery,
    matching: Option<&Matching<T>>,
    floor: f32,
) -> Result<u64, Damage> {
    let error = query.coarse_error(vectors.scale_max);
    let mut count = 0;
    each_node(vectors, matching, &vectors.coarse, |node| {
        let near = query.coarse(vectors.coarse.row(node as usize)?);
        let inside =
            near - error > floor || near + error >= floor && vectors.cosine(query, node)? >= floor;
        if inside {
            let rows = vectors.rows(node)?;
            count += rows.filter(|&row| matching.is_none_or(|m| m.set.contains(row))).count();
        }
        Ok(())
    })?;
    Ok(count as u64)
}
