//! The time of a build: what the system's clock says, and how long each stage takes. Nothing that is built
//! depends on it but the snapshot's name and the time in its manifest.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::error::BuildError;
use super::report::Progress;
use super::vector_progress::BuildProgress;
use crate::record::Timestamp;
use crate::snapshot::directory::Directory;
use crate::sources::Summary;

/// Passes progress on and takes the time of each stage.
pub(super) struct BuildClock<'progress> {
    progress: &'progress dyn Progress,
    now: fn() -> Timestamp,
    stages: Mutex<Vec<(&'static str, Instant)>>,
    /// Tells who serves the snapshot without vectors, once it is published.
    telling: OnceLock<BuildProgress>,
}

impl<'progress> BuildClock<'progress> {
    pub(super) fn new(progress: &'progress dyn Progress, now: fn() -> Timestamp) -> Self {
        Self { progress, now, stages: Mutex::default(), telling: OnceLock::new() }
    }

    pub(super) fn now(&self) -> Timestamp {
        (self.now)()
    }

    /// A snapshot is published that waits for its vectors.
    pub(super) fn searchable(&self, directory: &Directory, snapshot: &str) {
        self.telling.get_or_init(|| BuildProgress::new(directory, snapshot));
        self.progress.searchable(snapshot);
    }

    pub(super) fn stages(&self) -> Vec<(&'static str, Duration)> {
        let end = Instant::now();
        let stages = self.stages.lock().unwrap_or_else(PoisonError::into_inner);
        let ends = stages.iter().skip(1).map(|stage| stage.1).chain([end]);
        stages.iter().zip(ends).map(|((name, start), end)| (*name, end - *start)).collect()
    }
}

impl Progress for BuildClock<'_> {
    fn stage(&self, name: &'static str, total: Option<u64>) {
        let mut stages = self.stages.lock().unwrap_or_else(PoisonError::into_inner);
        stages.push((name, Instant::now()));
        drop(stages);
        if let Some(telling) = self.telling.get() {
            telling.stage(name, total);
        }
        self.progress.stage(name, total);
    }

    fn advance(&self, units: u64) {
        if let Some(telling) = self.telling.get() {
            telling.advance(units);
        }
        self.progress.advance(units);
    }

    fn note(&self, sentence: &str) {
        self.progress.note(sentence);
    }

    fn finish(&self) {
        self.progress.finish();
    }
}

/// Refuses a clock that is behind what a source states: a snapshot would be named as older than it is.
pub(super) fn check(now: Timestamp, source: &Summary) -> Result<(), BuildError> {
    match source.stated().filter(|stated| Timestamp::of_day(*stated) > now) {
        Some(stated) => Err(BuildError::Clock { now, name: source.name.clone(), stated }),
        None => Ok(()),
    }
}
