//! `almoner licenses`: whose work is in the binary, and under which terms.

use super::{Outcome, print};

/// Written by scripts/licenses/notices.py, of the crates of `Cargo.lock` that are linked.
const NOTICES: &str = include_str!("../../THIRD-PARTY.txt");

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {}

pub(super) fn run(_arguments: Arguments) -> anyhow::Result<Outcome> {
    print(NOTICES)?;
    Ok(Outcome::Done)
}
