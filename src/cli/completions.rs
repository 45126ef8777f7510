//! `almoner completions SHELL`.

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::{Outcome, print};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Shell to write the script for
    shell: Shell,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    let mut command = super::Arguments::command();
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "almoner", &mut script);
    print(&script)?;
    Ok(Outcome::Done)
}
