//! What may happen again and again: the log tells it once, and then now and then how often.

use std::time::{Duration, Instant};

/// How long nothing more is told.
const QUIET: Duration = Duration::from_secs(60);

/// Something that may happen again.
#[derive(Debug, Default)]
pub(super) struct Repeated {
    told: Option<Instant>,
    times: u64,
}

impl Repeated {
    /// It happened. Where that is to be told: how often it did since it was told last.
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
