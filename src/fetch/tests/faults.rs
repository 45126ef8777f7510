//! Files that end early, and how they go on.

use super::files::master;
use super::server::{MODIFIED, Resource};
use super::*;

/// Which ranges were asked for.
fn ranges(requests: &[Request]) -> Vec<Option<String>> {
    requests.iter().map(|request| request.header("range").map(str::to_owned)).collect()
}

/// A server that cuts its first answer after `cut` bytes and then does as `respond` says.
fn cut_once(
    resource: &Resource,
    cut: usize,
    respond: impl Fn(&Resource, &Request) -> Answer + Send + Sync + 'static,
) -> Server {
    let resource = resource.clone();
    Server::start(move |request| match request.earlier {
        0 => resource.whole().cut_body(cut),
        _ => respond(&resource, request),
    })
}

/// Asserts that a file comes whole after its first answer was cut at byte 1,000, with these ranges
/// asked for.
fn check_goes_on(
    respond: impl Fn(&Resource, &Request) -> Answer + Send + Sync + 'static,
    expected: &[Option<&str>],
) {
    let resource = Resource::new(master(40));
    let server = cut_once(&resource, 1_000, respond);
    let bench = Bench::new(&server);
    let report = bench.run_one();
    assert!(report.is_complete(), "{:?}", report.failures);
    assert_eq!(bench.read("eo1.csv"), resource.body);
    let ranges = ranges(&server.requests());
    assert_eq!(ranges.iter().map(Option::as_deref).collect::<Vec<_>>(), expected);
    assert_eq!(bench.listing(), ["eo1.csv", "manifest.json"].map(str::to_owned).into());
}

#[test]
fn goes_on_where_it_stopped() {
    check_goes_on(|resource, request| resource.answer(request), &[None, Some("bytes=1000-")]);
}

#[test]
fn servers_without_ranges_begin_anew() {
    check_goes_on(|resource, _| resource.whole(), &[None, Some("bytes=1000-")]);
}

#[test]
fn files_that_changed_begin_anew() {
    let changed = Resource { etag: "\"v2\"", ..Resource::new(master(50)) };
    let resource = Resource::new(master(40));
    let later = changed.clone();
    let server = cut_once(&resource, 1_000, move |_, request| later.answer(request));
    let bench = Bench::new(&server);
    assert!(bench.run_one().is_complete());
    assert_eq!(bench.read("eo1.csv"), changed.body);
    assert_eq!(server.requests()[1].header("if-range"), Some("\"v1\""));
}

/// An answer of a range that says what it likes of it.
fn part(range: &str, etag: &str, body: &[u8]) -> Answer {
    let head = format!(
        "HTTP/1.1 206 x\nContent-Length: {}\nContent-Range: {range}\nETag: {etag}\nConnection: close",
        body.len()
    );
    Answer::raw(&head, body)
}

#[test]
fn ranges_that_lie_begin_anew() {
    let length = master(40).len();
    let last = length - 1;
    let lies = [
        (format!("bytes 999-{last}/{length}"), "\"v1\"", 999),
        (format!("bytes 1000-{}/{length}", last - 1), "\"v1\"", 1_000),
        (format!("bytes 1000-{}/{}", last + 1, length + 1), "\"v1\"", 1_000),
        (format!("bytes 1000-{last}/*"), "\"v1\"", 1_000),
        (format!("bytes 1000-{last}/{length}"), "\"v1\"", 1_001),
        (format!("bytes 1000-{last}/{length}"), "\"v2\"", 1_000),
        (
            "bytes 18446744073709551615-18446744073709551615/18446744073709551615".into(),
            "\"v1\"",
            0,
        ),
        ("items 1-2/3".into(), "\"v1\"", 1_000),
    ];
    for (range, etag, from) in lies {
        check_goes_on(
            move |resource, request| match request.header("range") {
                Some(_) => part(&range, etag, &resource.body[from..]),
                None => resource.answer(request),
            },
            &[None, Some("bytes=1000-"), None],
        );
    }
    // A longer file, all in itself as it should be.
    let longer = [&master(40)[1_000..], b"more"].concat();
    let range = format!("bytes 1000-{}/{}", length + 3, length + 4);
    check_goes_on(
        move |resource, request| match request.header("range") {
            Some(_) => part(&range, "\"v1\"", &longer),
            None => resource.answer(request),
        },
        &[None, Some("bytes=1000-"), None],
    );
    // Not satisfiable, as a server says whose file got shorter.
    check_goes_on(
        |resource, request| match request.header("range") {
            Some(_) => Answer::status(416, ""),
            None => resource.answer(request),
        },
        &[None, Some("bytes=1000-"), None],
    );
}

