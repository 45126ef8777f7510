//! Gets files into the folder, one after the other: attempts and the waits between them, the check of
//! what came, and its place in the folder and in the manifest.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use super::attempt::{Attempt, Outcome};
use super::backoff;
use super::client::Client;
use super::content;
use super::error::{Failure, FetchError, FileError, Remedy};
use super::manifest::{self, Entry, Manifest};
use super::options::Options;
use super::partial::{Partial, Version, sync_folder_of};
use super::plan::{Item, Plan};
use super::progress::Progress;
use super::report::{Change, FetchedFile, Report};
use crate::record::Timestamp;

/// How much further an attempt must get for the count of those that failed to begin again: less than
/// that an outage lets through, and a file has so few of it that attempts end.
const PROGRESS_BYTES: u64 = 1024 * 1024;

/// Everything that downloading works with.
pub(super) struct Run<'a> {
    pub(super) plan: &'a Plan,
    pub(super) options: &'a Options,
    pub(super) progress: &'a dyn Progress,
    pub(super) client: Client,
    pub(super) manifest: Manifest,
    pub(super) report: Report,
    pub(super) planned: u64,
}

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
        let item = &self.placed(item);
        let partial = Partial::new(&self.options.folder, &item.name);
        let kept = partial.resume(&item.address).map_or(0, |resume| resume.bytes);
        let (mut attempts, mut failed, mut furthest) = (0, 0, kept);
        loop {
            attempts += 1;
            let error = match self.attempt(item, &partial).await? {
                Ok(()) => return Ok(DownloadOutcome::File),
                Err(error) => error,
            };
            let remedy = error.remedy();
            if remedy == Remedy::Anew || matches!(error, FileError::Content { .. }) {
                partial.discard();
            }
            if partial.bytes() >= furthest.saturating_add(PROGRESS_BYTES) {
                (failed, furthest) = (0, partial.bytes());
            }
            failed += 1;
            let error = if remedy == Remedy::None || failed > self.options.retries {
                error
            } else {
                match backoff::wait(&self.options.backoff, failed, &error) {
                    Ok(wait) => {
                        self.progress.retried(&item.name, &error, wait);
                        tokio::time::sleep(wait).await;
                        continue;
                    }
                    Err(error) => error,
                }
            };
            return self.give_up(item, need, attempts, error);
        }
    }

    /// The file at the server that stands in the place of the IRS's, if one does.
    fn placed(&self, item: &Item) -> Item {
        let address = match &self.options.base_url {
            Some(base) => item.address.on(base),
            None => item.address.clone(),
        };
        Item { address, ..item.clone() }
    }

    fn give_up(
        &mut self,
        item: &Item,
        need: Requirement,
        attempts: u32,
        error: FileError,
    ) -> Result<DownloadOutcome, FetchError> {
        if need == Requirement::IfThere && error.is_absence() {
            self.progress.absent(&item.name);
            return Ok(DownloadOutcome::Absent);
        }
        let error = match error {
            FileError::DiskFull { path } => return Err(FetchError::DiskFull { path }),
            FileError::Proxy { found } => return Err(FetchError::Proxy { found }),
            error => error,
        };
        let (name, address) = (item.name.clone(), item.address.to_string());
        self.fail(Failure { name, address, attempts, error });
        Ok(DownloadOutcome::Failed)
    }

    /// Gets a file, or fails to, once.
    async fn attempt(
        &mut self,
        item: &Item,
        partial: &Partial,
    ) -> Result<Result<(), FileError>, FetchError> {
        let folder = &self.options.folder;
        let known = self.manifest.known(folder, &item.name, &item.address.to_string());
        let attempt = Attempt {
            client: &self.client,
            options: self.options,
            progress: self.progress,
            plan: self.plan,
            item,
            partial,
            known,
        };
        match attempt.run().await {
            Ok(Outcome::Whole { version, resumed }) => self.finish(item, partial, version, resumed),
            Ok(Outcome::Unchanged) => {
                let bytes = known.map_or(0, |entry| entry.bytes);
                self.progress.unchanged(&item.name, bytes);
                self.take_in(item, bytes, Change::Unchanged);
                Ok(Ok(()))
            }
            Err(error) => Ok(Err(error)),
        }
    }

    fn take_in(&mut self, item: &Item, bytes: u64, change: Change) {
        self.report.files.push(FetchedFile { name: item.name.clone(), bytes, change });
    }

    /// Puts a file that came whole into its place.
    fn finish(
        &mut self,
        item: &Item,
        partial: &Partial,
        version: Version,
        resumed: bool,
    ) -> Result<Result<(), FileError>, FetchError> {
        self.progress.checking(&item.name);
        if let Err(why) = content::check(partial.path(), item.content) {
            return Ok(Err(FileError::Content { why, resumed }));
        }
        let entry = match sealed(item, partial, version) {
            Ok(entry) => entry,
            Err(error) => return Ok(Err(error)),
        };
        let bytes = entry.bytes;
        // Written down before it is in its place: a run that ends between the two finds a partial
        // file that is whole, or else would not know what the file in the folder is.
        let written = self.manifest.put(&item.name, entry);
        written.map_err(FetchError::io(self.manifest.path()))?;
        let path = self.options.folder.join(&item.name);
        let placed = fs::rename(partial.path(), &path).and_then(|()| sync_folder_of(&path));
        if let Err(error) = placed {
            return Ok(Err(FileError::io(&path)(error)));
        }
        partial.discard();
        self.progress.done(&item.name, bytes);
        self.take_in(item, bytes, Change::Downloaded);
        Ok(Ok(()))
    }
}

/// Hashes the file, gives it the date of its version, and makes its bytes last.
fn sealed(item: &Item, partial: &Partial, version: Version) -> Result<Entry, FileError> {
    let path = partial.path();
    let io = || FileError::io(path);
    let sha256 = manifest::sha256(path).map_err(io())?;
    let file = File::options().write(true).open(path).map_err(io())?;
    let seconds = version
        .last_modified
        .as_deref()
        .and_then(Timestamp::parse_header)
        .and_then(|moment| u64::try_from(moment.seconds()).ok());
    if let Some(seconds) = seconds {
        let modified = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        file.set_modified(modified).map_err(io())?;
    }
    file.sync_all().map_err(io())?;
    let metadata = file.metadata().map_err(io())?;
    Ok(Entry {
        address: item.address.to_string(),
        bytes: metadata.len(),
        sha256,
        version,
        modified_seconds: manifest::modified_seconds(&metadata),
        fetched: Timestamp::now().to_string(),
    })
}
