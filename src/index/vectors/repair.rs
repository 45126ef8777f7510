//! Links to the nodes of a graph that cannot be reached from every entry.

use super::codes::Codes;
use super::in_memory::{InMemory, used};
use super::visited::VisitedSet;
use super::walk::{self, WalkParams};
use super::{DEGREE, NO_NODE};

/// Width of the search for nodes that an unreachable one is linked from.
const REPAIR: usize = 48;

/// Links, from what is near them, nodes that cannot be reached from every entry.
pub(super) fn repair(codes: Codes, links: &mut [[u32; DEGREE]], entries: &[u32]) {
    let root = entries[0];
    for &entry in &entries[1..] {
        if !used(&links[entry as usize]).any(|node| node == root) {
            add(&mut links[entry as usize], root);
        }
    }
    let mut reached = vec![false; links.len()];
    follow(links, &mut reached, root);
    let mut seen = VisitedSet::new();
    for node in 0..links.len() as u32 {
        if reached[node as usize] {
            continue;
        }
        seen.clear();
        // From the root, so that whatever is found is reached.
        let starts = [(codes.near(node, root), root)];
        let from = InMemory::new(codes, links, node);
        let params = WalkParams::of(REPAIR);
        let Ok((found, _)) = walk::beam(&from, &starts, params, &mut seen, |_| Ok(true), |_| ());
        let free = |at: u32| reached[at as usize] && links[at as usize][DEGREE - 1] == NO_NODE;
        let near = found.into_iter().map(|scored| scored.1).find(|&at| free(at));
        match near.or_else(|| (0..links.len() as u32).find(|&at| free(at))) {
            Some(from) => add(&mut links[from as usize], node),
            None => {
                // Every reached node is full: the root's last link leads on by way of this one.
                // What only this one's own last link led to is not reached yet, and comes later.
                let last = std::mem::replace(&mut links[root as usize][DEGREE - 1], node);
                add(&mut links[node as usize], last);
            }
        }
        follow(links, &mut reached, node);
    }
}

/// Adds a neighbour, in the place of the last when there is none free.
fn add(row: &mut [u32; DEGREE], node: u32) {
    let place = row.iter().position(|&at| at == NO_NODE).unwrap_or(DEGREE - 1);
    row[place] = node;
}

/// Marks what can be reached from a node.
fn follow(links: &[[u32; DEGREE]], reached: &mut [bool], from: u32) {
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
