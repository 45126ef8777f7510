//! How far a build is that makes the vectors of a snapshot which is published without them, as the
//! build tells whoever serves it: a file of one line, `vectors.progress`.
//!
//! The build writes the file anew every second and removes it when it ends; one that was not touched
//! for a while was left by a build that was killed, and says nothing.

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
