//! Reports among the sources, read several at a time on all cores as their bytes come in.

use std::collections::HashSet;

use rayon::prelude::*;

use super::error::BuildError;
use super::report_cache::{ReportCache, ReportKey};
use crate::sources::Assignment;

/// Reports that are in memory at a time, and the bytes at which no more are taken in.
const BATCH: usize = 32;
const BATCH_BYTES: usize = 256 << 20;

/// A report among the sources.
#[derive(Debug)]
pub(super) struct GatheredReport {
    pub(super) source: u32,
    pub(super) key: ReportKey,
    /// Whose it is, where a table or its path says so.
    pub(super) assignment: Option<Assignment>,
}

/// Reports that wait to be read, several at a time.
pub(super) struct WaitingReports<'a> {
    cache: &'a ReportCache,
    waiting: Vec<(GatheredReport, Vec<u8>)>,
    waiting_bytes: usize,
    read: Vec<GatheredReport>,
}

impl<'a> WaitingReports<'a> {
    pub(super) fn new(cache: &'a ReportCache) -> Self {
        Self { cache, waiting: Vec::new(), waiting_bytes: 0, read: Vec::new() }
    }

    /// Takes in a report of a source.
    pub(super) fn add(
        &mut self,
        source: u32,
        assignment: Option<Assignment>,
        bytes: Vec<u8>,
    ) -> Result<(), BuildError> {
        let key = ReportKey::of(&bytes);
        self.waiting_bytes += bytes.len();
        self.waiting.push((GatheredReport { source, key, assignment }, bytes));
        if self.waiting.len() >= BATCH || self.waiting_bytes >= BATCH_BYTES {
            return self.flush();
        }
        Ok(())
    }

    /// Those that were added, in their order; what they say is kept.
    pub(super) fn finish(mut self) -> Result<Vec<GatheredReport>, BuildError> {
        self.flush()?;
        Ok(self.read)
    }

    fn flush(&mut self) -> Result<(), BuildError> {
        let waiting = std::mem::take(&mut self.waiting);
        self.waiting_bytes = 0;
        // Of the same bytes one is read, so that no two write one entry.
        let mut seen = HashSet::new();
        let distinct: Vec<_> = waiting.iter().filter(|(one, _)| seen.insert(one.key)).collect();
        let read: Vec<Result<(), BuildError>> =
            distinct.par_iter().map(|(one, bytes)| self.cache.read(one.key, bytes)).collect();
        read.into_iter().collect::<Result<(), _>>()?;
        self.read.extend(waiting.into_iter().map(|(one, _)| one));
        Ok(())
    }
}
