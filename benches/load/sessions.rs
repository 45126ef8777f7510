//! Many sessions: each says once where it looks, under one of a few keys.
//!
//! What must hold: the server keeps no more sessions than it says, in no more memory; anonymous
//! memory stays as it is once the first tenth was kept; the oldest sessions are forgotten and the
//! newest remembered, as a follow-up shows; and none knows what another one said, nor one of the
//! same identifier under another key.
//!
//! A place alone, asked of the search, is the cheapest thing that a session remembers: nothing is
//! ranked by meaning, and one row is shown. The chat takes some four times as long, so that only one
//! message in twenty goes there. At the end of the full form sessions that remember a hundred rows
//! each come to the bound in bytes before that in number.
//!
//! The full form serves little data of its own, without vectors, whichever is named: what a session
//! takes does not depend on it, and with a model every message is read by that, too, which takes ten
//! times as long.

use std::sync::Mutex;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use almoner::record::thousands;
use almoner::understand::{SESSION_BYTES_MAX, SESSIONS_MAX};
use serde_json::Value;

use crate::Options;
use crate::chance::Rng;
use crate::client::{self, Client};
use crate::load::in_parallel;
use crate::report::Report;
use crate::server::Server;
use crate::times::Times;

/// Sessions of the full form and of the quick one.
const SESSIONS: u64 = 1_000_000;
const QUICK_SESSIONS: u64 = 5_000;
/// Sessions that remember much, in the full form.
const LARGE_SESSIONS: u64 = 30_000;
/// Fictional organizations of the full form.
const ORGANIZATIONS: u64 = 2_000;
/// Messages without a session before memory is looked at first.
const WARM: u64 = 200;
/// Memory is looked at after these percents.
const STOPS: [u64; 3] = [10, 50, 100];
const WORKERS: usize = 4;
const KEYS: usize = 4;
/// One message in so many goes to the chat.
const CHAT_SHARE: u64 = 20;
/// A run takes no longer.
const RUN_MAX: Duration = Duration::from_secs(20 * 60);
/// Sessions of each sort that are asked whether they remember.
const ASKED: u64 = 200;
/// Sessions at the border of what is kept that are not asked: workers do not take turns exactly, and
/// asking moves sessions.
const MARGIN: u64 = 1_000;
/// Failures of a kind that are told.
const TOLD_MAX: usize = 5;

/// Places to look in, and the codes by which they are understood.
const PLACES: [(&str, &str); 6] = [
    ("Ohio", "OH"),
    ("Texas", "TX"),
    ("Vermont", "VT"),
    ("Florida", "FL"),
    ("Oregon", "OR"),
    ("Maine", "ME"),
];
const SEARCH: &str = "/beta/nonprofits/search";
/// What makes sense only where something was said before.
const FOLLOW_UP: &str = "/beta/nonprofits/search?q=only+small+ones&size=1";

/// A server, and the keys to it.
struct Run<'a> {
    server: &'a Server,
    keys: Vec<String>,
    seed: u64,
    failures: Mutex<Vec<String>>,
}

pub fn run(options: &Options, report: &mut Report) {
    let count = options.amounts.count.unwrap_or(options.either(SESSIONS, QUICK_SESSIONS));
    let folder = tempfile::tempdir().expect("a temporary folder");
    // In the quick form what is served is small already.
    let data_dir = options.either(folder.path().join("data"), options.data_dir.clone());
    if !options.quick() {
        let files = folder.path().join("files");
        options.program.publish(&data_dir, &files, ORGANIZATIONS, options.seed());
    }
    let further = (1..KEYS).map(|_| options.program.create_key(&data_dir, "sessions"));
    let mut keys: Vec<String> = further.collect();
    let server = Server::start(&options.program, &data_dir, &["--log-level", "warn"]);
    keys.push(server.key().to_owned());
    let run = Run { server: &server, keys, seed: options.seed(), failures: Mutex::default() };
    fill(&run, count, report);
    remember(&run, count, report);
    apart(&run, count, report);
    if !options.quick() {
        fill_with_large(&run, count, report);
    }
    let failures = run.failures.lock().expect("no worker panics");
    failures.iter().take(TOLD_MAX).for_each(|failure| report.failed(failure));
    report.holds(failures.is_empty(), format!("{} answers are wrong", failures.len()));
    report.log(&server);
}

