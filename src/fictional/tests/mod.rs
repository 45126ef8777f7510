//! The generated files: layouts, determinism, skew, and what is refused.

#![allow(clippy::unwrap_used)] // Helpers of tests, not only tests.

mod curated;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::*;

pub(super) fn options(organizations: u64, seed: u64) -> Options {
    Options::new(organizations, seed)
}

pub(super) fn generated(organizations: u64, seed: u64) -> (tempfile::TempDir, Report) {
    let folder = tempfile::tempdir().unwrap();
    let report = generate(folder.path(), &options(organizations, seed), &mut |_| ()).unwrap();
    (folder, report)
}

pub(super) fn text(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

/// Columns of every master file row, quotes read.
pub(super) fn master_rows(folder: &Path) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for name in &FILES[..4] {
        let text = text(folder, name);
        let mut lines = text.split_terminator("\r\n");
        assert_eq!(lines.next(), Some(files::MASTER_HEADER));
        for line in lines {
            let mut row = vec![String::new()];
            let mut quoted = false;
            for character in line.chars() {
                match character {
                    '"' => quoted = !quoted,
                    ',' if !quoted => row.push(String::new()),
                    other => row.last_mut().unwrap().push(other),
                }
            }
            assert!(!line.contains('\n'));
            rows.push(row);
        }
    }
    rows
}

#[test]
fn same_seed_same_bytes() {
    let ((one, _), (two, _), (other, _)) =
        (generated(300, 7), generated(300, 7), generated(300, 8));
    for name in FILES {
        assert_eq!(text(one.path(), name), text(two.path(), name), "{name}");
    }
    assert_ne!(text(one.path(), "eo2.csv"), text(other.path(), "eo2.csv"));
}

#[test]
fn layouts_hold_at_every_size() {
    for size in [1, 10, 1000] {
        let (folder, report) = generated(size, 1);
        let rows = master_rows(folder.path());
        assert_eq!((rows.len() as u64, report.organizations), (size, size));
        let mut eins = BTreeSet::new();
        for row in &rows {
            assert_eq!(row.len(), 28, "{row:?}");
            assert!(eins.insert(row[0].clone()), "twice: {row:?}");
            let prefix: u32 = row[0][..2].parse().unwrap();
            assert!(row[0].len() == 9 && PREFIXES.contains(&prefix), "{row:?}");
            assert!((1..=71).contains(&row[1].len()), "{row:?}");
            assert_eq!(row[6].len(), 10, "{row:?}");
        }
        for (name, fields, count) in [
            (FILES[4], 6, report.publication_78),
            (FILES[5], 12, report.revocations),
            (FILES[6], 26, report.postcards),
        ] {
            let text = text(folder.path(), name);
            let lines: Vec<_> = text.lines().filter(|line| !line.is_empty()).collect();
            assert_eq!(lines.len() as u64, count, "{name}");
            assert!(count > 0, "{name}");
            for line in lines {
                assert_eq!(line.split('|').count(), fields, "{name}: {line}");
            }
        }
        assert!(text(folder.path(), "README.txt").contains("fictional"));
    }
}

#[test]
fn skew_is_that_of_the_real_files() {
    let (folder, _) = generated(20_000, 3);
    let rows = master_rows(folder.path());
    let share = |what: &dyn Fn(&[String]) -> bool| {
        rows.iter().filter(|row| what(row)).count() * 1000 / rows.len()
    };
    let checks: [(&str, usize, std::ops::RangeInclusive<usize>); 12] = [
        ("501(c)(3)", share(&|row| row[8] == "03"), 770..=840),
        ("group", share(&|row| row[7] != "0000"), 210..=250),
        ("NTEE missing", share(&|row| row[26].is_empty()), 290..=360),
        ("NTEE of four", share(&|row| row[26].len() == 4), 50..=110),
        ("sort name", share(&|row| !row[27].is_empty()), 200..=260),
        ("assets blank", share(&|row| row[23].is_empty()), 180..=240),
        ("assets zero", share(&|row| row[23] == "0"), 400..=480),
        ("revenue blank", share(&|row| row[25].is_empty()), 230..=300),
        ("tax period blank", share(&|row| row[17].is_empty()), 180..=230),
        ("filing 02", share(&|row| row[20] == "02"), 470..=570),
        ("ruling unknown", share(&|row| row[11] == "000000"), 2..=10),
        ("long names", share(&|row| row[1].len() > 47), 60..=150),
    ];
    for (what, found, expected) in checks {
        assert!(expected.contains(&found), "{what}: {found} of 1000, expected {expected:?}");
    }
    assert!(rows.iter().any(|row| row[25].starts_with('-')), "some revenue is negative");
    assert!(rows.iter().any(|row| row[4] == "SALT LAKE CTY"));
    let distinct: BTreeSet<_> = rows.iter().map(|row| &row[1]).collect();
    let distinct = distinct.len() * 100 / rows.len();
    assert!((80..=95).contains(&distinct), "{distinct} % of names are distinct");
}

#[test]
fn bad_options_and_folders_are_refused() {
    for count in [0, ORGANIZATIONS_MAX + 1] {
        let error = options(count, 1).check().unwrap_err().to_string();
        assert!(error.contains("expected 1 to 2000000"), "{error}");
    }
    let good = options(10, 1);
    for (options, expected) in [
        (Options { posts: Some(POSTS_MAX + 1), ..good }, "0 to 5000000 posts, found 5000001"),
        (Options { returns: Some(50_001), ..good }, "0 to 50000 organizations with returns"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let error = generate(folder.path(), &options, &mut |_| ()).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("eo3.csv"), "real").unwrap();
    let error = generate(folder.path(), &options(5, 1), &mut |_| ()).unwrap_err();
    assert!(matches!(error, GenerateError::Exists { .. }), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    assert_eq!(text(folder.path(), "eo3.csv"), "real");
    // A folder of returns or reports may be real as well.
    for name in [RETURNS, REPORTS] {
        let other = tempfile::tempdir().unwrap();
        fs::create_dir(other.path().join(name)).unwrap();
        let error = generate(other.path(), &options(5, 1), &mut |_| ()).unwrap_err();
        assert!(matches!(error, GenerateError::Exists { .. }), "{error}");
        assert_eq!(fs::read_dir(other.path()).unwrap().count(), 1);
    }
    // A file stands where the folder should be.
    let error = generate(&folder.path().join("eo3.csv"), &options(5, 1), &mut |_| ()).unwrap_err();
    assert!(matches!(error, GenerateError::NotAFolder { .. }), "{error}");
}

#[test]
fn progress_ends_at_the_number_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let mut heard = Vec::new();
    generate(folder.path(), &options(12, 1), &mut |done| heard.push(done)).unwrap();
    assert_eq!(heard, [12]);
}
