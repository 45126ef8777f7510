//! Best-first search: the organizations that paths complete to, lightest cost first.
//!
//! The heap holds three kinds of work, each under the least value that it can lead to: a node of
//! the automaton, a name that ends there, and the next organization of an equal name. What is
//! popped first therefore is the next answer, or leads to it; what is never popped is never read.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Weight;
use super::lexicon::{Lexicon, Position};
use crate::mapped::{Column, Damage};
use crate::record::OrgId;

/// `(cost << 32) | posting`: what the heap is ordered by.
type Value = u64;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Work {
    /// The organization of a posting.
    Posting(u32),
    /// A node, by its address.
    Node(usize),
}

/// The search, yielding one organization at a time; the same one again for each of its names.
pub(super) struct Completions<'index> {
    lexicon: &'index Lexicon,
    weights: &'index Column<u16>,
    heap: BinaryHeap<Reverse<(Value, Work)>>,
}

impl<'index> Completions<'index> {
    pub fn new(
        lexicon: &'index Lexicon,
        weights: &'index Column<u16>,
        roots: impl IntoIterator<Item = Position>,
    ) -> Self {
        let heap =
            roots.into_iter().map(|root| Reverse((root.sum, Work::Node(root.address)))).collect();
        Self { lexicon, weights, heap }
    }

    /// The next organization and its weight.
    pub fn next(&mut self) -> Result<Option<(OrgId, Weight)>, Damage> {
        while let Some(Reverse((value, work))) = self.heap.pop() {
            match work {
                Work::Node(address) => self.expand(Position { sum: value, address })?,
                Work::Posting(index) => {
                    let (org, last) = self.lexicon.posting(index)?;
                    if !last {
                        self.push_posting(index + 1)?;
                    }
                    return Ok(Some((org, self.weight(org)?)));
                }
            }
        }
        Ok(None)
    }

    /// Replaces a node by what follows it. The way on that costs nothing more is gone at once,
    /// without a turn through the heap.
    fn expand(&mut self, from: Position) -> Result<(), Damage> {
        let mut at = from;
        loop {
            let node = self.lexicon.node(at)?;
            let mut free = None;
            if node.is_final() {
                let value = at.sum + node.final_output().value();
                self.heap.push(Reverse((value, Work::Posting(value as u32))));
            }
            for edge in node.transitions() {
                let next = Position { sum: at.sum + edge.out.value(), address: edge.addr };
                if next.sum == at.sum && free.is_none() {
                    free = Some(next);
                } else {
                    self.heap.push(Reverse((next.sum, Work::Node(next.address))));
                }
            }
            match free {
                Some(next) => at = next,
                None => return Ok(()),
            }
        }
    }

    fn push_posting(&mut self, index: u32) -> Result<(), Damage> {
        let (org, _) = self.lexicon.posting(index)?;
        let value = (self.weight(org)?.cost() << 32) | u64::from(index);
        self.heap.push(Reverse((value, Work::Posting(index))));
        Ok(())
    }

    fn weight(&self, org: OrgId) -> Result<Weight, Damage> {
        Ok(Weight::new(self.weights.at(org.index())?))
    }
}