/// Begins all sessions, and looks at memory on the way.
fn fill(run: &Run<'_>, count: u64, report: &mut Report) {
    let (mut begin, mut first, mut anonymous_kb) = (0, None, 0);
    // What is made when it is first asked for is there.
    let mut client = run.server.connect();
    for number in 0..WARM {
        let path = opening(number, "&size=1");
        let answer = client.ask(&run.server.request(&path)).expect("an answer");
        assert_eq!(answer.status, 200, "{path}");
    }
    let before_kb = run.server.figures().anonymous_kb;
    report.figure("before", format!("{} kB anonymous", thousands(before_kb)));
    let begun = Instant::now();
    let mut times = Times::default();
    for percent in STOPS {
        let end = count * percent / 100;
        times
            .join(begin_all(run, begin..end, begun + RUN_MAX, |number| opening(number, "&size=1")));
        begin = end;
        let (kept, bytes) = kept(run);
        anonymous_kb = run.server.figures().anonymous_kb;
        first.get_or_insert_with(|| {
            let taken = anonymous_kb.saturating_sub(before_kb) * 1024 / kept.max(1);
            let text = format!(
                "{} bytes anonymous, {} by its estimate",
                thousands(taken),
                thousands(bytes / kept.max(1))
            );
            report.figure("a session", text);
            anonymous_kb
        });
        let text = format!(
            "{} kB anonymous, {} sessions kept, {} bytes by its estimate",
            thousands(anonymous_kb),
            thousands(kept),
            thousands(bytes)
        );
        report.figure(&format!("after {} sessions", thousands(end)), text);
        let within = kept <= SESSIONS_MAX as u64 && bytes <= SESSION_BYTES_MAX as u64;
        report.holds(within, "no more sessions and bytes than the server says");
        let all_fit = end * 2 * (bytes / kept.max(1)) < SESSION_BYTES_MAX as u64
            && end <= SESSIONS_MAX as u64;
        report.holds(!all_fit || kept == end, "all are kept where all may be");
    }
    let rate = times.len() as f64 / begun.elapsed().as_secs_f64();
    report.figure("a message", format!("{}, {rate:.0}/s", times.summary()));
    report.holds(times.len() as u64 == count, format!("{} sessions were begun", thousands(count)));
    let bound = first.unwrap_or(0) + SESSION_BYTES_MAX as u64 / 1024;
    let text = format!("anonymous memory at the end is within {} kB", thousands(bound));
    report.holds(anonymous_kb <= bound, text);
}

/// Begins sessions of these numbers; how long each took.
fn begin_all(
    run: &Run<'_>,
    numbers: std::ops::Range<u64>,
    deadline: Instant,
    path: impl Fn(u64) -> String + Sync,
) -> Times {
    let next = AtomicU64::new(numbers.start);
    let work = |_| {
        let mut times = Times::default();
        let mut client = run.server.connect();
        while let Some(number) = Some(next.fetch_add(1, Relaxed)).filter(|it| *it < numbers.end)
            && Instant::now() < deadline
        {
            let begun = Instant::now();
            run.ask(&mut client, &path(number), number, 0, Some(place(number).1));
            times.add(begun.elapsed());
        }
        times
    };
    let mut all = Times::default();
    in_parallel(WORKERS, work).into_iter().for_each(|times| all.join(times));
    all
}

/// Where a session looks, and the code by which that is understood.
fn place(number: u64) -> (&'static str, &'static str) {
    PLACES[number as usize % PLACES.len()]
}

/// What a session says first.
fn opening(number: u64, size: &str) -> String {
    let place = place(number).0;
    if number.is_multiple_of(CHAT_SHARE) {
        format!("/chat?q=in+{place}")
    } else {
        format!("{SEARCH}?q=in+{place}{size}")
    }
}

