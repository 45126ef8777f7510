//! Downloads the IRS's public bulk files, by the addresses at which it publishes them, into a folder
//! that a snapshot is then built from.
//!
//! [`fetch()`] takes a [`Plan`] and [`Options`], tells a [`Progress`] what happens, and says in a
//! [`Report`] what came of it. What ends early, a file, a run or the process, is gone on with by the
//! next run. Files in the folder are whole, checked and listed in its `manifest.json`; what is on its
//! way lies in the hidden `.partial`. Nothing but the files of the plan is ever written or removed.
//! Checked are the length against what the server said, the first line of a list and the directory
//! of a ZIP file, not rows or members: parts join only where server and disk vouch for them (`partial`).

mod address;
mod attempt;
mod client;
mod disk;
mod download;
mod error;
mod index;
mod manifest;
mod options;
mod partial;
mod plan;
mod returns;

#[cfg(test)]
mod tests;

use std::fs::{self, File};
use std::path::Path;

use hyper_util::client::proxy::matcher::Matcher;

use attempt::Run;
use client::Client;
use download::Requirement;
use manifest::Manifest;

use crate::durable;

pub use address::{BaseUrl, BaseUrlError};
pub use error::{Failure, FetchError, FileError};
pub use options::{
    DISK_BYTES_MAX, DISK_RESERVE_BYTES, FetchedFile, Options, PACE_BYTES_MIN, Progress, RETRIES,
    Report,
};
pub use plan::{Extract, ExtractError, LISTS, Plan, Year, YearError};

/// The file by which one run keeps others out; hidden, so that nobody takes it for data.
const LOCK: &str = ".fetch.lock";

/// Downloads what is planned, one file after the other, and leaves what is there and has not changed.
/// Proxies are those of the environment (`HTTPS_PROXY`, `NO_PROXY`).
///
/// It returns when all is done, after hours perhaps; ending the process loses 64 MiB or 30 s of a file
/// at most, whichever is less. It must not be called from asynchronous code.
///
/// # Errors
/// What keeps everything, or everything further, from being downloaded; what concerns one file alone
/// is in the report.
pub fn fetch(
    plan: &Plan,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Report, FetchError> {
    fetch_through(Matcher::from_env(), plan, options, progress)
}

/// Downloads through these proxies.
fn fetch_through(
    proxies: Matcher,
    plan: &Plan,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Report, FetchError> {
    let singles = plan.single_files();
    if singles.is_empty() && plan.years.is_empty() {
        return Err(FetchError::NothingPlanned);
    }
    let _lock = claim(&options.folder)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(FetchError::Runtime)?;
    let result = runtime.block_on(async {
        let (manifest, warning) = Manifest::read(&options.folder)?;
        let client = Client::new(proxies, options);
        let report = Report::default();
        let mut run = Run { plan, options, progress, client, manifest, report, planned: 0 };
        if let Some(warning) = warning {
            run.warn(warning);
        }
        run.plan(singles.len());
        for item in &singles {
            run.file(item, Requirement::Required).await?;
        }
        for year in &plan.years {
            run.year(*year).await?;
        }
        Ok(run.report)
    });
    // A name that is still being looked up is not waited for.
    runtime.shutdown_background();
    result
}

/// Makes the folder if there is none, and locks it for this run.
fn claim(folder: &Path) -> Result<File, FetchError> {
    if fs::metadata(folder).is_ok_and(|found| !found.is_dir()) {
        return Err(FetchError::NotAFolder { path: folder.to_owned() });
    }
    fs::create_dir_all(folder).map_err(FetchError::io(folder))?;
    let path = folder.join(LOCK);
    let lock = durable::try_lock(&path).map_err(FetchError::io(&path))?;
    lock.ok_or_else(|| FetchError::Running { path: folder.to_owned() })
}
