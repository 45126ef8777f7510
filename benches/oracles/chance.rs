//! Numbers by chance, the same in every run.

/// A linear congruential generator (Knuth's constants); the upper bits are what is used.
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0
    }

    /// 0 to `bound` less 1; 0 where there is no room.
    pub fn below(&mut self, bound: usize) -> usize {
        ((self.next() >> 33) % (bound.max(1) as u64)) as usize
    }

    /// 0 to 1, which it never is.
    pub fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// One of some.
    pub fn one<'a, Item>(&mut self, of: &'a [Item]) -> &'a Item {
        &of[self.below(of.len())]
    }
}
