//! Load: connections that ask as fast as they are answered, or by a clock.
//!
//! By a clock, every request has a time when it should be sent, whatever became of those before,
//! and its latency counts from then: a server that stalls is charged for what waited meanwhile.
//! Each connection is a thread which takes the next request that nobody took, waits for its time,
//! sends it and waits for the answer. With enough connections one is always free; how late requests
//! were sent is measured, and one that is late by [`LATE_MAX`] is not sent, and counted.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::chance::Rng;
use crate::client::Client;
use crate::requests::Mix;
use crate::server::Server;
use crate::times::Times;

/// A request later than this is not sent.
pub const LATE_MAX: Duration = Duration::from_secs(1);
/// Wrong answers that are described.
const DESCRIBED_MAX: usize = 3;
/// Stack of a connection's thread: it does little.
const STACK_BYTES: usize = 512 * 1024;
/// Between attempts to connect where that fails.
const CONNECT_PAUSE: Duration = Duration::from_millis(20);

/// When requests are sent.
#[derive(Debug, Clone, Copy)]
pub enum Pace {
    /// The next as soon as the last is answered.
    Answered,
    /// So many a second, by a clock.
    Clock(f64),
}

/// How long connections are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reuse {
    Always,
    /// A new one for each request: connecting is part of its latency.
    Never,
}

/// What load to make.
#[derive(Debug, Clone, Copy)]
pub struct Load {
    pub address: SocketAddr,
    pub connections: usize,
    pub pace: Pace,
    pub reuse: Reuse,
    pub time: Duration,
    pub seed: u64,
}

/// Counted while the load runs.
#[derive(Debug, Default)]
pub struct Live {
    pub answered: AtomicU64,
    /// Not answered, or otherwise than it must be.
    pub failed: AtomicU64,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Tally {
    /// Times of answers by endpoint and status.
    pub answers: BTreeMap<(&'static str, u16), Times>,
    /// Answers of another status than expected, by status.
    pub unexpected: BTreeMap<u16, u64>,
    /// Requests that were sent, or should have been, on a connection that broke or could not be
    /// made.
    pub broken: u64,
    /// Requests that were too late to be sent.
    pub unsent: u64,
    /// How late those were that were sent.
    pub late: Times,
    pub described: Vec<String>,
    /// How long it took, to the last answer.
    pub took: Duration,
}

impl Tally {
    fn join(&mut self, other: Self) {
        for (kind, times) in other.answers {
            self.answers.entry(kind).or_default().join(times);
        }
        for (status, count) in other.unexpected {
            *self.unexpected.entry(status).or_default() += count;
        }
        self.broken += other.broken;
        self.unsent += other.unsent;
        self.late.join(other.late);
        self.described.extend(other.described);
        self.described.truncate(DESCRIBED_MAX);
    }

    /// Answers of any status.
    pub fn answered(&self) -> usize {
        self.answers.values().map(Times::len).sum()
    }

    pub fn per_second(&self) -> f64 {
        self.answered() as f64 / self.took.as_secs_f64().max(1e-9)
    }

    /// Times of answers of a status.
    pub fn of_status(&self, status: u16) -> Times {
        let mut all = Times::default();
        for ((_, one), times) in &self.answers {
            if *one == status {
                all.join(times.clone());
            }
        }
        all
    }

    /// Statuses that came, each with its count.
    pub fn statuses(&self) -> BTreeMap<u16, usize> {
        let mut statuses = BTreeMap::new();
        for ((_, status), times) in &self.answers {
            *statuses.entry(*status).or_default() += times.len();
        }
        statuses
    }

    /// Everything that went wrong, if anything did: one clause.
    pub fn trouble(&self) -> Option<String> {
        if self.unexpected.is_empty() && self.broken == 0 && self.unsent == 0 {
            return None;
        }
        Some(format!(
            "unexpected statuses {:?}, {} connections broken, {} requests not sent; {}",
            self.unexpected,
            self.broken,
            self.unsent,
            self.described.join("; ")
        ))
    }

    fn describe(&mut self, text: impl FnOnce() -> String) {
        if self.described.len() < DESCRIBED_MAX {
            self.described.push(text());
        }
    }
}

/// What went wrong, after what should hold.
pub fn because(trouble: Option<String>) -> String {
    trouble.map(|trouble| format!(": {trouble}")).unwrap_or_default()
}

impl Load {
    /// Connections that are kept and ask again as soon as they are answered.
    pub fn saturating(server: &Server, connections: usize, time: Duration, seed: u64) -> Self {
        let (pace, reuse) = (Pace::Answered, Reuse::Always);
        Self { address: server.address(), connections, pace, reuse, time, seed }
    }

    /// Makes the load and waits for its end.
    pub fn run(&self, mix: &Mix, live: &Live) -> Tally {
        let begun = Instant::now();
        let next = AtomicU64::new(0);
        let work = |number: usize| {
            let seed = self.seed.wrapping_mul(1_000_003).wrapping_add(number as u64);
            let mut worker = Worker {
                load: self,
                mix,
                live,
                next: &next,
                begun,
                chance: Rng::new(seed),
                client: None,
                tally: Tally::default(),
            };
            worker.run();
            worker.tally
        };
        let mut tally = Tally::default();
        in_parallel(self.connections, work).into_iter().for_each(|one| tally.join(one));
        tally.took = begun.elapsed();
        tally
    }
}

/// What threads come to, each of which is given its number.
pub fn in_parallel<T: Send>(threads: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let work = &work;
    thread::scope(|scope| {
        let threads: Vec<_> = (0..threads)
            .map(|number| {
                let builder = thread::Builder::new().stack_size(STACK_BYTES);
                builder.spawn_scoped(scope, move || work(number)).expect("a thread")
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("a thread ends")).collect()
    })
}

/// Times of requests on one connection, one after another, each of which must be answered 200.
pub fn one_by_one<'a>(server: &Server, requests: impl Iterator<Item = &'a [u8]>) -> Times {
    let mut client = server.connect();
    let mut times = Times::default();
    for request in requests {
        let begun = Instant::now();
        let status = client.ask(request).expect("an answer").status;
        times.add(begun.elapsed());
        assert_eq!(status, 200, "{}", line(request));
    }
    times
}

/// One connection.
struct Worker<'a> {
    load: &'a Load,
    mix: &'a Mix,
    live: &'a Live,
    /// The number of the next request.
    next: &'a AtomicU64,
    begun: Instant,
    chance: Rng,
    client: Option<Client>,
    tally: Tally,
}

impl Worker<'_> {
    fn run(&mut self) {
        while let Some(due) = self.due() {
            let now = Instant::now();
            if due > now {
                thread::sleep(due - now);
            }
            let late = due.elapsed();
            if late > LATE_MAX {
                self.tally.unsent += 1;
                continue;
            }
            self.tally.late.add(late);
            self.ask(due);
        }
    }

