//! Small builds in folders of their own: what is built, what is refused, what is left behind.

mod approvals;
mod changes;
mod embedding;
mod impact;
mod joining;
mod provenance;
mod refused;
mod reports;
mod schedules;

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::*;
use crate::index::typeahead::Scope;
use crate::query::{Area, Figure, Filters, Flag, Flags, Ranges};
use crate::record::Organization;
use crate::snapshot::directory::Directory;
use crate::snapshot::*;

const HEADER: &str = "EIN,NAME,ICO,STREET,CITY,STATE,ZIP,GROUP,SUBSECTION,AFFILIATION,\
    CLASSIFICATION,RULING,DEDUCTIBILITY,FOUNDATION,ACTIVITY,ORGANIZATION,STATUS,TAX_PERIOD,\
    ASSET_CD,INCOME_CD,FILING_REQ_CD,PF_FILING_REQ_CD,ACCT_PD,ASSET_AMT,INCOME_AMT,REVENUE_AMT,\
    NTEE_CD,SORT_NAME";

/// A row of the master file.
fn row(ein: &str, name: &str, city: &str, state: &str, tax_period: &str, revenue: &str) -> String {
    format!(
        "{ein},{name},% JO DOE,1 MAIN ST,{city},{state},05401-1234,0000,03,3,1000,199901,1,15,\
         000000000,1,01,{tax_period},4,4,01,0,12,500,600,{revenue},P30,"
    )
}

/// A data directory and a folder of inputs.
struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("inputs")).unwrap();
        Self { folder }
    }

    /// Three organizations and something from every other source.
    fn filled() -> Self {
        let bench = Self::new();
        bench.master(
            "eo1.csv",
            &[
                row("010000001", "ALPHA FUND", "BURLINGTON", "VT", "202312", "100"),
                row("010000002", "BETA TRUST", "ALBANY", "NY", "202312", ""),
                row("010000003", "GAMMA CLUB", "BURLINGTON", "VT", "202312", "-7"),
            ],
        );
        bench.input(
            "pub78.txt",
            "010000001|ALPHA FUND|BURLINGTON|VT|United States|PC,LODGE\n\
             990000001|NOT THERE|BURLINGTON|VT|United States|PC\n",
        );
        bench.input(
            "revoked.txt",
            "010000003|GAMMA CLUB||1 MAIN ST|BURLINGTON|VT|05401|US|03|15-MAY-2012|\
             09-JUN-2012|01-JAN-2013\n\
             010000003|GAMMA CLUB||1 MAIN ST|BURLINGTON|VT|05401|US|03|15-MAY-2020|\
             09-JUN-2020|\n",
        );
        bench
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn input(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join("inputs").join(name), text).unwrap();
    }

    fn master(&self, name: &str, rows: &[String]) {
        self.input(name, &format!("{HEADER}\r\n{}\r\n", rows.join("\r\n")));
    }

    fn options(&self) -> Options {
        Options {
            data_dir: self.data(),
            inputs: vec![self.folder.path().join("inputs")],
            model: None,
            wait_for_vectors: false,
            reject_limit_percent: None,
            // Small sources come and go from test to test.
            fall_max_percent: Some(100.0),
            without: Vec::new(),
            feed_ein: None,
        }
    }

    fn build(&self) -> Result<Report, BuildError> {
        build(&self.options(), &NoProgress)
    }

    fn snapshot_folder(&self) -> PathBuf {
        Directory::new(&self.data()).snapshot(&current(&self.data()).unwrap().snapshot)
    }

    /// What lies in the data directory.
    /// Names in the data directory, without the one that `rejects.ndjson` leads to.
    fn entries(&self) -> Vec<String> {
        let list = fs::read_link(self.data().join("rejects.ndjson")).unwrap_or_default();
        let mut names = names(&self.data());
        names.retain(|name| Path::new(name) != list);
        names
    }
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn by_ein(snapshot: &Snapshot, ein: &str) -> Organization {
    let org = snapshot.columns.org_of(ein.parse().unwrap()).unwrap().unwrap();
    snapshot.records.organization(org).unwrap()
}

