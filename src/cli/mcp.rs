//! `almoner mcp`: the published snapshot for a host of language models, over standard input and output.
//!
//! Each call is answered from the snapshot that is published then: a host keeps the program running for
//! days.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::{DataDir, ModelFolder, Outcome, log};
use crate::embed::Lazy;
use crate::http::mcp::{Source, serve_stdio};
use crate::snapshot::{self, Current, Snapshot};

/// Threads that reading and writing may take, beside those of calls.
const STREAMS: usize = 2;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    data_dir: DataDir,
    #[command(flatten)]
    model: ModelFolder,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    // Standard output belongs to the protocol; hosts keep what is on standard error.
    log::start_errors();
    let (data_dir, model) = (arguments.data_dir.path, arguments.model.lazy());
    let snapshot = Arc::new(snapshot::open_with(&data_dir, &model)?);
    let open = Mutex::new(Open { snapshot, refused: None });
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .max_blocking_threads(cores + STREAMS)
        .enable_all()
        .build()?;
    runtime.block_on(serve_stdio(Published { data_dir, model, open }))?;
    Ok(Outcome::Done)
}

/// The snapshot that is published.
struct Published {
    data_dir: PathBuf,
    model: Arc<Lazy>,
    open: Mutex<Open>,
}

/// The snapshot that answers.
struct Open {
    snapshot: Arc<Snapshot>,
    /// Why a newer one was refused, as logged.
    refused: Option<String>,
}

impl Source for Published {
    /// Reads one small file; a new snapshot is opened within milliseconds. One that cannot be
    /// opened is logged once, and the old one stays.
    fn snapshot(&self) -> Arc<Snapshot> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let is_open = |current: &Current| current.snapshot == open.snapshot.manifest.snapshot;
        let newer = match snapshot::current(&self.data_dir) {
            Ok(current) if is_open(&current) => Ok(None),
            Ok(_) => snapshot::open_with(&self.data_dir, &self.model).map(Some),
            Err(cause) => Err(cause),
        };
        let refused = match newer {
            Ok(None) => None,
            Ok(Some(newer)) => {
                open.snapshot = Arc::new(newer);
                None
            }
            Err(cause) => {
                let text = cause.to_string();
                if open.refused.as_ref() != Some(&text) {
                    let error = &cause as &dyn std::error::Error;
                    tracing::error!(error, "the new snapshot is refused; the old one stays");
                }
                Some(text)
            }
        };
        open.refused = refused;
        open.snapshot.clone()
    }
}
