//! Builds that would publish less than they should: by a wrong clock, or with inputs missing.

use super::impact::{FILED, Filed};
use super::*;
use crate::build::pipeline::build_at;
use crate::record::Timestamp;

fn moment(text: &str) -> Timestamp {
    Timestamp::parse(text).unwrap()
}

fn early() -> Timestamp {
    moment("2021-03-01")
}

fn behind() -> Timestamp {
    moment("2020-01-01")
}

fn late() -> Timestamp {
    moment("2199-12-31")
}

/// Master files of so many organizations, by the prefix of their EINs.
fn organizations(bench: &Bench, prefix: &str, count: usize) {
    let one =
        |at| row(&format!("{prefix}{at:07}"), "ALPHA FUND", "BURLINGTON", "VT", "202312", "1");
    bench.master("eo1.csv", &(1..=count).map(one).collect::<Vec<_>>());
}

#[test]
fn the_year_of_the_clock_changes_no_byte() {
    let bench = Bench::filled();
    // Filed when its period was over, whatever the year of this test.
    let far = Filed { period_end: "2149-12-31", filed: "2150-05-05T12:00:00-05:00", ..FILED };
    bench.input("far.xml", &far.xml());
    let slip = Filed { period_end: "2204-12-31", filed: "2020-05-05T12:00:00-05:00", ..FILED };
    bench.input("slip.xml", &slip.xml());
    let built = [early, late].map(|now: fn() -> Timestamp| {
        // What changed since a snapshot names it.
        let _ = fs::remove_dir_all(bench.data());
        let report = build_at(&bench.options(), &NoProgress, now).unwrap();
        assert_eq!((report.items.filings, report.rejects.len()), (1, 1), "{:?}", report.rejects);
        let manifest = open(&bench.data()).unwrap().manifest;
        (manifest.built_at, manifest.files)
    });
    assert_eq!(built[0].1, built[1].1);
    assert_ne!(built[0].0, built[1].0);
}

#[test]
fn a_clock_that_is_behind_the_sources_is_refused() {
    let bench = Bench::filled();
    build_at(&bench.options(), &NoProgress, early).unwrap();
    let before = current(&bench.data()).unwrap();
    let error = build_at(&bench.options(), &NoProgress, behind).unwrap_err();
    let text = error.to_string();
    for part in ["2020-01-01T00:00:00Z", "revoked.txt states 2020-06-09", "set it"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(current(&bench.data()).unwrap(), before);
    // Files that were written by the same clock are no witnesses, but what stands in them is.
    let inputs = bench.folder.path().join("inputs");
    let returns = |filed: &'static str| {
        for (name, ein) in [("a.xml", "010000001"), ("b.xml", "010000002")] {
            bench.input(name, &Filed { ein, filed, ..FILED }.xml());
        }
        for entry in fs::read_dir(&inputs).unwrap() {
            let file = File::options().write(true).open(entry.unwrap().path()).unwrap();
            file.set_modified(std::time::UNIX_EPOCH).unwrap();
        }
    };
    fs::remove_file(inputs.join("revoked.txt")).unwrap();
    returns("2024-11-05T12:00:00-05:00");
    let refused = build_at(&bench.options(), &NoProgress, early).unwrap_err();
    assert!(refused.to_string().contains("states 2024-11-05"), "{refused}");
    build_at(&bench.options(), &NoProgress, || moment("2025-01-01T00:00:00Z")).unwrap();
}

/// That a build publishes nothing; what its error says.
fn refused(bench: &Bench, options: &Options) -> String {
    let before = (current(&bench.data()).unwrap(), bench.entries());
    let error = build(options, &NoProgress).unwrap_err();
    assert!(matches!(error, BuildError::Falls { .. }), "{error}");
    assert_eq!((current(&bench.data()).unwrap(), bench.entries()), before);
    error.to_string()
}

#[test]
fn much_less_than_is_published_is_refused_unless_allowed() {
    let bench = Bench::filled();
    let options = Options { fall_max_percent: None, ..bench.options() };
    organizations(&bench, "01", 30);
    build(&options, &NoProgress).unwrap();
    let snapshot = current(&bench.data()).unwrap().snapshot;
    organizations(&bench, "01", 24);
    build(&options, &NoProgress).unwrap();
    organizations(&bench, "01", 30);
    build(&options, &NoProgress).unwrap();
    assert_ne!(current(&bench.data()).unwrap().snapshot, snapshot);

    organizations(&bench, "01", 12);
    fs::remove_file(bench.folder.path().join("inputs/pub78.txt")).unwrap();
    // Whether it can be opened or not.
    for damaged in [false, true] {
        if damaged {
            fs::write(bench.snapshot_folder().join("columns"), "").unwrap();
        }
        let text = refused(&bench, &options);
        for part in [
            "organizations from 30 to 12",
            "rows of IRS master file extract from 30 to 12",
            "rows of Publication 78 data from 2 to 0",
            "more than 20 %",
            "--fall-max",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
    let all = Options { fall_max_percent: Some(100.0), ..options.clone() };
    build(&all, &NoProgress).unwrap();
    let wrong = Options { fall_max_percent: Some(101.0), ..options };
    assert!(matches!(build(&wrong, &NoProgress), Err(BuildError::Percentage { .. })));
}

#[test]
fn real_data_replaces_fictional_data_whatever_its_size() {
    let bench = Bench::new();
    let options = Options { fall_max_percent: None, ..bench.options() };
    organizations(&bench, "97", 30);
    build(&options, &NoProgress).unwrap();
    organizations(&bench, "96", 10);
    assert!(refused(&bench, &options).contains("organizations from 30 to 10"));
    organizations(&bench, "01", 10);
    build(&options, &NoProgress).unwrap();
    assert_eq!(by_ein(&open(&bench.data()).unwrap(), "010000001").name, "Alpha Fund");
}
