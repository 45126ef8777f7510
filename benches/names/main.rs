//! Names in process: questions made of the names that a snapshot holds, as people remember them.
//!
//! - `cargo bench --bench names -- recall --data-dir D`: how many of each way find the organization
//!   that they were made of, and how long they take.
//! - `cargo bench --bench names -- features --data-dir D > FILE`: candidates of such questions as
//!   features, one question a line, for `scripts/name_model.py`; a third of the questions name
//!   somebody who is left out of the index.
//! - `cargo bench --bench names -- readings --data-dir D`: what speaks for a query being a name
//!   and what against it, of those in `queries.tsv` and of some made by chance, for
//!   `scripts/reading_model.py`.
//! - `cargo bench --bench names -- judgements --data-dir D --output DIR`: such questions as judged queries, for
//!   `cargo bench --bench relevance -- --judgements DIR`, and so for `scripts/ranking_model.py`.
//! - `cargo bench --bench names -- show --data-dir D`: the likeliest candidates of each line of standard
//!   input, with the features that are not zero.
//!
//! `--questions N` (5,000), `--seed S` (1).

// Figures go to standard output.
#![allow(clippy::print_stdout)]

mod ways;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use almoner::index::names::{Answer, Question};
use almoner::reader::Reader;
use almoner::record::OrgId;
use almoner::snapshot::{self, Snapshot};
use almoner::understand::{self, Lookup};
use ways::NameQuery;

/// How many questions of one kind leave out whom they name.
const ABSENT_OF_TEN: u32 = 3;

struct Options {
    mode: String,
    data_dir: PathBuf,
    questions: usize,
    seed: u64,
    output: Option<PathBuf>,
}

fn main() {
    let Some(options) = options() else {
        // Asked for nothing, as by `cargo test --benches`: there is nothing to measure.
        println!("names: say what (recall or features) and --data-dir; skipped");
        return;
    };
    let snapshot = snapshot::open(&options.data_dir).expect("a snapshot");
    let mut random = fastrand::Rng::with_seed(options.seed);
    match options.mode.as_str() {
        "recall" => recall(&snapshot, &options, &mut random),
        "features" => features(&snapshot, &options, &mut random),
        "readings" => readings(&snapshot, &options, &mut random),
        "judgements" => judgements(&snapshot, &options, &mut random),
        "show" => show(&snapshot),
        other => panic!("expected recall, features, readings, judgements or show, found {other:?}"),
    }
}

fn options() -> Option<Options> {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let mode = arguments.next()?;
    let (mut data_dir, mut questions, mut seed, mut output) = (None, 5_000, 1, None);
    while let Some(name) = arguments.next() {
        let value = arguments.next().expect("every option has a value");
        match name.as_str() {
            "--data-dir" => data_dir = Some(PathBuf::from(value)),
            "--questions" => questions = value.parse().expect("a number of questions"),
            "--seed" => seed = value.parse().expect("a seed"),
            "--output" => output = Some(PathBuf::from(value)),
            other => {
                panic!("expected --data-dir, --questions, --seed or --output, found {other:?}")
            }
        }
    }
    Some(Options { mode, data_dir: data_dir?, questions, seed, output })
}

/// What of a way was found, and how long it took.
#[derive(Default)]
struct Tally {
    asked: usize,
    first: usize,
    among_five: usize,
    micros: Vec<f64>,
}

fn recall(snapshot: &Snapshot, options: &Options, random: &mut fastrand::Rng) {
    let mut ways: BTreeMap<&str, Tally> = BTreeMap::new();
    let questions: Vec<NameQuery> =
        (0..options.questions).filter_map(|_| ways::of_somebody(snapshot, random)).collect();
    // Once without a clock: pages are read and blocks are verified on first touch.
    for asked in &questions {
        snapshot.names.find(&Question::of(&asked.text)).expect("a whole snapshot");
    }
    for asked in questions {
        let begun = Instant::now();
        let answer = snapshot.names.find(&Question::of(&asked.text)).expect("a whole snapshot");
        let micros = begun.elapsed().as_secs_f64() * 1e6;
        let place = answer.candidates.iter().position(|one| Some(one.org) == asked.target);
        let tally = ways.entry(asked.way).or_default();
        tally.asked += 1;
        tally.first += usize::from(place == Some(0));
        tally.among_five += usize::from(place.is_some_and(|place| place < 5));
        tally.micros.push(micros);
    }
    println!("{} organizations", snapshot.manifest.organizations);
    let all = ways.values().flat_map(|tally| tally.micros.clone()).collect();
    for (way, mut tally) in ways {
        let share = |found: usize| found as f64 / tally.asked as f64;
        let (first, five) = (share(tally.first), share(tally.among_five));
        let (p50, p99) = (percentile(&mut tally.micros, 0.5), percentile(&mut tally.micros, 0.99));
        println!(
            "{way:20} n {:5}  @1 {first:.3}  @5 {five:.3}  p50 {p50:5.0} us  p99 {p99:5.0} us",
            tally.asked
        );
    }
    let mut all: Vec<f64> = all;
    let marks = [0.5, 0.99, 0.999, 1.0].map(|share| percentile(&mut all, share));
    println!(
        "all: p50 {:.0} us, p99 {:.0} us, p99.9 {:.0} us, worst {:.0} us",
        marks[0], marks[1], marks[2], marks[3]
    );
}

