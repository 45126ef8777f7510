//! The folder: what is in it after a run, what the next run makes of it, and how full it may get.

use std::time::SystemTime;

use super::files::{approvals, extract, index, master, postcards, publication_78, revocations};
use super::server::{MODIFIED, MODIFIED_SECONDS, Resource};
use super::*;
use crate::sources::{SourceKind, discover};

fn irs(request: &Request) -> Answer {
    let body = match request.path.as_str() {
        "/pub/irs-soi/eo1.csv" => master(10),
        "/pub/irs-soi/eo2.csv" => master(20),
        "/pub/irs-soi/eo3.csv" => master(30),
        "/pub/irs-soi/eo4.csv" => master(40),
        "/pub/epostcard/data-download-pub78.zip" => publication_78(),
        "/pub/epostcard/data-download-revocation.zip" => revocations(),
        "/pub/epostcard/data-download-epostcard.zip" => postcards(),
        path if path.starts_with("/pub/irs-tege/f1023") => approvals(),
        path if path.contains("eoextract") => extract(),
        path if path.contains("/index_") => index(&[(202_400_559_349_300_125, "")]),
        _ => return Answer::status(404, ""),
    };
    Resource::new(body).answer(request)
}

#[test]
fn everything_is_downloaded_once() {
    let server = Server::start(irs);
    let bench = Bench::new(&server);
    let report = bench.run(&Plan::lists());
    assert!(report.is_complete(), "{:?}", report.failures);
    assert!(report.files.iter().all(|file| file.is_new));
    assert_eq!(report.files.len(), 24);
    assert_eq!(bench.read("eo3.csv"), master(30));

    // What a build finds there is what was downloaded, and nothing else.
    let found = discover(&[bench.path().to_owned()], None).unwrap();
    let kinds: Vec<SourceKind> = found.sources.iter().map(|source| source.kind).collect();
    let lists = [SourceKind::Postcard, SourceKind::Publication78, SourceKind::RevocationList];
    let (extracts, approvals) = ([SourceKind::Extract; 6], [SourceKind::Approvals; 8]);
    let (regions, indexes) = ([SourceKind::MasterFile; 4], [SourceKind::FilingIndex; 3]);
    assert_eq!(kinds, [&extracts[..], &lists, &regions, &approvals, &indexes].concat());
    let skipped: Vec<_> = found.skipped.iter().map(|skipped| skipped.path.file_name()).collect();
    assert_eq!(skipped, [Some("manifest.json".as_ref())]);

    let manifest: serde_json::Value = serde_json::from_slice(&bench.read("manifest.json")).unwrap();
    let entry = &manifest["files"]["eo1.csv"];
    assert_eq!(entry["address"], format!("{}/pub/irs-soi/eo1.csv", server.url()));
    assert_eq!(entry["bytes"], master(10).len());
    assert_eq!(entry["etag"], "\"v1\"");
    assert_eq!(entry["last_modified"], MODIFIED);
    assert_eq!(entry["sha256"].as_str().unwrap().len(), 64);
    let modified = fs::metadata(bench.path().join("eo1.csv")).unwrap().modified().unwrap();
    let since = modified.duration_since(SystemTime::UNIX_EPOCH).unwrap();
    assert_eq!(since.as_secs(), MODIFIED_SECONDS);

    let _ = server.requests();
    let report = bench.run(&Plan::lists());
    assert!(report.files.iter().all(|file| !file.is_new), "{report:?}");
    let requests = server.requests();
    assert_eq!(requests.len(), 24);
    assert_eq!(requests[0].header("if-none-match"), Some("\"v1\""));
    assert_eq!(requests[0].header("if-modified-since"), Some(MODIFIED));
}

#[test]
fn a_failure_leaves_the_others() {
    let server = Server::start(|request| match request.name() {
        "eo2.csv" => Answer::status(404, ""),
        _ => irs(request),
    });
    let bench = Bench::new(&server);
    let report = bench.run(&Plan::lists());
    assert_eq!(report.files.len(), 23);
    let failure = &report.failures[0];
    let url = server.url();
    let expected = format!("eo2.csv was not downloaded from {url}/pub/irs-soi/eo2.csv");
    assert_eq!(failure.to_string(), expected);
}

