//! A server in a process of its own, and what the system knows of that process.

use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::client::{self, Client};
use crate::program::{Program, text};

/// How the server says where it listens.
const LISTENING: &str = "listening on http://";
/// How often, and for how long, its log is looked at for that.
const POLL: Duration = Duration::from_millis(20);
const START_MAX: Duration = Duration::from_secs(60);
/// Open files that it may have: what systems commonly allow, and what its own limits are made for.
const FILES_MAX: u32 = 1_024;

/// A server, ended when dropped.
#[derive(Debug)]
pub struct Server {
    process: Child,
    address: SocketAddr,
    key: String,
    /// Removed with the server.
    log: tempfile::NamedTempFile,
}

/// What the system knows of a process.
#[derive(Debug, Clone, Copy, Default)]
pub struct Process {
    /// Anonymous memory that is resident: what it allocated, without files that it maps.
    pub anonymous_kb: u64,
    pub descriptors: u64,
    pub threads: u64,
    /// Ranges of memory that are mapped.
    pub maps: u64,
    /// CPU time of all its threads, to a hundredth of a second.
    pub cpu: Duration,
}

impl Server {
    /// Serves a data directory on a free port of loopback, with further options of `almoner serve`,
    /// and makes a key. The log is kept in a file: a reader in this process would take time from
    /// the clients. Where many requests are made, `--log-level warn` keeps that file small.
    pub fn start(program: &Program, data_dir: &Path, further: &[&str]) -> Self {
        let key = program.create_key(data_dir, "bench");
        let log = tempfile::NamedTempFile::new().expect("a temporary file");
        let process = Command::new("sh")
            .args(["-c", &format!("ulimit -S -n {FILES_MAX} && exec \"$0\" \"$@\"")])
            .arg(program.path())
            .args(["serve", "--listen", "127.0.0.1:0", "--data-dir", text(data_dir)])
            .args(further)
            .stderr(log.reopen().expect("the log"))
            .spawn()
            .expect("the server starts");
        let unknown = SocketAddr::from(([127, 0, 0, 1], 0));
        let mut server = Self { process, address: unknown, key, log };
        server.address = server.listening();
        server
    }

    fn listening(&self) -> SocketAddr {
        let begun = Instant::now();
        loop {
            let log = self.log();
            let found = log.lines().find_map(|line| line.split_once(LISTENING));
            if let Some(address) = found.and_then(|(_, address)| address.trim().parse().ok()) {
                return address;
            }
            assert!(begun.elapsed() < START_MAX, "the server does not start: {log}");
            std::thread::sleep(POLL);
        }
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The key that was made for it.
    pub fn key(&self) -> &str {
        &self.key
    }

    pub fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// The bytes of a request with its key.
    pub fn request(&self, path: &str) -> Vec<u8> {
        client::request(path, &self.key, None)
    }

    /// A connection to it.
    pub fn connect(&self) -> Client {
        Client::connect(self.address).expect("a connection")
    }

    /// The body of a path that must be answered 200.
    pub fn get(&self, path: &str) -> String {
        let answer = self.connect().ask(&self.request(path)).expect("an answer");
        assert_eq!(answer.status, 200, "{path}");
        String::from_utf8(answer.body).expect("UTF-8")
    }

    /// The rows of a search for nonprofits.
    pub fn nonprofits(&self, query: &str) -> Vec<Value> {
        let text = self.get(&format!("/beta/nonprofits/search?{query}"));
        let mut found: Value = serde_json::from_str(&text).expect("JSON");
        let Value::Array(rows) = found["nonprofits"].take() else { panic!("no rows: {text}") };
        rows
    }

    /// A value of `/metrics`.
    pub fn telemetry(&self, name: &str) -> f64 {
        let text = self.get("/metrics");
        let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        value.and_then(|value| value.trim().parse().ok()).expect("a value of /metrics")
    }

    /// Everything logged so far.
    pub fn log(&self) -> String {
        String::from_utf8_lossy(&fs::read(self.log.path()).expect("the log")).into_owned()
    }

    /// What was logged after so many bytes, which then count as read.
    pub fn log_since(&self, read: &mut u64) -> String {
        let mut log = fs::File::open(self.log.path()).expect("the log");
        log.seek(SeekFrom::Start(*read)).expect("the log");
        let mut bytes = Vec::new();
        *read += log.read_to_end(&mut bytes).expect("the log") as u64;
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Lines of the log that tell of a panic or an error.
    pub fn complaints(&self) -> Vec<String> {
        let log = self.log();
        let is_one = |line: &&str| line.contains("panicked") || line.contains("ERROR");
        log.lines().filter(is_one).map(str::to_owned).collect()
    }

    /// What the system knows of it now.
    pub fn figures(&self) -> Process {
        let folder = format!("/proc/{}", self.process_id());
        let status = fs::read_to_string(format!("{folder}/status")).expect("the server runs");
        let value = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(0)
        };
        // Times are the 14th and 15th field; the second, a name in parentheses, may hold blanks.
        let stat = fs::read_to_string(format!("{folder}/stat")).expect("the server runs");
        let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        let ticks: u64 = fields.skip(11).take(2).filter_map(|time| time.parse::<u64>().ok()).sum();
        let descriptors = fs::read_dir(format!("{folder}/fd")).expect("its descriptors").count();
        Process {
            anonymous_kb: value("RssAnon:"),
            threads: value("Threads:"),
            descriptors: descriptors as u64,
            maps: self.maps().lines().count() as u64,
            cpu: Duration::from_millis(ticks * 10),
        }
    }

    /// What it has mapped, as `/proc` says it.
    pub fn maps(&self) -> String {
        fs::read_to_string(format!("/proc/{}/maps", self.process_id())).expect("the server runs")
    }

    /// Whether the process is still there.
    pub fn is_alive(&mut self) -> bool {
        matches!(self.process.try_wait(), Ok(None))
    }
}

/// Anonymous memory of a process at several times, on the average.
pub fn mean_kb(times: &[Process]) -> f64 {
    times.iter().map(|one| one.anonymous_kb as f64).sum::<f64>() / times.len().max(1) as f64
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
