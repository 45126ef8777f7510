//! `almoner fetch DIR`: the IRS's public bulk files, downloaded into a folder that `build` reads.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use indicatif::HumanDuration;

use super::flags::{Verbosity, VerbosityArguments};
use super::progress::{Transfer, counted};
use super::table::size;
use super::{Outcome, chain_of, complain, complain_plainly, print};
use crate::fetch::{
    BaseUrl, DISK_BYTES_MAX, Extract, Failure, FileError, LISTS, Options, Plan, Progress, Report,
    Year, fetch,
};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Folder to download into; `almoner build` reads it as it is
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Only these parts of the master file: states (VT,NH; XX is foreign) or regions, 1 to 4
    #[arg(long, value_name = "STATE", env = "ALMONER_STATES", value_delimiter = ',')]
    states: Vec<Extract>,
    /// Also Form 990 returns processed in these years (2024,2025): 2 to 5 GB a year
    #[arg(long, value_name = "YEAR", env = "ALMONER_YEARS", value_delimiter = ',')]
    years: Vec<Year>,
    /// Leave out some of what is downloaded by default
    #[arg(
        long,
        value_name = "WHAT",
        env = "ALMONER_WITHOUT",
        value_delimiter = ',',
        value_parser = parts()
    )]
    without: Vec<String>,
    /// Download from another server instead of the IRS's: scheme and host; the paths stay the same
    #[arg(long, value_name = "URL", env = "ALMONER_BASE_URL")]
    base_url: Option<BaseUrl>,
    /// The most that the folder may hold, in gigabytes
    #[arg(
        long,
        value_name = "GB",
        env = "ALMONER_DISK_MAX_GB",
        default_value_t = DISK_BYTES_MAX / GIGABYTE,
        value_parser = clap::value_parser!(u64).range(1..=1_000_000)
    )]
    disk_max_gb: u64,
    #[command(flatten)]
    verbosity: VerbosityArguments,
}

const GIGABYTE: u64 = 1_000_000_000;

/// The whole master file, beside the names of lists.
const MASTER: &str = "master";

/// What is downloaded unless it is left out.
fn parts() -> PossibleValuesParser {
    PossibleValuesParser::new([MASTER].into_iter().chain(LISTS.map(|(name, _)| name)))
}

impl Arguments {
    fn plan(&self) -> Plan {
        let mut plan = Plan::lists();
        if !self.states.is_empty() {
            plan.extracts = self.states.iter().copied().collect();
        }
        for part in &self.without {
            plan.lists.remove(part.as_str());
            if part == MASTER {
                plan.extracts.clear();
            }
        }
        plan.years = self.years.iter().copied().collect();
        plan
    }
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    let mut options = Options::new(&arguments.folder);
    options.disk_bytes_max = arguments.disk_max_gb.saturating_mul(GIGABYTE);
    options.base_url.clone_from(&arguments.base_url);
    let report =
        fetch(&arguments.plan(), &options, &ConsoleProgress::of(arguments.verbosity.verbosity()))?;
    print(&summary(&report, &arguments.folder.display().to_string()))?;
    if report.is_complete() {
        return Ok(Outcome::Done);
    }
    let failed = counted(report.failures.len() as u64, "file");
    complain(&format!("{failed} could not be downloaded; run the same command again to continue"));
    Ok(Outcome::Failed)
}

fn summary(report: &Report, folder: &str) -> String {
    let new = report.files.iter().filter(|file| file.is_new).count();
    let bytes = report.files.iter().map(|file| file.bytes).sum();
    let mut text = format!(
        "{} downloaded, {} unchanged, {} in {folder}",
        counted(new as u64, "file"),
        report.files.len() - new,
        size(bytes),
    );
    if report.is_complete() {
        text.push_str(&format!("\nnext: almoner build --data-dir DATA {folder}"));
    }
    text
}

/// What happens, a line a file, and a bar of bytes on a terminal.
struct ConsoleProgress {
    verbosity: Verbosity,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    planned: u64,
    ended: u64,
    transfer: Option<Transfer>,
}

impl ConsoleProgress {
    fn of(verbosity: Verbosity) -> Self {
        Self { verbosity, state: Mutex::default() }
    }

    fn with(&self, act: impl FnOnce(&mut State)) {
        act(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// A file came to its end.
    fn end(&self, outcome: &str) {
        self.end_with(self.verbosity, outcome);
    }

    fn end_with(&self, verbosity: Verbosity, outcome: &str) {
        self.with(|state| {
            state.transfer = None;
            state.ended += 1;
            verbosity.say(&format!("[{}/{}] {outcome}", state.ended, state.planned));
        });
    }
}

impl Progress for ConsoleProgress {
    fn planned(&self, files: u64) {
        self.with(|state| state.planned = files);
    }

    fn started(&self, name: &str, bytes: Option<u64>, resumed_at: u64) {
        self.with(|state| {
            state.transfer = Some(Transfer::new(self.verbosity, name, bytes, resumed_at));
        });
    }

    fn received(&self, _name: &str, bytes: u64) {
        self.with(|state| {
            if let Some(transfer) = &mut state.transfer {
                transfer.set(bytes);
            }
        });
    }

    fn checking(&self, _name: &str) {
        self.with(|state| state.transfer = None);
    }

    fn done(&self, name: &str, bytes: u64) {
        self.end(&format!("{name}  {}", size(bytes)));
    }

    fn unchanged(&self, name: &str, bytes: u64) {
        self.end(&format!("{name}  {}, unchanged", size(bytes)));
    }

    fn absent(&self, name: &str) {
        self.end(&format!("{name}  not there"));
    }

    fn retried(&self, name: &str, error: &FileError, wait: Duration) {
        self.with(|state| state.transfer = None);
        let (why, wait) = (chain_of(error), HumanDuration(wait));
        self.verbosity.say(&format!("{name}: {why}; trying again in {wait}"));
    }

    fn failed(&self, failure: &Failure) {
        // Errors are reported at every verbosity.
        self.end_with(Verbosity::Normal, &chain_of(failure));
    }

    fn warned(&self, text: &str) {
        complain_plainly(text);
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    #[test]
    fn what_is_downloaded() {
        for (line, extracts, lists, years) in [
            ("fetch d", "1 2 3 4", 6, ""),
            ("fetch d --states vt,XX --years 2024", "VT XX", 6, "2024"),
            ("fetch d --states 1 --states OH --without postcards,revocations", "1 OH", 4, ""),
            ("fetch d --without master --years 2023,2024,2023", "", 6, "2023 2024"),
        ] {
            let Line { arguments } = Line::try_parse_from(line.split(' ')).unwrap();
            let plan = arguments.plan();
            let join = |texts: Vec<String>| texts.join(" ");
            assert_eq!(join(plan.extracts.iter().map(ToString::to_string).collect()), extracts);
            assert_eq!(plan.lists.len(), lists, "{line}");
            assert_eq!(join(plan.years.iter().map(ToString::to_string).collect()), years);
        }
        for line in
            ["fetch", "fetch d --states ohio", "fetch d --years 1999", "fetch d --without x"]
        {
            assert!(Line::try_parse_from(line.split(' ')).is_err(), "{line}");
        }
    }
}
