//! Memory of this process, as Linux tells it; 0 elsewhere.

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

/// Between two looks at the memory that is in use.
const EVERY: Duration = Duration::from_micros(200);

/// Most bytes that were resident, mapped files included.
pub fn peak_resident() -> u64 {
    value("/proc/self/status", "VmHWM:")
}

/// Anonymous bytes.
pub fn anonymous() -> u64 {
    value("/proc/self/smaps_rollup", "Anonymous:")
}

/// Most anonymous bytes while something is done, by looking again and again.
pub fn most_anonymous(work: impl FnOnce()) -> u64 {
    let (is_done, most) = (AtomicBool::new(false), AtomicU64::new(0));
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                most.fetch_max(value("/proc/self/status", "RssAnon:"), Ordering::Relaxed);
                thread::sleep(EVERY);
            }
        });
        work();
        is_done.store(true, Ordering::Relaxed);
    });
    most.into_inner()
}

fn value(path: &str, name: &str) -> u64 {
    let text = fs::read_to_string(path).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse().map_or(0, |kilobytes: u64| kilobytes * 1024)
}