#[test]
fn too_many_rejects_fail_the_build_and_stay_to_be_read() {
    let bench = Bench::filled();
    bench.build().unwrap();
    let before = current(&bench.data()).unwrap();
    bench.master(
        "eo2.csv",
        &[
            row("01000000X", "BAD", "ALBANY", "NY", "", ""),
            row("010000009", "GOOD", "ALBANY", "NY", "", ""),
        ],
    );
    let error = bench.build().unwrap_err();
    let text = error.to_string();
    for part in ["eo2.csv", "1 of 2", "line 2", "EIN", "rejects.ndjson", "--reject-limit"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let list = fs::read_to_string(bench.data().join("rejects.ndjson")).unwrap();
    assert_eq!(list.lines().count(), 1);
    assert!(list.contains("01000000X"), "{list}");
    assert_eq!(current(&bench.data()).unwrap(), before);
    assert_eq!(bench.entries(), ["CURRENT", "build.lock", "rejects.ndjson", "snapshots"]);

    let report =
        build(&Options { reject_limit_percent: Some(50.0), ..bench.options() }, &NoProgress)
            .unwrap();
    assert_eq!((report.organizations, report.rejects.len()), (4, 1));
    let kept = fs::read_to_string(bench.snapshot_folder().join("rejects.ndjson")).unwrap();
    assert_eq!(kept, list);

    let beside = bench.data().join("rejects.ndjson");
    assert!(verify(&bench.data()).unwrap().damaged.is_empty());
    fs::write(&beside, list.replace("01000000X", "01000000Y")).unwrap();
    assert_eq!(verify(&bench.data()).unwrap().damaged.len(), 1);
    fs::remove_file(fs::canonicalize(&beside).unwrap()).unwrap();
    assert_eq!(verify(&bench.data()).unwrap().damaged.len(), 1);
    // As a copy of the data directory may have it.
    fs::remove_file(&beside).unwrap();
    for (text, damaged) in [
        (list.replace("01000000X", "01000000Y"), 1),
        ("of a build that failed since\n".to_owned(), 0),
        (list, 0),
    ] {
        fs::write(&beside, text).unwrap();
        assert_eq!(verify(&bench.data()).unwrap().damaged.len(), damaged);
    }
}

#[test]
fn verify_finds_a_flip_of_any_byte() {
    let bench = Bench::filled();
    let report = bench.build().unwrap();
    let clean = verify(&bench.data()).unwrap();
    let folder = bench.snapshot_folder();
    let (names, _) = directory::entries(&folder).unwrap();
    let files = names.len() as u64;
    assert_eq!((clean.damaged.len(), clean.files), (0, files), "{:?}", clean.damaged);
    assert!(clean.bytes > report.bytes);
    let files = names.iter().map(|name| (name.clone(), folder.join(name)));
    let all = files.chain([("CURRENT".to_owned(), bench.data().join("CURRENT"))]);
    for (name, path) in all {
        let whole = fs::read(&path).unwrap();
        // Every byte of the head and the end, and some between.
        let step = (whole.len() / 60).max(1) | 1;
        let positions =
            (0..whole.len()).filter(|at| *at < 40 || at % step == 0 || at + 8 > whole.len());
        for at in positions {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            fs::write(&path, bytes).unwrap();
            match verify(&bench.data()) {
                Ok(report) => assert!(
                    report.damaged.iter().any(|damaged| damaged.file == name),
                    "{name} at {at}: {:?}",
                    report.damaged
                ),
                Err(error) => panic!("{name} at {at}: {error}"),
            }
        }
        fs::write(&path, &whole).unwrap();
    }
    assert!(verify(&bench.data()).unwrap().damaged.is_empty());
}

#[test]
fn damage_never_answers_for_another_organization() {
    let bench = Bench::filled();
    bench.build().unwrap();
    let folder = bench.snapshot_folder();
    let (names, _) = directory::entries(&folder).unwrap();
    let good = open(&bench.data()).unwrap();
    let alpha = by_ein(&good, "010000001");
    drop(good);
    for name in names {
        let path = folder.join(&name);
        let whole = fs::read(&path).unwrap();
        for at in (0..whole.len()).step_by((whole.len() / 7).max(1)) {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x10;
            fs::write(&path, bytes).unwrap();
            let Ok(snapshot) = open(&bench.data()) else { continue };
            let org = snapshot.columns.org_of(alpha.ein);
            if let Ok(org) = org
                && let Ok(found) = snapshot.records.organization(org.unwrap())
            {
                assert_eq!(found, alpha, "{name} at {at}");
            }
            if let Ok(hits) = snapshot.typeahead.suggest("alpha", Scope::ActiveCharities, 10) {
                assert_eq!(hits.len(), 1, "{name} at {at}");
            }
        }
        fs::write(&path, whole).unwrap();
    }
}

#[test]
fn a_truncated_longer_missing_or_swapped_file_is_refused() {
    let bench = Bench::filled();
    bench.build().unwrap();
    let folder = bench.snapshot_folder();
    let (names, _) = directory::entries(&folder).unwrap();
    let refused = |name: &str| {
        let error = open(&bench.data()).unwrap_err();
        let text = format!("{error}");
        assert!(matches!(error, OpenError::Damaged { .. }), "{name}: {text}");
        assert!(text.contains(name) && text.contains("build again"), "{name}: {text}");
    };
    for name in &names {
        let path = folder.join(name);
        let whole = fs::read(&path).unwrap();
        if !whole.is_empty() {
            fs::write(&path, &whole[..whole.len() - 1]).unwrap();
            refused(name);
        }
        fs::write(&path, [&whole[..], b"x"].concat()).unwrap();
        refused(name);
        fs::remove_file(&path).unwrap();
        refused(name);
        fs::write(&path, whole).unwrap();
    }
    open(&bench.data()).unwrap();
    // A whole manifest of another snapshot.
    let other = Bench::filled();
    other.build().unwrap();
    fs::copy(other.snapshot_folder().join("manifest.json"), folder.join("manifest.json")).unwrap();
    refused("manifest.json");
}

#[test]
fn what_is_no_snapshot_is_refused_with_what_to_do() {
    let bench = Bench::new();
    let refused = |path: &Path, parts: &[&str]| {
        let text = open(path).unwrap_err().to_string();
        for part in parts {
            assert!(text.contains(part), "{part}: {text}");
        }
    };
    refused(&bench.data(), &["does not exist", "almoner build"]);
    fs::create_dir(bench.data()).unwrap();
    refused(&bench.data(), &["no snapshot yet", "almoner build"]);
    fs::write(bench.data().join("keys.json"), "{}").unwrap();
    refused(&bench.data(), &["no snapshot yet"]);
    refused(&bench.folder.path().join("inputs"), &["no snapshot yet"]);
    bench.input("notes.txt", "x");
    refused(&bench.folder.path().join("inputs"), &["not a data directory"]);
    refused(&bench.folder.path().join("inputs/notes.txt"), &["not a data directory"]);
    for (format, part) in [(FORMAT - 1, "build again"), (FORMAT + 1, "newer almoner")] {
        let current = Current { format, snapshot: "x".to_owned(), manifest_sha256: "0".repeat(64) };
        Directory::new(&bench.data()).write_current(&current).unwrap();
        refused(&bench.data(), &[part]);
    }
    for damaged in ["", "1", "1 x y z\n", "\u{0}\u{1}"] {
        fs::write(bench.data().join("CURRENT"), damaged).unwrap();
        refused(&bench.data(), &["CURRENT", "build again"]);
    }
}

#[test]
fn what_a_killed_build_leaves_is_removed_by_the_next() {
    let bench = Bench::filled();
    bench.build().unwrap();
    let before = current(&bench.data()).unwrap();
    // Killed while writing; while naming; after renaming, before CURRENT; while removing.
    fs::create_dir_all(bench.data().join("staging-x/typeahead")).unwrap();
    fs::write(bench.data().join("staging-x/columns"), "half").unwrap();
    fs::write(bench.data().join("CURRENT.tmp"), "1 half").unwrap();
    fs::write(bench.data().join("rejects.ndjson.tmp"), "half").unwrap();
    let unnamed = bench.data().join("snapshots/unnamed");
    fs::create_dir_all(&unnamed).unwrap();
    fs::copy(bench.snapshot_folder().join("manifest.json"), unnamed.join("manifest.json")).unwrap();
    fs::create_dir_all(bench.data().join("snapshots/removed/typeahead")).unwrap();
    assert_eq!(open(&bench.data()).unwrap().manifest.snapshot, before.snapshot);
    bench.build().unwrap();
    let now = current(&bench.data()).unwrap();
    assert_ne!(now, before);
    assert_eq!(bench.entries(), ["CURRENT", "build.lock", "rejects.ndjson", "snapshots"]);
    assert_eq!(names(&bench.data().join("snapshots")), [now.snapshot]);
}

#[test]
fn a_damaged_current_does_not_stop_the_next_build() {
    let bench = Bench::filled();
    bench.build().unwrap();
    fs::write(bench.data().join("CURRENT"), "rubbish").unwrap();
    bench.build().unwrap();
    open(&bench.data()).unwrap();
    assert_eq!(names(&bench.data().join("snapshots")).len(), 1);
}

#[test]
fn a_second_build_at_the_same_time_is_refused() {
    let bench = Bench::filled();
    bench.build().unwrap();
    let lock = File::open(bench.data().join("build.lock")).unwrap();
    lock.lock().unwrap();
    assert!(matches!(bench.build(), Err(BuildError::Running { .. })));
    drop(lock);
    bench.build().unwrap();
}

#[test]
fn a_snapshot_stays_while_it_is_open() {
    let bench = Bench::filled();
    bench.build().unwrap();
    let old = open(&bench.data()).unwrap();
    bench.build().unwrap();
    assert_eq!(names(&bench.data().join("snapshots")).len(), 2);
    assert_eq!(by_ein(&old, "010000002").legal_name, "BETA TRUST");
    assert_eq!(remove_unused(&bench.data()).unwrap(), 0);
    drop(old);
    assert_eq!(remove_unused(&bench.data()).unwrap(), 1);
    open(&bench.data()).unwrap();
}

#[test]
fn a_snapshot_opens_while_others_look_for_what_to_remove() {
    let bench = Bench::filled();
    bench.build().unwrap();
    let data = bench.data();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| (0..300).for_each(|_| assert_eq!(remove_unused(&data).unwrap(), 0)));
        }
        (0..300).for_each(|_| drop(open(&data).unwrap()));
    });
}

