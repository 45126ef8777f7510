//! Pushes and pulls over a folder, with stores that fail in between; no snapshot is opened but in `refused`.

mod refused;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use super::error::Fault;
use super::store::{Listed, NextPart, Swap};
use super::*;
use crate::snapshot::directory::Directory;
use crate::snapshot::{Current, FORMAT, ManifestFile};

/// Longer than what is sent and fetched as a whole.
const LONG: usize = (8 << 20) + 12_345;

struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("store")).unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The store, which takes any files for a snapshot.
    fn remote(&self) -> Remote {
        Remote { try_open: |_, _, _| Ok(()), ..self.strict() }
    }

    /// The store as it is used, which takes snapshots only.
    fn strict(&self) -> Remote {
        Remote::new(&format!("file://{}", self.path("store").display()).parse().unwrap()).unwrap()
    }

    fn object(&self, bytes: &[u8]) -> PathBuf {
        self.path("store/objects").join(sha256(bytes))
    }

    fn objects(&self) -> usize {
        fs::read_dir(self.path("store/objects")).unwrap().count()
    }

    /// Publishes a snapshot of such files in a data directory, as a build would.
    fn build(&self, data: &str, snapshot: &str, files: &[(&str, &[u8])]) {
        let directory = Directory::new(&self.path(data));
        let folder = directory.snapshot(snapshot);
        let mut listed = Vec::new();
        for (name, bytes) in files {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, bytes).unwrap();
            listed.push(ManifestFile {
                name: (*name).to_owned(),
                bytes: bytes.len() as u64,
                sha256: sha256(bytes),
            });
        }
        let manifest = Manifest {
            format: FORMAT,
            snapshot: snapshot.to_owned(),
            program: "test".to_owned(),
            built_at: "2026-04-01T12:00:00Z".to_owned(),
            sources: Vec::new(),
            model: None,
            awaits: None,
            without_people: false,
            organizations: 0,
            counts: std::collections::BTreeMap::new(),
            files: listed,
        };
        let bytes = serde_json::to_vec(&manifest).unwrap();
        fs::write(folder.join(manifest::FILE), &bytes).unwrap();
        let manifest_sha256 = sha256(&bytes);
        let current = Current { format: FORMAT, snapshot: snapshot.to_owned(), manifest_sha256 };
        directory.write_current(&current).unwrap();
    }

    fn push(&self, data: &str) -> Result<PushReport, ObjectsError> {
        self.remote().push(&self.path(data), &PushOptions::default())
    }

    fn pull(&self) -> Result<PullReport, ObjectsError> {
        self.remote().pull(&self.path("replica"))
    }

    /// That the replica publishes these files and nothing else lies in the snapshot.
    fn assert_serves(&self, snapshot: &str, files: &[(&str, &[u8])]) {
        let replica = self.path("replica");
        assert_eq!(crate::snapshot::current(&replica).unwrap().snapshot, snapshot);
        let report = crate::snapshot::verify(&replica).unwrap();
        assert_eq!(report.damaged, []);
        assert_eq!(report.files, files.len() as u64 + 1);
    }
}

const FIRST: &str = "20260401T120000Z-00000001";
const SECOND: &str = "20260402T120000Z-00000002";
const THIRD: &str = "20260403T120000Z-00000003";

#[test]
fn only_what_changed_travels() {
    let bench = Bench::new();
    let long = vec![7; LONG];
    let first: &[(&str, &[u8])] = &[("columns", b"one"), ("a/b/long", &long), ("empty", b"")];
    bench.build("data", FIRST, first);
    let pushed = bench.push("data").unwrap();
    assert!(pushed.is_new && pushed.takes_conditions);
    assert_eq!((pushed.files, pushed.sent_files), (4, 3));
    assert_eq!(bench.pull().unwrap().fetched_files, 3);
    bench.assert_serves(FIRST, first);
    assert!(!bench.pull().unwrap().is_new);

    let second: &[(&str, &[u8])] = &[("columns", b"two"), ("a/b/long", &long), ("empty", b"")];
    bench.build("data", SECOND, second);
    let pushed = bench.push("data").unwrap();
    assert_eq!(pushed.sent_files, 1);
    assert!(pushed.sent_bytes < 4096, "{}", pushed.sent_bytes);
    let pulled = bench.pull().unwrap();
    assert_eq!((pulled.fetched_files, pulled.fetched_bytes), (1, 3));
    bench.assert_serves(SECOND, second);
    assert!(!bench.push("data").unwrap().is_new);
}