/// Asks the newest and the oldest sessions to go on.
fn remember(run: &Run<'_>, count: u64, report: &mut Report) {
    let mut client = run.server.connect();
    let (kept, _) = kept(run);
    let newest = count - kept + if kept < count { MARGIN } else { 0 };
    let asked = spread(newest, count);
    let of = format!("of the last {}", thousands(count - newest));
    report.figure("newest sessions asked", format!("{}, {of}", asked.len()));
    for number in asked {
        run.ask(&mut client, FOLLOW_UP, number, 0, Some(place(number).1));
    }
    let oldest = (count - kept).saturating_sub(MARGIN);
    // Those at the border, and of all.
    let asked = [spread(oldest.saturating_sub(MARGIN), oldest), spread(0, oldest)].concat();
    let of = format!("of the first {}", thousands(oldest));
    report.figure("oldest sessions asked", format!("{}, {of}", asked.len()));
    for number in asked {
        run.ask(&mut client, FOLLOW_UP, number, 0, None);
    }
}

/// Sessions of one identifier under two keys.
fn apart(run: &Run<'_>, count: u64, report: &mut Report) {
    let mut client = run.server.connect();
    for number in count..count + ASKED {
        let said = [number, number + 1].map(place);
        for (key, (place, code)) in said.iter().enumerate() {
            let path = format!("{SEARCH}?q=in+{place}&size=1");
            run.ask(&mut client, &path, number, key, Some(code));
        }
        for (key, said) in [Some(said[0].1), Some(said[1].1), None].into_iter().enumerate() {
            run.ask(&mut client, FOLLOW_UP, number, key, said);
        }
    }
    report.figure("sessions of one identifier under several keys", ASKED);
}

/// Sessions that remember a hundred rows each.
fn fill_with_large(run: &Run<'_>, count: u64, report: &mut Report) {
    let first = count + 2 * ASKED;
    let path = |number: u64| {
        let place = place(number).0;
        format!("{SEARCH}?q=in+{place}&size=100&sort=name")
    };
    let before_kb = run.server.figures().anonymous_kb;
    let mut times = begin_all(run, first..first + LARGE_SESSIONS, Instant::now() + RUN_MAX, path);
    let ((kept, bytes), after_kb) = (kept(run), run.server.figures().anonymous_kb);
    let text = format!(
        "{}; {} kept, {} bytes by its estimate; {} kB anonymous before, {} kB after",
        times.summary(),
        thousands(kept),
        thousands(bytes),
        thousands(before_kb),
        thousands(after_kb)
    );
    report.figure("sessions of a hundred rows", text);
    report.holds(bytes <= SESSION_BYTES_MAX as u64, "they take no more bytes than the server says");
    report.holds(kept < SESSIONS_MAX as u64, "fewer of them are kept than of small ones");
    let bound = before_kb + SESSION_BYTES_MAX as u64 / 1024;
    report.holds(after_kb <= bound, format!("anonymous memory is within {} kB", thousands(bound)));
}

/// Numbers from a range, [`ASKED`] of them at most, evenly.
fn spread(begin: u64, end: u64) -> Vec<u64> {
    let length = end.saturating_sub(begin);
    let asked = ASKED.min(length);
    (0..asked).map(|at| begin + at * length / asked).collect()
}

/// Sessions that the server keeps, and their bytes by its estimate.
fn kept(run: &Run<'_>) -> (u64, u64) {
    let value = |name: &str| run.server.telemetry(name) as u64;
    (value("almoner_sessions"), value("almoner_session_bytes"))
}

impl Run<'_> {
    /// Sends a message of a session, and holds what state it is understood to ask for against what
    /// was said; keys are counted from that of the session.
    fn ask(&self, client: &mut Client, path: &str, number: u64, key: usize, said: Option<&str>) {
        let secret = &self.keys[(number as usize + key) % self.keys.len()];
        let session = Rng::of_number(self.seed, number).uuid();
        let state = match client.ask(&client::request(path, secret, Some(&session))) {
            Ok(answer) if answer.status == 200 => {
                let body: Value = serde_json::from_slice(&answer.body).expect("JSON");
                body["intentDetails"]["state"].as_str().map(str::to_owned)
            }
            Ok(answer) => Some(format!("an answer of {}", answer.status)),
            Err(error) => {
                *client = self.server.connect();
                Some(format!("no answer: {error}"))
            }
        };
        if state.as_deref() != said {
            let text = format!("session {number}, key {key}: {path} is of {said:?}, not {state:?}");
            self.failures.lock().expect("no worker panics").push(text);
        }
    }
}
