//! Search along the links of the graph: the best nodes seen are kept, and the best of them whose
//! neighbours were not looked at yet is looked at next, until there is none.

use std::collections::BinaryHeap;

use super::codec::Query;
use super::plan::Matching;
use super::plane::{DEGREE, NO_NODE};
use super::scan::{self, Scored};
use super::scratch::Seen;
use super::{Damage, Vectors};

/// Entries from which a search begins: the best of those sampled.
const STARTS: usize = 4;

/// A graph, seen from what is sought.
pub(super) trait Linked {
    /// Why it cannot be read.
    type Error;

    /// How near a node is: more is nearer.
    fn score(&self, node: u32) -> Result<f32, Self::Error>;

    /// The neighbours of a node, [`NO_NODE`] behind the last.
    fn neighbours(&self, node: u32, into: &mut [u32; DEGREE]) -> Result<(), Self::Error>;

    /// Asks for what [`Linked::score`] will read.
    fn prefetch(&self, node: u32);

    /// Whether a node is seen now for the first time.
    fn first(&self, seen: &mut Seen, node: u32) -> Result<bool, Self::Error>;
}

/// A node in the beam.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    score: f32,
    node: u32,
    /// Whether its neighbours were looked at.
    done: bool,
}

/// The neighbours of a node that were not seen before; asks for what their scores need.
#[inline]
fn unseen<L: Linked>(
    linked: &L,
    node: u32,
    seen: &mut Seen,
    into: &mut [u32; DEGREE],
) -> Result<usize, L::Error> {
    let mut row = [NO_NODE; DEGREE];
    linked.neighbours(node, &mut row)?;
    let mut count = 0;
    for next in row.into_iter().take_while(|&next| next != NO_NODE) {
        if linked.first(seen, next)? {
            linked.prefetch(next);
            into[count] = next;
            count += 1;
        }
    }
    Ok(count)
}

/// The nearest nodes found with a beam of a width, best first, and how many were scored; calls for
/// each node whose neighbours are looked at.
pub(super) fn beam<L: Linked>(
    linked: &L,
    starts: &[Scored],
    width: usize,
    seen: &mut Seen,
    mut opened: impl FnMut(Scored),
) -> Result<(Vec<Scored>, u64), L::Error> {
    let mut beam: Vec<Candidate> = Vec::with_capacity(width + 1);
    for &(score, node) in starts {
        if linked.first(seen, node)? {
            enter(&mut beam, width, score, node);
        }
    }
    let (mut visits, mut at, mut fresh) = (0, 0, [NO_NODE; DEGREE]);
    while at < beam.len() {
        if beam[at].done {
            at += 1;
            continue;
        }
        beam[at].done = true;
        opened((beam[at].score, beam[at].node));
        let count = unseen(linked, beam[at].node, seen, &mut fresh)?;
        visits += count as u64;
        let mut lowest = at + 1;
        for &node in &fresh[..count] {
            let score = linked.score(node)?;
            lowest = lowest.min(enter(&mut beam, width, score, node));
        }
        at = lowest;
    }
    Ok((beam.into_iter().map(|found| (found.score, found.node)).collect(), visits))
}

/// Puts a node at its place in the beam; gives the place, which is past its end when there is none.
#[inline]
fn enter(beam: &mut Vec<Candidate>, width: usize, score: f32, node: u32) -> usize {
    if beam.len() >= width {
        if beam.last().is_some_and(|last| last.score >= score) {
            return usize::MAX;
        }
        beam.pop();
    }
    let place = beam.partition_point(|other| other.score >= score);
    beam.insert(place, Candidate { score, node, done: false });
    place
}

/// A node waiting for its neighbours to be looked at, by score.
#[derive(Debug, PartialEq)]
struct Waiting(f32, u32);

impl Eq for Waiting {}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0).then(other.1.cmp(&self.1))
    }
}

