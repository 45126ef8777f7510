//! A small seeded generator of numbers: SplitMix64, one independent stream an organization.
//!
//! Integers only: floating-point logarithms differ between platforms, and the same seed has to
//! give the same bytes everywhere. Amounts are drawn from a table of quantiles instead.

/// One stream of pseudo-random numbers.
#[derive(Debug, Clone)]
pub(super) struct Random(u64);

/// The increment of SplitMix64: 2⁶⁴ divided by the golden ratio, odd.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// Scale of the probabilities in a table of quantiles: one part in ten million.
pub(super) const PARTS: u64 = 10_000_000;

impl Random {
    /// The stream numbered `stream` of a seed.
    pub(super) fn new(seed: u64, stream: u64) -> Self {
        let mut outer = Self(seed);
        let mut inner = Self(outer.next() ^ stream.wrapping_mul(GOLDEN));
        Self(inner.next())
    }

    /// 64 random bits.
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// A number below `bound`; 0 when that is 0.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    /// A number below `bound` whose low values are far more frequent: half of them lie below a
    /// quarter of it.
    pub(super) fn skewed(&mut self, bound: u64) -> u64 {
        let root = self.below(1 << 31);
        ((u128::from(root * root) * u128::from(bound)) >> 62) as u64
    }

    /// Whether something of `per_mille` in a thousand happens.
    pub(super) fn chance(&mut self, per_mille: u64) -> bool {
        self.below(1000) < per_mille
    }

    /// One item of a list that is not empty, each as likely.
    pub(super) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }

    /// One item by its weight.
    pub(super) fn weighted<T: Copy>(&mut self, items: &[(u64, T)]) -> T {
        let mut left = self.below(items.iter().map(|(weight, _)| weight).sum());
        for (weight, item) in items {
            if left < *weight {
                return *item;
            }
            left -= weight;
        }
        items[0].1
    }

    /// A value of the distribution whose quantiles are `(parts of` [`PARTS`]`, value)`, ascending
    /// from 0 to all of them. Between two quantiles it leans to the lower, as a long tail does.
    pub(super) fn quantile(&mut self, table: &[(u64, u64)]) -> u64 {
        let at = self.below(PARTS);
        let upper = table.partition_point(|(part, _)| *part <= at).clamp(1, table.len() - 1);
        let ((from, low), (to, high)) = (table[upper - 1], table[upper]);
        let (done, width) = (u128::from(at - from), u128::from(to - from));
        low + (u128::from(high - low) * done * done / (width * width)) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_repeat_and_differ() {
        let draw = |seed, stream| {
            let mut random = Random::new(seed, stream);
            [random.next(), random.next()]
        };
        assert_eq!(draw(1, 2), draw(1, 2));
        assert_ne!(draw(1, 2), draw(1, 3));
        assert_ne!(draw(1, 2), draw(2, 2));
    }

    #[test]
    fn draws_stay_in_range() {
        let mut random = Random::new(7, 7);
        for _ in 0..10_000 {
            assert!(random.below(3) < 3);
            assert!(random.skewed(10) < 10);
            let value = random.quantile(&[(0, 5), (PARTS / 2, 10), (PARTS, 1000)]);
            assert!((5..=1000).contains(&value));
        }
        assert_eq!(random.below(0), 0);
        assert_eq!(random.weighted(&[(0, 'a'), (9, 'b')]), 'b');
    }
}
