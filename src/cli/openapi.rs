//! `almoner openapi`: the interface's description.

use super::{Outcome, print};
use crate::http;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {}

pub(super) fn run(_arguments: Arguments) -> anyhow::Result<Outcome> {
    print(http::openapi())?;
    Ok(Outcome::Done)
}
