//! The server under load: too much of it, for long, across swaps, and from clients that are slow,
//! broken, many or wrong.
//!
//! ```sh
//! cargo bench --bench load                              # every scenario, its quick form
//! cargo bench --bench load -- overload                  # one of them, its full form
//! cargo bench --bench load -- soak --minutes 30 --data-dir DATA
//! ```
//!
//! A server runs as a process of its own, on loopback. Each scenario says in its file what is done
//! and what must hold; figures are printed one a line, what does not hold as `FAILED`, and the exit
//! code is 1 if anything did not. Quick forms hold no limits of time, except that nothing hangs.

// Figures go to standard output.
#![allow(clippy::print_stdout)]

mod chance;
mod client;
mod costly;
mod hostile;
mod keys;
mod load;
mod overload;
mod program;
mod report;
mod requests;
mod server;
mod sessions;
mod slow;
mod soak;
mod swap;
mod template;
mod times;

use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};

use program::{Program, Vectors};
use report::Report;

/// Fictional organizations of the full form, with vectors, and of the quick one, without.
const ORGANIZATIONS: u64 = 20_000;
const QUICK_ORGANIZATIONS: u64 = 2_000;
/// Open files that the bench itself may need.
const FILES_NEEDED: u64 = 4_096;
/// Set once the limit of open files was raised.
const RAISED: &str = "ALMONER_BENCH_FILES_RAISED";

#[derive(Debug, Parser)]
struct Arguments {
    /// What to try; all of them, in their quick form, if none is named
    scenario: Option<Scenario>,
    /// Data directory to serve instead of fictional data; nothing is written to it
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Fictional organizations, where no data directory is named
    #[arg(long, value_name = "N")]
    organizations: Option<u64>,
    /// Program to try instead of the one that was built with this
    #[arg(long, value_name = "FILE", default_value = env!("CARGO_BIN_EXE_almoner"))]
    almoner: PathBuf,
    /// Given by `cargo bench`; means nothing here
    #[arg(long, hide = true)]
    bench: bool,
    #[command(flatten)]
    amounts: Amounts,
}

/// How much of what a scenario does.
#[derive(Debug, Clone, clap::Args)]
struct Amounts {
    /// The quick form: seconds rather than minutes, on little data
    #[arg(long)]
    quick: bool,
    /// How long each part that has no end of its own takes
    #[arg(long)]
    seconds: Option<u64>,
    /// How long the soak takes, in minutes
    #[arg(long)]
    minutes: Option<u64>,
    /// Requests a second, instead of what saturation tells
    #[arg(long)]
    rate: Option<f64>,
    /// Snapshots that are published
    #[arg(long)]
    swaps: Option<usize>,
    /// Slow clients of a kind
    #[arg(long)]
    clients: Option<usize>,
    /// The one kind of slow clients to try
    #[arg(long)]
    kind: Option<slow::Kind>,
    /// Malformed requests, sessions, or keys
    #[arg(long)]
    count: Option<u64>,
    /// Where random choices start
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Scenario {
    /// Three times as many requests as it can answer
    Overload,
    /// Below saturation, everything mixed, for long
    Soak,
    /// New snapshots under load
    Swap,
    /// Clients that send or read slowly, or not at all
    Slow,
    /// Malformed requests
    Hostile,
    /// Many sessions
    Sessions,
    /// Wrong, revoked and many keys
    Keys,
    /// The dearest legal requests, and others beside them
    Costly,
}

impl Scenario {
    /// Its name, and what tries it.
    fn trial(self) -> (&'static str, fn(&Options, &mut Report)) {
        match self {
            Self::Overload => ("overload", overload::run),
            Self::Soak => ("soak", soak::run),
            Self::Swap => ("swap", swap::run),
            Self::Slow => ("slow", slow::run),
            Self::Hostile => ("hostile", hostile::run),
            Self::Sessions => ("sessions", sessions::run),
            Self::Keys => ("keys", keys::run),
            Self::Costly => ("costly", costly::run),
        }
    }
}

/// What a scenario is given.
#[derive(Debug)]
struct Options {
    program: Program,
    /// Serves the data named or generated; keys made here stay out of what was named.
    data_dir: PathBuf,
    amounts: Amounts,
}

impl Options {
    fn quick(&self) -> bool {
        self.amounts.quick
    }

    fn seed(&self) -> u64 {
        self.amounts.seed
    }

    /// How long a part takes that takes so long unless it is said.
    fn seconds(&self, full: u64, quick: u64) -> Duration {
        Duration::from_secs(self.amounts.seconds.unwrap_or(self.either(full, quick)))
    }

    /// One of two values, by the form.
    fn either<Value>(&self, full: Value, quick: Value) -> Value {
        if self.quick() { quick } else { full }
    }
}

fn main() -> ExitCode {
    let mut arguments = Arguments::parse();
    if let Some(code) = raise_files_max() {
        return code;
    }
    arguments.amounts.quick |= arguments.scenario.is_none();
    let chosen = match &arguments.scenario {
        Some(scenario) => std::slice::from_ref(scenario),
        None => Scenario::value_variants(),
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = Program::new(arguments.almoner.clone());
    let mut report = Report::default();
    // Swaps are of data of their own.
    let data_dir = if chosen == [Scenario::Swap] {
        folder.path().join("none")
    } else {
        data_dir(&arguments, &program, folder.path())
    };
    let options = Options { program, data_dir, amounts: arguments.amounts.clone() };
    for scenario in chosen {
        let begun = Instant::now();
        let (name, run) = scenario.trial();
        report.begin(name);
        run(&options, &mut report);
        report.figure("took", format!("{:.1} s", begun.elapsed().as_secs_f64()));
    }
    report.end()
}

/// The data named, or fictional data.
fn data_dir(arguments: &Arguments, program: &Program, folder: &Path) -> PathBuf {
    if let Some(named) = &arguments.data_dir {
        return program::lend(named, &folder.join("lent"));
    }
    let (default, vectors) = if arguments.amounts.quick {
        (QUICK_ORGANIZATIONS, Vectors::Without)
    } else {
        (ORGANIZATIONS, Vectors::With)
    };
    let (files, data_dir) = (folder.join("files"), folder.join("data"));
    let organizations = arguments.organizations.unwrap_or(default);
    program.generate(&files, organizations, arguments.amounts.seed);
    program.build(&data_dir, &files, vectors);
    data_dir
}

/// Starts this program again with more open files where it may have too few; `None` goes on.
fn raise_files_max() -> Option<ExitCode> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    let allowed: u64 = line.split_whitespace().next()?.parse().ok()?;
    if allowed >= FILES_NEEDED || std::env::var_os(RAISED).is_some() {
        return None;
    }
    let script = format!("ulimit -n {FILES_NEEDED} && exec \"$0\" \"$@\"");
    let itself = std::env::current_exe().ok()?;
    let mut again = Command::new("sh");
    again.args(["-c", &script]).arg(itself).args(std::env::args_os().skip(1)).env(RAISED, "1");
    let error = again.exec();
    println!("cannot start with {FILES_NEEDED} open files: {error}");
    Some(ExitCode::FAILURE)
}
