//! A snapshot of each version of the format, as the program of its time wrote it (`snapshots/README.md`): those of the
//! present version are read, all others are refused with what to do about it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use almoner::snapshot::FORMAT;
use almoner::sources::EXTRACTION_FORM;
use data_encoding::HEXLOWER;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

use crate::fixture::{Fixture, MASTER_ROWS, run, text};

const SNAPSHOTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/snapshots");

/// The folder of a version.
fn folder(version: u32) -> PathBuf {
    Path::new(SNAPSHOTS).join(format!("v{version}"))
}

/// The versions that have a folder.
fn versions() -> Vec<u32> {
    let entries = fs::read_dir(SNAPSHOTS).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter_map(|name| name.strip_prefix('v')?.parse().ok()).collect()
}

/// The data directory that a version's archive holds.
fn unpacked(version: u32, name: &str) -> TempDir {
    let archive = File::open(folder(version).join(format!("{name}.zip"))).unwrap();
    let data = tempfile::tempdir().unwrap();
    zip::ZipArchive::new(archive).unwrap().extract(data.path()).unwrap();
    data
}

/// Asserts that an answer holds whatever is recorded. It may have members that came later: those need no new format.
#[track_caller]
fn holds(found: &Value, recorded: &Value, path: &str) {
    match (found, recorded) {
        (Value::Object(found), Value::Object(recorded)) => {
            for (name, value) in recorded {
                holds(found.get(name).unwrap_or(&Value::Null), value, &format!("{path} {name}"));
            }
        }
        (Value::Array(found), Value::Array(recorded)) => {
            assert_eq!(found.len(), recorded.len(), "{path}");
            for (at, (found, recorded)) in found.iter().zip(recorded).enumerate() {
                holds(found, recorded, &format!("{path} {at}"));
            }
        }
        _ => assert_eq!(found, recorded, "{path}"),
    }
}

#[test]
fn the_present_version_has_a_snapshot() {
    assert!(
        versions().contains(&FORMAT),
        "no snapshot of format {FORMAT} is kept: run `scripts/snapshot_fixture.py --almoner target/debug/almoner` \
         and commit tests/it/snapshots/v{FORMAT}; leave those of earlier formats"
    );
}

/// The table of formats tells what each one that is kept brought, and docs/operation.md what an upgrade keeps.
#[test]
fn the_documented_formats_are_those_that_are_kept() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/operation.md");
    let page = fs::read_to_string(path).unwrap();
    let cell = |line: &str, at| line.split('|').nth(at).map(|cell| cell.trim().to_owned());
    let table =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/data/formats.tsv")).unwrap();
    let rows = table.lines().filter(|line| !line.starts_with('#'));
    let documented: Vec<u32> =
        rows.map(|row| row.split_once('\t').unwrap().0.parse().unwrap()).collect();
    let mut kept = versions();
    kept.sort_unstable();
    kept.reverse();
    assert_eq!(documented, kept, "data/formats.tsv: a row for each format, the latest first");
    let row = page.lines().find(|line| line.starts_with("| extracted returns ")).unwrap();
    assert_eq!(cell(row, 2), Some(EXTRACTION_FORM.to_string()), "{path}: {row}");
}

#[test]
fn the_present_version_answers_as_recorded() {
    let recorded = fs::read_to_string(folder(FORMAT).join("answers.json")).unwrap();
    let recorded: Value = serde_json::from_str(&recorded).unwrap();
    for name in ["words", "vectors"] {
        let data = unpacked(FORMAT, name);
        run(&["verify", "--data-dir", text(data.path())]).succeeds();
        let answers = recorded[name].as_object().unwrap();
        for start in ["/nonprofits/details/", "/typeahead/nonprofits?"] {
            assert!(answers.keys().any(|path| path.starts_with(start)), "{name}: no {start}");
        }
        for (path, recorded) in answers {
            let answer = run(&["get", "--data-dir", text(data.path()), path]);
            answer.succeeds();
            holds(&answer.json(), recorded, &format!("{name}: {path}:"));
        }
    }
}

#[test]
fn other_versions_are_refused() {
    for version in versions().into_iter().filter(|version| *version != FORMAT) {
        let data = unpacked(version, "words");
        let refusal = format!("is of format {version}, expected {FORMAT}; build again");
        let path = "/nonprofits/details/970000001";
        for command in [&["serve"][..], &["verify"], &["inspect"], &["get", path]] {
            let arguments = [command, &["--data-dir", text(data.path())]].concat();
            run(&arguments).fails(1, &[text(data.path()), &refusal]);
        }
    }
}

