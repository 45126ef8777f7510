//! `almoner health`: whether a server answers, for containers and supervisors that ask by a command.

use super::{Outcome, print};
use crate::http::{Listen, probe};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Where the server listens, as given to `serve --listen`
    #[arg(
        long = "listen",
        value_name = "ADDRESS",
        env = "ALMONER_LISTEN",
        default_value = super::LISTEN_DEFAULT
    )]
    listen: Listen,
    /// Ask whether a snapshot is open, not only whether the process is alive
    #[arg(long, env = "ALMONER_READY")]
    ready: bool,
    /// API key, which a private server needs for --ready
    #[arg(long, value_name = "KEY", env = "ALMONER_KEY", hide_env_values = true)]
    key: Option<String>,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    let path = if arguments.ready { "/ready" } else { "/health" };
    probe(&arguments.listen, path, arguments.key.as_deref())?;
    print("ok")?;
    Ok(Outcome::Done)
}
