//! How much a command says on standard error beside errors.

use super::complain_plainly;

/// The flag of commands that say something while they work.
#[derive(Debug, clap::Args)]
pub(super) struct VerbosityArguments {
    /// Write nothing to standard error but errors, and warnings of what changes the outcome
    #[arg(long, short, env = "ALMONER_QUIET")]
    quiet: bool,
}

impl VerbosityArguments {
    pub(super) fn verbosity(&self) -> Verbosity {
        if self.quiet { Verbosity::Quiet } else { Verbosity::Normal }
    }
}

/// How much progress and how many notes are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Verbosity {
    #[default]
    Normal,
    /// Errors and warnings only.
    Quiet,
}

impl Verbosity {
    /// Writes a line to standard error, unless errors and warnings only are wanted.
    pub(super) fn say(self, line: &str) {
        if self == Self::Normal {
            complain_plainly(line);
        }
    }
}
