//! The program's commands that a bench needs beside its server, and the data that is served.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Whether a snapshot has vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vectors {
    With,
    Without,
}

/// The program that is tried.
#[derive(Debug, Clone)]
pub struct Program(PathBuf);

impl Program {
    pub fn new(path: PathBuf) -> Self {
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// What the server would answer, found without one: status and body.
    pub fn get(&self, data_dir: &Path, path: &str) -> (u16, Vec<u8>) {
        let output = Command::new(&self.0)
            .args(["get", "--data-dir", text(data_dir), path])
            .stderr(Stdio::null())
            .output()
            .expect("almoner runs");
        let status = match output.status.code() {
            Some(0) => 200,
            Some(2) => 422,
            Some(3) => 404,
            _ => 0,
        };
        let mut body = output.stdout;
        // The end of the line, which no answer has.
        body.pop();
        (status, body)
    }

    /// Runs a command that must succeed; its standard output without white space around it.
    pub fn run(&self, arguments: &[&str]) -> String {
        let output = Command::new(&self.0)
            .args(arguments)
            .stderr(Stdio::piped())
            .output()
            .expect("almoner runs");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "almoner {arguments:?} failed: {complaint}");
        String::from_utf8(output.stdout).expect("UTF-8").trim().to_owned()
    }

    /// Fictional files in a folder.
    pub fn generate(&self, folder: &Path, organizations: u64, seed: u64) {
        let (organizations, seed) = (organizations.to_string(), seed.to_string());
        let amount = ["--organizations", &organizations, "--seed", &seed];
        self.run(&[&["generate", text(folder)], amount.as_slice()].concat());
    }

    /// Builds a snapshot and publishes it.
    pub fn build(&self, data_dir: &Path, files: &Path, vectors: Vectors) {
        let mut arguments = vec!["build", "--data-dir", text(data_dir), text(files)];
        if vectors == Vectors::Without {
            arguments.push("--no-semantic");
        }
        self.run(&arguments);
    }

    /// Fictional files in a folder, and a snapshot of them without vectors.
    pub fn publish(&self, data_dir: &Path, files: &Path, organizations: u64, seed: u64) {
        self.generate(files, organizations, seed);
        self.build(data_dir, files, Vectors::Without);
    }

    /// Makes a key.
    pub fn create_key(&self, data_dir: &Path, name: &str) -> String {
        self.run(&["keys", "create", "--data-dir", text(data_dir), "--name", name])
    }
}

/// A data directory with the snapshot published in another, and keys of its own.
pub fn lend(named: &Path, lent: &Path) -> PathBuf {
    let named = named.canonicalize().expect("the data directory named");
    std::fs::create_dir_all(lent).expect("a folder");
    std::fs::copy(named.join("CURRENT"), lent.join("CURRENT")).expect("a published snapshot");
    std::os::unix::fs::symlink(named.join("snapshots"), lent.join("snapshots")).expect("a link");
    lent.to_owned()
}

/// A path as an argument.
pub fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}
