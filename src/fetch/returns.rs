//! The returns of a year: its index, the ZIP files that the index or the table names, those that the
//! index keeps to itself, and whether all together have as many returns as it lists.

use super::content;
use super::download::{DownloadOutcome, Requirement, Run};
use super::error::{Failure, FetchError, FileError};
use super::index::{self, Batch, Index};
use super::plan::{self, Item, Year};

/// From which year on the ZIP files of a year have the returns that its index lists. Before, they
/// have those with object identifiers of the year, which are others.
const COUNTED_FROM: u16 = 2021;

/// Downloads the index and the returns of a year.
pub(super) async fn year(run: &mut Run<'_>, year: Year) -> Result<(), FetchError> {
    let indexes = plan::index(year);
    run.plan(indexes.len());
    let mut index = None;
    for item in &indexes {
        if run.file(item, Requirement::Required).await? == DownloadOutcome::File {
            index = read(run, item);
        }
    }
    let failures = run.report.failures.len();
    let members = match &index {
        Some(index) if !index.batches.is_empty() => batches(run, year, index).await?,
        _ => known(run, year, index.is_some()).await?,
    };
    let whole = run.report.failures.len() == failures;
    if let Some(index) = index
        && whole
        && year.number() >= COUNTED_FROM
        && members < index.returns
    {
        run.warn(format!(
            "the ZIP files of {year} have {members} returns, and its index lists {}: the IRS may \
             have files that neither the index nor this program knows of",
            index.returns
        ));
    }
    Ok(())
}

/// Reads the index that was downloaded.
fn read(run: &mut Run<'_>, item: &Item) -> Option<Index> {
    let path = run.options.folder.join(&item.name);
    match Index::read(&path) {
        Ok(index) => Some(index),
        Err(error) => {
            run.warn(format!("{} cannot be read: {error}", path.display()));
            None
        }
    }
}

/// Downloads the files that the table names, and says how many members they have together.
async fn known(run: &mut Run<'_>, year: Year, has_index: bool) -> Result<u64, FetchError> {
    let items = plan::known_returns(year);
    run.plan(items.len());
    // Without an index that is a failure already.
    if items.is_empty() && has_index {
        let why = "expected XML_BATCH_ID in the index, which names the ZIP files, found none: \
                   download them by hand into the folder";
        run.fail(Failure {
            name: format!("the returns of {year}"),
            address: plan::index(year)
                .first()
                .map_or_else(String::new, |item| item.address.to_string()),
            attempts: 0,
            error: FileError::Content { why: why.to_owned(), resumed: false },
        });
    }
    let mut members = 0;
    for item in &items {
        if run.file(item, Requirement::Required).await? == DownloadOutcome::File {
            members += members_of(run, item);
        }
    }
    Ok(members)
}

/// Downloads the files of all batches, and says how many members they have together.
async fn batches(run: &mut Run<'_>, year: Year, index: &Index) -> Result<u64, FetchError> {
    run.plan(index.batches.len());
    let mut members = 0;
    for (name, batch) in &index.batches {
        let mut of_batch = first(run, year, name, batch).await?;
        for name in index::further(&index.batches, name) {
            if of_batch.is_none_or(|members| members >= batch.returns) {
                break;
            }
            // A missing file does not make the batch incomplete: indexes are off by some returns.
            match file(run, year, &name, Requirement::IfThere).await? {
                ZipOutcome::Members(more) => of_batch = of_batch.map(|members| members + more),
                ZipOutcome::Absent | ZipOutcome::Failed => break,
            }
        }
        members += of_batch.unwrap_or(0);
    }
    Ok(members)
}

/// What came of a ZIP file.
enum ZipOutcome {
    Members(u64),
    Absent,
    Failed,
}

/// Downloads the file of a batch under its name in capitals, as all are known to be, or else as the
/// index spells it. How many members it has; `None` when it was given up.
async fn first(
    run: &mut Run<'_>,
    year: Year,
    name: &str,
    batch: &Batch,
) -> Result<Option<u64>, FetchError> {
    let spelled_otherwise = batch.spelled != name;
    let need = if spelled_otherwise { Requirement::IfThere } else { Requirement::Required };
    let mut found = file(run, year, name, need).await?;
    if spelled_otherwise && matches!(found, ZipOutcome::Absent) {
        found = file(run, year, &batch.spelled, Requirement::Required).await?;
    }
    Ok(match found {
        ZipOutcome::Members(members) => Some(members),
        ZipOutcome::Absent | ZipOutcome::Failed => None,
    })
}

async fn file(
    run: &mut Run<'_>,
    year: Year,
    name: &str,
    need: Requirement,
) -> Result<ZipOutcome, FetchError> {
    let mut members = 0;
    for item in &plan::batch(year, name) {
        match run.file(item, need).await? {
            DownloadOutcome::File => members += members_of(run, item),
            DownloadOutcome::Absent => return Ok(ZipOutcome::Absent),
            DownloadOutcome::Failed => return Ok(ZipOutcome::Failed),
        }
    }
    Ok(ZipOutcome::Members(members))
}

fn members_of(run: &Run<'_>, item: &Item) -> u64 {
    content::members(&run.options.folder.join(&item.name)).unwrap_or(0)
}
