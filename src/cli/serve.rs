//! `almoner serve`: the published snapshot over HTTP, until told to end.
//!
//! While it runs it follows the data directory (`follow`). With `--from` the snapshots come from object
//! storage (`replica`).

mod follow;
mod replica;

use std::io::IsTerminal as _;
use std::num::NonZeroU32;
use std::panic;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use clap::ValueEnum;
use tokio::runtime::Runtime;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::spawn_blocking;
use tracing::level_filters::LevelFilter;
use tracing::{error, info, warn};
use tracing_appender::non_blocking::ErrorCounter;

use self::follow::ServedFolder;
use self::replica::{Replica, ReplicaArguments};
use super::flags::{LanguageModelArguments, Verbosity};
use super::log::{self, LogFormat};
use super::{DataDir, LISTEN_DEFAULT, ModelFolder, Outcome, complain, complain_plainly, misused};
use crate::embed::Lazy;
use crate::http::{Access, App, Keys, Listen, LoggedAddress, Newest, Options, Reached, Server};
use crate::language_model::LanguageModel;
use crate::search::nonprofits;
use crate::snapshot::{self, Manifest, Snapshot};

/// The default threshold of a slow request: many times what the costliest query takes.
const SLOW_MS: u64 = 500;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    data_dir: DataDir,
    #[command(flatten)]
    model: ModelFolder,
    #[command(flatten)]
    replica: ReplicaArguments,
    /// Folder that holds keys.json, where it is not the data directory
    #[arg(long, value_name = "DIR", env = "ALMONER_KEYS")]
    keys: Option<PathBuf>,
    #[command(flatten)]
    server: ServerArguments,
}

/// What `serve` and `demo` share.
#[derive(Debug, clap::Args)]
pub(super) struct ServerArguments {
    /// Address and port to listen on (port 0 picks a free one), or a socket: unix:/path
    #[arg(long, value_name = "ADDRESS", env = "ALMONER_LISTEN", default_value = LISTEN_DEFAULT)]
    listen: Listen,
    /// Answer programs and the browser of this machine without a key; needs a loopback address
    #[arg(long, env = "ALMONER_OPEN", conflicts_with = "private")]
    open: bool,
    /// Let anybody use a part of it without a key, each address at --rate requests a second
    #[arg(long, value_name = "PART", env = "ALMONER_PUBLIC", conflicts_with_all = ["open", "private"])]
    public: Option<Public>,
    /// Tell clients apart by the X-Real-IP of the proxy through which alone this server is reached
    #[arg(long, env = "ALMONER_BEHIND_PROXY")]
    behind_proxy: bool,
    /// Require a key for every path but /health
    #[arg(long, env = "ALMONER_PRIVATE")]
    private: bool,
    /// Origin whose web pages may read the answers, or `*` for any origin
    #[arg(long, value_name = "ORIGIN", env = "ALMONER_CORS_ORIGIN", value_parser = origin)]
    cors_origin: Option<String>,
    /// Format of log lines
    #[arg(long, value_name = "FORMAT", env = "ALMONER_LOG_FORMAT", default_value = "text")]
    log_format: LogFormat,
    /// Least severe log lines to write: error, warn, info, debug, trace or off; requests are info
    #[arg(long, value_name = "LEVEL", env = "ALMONER_LOG_LEVEL", default_value = "info")]
    log_level: LevelFilter,
    /// Requests that each key, or address of --public, may make in a second; without it any number, or 40
    #[arg(long, value_name = "REQUESTS", env = "ALMONER_RATE")]
    rate: Option<NonZeroU32>,
    /// Log requests that take longer than this as warnings; 0 logs none as a warning
    #[arg(long, value_name = "MILLISECONDS", env = "ALMONER_SLOW_MS", default_value_t = SLOW_MS)]
    slow_ms: u64,
    /// Also log the queries of slow requests, which can be personal
    #[arg(long, env = "ALMONER_LOG_QUERIES")]
    log_queries: bool,
    /// What to log of the address of whoever shows no valid key
    #[arg(long, value_name = "HOW", env = "ALMONER_LOG_ADDRESSES", default_value = "plain")]
    log_addresses: LogAddresses,
    #[command(flatten)]
    language_model: LanguageModelArguments,
    /// Load the models before listening, as replicas behind a load balancer should
    #[arg(long, env = "ALMONER_WARM")]
    warm: bool,
    /// Print every setting and where it comes from, and exit
    #[arg(long)]
    print_config: bool,
    #[arg(skip)]
    verbosity: Verbosity,
}

impl ServerArguments {
    /// Quiet, it says not where it listens, and logs what is at least a warning.
    pub(super) fn set_verbosity(&mut self, verbosity: Verbosity) {
        self.verbosity = verbosity;
        if verbosity == Verbosity::Quiet {
            self.log_level = self.log_level.min(LevelFilter::WARN);
        }
    }
}

/// What anybody may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Public {
    /// The web page, and what it asks for
    Page,
}

/// How the log records the address of a client without a valid key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LogAddresses {
    /// Nothing
    Off,
    /// The address; of IPv6 the network
    Plain,
    /// A hash that changes every day
    Hashed,
}