/// As [`beam`], through all nodes, but keeping only those that match; gives up, with what was
/// found, after `visits_max`.
pub(super) fn beam_matching<L: Linked>(
    linked: &L,
    starts: &[Scored],
    width: usize,
    seen: &mut Seen,
    visits_max: u64,
    matches: impl Fn(u32) -> Result<bool, L::Error>,
) -> Result<(Vec<Scored>, u64), L::Error> {
    let mut kept: Vec<Candidate> = Vec::with_capacity(width + 1);
    let mut waiting = BinaryHeap::new();
    for &(score, node) in starts {
        if linked.first(seen, node)? {
            waiting.push(Waiting(score, node));
            if matches(node)? {
                enter(&mut kept, width, score, node);
            }
        }
    }
    let (mut visits, mut fresh) = (0, [NO_NODE; DEGREE]);
    while let Some(Waiting(score, node)) = waiting.pop() {
        let floor = |kept: &[Candidate]| match kept.last() {
            Some(last) if kept.len() >= width => last.score,
            _ => f32::NEG_INFINITY,
        };
        if score < floor(&kept) || visits >= visits_max {
            break;
        }
        let count = unseen(linked, node, seen, &mut fresh)?;
        visits += count as u64;
        for &node in &fresh[..count] {
            let score = linked.score(node)?;
            if score > floor(&kept) {
                waiting.push(Waiting(score, node));
                if matches(node)? {
                    enter(&mut kept, width, score, node);
                }
            }
        }
    }
    Ok((kept.into_iter().map(|found| (found.score, found.node)).collect(), visits))
}

/// The mapped graph, seen from a query.
struct Mapped<'a> {
    vectors: &'a Vectors,
    query: &'a Query,
}

impl Linked for Mapped<'_> {
    type Error = Damage;

    #[inline]
    fn score(&self, node: u32) -> Result<f32, Damage> {
        Ok(self.query.coarse(self.vectors.coarse.row(node as usize)?))
    }

    #[inline]
    fn neighbours(&self, node: u32, into: &mut [u32; DEGREE]) -> Result<(), Damage> {
        let row = self.vectors.neighbours.row(node as usize)?;
        for (place, bytes) in into.iter_mut().zip(row.as_chunks::<4>().0) {
            *place = u32::from_le_bytes(*bytes);
        }
        Ok(())
    }

    #[inline]
    fn prefetch(&self, node: u32) {
        self.vectors.coarse.prefetch(node as usize);
    }

    #[inline]
    fn first(&self, seen: &mut Seen, node: u32) -> Result<bool, Damage> {
        let none = || self.vectors.neighbours.form("a link leads to a node that is none");
        seen.first(node).ok_or_else(none)
    }
}

/// Nodes near the query with their cosines, in no order, and how many were compared.
pub(super) fn walk(
    vectors: &Vectors,
    query: &Query,
    matching: Option<&Matching>,
    (k, width, visits_max): (usize, usize, u64),
) -> Result<(Vec<Scored>, u64), Damage> {
    let linked = Mapped { vectors, query };
    let starts = starts(vectors, query)?;
    let (found, visits) = vectors.pool.lend(|seen| match matching {
        None => beam(&linked, &starts, width, seen, |_| ()),
        Some(matching) => beam_matching(&linked, &starts, width, seen, visits_max, |node| {
            Ok(vectors.orgs(node)?.any(|org| matching.set.contains(org)))
        }),
    })?;
    // What cannot be among the k nearest whatever the fine plane says is not worth reading.
    let last = found.get(k.saturating_sub(1)).map_or(f32::NEG_INFINITY, |scored| scored.0);
    let floor = last - scan::LIKELY * query.coarse_error(vectors.coarse.scale_max());
    let near = found.into_iter().filter(|scored| scored.0 >= floor).collect();
    Ok((scan::rescore(vectors, query, near)?, visits + vectors.entries.count() as u64))
}

/// The best entries.
fn starts(vectors: &Vectors, query: &Query) -> Result<[Scored; STARTS], Damage> {
    let count = vectors.entries.count();
    let entries = vectors.entries.rows(0, count)?;
    let mut best = [(f32::NEG_INFINITY, 0); STARTS];
    for entry in entries.chunks_exact(entries.len() / count.max(1)) {
        let (node, row) = entry.split_first_chunk().expect("an entry begins with its node");
        let score = query.coarse(row);
        if score > best[STARTS - 1].0 {
            best[STARTS - 1] = (score, u32::from_le_bytes(*node));
            best.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        }
    }
    Ok(best)
}
