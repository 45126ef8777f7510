//! `almoner pull`: what object storage publishes into a data directory, once.

use super::progress::counted;
use super::{DataDir, Outcome, print, table};
use crate::objects::{Address, Remote};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    data_dir: DataDir,
    /// Where from: s3://BUCKET/PREFIX, gs://BUCKET/PREFIX, az://CONTAINER/PREFIX or file:///FOLDER
    #[arg(long, value_name = "URL", env = "ALMONER_FROM")]
    from: Address,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    let report = Remote::new(&arguments.from)?.pull(&arguments.data_dir.path)?;
    if !report.is_new {
        print(&format!("snapshot {} is here already", report.snapshot))?;
        return Ok(Outcome::Done);
    }
    print(&format!(
        "pulled snapshot {} from {}: {} of {} fetched, {} of {}",
        report.snapshot,
        arguments.from,
        report.fetched_files,
        counted(report.files as u64, "file"),
        table::size(report.fetched_bytes),
        table::size(report.bytes),
    ))?;
    Ok(Outcome::Done)
}
