//! Oracles: what a snapshot answers against the naive answer, made from its records alone.
//!
//! `typeahead` asks for many beginnings of names, rightly and wrongly typed, and makes every answer
//! again from sorted tables of all names; each must be the same. `filters` asks every filter and every
//! pair of them and looks at every record. `vectors` asks for the nearest
//! organizations under filters of falling selectivity and looks at every vector in f32; recall@10
//! must be 0.98 at least. Figures go to standard output, and the exit code is 1 if one does not
//! hold.
//!
//!     cargo bench --bench oracles -- [filters|typeahead|vectors] [--data-dir D] [--queries N] [--quick]
//!
//! Without a data directory, one of fictional organizations is generated and built. `--quick` asks
//! less of fewer: `cargo bench --profile dev --bench oracles -- --quick`.

// Figures go to standard output.
#![allow(clippy::print_stdout)]

mod again;
mod exact;
mod filters;
mod names;
mod questions;
mod typeahead;
mod typed;
mod vectors;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use almoner::embed::Lazy;
use almoner::{build, fictional, snapshot};
use clap::Parser;

/// Organizations that are generated where no data directory is named: so many that vectors are
/// searched by every plan, the walk, the prefilter and the scan; with `--quick` by the scan only.
const ORGANIZATIONS: u64 = 60_000;
const ORGANIZATIONS_QUICK: u64 = 2_000;

/// What they are generated from.
const SEED: u64 = 1;

/// Prefixes that are asked; with `--quick`.
const PREFIXES: usize = 100_000;
const PREFIXES_QUICK: usize = 2_000;

/// Questions whose nearest organizations are asked; with `--quick`.
const QUESTIONS: usize = 1_000;
const QUESTIONS_QUICK: usize = 60;

#[derive(Debug, Parser)]
#[command(about = "Compare a snapshot's answers with naive ones")]
struct Arguments {
    /// The one to ask; without it all.
    oracle: Option<Oracle>,
    /// A data directory with a snapshot; without it one is built.
    #[arg(long)]
    data_dir: Option<PathBuf>,
    /// How many prefixes or questions are asked.
    #[arg(long)]
    queries: Option<NonZeroUsize>,
    /// Ask less of fewer.
    #[arg(long)]
    quick: bool,
    /// What cargo tells a bench.
    #[arg(long = "bench", hide = true)]
    _bench: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Oracle {
    Filters,
    Typeahead,
    Vectors,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let is_asked = |oracle| arguments.oracle.is_none_or(|asked| asked == oracle);
    let number = |all, quick| {
        let usual = if arguments.quick { quick } else { all };
        arguments.queries.map_or(usual, NonZeroUsize::get)
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let model = Arc::new(Lazy::default());
    let data_dir = arguments.data_dir.clone().unwrap_or_else(|| {
        let organizations = if arguments.quick { ORGANIZATIONS_QUICK } else { ORGANIZATIONS };
        let model = is_asked(Oracle::Vectors).then(|| Arc::clone(&model));
        build_snapshot(folder.path(), organizations, SEED, model)
    });
    let snapshot = snapshot::open_with(&data_dir, &model).expect("a snapshot");
    println!(
        "snapshot {}: {} organizations",
        snapshot.manifest.snapshot, snapshot.manifest.organizations
    );
    let mut holds = true;
    if is_asked(Oracle::Filters) {
        holds &= filters::check(&snapshot);
    }
    if is_asked(Oracle::Typeahead) {
        holds &= typeahead::check(&snapshot, number(PREFIXES, PREFIXES_QUICK));
    }
    if is_asked(Oracle::Vectors) {
        holds &= vectors::check(&snapshot, number(QUESTIONS, QUESTIONS_QUICK));
    }
    if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Generates so many fictional organizations and builds them; without a model there are no vectors.
fn build_snapshot(
    folder: &Path,
    organizations: u64,
    seed: u64,
    model: Option<Arc<Lazy>>,
) -> PathBuf {
    let (files, data_dir) = (folder.join("files"), folder.join("data"));
    let options = fictional::Options::new(organizations, seed);
    fictional::generate(&files, &options, &mut |_| {}).expect("room for the files");
    let options = build::Options {
        data_dir: data_dir.clone(),
        inputs: vec![files],
        model,
        wait_for_vectors: true,
        reject_limit_percent: None,
        fall_max_percent: None,
        without: Vec::new(),
        feed_ein: None,
    };
    build::build(&options, &build::NoProgress).expect("room for the snapshot");
    data_dir
}
