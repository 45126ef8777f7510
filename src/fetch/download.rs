//! Gets files into the folder, one after the other: attempts and the waits between them, the check of
//! what came, and its place in the folder and in the manifest.

use std::fs::File;
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::attempt::Run;
use super::error::{Failure, FetchError, FileError};
use super::manifest::Entry;
use super::options::{FetchedFile, Options};
use super::partial::{Description, Partial};
use super::plan::Item;
use crate::durable;
use crate::record::Timestamp;
use crate::sources::{self, DiscoverError, SourceKind};

/// How much further an attempt must get for the count of those that failed to begin again: less than
/// that an outage lets through, and a file has so few of it that attempts end.
const PROGRESS_BYTES: u64 = 1024 * 1024;

/// Doublings after which any first wait is above any longest: shifting further would overflow.
const DOUBLINGS_MAX: u32 = 20;

/// Whether a file must be at the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Requirement {
    /// It is a failure when it is not.
    Required,
    /// It may be missing.
    IfThere,
}

/// What came of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DownloadOutcome {
    /// It is in the folder, as the server has it.
    File,
    /// The server has none, and need not.
    Absent,
    /// It was given up, and the report says so.
    Failed,
}

impl Run<'_> {
    /// Counts files in that are going to be downloaded.
    pub(super) fn plan(&mut self, files: usize) {
        self.planned += files as u64;
        self.progress.planned(self.planned);
    }

    /// Reports something that is not a failure.
    pub(super) fn warn(&mut self, text: String) {
        self.progress.warned(&text);
        self.report.warnings.push(text);
    }

    /// Gives a file up.
    pub(super) fn fail(&mut self, failure: Failure) {
        self.progress.failed(&failure);
        self.report.failures.push(failure);
    }

    /// Gets a file. What concerns it alone goes into the report.
    ///
    /// # Errors
    /// What keeps every further file from being downloaded too.
    pub(super) async fn file(
        &mut self,
        item: &Item,
        need: Requirement,
    ) -> Result<DownloadOutcome, FetchError> {
        let mut item = item.clone();
        if let Some(base) = &self.options.base_url {
            item.address = item.address.on(base);
        }
        let partial = Partial::new(&self.options.folder, &item.name);
        let kept = partial.resume(&item.address).map_or(0, |resume| resume.synced);
        let (mut attempts, mut failed, mut furthest) = (0, 0, kept);
        let error = loop {
            attempts += 1;
            let error = match self.attempt(&item, &partial).await {
                Ok(()) => return Ok(DownloadOutcome::File),
                Err(FileError::Run(error)) => return Err(error),
                Err(error) => error,
            };
            if error.is_of_bytes() {
                partial.discard();
            }
            if partial.bytes() >= furthest.saturating_add(PROGRESS_BYTES) {
                (failed, furthest) = (0, partial.bytes());
            }
            failed += 1;
            if !error.may_pass() || failed > self.options.retries {
                break error;
            }
            match wait(self.options, failed, &error) {
                Ok(wait) => {
                    self.progress.retried(&item.name, &error, wait);
                    tokio::time::sleep(wait).await;
                }
                Err(error) => break error,
            }
        };
        if need == Requirement::IfThere && error.is_absence() {
            self.progress.absent(&item.name);
            return Ok(DownloadOutcome::Absent);
        }
        self.fail(Failure { name: item.name, address: item.address.to_string(), attempts, error });
        Ok(DownloadOutcome::Failed)
    }

    /// Gets a file, or fails to, once.
    async fn attempt(&mut self, item: &Item, partial: &Partial) -> Result<(), FileError> {
        let folder = &self.options.folder;
        let known = self.manifest.known(folder, &item.name, &item.address.to_string());
        let (bytes, is_new) = match self.receive(item, partial, known).await? {
            Some(part) => (self.finish(item, partial, part)?, true),
            None => (known.map_or(0, |entry| entry.bytes), false),
        };
        match is_new {
            true => self.progress.done(&item.name, bytes),
            false => self.progress.unchanged(&item.name, bytes),
        }
        self.report.files.push(FetchedFile { name: item.name.clone(), bytes, is_new });
        Ok(())
    }

    /// Puts a file that came whole into its place; gives its bytes.
    fn finish(
        &mut self,
        item: &Item,
        partial: &Partial,
        part: Description,
    ) -> Result<u64, FileError> {
        self.progress.checking(&item.name);
        let resumed = part.synced > 0;
        check(partial.path(), item.kind).map_err(|why| FileError::Content { why, resumed })?;
        let entry = seal(partial.path(), part).map_err(FileError::io(partial.path()))?;
        let bytes = entry.bytes;
        // Written down before it is in its place: a run that ends between the two finds a partial
        // file that is whole, or else would not know what the file in the folder is.
        self.manifest.put(&item.name, entry)?;
        let path = self.options.folder.join(&item.name);
        durable::rename(partial.path(), &path).map_err(FileError::io(&path))?;
        partial.discard();
        Ok(bytes)
    }
}