#[test]
fn without_a_version_nothing_goes_on() {
    let body = master(40);
    let sent = body.clone();
    let server = Server::start(move |request| {
        let head = format!("HTTP/1.1 200 OK\nContent-Length: {}\nETag: W/\"x\"", sent.len());
        let answer = Answer::raw(&head, &sent);
        if request.earlier == 0 { answer.cut_body(1_000) } else { answer }
    });
    let bench = Bench::new(&server);
    assert!(bench.run_one().is_complete());
    assert_eq!(bench.read("eo1.csv"), body);
    assert_eq!(ranges(&server.requests()), [None, None]);
}

#[test]
fn goes_on_in_the_next_run() {
    let resource = Resource::new(master(40));
    let server = cut_once(&resource, 1_000, Resource::answer);
    let mut bench = Bench::new(&server);
    bench.options.retries = 0;
    let report = bench.run_one();
    let length = resource.body.len() as u64;
    assert!(
        matches!(failure(&report), FileError::Truncated { expected: Some(expected), found: 1_000 }
            if *expected == length),
        "{:?}",
        failure(&report)
    );
    assert_eq!(
        bench.listing(),
        ["partial/eo1.csv.part", "partial/eo1.csv.part.json"].map(str::to_owned).into()
    );
    let _ = bench.told.take();
    assert!(bench.run_one().is_complete());
    assert_eq!(bench.read("eo1.csv"), resource.body);
    assert_eq!(
        bench.told.take(),
        [
            "planned 1".to_owned(),
            format!("started eo1.csv 1000/{length}"),
            "checking eo1.csv".to_owned(),
            format!("done eo1.csv {length}")
        ]
    );
}

#[test]
fn a_partial_file_that_is_whole_is_asked_for_its_last_byte() {
    let resource = Resource::new(master(40));
    let server = Server::of(resource.clone());
    let bench = Bench::new(&server);
    assert!(bench.run_one().is_complete());
    let length = resource.body.len();
    // As a process leaves it that ends before the file is in its place.
    let partial = bench.path().join(partial::FOLDER);
    fs::rename(bench.path().join("eo1.csv"), partial.join("eo1.csv.part")).unwrap();
    let description = format!(
        "{{\"address\":\"{}/pub/irs-soi/eo1.csv\",\"etag\":\"\\\"v1\\\"\",\
         \"last_modified\":null,\"length\":{length},\"synced\":{length}}}",
        server.url()
    );
    fs::write(partial.join("eo1.csv.part.json"), description).unwrap();
    let _ = server.requests();
    assert!(bench.run_one().is_complete());
    assert_eq!(bench.read("eo1.csv"), resource.body);
    assert_eq!(ranges(&server.requests()), [Some(format!("bytes={}-", length - 1))]);
}

#[test]
fn partial_files_of_nothing_known_begin_anew() {
    let resource = Resource::new(master(40));
    for description in ["", "{", "{\"address\":\"http://other.example/\",\"etag\":\"\\\"v1\\\"\"}"]
    {
        let server = Server::of(resource.clone());
        let bench = Bench::new(&server);
        let partial = bench.path().join(partial::FOLDER);
        fs::create_dir(&partial).unwrap();
        fs::write(partial.join("eo1.csv.part"), "x".repeat(100_000)).unwrap();
        fs::write(partial.join("eo1.csv.part.json"), description).unwrap();
        assert!(bench.run_one().is_complete());
        assert_eq!(bench.read("eo1.csv"), resource.body);
        assert_eq!(ranges(&server.requests()), [None]);
    }
}