    /// When the next request should be sent; none at the end.
    fn due(&self) -> Option<Instant> {
        let due = match self.load.pace {
            Pace::Answered => self.begun.elapsed(),
            Pace::Clock(rate) => {
                Duration::from_secs_f64(self.next.fetch_add(1, Ordering::Relaxed) as f64 / rate)
            }
        };
        (due < self.load.time).then(|| self.begun + due)
    }

    fn ask(&mut self, due: Instant) {
        let ask = self.mix.draw(&mut self.chance);
        let client = self.client.take().map_or_else(|| Client::connect(self.load.address), Ok);
        let answered = client.and_then(|mut client| {
            let status = client.ask(&ask.bytes)?.status;
            Ok((client, status))
        });
        match answered {
            Ok((client, status)) => {
                self.client = Some(client).filter(|_| self.load.reuse == Reuse::Always);
                let times = self.tally.answers.entry((ask.endpoint, status)).or_default();
                times.add(due.elapsed());
                self.live.answered.fetch_add(1, Ordering::Relaxed);
                if status != ask.status {
                    self.live.failed.fetch_add(1, Ordering::Relaxed);
                    *self.tally.unexpected.entry(status).or_default() += 1;
                    self.tally.describe(|| format!("{status} for {}", line(&ask.bytes)));
                }
            }
            Err(error) => {
                self.tally.broken += 1;
                self.live.failed.fetch_add(1, Ordering::Relaxed);
                self.tally.describe(|| format!("{error} for {}", line(&ask.bytes)));
                thread::sleep(CONNECT_PAUSE);
            }
        }
    }
}

/// The first line of a request.
fn line(request: &[u8]) -> String {
    let end = request.iter().position(|byte| *byte == b'\r').unwrap_or(request.len());
    String::from_utf8_lossy(&request[..end]).into_owned()
}
