//! What a run says: figures, one a line, and what did not hold.

use std::fmt::Display;
use std::process::ExitCode;

use crate::server::Server;

/// Of the log's complaints, so many are told.
const COMPLAINTS_TOLD: usize = 3;

/// Prints as it is told, and remembers whether anything failed.
#[derive(Debug, Default)]
pub struct Report {
    scenario: &'static str,
    failures: Vec<String>,
}

impl Report {
    /// What follows is of this scenario.
    pub fn begin(&mut self, scenario: &'static str) {
        self.scenario = scenario;
        println!("\n{scenario}");
    }

    /// A figure, or several of one thing.
    pub fn figure(&self, what: &str, text: impl Display) {
        println!("  {what}: {text}");
    }

    /// Something did not hold.
    pub fn failed(&mut self, text: impl Display) {
        println!("  FAILED: {text}");
        self.failures.push(format!("{}: {text}", self.scenario));
    }

    /// What must hold, said either way.
    pub fn holds(&mut self, holds: bool, text: impl Display) {
        if holds {
            println!("  holds: {text}");
        } else {
            self.failed(text);
        }
    }

    /// The server's log must tell of no panic and no error.
    pub fn log(&mut self, server: &Server) {
        let complaints = server.complaints();
        self.holds(complaints.is_empty(), format!("{} complaints in the log", complaints.len()));
        complaints.iter().take(COMPLAINTS_TOLD).for_each(|line| self.failed(line));
    }

    /// Says again what failed; the process's exit code.
    pub fn end(self) -> ExitCode {
        if self.failures.is_empty() {
            println!("\neverything holds");
            return ExitCode::SUCCESS;
        }
        println!("\n{} failed", self.failures.len());
        for failure in &self.failures {
            println!("  {failure}");
        }
        ExitCode::FAILURE
    }
}
