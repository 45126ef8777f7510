//! Random numbers that are the same in every run.

/// Where a run of numbers stands.
#[derive(Debug, Clone)]
pub struct Rng(fastrand::Rng);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    /// The numbers of one of many things.
    pub fn of_number(seed: u64, number: u64) -> Self {
        Self::new(Self::new(seed).next() ^ number)
    }

    pub fn next(&mut self) -> u64 {
        self.0.u64(..)
    }

    /// A number below a bound; 0 where there is none.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0.usize(..bound.max(1))
    }

    /// True once in so many times.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of several.
    pub fn of<'a, Item>(&mut self, all: &'a [Item]) -> &'a Item {
        &all[self.below(all.len())]
    }

    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next() as u8).collect()
    }

    /// A version 4 UUID.
    pub fn uuid(&mut self) -> String {
        let mut bytes = [0; 16];
        self.0.fill(&mut bytes);
        uuid::Builder::from_random_bytes(bytes).into_uuid().to_string()
    }
}
