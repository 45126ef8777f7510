//! `almoner get`: one endpoint, answered offline as the server would.

use std::sync::Arc;

use http_body_util::BodyExt as _;

use super::{DataDir, ModelFolder, Outcome, log, misused, print};
use crate::http::{self, App, Keys, Options};
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
    let Some(request) = http::request_of(&arguments.path) else {
        return Err(misused(format!(
            "{:?} is no path: expected one that begins with / and has blanks written as + or %20, \
             such as '/typeahead/nonprofits?q=red+cro'",
            arguments.path
        )));
    };
    // The cause that an answer of status 500 withholds goes to standard error.
    log::start_errors();
    let opened = snapshot::open_with(&arguments.data_dir.path, &arguments.model.lazy())?;
    let app = App::new(Keys::none(), Options::default());
    app.swap(Arc::new(opened));
    let answer = app.answer_trusted(request);
    let status = answer.status().as_u16();
    let body = tokio::runtime::Builder::new_current_thread()
        .build()?
        .block_on(answer.into_body().collect())?
        .to_bytes();
    print(&body)?;
    Ok(match status {
        200 => Outcome::Done,
        404 => Outcome::NotFound,
        422 => Outcome::Usage,
        _ => Outcome::Failed,
    })
}
