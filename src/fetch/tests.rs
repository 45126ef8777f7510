//! Downloading from a server on this machine that does as the test says, and lies where it says so.

mod answers;
mod faults;
mod files;
mod folder;
mod secure;
mod years;

mod server;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use hyper_util::client::proxy::matcher::Matcher;
use tempfile::TempDir;

use super::*;
use server::{Answer, Request, Server};

/// A folder to download into, and how: quick to try again, patient with a slow machine.
struct Bench {
    folder: TempDir,
    options: Options,
    told: RecordedProgress,
}

impl Bench {
    fn new(server: &Server) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let options = Options {
            base_url: Some(server.url().parse().unwrap()),
            disk_bytes_max: 10_000_000,
            disk_reserve_bytes: 0,
            retries: 2,
            connect_timeout: Duration::from_secs(10),
            head_timeout: Duration::from_secs(10),
            stall_timeout: Duration::from_secs(10),
            pace_timeout: Duration::from_secs(60),
            first_wait: Duration::from_millis(1),
            longest_wait: Duration::from_millis(2),
            retry_after_max: Duration::from_secs(2),
            ..Options::new(folder.path())
        };
        Self { folder, options, told: RecordedProgress::default() }
    }

    /// Downloads what is planned.
    fn run(&self, plan: &Plan) -> Report {
        fetch_through(no_proxies(), plan, &self.options, &self.told).unwrap()
    }

    /// Downloads the first part of the master file alone.
    fn run_one(&self) -> Report {
        self.run(&first_extract())
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path().join(name)).unwrap()
    }

    /// What is in the folder: files that are not hidden, and all that lies in `.partial`.
    fn listing(&self) -> BTreeSet<String> {
        let names = |folder: &Path, prefix: &'static str| -> Vec<String> {
            let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
            entries
                .map(|entry| format!("{prefix}{}", entry.unwrap().file_name().to_string_lossy()))
                .collect()
        };
        let shown = names(self.path(), "").into_iter().filter(|name| !name.starts_with('.'));
        shown.chain(names(&self.path().join(partial::FOLDER), "partial/")).collect()
    }
}

fn no_proxies() -> Matcher {
    Matcher::builder().build()
}

fn first_extract() -> Plan {
    Plan { extracts: ["1".parse().unwrap()].into(), ..Plan::default() }
}

fn years(texts: &[&str]) -> Plan {
    Plan { years: texts.iter().map(|text| text.parse().unwrap()).collect(), ..Plan::default() }
}

/// The one failure of a report, its cause.
fn failure(report: &Report) -> &FileError {
    assert_eq!(report.failures.len(), 1, "{:?}", report.failures);
    &report.failures[0].error
}

/// What was told, one line a thing.
#[derive(Default)]
struct RecordedProgress(RefCell<Vec<String>>);

impl RecordedProgress {
    fn add(&self, line: String) {
        self.0.borrow_mut().push(line);
    }

    /// The lines since the last call, without those that tell how far a file has got.
    fn take(&self) -> Vec<String> {
        let lines = std::mem::take(&mut *self.0.borrow_mut());
        lines.into_iter().filter(|line| !line.starts_with("received")).collect()
    }
}

impl Progress for RecordedProgress {
    fn planned(&self, files: u64) {
        self.add(format!("planned {files}"));
    }

    fn started(&self, name: &str, bytes: Option<u64>, resumed_at: u64) {
        let bytes = bytes.map_or("?".to_owned(), |bytes| bytes.to_string());
        self.add(format!("started {name} {resumed_at}/{bytes}"));
    }

    fn received(&self, name: &str, bytes: u64) {
        self.add(format!("received {name} {bytes}"));
    }

    fn checking(&self, name: &str) {
        self.add(format!("checking {name}"));
    }

    fn done(&self, name: &str, bytes: u64) {
        self.add(format!("done {name} {bytes}"));
    }

    fn unchanged(&self, name: &str, bytes: u64) {
        self.add(format!("unchanged {name} {bytes}"));
    }

    fn absent(&self, name: &str) {
        self.add(format!("absent {name}"));
    }

    fn retried(&self, name: &str, _error: &FileError, _wait: Duration) {
        self.add(format!("retried {name}"));
    }

    fn failed(&self, failure: &Failure) {
        self.add(format!("failed {}", failure.name));
    }

    fn warned(&self, text: &str) {
        self.add(format!("warned {text}"));
    }
}
