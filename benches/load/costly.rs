//! What the dearest legal requests cost, and what others notice of one who asks nothing else.
//!
//! Each request of `costly.tsv` is asked one after another, with a key and as the page does without one, and the CPU time
//! of the server is divided by how many there were. Then one client asks the dearest ones by a clock while another
//! searches. What must hold: no request costs more than its budget and the row that it ends with; everything is
//! answered; and the searches of the other are never refused and, in the full form, not much slower than before.

use std::time::{Duration, Instant};

use almoner::http::{KEYED_CPU_MAX, KEYLESS_CPU_MAX};
use almoner::table::Table;
use serde_json::json;

use crate::Options;
use crate::chance::Rng;
use crate::client;
use crate::load::{Live, Load, Pace, because};
use crate::report::Report;
use crate::requests::{Kind, Mix};
use crate::server::Server;
use crate::template::fill;
use crate::times::Ms;

const TABLE: Table = Table::new("benches/load/costly.tsv", include_str!("costly.tsv"));
/// Times that each is asked for its cost.
const ASKED: u32 = 4;
/// Queries of a list, names of a query and misspelt words of a name: a body of them has less than a megabyte.
const QUERIES: usize = 410;
const NAMES: usize = 11;
const WORDS: usize = 24;
/// Queries of a message of the Model Context Protocol, which may have 64 KiB.
const CALLED: usize = 26;
/// EINs of a batch.
const EINS: usize = 500;
/// What the row that a budget ends with may add, in the full form.
const LAST_ROW: Duration = Duration::from_millis(100);
/// Dearest requests a second, and connections that send them.
const RATE: f64 = 20.0;
const CONNECTIONS: usize = 64;
/// How much slower the searches of others may be at the 99th percentile, and how long a health check may take.
const FACTOR_MAX: f64 = 10.0;
const HEALTH_MAX: Duration = Duration::from_millis(50);
const VOWELS: &[u8] = b"aeiou";

pub fn run(options: &Options, report: &mut Report) {
    let further = ["--warm", "--log-level", "warn", "--public", "page"];
    let server = Server::start(&options.program, &options.data_dir, &further);
    let mut chance = Rng::new(options.seed());
    for (is_keyed, most) in [(true, KEYED_CPU_MAX), (false, KEYLESS_CPU_MAX)] {
        costs(options, report, &server, &mut chance, (is_keyed, most));
    }
    neighbours(options, report, &server, &mut chance);
    report.log(&server);
}

/// The table of what each request costs.
fn costs(
    options: &Options,
    report: &mut Report,
    server: &Server,
    chance: &mut Rng,
    (is_keyed, most): (bool, Duration),
) {
    let whose = if is_keyed { "with a key" } else { "without a key" };
    for [endpoint, target, body] in TABLE.rows() {
        // Of the Model Context Protocol the page has no need.
        if endpoint == "/mcp" && !is_keyed {
            continue;
        }
        let key = is_keyed.then(|| server.key());
        let requests: Vec<Vec<u8>> =
            (0..ASKED).map(|_| request(chance, (target, body), key)).collect();
        let (before, mut statuses) = (server.figures().cpu, Vec::new());
        for request in &requests {
            let mut client = server.connect();
            let answer = client.ask(request).map(|answer| answer.status);
            statuses.push(answer.unwrap_or(0));
        }
        let each = (server.figures().cpu - before) / ASKED;
        report.figure(&format!("{endpoint} {whose}"), format!("{} of CPU", Ms(each)));
        let is_answered = statuses.iter().all(|status| *status == 200);
        report.holds(is_answered, format!("{endpoint} {whose}: answered {statuses:?}"));
        // How long the last row takes is the business of the machine in the quick form.
        let within = options.quick() || each <= most + LAST_ROW;
        report.holds(within, format!("{endpoint} {whose}: within {} and a row", Ms(most)));
    }
}

/// Searches of one beside the dearest requests of another.
fn neighbours(options: &Options, report: &mut Report, server: &Server, chance: &mut Rng) {
    let other = options.program.create_key(&options.data_dir, "costly");
    std::thread::sleep(Duration::from_secs(2));
    let searches = Mix::new(Kind::Searches, server, chance);
    let time = options.seconds(20, 2);
    let load = Load::saturating(server, 2, time, options.seed());
    let load = Load { pace: Pace::Clock(RATE), ..load };
    let mut quiet = load.run(&searches, &Live::default()).of_status(200);
    for [endpoint, target, body] in TABLE.rows().filter(|row| row[2] != "-" || row[0] == "/chat") {
        let dear = Mix::fixed(endpoint, request(chance, (target, body), Some(&other)));
        let crowd = Load { connections: CONNECTIONS, ..load };
        let (tally, mut health) = std::thread::scope(|scope| {
            scope.spawn(|| crowd.run(&dear, &Live::default()));
            let health = scope.spawn(|| healths(server, time));
            (load.run(&searches, &Live::default()), health.join().expect("health checks"))
        });
        let mut beside = tally.of_status(200);
        report.figure(&format!("searches beside {endpoint}"), beside.summary());
        let trouble = tally.unexpected.keys().any(|status| *status == 503) || tally.broken > 0;
        report.holds(
            !trouble,
            format!("beside {endpoint}: no search refused{}", because(tally.trouble())),
        );
        let (slow, before) = (beside.at(0.99), quiet.at(0.99));
        let is_fast = slow.as_secs_f64() <= FACTOR_MAX * before.as_secs_f64();
        report.holds(
            options.quick() || is_fast,
            format!("beside {endpoint}: p99 {}, quiet {}", Ms(slow), Ms(before)),
        );
        health.sort_unstable();
        let slowest = health.last().copied().unwrap_or_default();
        report.holds(
            options.quick() || slowest <= HEALTH_MAX,
            format!("beside {endpoint}: /health within {}", Ms(slowest)),
        );
    }
}

