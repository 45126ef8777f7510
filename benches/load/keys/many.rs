//! Ten thousand keys: what making them takes, and whether a lookup takes longer among them.
//!
//! A key is made one at a time, and the file written anew each time. So many at once are written
//! here, in the form that `keys create` gives the file: entries like the one that it made, with sums
//! of keys that nobody has, and the checksum over them. The program takes them for its own: it lists
//! them, and adds to them.

use std::fs;
use std::iter::repeat_n;
use std::path::Path;
use std::time::{Duration, Instant};

use almoner::record::thousands;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::Options;
use crate::chance::Rng;
use crate::load::one_by_one;
use crate::program::text;
use crate::report::Report;
use crate::server::Server;
use crate::times::{Ms, Times};

/// Many keys.
const KEYS: usize = 10_000;
/// Numbers of keys beside which one more is made, and how many times.
const BESIDE: [usize; 3] = [0, 1_000, KEYS];
const CREATED: usize = 7;
/// Lookups of a round, and rounds with one key and with many in turn: in the full form and in the
/// quick one.
const LOOKUPS: usize = 2_000;
const QUICK_LOOKUPS: usize = 200;
const ROUNDS: usize = 20;
const QUICK_ROUNDS: usize = 3;
/// How much longer a lookup may take among many keys.
const RATIO_MAX: f64 = 1.05;
/// The server must know a new file after so long; it is asked this often.
const KNOWN_MAX: Duration = Duration::from_secs(5);
const POLL: Duration = Duration::from_millis(10);
const FILE: &str = "keys.json";

pub fn run(options: &Options, server: &Server, data_dir: &Path, lookup: &str, report: &mut Report) {
    let mut chance = Rng::new(options.seed());
    let own = fs::read(data_dir.join(FILE)).expect("the key file");
    let own: Value = serde_json::from_slice(&own).expect("JSON");
    // The first key is the server's.
    let first = &own["keys"][0];
    let few = file(first, 1, &mut chance);
    let many = file(first, KEYS, &mut chance);
    created(options, first, &mut chance, report);

    let request = server.request(lookup);
    let lookups = options.either(LOOKUPS, QUICK_LOOKUPS);
    let (mut known, mut ratios) = (Times::default(), Vec::new());
    let (mut among_few, mut among_many) = (Times::default(), Times::default());
    for _ in 0..options.either(ROUNDS, QUICK_ROUNDS) {
        let mut medians = Vec::new();
        for (file, count, times) in [(&few, 1, &mut among_few), (&many, KEYS, &mut among_many)] {
            known.add(publish(server, data_dir, file, count));
            let mut round = one_by_one(server, repeat_n(&*request, lookups));
            medians.push(round.at(0.5).as_secs_f64());
            times.join(round);
        }
        ratios.push(medians[1] / medians[0]);
    }
    ratios.sort_by(f64::total_cmp);
    let ratio = ratios[ratios.len() / 2];
    report.figure("a lookup beside one key", among_few.summary());
    report.figure(&format!("a lookup beside {}", thousands(KEYS as u64)), among_many.summary());
    report.figure("ratio of medians", format!("{ratio:.3} (the median of {} pairs)", ratios.len()));
    report.figure("a file is known after", known.summary());
    if !options.quick() {
        report.holds(ratio <= RATIO_MAX, format!("the ratio is at most {RATIO_MAX}"));
    }
    let listed = options.program.run(&["keys", "list", "--data-dir", text(data_dir)]);
    let rows = listed.lines().filter(|line| line.contains("key_")).count();
    report.holds(rows == KEYS, format!("{} keys are listed", thousands(rows as u64)));
}

/// Prints how long making one more key takes.
fn created(options: &Options, first: &Value, chance: &mut Rng, report: &mut Report) {
    for count in BESIDE {
        let folder = tempfile::tempdir().expect("a temporary folder");
        if count > 0 {
            fs::write(folder.path().join(FILE), file(first, count, chance)).expect("the key file");
        }
        let mut times = Times::default();
        for _ in 0..CREATED {
            let begun = Instant::now();
            options.program.create_key(folder.path(), "one more");
            times.add(begun.elapsed());
        }
        let median = Ms(times.at(0.5));
        report.figure(&format!("`keys create` beside {}", thousands(count as u64)), median);
    }
}

/// A key file of one known key and others that nobody has.
fn file(first: &Value, count: usize, chance: &mut Rng) -> Vec<u8> {
    let mut keys = vec![first.clone()];
    keys.extend((1..count).map(|number| {
        let digits = |chance: &mut Rng| format!("{:016x}", chance.next());
        let sum: String = (0..4).map(|_| digits(chance)).collect();
        json!({
            "id": format!("key_{number:012x}"),
            "name": "many",
            "sha256": sum,
            "created_at": first["created_at"],
            "revoked_at": null,
        })
    }));
    let mut contents = json!({ "format": 1, "keys": keys });
    let compact = serde_json::to_vec(&contents).expect("JSON");
    contents["checksum"] = json!(data_encoding::HEXLOWER.encode(&Sha256::digest(&compact)));
    let mut bytes = serde_json::to_vec_pretty(&contents).expect("JSON");
    bytes.push(b'\n');
    bytes
}

/// Puts a key file in the place of the one before; how long until the server knows its keys.
fn publish(server: &Server, data_dir: &Path, file: &[u8], count: usize) -> Duration {
    let staged = data_dir.join("keys.json.staged");
    fs::write(&staged, file).expect("the key file");
    fs::rename(&staged, data_dir.join(FILE)).expect("the key file");
    let begun = Instant::now();
    while server.telemetry("almoner_keys") != count as f64 {
        assert!(begun.elapsed() < KNOWN_MAX, "the server does not know {count} keys");
        std::thread::sleep(POLL);
    }
    begun.elapsed()
}
