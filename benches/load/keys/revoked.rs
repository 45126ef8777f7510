//! Keys that are made and revoked while a client uses them.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::Options;
use crate::client;
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
const POLL: Duration = Duration::from_millis(2);
/// How long a key goes on to be asked once the change is known.
const AFTER: Duration = Duration::from_millis(300);

/// A request of the client: when it went out, when it was answered, and how.
#[derive(Debug, Clone, Copy)]
struct Asked {
    sent: Instant,
    answered: Instant,
    status: u16,
}

/// What a client asked with one key, over time.
#[derive(Debug, Default)]
struct History {
    asked: Mutex<Vec<Asked>>,
    stopped: AtomicBool,
}

pub fn run(options: &Options, server: &Server, data_dir: &Path, lookup: &str, report: &mut Report) {
    let (mut taken, mut refused) = (Times::default(), Times::default());
    let rounds = options.either(ROUNDS, QUICK_ROUNDS);
    let mut wrong = 0;
    for round in 0..rounds {
        let (id, secret) = create(options, data_dir, &format!("round {round}"));
        let created = Instant::now();
        let request = client::request(lookup, &secret, None);
        let history = History::default();
        std::thread::scope(|scope| {
            scope.spawn(|| history.record(server, &request));
            let first_taken = history.wait_for(200);
            std::thread::sleep(AFTER);
            options.program.run(&["keys", "revoke", "--data-dir", text(data_dir), &id]);
            let ended = Instant::now();
            let first_refused = history.wait_for_after(401, first_taken);
            std::thread::sleep(AFTER);
            history.stopped.store(true, Relaxed);
            for (times, first, begun) in
                [(&mut taken, first_taken, created), (&mut refused, first_refused, ended)]
            {
                let known = first.map_or(WAIT_MAX, |first| first.answered.duration_since(begun));
                times.add(known);
            }
            wrong += history.wrong(first_taken, first_refused);
        });
    }
    for (what, mut times) in
        [("a new key is taken after", taken), ("a revoked one is refused after", refused)]
    {
        report.figure(what, times.summary());
        let limit = options.either(KNOWN_MAX, WAIT_MAX);
        let text = format!("every time {what} less than {} s", limit.as_secs());
        report.holds(times.max() < limit, text);
    }
    report.holds(
        wrong == 0,
        format!("{wrong} answers of 401 before, or of other than 401 after that"),
    );
}

/// Makes a key: its identifier and the key itself.
pub fn create(options: &Options, data_dir: &Path, name: &str) -> (String, String) {
    let secret = options.program.create_key(data_dir, name);
    let listed = options.program.run(&["keys", "list", "--data-dir", text(data_dir)]);
    let line = listed.lines().rfind(|line| line.contains(name)).expect("the key is listed");
    let id = line.split_whitespace().find(|word| word.starts_with("key_")).expect("an identifier");
    (id.to_owned(), secret)
}

impl History {
    /// Asks at even times until it is stopped.
    fn record(&self, server: &Server, request: &[u8]) {
        let mut client = server.connect();
        let mut due = Instant::now();
        while !self.stopped.load(Relaxed) {
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
            due += INTERVAL;
            let sent = Instant::now();
            let status = client.ask(request).expect("an answer").status;
            let asked = Asked { sent, answered: Instant::now(), status };
            self.asked.lock().expect("nobody panics").push(asked);
        }
    }

    /// The first answer of a status.
    fn wait_for(&self, status: u16) -> Option<Asked> {
        self.wait(|asked| asked.status == status)
    }

    /// The first answer of a status to what was sent after another answer.
    fn wait_for_after(&self, status: u16, before: Option<Asked>) -> Option<Asked> {
        let begin = before?.answered;
        self.wait(|asked| asked.status == status && asked.sent > begin)
    }

    fn wait(&self, is_one: impl Fn(&Asked) -> bool) -> Option<Asked> {
        let begun = Instant::now();
        while begun.elapsed() < WAIT_MAX {
            if let Some(found) =
                self.asked.lock().expect("nobody panics").iter().find(|one| is_one(one))
            {
                return Some(*found);
            }
            std::thread::sleep(POLL);
        }
        None
    }

    /// How many answers are not what they must be: 200 once the key is taken, and 401 once it is
    /// refused.
    fn wrong(&self, taken: Option<Asked>, refused: Option<Asked>) -> usize {
        let (Some(taken), Some(refused)) = (taken, refused) else { return 0 };
        let asked = self.asked.lock().expect("nobody panics");
        let is_wrong = |one: &&Asked| {
            let expected = if one.sent < refused.sent { 200 } else { 401 };
            one.sent >= taken.sent && one.status != expected
        };
        asked.iter().filter(is_wrong).count()
    }
}
