//! When an organization gets stories, posts and so on, while organizations are made one after the
//! other and not kept: each time, as many as are due by then.

use std::ops::Range;

use super::random::Random;

/// How well an organization suits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    /// As well as any.
    Well,
    /// Only when no other came for long.
    Poorly,
    /// Not at all.
    Never,
}

/// Items of one kind, spread over all organizations. Their numbers run from 0.
#[derive(Debug)]
pub(super) struct Schedule {
    seed: u64,
    total: u64,
    issued: u64,
    /// Most that one organization waits for; 1 when it gets one only.
    burst_max: u64,
}

impl Schedule {
    /// `total` items, an organization `burst_max` of them or, where organizations are few, more.
    /// If it is 1, an organization has one at most, and there are fewer where few suit.
    pub(super) fn new(total: u64, burst_max: u64, seed: u64) -> Self {
        Self { seed, total, issued: 0, burst_max }
    }

    /// Numbers of the items that the organization made last gets, when `done` of `all` are made.
    pub(super) fn due(&mut self, done: u64, all: u64, fit: Fit) -> Range<u64> {
        let owed = (self.total * done / all.max(1)).saturating_sub(self.issued);
        // How many must be due before one organization gets them all.
        let wanted = 1 + Random::new(self.seed, self.issued).skewed(self.burst_max);
        let enough = match fit {
            Fit::Well => wanted,
            Fit::Poorly => wanted + self.burst_max,
            Fit::Never => u64::MAX,
        };
        if owed < enough {
            return 0..0;
        }
        self.take(if self.burst_max == 1 { 1 } else { owed })
    }

    /// Numbers of the items that are left when all organizations are made.
    pub(super) fn rest(&mut self) -> Range<u64> {
        self.take(if self.burst_max == 1 { 0 } else { self.total - self.issued })
    }

    fn take(&mut self, count: u64) -> Range<u64> {
        let numbers = self.issued..self.issued + count;
        self.issued += count;
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a schedule; every `fit_every`-th organization suits. Returns what each got.
    fn run(mut schedule: Schedule, organizations: u64, fit_every: u64) -> Vec<Range<u64>> {
        let mut got: Vec<_> = (1..=organizations)
            .map(|done| {
                let fit = if done % fit_every == 0 { Fit::Well } else { Fit::Never };
                schedule.due(done, organizations, fit)
            })
            .collect();
        got.push(schedule.rest());
        got
    }

    #[test]
    fn every_item_is_issued_once_in_order() {
        for (total, organizations) in [(0, 5), (1, 10), (24, 10), (200, 1000), (5_000, 7)] {
            let got = run(Schedule::new(total, 6, 3), organizations, 3);
            let issued: Vec<u64> = got.iter().cloned().flatten().collect();
            assert_eq!(issued, (0..total).collect::<Vec<_>>(), "{total} {organizations}");
        }
    }

    #[test]
    fn a_single_one_each() {
        let got = run(Schedule::new(25, 1, 3), 1000, 2);
        assert!(got.iter().all(|range| range.end - range.start <= 1));
        assert_eq!(got.into_iter().flatten().count(), 25);
    }

    #[test]
    fn bursts_differ_in_length() {
        let got = run(Schedule::new(1000, 12, 3), 10_000, 1);
        let lengths: std::collections::BTreeSet<_> =
            got.iter().map(|range| range.end - range.start).collect();
        assert!(lengths.len() > 8, "{lengths:?}");
    }
}
