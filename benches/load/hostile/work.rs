//! Sends batch after batch, and notes what comes back.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, TryRecvError};
use std::time::{Duration, Instant};

use super::broken::Case;
use super::framing::{self, Framed};
use super::judge::{self, End};
use super::request::{Request, World};
use crate::chance::Rng;
use crate::client::{Client, first_answer};
use crate::times::Times;

/// Of a hundred batches, so many are broken bytes on a connection of their own; the others are
/// requests, so many at once.
const RAW_PERCENT: usize = 70;
const PIPELINED: usize = 16;
/// After so many requests a right one is asked on a fresh connection.
const PROBE_REQUESTS: u64 = 1_000;
/// The server ends a connection that is idle for 15 s: one that was idle this long is given up.
const IDLE_MAX: Duration = Duration::from_secs(5);
/// Of the broken ones, one in so many is sent without saying that nothing more comes.
const LEFT_OPEN_SHARE: usize = 50;
/// How long the server may leave those open: 15 s for a head, then 10 s for a body, and some room.
const LEFT_OPEN_MAX: Duration = Duration::from_secs(30);
/// How often they are looked at.
const LEFT_OPEN_POLL: Duration = Duration::from_millis(20);
/// A run ends once so many things are wrong; of them so many are told.
const FAILURES_MAX: u64 = 200;
const TOLD_MAX: usize = 10;

/// What all workers share.
#[derive(Debug)]
pub struct Shared {
    pub address: SocketAddr,
    pub world: World,
    pub seed: u64,
    /// A right request, and the body of its answer.
    pub probe: (Vec<u8>, Vec<u8>),
    /// The run ends then, whatever was sent.
    pub deadline: Instant,
    pub batches: AtomicU64,
    pub sent: AtomicU64,
    pub failures: AtomicU64,
    /// Connections that may still be left open.
    pub to_leave_open: AtomicU64,
}

/// A connection that was left open.
pub type LeftOpen = (Client, Case, u64);

/// What was noted.
#[derive(Debug, Default)]
pub struct Tally {
    /// Requests by kind and status; 0 is closed without an answer.
    pub statuses: BTreeMap<(&'static str, u16), u64>,
    pub connections: u64,
    pub resets: u64,
    pub failures: Vec<String>,
    /// How long connections and batches took.
    pub times: Times,
    pub probes: Times,
    /// How long connections were left open by the server.
    pub left_open: Times,
    /// How long all of it was sent, left open ones not waited for.
    pub sending: Duration,
}

impl Tally {
    pub fn join(&mut self, other: Self) {
        for (what, count) in other.statuses {
            *self.statuses.entry(what).or_default() += count;
        }
        self.connections += other.connections;
        self.resets += other.resets;
        self.failures.extend(other.failures);
        self.times.join(other.times);
        self.probes.join(other.probes);
        self.left_open.join(other.left_open);
        self.sending += other.sending;
    }

    fn count(&mut self, kind: &'static str, status: u16) {
        *self.statuses.entry((kind, status)).or_default() += 1;
    }

    fn fail(&mut self, shared: &Shared, batch: u64, why: &str, bytes: &[u8]) {
        shared.failures.fetch_add(1, Relaxed);
        if self.failures.len() < TOLD_MAX {
            let seed = shared.seed;
            self.failures
                .push(format!("{why}; seed {seed}, batch {batch}: {}", judge::shown(bytes)));
        }
    }
}

/// Sends until so many requests went out, in all workers together.
pub fn work(shared: &Shared, count: u64, left_open: &Sender<LeftOpen>) -> Tally {
    let mut tally = Tally::default();
    let mut kept = None;
    while shared.sent.load(Relaxed) < count
        && Instant::now() < shared.deadline
        && shared.failures.load(Relaxed) < FAILURES_MAX
    {
        let batch = shared.batches.fetch_add(1, Relaxed);
        let mut chance = Rng::of_number(shared.seed, batch);
        let sent = if chance.below(100) < RAW_PERCENT {
            broken(shared, &mut tally, &mut chance, batch, left_open)
        } else {
            requests(shared, &mut tally, &mut chance, batch, &mut kept)
        };
        let before = shared.sent.fetch_add(sent, Relaxed);
        if before / PROBE_REQUESTS != (before + sent) / PROBE_REQUESTS {
            probe(shared, &mut tally);
        }
    }
    tally
}

/// Sends broken bytes; how many requests are in them.
fn broken(
    shared: &Shared,
    tally: &mut Tally,
    chance: &mut Rng,
    batch: u64,
    left_open: &Sender<LeftOpen>,
) -> u64 {
    let case = Case::draw(chance, &shared.world, batch);
    let requests = framing::requests(&case.bytes);
    let count = requests.len().max(1) as u64;
    let begun = Instant::now();
    tally.connections += 1;
    let mut client = match Client::connect(shared.address) {
        Ok(client) => client,
        Err(error) => {
            tally.fail(shared, batch, &format!("no connection: {error}"), &case.bytes);
            return count;
        }
    };
    // The server may answer and close before it has read all.
    let _ = client.send(&case.bytes);
    let spare = || shared.to_leave_open.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1));
    if chance.one_in(LEFT_OPEN_SHARE) && spare().is_ok() {
        left_open.send((client, case, batch)).expect("the reaper outlives the workers");
        return count;
    }
    let end = rest(&mut client, &requests);
    tally.times.add(begun.elapsed());
    judged(shared, tally, &case, batch, (client.received(), end));
    count
}

