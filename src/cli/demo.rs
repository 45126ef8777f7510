//! `almoner demo`: fictional data, built once in the user's cache directory, and served.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SendError, Sender};
use std::thread;

use anyhow::Context as _;

use super::flags::{Verbosity, VerbosityArguments};
use super::progress::{Bar, Bars};
use super::serve::{Folder, ServerArguments, serve};
use super::{Outcome, complain, print};
use crate::build::{self, Progress};
use crate::fictional;
use crate::http::{Listen, keys};
use crate::snapshot;

/// Enough that suggestions and filters have something to choose from, built in seconds.
const ORGANIZATIONS: u64 = 20_000;
const SEED: u64 = 1;
/// Past this share of rejects the build would fail; the fictional data has none.
const REJECT_LIMIT_PERCENT: f64 = 1.0;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    server: ServerArguments,
    #[command(flatten)]
    verbosity: VerbosityArguments,
}

pub(super) fn run(mut arguments: Arguments) -> anyhow::Result<Outcome> {
    let verbosity = arguments.verbosity.verbosity();
    arguments.server.set_verbosity(verbosity);
    let folder = folder()?;
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let data_dir = folder.join("data");
    // Two demos that start at once build once.
    let lock = File::create(folder.join("demo.lock"))
        .with_context(|| format!("cannot write to {}", folder.display()))?;
    lock.lock()?;
    // One that an interrupted first start or another version left is built again; one that waits for its
    // vectors is served, and gets them meanwhile.
    let files = folder.join("files");
    match snapshot::open(&data_dir) {
        Ok(opened) if opened.awaited().is_some_and(|awaited| awaited.share.is_none()) => {
            build(&files, &data_dir, verbosity);
        }
        Ok(_) => {}
        Err(_) => {
            generate(&files, &data_dir, verbosity)?;
            let searchable = build(&files, &data_dir, verbosity);
            searchable.recv().context("the build ended unexpectedly")??;
        }
    }
    let key = demo_key(&folder, &data_dir)?;
    drop(lock);
    serve(Folder::built(&data_dir), arguments.server, |listen, _| announce(listen, &key, verbosity))
}

/// Where the demo data is kept, one folder a version of the program.
fn folder() -> anyhow::Result<PathBuf> {
    let absolute =
        |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = absolute("XDG_CACHE_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".cache")))
        .context("no cache directory: set HOME or XDG_CACHE_HOME to an absolute path")?;
    Ok(cache.join("almoner").join(concat!("demo-", env!("CARGO_PKG_VERSION"))))
}

/// Writes the fictional files in place of those of before, whose snapshots go as well.
fn generate(files: &Path, data_dir: &Path, verbosity: Verbosity) -> anyhow::Result<()> {
    for old in [files, data_dir] {
        if old.exists() {
            fs::remove_dir_all(old).with_context(|| format!("cannot remove {}", old.display()))?;
        }
    }
    let options = fictional::Options::new(ORGANIZATIONS, SEED);
    let bar = Bar::of(verbosity, "generate", Some(ORGANIZATIONS));
    fictional::generate(files, &options, &mut |done| bar.set(done))?;
    bar.finish();
    Ok(())
}

/// Builds on a thread of its own; tells once when words can be searched, or why they never will be. The
/// vectors follow while the data is served.
fn build(files: &Path, data_dir: &Path, verbosity: Verbosity) -> Receiver<anyhow::Result<()>> {
    let (sender, receiver) = mpsc::channel();
    let options = build::Options {
        data_dir: data_dir.to_owned(),
        inputs: vec![files.to_owned()],
        model: Some(Arc::default()),
        wait_for_vectors: false,
        reject_limit_percent: Some(REJECT_LIMIT_PERCENT),
        fall_max_percent: None,
        without: Vec::new(),
        feed_ein: None,
    };
    thread::spawn(move || {
        let built = build::build(&options, &Begun::new(verbosity, sender.clone()));
        match built {
            Ok(_) => verbosity.say("searches now compare by meaning, too"),
            Err(error) => {
                // Who no longer waits for the data learns of what it lacks.
                if let Err(SendError(Err(error))) = sender.send(Err(error.into())) {
                    complain(&format!("no search by meaning: {error:#}"));
                }
            }
        }
    });
    receiver
}

/// Shows the stages until there is something to serve.
struct Begun {
    bars: Bars,
    is_served: AtomicBool,
    sender: Sender<anyhow::Result<()>>,
}

impl Begun {
    fn new(verbosity: Verbosity, sender: Sender<anyhow::Result<()>>) -> Self {
        Self { bars: Bars::of(verbosity), is_served: AtomicBool::new(false), sender }
    }

    fn show(&self, show: impl FnOnce(&Bars)) {
        if !self.is_served.load(Ordering::Relaxed) {
            show(&self.bars);
        }
    }
}

impl Progress for Begun {
    fn stage(&self, name: &'static str, total: Option<u64>) {
        self.show(|bars| bars.stage(name, total));
    }

    fn advance(&self, units: u64) {
        self.show(|bars| bars.advance(units));
    }

    fn searchable(&self, _: &str) {
        self.finish();
        self.is_served.store(true, Ordering::Relaxed);
        // Nobody waits where the data was there before.
        let _ = self.sender.send(Ok(()));
    }

    fn finish(&self) {
        self.show(Bars::finish);
    }
}

/// The demo's own key, made once and kept beside its data, readable by its owner only.
fn demo_key(folder: &Path, data_dir: &Path) -> anyhow::Result<String> {
    let path = folder.join("demo.key");
    if let Ok(key) = fs::read_to_string(&path) {
        let known = keys::Keys::open(data_dir)?.find(key.trim().as_bytes()).is_some();
        if known {
            return Ok(key.trim().to_owned());
        }
    }
    let key = keys::create(data_dir, "demo")?.secret;
    let mut options = fs::OpenOptions::new();
    options.create(true).truncate(true).write(true);
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    std::io::Write::write_all(&mut options.open(&path)?, key.as_bytes())
        .with_context(|| format!("cannot write {}", path.display()))?;
    Ok(key)
}

fn announce(listen: &Listen, key: &str, verbosity: Verbosity) -> anyhow::Result<()> {
    verbosity.say("every nonprofit in this demo is fictional");
    let (curl, base) = match listen {
        Listen::Tcp(_) => ("curl".to_owned(), listen.to_string()),
        Listen::Unix(path) => {
            (format!("curl --unix-socket '{}'", path.display()), "http://localhost".to_owned())
        }
    };
    print(&format!(
        "open     {base}/#key={key}\nkey      {key}\n\ntry\n\
         {curl} -H 'X-API-Key: {key}' '{base}/typeahead/nonprofits?q=first+ba&limit=3'\n\
         {curl} -H 'X-API-Key: {key}' '{base}/beta/nonprofits/search?state=OH&min_revenue=1000000&size=2'\n\
         {curl} '{base}/version'\n"
    ))?;
    Ok(())
}
