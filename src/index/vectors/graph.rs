//! Links vectors into a graph that is small, flat, and leads to every node.
//!
//! A sample, spread evenly, is linked first (`heap`). All others are inserted in batches, in an order
//! by chance: each node searches for itself along the links there are, and what it meets, on the
//! way too, is pruned by the diversity rule: a neighbour is kept when no kept one is nearer to it
//! than the node itself. The links back are added, and pruned by the same rule where there is no
//! room. Nodes that come early, when there are few, get the long links that later searches travel
//! by. At last, whatever cannot be reached from where searches begin is linked from what is near.
//!
//! A batch sees the graph before it, however many threads share it: one input gives one graph.

use std::collections::HashSet;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::codes::{Codes, Neighbours};
use super::heap;
use super::in_memory::{InMemory, used};
use super::progress::{Progress, Stage};
use super::repair::repair;
use super::scan::Scored;
use super::visited::VisitedSet;
use super::walk::{self, WalkParams};
use super::{DEGREE, NO_NODE};

/// The sample is this part of the nodes, within these bounds.
const SAMPLE_PART: usize = 16;
const SAMPLE_MIN: usize = 64;
const SAMPLE_MAX: usize = 8 * 1024;

/// Width of the search by which a node finds its neighbours. Of 200,000 real names, searches of equal
/// cost find 0.981 of the nearest; out of 160 they find 0.976, out of 128 0.970.
const CONSIDERED: usize = 200;

/// Links that a node chooses; others link to it until it has [`DEGREE`]. Of twelve it is 0.004 less,
/// of more no better.
const CHOSEN: usize = 16;

/// Entries from which a node's search for itself begins.
const STARTS: usize = 4;

/// The nodes of a batch do not see each other: a batch is at most this part of what is linked, and
/// never larger than the maximum.
const BATCH_PART: usize = 50;
const BATCH_MAX: usize = 16 * 1024;

/// Searches begin at the best of these many for each square root of nodes, at least
/// [`ENTRIES_MIN`].
const ENTRIES_SHARE: f64 = 0.75;
const ENTRIES_MIN: usize = 64;

/// A finished graph.
#[derive(Debug)]
pub(super) struct Links {
    pub(super) neighbours: Neighbours,
    /// Where searches begin; each node can be reached from each of them.
    pub(super) entries: Vec<u32>,
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
    let sample = (nodes / SAMPLE_PART).clamp(SAMPLE_MIN, SAMPLE_MAX).min(nodes);
    let sample = spread(nodes, sample);
    let entries = entries(&sample, nodes);
    let mut neighbours = heap::first_links(codes, &sample, progress);
    pool.install(|| symmetrise(codes, &mut neighbours, &sample));
    let rest = others(nodes, &sample);
    insert(codes, &mut neighbours, (sample.len(), &rest), &entries, pool, progress);
    progress(Progress { stage: Stage::Repairing, done: 0, total: nodes as u64 });
    repair(codes, &mut neighbours, &entries);
    Links { neighbours, entries }
}

/// `count` numbers below a bound, spread evenly, 0 among them.
fn spread(bound: usize, count: usize) -> Vec<u32> {
    (0..count).map(|at| (at as u64 * bound as u64 / count as u64) as u32).collect()
}

/// Where searches begin: part of the sample.
fn entries(sample: &[u32], nodes: usize) -> Vec<u32> {
    let count = ((nodes as f64).sqrt() * ENTRIES_SHARE) as usize;
    let count = count.max(ENTRIES_MIN).min(sample.len());
    spread(sample.len(), count).into_iter().map(|at| sample[at as usize]).collect()
}

/// The nodes that are not in the sample, in an order by chance, always the same.
fn others(nodes: usize, sample: &[u32]) -> Vec<u32> {
    let sample: HashSet<u32> = sample.iter().copied().collect();
    let mut others: Vec<u32> = (0..nodes as u32).filter(|node| !sample.contains(node)).collect();
    others.sort_by_cached_key(|node| xxh3_64(&node.to_le_bytes()));
    others
}

/// Adds every link's way back.
fn symmetrise(codes: Codes, links: &mut Neighbours, sample: &[u32]) {
    let back =
        sample.iter().flat_map(|&node| used(&links[node as usize]).map(move |to| (to, node)));
    let back = back.collect();
    link_back(codes, links, back);
}

