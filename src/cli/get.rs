//! `almoner get`: one endpoint, answered offline as the server would.

use std::io::{self, Write as _};
use std::sync::Arc;

use anyhow::Context as _;
use http_body_util::BodyExt as _;

use super::{DataDir, ModelFolder, OUTPUT, Outcome, log, misused, print};
use crate::http::{self, AnswerBody, App, Keys, Options};
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
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    match answer.into_body() {
        AnswerBody::Whole(whole) => {
            let Ok(body) = runtime.block_on(whole.collect());
            print(&body.to_bytes())?;
        }
        parts @ AnswerBody::Parts(_) => runtime.block_on(print_parts(parts))?,
    }
    Ok(match status {
        200 => Outcome::Done,
        404 => Outcome::NotFound,
        422 => Outcome::Usage,
        _ => Outcome::Failed,
    })
}

/// Prints a body as its parts come, which may be more than memory should hold.
async fn print_parts(mut body: AnswerBody) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    while let Some(frame) = body.frame().await {
        if let Ok(part) = frame?.into_data() {
            out.write_all(&part).context(OUTPUT)?;
        }
    }
    out.flush().context(OUTPUT)
}