/// Reads all that comes until the connection ends. Only once as many answers are there as requests
/// are whole does it say that nothing more is sent: a server may take that for the client's leaving.
fn rest(client: &mut Client, requests: &[Framed]) -> End {
    let mut whole = requests.iter().take_while(|request| request.is_whole);
    let (mut next, mut at) = (whole.next(), 0);
    loop {
        while let Some(request) = next
            && let Ok(Some((_, length))) = first_answer(&client.received()[at..], request.is_head)
        {
            at += length;
            next = whole.next();
        }
        if next.is_none() {
            client.finish();
        }
        match client.read() {
            Ok(0) => return End::Closed,
            Ok(_) => {}
            Err(error) => return End::of(&error),
        }
    }
}

fn judged(
    shared: &Shared,
    tally: &mut Tally,
    case: &Case,
    batch: u64,
    (received, end): (&[u8], End),
) {
    tally.resets += u64::from(end == End::Reset);
    match judge::case(&case.bytes, received, end) {
        Ok(statuses) if statuses.is_empty() => tally.count(case.kind, 0),
        Ok(statuses) => statuses.iter().for_each(|status| tally.count(case.kind, *status)),
        Err(why) => tally.fail(shared, batch, &why, &case.bytes),
    }
}

/// Sends requests at once over a connection that is kept, and reads as many answers.
fn requests(
    shared: &Shared,
    tally: &mut Tally,
    chance: &mut Rng,
    batch: u64,
    kept: &mut Option<(Client, Instant)>,
) -> u64 {
    let mut all: Vec<Request> = Vec::new();
    while all.len() < PIPELINED && all.last().is_none_or(|last| !last.may_end) {
        all.push(Request::draw(chance, &shared.world, &format!("{batch}-{}", all.len())));
    }
    let bytes: Vec<Vec<u8>> = all.iter().map(Request::bytes).collect();
    let whole = bytes.concat();
    let begun = Instant::now();
    let reused = kept.take().filter(|(_, used)| used.elapsed() < IDLE_MAX);
    tally.connections += u64::from(reused.is_none());
    let client = reused.map_or_else(|| Client::connect(shared.address), |(client, _)| Ok(client));
    let ended = client.and_then(|mut client| {
        client.send(&whole)?;
        let mut closes = false;
        for (request, bytes) in all.iter().zip(&bytes) {
            let answer = client.answer(request.method == "HEAD").map_err(|error| {
                io::Error::new(
                    error.kind(),
                    format!("{error} instead of the answer to {}", judge::shown(bytes)),
                )
            })?;
            tally.count(request.kind, answer.status);
            if let Err(why) = judge::answer(request, &answer) {
                tally.fail(shared, batch, &why, bytes);
            }
            closes = answer.closes;
        }
        tally.times.add(begun.elapsed());
        Ok((client, closes))
    });
    match ended {
        Err(error) => tally.fail(shared, batch, &error.to_string(), &whole),
        Ok((client, _)) if !client.received().is_empty() => {
            let more = judge::shown(client.received());
            tally.fail(shared, batch, &format!("more answers than requests: {more}"), &whole);
        }
        Ok((client, closes)) => *kept = Some((client, Instant::now())).filter(|_| !closes),
    }
    all.len() as u64
}

/// Asks what is right on a fresh connection.
fn probe(shared: &Shared, tally: &mut Tally) {
    let (request, body) = &shared.probe;
    let begun = Instant::now();
    let answer = Client::connect(shared.address).and_then(|mut client| client.ask(request));
    tally.probes.add(begun.elapsed());
    let why = match answer {
        Ok(answer) if answer.status == 200 && answer.body == *body => return,
        Ok(answer) => format!("answered {} {}", answer.status, judge::shown(&answer.body)),
        Err(error) => error.to_string(),
    };
    let batch = shared.batches.load(Relaxed);
    tally.fail(shared, batch, &format!("a right request is not answered rightly: {why}"), request);
}

/// Waits until the server ended every connection that was left open.
pub fn reap(shared: &Shared, sent: &Receiver<LeftOpen>) -> Tally {
    let mut tally = Tally::default();
    let mut open: Vec<(LeftOpen, Instant)> = Vec::new();
    let mut all_sent = false;
    while !all_sent || !open.is_empty() {
        match sent.try_recv() {
            Ok(new) => {
                new.0.set_nonblocking();
                open.push((new, Instant::now()));
                continue;
            }
            Err(TryRecvError::Disconnected) => all_sent = true,
            Err(TryRecvError::Empty) => {}
        }
        open.retain_mut(|((client, case, batch), begun)| {
            let end = match client.read() {
                Ok(0) => End::Closed,
                Ok(_) => return true,
                Err(error) => {
                    let waits = error.kind() == ErrorKind::WouldBlock;
                    if waits && begun.elapsed() < LEFT_OPEN_MAX {
                        return true;
                    }
                    End::of(&error)
                }
            };
            tally.left_open.add(begun.elapsed());
            judged(shared, &mut tally, case, *batch, (client.received(), end));
            false
        });
        std::thread::sleep(LEFT_OPEN_POLL);
    }
    tally
}
