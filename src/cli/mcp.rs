//! `almoner mcp`: the published snapshot for a host of language models, over standard input and output.
//!
//! Each call is answered from the snapshot that is published then: a host keeps the program running for
//! days.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use tracing::level_filters::LevelFilter;

use super::{DataDir, ModelFolder, Outcome};
use crate::embed::Lazy;
use crate::http::mcp::{Source, serve_stdio};
use crate::snapshot::{self, Snapshot};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    data_dir: DataDir,
    #[command(flatten)]
    model: ModelFolder,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    start_log();
    let (data_dir, model) = (arguments.data_dir.path, arguments.model.lazy());
    let open = Mutex::new(Arc::new(snapshot::open_with(&data_dir, &model)?));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(serve_stdio(Published { data_dir, model, open }))?;
    Ok(Outcome::Done)
}

/// The snapshot that is published.
struct Published {
    data_dir: PathBuf,
    model: Arc<Lazy>,
    open: Mutex<Arc<Snapshot>>,
}

impl Source for Published {
    /// Looks at one small file; a new snapshot is opened within milliseconds. One that cannot be opened is
    /// told, and the old one stays.
    fn snapshot(&self) -> Arc<Snapshot> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        match snapshot::current(&self.data_dir) {
            Ok(current) if current.snapshot == open.manifest.snapshot => {}
            Ok(_) => match snapshot::open_with(&self.data_dir, &self.model) {
                Ok(opened) => *open = Arc::new(opened),
                Err(cause) => refused(&cause),
            },
            Err(cause) => refused(&cause),
        }
        open.clone()
    }
}

fn refused(cause: &(dyn std::error::Error + 'static)) {
    tracing::error!(error = cause, "the new snapshot is refused; the old one stays");
}

/// Standard output belongs to the protocol; hosts keep what is on standard error.
fn start_log() {
    let log = tracing_subscriber::fmt().with_writer(std::io::stderr).with_ansi(false);
    // A second start in one process keeps the first log: only tests do that.
    let _ = log.with_target(false).with_max_level(LevelFilter::ERROR).try_init();
}
