//! Grants and people at scale: what a build of them takes, and how long a page of them does.
//!
//! `cargo bench --bench money -- [--organizations N] [--grants N] [--people N] [--folder DIR]` generates
//! fictional organizations with returns, builds a quarter of the returns and then all of them, each with
//! and without what they list, and asks in process on one thread. Builds and questions run in processes of
//! their own, so that the memory of one is not the other's.

// Figures go to standard output.
#![allow(clippy::print_stdout)]

mod inputs;
mod memory;
mod questions;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use almoner::build::{self, NoProgress};
use almoner::snapshot;
use clap::{Parser, Subcommand};

use inputs::Size;

#[derive(Debug, Parser)]
#[command(about = "Measure grants and people at scale")]
struct Arguments {
    #[arg(long, default_value_t = 200_000)]
    organizations: usize,
    #[arg(long, default_value_t = 2_000_000)]
    grants: usize,
    #[arg(long, default_value_t = 3_000_000)]
    people: usize,
    /// Where inputs and data directories are kept; without it, they are removed.
    #[arg(long)]
    folder: Option<PathBuf>,
    /// What cargo tells a bench.
    #[arg(long = "bench", hide = true)]
    bench: bool,
    #[command(subcommand)]
    step: Option<Step>,
}

/// What a process of its own does.
#[derive(Debug, Subcommand)]
enum Step {
    /// Builds inputs into a data directory.
    Build { data_dir: PathBuf, inputs: Vec<PathBuf> },
    /// Asks a data directory.
    Ask { data_dir: PathBuf },
}

fn main() {
    let arguments = Arguments::parse();
    match &arguments.step {
        Some(Step::Build { data_dir, inputs }) => build(data_dir, inputs),
        Some(Step::Ask { data_dir }) => {
            questions::ask(&snapshot::open(data_dir).expect("a snapshot"))
        }
        None if arguments.bench => measure(&arguments),
        // As by `cargo test --benches`: there is nothing to measure.
        None => println!("money: skipped"),
    }
}

/// Runs everything, a quarter of the size first.
fn measure(arguments: &Arguments) {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let folder = arguments.folder.as_deref().unwrap_or(temporary.path());
    for part in [4, 1] {
        let size = Size {
            organizations: arguments.organizations,
            grants: arguments.grants / part,
            people: arguments.people / part,
        };
        println!(
            "\n{} grants and {} people of {} organizations",
            size.grants, size.people, size.organizations
        );
        let at = |name: &str| folder.join(format!("{name}-{part}"));
        let text = |path: PathBuf| path.to_str().expect("a path in UTF-8").to_owned();
        let [files, bare, listed] = ["files", "bare", "listed"].map(|name| text(at(name)));
        if !Path::new(&files).exists() {
            inputs::write(Path::new(&files), &size);
        }
        let [lists, plain, full] = inputs::FOLDERS.map(|name| format!("{files}/{name}"));
        for (what, data_dir, returns) in [("without", &bare, &plain), ("with", &listed, &full)] {
            println!("{what} what returns list:");
            run(&["build", data_dir, &lists, returns]);
        }
        run(&["ask", &listed]);
    }
}

/// Runs a step in a process of its own.
fn run(arguments: &[&str]) {
    let program = std::env::current_exe().expect("this program");
    let status = Command::new(program).args(arguments).status().expect("this program runs");
    assert!(status.success(), "{arguments:?} failed");
}

fn build(data_dir: &Path, inputs: &[PathBuf]) {
    let options = build::Options {
        data_dir: data_dir.to_owned(),
        inputs: inputs.to_vec(),
        model: None,
        wait_for_vectors: false,
        reject_limit_percent: Some(0.0),
        fall_max_percent: None,
        without: Vec::new(),
        feed_ein: None,
    };
    let start = Instant::now();
    let report = build::build(&options, &NoProgress).expect("a snapshot");
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    println!(
        "  build: {:.1} s, {:.0} MB of files, {:.0} MB resident at most",
        start.elapsed().as_secs_f64(),
        megabytes(report.bytes),
        megabytes(memory::peak_resident())
    );
    let stages =
        report.stages.iter().map(|(stage, time)| format!("{stage} {:.1} s", time.as_secs_f64()));
    println!("  {}", stages.collect::<Vec<_>>().join(", "));
    let counts = report.items.named().into_iter().filter(|(_, count)| *count > 0);
    println!(
        "  {}",
        counts.map(|(name, count)| format!("{count} {name}")).collect::<Vec<_>>().join(", ")
    );
    let snapshot = snapshot::open(data_dir).expect("a snapshot");
    for folder in ["grants/", "people/", "relations/", "groups/", "ratios/", "records.redb"] {
        let files = snapshot.manifest.files.iter().filter(|file| file.name.starts_with(folder));
        println!("  {folder} {:.1} MB", megabytes(files.map(|file| file.bytes).sum()));
    }
}
