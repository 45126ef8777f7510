//! The command line: one file a subcommand.
//!
//! Results go to standard output, all else to standard error. Exit codes: 0 done, 1 failed, 2 wrong
//! usage, 3 not found. Flags win over the environment (`ALMONER_` and the flag's name), which wins
//! over defaults.

mod aggregate;
mod build;
mod chat;
mod completions;
mod configuration;
mod coverage;
mod demo;
mod diff;
mod embed;
mod export;
mod extract;
mod fetch;
mod filters;
mod findings;
mod flags;
mod generate;
mod get;
mod health;
mod inspect;
mod keys;
mod licenses;
mod log;
mod man;
mod r#match;
mod mcp;
mod openapi;
mod output_file;
mod pager;
mod printable;
mod progress;
mod pull;
mod push;
mod record_writer;
mod search;
mod serve;
mod table;
mod verify;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use rustix::io::Errno;

use self::printable::{printable, printable_lines};
use crate::embed::Lazy;
use crate::record::Ein;
#[cfg(feature = "internals")]
pub use r#match::list_rows;

/// Where a server listens by default.
const LISTEN_DEFAULT: &str = "127.0.0.1:8080";

/// Search over every U.S. nonprofit from the IRS's public bulk files.
#[derive(Debug, Parser)]
#[command(name = "almoner", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// Declares the commands, each with the module that does what it says.
macro_rules! commands {
    ($($(#[$about:meta])* $name:ident => $module:ident,)+) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $($(#[$about])* $name(Box<$module::Arguments>),)+
        }

        impl Command {
            fn run(self) -> anyhow::Result<Outcome> {
                match self {
                    $(Self::$name(arguments) => $module::run(*arguments),)+
                }
            }
        }
    };
}

commands! {
    /// Build fictional demo data (once) and serve it
    Demo => demo,
    /// Download the IRS's files into a folder
    Fetch => fetch,
    /// Build a snapshot from IRS files, curated records and feeds, and publish it
    Build => build,
    /// Read returns and write what `build` needs of them, as Parquet: on many machines, a part each
    Extract => extract,
    /// Write fictional data in every format that `build` reads
    Generate => generate,
    /// Serve the published snapshot over HTTP
    Serve => serve,
    /// Write a page with what was found in annual reports beside their text, to keep, mend or drop it
    Findings => findings,
    /// Send the published snapshot to object storage, from where replicas take it
    Push => push,
    /// Take the snapshot that object storage publishes
    Pull => pull,
    /// Create, list and revoke API keys
    Keys => keys,
    /// Find nonprofits by what they are about and by filters
    Search => search,
    /// Count nonprofits and add up their figures, by state, cause, size and the like
    Aggregate => aggregate,
    /// Chat about the published snapshot: find nonprofits, compare them, ask about them
    Chat => chat,
    /// Find the EINs of a list of names and addresses
    Match => r#match,
    /// Write all nonprofits that satisfy filters to a file, or to standard output
    Export => export,
    /// Answer one request offline, as the server would
    Get => get,
    /// Serve a host of language models over standard input and output (Model Context Protocol)
    Mcp => mcp,
    /// Turn texts, one per line, into vectors
    Embed => embed,
    /// Check every file of the published snapshot
    Verify => verify,
    /// Describe the published snapshot: its sources, counts and files
    Inspect => inspect,
    /// Show what the published snapshot covers, and what it does not
    Coverage => coverage,
    /// List what changed between two data directories
    Diff => diff,
    /// Check whether a server answers
    Health => health,
    /// Print the OpenAPI document
    Openapi => openapi,
    /// Print whose work is in this program, and under which licences
    Licenses => licenses,
    /// Print a completion script for a shell
    Completions => completions,
    /// Write the manual, one page per command
    Man => man,
}

/// Where snapshots and keys are.
#[derive(Debug, clap::Args)]
struct DataDir {
    /// Folder that holds the snapshots and the keys
    #[arg(id = "data_dir", long = "data-dir", value_name = "DIR", env = "ALMONER_DATA_DIR")]
    path: PathBuf,
}

/// Which model embeds texts.
#[derive(Debug, clap::Args)]
struct ModelFolder {
    /// Folder with another sentence model: config.json, tokenizer.json, model.safetensors
    #[arg(id = "model", long = "model", value_name = "DIR", env = "ALMONER_MODEL")]
    path: Option<PathBuf>,
}

impl ModelFolder {
    /// The model, to be loaded when it is asked for.
    fn lazy(&self) -> Arc<Lazy> {
        Arc::new(Lazy::new(self.path.clone()))
    }
}

/// Which model embeds many texts, and on what.
#[derive(Debug, clap::Args)]
struct BulkModel {
    #[command(flatten)]
    folder: ModelFolder,
    /// Embed on the GPU, in f32
    #[cfg(feature = "gpu")]
    #[arg(long)]
    gpu: bool,
}

impl BulkModel {
    /// The model, to be loaded when it is asked for; a GPU that is asked for and not there is an error.
    fn lazy(&self) -> anyhow::Result<Arc<Lazy>> {
        #[cfg(feature = "gpu")]
        if self.gpu {
            use anyhow::Context as _;

            let none = "no GPU that candle can use; leave --gpu out to embed on the CPU";
            return Ok(Arc::new(Lazy::on_gpu(self.folder.path.clone()).context(none)?));
        }
        Ok(self.folder.lazy())
    }
}

/// Reads an EIN as people type it.
fn ein(text: &str) -> Result<Ein, String> {
    Ein::from_typed(text).ok_or_else(|| "expected nine digits, with or without a dash".to_owned())
}

/// How a command that ran ended, short of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Done,
    /// It ran, and found something wrong: exit code 1.
    Failed,
    /// Wrong usage: exit code 2.
    Usage,
    /// What was asked for does not exist: exit code 3.
    NotFound,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Done => Self::SUCCESS,
            Outcome::Failed => Self::from(1),
            Outcome::Usage => Self::from(2),
            Outcome::NotFound => Self::from(3),
        }
    }
}

