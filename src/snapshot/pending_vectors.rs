//! How far a build is that makes the vectors of a snapshot which is published without them: told to who
//! serves it by a file of one line, `vectors.progress`.
//!
//! The file is written anew every second and removed when the build ends; one that was not touched for a
//! while was left by a build that was killed, and says nothing.

use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::directory::Directory;
use super::embedding::EMBEDDING;

/// How often the file is written.
const TELL_EVERY: Duration = Duration::from_secs(1);
/// After this long without a word the build is no more.
const SILENCE_MAX: Duration = Duration::from_secs(60);
/// The part of the work that embedding is; the rest is linking what was embedded.
const EMBEDDING_PART: f64 = 0.8;

/// A snapshot that waits for its vectors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PendingVectors {
    /// How much of the work is done, 0 to 1; `None` where no build is at it.
    pub share: Option<f64>,
}

/// Tells how far a build is.
#[derive(Debug)]
pub(super) struct BuildProgress {
    file: PathBuf,
    snapshot: String,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// The share before this stage, and how much of all it is.
    begun: f64,
    part: f64,
    done: u64,
    total: u64,
    told: Option<Instant>,
}

impl BuildProgress {
    /// Of vectors for a snapshot.
    pub(super) fn new(directory: &Directory, snapshot: &str) -> Self {
        let state = State { begun: 0.0, part: 0.0, done: 0, total: 1, told: None };
        let telling = Self {
            file: directory.vector_progress(),
            snapshot: snapshot.to_owned(),
            state: Mutex::new(state),
        };
        telling.tell(|_| ());
        telling
    }

    /// A stage of the build begins.
    pub(super) fn stage(&self, name: &str, total: Option<u64>) {
        let (begun, part) = match name {
            EMBEDDING => (0.0, EMBEDDING_PART),
            "linking vectors" => (EMBEDDING_PART, 1.0 - EMBEDDING_PART),
            _ => return,
        };
        self.tell(|state| {
            // Several sets are linked, the greatest first.
            if begun > state.begun || state.part == 0.0 {
                (state.begun, state.part, state.done) = (begun, part, 0);
                state.total = total.unwrap_or(0).max(1);
            }
        });
    }

    /// So many units of the stage are done.
    pub(super) fn advance(&self, units: u64) {
        self.tell(|state| state.done += units);
    }

    fn tell(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        change(&mut state);
        if state.told.is_some_and(|told| told.elapsed() < TELL_EVERY) {
            return;
        }
        state.told = Some(Instant::now());
        let done = (state.done as f64 / state.total as f64).min(1.0);
        let share = state.begun + state.part * done;
        // Who waits sees the last figure a little longer if this fails.
        let next = self.file.with_extension("progress.tmp");
        let written = fs::write(&next, format!("{} {share:.4}\n", self.snapshot));
        let _ = written.and_then(|()| fs::rename(&next, &self.file));
    }
}

impl Drop for BuildProgress {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.file);
    }
}

/// How far the build of a snapshot's vectors is.
pub(super) fn awaited(directory: &Directory, snapshot: &str) -> PendingVectors {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_far_a_build_is_can_be_read_while_it_runs() {
        let folder = tempfile::tempdir().unwrap();
        let directory = Directory::new(folder.path());
        assert_eq!(awaited(&directory, "a").share, None);
        let telling = BuildProgress::new(&directory, "a");
        assert_eq!(awaited(&directory, "a").share, Some(0.0));
        let told = |telling: &BuildProgress| {
            telling.state.lock().unwrap().told = None;
            telling.advance(0);
            awaited(&directory, "a").share.unwrap()
        };
        telling.stage("writing records", Some(7));
        telling.stage(EMBEDDING, Some(200));
        telling.advance(100);
        assert_eq!(told(&telling), 0.4);
        telling.stage("linking vectors", Some(10));
        telling.advance(5);
        assert_eq!(told(&telling), 0.9);
        telling.advance(50);
        telling.stage("linking vectors", Some(10));
        assert_eq!(told(&telling), 1.0);
        assert_eq!(awaited(&directory, "b").share, None);
        drop(telling);
        assert_eq!(awaited(&directory, "a").share, None);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
