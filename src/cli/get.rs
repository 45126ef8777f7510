//! `almoner get`: one endpoint, answered offline as the server would.

use std::io::{self, Write as _};

use anyhow::Context as _;

use super::{DataDir, ModelFolder, OUTPUT, Outcome, log, misused};
use crate::http::{LocalService, request_of};
use crate::snapshot;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    data_dir: DataDir,
    #[command(flatten)]
    model: ModelFolder,
    /// Path and query, such as '/typeahead/nonprofits?q=red+cro'
    #[arg(value_name = "PATH")]
    path: String,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    let path = &arguments.path;
    let misuse = || {
        misused(format!(
            "{path:?} is no path: expected one that begins with / and has blanks written as + or %20, \
             such as '/typeahead/nonprofits?q=red+cro'"
        ))
    };
    request_of(path).ok_or_else(misuse)?;
    // The cause that an answer of status 500 withholds goes to standard error.
    log::start_errors();
    let opened = snapshot::open_with(&arguments.data_dir.path, &arguments.model.lazy())?;
    let answer = LocalService::new(opened).get(path).ok_or_else(misuse)?;
    let status = answer.status;
    let mut out = io::stdout().lock();
    // Whole results are files, some of them no text.
    let mut ends_line = !answer.is_whole();
    for part in answer {
        let part = part?;
        out.write_all(&part).context(OUTPUT)?;
        ends_line |= part.ends_with(b"\n");
    }
    if !ends_line {
        out.write_all(b"\n").context(OUTPUT)?;
    }
    out.flush().context(OUTPUT)?;
    Ok(match status {
        200 => Outcome::Done,
        404 => Outcome::NotFound,
        422 => Outcome::Usage,
        _ => Outcome::Failed,
    })
}
