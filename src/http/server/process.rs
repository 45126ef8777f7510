//! Figures of this process from `/proc/self`: memory, files, time. Those that cannot be read
//! (another system, a container without `/proc`) are left out.

use std::fs;

/// Ticks a second in which Linux counts processor time for `/proc`: 100 on every architecture that
/// it runs on, whatever its own clock.
const TICKS_PER_SECOND: f64 = 100.0;

/// A figure: name, kind, what it is, value.
pub(crate) type Figure<'a> = (&'a str, &'a str, &'a str, f64);

/// Every figure that is known, under the names that Prometheus' own clients use, and beside the
/// resident memory the part of it that is not of files.
pub(crate) fn figures() -> Vec<Figure<'static>> {
    let mut figures = Vec::new();
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    for (field, name, help) in [
        ("VmRSS:", "process_resident_memory_bytes", "Memory in use, mapped files included."),
        ("RssAnon:", "process_anonymous_memory_bytes", "Memory in use that is not of files."),
        ("VmSize:", "process_virtual_memory_bytes", "Addresses in use."),
    ] {
        if let Some(bytes) = kibibytes(&status, field) {
            figures.push((name, "gauge", help, bytes * 1024.0));
        }
    }
    if let Ok(folder) = fs::read_dir("/proc/self/fd") {
        // One of them is the folder itself.
        let open = folder.count().saturating_sub(1) as f64;
        figures.push(("process_open_fds", "gauge", "Files and connections open.", open));
    }
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    if let Some(most) = open_files_max(&limits) {
        figures.push(("process_max_fds", "gauge", "Files and connections allowed.", most));
    }
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    if let Some(seconds) = processor_seconds(&stat) {
        figures.push(("process_cpu_seconds_total", "counter", "Processor time.", seconds));
    }
    figures
}

/// The number of a line such as `VmRSS:     1234 kB`.
fn kibibytes(status: &str, field: &str) -> Option<f64> {
    let rest = status.lines().find_map(|line| line.strip_prefix(field))?;
    rest.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// The soft limit of a line such as `Max open files   1024   1048576   files`.
fn open_files_max(limits: &str) -> Option<f64> {
    let rest = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    rest.split_whitespace().next()?.parse().ok()
}

/// User and system time: fields 14 and 15, counted from behind the name, which may hold blanks.
fn processor_seconds(stat: &str) -> Option<f64> {
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / TICKS_PER_SECOND)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_proc() {
        let status = "Name:\talmoner\nVmSize:\t  2048 kB\nVmRSS:\t     12 kB\nRssAnon:\tx kB\n";
        assert_eq!(kibibytes(status, "VmRSS:"), Some(12.0));
        assert_eq!(kibibytes(status, "RssAnon:"), None);
        assert_eq!(kibibytes(status, "RssFile:"), None);
        let limits = "Limit  Soft Limit  Hard Limit  Units\nMax open files   1024   4096   files\n";
        assert_eq!(open_files_max(limits), Some(1024.0));
        assert_eq!(open_files_max("Max open files   unlimited   unlimited   files"), None);
        let stat = "7 (a ) b) S 1 7 7 0 -1 4194560 1 2 3 4 250 50 0 0 20 0 4 0 99";
        assert_eq!(processor_seconds(stat), Some(3.0));
        assert_eq!(processor_seconds(""), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_has_memory_files_and_time() {
        let names: Vec<_> = figures().iter().map(|figure| figure.0).collect();
        assert_eq!(names.len(), 6, "{names:?}");
        assert!(figures().iter().all(|figure| figure.3 >= 0.0));
    }
}