#[test]
fn reading_a_snapshot_writes_nothing() {
    use std::os::unix::fs::PermissionsExt as _;
    let bench = Bench::filled();
    bench.build().unwrap();
    let folders = [bench.data(), bench.data().join("snapshots"), bench.snapshot_folder()];
    let state = || -> Vec<_> {
        let of = |folder: &PathBuf| {
            let about = |name: &String| fs::metadata(folder.join(name)).unwrap();
            let mut all: Vec<_> = names(folder)
                .into_iter()
                .map(|name| (about(&name).modified().unwrap(), about(&name).len(), name))
                .collect();
            all.push((fs::metadata(folder).unwrap().modified().unwrap(), 0, String::new()));
            all
        };
        folders.iter().map(of).collect()
    };
    let before = state();
    // Whoever runs tests as root may write all the same; the times and names tell.
    let allow = |mode| {
        let set = |folder| fs::set_permissions(folder, fs::Permissions::from_mode(mode)).unwrap();
        folders.iter().for_each(set);
    };
    allow(0o555);
    let opened = open(&bench.data()).map(|snapshot| by_ein(&snapshot, "010000001").legal_name);
    let verified = verify(&bench.data()).map(|report| report.damaged);
    allow(0o755);
    assert_eq!(opened.unwrap(), "ALPHA FUND");
    assert_eq!(verified.unwrap(), []);
    assert_eq!(state(), before);
}

