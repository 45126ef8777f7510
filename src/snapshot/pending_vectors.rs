//! The progress of the build that makes the vectors of a snapshot published without them, reported
//! to servers in a file of one line, `vectors.progress`.
//!
//! The build rewrites the file every second and removes it when it ends; a file that was not
//! touched for a while was left by a killed build, and is ignored.

use std::fs;
use std::time::Duration;

use super::directory::Directory;

/// How old the file may be.
const SILENCE_MAX: Duration = Duration::from_secs(60);

/// A snapshot that waits for its vectors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PendingVectors {
    /// How much of the work is done, 0 to 1; `None` where no build is at it.
    pub share: Option<f64>,
}

/// How far the build of a snapshot's vectors is.
pub(crate) fn awaited(directory: &Directory, snapshot: &str) -> PendingVectors {
    let read = || {
        let path = directory.vector_progress();
        let age = fs::metadata(&path).ok()?.modified().ok()?.elapsed().unwrap_or_default();
        let line = fs::read_to_string(path).ok()?;
        let (of, share) = line.trim_end().split_once(' ')?;
        let share = share.parse().ok().filter(|share| (0.0..=1.0).contains(share))?;
        (of == snapshot && age <= SILENCE_MAX).then_some(share)
    };
    PendingVectors { share: read() }
}
