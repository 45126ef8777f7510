//! A snapshot of each version of the format, as the program of its time wrote it (`snapshots/README.md`): those of the
//! present version are read, all others are refused with what to do about it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use almoner::snapshot::FORMAT;
use serde_json::Value;
use tempfile::TempDir;

use crate::fixture::{run, text};

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
