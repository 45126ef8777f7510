//! Links vectors into a graph that is small, flat, and leads to every node.
//!
//! A first graph (`heap`) is made symmetric and pruned by the diversity rule: a neighbour is kept
//! when no kept one is nearer to it than the node itself. Then each node searches for itself along
//! those links, from where every search begins; what it meets on the way, far and near, are better
//! neighbours, and they are pruned in the same way. The links back are then added to them as far as
//! there is room. At last, whatever cannot be reached from where searches begin is linked from what
//! is near it.

use rayon::prelude::*;

use super::build::{Progress, Stage};
use super::codec::{self, Codec, SCALE_BYTES};
use super::heap;
use super::kernel::{self, Kernel};
use super::plane::{DEGREE, NO_NODE};
use super::scan::Scored;
use super::scratch::{Pool, Seen};
use super::walk::{self, Linked, Reach};

/// Width of the search by which a node finds better neighbours. Out of 64 it finds too few that lie
/// in other directions: recall@10 of real names falls from 0.92 to 0.90 at equal cost of a search.
const REFINED: usize = 200;

/// Width of the search for nodes that an unreachable one is linked from.
const REPAIR: usize = 48;

/// Entries from which a node's search for itself begins.
const REFINED_STARTS: usize = 4;

/// Nodes of a batch between two reports.
const BATCH: usize = 64 * 1024;

/// Searches begin at the best of these many for each square root of nodes, at least
/// [`ENTRIES_MIN`].
const ENTRIES_SHARE: f64 = 0.75;
const ENTRIES_MIN: usize = 64;

/// Neighbours, by node; unused places hold [`NO_NODE`].
pub(super) type Neighbours = Vec<[u32; DEGREE]>;

/// A finished graph.
#[derive(Debug)]
pub(super) struct Links {
    pub(super) neighbours: Neighbours,
    /// Where searches begin; each node can be reached from each of them.
    pub(super) entries: Vec<u32>,
}

/// The coarse plane in memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Codes<'a> {
    bytes: &'a [u8],
    stride: usize,
    kernel: Kernel,
}

impl<'a> Codes<'a> {
    pub(super) fn new(bytes: &'a [u8], codec: Codec) -> Self {
        Self { bytes, stride: codec.coarse_bytes(), kernel: kernel::best() }
    }

    pub(super) fn nodes(&self) -> usize {
        self.bytes.len() / self.stride
    }

    #[inline]
    fn row(&self, node: u32) -> &'a [u8] {
        let start = node as usize * self.stride;
        &self.bytes[start..start + self.stride]
    }

    /// Cosine of two nodes, nearly.
    #[inline]
    fn near(&self, one: u32, other: u32) -> f32 {
        let (one, other) = (self.row(one), self.row(other));
        let sum = (self.kernel.dot_codes)(&one[SCALE_BYTES..], &other[SCALE_BYTES..]);
        codec::scale(one) * codec::scale(other) * sum as f32
    }

    /// Distance of two nodes: finite and never negative.
    #[inline]
    pub(super) fn apart(&self, one: u32, other: u32) -> f32 {
        (1.0 - self.near(one, other)).max(0.0)
    }
}

/// Links every node.
pub(super) fn link(
    codes: Codes,
    pool: &rayon::ThreadPool,
    progress: &mut dyn FnMut(Progress),
) -> Links {
    let nodes = codes.nodes();
    if nodes == 0 {
        return Links { neighbours: Vec::new(), entries: Vec::new() };
    }
    let entries = sample(nodes);
    let first = heap::first_links(codes, pool, progress);
    let flat = pool.install(|| symmetrise(codes, first, Room::Left));
    let refined = refine(codes, &flat, &entries, pool, progress);
    drop(flat);
    let mut neighbours = pool.install(|| symmetrise(codes, refined, Room::Used));
    progress(Progress { stage: Stage::Repairing, done: 0, total: nodes as u64 });
    repair(codes, &mut neighbours, &entries);
    Links { neighbours, entries }
}

