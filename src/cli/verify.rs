//! `almoner verify`: every file of the published snapshot against its manifest.

use super::{DataDir, Outcome, print, table};
use crate::snapshot;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    data_dir: DataDir,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    let report = snapshot::verify(&arguments.data_dir.path)?;
    for damage in &report.damaged {
        print(&format!("damaged: {damage}"))?;
    }
    if report.damaged.is_empty() {
        print(&format!(
            "snapshot {} is whole: {} files, {}",
            report.snapshot,
            report.files,
            table::megabytes(report.bytes)
        ))?;
        return Ok(Outcome::Done);
    }
    anyhow::bail!(
        "{} of {} files of snapshot {} are damaged; build again from the source files",
        report.damaged.len(),
        report.files,
        report.snapshot
    )
}
