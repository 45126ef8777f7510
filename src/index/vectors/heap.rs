//! The links of a sample, by the crate `hnsw_rs`: on the heap, and gone once its links are read.
//!
//! The crate keeps a copy of what is inserted, so what is inserted is a number: the distance finds
//! the code by it. Its own distances are not used, since they panic when rounding makes them
//! negative. It is never asked to search, dump or load. It gets a sample alone, since of the links
//! back to a node it keeps the nearest, not those that lie in different directions: of all nodes, it
//! makes a graph in which searches of equal cost find less.

use hnsw_rs::anndists::dist::distances::Distance;
use hnsw_rs::prelude::Hnsw;

use super::codes::{Codes, Neighbours};
use super::progress::{Progress, Stage};
use super::{DEGREE, NO_NODE};

/// Links that a node begins with above the lowest layer; twice as many there.
const LINKS: usize = 12;

/// Nodes that are considered when one is inserted.
const CONSIDERED: usize = 48;

/// Layers at most: four have room for 12⁴ nodes, more than a sample has.
const LAYERS: usize = 4;

/// Nodes between two reports.
const BATCH: usize = 1024;

impl Distance<u32> for Codes<'_> {
    fn eval(&self, one: &[u32], other: &[u32]) -> f32 {
        self.apart(one[0], other[0])
    }
}

/// The neighbours of the nodes of the sample on the lowest layer; the other nodes have none yet.
pub(super) fn first_links(
    codes: Codes,
    sample: &[u32],
    progress: &mut dyn FnMut(Progress),
) -> Neighbours {
    let graph = Hnsw::<u32, Codes>::new(LINKS, sample.len(), LAYERS, CONSIDERED, codes);
    // One after another: the links depend on the order.
    for (at, node) in sample.iter().enumerate() {
        if at % BATCH == 0 {
            let total = codes.nodes() as u64;
            progress(Progress { stage: Stage::Inserting, done: at as u64, total });
        }
        graph.insert_slice((&[*node], at));
    }
    let mut links = vec![[NO_NODE; DEGREE]; codes.nodes()];
    for point in graph.get_point_indexation() {
        let lowest = point.get_neighborhood_id().into_iter().next().unwrap_or_default();
        let places = &mut links[sample[point.get_origin_id()] as usize];
        for (place, neighbour) in places.iter_mut().zip(lowest) {
            *place = sample[neighbour.d_id];
        }
    }
    links
}