/// What browsers send in `Origin`: a scheme, a host and perhaps a port, without a path.
fn origin(text: &str) -> Result<String, String> {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let is_host = |host: &str| {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b".-_:[]".contains(&byte);
        !host.is_empty() && host.bytes().all(fits)
    };
    if text == "*" || host.is_some_and(is_host) {
        return Ok(text.to_owned());
    }
    Err("expected https:// or http:// and a host, without a path, such as https://example.org, \
         or *"
        .to_owned())
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    let verbosity = arguments.server.verbosity;
    let data_dir = arguments.data_dir.path;
    let replica = arguments.replica.replica(data_dir.clone())?;
    let keys = arguments.keys.as_deref().unwrap_or(&data_dir);
    let folder = Folder { path: &data_dir, keys, model: arguments.model.lazy(), replica };
    serve(folder, arguments.server, |listen, own_key| {
        if let (Some(key), Listen::Tcp(_)) = (own_key, listen) {
            verbosity.say(&format!("open {listen}/#key={key} (the key ends with this server)"));
        }
        Ok(())
    })
}

/// A data directory to be served.
pub(super) struct Folder<'a> {
    path: &'a Path,
    /// The folder of its keys.
    keys: &'a Path,
    model: Arc<Lazy>,
    /// What brings its snapshots; `None` where they are built.
    replica: Option<Replica>,
}

impl<'a> Folder<'a> {
    /// One whose snapshots are built on this machine, with the model of the program and keys beside them.
    pub(super) fn built(path: &'a Path) -> Self {
        Self { path, keys: path, model: Arc::default(), replica: None }
    }
}

/// Serves a data directory; `ready` is called once with where it listens and the process's own key.
pub(super) fn serve(
    folder: Folder<'_>,
    arguments: ServerArguments,
    ready: impl FnOnce(&Listen, Option<&str>) -> anyhow::Result<()>,
) -> anyhow::Result<Outcome> {
    if let Some(why) = open_to_others(&arguments) {
        return Err(misused(why));
    }
    let running_log = started(|| log::start(arguments.log_format, arguments.log_level));
    log_panics();
    let options = options(&arguments, running_log.dropped_lines.clone())?;
    let language_model = options.language_model.clone();
    let Folder { path: data_dir, keys: keys_dir, model, mut replica } = folder;
    let behind = replica.as_mut().map(Replica::start).transpose()?.flatten();
    let opened = Arc::new(snapshot::open_with(data_dir, &model)?);
    let manifest = opened.manifest.clone();
    let keys = Keys::open(keys_dir)?;
    if keys.count() == 0 && options.access == Access::WithKey {
        complain_plainly(&no_keys(data_dir, keys_dir));
    }
    let (keys, own_key) = match options.access {
        // A key in a log file would be one that anybody finds there.
        Access::WithKey if std::io::stderr().is_terminal() => {
            keys.with_own().map(|(keys, key)| (keys, Some(key)))?
        }
        _ => (keys, None),
    };
    let app = Arc::new(App::new(keys, options));
    app.swap(Arc::clone(&opened));
    app.tell_behind(Newest::Stored, behind);

    let runtime = runtime()?;
    let outcome = runtime.block_on(async {
        if arguments.warm {
            let (opened, language_model) = (Arc::clone(&opened), language_model.clone());
            spawn_blocking(move || warm(&opened, language_model.as_deref())).await?;
        }
        let server = Server::bind(&arguments.listen, app.clone()).await?;
        let ends = [signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?];
        let hangup = signal(SignalKind::hangup())?;
        // What rotates logs may send these, which end a process that does not take them.
        let _ignored = [signal(SignalKind::user_defined1())?, signal(SignalKind::user_defined2())?];
        let listen = server.listen().clone();
        if !arguments.warm {
            spawn_blocking(move || warm(&opened, language_model.as_deref()));
        }
        let (app, data_dir, keeps_former) = (app.clone(), data_dir.to_owned(), replica.is_some());
        let followed = ServedFolder { app: app.clone(), data_dir, model, keeps_former };
        tokio::spawn(follow::follow(followed, manifest.snapshot.clone(), hangup));
        if let Some(replica) = replica {
            replica.spawn(app.clone())?;
        }
        log_start(&listen, &manifest, app.keys().count(), &arguments);
        arguments.verbosity.say(&format!("listening on {listen}"));
        ready(&listen, own_key.as_deref())?;
        if !server.run(ended_by_signal(ends)).await {
            warn!("some requests did not end in time and were cut off");
        }
        Ok(Outcome::Done)
    });
    // A model that is still being made ready is not waited for.
    runtime.shutdown_background();
    outcome
}

/// Ends with the first signal that ends the process.
async fn ended_by_signal([mut terminate, mut interrupt]: [Signal; 2]) {
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    info!("shutting down: requests under way are answered first");
}

