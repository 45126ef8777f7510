//! A connection that compares every answer with what either set answers.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use crate::chance::Rng;
use crate::client::{self, Client};

/// Between requests: builds need the processor too, and the log should stay small.
const PAUSE: Duration = Duration::from_millis(3);
/// Wrong answers that are described.
const DESCRIBED_MAX: usize = 5;

/// What a path answers under the first and the second set.
pub struct Expected {
    pub path: String,
    /// Status and body.
    pub answers: [(u16, Vec<u8>); 2],
}

/// Which set is in use: even while that is sure, odd from the start of a build until the swap is
/// told. The first set is in use at 0, the second at 2.
#[derive(Debug, Default)]
pub struct Era(AtomicU64);

impl Era {
    pub fn begin_swap(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    pub fn end_swap(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    fn now(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// What the connections saw.
#[derive(Debug, Default)]
pub struct Seen {
    /// Answers while one set was in use for sure.
    pub settled: u64,
    /// Answers while a build ran that only the set before, or only the new one, gives.
    pub old: u64,
    pub new: u64,
    /// Answers of neither set, or not of the set in use.
    pub wrong: Vec<String>,
    pub broken: u64,
}

impl Seen {
    pub fn join(&mut self, other: Self) {
        self.settled += other.settled;
        self.old += other.old;
        self.new += other.new;
        self.wrong.extend(other.wrong);
        self.broken += other.broken;
    }

    pub fn described(&self) -> String {
        let some: String =
            self.wrong.iter().take(DESCRIBED_MAX).map(|one| format!("; {one}")).collect();
        match self.wrong.len() {
            0 => String::new(),
            count => format!(": {count} are not{some}"),
        }
    }
}

/// A connection.
pub struct Watcher<'a> {
    address: SocketAddr,
    requests: Vec<Vec<u8>>,
    expected: &'a [Expected],
    era: &'a Era,
    chance: Rng,
    /// The era of a swap in which the new set was seen already.
    saw_new: Option<u64>,
    seen: Seen,
}

impl<'a> Watcher<'a> {
    pub fn new(
        address: SocketAddr,
        key: &str,
        expected: &'a [Expected],
        era: &'a Era,
        chance: Rng,
    ) -> Self {
        let requests = expected.iter().map(|one| client::request(&one.path, key, None)).collect();
        let seen = Seen::default();
        Self { address, requests, expected, era, chance, saw_new: None, seen }
    }

    /// Asks until the end.
    pub fn run(mut self, ended: &AtomicBool) -> Seen {
        let mut client = Client::connect(self.address).expect("a connection");
        while !ended.load(Ordering::Relaxed) {
            let at = self.chance.below(self.requests.len());
            let before = self.era.now();
            match client.ask(&self.requests[at]) {
                Ok(answer) => self.compare(at, before, answer.status, &answer.body),
                Err(error) => {
                    self.seen.broken += 1;
                    self.seen.wrong.push(format!("{error} for {}", self.expected[at].path));
                    client = Client::connect(self.address).expect("a connection");
                }
            }
            thread::sleep(PAUSE);
        }
        self.seen
    }

    fn compare(&mut self, at: usize, before: u64, status: u16, body: &[u8]) {
        let expected = &self.expected[at];
        let is_of = [0, 1].map(|set: usize| {
            let (wanted, bytes) = &expected.answers[set];
            status == *wanted && body == bytes
        });
        let after = self.era.now();
        // The set in use when the request was sent, and the one that is next.
        let old = (before / 2 % 2) as usize;
        let new = 1 - old;
        if !is_of[old] && !is_of[new] {
            let text = String::from_utf8_lossy(&body[..body.len().min(200)]);
            self.seen.wrong.push(format!("{status} of neither set for {}: {text}", expected.path));
        } else if before.is_multiple_of(2) && before == after {
            self.seen.settled += 1;
            if !is_of[old] {
                self.seen.wrong.push(format!("the other set's answer for {}", expected.path));
            }
        } else if before == after && is_of[old] != is_of[new] {
            if is_of[new] {
                self.seen.new += 1;
                self.saw_new = Some(before);
            } else {
                self.seen.old += 1;
                if self.saw_new == Some(before) {
                    let text = format!("old after new for {}", expected.path);
                    self.seen.wrong.push(text);
                }
            }
        }
    }
}
