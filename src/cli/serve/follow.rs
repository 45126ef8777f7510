//! Follows a data directory: a newly published snapshot is opened and swapped in, and the one before it removed once
//! no request holds it. A refused snapshot is reported in the log, in `/ready` and in `/metrics`.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::signal::unix::Signal;
use tokio::task::spawn_blocking;
use tracing::{error, info, warn};

use crate::embed::Lazy;
use crate::http::{App, Newest, REQUEST_DEADLINE};
use crate::snapshot;

/// How often the data directory is looked at for a new snapshot: one small read, four times a
/// second.
const WATCH_INTERVAL: Duration = Duration::from_millis(250);

/// What is served from where.
pub(super) struct ServedFolder {
    pub(super) app: Arc<App>,
    pub(super) data_dir: PathBuf,
    pub(super) model: Arc<Lazy>,
    /// Whether the snapshot of before stays, which then is the business of who brings them.
    pub(super) keeps_former: bool,
}

/// Swaps in every snapshot that is published from now on; a hangup signal looks at once.
pub(super) async fn follow(followed: ServedFolder, mut open: String, mut hangup: Signal) {
    let ServedFolder { app, data_dir, model, keeps_former } = followed;
    // A snapshot that failed to open is not tried again until it changes or somebody asks; an
    // unreadable `CURRENT` is logged once.
    let mut refused = None;
    let mut told = String::new();
    loop {
        let asked = tokio::select! {
            () = tokio::time::sleep(WATCH_INTERVAL) => false,
            _ = hangup.recv() => true,
        };
        let folder = data_dir.clone();
        let Ok(current) = spawn_blocking(move || snapshot::current(&folder)).await else {
            continue;
        };
        let published = match current {
            Ok(current) => current.snapshot,
            Err(cause) => {
                app.tell_behind(Newest::Published, Some(cause.clause()));
                let text = cause.to_string();
                if asked || text != told {
                    let cause = &cause as &dyn std::error::Error;
                    error!(error = cause, "CURRENT cannot be read; the open snapshot stays");
                    told = text;
                }
                continue;
            }
        };
        told.clear();
        if !asked && refused.as_ref() == Some(&published) {
            continue;
        }
        if !asked && published == open {
            refused = None;
            app.tell_behind(Newest::Published, None);
            continue;
        }
        let folder = data_dir.clone();
        let model = Arc::clone(&model);
        match spawn_blocking(move || snapshot::open_with(&folder, &model)).await {
            Ok(Ok(opened)) => {
                open.clone_from(&opened.manifest.snapshot);
                refused = None;
                app.swap(Arc::new(opened));
                app.tell_behind(Newest::Published, None);
                info!(snapshot = open, "swapped in");
                if !keeps_former {
                    tokio::spawn(remove_replaced(data_dir.clone()));
                }
            }
            Ok(Err(cause)) => {
                app.tell_behind(Newest::Published, Some(cause.clause()));
                let cause = &cause as &dyn std::error::Error;
                error!(error = cause, "the new snapshot is refused; the old one stays");
                refused = Some(published);
            }
            Err(_) => {}
        }
    }
}

/// Removes snapshots that are not published any more, once the requests that hold them end.
async fn remove_replaced(data_dir: PathBuf) {
    tokio::time::sleep(REQUEST_DEADLINE).await;
    if let Ok(Err(cause)) = spawn_blocking(move || snapshot::remove_unused(&data_dir)).await {
        warn!(error = &cause as &dyn std::error::Error, "an old snapshot is not removed");
    }
}
