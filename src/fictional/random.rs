//! A small seeded generator of numbers and dates: SplitMix64, one independent stream an organization.
//!
//! Integers only: floating-point logarithms differ between platforms, and the same seed has to
//! give the same bytes everywhere. Amounts are drawn from a table of quantiles instead.

use crate::record::Timestamp;

/// One stream of pseudo-random numbers.
#[derive(Debug, Clone)]
pub(super) struct Random(u64);

/// The increment of SplitMix64: 2⁶⁴ divided by the golden ratio, odd.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// Scale of the probabilities in a table of quantiles: one part in ten million.
pub(super) const PARTS: u64 = 10_000_000;

/// 2026-11-01T00:00:00Z, in seconds since 1970: nothing is dated later. Fixed, so that the same
/// options give the same bytes on any day.
const END_SECONDS: u64 = 1_793_491_200;

const DAY_SECONDS: u64 = 86_400;

/// Five years.
const POSTED_DAYS: u64 = 1_826;

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

    /// A moment by day within the five years before the end, recent ones more frequent.
    pub(super) fn moment(&mut self) -> String {
        let bound = if self.chance(500) { POSTED_DAYS } else { self.below(POSTED_DAYS) + 1 };
        let days = 1 + self.below(bound);
        // Hours of 8 to 19, in steps of five minutes.
        let seconds = 8 * 3600 + self.below(12 * 12) * 300;
        timestamp(END_SECONDS - days * DAY_SECONDS + seconds)
    }

    /// A day of a year, before the end; midnight in UTC.
    pub(super) fn day(&mut self, year: u64) -> String {
        let years = 2026_u64.saturating_sub(year);
        let days = years * 365 + (10 + self.below(300)).min(303);
        timestamp(END_SECONDS - days * DAY_SECONDS)
    }
}

fn timestamp(seconds: u64) -> String {
    Timestamp::from_seconds(seconds).map_or_else(String::new, |moment| moment.to_string())
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

    #[test]
    fn dates_stay_in_their_ranges() {
        let mut random = Random::new(4, 4);
        for _ in 0..2_000 {
            let posted = random.moment();
            assert!(("2021-11-01".."2026-11-01").contains(&&*posted), "{posted}");
            for year in [2022, 2024, 2026, 2027] {
                let added = random.day(year);
                assert!(added[..4] == year.min(2026).to_string(), "{year}: {added}");
            }
        }
    }
}