#[test]
fn bytes_that_do_not_fit_together_begin_anew() {
    // The server says that nothing changed, and what was there is not the beginning of what comes.
    let resource = Resource::new(files::publication_78());
    let server = Server::of(resource.clone());
    let bench = Bench::new(&server);
    let partial = bench.path().join(partial::FOLDER);
    fs::create_dir(&partial).unwrap();
    fs::write(partial.join("data-download-pub78.zip.part"), [0; 90]).unwrap();
    let description = format!(
        "{{\"address\":\"{}/pub/epostcard/data-download-pub78.zip\",\"etag\":\"\\\"v1\\\"\",\
         \"last_modified\":null,\"length\":{},\"synced\":90}}",
        server.url(),
        resource.body.len()
    );
    fs::write(partial.join("data-download-pub78.zip.part.json"), description).unwrap();
    let plan = Plan { lists: ["publication-78"].into(), ..Plan::default() };
    assert!(bench.run(&plan).is_complete());
    assert_eq!(bench.read("data-download-pub78.zip"), resource.body);
    assert_eq!(ranges(&server.requests()), [Some("bytes=90-".to_owned()), None]);
}

#[test]
fn stalls_end() {
    let resource = Resource::new(master(40));
    let server = {
        let resource = resource.clone();
        Server::start(move |request| match request.earlier {
            0 => resource.whole().cut_body(1_000).hold(),
            _ => resource.answer(request),
        })
    };
    let mut bench = Bench::new(&server);
    bench.options.stall_timeout = Duration::from_millis(100);
    assert!(bench.run_one().is_complete());
    assert_eq!(bench.read("eo1.csv"), resource.body);
    assert_eq!(ranges(&server.requests())[1].as_deref(), Some("bytes=1000-"));
}

#[test]
fn drips_end() {
    // Without an end it would come whole after four seconds.
    let resource = Resource::new(master(10));
    let body = resource.body.clone();
    let server = Server::start(move |request| match request.earlier {
        0 => resource.answer(request).drip_body(resource.body.len() - 400),
        _ => resource.answer(request),
    });
    let mut bench = Bench::new(&server);
    bench.options.pace_timeout = Duration::from_millis(500);
    assert!(bench.run_one().is_complete());
    assert_eq!(bench.read("eo1.csv"), body);
    let requests = server.requests();
    assert_eq!(requests.len(), 2);
    assert!(from(&requests[1]) > body.len() - 400);
}

#[test]
fn drips_that_get_no_further_are_given_up() {
    let resource = Resource::new(master(10));
    let server = Server::start(move |request| resource.answer(request).drip_body(0));
    let mut bench = Bench::new(&server);
    bench.options.pace_timeout = Duration::from_millis(100);
    let report = bench.run_one();
    assert!(matches!(failure(&report), FileError::Timeout { .. }), "{:?}", failure(&report));
    assert_eq!(report.failures[0].attempts, 3);
}

#[test]
fn dates_that_are_old_go_on_where_tags_are_weak() {
    for (date, goes_on) in
        [("Tue, 14 Apr 2026 12:01:00 GMT", true), ("Tue, 14 Apr 2026 12:00:30 GMT", false)]
    {
        let body = master(40);
        let sent = body.clone();
        let server = Server::start(move |request| {
            let version = format!("ETag: W/\"v1\"\nLast-Modified: {MODIFIED}\nDate: {date}");
            if request.header("if-range") == Some(MODIFIED) {
                let range = format!("bytes {}-{}/{}", 1_000, sent.len() - 1, sent.len());
                return part(&range, &format!("W/\"v1\"\n{version}"), &sent[1_000..]);
            }
            let head = format!("HTTP/1.1 200 OK\nContent-Length: {}\n{version}", sent.len());
            let answer = Answer::raw(&head, &sent);
            if request.earlier == 0 { answer.cut_body(1_000) } else { answer }
        });
        let bench = Bench::new(&server);
        assert!(bench.run_one().is_complete());
        assert_eq!(bench.read("eo1.csv"), body);
        let expected = goes_on.then(|| "bytes=1000-".to_owned());
        assert_eq!(ranges(&server.requests()), [None, expected], "{date}");
    }
}

