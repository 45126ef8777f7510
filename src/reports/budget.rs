//! What is left of the limits while a report is read.

use super::{Limits, ReportError};

/// Counts work, unpacked bytes and text against the limits of one report.
pub(super) struct Budget {
    limits: Limits,
    /// The page that is being read, from 1; 0 before the first.
    pub(super) page: u32,
    steps: u64,
    unpacked: usize,
    text: usize,
}

impl Budget {
    pub(super) fn new(limits: &Limits) -> Self {
        Self { limits: *limits, page: 0, steps: 0, unpacked: 0, text: 0 }
    }

    /// Counts steps of work.
    pub(super) fn spend(&mut self, steps: usize) -> Result<(), ReportError> {
        self.steps = self.steps.saturating_add(steps as u64);
        if self.steps > self.limits.steps {
            return Err(ReportError::TooMuchWork { page: self.page, max: self.limits.steps });
        }
        Ok(())
    }

    /// Bytes that may still be unpacked.
    pub(super) fn unpackable(&self) -> usize {
        self.limits.unpacked_bytes - self.unpacked
    }

    /// Counts unpacked bytes, which are work too.
    pub(super) fn unpack(&mut self, bytes: usize) -> Result<(), ReportError> {
        if bytes > self.unpackable() {
            let max = self.limits.unpacked_bytes;
            return Err(ReportError::UnpacksTooLong { page: self.page, max });
        }
        self.unpacked += bytes;
        self.spend(bytes)
    }

    /// Counts bytes of text.
    pub(super) fn write(&mut self, bytes: usize) -> Result<(), ReportError> {
        self.text += bytes;
        if self.text > self.limits.text_bytes {
            return Err(ReportError::TooMuchText { page: self.page, max: self.limits.text_bytes });
        }
        Ok(())
    }

    /// Goes on to the next page, and says which it is.
    pub(super) fn turn(&mut self) -> Result<u32, ReportError> {
        if self.page >= self.limits.pages {
            return Err(ReportError::TooManyPages { max: self.limits.pages });
        }
        self.page += 1;
        Ok(self.page)
    }
}