/// Adds links `(from, to)` to the graph; where a node has no room for its own, all are pruned.
fn link_back(codes: Codes, links: &mut Neighbours, mut added: Vec<(u32, u32)>) {
    added.par_sort_unstable();
    let before = &*links;
    let row = |group: &[(u32, u32)]| {
        let node = group[0].0;
        let mut row = before[node as usize];
        let mut others: Vec<u32> =
            group.iter().map(|link| link.1).filter(|to| !row.contains(to)).collect();
        let count = used(&row).count();
        if count + others.len() > DEGREE {
            others.extend(used(&row));
            row = prune(codes, node, others, DEGREE);
        } else {
            row[count..count + others.len()].copy_from_slice(&others);
        }
        (node, row)
    };
    let rows: Vec<_> = added.par_chunk_by(|a, b| a.0 == b.0).map(row).collect();
    for (node, row) in rows {
        links[node as usize] = row;
    }
}

/// The candidates that lie in different directions, nearest first, at most `most`.
fn prune(codes: Codes, node: u32, mut candidates: Vec<u32>, most: usize) -> [u32; DEGREE] {
    candidates.sort_unstable();
    candidates.dedup();
    let mut by_distance: Vec<(f32, u32)> = candidates
        .into_iter()
        .filter(|&other| other != node)
        .map(|other| (codes.apart(node, other), other))
        .collect();
    by_distance.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let (mut kept, mut count) = ([NO_NODE; DEGREE], 0);
    for (distance, other) in by_distance {
        if count == most {
            break;
        }
        if kept[..count].iter().all(|&one| codes.apart(one, other) > distance) {
            kept[count] = other;
            count += 1;
        }
    }
    kept
}

/// Links nodes in order to those linked already; `linked` is how many there are.
fn insert(
    codes: Codes,
    links: &mut Neighbours,
    (mut linked, mut nodes): (usize, &[u32]),
    entries: &[u32],
    pool: &rayon::ThreadPool,
    progress: &mut dyn FnMut(Progress),
) {
    while !nodes.is_empty() {
        let total = codes.nodes() as u64;
        progress(Progress { stage: Stage::Inserting, done: linked as u64, total });
        let size = (linked / BATCH_PART).clamp(1, BATCH_MAX).min(nodes.len());
        let (batch, rest) = nodes.split_at(size);
        let before = &*links;
        let begin = |&node: &u32| (starts(codes, node, entries), node);
        let choose = |seen: &mut VisitedSet, (starts, node): &(Vec<Scored>, u32)| {
            seen.clear();
            let from = InMemory::new(codes, before, *node);
            prune(codes, *node, meet(&from, starts, seen), CHOSEN)
        };
        let (batch, rows): (Vec<_>, Neighbours) = pool.install(|| {
            let mut batch: Vec<_> = batch.par_iter().map(begin).collect();
            // What is searched for one after another then lies close together, and in the caches.
            batch.par_sort_by_key(|(starts, node)| (starts.first().map(|start| start.1), *node));
            let rows = batch.par_iter().map_init(VisitedSet::new, choose).collect();
            (batch, rows)
        });
        let mut back = Vec::with_capacity(size * CHOSEN);
        for ((_, node), row) in batch.into_iter().zip(rows) {
            back.extend(used(&row).map(|to| (to, node)));
            links[node as usize] = row;
        }
        pool.install(|| link_back(codes, links, back));
        (linked, nodes) = (linked + size, rest);
    }
}

/// The entries from which a node's search for itself begins, nearest first.
fn starts(codes: Codes, node: u32, entries: &[u32]) -> Vec<Scored> {
    let scored = |&entry: &u32| (codes.near(node, entry), entry);
    let mut starts: Vec<Scored> = entries.iter().map(scored).collect();
    let better = |a: &Scored, b: &Scored| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
    if starts.len() > STARTS {
        starts.select_nth_unstable_by(STARTS, better);
        starts.truncate(STARTS);
    }
    starts.sort_unstable_by(better);
    starts
}

/// What a node meets when it is searched for: what is near it, and what leads there.
fn meet(from: &InMemory, starts: &[Scored], seen: &mut VisitedSet) -> Vec<u32> {
    let mut met = Vec::new();
    let params = WalkParams::of(CONSIDERED);
    let Ok((found, _)) =
        walk::beam(from, starts, params, seen, |_| Ok(true), |node| met.push(node));
    met.extend(found.into_iter().map(|scored| scored.1));
    met
}
