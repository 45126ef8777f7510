//! What takes the place of a published snapshot, and what does not: builds with inputs missing, and snapshots from
//! a store that has others than were pushed.

use std::fs;
use std::path::Path;

use data_encoding::HEXLOWER;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::fixture::{Fixture, Ran, run, text};

const NAME: &str = "/nonprofits/details/970000001";

#[test]
fn a_build_that_would_lose_a_source_is_refused_unless_told_otherwise() {
    let fixture = Fixture::new();
    let listed = fixture.inputs().join("pub78.txt");
    fs::write(&listed, "970000001|MAPLE RIVER FOOD SHELF INC|BURLINGTON|VT|United States|PC\n")
        .unwrap();
    fixture.build().succeeds();
    let before = fs::read(fixture.data_dir().join("CURRENT")).unwrap();
    fs::remove_file(&listed).unwrap();
    let lost = ["rows of Publication 78 data from 1 to 0", "stays published", "--fall-max 100"];
    fixture.build().fails(1, &lost);
    assert_eq!(fs::read(fixture.data_dir().join("CURRENT")).unwrap(), before);
    fixture.get(NAME).succeeds();

    let (data_dir, inputs) = (fixture.data_dir(), fixture.inputs());
    let build = |percent: &str| {
        run(&["build", "--fall-max", percent, "--data-dir", text(&data_dir), text(&inputs)])
    };
    build("99").fails(1, &["more than 99 %"]);
    build("100").succeeds();
    assert_ne!(fs::read(fixture.data_dir().join("CURRENT")).unwrap(), before);
    // Compared with what is published now.
    fixture.build().succeeds();
}

/// A store, and a data directory that is a replica of it.
struct Store {
    fixture: Fixture,
    url: String,
}

impl Store {
    fn new() -> Self {
        let fixture = Fixture::new();
        fixture.build().succeeds();
        fs::create_dir(fixture.path("store")).unwrap();
        let url = format!("file://{}", fixture.path("store").display());
        let store = Self { fixture, url };
        let data_dir = store.fixture.data_dir();
        run(&["push", "--data-dir", text(&data_dir), "--to", &store.url]).succeeds();
        store
    }

    fn replica(&self) -> std::path::PathBuf {
        self.fixture.path("replica")
    }

    fn pull(&self) -> Ran {
        run(&["pull", "--data-dir", text(&self.replica()), "--from", &self.url])
    }

    /// Publishes a further snapshot, the manifest of which is that of the first with a change, and right hashes.
    fn publish(&self, identifier: &str, change: impl FnOnce(&mut Value)) {
        let at = |name: &str| self.fixture.path("store").join(name);
        let read =
            |path: &Path| -> Value { serde_json::from_slice(&fs::read(path).unwrap()).unwrap() };
        let mut current = read(&at("CURRENT"));
        let kept = current["snapshots"].as_array().unwrap().last().unwrap().clone();
        let object = |sha256: &str| at("objects").join(sha256);
        let mut manifest = read(&object(kept["manifest_sha256"].as_str().unwrap()));
        manifest["snapshot"] = json!(identifier);
        change(&mut manifest);
        let bytes = serde_json::to_vec(&manifest).unwrap();
        let sha256 = HEXLOWER.encode(&Sha256::digest(&bytes));
        fs::write(object(&sha256), &bytes).unwrap();
        let mut new = kept;
        new["snapshot"] = json!(identifier);
        new["manifest_sha256"] = json!(sha256);
        new["manifest_bytes"] = json!(bytes.len());
        current["snapshots"].as_array_mut().unwrap().insert(0, new);
        fs::write(at("CURRENT"), serde_json::to_vec(&current).unwrap()).unwrap();
    }
}

/// Gives the file of a manifest that is called `from` another name.
fn rename(manifest: &mut Value, from: &str, to: &str) {
    let files = manifest["files"].as_array_mut().unwrap();
    let file = files.iter_mut().find(|file| file["name"] == from).unwrap();
    file["name"] = json!(to);
}

#[test]
fn only_what_can_be_served_is_pulled() {
    let store = Store::new();
    store.pull().succeeds();
    let served = || run(&["get", "--data-dir", text(&store.replica()), NAME]).succeeds().to_owned();
    let (first, before) = (served(), fs::read(store.replica().join("CURRENT")).unwrap());
    let refused = |identifier: &str, change: &dyn Fn(&mut Value), expected: &str| {
        store.publish(identifier, change);
        store.pull().fails(1, &[identifier, expected]);
        assert_eq!(fs::read(store.replica().join("CURRENT")).unwrap(), before);
        assert_eq!(served(), first);
    };
    let opened = "cannot be opened";
    refused("20990101T000000Z-00000001", &|one| one["format"] = json!(99), opened);
    refused("20990101T000000Z-00000002", &|one| rename(one, "columns", "column"), opened);
    let named = "which is no file of a snapshot";
    refused("20990101T000000Z-00000003", &|one| rename(one, "columns", "CON"), named);
    refused("20990101T000000Z-00000004", &|one| rename(one, "columns", "a/./b"), named);
    // With nothing changed but its name it is a snapshot, and what those left behind goes.
    store.publish("20990101T000000Z-00000005", |_| {});
    assert!(store.pull().succeeds().contains("pulled snapshot 20990101T000000Z-00000005"));
    assert_eq!(served(), first);
    let left = fs::read_dir(store.replica()).unwrap().map(|one| one.unwrap().file_name());
    let stagings = left.filter(|name| name.to_string_lossy().starts_with("staging-"));
    assert_eq!(stagings.count(), 0);
}
