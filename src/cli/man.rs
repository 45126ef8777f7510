//! `almoner man DIR`: the manual, one page a subcommand.

use std::fs;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::CommandFactory as _;

use super::{Outcome, complain_plainly};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Folder to write the pages into, such as ~/.local/share/man/man1
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    let folder = arguments.folder;
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let command = super::Arguments::command();
    clap_mangen::generate_to(command, &folder)
        .with_context(|| format!("cannot write into {}", folder.display()))?;
    complain_plainly(&format!("wrote the pages of the manual to {}", folder.display()));
    Ok(Outcome::Done)
}
