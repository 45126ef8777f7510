//! The first graph, by the crate `hnsw_rs`: on the heap, and gone once its links are read.
//!
//! The crate keeps a copy of what is inserted, so what is inserted is a number: the distance finds
//! the code by it. Its own distances are not used, since they panic when rounding makes them
//! negative. It is never asked to search, dump or load.

use hnsw_rs::anndists::dist::distances::Distance;
use hnsw_rs::prelude::Hnsw;
use rayon::prelude::*;

use super::build::{Progress, Stage};
use super::graph::Codes;
use super::plane::{DEGREE, NO_NODE};

/// Links that a node begins with above the lowest layer; twice as many there.
const LINKS: usize = 12;

/// Nodes that are considered when one is inserted.
const CONSIDERED: usize = 48;

/// Layers at most: each costs every node some bytes, and eight have room for 12⁸ nodes.
const LAYERS: usize = 8;

/// Nodes that are inserted one after another, before several are at a time.
const ALONE: usize = 256;

/// Nodes between two reports.
const BATCH: usize = 16 * 1024;

impl Distance<u32> for Codes<'_> {
    fn eval(&self, one: &[u32], other: &[u32]) -> f32 {
        self.apart(one[0], other[0])
    }
}

/// The neighbours of every node on the lowest layer.
pub(super) fn first_links(
    codes: Codes,
    pool: &rayon::ThreadPool,
    progress: &mut dyn FnMut(Progress),
) -> Vec<[u32; DEGREE]> {
    let nodes = codes.nodes();
    let graph = Hnsw::<u32, Codes>::new(LINKS, nodes, LAYERS, CONSIDERED, codes);
    let insert = |node: usize| graph.insert_slice((&[node as u32], node));
    let alone = nodes.min(ALONE);
    (0..alone).for_each(insert);
    for first in (alone..nodes).step_by(BATCH) {
        let batch = first..(first + BATCH).min(nodes);
        progress(Progress { stage: Stage::Inserting, done: first as u64, total: nodes as u64 });
        pool.install(|| batch.into_par_iter().for_each(insert));
    }
    let mut links = vec![[NO_NODE; DEGREE]; nodes];
    for point in graph.get_point_indexation() {
        let lowest = point.get_neighborhood_id().into_iter().next().unwrap_or_default();
        let places = &mut links[point.get_origin_id()];
        for (place, neighbour) in places.iter_mut().zip(lowest) {
            *place = neighbour.d_id as u32;
        }
    }
    links
}
