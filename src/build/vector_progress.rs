//! Tells whoever serves a snapshot how far the build of its vectors is ([`crate::snapshot::PendingVectors`]).

use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::embedding::EMBEDDING;
use crate::snapshot::directory::Directory;

/// How often the file is written.
const TELL_EVERY: Duration = Duration::from_secs(1);
/// The part of the work that embedding is; the rest is linking what was embedded.
const EMBEDDING_PART: f64 = 0.8;

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

    /// Counts further units of the stage as done.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::pending_vectors::awaited;

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
