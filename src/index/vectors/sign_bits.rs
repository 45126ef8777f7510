//! Estimates the score of a node from its bits, without its row.
//!
//! The bits are an eighth of a row, and those of all nodes together stay in memory where the rows do
//! not. The sum of the query's components at which a node's bit is set goes with its score, nearly in
//! a straight line; which line, and how far scores lie off it, differs from question to question, so
//! a walk learns it from the rows that it reads. The one side of the estimate being exact, it is about
//! as good as RaBitQ's (Gao and Long, 2024), which rotates vectors first.

use std::array;
use std::cell::Cell;

use super::kernel::{Kernel, PLANES, Planes};

/// Rows that are read before any is passed over.
const LEARNT_MIN: f64 = 64.0;

/// How far above the line a score may lie that is counted on, in standard deviations of scores from
/// it. Nodes that lie higher are lost to the walk: with 1.5 and 2 recall is the same to the third
/// digit, and with 1 it is 0.001 less (`benches/oracles`, 1,900,000 organizations).
const DEVIATIONS: f64 = 1.5;

/// The largest component of a query in its planes.
const LARGEST: f32 = ((1 << (PLANES - 1)) - 1) as f32;

/// Sums of a query's components by bits, and the scores estimated from them.
#[derive(Debug)]
pub(super) struct DistanceEstimator {
    kernel: Kernel,
    planes: Vec<Planes>,
    line: Cell<Line>,
}

/// The straight line through scores by sums, by least squares, kept up row by row.
#[derive(Debug, Clone, Copy, Default)]
struct Line {
    count: f64,
    sum_mean: f64,
    score_mean: f64,
    /// Of the differences from the means: squares of sums, squares of scores, products of both.
    sum_squares: f64,
    score_squares: f64,
    products: f64,
}

impl DistanceEstimator {
    /// Of the components of a query, none of them infinite.
    pub(super) fn of(query: &[f32], kernel: Kernel) -> Self {
        let largest = query.iter().fold(f32::MIN_POSITIVE, |most, x| most.max(x.abs()));
        let planes = |components: &[f32]| {
            let mut planes = [0; PLANES];
            for (at, component) in components.iter().enumerate() {
                let part = (component / largest * LARGEST).round() as i8;
                let bits: Planes = array::from_fn(|plane| (part >> plane & 1) as u64);
                planes.iter_mut().zip(bits).for_each(|(plane, bit)| *plane |= bit << at);
            }
            planes
        };
        Self { kernel, planes: query.chunks(64).map(planes).collect(), line: Cell::default() }
    }

    /// The sum of the components at which a bit is set.
    #[inline]
    pub(super) fn sum(&self, bits: &[u8]) -> i32 {
        (self.kernel.sum_bits)(&self.planes, bits)
    }

    /// Learns from a row that was read.
    #[inline]
    pub(super) fn learn(&self, sum: i32, score: f32) {
        let mut line = self.line.get();
        line.add(sum.into(), score.into());
        self.line.set(line);
    }

    /// The least sum of nodes that are counted on to score more than this.
    #[inline]
    pub(super) fn least(&self, score: f32) -> f64 {
        self.line.get().least(score.into())
    }
}

impl Line {
    #[inline]
    fn add(&mut self, sum: f64, score: f64) {
        self.count += 1.0;
        let (sum_off, score_off) = (sum - self.sum_mean, score - self.score_mean);
        self.sum_mean += sum_off / self.count;
        self.score_mean += score_off / self.count;
        let score_left = score - self.score_mean;
        self.sum_squares += sum_off * (sum - self.sum_mean);
        self.score_squares += score_off * score_left;
        self.products += sum_off * score_left;
    }

    fn least(&self, score: f64) -> f64 {
        if self.count < LEARNT_MIN || self.products <= 0.0 {
            return f64::NEG_INFINITY;
        }
        let slope = self.products / self.sum_squares;
        let off = (self.score_squares - slope * self.products).max(0.0) / self.count;
        self.sum_mean + (score - DEVIATIONS * off.sqrt() - self.score_mean) / slope
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::kernel::{PORTABLE, available};
    use super::super::tests::Rng;
    use super::*;

    #[test]
    fn passes_over_nothing_before_it_knows() {
        let estimator = DistanceEstimator::of(&[1.0; 16], PORTABLE);
        for sum in 0..63 {
            estimator.learn(sum, 0.5 + sum as f32);
        }
        assert_eq!(estimator.least(1e6), f64::NEG_INFINITY);
        estimator.learn(63, 63.5);
        assert!((estimator.least(100.5) - 100.0).abs() < 1e-3);
        // Scores that fall with sums tell nothing.
        let estimator = DistanceEstimator::of(&[1.0; 16], PORTABLE);
        (0..100).for_each(|sum| estimator.learn(sum, -(sum as f32)));
        assert_eq!(estimator.least(0.0), f64::NEG_INFINITY);
    }

    #[test]
    fn passes_over_few_that_score_as_much() {
        let mut chance = Rng(5);
        let estimator = DistanceEstimator::of(&[1.0; 16], PORTABLE);
        let mut drawn = || {
            let sum = chance.below(1000) as i32;
            (sum, sum as f32 / 10.0 + 3.0 * (chance.next() + chance.next() + chance.next() - 1.5))
        };
        (0..1000).for_each(|_| {
            let (sum, score) = drawn();
            estimator.learn(sum, score);
        });
        let least = estimator.least(50.0);
        let (mut missed, mut above, mut read) = (0, 0, 0);
        for _ in 0..10_000 {
            let (sum, score) = drawn();
            let is_read = f64::from(sum) >= least;
            above += usize::from(score > 50.0);
            missed += usize::from(score > 50.0 && !is_read);
            read += usize::from(is_read);
        }
        assert!(missed * 100 < above, "{missed} of {above}");
        assert!(read < above + 700, "{read} for {above}");
    }

    proptest! {
        #[test]
        fn sums_what_is_set(query in prop::collection::vec(-1.0_f32..1.0, 1..200), seed: u64) {
            let mut chance = Rng(seed);
            let bits: Vec<u8> =
                (0..query.len().div_ceil(64) * 8).map(|_| chance.below(256) as u8).collect();
            let largest = query.iter().fold(f32::MIN_POSITIVE, |most, x| most.max(x.abs()));
            let expected: i32 = query
                .iter()
                .enumerate()
                .filter(|(at, _)| bits[at / 8] >> (at % 8) & 1 == 1)
                .map(|(_, x)| (x / largest * LARGEST).round() as i32)
                .sum();
            for kernel in available() {
                prop_assert_eq!(DistanceEstimator::of(&query, kernel).sum(&bits), expected, "{}", kernel.name);
            }
        }
    }
}
