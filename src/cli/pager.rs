//! Standard output, or a pager in front of it: where standard output is a terminal and a list is longer than
//! its screen.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, BufWriter, Write};
use std::process::{Child, Command, Stdio};

/// What shows long lists unless `PAGER` says otherwise: it ends at once where they fit on the screen after all,
/// passes styles through and leaves the text on the screen.
const PAGER_DEFAULT: &str = "less -FRX";

/// Whether a pager may be started.
#[derive(Debug, clap::Args)]
pub(super) struct PagerArguments {
    /// Write straight to the terminal, also what is longer than the screen; else it goes through the program that
    /// PAGER names, or `less -FRX`
    #[arg(long, env = "ALMONER_NO_PAGER")]
    no_pager: bool,
}

impl PagerArguments {
    /// The output for a text of `lines` lines.
    pub(super) fn output(&self, lines: u64) -> Output {
        let terminal = console::Term::stdout();
        let screen_lines = terminal.size_checked().map(|(lines, _)| lines);
        let is_long = screen_lines.is_some_and(|screen| lines >= u64::from(screen));
        let program = pager_program(env::var_os("PAGER"));
        match program.filter(|_| is_long && !self.no_pager && terminal.is_term()) {
            Some(program) => start(&program).unwrap_or_else(Output::stdout),
            None => Output::stdout(),
        }
    }
}

/// The pager to start, as a line for the shell; none where `PAGER` is empty or names `cat`.
fn pager_program(variable: Option<OsString>) -> Option<OsString> {
    match variable {
        None => Some(PAGER_DEFAULT.into()),
        Some(program) if program.is_empty() || program == "cat" => None,
        Some(program) => Some(program),
    }
}

/// Starts a pager; one that does not exist keeps nobody from the text.
fn start(program: &OsStr) -> Option<Output> {
    let mut command = command(program)?;
    command.stdin(Stdio::piped());
    if env::var_os("LESS").is_none() {
        command.env("LESS", "FRX");
    }
    let mut child = command.spawn().ok()?;
    let stdin = child.stdin.take()?;
    Some(Output { out: Some(Box::new(BufWriter::new(stdin))), pager: Some(child) })
}

/// The program and its arguments; what only a shell can read goes to one.
fn command(program: &OsStr) -> Option<Command> {
    let plain = |character: char| character.is_alphanumeric() || " -_./+:=,@%".contains(character);
    match program.to_str().filter(|program| program.chars().all(plain)) {
        Some(program) => {
            let mut words = program.split_whitespace();
            let mut command = Command::new(words.next()?);
            command.args(words);
            Some(command)
        }
        None => {
            let mut command = Command::new("sh");
            command.arg("-c").arg(program);
            Some(command)
        }
    }
}

/// Where a list goes.
pub(super) struct Output {
    /// None only while it is dropped.
    out: Option<Box<dyn Write>>,
    pager: Option<Child>,
}

impl Output {
    fn stdout() -> Self {
        Self { out: Some(Box::new(BufWriter::new(io::stdout().lock()))), pager: None }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.as_mut().map_or(Ok(0), |out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.as_mut().map_or(Ok(()), |out| out.flush())
    }
}

impl Drop for Output {
    /// The terminal is the pager's until whoever reads has seen enough.
    fn drop(&mut self) {
        self.out = None;
        if let Some(pager) = &mut self.pager {
            // There is nobody left to tell.
            let _ = pager.wait();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pager_is_the_users() {
        for (variable, program) in [
            (None, Some(PAGER_DEFAULT)),
            (Some("more -s"), Some("more -s")),
            (Some("cat"), None),
            (Some(""), None),
        ] {
            let found = pager_program(variable.map(OsString::from));
            assert_eq!(found, program.map(OsString::from), "{variable:?}");
        }
    }

    #[test]
    fn a_pager_is_started_without_a_shell_where_it_needs_none() {
        let words = |program: &str| {
            let command = command(program.as_ref())?;
            let words = std::iter::once(command.get_program()).chain(command.get_args());
            Some(words.map(|word| word.to_str().unwrap().to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(words(PAGER_DEFAULT).unwrap(), ["less", "-FRX"]);
        assert_eq!(words("less | cat").unwrap(), ["sh", "-c", "less | cat"]);
        assert_eq!(words("  "), None);
        assert!(start("no-such-pager -x".as_ref()).is_none());
    }
}
