//! The graph in its mapped files, and the search along its links from the entries nearest to a query.

use super::codec::EncodedQuery;
use super::pace::Prefetcher;
use super::query::Matching;
use super::scan::{self, Scored};
use super::sign_bits::DistanceEstimator;
use super::visited::VisitedSet;
use super::walk::{Linked, WalkParams, beam};
use super::{DEGREE, Damage, NO_NODE, Vectors};

/// Entries from which a search begins: the best of those sampled.
const STARTS: usize = 4;

/// The mapped graph, seen from a query.
struct MappedGraph<'a, T> {
    vectors: &'a Vectors<T>,
    query: &'a EncodedQuery,
    estimator: DistanceEstimator,
    prefetcher: Prefetcher,
}

impl<T> Linked for MappedGraph<'_, T> {
    type Error = Damage;

    fn estimator(&self) -> &DistanceEstimator {
        &self.estimator
    }

    #[inline]
    fn bits(&self, node: u32) -> Result<&[u8], Damage> {
        self.vectors.bits.row(node as usize)
    }

    #[inline]
    fn score(&self, node: u32) -> Result<f32, Damage> {
        Ok(self.query.coarse(self.vectors.coarse.row(node as usize)?))
    }

    #[inline]
    fn neighbours(&self, node: u32, into: &mut [u32; DEGREE]) -> Result<(), Damage> {
        self.prefetcher.step();
        let row = self.vectors.neighbours.row(node as usize)?;
        for (place, bytes) in into.iter_mut().zip(row.as_chunks::<4>().0) {
            *place = u32::from_le_bytes(*bytes);
        }
        let nodes = self.vectors.coarse.count();
        if into.iter().any(|&node| node != NO_NODE && node as usize >= nodes) {
            return Err(self.vectors.neighbours.form("a link leads to a node that is none"));
        }
        Ok(())
    }

    #[inline]
    fn prefetch_bits(&self, node: u32) {
        self.prefetcher.ask(&self.vectors.bits, node);
    }

    #[inline]
    fn prefetch_row(&self, node: u32) {
        self.prefetcher.ask(&self.vectors.coarse, node);
    }

    #[inline]
    fn prefetch_neighbours(&self, node: u32) {
        self.prefetcher.ask(&self.vectors.neighbours, node);
    }
}

/// Nodes near the query with their cosines, in no order, and how many were compared.
pub(super) fn walk<T>(
    vectors: &Vectors<T>,
    query: &EncodedQuery,
    matching: Option<&Matching<T>>,
    k: usize,
    params: WalkParams,
) -> Result<(Vec<Scored>, u64), Damage> {
    let linked =
        MappedGraph { vectors, query, estimator: query.estimator(), prefetcher: Prefetcher::new() };
    let starts = starts(vectors, query)?;
    let matches = |node| match matching {
        None => Ok(true),
        Some(matching) => Ok(vectors.rows(node)?.any(|row| matching.set.contains(row))),
    };
    let (found, visits) = beam(&linked, &starts, params, &mut VisitedSet::new(), matches, |_| ())?;
    // What cannot be among the k nearest whatever the fine plane says is not worth reading.
    let last = found.get(k.saturating_sub(1)).map_or(f32::NEG_INFINITY, |scored| scored.0);
    let floor = last - scan::LIKELY * query.coarse_error(vectors.scale_max);
    let near = found.into_iter().filter(|scored| scored.0 >= floor).collect();
    Ok((scan::rescore(vectors, query, near)?, visits + vectors.entries.count() as u64))
}

/// The best entries.
fn starts<T>(vectors: &Vectors<T>, query: &EncodedQuery) -> Result<[Scored; STARTS], Damage> {
    let count = vectors.entries.count();
    let entries = vectors.entries.range(0..count)?;
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
