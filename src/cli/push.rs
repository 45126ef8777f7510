//! `almoner push`: the published snapshot of a data directory into object storage, for replicas.

use std::time::Duration;

use super::flags::duration;
use super::progress::counted;
use super::{DataDir, Outcome, chain_of, complain, print, table};
use crate::objects::{Address, KEEP, KEEP_MAX, PushOptions, Remote};

/// [`crate::objects::GRACE`], as it is typed.
const GRACE_DEFAULT: &str = "24h";

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    data_dir: DataDir,
    /// Where to: s3://BUCKET/PREFIX, gs://BUCKET/PREFIX, az://CONTAINER/PREFIX or file:///FOLDER
    #[arg(long, value_name = "URL", env = "ALMONER_TO")]
    to: Address,
    /// Snapshots that are kept there, this one included
    #[arg(
        long,
        value_name = "SNAPSHOTS",
        env = "ALMONER_KEEP",
        default_value_t = KEEP as u64,
        value_parser = clap::value_parser!(u64).range(1..=KEEP_MAX as u64)
    )]
    keep: u64,
    /// Leave objects of no kept snapshot that are younger, such as 24h: another push may be writing them
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = GRACE_DEFAULT)]
    grace: Duration,
    /// Replace a CURRENT there that nobody can read
    #[arg(long)]
    force: bool,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    let remote = Remote::new(&arguments.to)?;
    let options = PushOptions {
        keep: usize::try_from(arguments.keep)?,
        grace: arguments.grace,
        force: arguments.force,
    };
    let report = remote.push(&arguments.data_dir.path, &options)?;
    if !report.takes_conditions {
        complain(&format!(
            "{} ignores the conditions of a write: two pushes at once may lose one; push from one \
             machine only",
            arguments.to
        ));
    }
    print(&format!(
        "{} snapshot {} to {}: {} of {} sent, {} of {}",
        if report.is_new { "pushed" } else { "already published:" },
        report.snapshot,
        arguments.to,
        report.sent_files,
        counted(report.files as u64, "file"),
        table::size(report.sent_bytes),
        table::size(report.bytes),
    ))?;
    match &report.removed {
        Ok(0) => {}
        Ok(removed) => print(&format!(
            "{} kept, {} of none of them removed",
            counted(report.kept as u64, "snapshot"),
            counted(*removed as u64, "object")
        ))?,
        Err(error) => {
            complain(&format!(
                "published, but objects that no kept snapshot needs stay: {}",
                chain_of(error)
            ));
            return Ok(Outcome::Failed);
        }
    }
    Ok(Outcome::Done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::GRACE;

    #[test]
    fn the_default_is_what_the_library_has() {
        assert_eq!(duration(GRACE_DEFAULT), Ok(GRACE));
    }
}