#[test]
fn newer_files_replace_older_ones() {
    let server = Server::start(|request| match request.earlier {
        0 => Resource::new(master(10)).answer(request),
        _ => Resource { etag: "\"v2\"", ..Resource::new(master(20)) }.answer(request),
    });
    let bench = Bench::new(&server);
    assert!(bench.run_one().is_complete());
    assert!(bench.run_one().files[0].is_new);
    assert_eq!(bench.read("eo1.csv"), master(20));
}

#[test]
fn files_that_others_changed_are_downloaded_again() {
    type Change = fn(&Path);
    let changes: [(Change, bool); 5] = [
        (cut_unnoticed, true),
        (|path| fs::write(path, "shorter").unwrap(), true),
        (|path| fs::write(path, vec![b'x'; master(10).len()]).unwrap(), true),
        (|path| fs::remove_file(path).unwrap(), true),
        // Touched, and the same.
        (|path| fs::write(path, master(10)).unwrap(), false),
    ];
    for (change, again) in changes {
        let server = Server::of(Resource::new(master(10)));
        let bench = Bench::new(&server);
        assert!(bench.run_one().is_complete());
        change(&bench.path().join("eo1.csv"));
        let _ = server.requests();
        let report = bench.run_one();
        assert_eq!(server.requests()[0].header("if-none-match").is_none(), again);
        assert!(report.is_complete());
        assert_eq!(bench.read("eo1.csv"), master(10));
    }
}

/// Makes a file shorter and keeps its date.
fn cut_unnoticed(path: &Path) {
    let file = fs::File::options().write(true).open(path).unwrap();
    let modified = file.metadata().unwrap().modified().unwrap();
    file.set_len(100).unwrap();
    file.set_modified(modified).unwrap();
}

#[test]
fn another_server_is_asked_for_everything() {
    let bench = Bench::new(&Server::of(Resource::new(master(10))));
    assert!(bench.run_one().is_complete());
    let other = Server::of(Resource::new(master(11)));
    let options = Options { base_url: Some(other.url().parse().unwrap()), ..bench.options.clone() };
    fetch_through(no_proxies(), &first_extract(), &options, &bench.told).unwrap();
    assert_eq!(bench.read("eo1.csv"), master(11));
}

#[test]
fn broken_manifests_are_set_aside() {
    let long = format!("{{\"format\":1,\"files\":{{}},\"x\":\"{}\"}}", "x".repeat(17_000_000));
    for text in ["", "{", "[]", "{\"format\":2,\"files\":{}}", "\u{0}", &long] {
        let server = Server::of(Resource::new(master(10)));
        let mut bench = Bench::new(&server);
        bench.options.disk_bytes_max = 30_000_000;
        fs::write(bench.path().join("manifest.json"), text).unwrap();
        let report = bench.run_one();
        assert!(report.is_complete());
        assert_eq!(report.warnings.len(), 1);
        assert!(report.warnings[0].contains("is set aside as"), "{:?}", report.warnings);
        assert_eq!(bench.read(".manifest-broken.json"), text.as_bytes());
        assert!(serde_json::from_slice::<serde_json::Value>(&bench.read("manifest.json")).is_ok());
    }
}

#[test]
fn one_run_at_a_time() {
    let server = Server::of(Resource::new(master(10)));
    let bench = Bench::new(&server);
    let lock = claim(bench.path()).unwrap();
    let run = || fetch_through(no_proxies(), &first_extract(), &bench.options, &bench.told);
    let error = run().unwrap_err();
    assert!(matches!(error, FetchError::Running { .. }), "{error}");
    assert!(server.requests().is_empty());
    drop(lock);
    assert!(run().unwrap().is_complete());
}

#[test]
fn folders_that_are_none() {
    let server = Server::of(Resource::new(master(10)));
    let bench = Bench::new(&server);
    let file = bench.path().join("file");
    fs::write(&file, "x").unwrap();
    let run = |folder: &Path, plan: &Plan| {
        let options = Options { folder: folder.to_owned(), ..bench.options.clone() };
        fetch_through(no_proxies(), plan, &options, &bench.told)
    };
    let error = run(&file, &first_extract()).unwrap_err();
    assert!(matches!(error, FetchError::NotAFolder { .. }), "{error}");
    let error = run(&file.join("below"), &first_extract()).unwrap_err();
    assert!(matches!(error, FetchError::Io { .. }), "{error}");
    let error = run(bench.path(), &Plan::default()).unwrap_err();
    assert!(matches!(error, FetchError::NothingPlanned), "{error}");
    // Folders that are not there are made.
    assert!(run(&bench.path().join("a/b"), &first_extract()).unwrap().is_complete());
}

