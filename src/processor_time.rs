//! The processor time that a piece of work takes, on its own thread and on those that help with it.
//!
//! Work is [`measured`] on the thread that it is given to. What hands parts of it to other threads takes
//! the [`Account`] along and charges each part to it. Where nothing is measured this costs nothing.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

thread_local! {
    /// What the work of this thread is charged to.
    static CURRENT: RefCell<Account> = const { RefCell::new(Account(None)) };
    /// What was already charged of the work under way: a thread that waits for parts of its work takes
    /// up others' meanwhile.
    static CHARGED_NS: Cell<u64> = const { Cell::new(0) };
}

/// Where processor time is added up, in nanoseconds; nowhere if nothing is measured.
#[derive(Debug, Clone, Default)]
pub struct Account(Option<Arc<AtomicU64>>);

/// Does some work, and tells the processor time that it took.
pub fn measured<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let sum = Arc::new(AtomicU64::new(0));
    let done = Account(Some(sum.clone())).charge(work);
    (done, Duration::from_nanos(sum.load(Ordering::Relaxed)))
}

impl Account {
    /// That of the work under way on this thread.
    pub fn current() -> Self {
        CURRENT.with_borrow(Self::clone)
    }

    /// Does a part of some work on this thread, whichever that is.
    pub fn charge<T>(&self, work: impl FnOnce() -> T) -> T {
        let _charge = self.0.as_ref().map(Charge::start);
        work()
    }
}

/// Work under way. Dropping it, also while a panic unwinds, charges what it took.
struct Charge {
    sum: Arc<AtomicU64>,
    began_ns: u64,
    /// What this thread did before.
    outer: Account,
    outer_charged_ns: u64,
}

impl Charge {
    fn start(sum: &Arc<AtomicU64>) -> Self {
        let outer = CURRENT.replace(Account(Some(sum.clone())));
        let outer_charged_ns = CHARGED_NS.replace(0);
        Self { sum: sum.clone(), began_ns: thread_ns(), outer, outer_charged_ns }
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        let took_ns = thread_ns().saturating_sub(self.began_ns);
        let own_ns = took_ns.saturating_sub(CHARGED_NS.get());
        self.sum.fetch_add(own_ns, Ordering::Relaxed);
        CHARGED_NS.set(self.outer_charged_ns + took_ns);
        CURRENT.set(std::mem::take(&mut self.outer));
    }
}

/// The processor time that this thread has taken so far.
pub fn of_thread() -> Duration {
    Duration::from_nanos(thread_ns())
}

fn thread_ns() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    // Neither is negative, and 2⁶⁴ nanoseconds are centuries.
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    const PART: Duration = Duration::from_millis(5);

    /// Takes so much processor time of its thread, however long it has to wait for it.
    fn burn(time: Duration) {
        let end = thread_ns() + time.as_nanos() as u64;
        while thread_ns() < end {}
    }

    #[test]
    fn threads_that_help_count() {
        let ((), took) = measured(|| {
            let account = Account::current();
            std::thread::scope(|scope| {
                for _ in 0..3 {
                    scope.spawn(|| account.charge(|| burn(PART)));
                }
            });
            burn(PART);
        });
        assert!(took >= 4 * PART, "{took:?}");
        assert!(Account::current().0.is_none());
    }

    #[test]
    fn what_a_thread_does_for_others_meanwhile_is_not_counted_twice() {
        let (inner, outer) = measured(|| measured(|| burn(10 * PART)).1);
        assert!(inner >= 10 * PART && outer < inner, "{inner:?} {outer:?}");
        let (inner, outer) = measured(|| {
            let account = Account::current();
            // The same work in parts: the thread takes up one while it waits for the other.
            let (_, all) = measured(|| account.charge(|| burn(10 * PART)));
            all
        });
        assert!(outer >= 10 * PART && inner < outer, "{inner:?} {outer:?}");
    }

    #[test]
    fn a_panic_leaves_nothing_behind() {
        let work = || measured(|| -> () { panic!("as planned") });
        assert!(std::panic::catch_unwind(work).is_err());
        assert!(Account::current().0.is_none());
    }
}
