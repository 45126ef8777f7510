//! Rows of lists in process: what their candidates look like, and how many are matched in a second.
//!
//! - `cargo bench --bench matching -- features ROWS.ndjson --data-dir D > FILE`: candidates of the rows
//!   that `scripts/matching_rows.py` writes, as features, one row a line, for `scripts/matching_model.py`.
//! - `cargo bench --bench matching -- rate ROWS.ndjson --data-dir D`: rows matched per second on all
//!   cores and how long one takes.

// Figures go to standard output.
#![allow(clippy::print_stdout)]

use std::path::PathBuf;
use std::time::Instant;

use almoner::matching::{self, Decision, Query, YesMin};
use almoner::record::Ein;
use almoner::snapshot::{self, Snapshot};
use rayon::prelude::*;
use serde_json::{Value, json};

struct Row {
    query: Query,
    /// Whose it is, if that is known to be in the data.
    ein: Option<Ein>,
    /// Whether its organization is to be left out of the candidates.
    left_out: bool,
    about: Value,
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let (Some(mode), Some(path), Some(_), Some(data_dir)) =
        (arguments.next(), arguments.next(), arguments.next(), arguments.next())
    else {
        // Asked for nothing, as by `cargo test --benches`: there is nothing to measure.
        println!("matching: say what (features or rate), ROWS and --data-dir D; skipped");
        return;
    };
    let snapshot = snapshot::open(&PathBuf::from(data_dir)).expect("a snapshot");
    let text = std::fs::read_to_string(path).expect("a file of rows");
    let rows: Vec<Row> = text.lines().map(row).collect();
    match mode.as_str() {
        "features" => features(&snapshot, &rows),
        "rate" => rate(&snapshot, &rows),
        other => panic!("expected features or rate, found {other:?}"),
    }
}

fn row(line: &str) -> Row {
    let mut about: Value = serde_json::from_str(line).expect("a row of JSON");
    let query = about["query"].take();
    let text = |key: &str| query[key].as_str().unwrap_or_default().to_owned();
    let others = query["other_names"].as_array().into_iter().flatten();
    Row {
        query: Query {
            name: text("name"),
            other_names: others.filter_map(|name| Some(name.as_str()?.to_owned())).collect(),
            street: text("street"),
            city: text("city"),
            state: text("state"),
            zip: text("zip"),
            ein: String::new(),
        },
        ein: about["ein"].as_str().and_then(Ein::from_typed),
        left_out: about["left_out"] == true,
        about,
    }
}

fn features(snapshot: &Snapshot, rows: &[Row]) {
    let lines: Vec<String> = rows
        .par_iter()
        .map(|row| {
            let org = row.ein.and_then(|ein| snapshot.org_of(ein).expect("a whole snapshot"));
            let accepts = |one| !row.left_out || Some(one) != org;
            let found = matching::compared(snapshot.into(), &row.query, &accepts).expect("whole");
            let meant = found.iter().position(|one| Some(one.ein) == row.ein);
            let rounded = |value: &f32| (f64::from(*value) * 1e4).round() / 1e4;
            let all = found
                .iter()
                .map(|one| one.features.iter().chain(&one.of_row).map(rounded).collect::<Vec<_>>());
            let mut line = row.about.clone();
            line["in_data"] = json!(org.is_some());
            line["meant"] = json!(meant);
            line["eins"] = json!(found.iter().map(|one| one.ein).collect::<Vec<_>>());
            line["candidates"] = json!(all.collect::<Vec<_>>());
            line.to_string()
        })
        .collect();
    lines.iter().for_each(|line| println!("{line}"));
}

fn rate(snapshot: &Snapshot, rows: &[Row]) {
    let find = |row: &Row| {
        matching::find(snapshot.into(), &row.query, YesMin::default()).expect("a whole snapshot")
    };
    // Once without a clock: pages are read and blocks are verified on first touch.
    rows.par_iter().for_each(|row| _ = find(row));
    let begun = Instant::now();
    rows.par_iter().for_each(|row| _ = find(row));
    let seconds = begun.elapsed().as_secs_f64();
    let mut micros: Vec<f64> = rows
        .iter()
        .map(|row| {
            let begun = Instant::now();
            find(row);
            begun.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    micros.sort_by(f64::total_cmp);
    let mark = |share: f64| micros[((micros.len() - 1) as f64 * share) as usize];
    println!(
        "{} rows on {} cores: {:.0} a second; one: p50 {:.0} us, p99 {:.0} us",
        rows.len(),
        rayon::current_num_threads(),
        rows.len() as f64 / seconds,
        mark(0.5),
        mark(0.99)
    );
    decisions(snapshot, rows);
}

/// How many decide the same without what a person would look at, and how many do in a second.
fn decisions(snapshot: &Snapshot, rows: &[Row]) {
    let certain_match = |row: &Row| {
        matching::find_certain(snapshot.into(), &row.query, YesMin::default())
            .expect("a whole snapshot")
    };
    let begun = Instant::now();
    let certain: Vec<_> = rows.par_iter().map(certain_match).collect();
    let seconds = begun.elapsed().as_secs_f64();
    let mut differ = [0; 3];
    let mut right = 0;
    for (row, certain) in rows.iter().zip(certain) {
        let found = matching::find(snapshot.into(), &row.query, YesMin::default()).expect("whole");
        let likeliest = found.candidates.first().filter(|_| found.decision == Decision::Yes);
        match (likeliest.map(|one| one.org), certain.map(|(org, _)| org)) {
            (None, Some(org)) => {
                differ[0] += 1;
                let meant = row.ein.and_then(|ein| snapshot.org_of(ein).expect("whole"));
                right += u64::from(meant == Some(org));
            }
            (Some(_), None) => differ[1] += 1,
            (one, other) if one != other => differ[2] += 1,
            _ => {}
        }
    }
    let [more, fewer, other] = differ;
    println!(
        "decided without a person: {:.0} a second; {more} more ({right} right), {fewer} fewer, {other} others",
        rows.len() as f64 / seconds
    );
}