#[test]
fn a_replica_keeps_the_former_and_goes_back_to_it() {
    let bench = Bench::new();
    for (snapshot, text) in [(FIRST, "one"), (SECOND, "two"), (THIRD, "three")] {
        bench.build("data", snapshot, &[("columns", text.as_bytes())]);
        bench.push("data").unwrap();
        bench.pull().unwrap();
    }
    let mut kept: Vec<_> = fs::read_dir(bench.path("replica/snapshots"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    kept.sort();
    assert_eq!(kept, [SECOND, THIRD]);
    bench.build("data", SECOND, &[("columns", b"two")]);
    bench.push("data").unwrap();
    assert_eq!(bench.pull().unwrap().fetched_bytes, 0);
    bench.assert_serves(SECOND, &[("columns", b"two")]);
}

#[test]
fn garbage_is_what_no_kept_snapshot_names_and_is_old() {
    let bench = Bench::new();
    let keep_two = PushOptions { keep: 2, ..PushOptions::default() };
    let mut removed = Vec::new();
    for (snapshot, text) in [(FIRST, "one"), (SECOND, "two"), (THIRD, "three")] {
        bench.build("data", snapshot, &[("columns", text.as_bytes()), ("same", b"same")]);
        let report = bench.remote().push(&bench.path("data"), &keep_two).unwrap();
        removed.push(report.removed.unwrap());
    }
    assert_eq!((removed, bench.objects()), (vec![0, 0, 0], 7));
    let at_once = PushOptions { grace: Duration::ZERO, ..keep_two };
    let report = bench.remote().push(&bench.path("data"), &at_once).unwrap();
    // The file and the manifest of the first.
    assert_eq!((report.removed.unwrap(), bench.objects()), (2, 5));
    assert!(!bench.object(b"one").exists() && bench.object(b"two").exists());

    // With a manifest of a kept one damaged, nothing is known to be garbage.
    let bytes = fs::read(bench.path("data/snapshots").join(SECOND).join("manifest.json")).unwrap();
    fs::write(bench.object(&bytes), "{}").unwrap();
    fs::write(bench.path("store/objects/stray"), "").unwrap();
    let report = bench.remote().push(&bench.path("data"), &at_once).unwrap();
    assert!(matches!(report.removed, Err(ObjectsError::Cut { .. })), "{:?}", report.removed);
    assert!(bench.path("store/objects/stray").exists());
}

#[test]
fn an_object_that_nobody_names_is_trusted_while_it_is_young() {
    let bench = Bench::new();
    bench.build("data", FIRST, &[("columns", b"one")]);
    fs::create_dir(bench.path("store/objects")).unwrap();
    fs::write(bench.object(b"one"), "one").unwrap();
    let age = |age| {
        let file = File::options().write(true).open(bench.object(b"one")).unwrap();
        file.set_modified(SystemTime::now() - age).unwrap();
    };
    age(Duration::from_secs(60 * 60));
    assert_eq!(bench.push("data").unwrap().sent_files, 0);
    fs::remove_file(bench.path("store/CURRENT")).unwrap();
    age(GRACE);
    assert_eq!(bench.push("data").unwrap().sent_files, 1);
}

#[test]
fn a_damaged_object_is_refused_and_the_old_snapshot_stays() {
    let long = vec![7; LONG];
    let cut = &long[..LONG - 1];
    let mut changed = long.clone();
    changed[LONG - 1] ^= 1;
    for (object, expected) in
        [(Some(changed.as_slice()), "SHA-256"), (Some(cut), "bytes, expected"), (None, "has no")]
    {
        let bench = Bench::new();
        bench.build("data", FIRST, &[("columns", b"one")]);
        bench.push("data").unwrap();
        bench.pull().unwrap();
        bench.build("data", SECOND, &[("columns", b"two"), ("long", &long)]);
        bench.push("data").unwrap();
        match object {
            Some(bytes) => fs::write(bench.object(&long), bytes).unwrap(),
            None => fs::remove_file(bench.object(&long)).unwrap(),
        }
        for _ in 0..2 {
            let error = bench.pull().unwrap_err();
            assert!(error.to_string().contains(expected), "{error}");
            bench.assert_serves(FIRST, &[("columns", b"one")]);
        }
        // What is cut or missing is sent again; what was changed has to be removed first.
        if expected == "SHA-256" {
            fs::remove_file(bench.object(&long)).unwrap();
        }
        assert_eq!(bench.push("data").unwrap().sent_files, 1);
        bench.pull().unwrap();
        bench.assert_serves(SECOND, &[("columns", b"two"), ("long", &long)]);
    }
}

#[test]
fn what_is_no_current_is_refused_and_replaced_when_told_so() {
    let sound = |id: &str, sha: &str| {
        format!(
            "{{\"layout\":1,\"snapshots\":[{{\"snapshot\":\"{id}\",\"format\":{FORMAT},\
             \"manifest_sha256\":\"{sha}\",\"manifest_bytes\":3}}]}}"
        )
    };
    let sha = "0".repeat(64);
    let bench = Bench::new();
    bench.build("data", FIRST, &[("columns", b"one")]);
    bench.push("data").unwrap();
    bench.pull().unwrap();
    for (current, expected) in [
        ("no JSON".to_owned(), "expected JSON"),
        (String::new(), "expected JSON"),
        ("{\"layout\":1}".to_owned(), "snapshots"),
        ("{\"layout\":2,\"snapshots\":7}".to_owned(), "version 2, expected 1"),
        ("{\"layout\":1,\"snapshots\":[]}".to_owned(), "no snapshots"),
        (sound("../../etc", &sha), "identifier"),
        (sound(SECOND, "../secret"), "identifier"),
        (sound(SECOND, &sha), "has no objects/0000"),
        (sound(SECOND, &sha).replace(&format!(":{FORMAT}"), ":999"), "newer almoner"),
        (" ".repeat(usize::try_from(CURRENT_BYTES_MAX).unwrap() + 1), "longer than"),
    ] {
        fs::write(bench.path("store/CURRENT"), &current).unwrap();
        let error = bench.pull().unwrap_err().to_string();
        assert!(error.contains(expected), "{current}: {error}");
        bench.assert_serves(FIRST, &[("columns", b"one")]);
    }
    fs::write(bench.path("store/CURRENT"), "no JSON").unwrap();
    assert!(bench.push("data").unwrap_err().to_string().contains("--force"));
    let forced = PushOptions { force: true, ..PushOptions::default() };
    assert!(bench.remote().push(&bench.path("data"), &forced).unwrap().is_new);
    assert!(!bench.pull().unwrap().is_new);
}

#[test]
fn a_manifest_may_only_name_files_within() {
    let file =
        |name: &str| ManifestFile { name: name.to_owned(), bytes: 1, sha256: "0".repeat(64) };
    let bench = Bench::new();
    bench.build("data", FIRST, &[("columns", b"one")]);
    let bytes = fs::read(bench.path("data/snapshots").join(FIRST).join("manifest.json")).unwrap();
    let mut manifest: Manifest = serde_json::from_slice(&bytes).unwrap();
    for (files, fits) in [
        (vec![file("a/b")], true),
        (vec![file("../a")], false),
        (vec![file("/etc/passwd")], false),
        (vec![file("")], false),
        (vec![file("a/./b")], false),
        (vec![file("CON")], false),
        (vec![file("a.partial")], false),
        (vec![file("manifest.json")], false),
        (vec![file("a"), file("a")], false),
        (vec![ManifestFile { sha256: "../x".to_owned(), ..file("a") }], false),
        (vec![ManifestFile { bytes: SNAPSHOT_BYTES_MAX + 1, ..file("a") }], false),
        (vec![file("a"); FILES_MAX + 1], false),
    ] {
        manifest.files = files;
        assert_eq!(check_names(&manifest).is_ok(), fits, "{:?}", manifest.files.first());
    }
}

#[test]
fn what_is_not_there_is_said() {
    let bench = Bench::new();
    assert!(bench.pull().unwrap_err().to_string().contains("has no snapshot yet"));
    assert!(matches!(bench.push("none"), Err(ObjectsError::Open(_))));
    fs::remove_dir(bench.path("store")).unwrap();
    assert!(bench.pull().unwrap_err().to_string().contains("there is no folder"));
    bench.build("data", FIRST, &[("columns", b"one")]);
    assert!(bench.push("data").unwrap_err().to_string().contains("there is no folder"));
    fs::create_dir(bench.path("store")).unwrap();
    bench.push("data").unwrap();
    fs::create_dir(bench.path("replica")).unwrap();
    fs::write(bench.path("replica/photo.jpg"), "").unwrap();
    assert!(matches!(bench.pull(), Err(ObjectsError::NotADataDirectory { .. })));
    fs::remove_file(bench.path("replica/photo.jpg")).unwrap();
    let lock = File::create(bench.path("replica/build.lock")).unwrap();
    lock.lock().unwrap();
    assert!(matches!(bench.pull(), Err(ObjectsError::Busy { .. })));
}

#[test]
fn a_file_damaged_at_home_is_not_pushed() {
    let long = vec![7; LONG];
    let files: [(&str, &[u8]); 2] = [("columns", b"one"), ("long", &long)];
    for (name, bytes) in files {
        let bench = Bench::new();
        bench.build("data", FIRST, &files);
        let path = bench.path("data/snapshots").join(FIRST).join(name);
        fs::write(&path, "two").unwrap();
        assert!(matches!(bench.push("data"), Err(ObjectsError::Damaged { .. })));
        assert!(!bench.path("store/CURRENT").exists());
        assert!(!bench.object(bytes).exists());
        fs::write(&path, bytes).unwrap();
        bench.push("data").unwrap();
        bench.pull().unwrap();
        bench.assert_serves(FIRST, &files);
    }
}

/// A folder that does something before `CURRENT` is replaced, or ends after so many reads.
struct Interrupted {
    folder: folder::Folder,
    before_swap: Box<dyn Fn() + Send + Sync>,
    reads_left: AtomicUsize,
    writes_left: AtomicUsize,
}

impl Interrupted {
    fn remote(
        bench: &Bench,
        reads: usize,
        writes: usize,
        before: impl Fn() + Send + Sync + 'static,
    ) -> Remote {
        let address = bench.remote().address;
        let store = Self {
            folder: folder::Folder::new(&address),
            before_swap: Box::new(before),
            reads_left: AtomicUsize::new(reads),
            writes_left: AtomicUsize::new(writes),
        };
        Remote { address, store: Box::new(store), try_open: |_, _, _| Ok(()) }
    }

    fn count(&self, left: &AtomicUsize) -> Result<(), StoreError> {
        let counted =
            left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        let address = "file:///gone".parse().unwrap();
        counted.map(drop).map_err(|_| StoreError::new(&address, Fault::Unreachable, "test"))
    }
}

impl Store for Interrupted {
    fn read(&self, object: &str, range: Range<u64>) -> Result<(Vec<u8>, u64), StoreError> {
        self.count(&self.reads_left)?;
        self.folder.read(object, range)
    }

    fn current(&self) -> Result<Option<Versioned>, StoreError> {
        self.folder.current()
    }

    fn swap(&self, bytes: Vec<u8>, read: Option<&Versioned>) -> Result<Swap, StoreError> {
        (self.before_swap)();
        self.folder.swap(bytes, read)
    }

    fn list(&self) -> Result<Vec<Listed>, StoreError> {
        self.folder.list()
    }

    fn write(&self, object: &str, bytes: Vec<u8>) -> Result<(), StoreError> {
        self.count(&self.writes_left)?;
        self.folder.write(object, bytes)
    }

    fn create(&self, object: &str, bytes: Vec<u8>) -> Result<Swap, StoreError> {
        self.count(&self.writes_left)?;
        self.folder.create(object, bytes)
    }

    fn upload(&self, object: &str, next_part: &mut NextPart<'_>) -> Result<(), ObjectsError> {
        self.folder.upload(object, next_part)
    }

    fn remove(&self, object: &str) -> Result<(), StoreError> {
        self.folder.remove(object)
    }
}

#[test]
fn the_second_of_two_pushes_is_told_and_overwrites_nothing() {
    let bench = Bench::new();
    bench.build("data", FIRST, &[("columns", b"one")]);
    bench.build("other", SECOND, &[("columns", b"two")]);
    let (store, other) = (bench.remote(), bench.path("other"));
    let meanwhile = move || drop(store.push(&other, &PushOptions::default()).unwrap());
    let remote = Interrupted::remote(&bench, 99, 99, meanwhile);
    let error = remote.push(&bench.path("data"), &PushOptions::default()).unwrap_err();
    assert!(matches!(&error, ObjectsError::Overtaken { theirs, .. } if theirs.contains(SECOND)));
    assert_eq!(bench.pull().unwrap().snapshot, SECOND);
    assert_eq!(bench.push("data").unwrap().sent_files, 0);
    assert_eq!(bench.pull().unwrap().snapshot, FIRST);
}

#[test]
fn a_push_that_ends_anywhere_is_not_seen_and_gone_on_with() {
    let files: &[(&str, &[u8])] = &[("a", b"1"), ("b", b"2"), ("c", b"3"), ("d", b"4")];
    for writes in 0..=4 {
        let bench = Bench::new();
        bench.build("data", FIRST, files);
        let remote = Interrupted::remote(&bench, 99, writes, || {});
        remote.push(&bench.path("data"), &PushOptions::default()).unwrap_err();
        assert!(matches!(bench.pull(), Err(ObjectsError::Nothing { .. })));
        let there = fs::read_dir(bench.path("store/objects")).map_or(0, Iterator::count);
        assert_eq!(bench.push("data").unwrap().sent_files, 4 - there.min(4));
        bench.pull().unwrap();
        bench.assert_serves(FIRST, files);
    }
}

#[test]
fn a_pull_that_ends_anywhere_is_not_seen_and_gone_on_with() {
    let long: Vec<u8> = (0..3 * LONG).map(|at| (at % 251) as u8).collect();
    let files: &[(&str, &[u8])] = &[("a", b"1"), ("long", &long), ("x/c", b"3")];
    // The manifest, two short files, and four parts of the long one.
    for reads in 0..7 {
        let bench = Bench::new();
        bench.build("data", FIRST, files);
        bench.push("data").unwrap();
        let remote = Interrupted::remote(&bench, reads, 99, || {});
        remote.pull(&bench.path("replica")).unwrap_err();
        assert!(crate::snapshot::current(&bench.path("replica")).is_err());
        let had = partial_bytes(&bench.path("replica"));
        let pulled = bench.pull().unwrap();
        assert_eq!(pulled.fetched_bytes, long.len() as u64 + 2 - had, "{reads}");
        bench.assert_serves(FIRST, files);
    }
}

/// Bytes that a pull that ended has left, whole files and beginnings, without the manifest.
fn partial_bytes(data_dir: &Path) -> u64 {
    let Some(staging) =
        Directory::new(data_dir).stagings().ok().and_then(|found| found.into_iter().next())
    else {
        return 0;
    };
    let (names, _) = crate::snapshot::directory::entries(&staging).unwrap();
    let names = names.iter().filter(|name| *name != manifest::FILE);
    names.map(|name| fs::metadata(staging.join(name)).unwrap().len()).sum()
}

#[test]
fn a_damaged_local_file_is_fetched_not_linked() {
    let bench = Bench::new();
    bench.build("data", FIRST, &[("columns", b"one"), ("same", b"same")]);
    bench.push("data").unwrap();
    bench.pull().unwrap();
    fs::write(bench.path("replica/snapshots").join(FIRST).join("same"), "SAME").unwrap();
    let second: &[(&str, &[u8])] = &[("columns", b"two"), ("same", b"same")];
    bench.build("data", SECOND, second);
    bench.push("data").unwrap();
    assert_eq!(bench.pull().unwrap().fetched_files, 2);
    bench.assert_serves(SECOND, second);
}
