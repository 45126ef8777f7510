//! The chat in process: 10,000 sessions of random dialogues, how long an answer takes and how much
//! memory the sessions hold; and that no session sees what another said.
//!
//! `cargo bench --bench chat` generates 100,000 fictional organizations and builds them;
//! `ALMONER_BENCH_DATA_DIR` names a data directory to use instead. Sessions are mixed message by
//! message; of every hundredth one, the answers are compared with those of the same messages alone.

// Figures go to standard output.
#![allow(clippy::print_stdout)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use almoner::search::chat::{Answer, Question, answer};
use almoner::search::nonprofits;
use almoner::snapshot::{self, Snapshot};
use almoner::understand::{Asker, Conversation, Frame, Sessions};
use fastrand::Rng;

/// Dialogues, and the messages of each.
const DIALOGUES: usize = 10_000;
const MESSAGES: usize = 4;

/// Dialogues that go on at the same time, message by message.
const MIXED: usize = 500;

/// Keys among which sessions are shared out; sessions of several keys have the same identifiers.
const KEYS: usize = 2;

/// One dialogue in so many is held again alone.
const HELD_AGAIN: usize = 100;

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data_dir = data_dir(folder.path());
    let snapshot = snapshot::open(&data_dir).expect("a snapshot");
    nonprofits::warm(&snapshot).expect("a whole snapshot");
    println!("{} organizations", snapshot.manifest.organizations);
    let keys: Vec<Arc<str>> = (0..KEYS).map(|key| Arc::from(format!("key{key}"))).collect();
    let sessions = Sessions::default();
    let mut times: Vec<(f64, &'static str)> = Vec::new();
    let mut kept: Vec<(usize, Vec<Answer>)> = Vec::new();
    let mut greatest = 0;
    for first in (0..DIALOGUES).step_by(MIXED) {
        let mut held: Vec<Vec<Answer>> = vec![Vec::new(); MIXED];
        for turn in 0..MESSAGES {
            for (at, answers) in held.iter_mut().enumerate() {
                let dialogue = first + at;
                let (key, session) = (&keys[dialogue % KEYS], (dialogue / KEYS) as u128);
                let message = message(dialogue, turn);
                let begun = Instant::now();
                let asker = Asker { key: Some(key), client: key };
                let earlier = sessions.get(asker, session, begun).unwrap_or_default();
                let found = ask(&snapshot, &message, &earlier);
                sessions.put(asker, session, &found.next, Instant::now());
                times.push((begun.elapsed().as_secs_f64() * 1e3, found.intent.name()));
                greatest = greatest.max(sessions.size().1);
                if dialogue.is_multiple_of(HELD_AGAIN) {
                    answers.push(found);
                }
            }
        }
        let again = held.into_iter().enumerate().filter(|(_, answers)| !answers.is_empty());
        kept.extend(again.map(|(at, answers)| (first + at, answers)));
    }
    print_times(times);
    let (count, bytes) = sessions.size();
    println!("{count} sessions kept, {bytes} bytes by estimate, {greatest} at most");
    println!("anonymous memory: {} kB", anonymous_kilobytes());
    let differing = kept.iter().filter(|(dialogue, answers)| {
        let mut conversation = Conversation::default();
        let alone = (0..MESSAGES).map(|turn| {
            let found = ask(&snapshot, &message(*dialogue, turn), &conversation);
            conversation = found.next.clone();
            found
        });
        alone.collect::<Vec<_>>() != *answers
    });
    println!("{} dialogues held again alone, {} differ", kept.len(), differing.count());
}

fn ask(snapshot: &Snapshot, message: &str, earlier: &Conversation) -> Answer {
    let explicit = Frame::default();
    let question =
        Question { message, explicit: &explicit, earlier: Some(earlier), language_model: None };
    answer(snapshot, &question).expect("a whole snapshot")
}

const CAUSES: [&str; 16] = [
    "food banks",
    "museums",
    "youth sports",
    "animal shelters",
    "hospice care",
    "literacy",
    "community theater",
    "homeless shelters",
    "veterans",
    "land trusts",
    "domestic violence",
    "job training",
    "cancer research",
    "public radio",
    "churches",
    "mental health",
];
const PLACES: [&str; 10] = [
    "in Ohio",
    "in Texas",
    "in Chicago",
    "in New York",
    "in California",
    "near Denver",
    "in Vermont",
    "in Miami FL",
    "in 60601",
    "in New England",
];
const FOLLOW_UPS: [&str; 16] = [
    "only ones over $100k",
    "what about Texas instead",
    "any in Florida?",
    "just the small ones",
    "tell me about the second one",
    "what's its revenue?",
    "others like the first one",
    "show me more",
    "thanks!",
    "never mind the size",
    "start over",
    "largest first",
    "articles about that",
    "funds for it",
    "who runs it",
    "only vetted ones",
];
const ALONE: [&str; 8] = [
    "hello",
    "what is an EIN?",
    "articles about hunger",
    "funds for education",
    "show me article 1001",
    "blarg fnord",
    "what can you do",
    "how do I donate stock",
];

/// The message of a dialogue's turn, the same in every run.
fn message(dialogue: usize, turn: usize) -> String {
    let mut random = Rng::with_seed((dialogue * MESSAGES + turn) as u64);
    let kind = random.usize(..10);
    let mut one = |all: &[&'static str]| all[random.usize(..all.len())];
    match (turn, kind) {
        (0, 0..=7) | (_, 0) => format!("{} {}", one(&CAUSES), one(&PLACES)),
        (0, _) | (_, 1) => one(&ALONE).to_owned(),
        (_, _) => one(&FOLLOW_UPS).to_owned(),
    }
}

fn print_times(mut times: Vec<(f64, &'static str)>) {
    let mut intents: Vec<&str> = times.iter().map(|time| time.1).collect();
    intents.sort_unstable();
    intents.dedup();
    times.sort_by(|one, other| one.0.total_cmp(&other.0));
    let all: Vec<f64> = times.iter().map(|time| time.0).collect();
    print_percentiles("all", &all);
    for intent in intents {
        let some = times.iter().filter(|time| time.1 == intent).map(|time| time.0);
        print_percentiles(intent, &some.collect::<Vec<_>>());
    }
}

fn print_percentiles(name: &str, sorted: &[f64]) {
    let at = |share: f64| sorted[((sorted.len() - 1) as f64 * share) as usize];
    println!(
        "{name:20} {:6} messages, p50 {:.1} ms, p99 {:.1} ms, worst {:.1} ms",
        sorted.len(),
        at(0.5),
        at(0.99),
        at(1.0)
    );
}

/// What the process holds beside mapped files, as Linux tells it.
fn anonymous_kilobytes() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    line.map_or_else(
        || "not known".to_owned(),
        |line| line.trim().trim_end_matches(" kB").to_owned(),
    )
}

fn data_dir(folder: &Path) -> PathBuf {
    if let Some(given) = std::env::var_os("ALMONER_BENCH_DATA_DIR") {
        return given.into();
    }
    let (inputs, data_dir) = (folder.join("inputs"), folder.join("data"));
    for arguments in [
        &["generate", path(&inputs), "--organizations", "100000"][..],
        &["build", "--data-dir", path(&data_dir), path(&inputs)][..],
    ] {
        let status = Command::new(env!("CARGO_BIN_EXE_almoner")).args(arguments).status();
        assert!(status.is_ok_and(|status| status.success()), "{arguments:?}");
    }
    data_dir
}

fn path(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}
