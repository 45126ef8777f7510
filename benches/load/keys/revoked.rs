//! Keys that are made and revoked while a client uses them.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::Options;
use crate::client::{self, Client};
use crate::program::text;
use crate::report::Report;
use crate::server::Server;
use crate::times::Times;

/// Keys of the full form and of the quick one.
const ROUNDS: usize = 50;
const QUICK_ROUNDS: usize = 3;
/// The client asks this often.
const INTERVAL: Duration = Duration::from_millis(5);
/// A change must be known this long after the command's end.
const KNOWN_MAX: Duration = Duration::from_secs(1);
/// It is waited for so long.
const WAIT_MAX: Duration = Duration::from_secs(5);
/// How long a key goes on to be asked once the change is known.
const AFTER: Duration = Duration::from_millis(300);

pub fn run(options: &Options, server: &Server, data_dir: &Path, lookup: &str, report: &mut Report) {
    let (mut taken, mut refused, mut wrong) = (Times::default(), Times::default(), 0);
    for round in 0..options.either(ROUNDS, QUICK_ROUNDS) {
        let (id, secret) = create(options, data_dir, &format!("round {round}"));
        let created = Instant::now();
        let request = client::request(lookup, &secret, None);
        let mut user = User { client: server.connect(), request, due: created };
        taken.add(user.ask_until(200, created));
        wrong += user.others(200, AFTER);
        let revoked = std::thread::scope(|scope| {
            let arguments = ["keys", "revoke", "--data-dir", text(data_dir), &id];
            let revoking = scope.spawn(move || options.program.run(&arguments));
            let (mut first_refused, mut ended) = (None, None);
            while ended.is_none_or(|end: Instant| end.elapsed() < WAIT_MAX) {
                if ended.is_none() && revoking.is_finished() {
                    ended = Some(Instant::now());
                }
                match user.ask() {
                    401 => _ = first_refused.get_or_insert_with(Instant::now),
                    200 if first_refused.is_none() => {}
                    _ => wrong += 1,
                }
                if ended.is_some() && first_refused.is_some() {
                    break;
                }
            }
            first_refused.zip(ended).map(|(first, end)| first.saturating_duration_since(end))
        });
        refused.add(revoked.unwrap_or(WAIT_MAX));
        wrong += user.others(401, AFTER);
    }
    let limit = options.either(KNOWN_MAX, WAIT_MAX);
    for (what, mut times) in
        [("a new key is taken after", taken), ("a revoked one is refused after", refused)]
    {
        report.figure(what, times.summary());
        let text = format!("every time {what} less than {} s", limit.as_secs());
        report.holds(times.max() < limit, text);
    }
    let text = format!("{wrong} answers of 401 before, or of other than 401 after that");
    report.holds(wrong == 0, text);
}

/// Makes a key: its identifier and the key itself.
pub fn create(options: &Options, data_dir: &Path, name: &str) -> (String, String) {
    let secret = options.program.create_key(data_dir, name);
    let listed = options.program.run(&["keys", "list", "--data-dir", text(data_dir)]);
    let line = listed.lines().rfind(|line| line.contains(name)).expect("the key is listed");
    let id = line.split_whitespace().find(|word| word.starts_with("key_")).expect("an identifier");
    (id.to_owned(), secret)
}

/// A client that asks with one key at even times.
struct User {
    client: Client,
    request: Vec<u8>,
    due: Instant,
}

impl User {
    /// The status of the next answer.
    fn ask(&mut self) -> u16 {
        std::thread::sleep(self.due.saturating_duration_since(Instant::now()));
        self.due += INTERVAL;
        self.client.ask(&self.request).expect("an answer").status
    }

    /// How long after a moment a status is first answered.
    fn ask_until(&mut self, status: u16, begun: Instant) -> Duration {
        while self.ask() != status && begun.elapsed() < WAIT_MAX {}
        begun.elapsed()
    }

    /// How many answers are of another status, for some time.
    fn others(&mut self, status: u16, time: Duration) -> usize {
        let begun = Instant::now();
        let mut others = 0;
        while begun.elapsed() < time {
            others += usize::from(self.ask() != status);
        }
        others
    }
}
