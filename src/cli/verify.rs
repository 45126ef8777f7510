//! `almoner verify`: every file of the published snapshot against its manifest.

use super::progress::counted;
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
        print(&format!("damaged: {} {}", damage.file, damage.what))?;
    }
    let snapshot = report.snapshot.as_deref().unwrap_or("that CURRENT names");
    let size = table::megabytes(report.bytes);
    if report.damaged.is_empty() {
        print(&format!("snapshot {snapshot} is whole: {} files, {size}", report.files))?;
        return Ok(Outcome::Done);
    }
    anyhow::bail!(
        "snapshot {snapshot} is damaged in {}; build again from the source files",
        counted(report.damaged.len() as u64, "file")
    )
}
