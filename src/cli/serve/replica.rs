//! A server that gets its snapshots from object storage: it pulls before it listens, then looks for
//! another every so often. What it pulls is published in its data directory, which it follows as any
//! server does.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::Context as _;
use tracing::{error, info, warn};

use crate::cli::flags::duration;
use crate::http::{App, Newest};
use crate::objects::{Address, ObjectsError, Remote};
use crate::snapshot;

/// The least time between two looks.
const EVERY_MIN: Duration = Duration::from_secs(1);

/// The longest that what is damaged in the store is not fetched again.
const DAMAGED_WAIT_MAX: Duration = Duration::from_secs(15 * 60);

#[derive(Debug, clap::Args)]
pub(super) struct ReplicaArguments {
    /// Serve what is pushed to s3://BUCKET/PREFIX, gs://…, az://CONTAINER/PREFIX or file:///FOLDER
    #[arg(long, value_name = "URL", env = "ALMONER_FROM")]
    from: Option<Address>,
    /// How often to look there for another snapshot, such as 60s or 5m
    #[arg(long, value_name = "TIME", env = "ALMONER_EVERY", default_value = "60s", value_parser = duration)]
    every: Duration,
}

/// Pulls into a data directory.
pub(super) struct Replica {
    remote: Remote,
    data_dir: PathBuf,
    every: Duration,
    /// What is wrong and was logged.
    told: Option<String>,
}

impl ReplicaArguments {
    /// What pulls, if anything is to.
    pub(super) fn replica(&self, data_dir: PathBuf) -> anyhow::Result<Option<Replica>> {
        let Some(from) = &self.from else { return Ok(None) };
        let remote = Remote::new(from)?;
        let every = self.every.max(EVERY_MIN);
        Ok(Some(Replica { remote, data_dir, every, told: None }))
    }
}

impl Replica {
    /// Pulls before anything is served. Where that fails, a snapshot that is here already will do.
    pub(super) fn start(&mut self) -> anyhow::Result<Option<&'static str>> {
        match self.remote.pull(&self.data_dir) {
            Ok(_) => Ok(None),
            Err(error) if snapshot::current(&self.data_dir).is_ok() => Ok(Some(self.tell(&error))),
            Err(error) => Err(error).context("there is no snapshot here either"),
        }
    }

    /// Looks for another snapshot again and again, in a thread of its own, which ends with the
    /// process, at any moment.
    pub(super) fn spawn(mut self, app: Arc<App>) -> std::io::Result<()> {
        let look = move || {
            let mut wait = self.every;
            loop {
                thread::sleep(wait);
                wait = self.look(&app, wait);
            }
        };
        thread::Builder::new().name("replica".to_owned()).spawn(look).map(drop)
    }

    /// Pulls once; says how long to wait then.
    fn look(&mut self, app: &App, waited: Duration) -> Duration {
        match self.remote.pull(&self.data_dir) {
            Ok(report) => {
                if report.is_new {
                    info!(
                        snapshot = report.snapshot,
                        files = report.fetched_files,
                        bytes = report.fetched_bytes,
                        "pulled"
                    );
                }
                if self.told.take().is_some() {
                    info!(from = %self.remote.address(), "pulls again");
                }
                app.tell_behind(Newest::Stored, None);
                self.every
            }
            Err(error) => {
                app.tell_behind(Newest::Stored, Some(self.tell(&error)));
                if error.is_of_content() {
                    return (waited * 2).min(DAMAGED_WAIT_MAX.max(self.every));
                }
                self.every
            }
        }
    }

    /// Logs an error, once while it stays the same; says it as the public may know it.
    fn tell(&mut self, error: &ObjectsError) -> &'static str {
        let text = super::super::chain_of(error);
        if self.told.as_ref() != Some(&text) {
            if error.is_of_content() {
                error!(error = text, "the newest snapshot is refused; the old one stays");
            } else {
                warn!(error = text, "the newest snapshot is not known; the old one stays");
            }
            self.told = Some(text);
        }
        error.clause()
    }
}
