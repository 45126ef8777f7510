//! Which nodes a search has seen: as much memory as it sees, not as there are nodes.

use super::NO_NODE;

/// Places of a new table: what most walks need, and little enough for the nearest caches.
const PLACES: usize = 8 * 1024;

/// Nodes, in a hash table of open addressing that is at most half full.
#[derive(Debug)]
pub(super) struct VisitedSet {
    /// A power of two of them; [`NO_NODE`] where there is none.
    places: Vec<u32>,
    count: usize,
}

impl VisitedSet {
    pub(super) fn new() -> Self {
        Self { places: vec![NO_NODE; PLACES], count: 0 }
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.places.truncate(PLACES);
        self.places.fill(NO_NODE);
        self.count = 0;
    }

    /// Whether a node is seen now for the first time.
    #[inline]
    pub(super) fn first(&mut self, node: u32) -> bool {
        let mask = self.places.len() - 1;
        let mut place = Self::hash(node) & mask;
        while self.places[place] != NO_NODE {
            if self.places[place] == node {
                return false;
            }
            place = (place + 1) & mask;
        }
        self.places[place] = node;
        self.count += 1;
        if 2 * self.count > self.places.len() {
            self.grow();
        }
        true
    }

    /// The upper half of a product, in which neighbouring numbers are far from each other.
    #[inline]
    fn hash(node: u32) -> usize {
        const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
        (u64::from(node).wrapping_mul(GOLDEN) >> 32) as usize
    }

    #[cold]
    fn grow(&mut self) {
        let larger = vec![NO_NODE; 2 * self.places.len()];
        let mask = larger.len() - 1;
        let places = std::mem::replace(&mut self.places, larger);
        for node in places.into_iter().filter(|&node| node != NO_NODE) {
            let mut place = Self::hash(node) & mask;
            while self.places[place] != NO_NODE {
                place = (place + 1) & mask;
            }
            self.places[place] = node;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::tests::Rng;
    use super::*;

    #[test]
    fn sees_each_node_once_a_search() {
        let (mut chance, mut seen) = (Rng(3), VisitedSet::new());
        for _ in 0..3 {
            let mut expected = HashSet::new();
            for _ in 0..3 * PLACES {
                let node = chance.below(4 * PLACES) as u32;
                assert_eq!(seen.first(node), expected.insert(node), "{node}");
            }
            seen.clear();
            assert_eq!((seen.places.len(), seen.count), (PLACES, 0));
        }
    }
}
