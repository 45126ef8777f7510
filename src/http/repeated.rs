//! An event that may recur: the log reports it once, and then how often it has recurred, at intervals.

use std::time::{Duration, Instant};

/// The interval between two reports.
const QUIET: Duration = Duration::from_secs(60);

/// An event that may recur.
#[derive(Debug, Default)]
pub(super) struct Repeated {
    told: Option<Instant>,
    times: u64,
}

impl Repeated {
    /// Counts an occurrence. If a report is due: how many occurred since the last one.
    pub(super) fn times(&mut self, now: Instant) -> Option<u64> {
        self.times += 1;
        if self.told.is_some_and(|told| now.duration_since(told) < QUIET) {
            return None;
        }
        self.told = Some(now);
        Some(std::mem::take(&mut self.times))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_time_at_once_then_counts() {
        let (mut repeated, start) = (Repeated::default(), Instant::now());
        assert_eq!(repeated.times(start), Some(1));
        for second in 1..QUIET.as_secs() {
            assert_eq!(repeated.times(start + Duration::from_secs(second)), None);
        }
        assert_eq!(repeated.times(start + QUIET), Some(QUIET.as_secs()));
        assert_eq!(repeated.times(start + 3 * QUIET), Some(1));
    }
}
