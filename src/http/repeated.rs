//! An event that may recur: the log reports it once, and then how often it has recurred, at intervals.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The interval between two reports.
const QUIET: Duration = Duration::from_secs(60);

/// An event that may recur, on any thread.
#[derive(Debug, Default)]
pub(super) struct Repeated(Mutex<Occurrences>);

#[derive(Debug, Default)]
struct Occurrences {
    reported: Option<Instant>,
    since: u64,
}

impl Repeated {
    /// Counts an occurrence. If a report is due: how many occurred since the last one.
    pub(super) fn times(&self, now: Instant) -> Option<u64> {
        let mut occurrences = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        occurrences.since += 1;
        let is_quiet = |reported| now.saturating_duration_since(reported) < QUIET;
        if occurrences.reported.is_some_and(is_quiet) {
            return None;
        }
        occurrences.reported = Some(now);
        Some(std::mem::take(&mut occurrences.since))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_time_at_once_then_counts() {
        let (repeated, start) = (Repeated::default(), Instant::now());
        assert_eq!(repeated.times(start), Some(1));
        for second in 1..QUIET.as_secs() {
            assert_eq!(repeated.times(start + Duration::from_secs(second)), None);
        }
        assert_eq!(repeated.times(start + QUIET), Some(QUIET.as_secs()));
        assert_eq!(repeated.times(start + 3 * QUIET), Some(1));
    }
}
