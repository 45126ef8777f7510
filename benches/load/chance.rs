//! Random numbers that are the same in every run.

/// Where a run of numbers stands.
#[derive(Debug, Clone)]
pub struct Rng(fastrand::Rng);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    pub fn next(&mut self) -> u64 {
        self.0.u64(..)
    }

    /// A number below a bound; 0 where there is none.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0.usize(..bound.max(1))
    }

    /// One of several.
    pub fn of<'a, Item>(&mut self, all: &'a [Item]) -> &'a Item {
        &all[self.below(all.len())]
    }
}
