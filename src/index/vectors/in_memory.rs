//! A graph that is being linked, in memory.

use super::codes::Codes;
use super::kernel;
use super::sign_bits::DistanceEstimator;
use super::walk::Linked;
use super::{DEGREE, NO_NODE};

/// The neighbours in use.
pub(super) fn used(row: &[u32; DEGREE]) -> impl Iterator<Item = u32> + '_ {
    row.iter().copied().take_while(|&node| node != NO_NODE)
}

/// A graph in memory, seen from a node.
pub(super) struct InMemory<'a> {
    codes: Codes<'a>,
    links: &'a [[u32; DEGREE]],
    node: u32,
    estimator: DistanceEstimator,
}

impl<'a> InMemory<'a> {
    pub(super) fn new(codes: Codes<'a>, links: &'a [[u32; DEGREE]], node: u32) -> Self {
        Self { codes, links, node, estimator: codes.estimator(node) }
    }
}

impl Linked for InMemory<'_> {
    type Error = std::convert::Infallible;

    fn estimator(&self) -> &DistanceEstimator {
        &self.estimator
    }

    fn bits(&self, node: u32) -> Result<&[u8], Self::Error> {
        Ok(self.codes.bits(node))
    }

    fn score(&self, node: u32) -> Result<f32, Self::Error> {
        Ok(self.codes.near(self.node, node))
    }

    fn neighbours(&self, node: u32, into: &mut [u32; DEGREE]) -> Result<(), Self::Error> {
        *into = self.links[node as usize];
        Ok(())
    }

    fn prefetch_bits(&self, node: u32) {
        kernel::prefetch(self.codes.bits(node));
    }

    fn prefetch_row(&self, node: u32) {
        kernel::prefetch(self.codes.row(node));
    }

    fn prefetch_neighbours(&self, node: u32) {
        kernel::prefetch(&self.links[node as usize]);
    }
}
