//! Infers from the time that rows take whether they are in memory.
//!
//! Rows are read through mappings at scattered places. While they are in memory a hint to the processor
//! is all that helps; from a disk each would be waited for by itself, so they are asked of the system
//! some at a time before they are read. Asking costs a system call each: too much where it is not needed.

use std::cell::Cell;
use std::time::{Duration, Instant};

use super::kernel;
use crate::mapped::Rows;

/// What the rows of one step take while they are in memory, several times over.
const IN_MEMORY_MAX: Duration = Duration::from_micros(100);

/// Rows ahead of which memory is asked.
pub(super) const AHEAD: usize = 8;

/// The pace of one search.
#[derive(Debug)]
pub(super) struct Prefetcher {
    since: Cell<Instant>,
    rows: Cell<usize>,
    /// Whether the last step took longer than [`IN_MEMORY_MAX`].
    is_read: Cell<bool>,
}

impl Prefetcher {
    pub(super) fn new() -> Self {
        Self { since: Cell::new(Instant::now()), rows: Cell::new(0), is_read: Cell::new(false) }
    }

    /// Begins the next step: tens of rows at most.
    #[inline]
    pub(super) fn step(&self) {
        self.step_at(Instant::now());
    }

    #[inline]
    fn step_at(&self, now: Instant) {
        self.is_read.set(now.duration_since(self.since.replace(now)) > IN_MEMORY_MAX);
    }

    /// Asks for a row that this step or the next will read.
    #[inline]
    pub(super) fn ask(&self, plane: &Rows, node: u32) {
        if self.is_read.get() {
            plane.read_ahead(node as usize..node as usize + 1);
        } else if let Some(row) = plane.unverified(node as usize) {
            kernel::prefetch(row);
        }
    }

    /// Asks for rows that follow each other, and are read in the next step.
    #[inline]
    pub(super) fn ask_run(&self, plane: &Rows, first: usize, count: usize) {
        if self.is_read.get() {
            plane.read_ahead(first..first + count);
        }
    }

    /// Asks for a row that is read [`AHEAD`] rows later; as many are a step.
    #[inline]
    pub(super) fn ahead(&self, plane: &Rows, node: u32) {
        if self.rows.get().is_multiple_of(AHEAD) {
            self.step();
        }
        self.rows.set(self.rows.get() + 1);
        self.ask(plane, node);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_that_takes_long_is_noticed_once() {
        let prefetcher = Prefetcher::new();
        let late = prefetcher.since.get() + 2 * IN_MEMORY_MAX;
        prefetcher.step_at(late);
        assert!(prefetcher.is_read.get());
        prefetcher.step_at(late + IN_MEMORY_MAX / 2);
        assert!(!prefetcher.is_read.get());
    }
}