#[test]
fn a_folder_of_something_else_and_inputs_without_organizations_are_refused() {
    let bench = Bench::filled();
    fs::create_dir(bench.data()).unwrap();
    fs::write(bench.data().join("photo.jpg"), "x").unwrap();
    assert!(matches!(bench.build(), Err(BuildError::NotADataDirectory { .. })));
    assert_eq!(bench.entries(), ["photo.jpg"]);
    let file = bench.data().join("photo.jpg");
    let options = Options { data_dir: file.clone(), ..bench.options() };
    let error = build(&options, &NoProgress).unwrap_err();
    assert!(matches!(error, BuildError::NotADataDirectory { .. }), "{error}");
    assert_eq!(fs::read(file).unwrap(), b"x");

    let bench = Bench::new();
    bench.input("pub78.txt", "010000001|ALPHA|BURLINGTON|VT|United States|PC\n");
    assert!(matches!(bench.build(), Err(BuildError::NoOrganizations)));
    assert!(!bench.data().join("CURRENT").exists());
    assert!(bench.entries().iter().all(|name| !name.starts_with("staging")));
}

#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared/data")]
fn real_files_build_open_and_verify() {
    let inputs = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/irs-previous"));
    let bench = Bench::new();
    let options = Options { inputs: vec![inputs.to_owned()], ..bench.options() };
    let report = build(&options, &NoProgress).unwrap();
    assert!(report.organizations > 10_000);
    let snapshot = open(&bench.data()).unwrap();
    for number in (0..report.organizations as u32).step_by(97) {
        let org = crate::record::OrgId::new(number);
        let found = snapshot.records.organization(org).unwrap();
        assert_eq!(snapshot.columns.org_of(found.ein).unwrap(), Some(org));
    }
    assert!(verify(&bench.data()).unwrap().damaged.is_empty());
}
