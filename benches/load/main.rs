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

mod asks;
mod chance;
mod client;
mod data;
mod hostile;
mod keys;
mod load;
mod overload;
mod percentiles;
mod report;
mod server;
mod sessions;
mod slow;
mod soak;
mod swap;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};

use data::Program;
use report::Report;

/// Fictional organizations of the full form, with vectors, and of the quick one, without.
const ORGANIZATIONS: u64 = 20_000;
const QUICK_ORGANIZATIONS: u64 = 2_000;

#[derive(Debug, Parser)]
struct Arguments {
    /// What to try; all of them, in their quick form, if none is named
    scenario: Option<Scenario>,
    /// The quick form: seconds rather than minutes, on little data
    #[arg(long)]
    quick: bool,
    /// Data directory to serve instead of fictional data; nothing is written to it
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Fictional organizations, where no data directory is named
    #[arg(long, value_name = "N")]
    organizations: Option<u64>,
    /// Program to try instead of the one that was built with this
    #[arg(long, value_name = "FILE", default_value = env!("CARGO_BIN_EXE_almoner"))]
    almoner: PathBuf,
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
    /// Given by `cargo bench`; means nothing here
    #[arg(long, hide = true)]
    bench: bool,
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
}

impl Scenario {
    fn name(self) -> &'static str {
        match self {
            Self::Overload => "overload",
            Self::Soak => "soak",
            Self::Swap => "swap",
            Self::Slow => "slow",
            Self::Hostile => "hostile",
            Self::Sessions => "sessions",
            Self::Keys => "keys",
        }
    }

    /// Whether it serves the data named or generated; one has data of its own.
    fn shares_data(self) -> bool {
        self != Self::Swap
    }

    fn run(self, options: &Options, report: &mut Report) {
        match self {
            Self::Overload => overload::run(options, report),
            Self::Soak => soak::run(options, report),
            Self::Swap => swap::run(options, report),
            Self::Slow => slow::run(options, report),
            Self::Hostile => hostile::run(options, report),
            Self::Sessions => sessions::run(options, report),
            Self::Keys => keys::run(options, report),
        }
    }
}

/// What a scenario is given.
#[derive(Debug)]
pub struct Options {
    pub program: Program,
    /// Serves the data named or generated; keys made here stay out of what was named.
    pub data_dir: PathBuf,
    pub quick: bool,
    pub seed: u64,
    pub minutes: Option<u64>,
    pub rate: Option<f64>,
    pub swaps: Option<usize>,
    pub clients: Option<usize>,
    pub kind: Option<slow::Kind>,
    pub count: Option<u64>,
    seconds: Option<u64>,
}

impl Options {
    /// How long a part takes that takes so long unless it is said.
    pub fn seconds(&self, full: u64, quick: u64) -> Duration {
        let default = if self.quick { quick } else { full };
        Duration::from_secs(self.seconds.unwrap_or(default))
    }

    /// One of two values, by the form.
    pub fn either<Value>(&self, full: Value, quick: Value) -> Value {
        if self.quick { quick } else { full }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Some(code) = client::raise_files_max() {
        return code;
    }
    let quick = arguments.quick || arguments.scenario.is_none();
    let chosen = match &arguments.scenario {
        Some(scenario) => std::slice::from_ref(scenario),
        None => Scenario::value_variants(),
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = Program::new(arguments.almoner.clone());
    let mut report = Report::default();
    let data_dir = if chosen.iter().any(|scenario| scenario.shares_data()) {
        data_dir(&arguments, &program, quick, folder.path())
    } else {
        folder.path().join("none")
    };
    let options = Options {
        program,
        data_dir,
        quick,
        seed: arguments.seed,
        minutes: arguments.minutes,
        rate: arguments.rate,
        swaps: arguments.swaps,
        clients: arguments.clients,
        kind: arguments.kind,
        count: arguments.count,
        seconds: arguments.seconds,
    };
    for scenario in chosen {
        let begun = Instant::now();
        report.begin(scenario.name());
        scenario.run(&options, &mut report);
        report.figure("took", format!("{:.1} s", begun.elapsed().as_secs_f64()));
    }
    report.end()
}

/// The data named, or fictional data.
fn data_dir(arguments: &Arguments, program: &Program, quick: bool, folder: &Path) -> PathBuf {
    if let Some(named) = &arguments.data_dir {
        return data::lend(named, &folder.join("lent"));
    }
    let default = if quick { QUICK_ORGANIZATIONS } else { ORGANIZATIONS };
    let organizations = arguments.organizations.unwrap_or(default);
    let files = folder.join("files");
    program.generate(&files, organizations, arguments.seed);
    let data_dir = folder.join("data");
    let vectors = if quick { data::Vectors::Without } else { data::Vectors::With };
    program.build(&data_dir, &files, vectors);
    data_dir
}
