//! Calls the command line and turns its outcome into an exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    almoner::main()
}