/// How long health checks take, ten a second.
fn healths(server: &Server, time: Duration) -> Vec<Duration> {
    let end = Instant::now() + time;
    let mut taken = Vec::new();
    while Instant::now() < end {
        let begun = Instant::now();
        let answer = server.connect().ask(&client::request("/health", "none", None));
        assert!(answer.is_ok_and(|answer| answer.status == 200), "/health");
        taken.push(begun.elapsed());
        std::thread::sleep(Duration::from_millis(100));
    }
    taken
}

/// The bytes of a request, with a key or as the page asks.
fn request(chance: &mut Rng, (target, body): (&str, &str), key: Option<&str>) -> Vec<u8> {
    let mut word = |word: &str, chance: &mut Rng| match word {
        "signs" => "%5C".repeat(256).into_bytes(),
        "story" => "1-".repeat(1_000).into_bytes(),
        "words" => text(chance, 250).replace(' ', "+").into_bytes(),
        "names" => text(chance, 100).replace(' ', "+").into_bytes(),
        other => panic!("{other} stands for nothing"),
    };
    let target = String::from_utf8(fill(target, chance, &mut word)).expect("UTF-8");
    let sent = match body {
        "-" => String::new(),
        "misspelt" => list(chance, QUERIES),
        "reconciled" => format!("queries={}", reconciled(chance)),
        "eins" => {
            let eins: Vec<String> =
                (0..EINS).map(|_| format!("{:09}", chance.below(999_999_999))).collect();
            json!({ "eins": eins }).to_string()
        }
        "called" => called(chance),
        other => panic!("{other} is no body"),
    };
    let method = if body == "-" { "GET" } else { "POST" };
    let form = match body {
        "reconciled" => "application/x-www-form-urlencoded",
        _ => "application/json",
    };
    let allowed = match key {
        Some(key) => format!("X-API-Key: {key}"),
        None => "X-Almoner-Page: 1".to_owned(),
    };
    format!(
        "{method} {target} HTTP/1.1\r\nHost: bench\r\n{allowed}\r\nContent-Type: {form}\r\n\
         Accept: application/json, text/event-stream\r\nContent-Length: {}\r\n\r\n{sent}",
        sent.len()
    )
    .into_bytes()
}

/// Misspelt words, at most so many characters of them.
fn text(chance: &mut Rng, characters: usize) -> String {
    const OF: [&str; 12] = [
        "foundation",
        "community",
        "ministries",
        "education",
        "american",
        "international",
        "association",
        "children",
        "memorial",
        "services",
        "veterans",
        "christian",
    ];
    let mut text = String::new();
    for _ in 0..WORDS {
        let mut word = chance.of(&OF).as_bytes().to_vec();
        let at = chance.below(word.len());
        word[at] = *chance.of(VOWELS);
        if text.len() + word.len() < characters {
            text.push_str(std::str::from_utf8(&word).expect("ASCII"));
            text.push(' ');
        }
    }
    text.trim_end().to_owned()
}

/// A list of organizations with as many misspelt names as there may be.
fn list(chance: &mut Rng, queries: usize) -> String {
    let mut query = || {
        let names: Vec<String> = (1..NAMES).map(|_| text(chance, 210)).collect();
        json!({ "name": text(chance, 210), "other_names": names, "state": "OH" })
    };
    let queries: Vec<_> = (0..queries).map(|_| query()).collect();
    json!({ "queries": queries }).to_string()
}

/// The same as a batch of the reconciliation service, percent-encoded.
fn reconciled(chance: &mut Rng) -> String {
    let query =
        |at: usize, chance: &mut Rng| (format!("q{at}"), json!({ "query": text(chance, 250) }));
    let batch: serde_json::Map<_, _> = (0..QUERIES).map(|at| query(at, chance)).collect();
    let escaped = |byte: u8| match byte {
        b'a'..=b'z' | b'0'..=b'9' => (byte as char).to_string(),
        _ => format!("%{byte:02X}"),
    };
    json!(batch).to_string().bytes().map(escaped).collect()
}

/// The same as a call of a tool.
fn called(chance: &mut Rng) -> String {
    let list: serde_json::Value = serde_json::from_str(&list(chance, CALLED)).expect("JSON");
    let params = json!({ "name": "match_organizations", "arguments": list });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string()
}
