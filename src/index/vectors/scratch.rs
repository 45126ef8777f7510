//! What searches write to, kept between them: which nodes a search has seen.

use std::sync::Mutex;

/// Searches at once whose memory is kept; what more there are allocate their own and free it.
const KEPT_MAX: usize = 16;

/// Which nodes were seen: two bytes a node, never cleared but every 65,535th search.
#[derive(Debug)]
pub(super) struct Seen {
    stamps: Vec<u16>,
    now: u16,
}

impl Seen {
    pub(super) fn new(nodes: usize) -> Self {
        Self { stamps: vec![0; nodes], now: 0 }
    }

    /// Forgets all.
    pub(super) fn renew(&mut self) {
        self.now = self.now.wrapping_add(1);
        if self.now == 0 {
            self.stamps.fill(0);
            self.now = 1;
        }
    }

    /// Whether a node is seen now for the first time; `None` when there is no such node.
    #[inline]
    pub(super) fn first(&mut self, node: u32) -> Option<bool> {
        let stamp = self.stamps.get_mut(node as usize)?;
        let first = *stamp != self.now;
        *stamp = self.now;
        Some(first)
    }
}

/// Lends [`Seen`] to searches.
#[derive(Debug)]
pub(super) struct Pool {
    nodes: usize,
    idle: Mutex<Vec<Seen>>,
}

impl Pool {
    pub(super) fn new(nodes: usize) -> Self {
        Self { nodes, idle: Mutex::new(Vec::new()) }
    }

    /// Runs a search with a set that has seen nothing.
    pub(super) fn lend<T>(&self, search: impl FnOnce(&mut Seen) -> T) -> T {
        let idle = self.idle.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).pop();
        let mut seen = idle.unwrap_or_else(|| Seen::new(self.nodes));
        seen.renew();
        let found = search(&mut seen);
        let mut idle = self.idle.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if idle.len() < KEPT_MAX {
            idle.push(seen);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sees_each_node_once_a_search_however_many_searches() {
        let pool = Pool::new(3);
        for _ in 0..70_000 {
            let found = pool.lend(|seen| [seen.first(1), seen.first(1), seen.first(3)]);
            assert_eq!(found, [Some(true), Some(false), None]);
        }
        assert_eq!(pool.lend(|seen| seen.first(2)), Some(true));
    }
}
