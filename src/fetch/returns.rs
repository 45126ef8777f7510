//! The returns of a year: its index, the ZIP files that the index or the table names, those that the
//! index keeps to itself, and whether all together have as many returns as it lists.

use super::attempt::Run;
use super::download::{DownloadOutcome, Requirement};
use super::error::{Failure, FetchError, FileError};
use super::index::{self, Batch, Index};
use super::plan::{Item, Year};
use crate::sources;

/// From which year on the ZIP files of a year have the returns that its index lists. Before, they
/// have those with object identifiers of the year, which are others.
const COUNTED_FROM: u16 = 2021;

impl Run<'_> {
    /// Downloads the index and the returns of a year.
    pub(super) async fn year(&mut self, year: Year) -> Result<(), FetchError> {
        let index = self.index(year).await?;
        let failures = self.report.failures.len();
        let members = match &index {
            Some(index) if !index.batches.is_empty() => self.batches(year, index).await?,
            _ => self.known_returns(year, index.is_some()).await?,
        };
        let is_whole = self.report.failures.len() == failures;
        if let Some(index) = index
            && is_whole
            && year.number() >= COUNTED_FROM
            && members < index.returns
        {
            self.warn(format!(
                "the ZIP files of {year} have {members} returns, and its index lists {}: the IRS may \
                 have files that neither the index nor this program knows of",
                index.returns
            ));
        }
        Ok(())
    }

    /// Downloads and reads the index of a year, if it can.
    async fn index(&mut self, year: Year) -> Result<Option<Index>, FetchError> {
        let Some(item) = year.index() else { return Ok(None) };
        self.plan(1);
        if self.file(&item, Requirement::Required).await? != DownloadOutcome::File {
            return Ok(None);
        }
        let path = self.options.folder.join(&item.name);
        let index = Index::read(&path);
        if let Err(error) = &index {
            self.warn(format!("{} cannot be read: {error}", path.display()));
        }
        Ok(index.ok())
    }

    /// Downloads the files that the table names, and says how many members they have together.
    async fn known_returns(&mut self, year: Year, has_index: bool) -> Result<u64, FetchError> {
        let items = year.known_returns();
        self.plan(items.len());
        // Without an index that is a failure already.
        if items.is_empty() && has_index {
            let why = "expected XML_BATCH_ID in the index, which names the ZIP files, found none: \
                       download them by hand into the folder";
            self.fail(Failure {
                name: format!("the returns of {year}"),
                address: year.index().map_or_else(String::new, |item| item.address.to_string()),
                attempts: 0,
                error: FileError::Content { why: why.to_owned(), resumed: false },
            });
        }
        let mut members = 0;
        for item in &items {
            if self.file(item, Requirement::Required).await? == DownloadOutcome::File {
                members += self.members(item);
            }
        }
        Ok(members)
    }

    /// Downloads the files of all batches, and says how many members they have together.
    async fn batches(&mut self, year: Year, index: &Index) -> Result<u64, FetchError> {
        self.plan(index.batches.len());
        let mut members = 0;
        for (name, batch) in &index.batches {
            let Some(mut of_batch) = self.first_file(year, name, batch).await? else { continue };
            for name in index::further(&index.batches, name) {
                // A missing file does not make the batch incomplete: indexes are off by some returns.
                let Some(item) = year.batch(&name).filter(|_| of_batch < batch.returns) else {
                    break;
                };
                if self.file(&item, Requirement::IfThere).await? != DownloadOutcome::File {
                    break;
                }
                of_batch += self.members(&item);
            }
            members += of_batch;
        }
        Ok(members)
    }

    /// Downloads the file of a batch under its name in capitals, as all are known to be, or else as the
    /// index spells it. How many members it has; `None` when it was given up.
    async fn first_file(
        &mut self,
        year: Year,
        name: &str,
        batch: &Batch,
    ) -> Result<Option<u64>, FetchError> {
        let mut needs = vec![(name, Requirement::Required)];
        if batch.spelled != name {
            needs =
                vec![(name, Requirement::IfThere), (batch.spelled.as_str(), Requirement::Required)];
        }
        for (name, need) in needs {
            let Some(item) = year.batch(name) else { break };
            match self.file(&item, need).await? {
                DownloadOutcome::File => return Ok(Some(self.members(&item))),
                DownloadOutcome::Absent => {}
                DownloadOutcome::Failed => break,
            }
        }
        Ok(None)
    }

    /// How many members a ZIP file of the folder has.
    fn members(&self, item: &Item) -> u64 {
        sources::zip_members(&self.options.folder.join(&item.name)).unwrap_or(0) as u64
    }
}