/// Says of the published snapshot of a data directory that it is of another format, and makes everything in it unreadable
/// but what is kept for programs of other formats.
fn make_foreign(data: &Path, format: u32) {
    let current = fs::read_to_string(data.join("CURRENT")).unwrap();
    let name = current.split(' ').nth(1).unwrap();
    let folder = data.join("snapshots").join(name);
    let manifest = fs::read_to_string(folder.join("manifest.json")).unwrap();
    let mut manifest: Value = serde_json::from_str(&manifest).unwrap();
    for file in manifest["files"].as_array().unwrap() {
        let file = file["name"].as_str().unwrap();
        if !["compared", "changes.kept"].contains(&file) {
            fs::write(folder.join(file), "of another format").unwrap();
        }
    }
    manifest["format"] = format.into();
    let manifest = manifest.to_string();
    fs::write(folder.join("manifest.json"), &manifest).unwrap();
    let sum = HEXLOWER.encode(&Sha256::digest(manifest.as_bytes()));
    let line = format!("{format} {name} {sum}");
    let sum = xxh3_64(line.as_bytes());
    fs::write(data.join("CURRENT"), format!("{line} {sum:016x}\n")).unwrap();
}

/// Builds inputs over whatever a data directory publishes; what it wrote to standard error.
fn built_over(data: &Path, fixture: &Fixture) -> String {
    let (data, inputs) = (text(data), fixture.inputs());
    let arguments = ["build", "--no-semantic", "--fall-max", "100", "--data-dir", data];
    let ran = run(&[&arguments[..], &[text(&inputs)]].concat());
    ran.succeeds();
    ran.err
}

fn changes(data: &Path) -> Vec<Value> {
    let answer = run(&["get", "--data-dir", text(data), "/changes?size=100"]);
    answer.succeeds();
    answer.json()["items"].as_array().unwrap().clone()
}

#[test]
fn the_next_format_keeps_changes_and_keys() {
    let data = unpacked(FORMAT, "words");
    let data = data.path();
    let fixture = Fixture::new();
    built_over(data, &fixture);
    let created = run(&["keys", "create", "--data-dir", text(data), "--name", "kept"]);
    created.succeeds();
    let moved = MASTER_ROWS.map(|row| row.replace("1 MAIN ST", "9 OAK ST"));
    fixture.write_master("eo_test.csv", &moved.each_ref().map(String::as_str));
    built_over(data, &fixture);
    let before = changes(data);
    let kinds: Vec<_> = before.iter().map(|change| change["kind"].as_str().unwrap()).collect();
    assert!(kinds.contains(&"moved"), "{before:?}");
    make_foreign(data, FORMAT + 1);
    run(&["verify", "--data-dir", text(data)]).fails(1, &["newer than"]);
    fixture.write_master("eo_test.csv", &MASTER_ROWS);
    let said = built_over(data, &fixture);
    assert!(!said.contains("starts empty"), "{said}");
    let after = changes(data);
    assert_eq!(after[1..], before, "what was known is kept");
    assert_eq!((&after[0]["kind"], after.len()), (&"moved".into(), before.len() + 1));
    assert!(run(&["keys", "list", "--data-dir", text(data)]).succeeds().contains("kept"));
}

/// The first format whose kept snapshot has the files by which changes outlive it.
const KEPT_SINCE: u32 = 22;

#[test]
fn a_build_over_an_earlier_format_says_what_it_cannot_keep() {
    let earlier = versions().into_iter().filter(|version| *version < KEPT_SINCE).max().unwrap();
    let data = unpacked(earlier, "words");
    let said = built_over(data.path(), &Fixture::new());
    let expected = format!(
        "the list of changes starts empty: the snapshot of format {earlier} keeps nothing that this program reads"
    );
    assert!(said.contains(&expected), "{said}");
    assert!(changes(data.path()).is_empty());
}

#[test]
fn a_build_over_a_format_that_keeps_changes_goes_on_with_them() {
    for earlier in versions().into_iter().filter(|version| (KEPT_SINCE..FORMAT).contains(version)) {
        let data = unpacked(earlier, "words");
        let said = built_over(data.path(), &Fixture::new());
        assert!(!said.contains("starts empty"), "format {earlier}: {said}");
        // None of the fictional organizations is in the inputs of the build.
        let kinds = changes(data.path()).into_iter().map(|change| change["kind"].clone());
        assert!(kinds.into_iter().any(|kind| kind == "vanished"), "format {earlier}");
    }
}