/// Refuses a file that came whole and is not what `sources` would take it for in a folder; says what it is
/// instead, as one clause. Rows are not read here.
fn check(path: &Path, kind: SourceKind) -> Result<(), String> {
    let found = sources::discover(&[path.to_owned()], None).map_err(|error| match error {
        // Without the path, which is not that of the file, and what else would have been of use.
        DiscoverError::Unusable { why, .. } => why,
        other => other.to_string(),
    })?;
    if found.sources.iter().any(|source| source.kind == kind) {
        return Ok(());
    }
    let first = found.sources.first().map_or("nothing of use", |source| source.kind.name());
    Err(format!("expected {}, found {first}", kind.name()))
}

/// Gives a file the date of its version, makes its bytes last, and hashes it.
fn seal(path: &Path, part: Description) -> io::Result<Entry> {
    let mut file = File::options().read(true).write(true).open(path)?;
    let date = part.version.last_modified.as_deref().and_then(Timestamp::parse_header);
    if let Some(seconds) = date.and_then(|date| u64::try_from(date.seconds()).ok()) {
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds))?;
    }
    file.sync_all()?;
    let hashed = sources::hash(&mut file)?;
    Ok(Entry {
        address: part.address,
        bytes: hashed.bytes,
        sha256: hashed.sha256(),
        version: part.version,
        modified_seconds: hashed.modified_seconds,
        fetched: Timestamp::now().to_string(),
    })
}

/// How long to wait after `failed` attempts in a row, 1 or more.
///
/// # Errors
/// When the server asks for more than is waited.
fn wait(options: &Options, failed: u32, error: &FileError) -> Result<Duration, FileError> {
    let doublings = failed.saturating_sub(1).min(DOUBLINGS_MAX);
    let whole = options.first_wait.saturating_mul(1 << doublings).min(options.longest_wait);
    // Without a source of chance all of it is waited.
    let chance = getrandom::u32().unwrap_or(u32::MAX);
    let own = whole.mul_f64(0.5 + 0.5 * f64::from(chance) / f64::from(u32::MAX));
    match error {
        FileError::Status { status, retry_after: Some(asked) }
            if *asked > options.retry_after_max =>
        {
            Err(FileError::Answer(format!(
                "the server asks to wait {} s (status {status}), more than the {} s that are waited: \
                 run this again then",
                asked.as_secs(),
                options.retry_after_max.as_secs()
            )))
        }
        FileError::Status { retry_after: Some(asked), .. } => Ok(own.max(*asked)),
        _ => Ok(own),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Options {
        Options {
            first_wait: Duration::from_millis(100),
            longest_wait: Duration::from_millis(1_000),
            retry_after_max: Duration::from_secs(10),
            ..Options::new("")
        }
    }

    #[test]
    fn waits_double_up_to_the_longest() {
        for (failed, at_most_ms) in [(1, 100), (2, 200), (4, 800), (5, 1_000), (u32::MAX, 1_000)] {
            let error = FileError::WebPage;
            let waited = wait(&options(), failed, &error).unwrap().as_millis();
            assert!((at_most_ms / 2..=at_most_ms).contains(&waited), "{failed}: {waited}");
        }
    }

    #[test]
    fn servers_are_heeded_within_bounds() {
        for (asked, expected) in [(0, Some(0)), (7, Some(7)), (10, Some(10)), (11, None)] {
            let retry_after = Some(Duration::from_secs(asked));
            let error = FileError::Status { status: 503, retry_after };
            let waited = wait(&options(), 1, &error).ok().map(|wait| wait.as_secs());
            assert_eq!(waited, expected, "{asked}");
        }
    }
}