#[test]
fn bytes_that_may_be_lost_are_asked_for_again() {
    let resource = Resource::new(master(40));
    let server = cut_once(&resource, 1_000, Resource::answer);
    let mut bench = Bench::new(&server);
    bench.options.retries = 0;
    assert!(!bench.run_one().is_complete());
    // As a power loss leaves it: longer than what was made to last, with a hole.
    let part = bench.path().join(partial::FOLDER).join("eo1.csv.part");
    let mut bytes = fs::read(&part).unwrap();
    bytes.extend([0; 3_000]);
    fs::write(&part, bytes).unwrap();
    assert!(bench.run_one().is_complete());
    assert_eq!(bench.read("eo1.csv"), resource.body);
    assert_eq!(ranges(&server.requests())[1].as_deref(), Some("bytes=1000-"));
}

#[test]
fn files_that_never_come_whole_are_given_up() {
    let resource = Resource::new(master(40));
    let longer = resource.body.len() + 1;
    let server = Server::start(move |_| {
        let head = format!("HTTP/1.1 200 OK\nContent-Length: {longer}\nETag: \"v1\"");
        Answer::raw(&head, &resource.body)
    });
    let bench = Bench::new(&server);
    let report = bench.run_one();
    assert!(matches!(failure(&report), FileError::Truncated { .. }), "{:?}", failure(&report));
    assert_eq!(report.failures[0].attempts, 3);
    assert_eq!(server.requests().len(), 3);
}

#[test]
fn attempts_that_get_further_are_not_counted() {
    let mut resource = Resource::new(master(3));
    resource.body.resize(9_000_000, b'\n');
    let whole = resource.clone();
    let server = Server::start(move |request| {
        resource.answer(request).cut_body(1_500_000.min(9_000_000 - from(request)))
    });
    let mut bench = Bench::new(&server);
    bench.options.retries = 1;
    bench.options.disk_bytes_max = 20_000_000;
    // What is there and is not gone on with is no measure of how far it got.
    let partial = bench.path().join(partial::FOLDER);
    fs::create_dir(&partial).unwrap();
    fs::write(partial.join("eo1.csv.part"), vec![b'x'; 8_000_000]).unwrap();
    assert!(bench.run_one().is_complete());
    assert_eq!(bench.read("eo1.csv"), whole.body);
    assert_eq!(server.requests().len(), 6);
}

/// From which byte on a file is asked for.
fn from(request: &Request) -> usize {
    let range = request.header("range").unwrap_or("bytes=0-");
    range.strip_prefix("bytes=").unwrap().strip_suffix('-').unwrap().parse().unwrap()
}

#[test]
fn chunks_that_end_early() {
    let server = Server::start(|_| {
        let body = [b"3e8\r\n", &master(40)[..1_000], b"\r\n"].concat();
        Answer::raw("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nETag: \"v1\"", &body)
    });
    let bench = Bench::new(&server);
    let report = bench.run_one();
    assert!(matches!(failure(&report), FileError::Truncated { .. }), "{:?}", failure(&report));
    assert!(!bench.path().join("eo1.csv").exists());
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(60))]
    #[test]
    fn any_answer_is_the_file_or_a_failure(
        at in 0_usize..2_000,
        byte: u8,
        cut in proptest::option::of(0_usize..2_000),
    ) {
        let resource = Resource::new(master(5));
        let expected = resource.body.clone();
        let server = Server::start(move |request| resource.answer(request).damaged(at, byte, cut));
        let mut bench = Bench::new(&server);
        bench.options.retries = 1;
        bench.options.stall_timeout = Duration::from_millis(500);
        let report = bench.run_one();
        if report.is_complete() {
            // A length that is too short is believed: of a list nobody could tell.
            proptest::prop_assert!(bench.read("eo1.csv").len() <= expected.len());
        } else {
            proptest::prop_assert!(!bench.path().join("eo1.csv").exists());
        }
    }
}
