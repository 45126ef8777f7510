//! Times of one kind of thing, and which of them so many stay below.

use std::fmt;
use std::time::Duration;

use almoner::record::thousands;

#[derive(Debug, Clone, Default)]
pub struct Times {
    times: Vec<Duration>,
    is_sorted: bool,
}

impl Times {
    pub fn add(&mut self, time: Duration) {
        self.times.push(time);
        self.is_sorted = false;
    }

    pub fn join(&mut self, other: Self) {
        self.times.extend(other.times);
        self.is_sorted = false;
    }

    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// The time that a share of them (0 to 1) does not exceed; zero if there are none.
    pub fn at(&mut self, share: f64) -> Duration {
        if !self.is_sorted {
            self.times.sort_unstable();
            self.is_sorted = true;
        }
        let last = self.times.len().saturating_sub(1);
        let position = (self.times.len() as f64 * share).ceil() as usize;
        self.times.get(position.saturating_sub(1).min(last)).copied().unwrap_or_default()
    }

    pub fn max(&mut self) -> Duration {
        self.at(1.0)
    }

    /// `p50 0.21 ms, p99 1.20 ms, max 3.00 ms of 2,000`.
    pub fn summary(&mut self) -> String {
        let [p50, p99, max] = [0.5, 0.99, 1.0].map(|share| Ms(self.at(share)));
        format!("p50 {p50}, p99 {p99}, max {max} of {}", thousands(self.times.len() as u64))
    }
}

/// A time in milliseconds.
#[derive(Debug, Clone, Copy)]
pub struct Ms(pub Duration);

impl fmt::Display for Ms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = self.0.as_secs_f64() * 1e3;
        match ms {
            ..10.0 => write!(f, "{ms:.2} ms"),
            10.0..1000.0 => write!(f, "{ms:.0} ms"),
            _ => write!(f, "{:.1} s", ms / 1e3),
        }
    }
}
