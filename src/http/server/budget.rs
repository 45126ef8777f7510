//! What the work on a request may cost.
//!
//! Work that goes from row to row asks between two rows whether anything is left, as tasks of tokio do of theirs
//! (`tokio::task::coop`): the budget is that of the thread, so that nothing in between passes it on.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::processor_time::of_thread;

/// CPU time of a request with a key, or of this machine: what is spent between two rows comes on top.
pub const KEYED_CPU_MAX: Duration = Duration::from_millis(1_800);
/// CPU time of a request of an address without a key.
pub const KEYLESS_CPU_MAX: Duration = Duration::from_millis(200);

/// How long before its deadline work has to end, so that what was done is still told.
const ANSWER_TIME: Duration = Duration::from_millis(500);

thread_local! {
    static OF_THREAD: RefCell<Option<Budget>> = const { RefCell::new(None) };
}

/// What is left for the work on a request.
#[derive(Debug, Clone)]
struct Budget {
    /// CPU time of the thread at which nothing is left.
    end: Duration,
    wanted: Wanted,
}

/// Whether an answer is still wanted. By default it always is.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wanted {
    until: Option<Instant>,
    /// Whether somebody waits.
    is_awaited: Option<Arc<AtomicBool>>,
}

/// Waits for an answer until it is dropped.
#[derive(Debug)]
pub(crate) struct Waiting(Arc<AtomicBool>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

impl Wanted {
    /// Wanted until an answer would come too late, or the second is dropped.
    pub(crate) fn until(deadline: Instant) -> (Self, Waiting) {
        let is_awaited = Arc::new(AtomicBool::new(true));
        let until = deadline.checked_sub(ANSWER_TIME);
        (Self { until, is_awaited: Some(is_awaited.clone()) }, Waiting(is_awaited))
    }

    pub(crate) fn holds(&self) -> bool {
        self.until.is_none_or(|until| Instant::now() < until)
            && self.is_awaited.as_ref().is_none_or(|flag| flag.load(Ordering::Relaxed))
    }
}

/// Works within so much CPU time, as long as the answer is wanted. `work` must not panic.
pub(crate) fn within<T>(cpu_max: Duration, wanted: &Wanted, work: impl FnOnce() -> T) -> T {
    let end = of_thread().saturating_add(cpu_max);
    let budget = Budget { end, wanted: wanted.clone() };
    let before = OF_THREAD.replace(Some(budget));
    let made = work();
    OF_THREAD.set(before);
    made
}

/// Whether the work that this thread does has used its budget up; without one it never has.
pub(crate) fn is_spent() -> bool {
    OF_THREAD.with_borrow(|budget| {
        budget.as_ref().is_some_and(|one| !one.wanted.holds() || of_thread() >= one.end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3_600);

    #[test]
    fn a_budget_ends_with_its_time_or_with_who_waits() {
        assert!(!is_spent());
        let (wanted, waiting) = Wanted::until(Instant::now() + HOUR);
        within(HOUR, &wanted, || {
            assert!(!is_spent());
            within(Duration::ZERO, &wanted, || assert!(is_spent()));
            assert!(!is_spent());
            drop(waiting);
            assert!(is_spent());
        });
        assert!(!is_spent());
        let (late, _waiting) = Wanted::until(Instant::now());
        within(Duration::MAX, &late, || assert!(is_spent()));
        within(Duration::MAX, &Wanted::default(), || assert!(!is_spent()));
    }
}
