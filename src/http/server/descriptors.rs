//! Open files of the process: connections get what is left of those that the system allows.

use std::io;

use rustix::io::Errno;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Files that a server opens beside connections: those of two snapshots while one is swapped in, the listener, the log.
const OTHERS: u64 = 160;
/// Connections where hardly any files are left.
const CONNECTIONS_MIN: usize = 8;

/// How many connections, at most `most`, there are file descriptors for, after raising the process's soft limit to the
/// hard one.
pub(crate) fn connections_max(most: usize) -> usize {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
    let files = match setrlimit(Resource::Nofile, raised) {
        Ok(()) => limit.maximum,
        Err(_) => limit.current,
    };
    files.map_or(most, |files| connections_of(files, most))
}

fn connections_of(files: u64, most: usize) -> usize {
    let left = usize::try_from(files.saturating_sub(OTHERS)).unwrap_or(usize::MAX);
    left.clamp(CONNECTIONS_MIN, most)
}

/// Whether no connection was accepted because there are no files left for it.
pub(crate) fn are_used_up(error: &io::Error) -> bool {
    let code = Errno::from_io_error(error);
    code.is_some_and(|code| [Errno::MFILE, Errno::NFILE].contains(&code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_get_the_files_that_are_left() {
        let of = |files| connections_of(files, 500);
        assert_eq!([of(64), of(256), of(1 << 20)], [CONNECTIONS_MIN, 96, 500]);
        assert!(are_used_up(&Errno::MFILE.into()) && !are_used_up(&Errno::CONNABORTED.into()));
        let files = getrlimit(Resource::Nofile);
        assert!(connections_max(500) >= CONNECTIONS_MIN);
        assert_eq!(getrlimit(Resource::Nofile).current, files.maximum);
    }
}