/// An error with an exit code of its own.
#[derive(Debug, thiserror::Error)]
#[error("{why}")]
struct Refusal {
    outcome: Outcome,
    why: String,
}

/// What was typed makes no sense: exit code 2.
fn misused(why: impl ToString) -> anyhow::Error {
    Refusal { outcome: Outcome::Usage, why: why.to_string() }.into()
}

/// What was asked for does not exist: exit code 3.
fn not_found(why: impl ToString) -> anyhow::Error {
    Refusal { outcome: Outcome::NotFound, why: why.to_string() }.into()
}

/// Runs the program: reads the arguments, does what they say, prints errors with their causes.
pub fn run() -> ExitCode {
    let matches = Arguments::command().get_matches();
    if let Some(settings) = settings(&matches) {
        return finish(print(&settings).map(|()| Outcome::Done));
    }
    // The same declaration made the matches.
    let arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    finish(perform(arguments.command))
}

/// What `--print-config` asks for, if it is there.
fn settings(matches: &clap::ArgMatches) -> Option<String> {
    let (name, of_command) = matches.subcommand()?;
    let asked = of_command.try_get_one::<bool>("print_config").ok().flatten();
    let command = Arguments::command();
    let command = command.find_subcommand(name).filter(|_| asked == Some(&true))?;
    Some(configuration::rendered(command, of_command))
}

/// Does what a command says.
fn perform(command: Command) -> anyhow::Result<Outcome> {
    // Started when first needed they could only panic.
    rayon::ThreadPoolBuilder::new().build_global().context(
        "the system starts no more threads; let this user have more processes (ulimit -u)",
    )?;
    command.run()
}

/// The exit code of what was done, an error told with its causes.
fn finish(outcome: anyhow::Result<Outcome>) -> ExitCode {
    match outcome {
        Ok(outcome) => outcome.into(),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&chain(&error));
            error.downcast_ref().map_or(Outcome::Failed, |refusal: &Refusal| refusal.outcome).into()
        }
    }
}

/// How the system says that the disk is full, or that the user may have no more of it: looked for in
/// the text, because not every engine hands its cause on.
const FULL: [i32; 2] = [Errno::NOSPC.raw_os_error(), Errno::DQUOT.raw_os_error()];

/// Whether an error is of a full disk.
fn is_full(told: &str) -> bool {
    FULL.iter().any(|code| told.contains(&format!("(os error {code})")))
}

/// The error and its causes on one line, a cause that the error already tells left out.
fn chain(error: &anyhow::Error) -> String {
    joined(error.chain().map(ToString::to_string))
}

/// The same of an error that is not anyhow's.
fn chain_of(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    joined(causes.map(ToString::to_string))
}

fn joined(causes: impl Iterator<Item = String>) -> String {
    let mut text = String::new();
    for cause in causes {
        if text.is_empty() {
            text = cause;
        } else if !text.contains(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
    }
    text
}

/// Whether whoever reads standard output stopped reading (`almoner … | head`).
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|io| io.kind() == io::ErrorKind::BrokenPipe)
    })
}

/// What failed when standard output cannot be written to.
const OUTPUT: &str = "cannot write to standard output";

/// Writes to standard output, with a line feed at the end.
fn print(text: &(impl AsRef<[u8]> + ?Sized)) -> anyhow::Result<()> {
    let text = text.as_ref();
    let mut out = io::stdout().lock();
    let mut write = || {
        out.write_all(text)?;
        if !text.ends_with(b"\n") {
            out.write_all(b"\n")?;
        }
        out.flush()
    };
    write().context(OUTPUT)
}

/// Writes an error to standard error, on one line, whatever the names of files in it are.
fn complain(text: &str) {
    complain_plainly(&format!("almoner: {}", printable(text)));
}

/// Writes a line to standard error, or some that are meant to be. Nothing is left to do when that is closed.
fn complain_plainly(line: &str) {
    let _ = writeln!(io::stderr(), "{}", printable_lines(line));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory as _;
        Arguments::command().debug_assert();
    }

    #[test]
    fn a_chain_tells_each_cause_once() {
        let error = anyhow::anyhow!("disk full").context("cannot write a: disk full").context("b");
        assert_eq!(chain(&error), "b: cannot write a: disk full");
    }
}