/// Logs what is served, and who has access.
fn log_start(listen: &Listen, manifest: &Manifest, keys: usize, arguments: &ServerArguments) {
    let access = match (arguments.open, arguments.public) {
        (true, _) => "this machine without a key",
        (false, Some(Public::Page)) => "the page without a key, programs with one",
        (false, None) if arguments.private => "with a key, everything but /health",
        (false, None) => "with a key",
    };
    let Manifest { snapshot, format, organizations, .. } = manifest;
    info!(%listen, snapshot, format, organizations, keys, access, "serving");
}

/// Why `--open` is refused where others can reach the address.
fn open_to_others(arguments: &ServerArguments) -> Option<String> {
    let reached = arguments.open && !arguments.listen.is_loopback();
    reached.then(|| {
        format!(
            "--open answers without a key, and {} can be reached by others: expected a loopback \
             address, such as --listen {LISTEN_DEFAULT}",
            arguments.listen
        )
    })
}

/// How the service is to behave.
fn options(arguments: &ServerArguments, dropped_lines: ErrorCounter) -> anyhow::Result<Options> {
    let cors_origin = arguments.cors_origin.as_deref().map(str::parse).transpose();
    let expected = "--cors-origin is neither an origin, such as https://example.org, nor *";
    Ok(Options {
        access: match (arguments.open, arguments.public) {
            (true, _) => Access::ThisMachine,
            (false, Some(Public::Page)) => Access::Page,
            (false, None) => Access::WithKey,
        },
        reached: if arguments.behind_proxy { Reached::ThroughProxy } else { Reached::Directly },
        rate: arguments.rate,
        private: arguments.private,
        cors_origin: cors_origin.context(expected)?,
        slow: (arguments.slow_ms > 0).then(|| Duration::from_millis(arguments.slow_ms)),
        log_queries: arguments.log_queries,
        log_addresses: match arguments.log_addresses {
            LogAddresses::Off => LoggedAddress::Off,
            LogAddresses::Plain => LoggedAddress::Plain,
            LogAddresses::Hashed => LoggedAddress::Hashed,
        },
        dropped_lines: Some(dropped_lines),
        language_model: arguments.language_model.open()?.map(Arc::new),
    })
}

/// What somebody needs to know whose requests would all be answered with 401.
fn no_keys(data_dir: &Path, keys_dir: &Path) -> String {
    let flag = if keys_dir == data_dir { "--data-dir" } else { "--keys" };
    format!(
        "no API key is valid yet, so the API answers 401; make one with `almoner keys create {flag} {} \
         --name NAME`, which this server accepts within a second",
        keys_dir.display()
    )
}

/// Why a server does not start.
const NO_THREADS: &str =
    "the system gives the server no threads or files; raise ulimit -u and ulimit -n";

/// Starts what panics where the system gives it no thread, and would then wait for ever for those there
/// are: the process, which has not begun to serve, ends with a line instead.
fn started<Started>(start: impl FnOnce() -> Started) -> Started {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {
        complain(NO_THREADS);
        std::process::exit(1);
    }));
    let started = start();
    panic::set_hook(hook);
    started
}

/// Makes a panic a line of the log, as every other event is.
fn log_panics() {
    panic::set_hook(Box::new(|panic| {
        let location = panic.location().map(ToString::to_string);
        error!(location, cause = panic.payload_as_str(), "panic");
    }));
}

/// What the server runs on.
fn runtime() -> anyhow::Result<Runtime> {
    started(|| {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.context(NO_THREADS)?;
        // While there is one thread that may wait for files, a moment without another is borne: whoever
        // follows the data directory keeps it.
        drop(runtime.spawn_blocking(|| ()));
        Ok(runtime)
    })
}

/// Makes all models ready. A language model that is of no use now may be later: a server can come back.
fn warm(snapshot: &Snapshot, language_model: Option<&LanguageModel>) {
    load_model(snapshot);
    let Some(model) = language_model else { return };
    let name = model.name();
    match model.warm() {
        Ok(()) => info!(model = name, "language model ready"),
        Err(cause) => {
            let cause = &cause as &dyn std::error::Error;
            let action =
                "is its server up, and --language-model right? It is asked again with each message";
            warn!(
                model = name,
                error = cause,
                action,
                "answers are worded without the language model"
            );
        }
    }
}

/// Makes ready what the first question would wait for: tables, the reader, the model. Without them everything
/// else is answered.
fn load_model(snapshot: &Snapshot) {
    if let Err(cause) = nonprofits::warm(snapshot) {
        error!(error = &cause as &dyn std::error::Error, "not ready for the first search");
    }
    if snapshot.manifest.model.is_none() {
        return;
    }
    match snapshot.model() {
        Ok(model) => {
            info!(model = model.identifier(), kernel = model.kernel(), "model loaded");
        }
        Err(cause) => {
            error!(error = &cause as &dyn std::error::Error, "no search by meaning");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_what_browsers_send() {
        for (text, fits) in [
            ("*", true),
            ("https://example.org", true),
            ("http://localhost:3000", true),
            ("http://[::1]:3000", true),
            ("example.org", false),
            ("https://example.org/", false),
            ("https://", false),
            ("foo bar", false),
            ("", false),
        ] {
            assert_eq!(origin(text).is_ok(), fits, "{text}");
        }
    }
}