#[test]
fn the_folder_stays_within_its_bound() {
    let server = Server::start(irs);
    let mut bench = Bench::new(&server);
    let length = master(10).len() as u64;
    bench.options.disk_bytes_max = length + 100;
    fs::write(bench.path().join("of-others.csv"), [b'x'; 200]).unwrap();
    let report = bench.run_one();
    let expected = length + 200;
    assert!(
        matches!(failure(&report), FileError::DiskBound { bytes, .. } if *bytes == expected),
        "{:?}",
        failure(&report)
    );
    // Refused before a byte of it came.
    let told = bench.told.take();
    assert!(!told.iter().any(|line| line.starts_with("started")), "{told:?}");

    fs::remove_file(bench.path().join("of-others.csv")).unwrap();
    assert!(bench.run_one().is_complete());
}

#[test]
fn a_file_that_is_replaced_does_not_count() {
    let server = Server::start(|request| match request.earlier {
        0 => Resource::new(master(40)).answer(request),
        _ => Resource { etag: "\"v2\"", ..Resource::new(master(41)) }.answer(request),
    });
    let mut bench = Bench::new(&server);
    // Room for one of them and the manifest.
    bench.options.disk_bytes_max = master(41).len() as u64 + 1_000;
    assert!(bench.run_one().is_complete());
    let report = bench.run_one();
    assert!(report.is_complete(), "{:?}", report.failures);
    assert_eq!(bench.read("eo1.csv"), master(41));
}

#[test]
fn what_fills_the_folder_and_is_not_asked_for_is_named() {
    let server = Server::start(irs);
    let mut bench = Bench::new(&server);
    bench.options.disk_bytes_max = master(10).len() as u64 + 100;
    let partial = bench.path().join(partial::FOLDER);
    fs::create_dir(&partial).unwrap();
    for (name, bytes) in [
        ("eo1.csv.part", 50),
        ("eo2.csv.part", 100),
        ("eo2.csv.part.json", 10),
        ("eo3.csv.part", 200),
        ("eo4.csv.part", 0),
    ] {
        fs::write(partial.join(name), vec![b'x'; bytes]).unwrap();
    }
    let report = bench.run_one();
    let FileError::DiskBound { leftover, .. } = failure(&report) else { panic!("{report:?}") };
    assert_eq!(*leftover, ["eo3.csv.part", "eo2.csv.part"].map(|name| partial.join(name)));
    let text = failure(&report).to_string();
    assert!(text.contains("eo3.csv.part, ") && text.ends_with("eo2.csv.part"), "{text}");
}

#[test]
fn what_has_no_length_is_stopped_at_the_bound() {
    let server = Server::start(|_| {
        let head = "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nETag: \"v1\"";
        Answer::raw(head, b"").repeat(b"a\r\nEIN,NAME,1\r\n")
    });
    let mut bench = Bench::new(&server);
    bench.options.disk_bytes_max = 100_000;
    let report = bench.run_one();
    assert!(matches!(failure(&report), FileError::DiskBound { .. }), "{:?}", failure(&report));
    let partial = bench.path().join(partial::FOLDER).join("eo1.csv.part");
    assert!(fs::metadata(partial).unwrap().len() <= 100_000);
}

#[cfg(unix)]
#[test]
fn the_disk_keeps_its_reserve() {
    let server = Server::of(Resource::new(master(10)));
    let mut bench = Bench::new(&server);
    bench.options.disk_reserve_bytes = u64::MAX;
    let report = bench.run_one();
    assert!(matches!(failure(&report), FileError::DiskReserve { .. }), "{:?}", failure(&report));
}

/// A full disk, on systems that have one to write to.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_the_run() {
    let server = Server::start(irs);
    let bench = Bench::new(&server);
    let partial = bench.path().join(partial::FOLDER);
    fs::create_dir(&partial).unwrap();
    std::os::unix::fs::symlink("/dev/full", partial.join("eo1.csv.part")).unwrap();
    let run = fetch_through(no_proxies(), &Plan::lists(), &bench.options, &bench.told);
    match run {
        Err(FetchError::DiskFull { path }) => assert!(path.ends_with("eo1.csv.part")),
        other => panic!("{other:?}"),
    }
    assert_eq!(server.requests().len(), 1);
}