/// Nodes spread evenly, the first among them.
fn sample(nodes: usize) -> Vec<u32> {
    let count = ((nodes as f64).sqrt() * ENTRIES_SHARE) as usize;
    let count = count.max(ENTRIES_MIN).min(nodes);
    (0..count).map(|at| (at as u64 * nodes as u64 / count as u64) as u32).collect()
}

/// The neighbours in use.
fn used(row: &[u32; DEGREE]) -> impl Iterator<Item = u32> + '_ {
    row.iter().copied().take_while(|&node| node != NO_NODE)
}

/// What becomes of room for neighbours that lie in no other direction than those kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Room {
    /// It stays free.
    Left,
    /// The nearest of them take it: a search has more ways into a crowd of near equals.
    Used,
}

/// Adds every link's way back, then prunes.
fn symmetrise(codes: Codes, links: Neighbours, room: Room) -> Neighbours {
    let nodes = links.len();
    let mut ends = vec![0_u32; nodes + 1];
    for neighbour in links.iter().flat_map(used) {
        ends[neighbour as usize + 1] += 1;
    }
    for node in 0..nodes {
        ends[node + 1] += ends[node];
    }
    let mut back = vec![0_u32; ends[nodes] as usize];
    let mut next = ends.clone();
    for (node, row) in (0_u32..).zip(&links) {
        for neighbour in used(row) {
            let place = &mut next[neighbour as usize];
            back[*place as usize] = node;
            *place += 1;
        }
    }
    drop(next);
    let both = |(node, row): (usize, &[u32; DEGREE])| {
        let back = &back[ends[node] as usize..ends[node + 1] as usize];
        let candidates = used(row).chain(back.iter().copied());
        prune(codes, node as u32, candidates.collect(), room)
    };
    links.par_iter().enumerate().map(both).collect()
}

/// The candidates that lie in different directions, nearest first; then, where room is used, others.
fn prune(codes: Codes, node: u32, mut candidates: Vec<u32>, room: Room) -> [u32; DEGREE] {
    candidates.sort_unstable();
    candidates.dedup();
    let mut by_distance: Vec<(f32, u32)> = candidates
        .into_iter()
        .filter(|&other| other != node)
        .map(|other| (codes.apart(node, other), other))
        .collect();
    by_distance.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let (mut kept, mut count) = ([NO_NODE; DEGREE], 0);
    let mut others = Vec::new();
    for (distance, other) in by_distance {
        if count == DEGREE {
            break;
        }
        if kept[..count].iter().all(|&one| codes.apart(one, other) > distance) {
            kept[count] = other;
            count += 1;
        } else if room == Room::Used {
            others.push(other);
        }
    }
    for (place, other) in kept[count..].iter_mut().zip(others) {
        *place = other;
    }
    kept
}

/// A graph in memory, seen from a node.
struct From<'a> {
    codes: Codes<'a>,
    links: &'a [[u32; DEGREE]],
    node: u32,
}

impl Linked for From<'_> {
    type Error = std::convert::Infallible;

    fn score(&self, node: u32) -> Result<f32, Self::Error> {
        Ok(self.codes.near(self.node, node))
    }

    fn neighbours(&self, node: u32, into: &mut [u32; DEGREE]) -> Result<(), Self::Error> {
        *into = self.links[node as usize];
        Ok(())
    }

    fn prefetch(&self, node: u32) {
        kernel::prefetch(self.codes.row(node));
    }

    fn prefetch_neighbours(&self, _: u32) {}

    fn first(&self, seen: &mut Seen, node: u32) -> Result<bool, Self::Error> {
        Ok(seen.first(node).unwrap_or(false))
    }
}