/// Candidates that are shown.
const SHOWN_MAX: usize = 4;

/// Writes questions as judged queries: whom each was made of is right, and nobody else is judged.
fn judgements(snapshot: &Snapshot, options: &Options, random: &mut fastrand::Rng) {
    let output = options.output.as_ref().expect("--output DIR");
    let (mut queries, mut grades) = (String::new(), String::new());
    let mut made = 0;
    while made < options.questions {
        let Some(NameQuery { text, target: Some(target), .. }) =
            ways::of_somebody(snapshot, random)
        else {
            continue;
        };
        made += 1;
        queries.push_str(&format!("made{made}\tname\t{text}\n"));
        let ein = snapshot.columns.ein_of(target).expect("whole columns");
        grades.push_str(&format!("made{made}\t{ein}\t3\n"));
    }
    std::fs::create_dir_all(output).expect("a folder that can be written");
    std::fs::write(output.join("queries.tsv"), queries).expect("a folder that can be written");
    std::fs::write(output.join("grades.tsv"), grades).expect("a folder that can be written");
}

fn show(snapshot: &Snapshot) {
    for line in std::io::stdin().lines() {
        let text = line.expect("lines of text");
        let answer = snapshot.names.find(&Question::of(&text)).expect("a whole snapshot");
        println!("{text:?}: nobody {:.3}, {:?}", answer.nobody, answer.size);
        for one in answer.candidates.iter().take(SHOWN_MAX) {
            let record = snapshot.records.organization(one.org).expect("a whole snapshot");
            let (name, city) = (record.name, record.address.city.unwrap_or_default());
            let features: Vec<String> = (0..one.features.len())
                .filter(|at| one.features[*at] != 0.0)
                .map(|at| format!("{at}:{:.2}", one.features[at]))
                .collect();
            println!(
                "  {:.4} {name}, {city} {:?} [{}]",
                one.probability,
                one.name,
                features.join(" ")
            );
        }
    }
}

/// Queries that people wrote.
const QUERIES: &str = include_str!("queries.tsv");

/// One line a query, of people's and of those made by chance: which set it is of, whether it is a name,
/// and what speaks for one and against it; nothing of those that leave no choice.
fn readings(snapshot: &Snapshot, options: &Options, random: &mut fastrand::Rng) {
    let reader = Reader::shared().expect("the embedded weights are whole");
    let print = |set: &str, text: &str, is_name: bool| {
        let message = reader.read(text, &[]).expect("a text");
        let lookup = &Lookup::of(snapshot);
        let described = understand::decode(text, &message, None, lookup).expect("whole indexes");
        let evidence = understand::evidence(text, lookup, &described.heard).expect("whole indexes");
        if let Some(evidence) = evidence {
            let evidence = Vec::from(evidence);
            let line = serde_json::json!({
                "set": set, "text": text, "is_name": is_name, "evidence": evidence,
            });
            println!("{line}");
        }
    };
    for row in QUERIES.lines().filter(|row| !row.starts_with('#')) {
        let mut columns = row.split('\t');
        let (set, ein, text) = (columns.next(), columns.next(), columns.next());
        let (set, text) = set.zip(text).expect("three columns");
        print(set, text, ein != Some("-"));
    }
    for _ in 0..options.questions {
        if let Some(asked) = ways::of_somebody(snapshot, random) {
            print("made", &asked.text, true);
        }
        print("made", &ways::of_nobody(snapshot, random).text, false);
    }
}

fn percentile(times: &mut [f64], share: f64) -> f64 {
    times.sort_by(f64::total_cmp);
    times[((times.len() - 1) as f64 * share) as usize]
}

/// One line a question: its way, in which tenth its nonprofit falls by chance, which candidate is the
/// one meant (-1 for none), how many terms it has and their mass, and the candidates' features.
fn features(snapshot: &Snapshot, options: &Options, random: &mut fastrand::Rng) {
    for number in 0..options.questions {
        let asked = if number % 8 == 0 {
            Some(ways::of_nobody(snapshot, random))
        } else {
            ways::of_somebody(snapshot, random)
        };
        let Some(asked) = asked else { continue };
        let is_absent = random.u32(0..10) < ABSENT_OF_TEN;
        let left_out = match asked.target {
            Some(org) if is_absent => ways::namesakes(snapshot, org),
            _ => Vec::new(),
        };
        let accepts = |org: OrgId| !left_out.contains(&org);
        let question = Question { accepts: &accepts, ..Question::of(&asked.text) };
        let answer: Answer = snapshot.names.find(&question).expect("a whole snapshot");
        let meant = answer.candidates.iter().position(|one| Some(one.org) == asked.target);
        let line = serde_json::json!({
            "way": asked.way,
            "text": asked.text,
            "absent": asked.target.is_none() || !left_out.is_empty(),
            "part": asked.target.map_or(random.u32(0..10), |org| org.0.wrapping_mul(0x9e37_79b1) >> 16) % 10,
            "meant": meant.map_or(-1, |at| at as i64),
            "size": [answer.size.terms as f32, answer.size.mass],
            "candidates": answer.candidates.iter().map(|one| one.features).collect::<Vec<_>>(),
        });
        println!("{line}");
    }
}