/// Each node's neighbours anew, out of what it meets when it searches for itself.
fn refine(
    codes: Codes,
    links: &[[u32; DEGREE]],
    entries: &[u32],
    pool: &rayon::ThreadPool,
    progress: &mut dyn FnMut(Progress),
) -> Neighbours {
    let nodes = codes.nodes();
    let seen = Pool::new(nodes);
    let better = |node: usize| {
        let node = node as u32;
        let from = From { codes, links, node };
        let met = seen.lend(|seen| meet(&from, entries, seen));
        prune(codes, node, met.into_iter().chain(used(&links[node as usize])).collect(), Room::Left)
    };
    let mut refined = Vec::with_capacity(nodes);
    for first in (0..nodes).step_by(BATCH) {
        progress(Progress { stage: Stage::Refining, done: first as u64, total: nodes as u64 });
        let batch = first..(first + BATCH).min(nodes);
        let made: Neighbours =
            pool.install(|| batch.into_par_iter().with_min_len(256).map(better).collect());
        refined.extend(made);
    }
    refined
}

/// What a node meets when it is searched for: what is near it, and what leads there.
fn meet(from: &From, entries: &[u32], seen: &mut Seen) -> Vec<u32> {
    let scored = |&node: &u32| (from.codes.near(from.node, node), node);
    let mut starts: Vec<Scored> = entries.iter().map(scored).collect();
    if starts.len() > REFINED_STARTS {
        let better = |a: &Scored, b: &Scored| b.0.total_cmp(&a.0);
        starts.select_nth_unstable_by(REFINED_STARTS, better);
        starts.truncate(REFINED_STARTS);
    }
    // Its own links lead where those of the entries may not.
    starts.push(scored(&from.node));
    let mut met = Vec::new();
    let reach = Reach::of(REFINED);
    let Ok((found, _)) =
        walk::beam(from, &starts, reach, seen, |_| Ok(true), |node| met.push(node));
    met.extend(found.into_iter().map(|scored| scored.1));
    met
}

/// Links, from what is near them, nodes that cannot be reached from every entry.
fn repair(codes: Codes, links: &mut [[u32; DEGREE]], entries: &[u32]) {
    let root = entries[0];
    for &entry in &entries[1..] {
        if !used(&links[entry as usize]).any(|node| node == root) {
            add(&mut links[entry as usize], root);
        }
    }
    let mut reached = vec![false; links.len()];
    spread(links, &mut reached, root);
    let mut seen = Seen::new(links.len());
    for node in 0..links.len() as u32 {
        if reached[node as usize] {
            continue;
        }
        seen.renew();
        // From the root, so that whatever is found is reached.
        let starts = [(codes.near(node, root), root)];
        let from = From { codes, links, node };
        let reach = Reach::of(REPAIR);
        let Ok((found, _)) = walk::beam(&from, &starts, reach, &mut seen, |_| Ok(true), |_| ());
        let free = |at: u32| reached[at as usize] && links[at as usize][DEGREE - 1] == NO_NODE;
        let near = found.into_iter().map(|scored| scored.1).find(|&at| free(at));
        let from = near.or_else(|| (0..links.len() as u32).find(|&at| free(at)));
        // In a graph of which every reached node is full, the root gives up a link whose end is
        // then unreached, and repaired in its turn or reached otherwise.
        add(&mut links[from.unwrap_or(root) as usize], node);
        spread(links, &mut reached, node);
    }
}

/// Adds a neighbour, in the place of the last when there is none free.
fn add(row: &mut [u32; DEGREE], node: u32) {
    let place = row.iter().position(|&at| at == NO_NODE).unwrap_or(DEGREE - 1);
    row[place] = node;
}

/// Marks what can be reached from a node.
fn spread(links: &[[u32; DEGREE]], reached: &mut [bool], from: u32) {
    let mut waiting = vec![from];
    reached[from as usize] = true;
    while let Some(node) = waiting.pop() {
        for next in used(&links[node as usize]) {
            if !std::mem::replace(&mut reached[next as usize], true) {
                waiting.push(next);
            }
        }
    }
}
