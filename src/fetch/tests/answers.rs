//! What servers answer, good and bad, to the request for one file.

use super::files::{master, publication_78, revocations};
use super::server::Resource;
use super::*;

/// Runs against a server of `respond`; the report, and what was told.
fn run(respond: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> (Report, Vec<String>) {
    let server = Server::start(respond);
    let bench = Bench::new(&server);
    let report = bench.run_one();
    (report, bench.told.take())
}

/// Asserts that one attempt is made, that it fails, and for a reason that says so.
fn check_final(respond: impl Fn(&Request) -> Answer + Send + Sync + 'static, says: &str) {
    let (report, told) = run(respond);
    let failed = failure(&report);
    assert!(failed.to_string().contains(says), "{failed} lacks {says:?}");
    assert_eq!(report.failures[0].attempts, 1);
    assert!(!told.iter().any(|line| line.starts_with("done")), "{told:?}");
}

fn ok(headers: &str, body: &[u8]) -> Answer {
    Answer::raw(&format!("HTTP/1.1 200 OK\nConnection: close{headers}"), body)
}

#[test]
fn statuses_that_will_not_change() {
    check_final(|_| Answer::status(404, ""), "no such file (status 404)");
    check_final(|_| Answer::status(410, ""), "no such file (status 410)");
    check_final(|_| Answer::status(403, ""), "refuses it (status 403)");
    check_final(|_| Answer::status(204, ""), "found 204");
    check_final(|_| Answer::status(304, ""), "found 304");
    check_final(|_| Answer::status(206, ""), "found 206");
    check_final(|_| Answer::status(416, ""), "found 416");
}

#[test]
fn web_pages_are_refused() {
    let page = b"<!DOCTYPE html><title>Page not found</title>";
    let head = format!("\nContent-Length: {}", page.len());
    let typed = format!("{head}\nContent-Type: TEXT/HTML; charset=UTF-8");
    for head in [typed, head] {
        let (report, _) = run(move |_| ok(&head, page));
        assert!(matches!(failure(&report), FileError::WebPage), "{:?}", failure(&report));
        assert_eq!(report.failures[0].attempts, 1);
    }
}

#[test]
fn forms_of_answers_that_cannot_be_used() {
    check_final(|_| ok("", &master(3)), "has no length");
    check_final(
        |_| ok("\nContent-Length: 3\nContent-Encoding: gzip", b"abc"),
        "encoded as \"gzip\"",
    );
    check_final(|_| ok("\nContent-Length: 99000000000", b""), "at most 16000000000 bytes");
}

#[test]
fn content_that_is_not_what_it_should_be() {
    let files: [(Vec<u8>, &str); 4] = [
        (b"EIN,NAME\r\n".to_vec(), "none of the known layouts"),
        (b"{\"error\":1}".to_vec(), "JSON of a kind that is not read"),
        (b"".to_vec(), "empty"),
        (publication_78(), "expected IRS master file extract, found Publication 78 data"),
    ];
    for (body, says) in files {
        let resource = Resource::new(body);
        check_final(move |request| resource.answer(request), says);
    }
}

#[test]
fn broken_zip_files() {
    let whole = publication_78();
    let mut zeroed = whole.clone();
    let from = whole.len() - 40;
    zeroed[from..].fill(0);
    // A length that is too short ends the file early, and nobody but the file can tell.
    let short = whole[..whole.len() - 1].to_vec();
    for (body, says) in [
        (zeroed, "a damaged ZIP file"),
        (short, "a damaged ZIP file"),
        (revocations(), "found automatic revocation list"),
        (files::zipped(&[]), "nothing in it"),
    ] {
        let server = Server::of(Resource::new(body));
        let bench = Bench::new(&server);
        let plan = Plan { lists: ["publication-78"].into(), ..Plan::default() };
        let report = bench.run(&plan);
        assert!(failure(&report).to_string().contains(says), "{} lacks {says}", failure(&report));
        assert!(bench.listing().is_empty(), "{:?}", bench.listing());
    }
}

#[test]
fn redirects_are_followed_and_end() {
    let resource = Resource::new(master(3));
    let (report, _) = run(move |request| match request.path.as_str() {
        "/pub/irs-soi/eo1.csv" => Answer::status(301, "\nLocation: moved.csv"),
        "/pub/irs-soi/moved.csv" => Answer::status(307, "\nLocation: /new/eo.csv"),
        _ => resource.answer(request),
    });
    assert_eq!(report.files[0].name, "eo1.csv");

    check_final(|_| Answer::status(302, "\nLocation: /pub/irs-soi/eo1.csv"), "more than 5");
    check_final(|_| Answer::status(302, ""), "expected an address, found \"nothing\"");
    check_final(|_| Answer::status(302, "\nLocation: file:///etc/passwd"), "expected an address");
}

#[test]
fn chunks_need_no_length() {
    let body = master(40);
    let sent = body.clone();
    let server = Server::start(move |_| {
        let mut chunks = Vec::new();
        for chunk in sent.chunks(100) {
            chunks.extend(format!("{:x}\r\n", chunk.len()).into_bytes());
            chunks.extend([chunk, b"\r\n"].concat());
        }
        ok("\nTransfer-Encoding: chunked", &[&chunks[..], b"0\r\n\r\n"].concat())
    });
    let bench = Bench::new(&server);
    assert!(bench.run_one().is_complete());
    assert_eq!(bench.read("eo1.csv"), body);
    assert!(bench.told.take().contains(&"started eo1.csv 0/?".to_owned()));
}

#[test]
fn faults_of_servers_pass() {
    for status in [408, 429, 500, 502, 503, 504] {
        let resource = Resource::new(master(3));
        let (report, told) = run(move |request| match request.earlier {
            0 | 1 => Answer::status(status, ""),
            _ => resource.answer(request),
        });
        assert!(report.is_complete(), "{status}");
        let retried = told.iter().filter(|line| *line == "retried eo1.csv").count();
        assert_eq!(retried, 2, "{status}");
    }
    let (report, _) = run(|_| Answer::status(500, ""));
    assert!(matches!(failure(&report), FileError::Status { status: 500, .. }));
    assert_eq!(report.failures[0].attempts, 3);
}

#[test]
fn retry_after_is_heeded() {
    let resource = Resource::new(master(3));
    let begun = std::time::Instant::now();
    let (report, _) = run(move |request| match request.earlier {
        0 => Answer::status(429, "\nRetry-After: 1"),
        _ => resource.answer(request),
    });
    assert!(report.is_complete());
    assert!(begun.elapsed() >= Duration::from_secs(1));
    check_final(|_| Answer::status(503, "\nRetry-After: 3600"), "asks to wait 3600 s");
}

#[test]
fn what_is_no_http() {
    for bytes in [&b"SSH-2.0-x\r\n"[..], b"HTTP/1.1 abc\r\n\r\n", b"", b"\x15\x03\x01\x00\x02"] {
        let (report, _) = run(move |_| Answer::bytes(bytes));
        assert!(matches!(failure(&report), FileError::Connection(_)), "{:?}", failure(&report));
        assert_eq!(report.failures[0].attempts, 3);
    }
    // Two lengths.
    let (report, _) = run(|_| ok("\nContent-Length: 3\nContent-Length: 4", b"abcd"));
    assert!(matches!(failure(&report), FileError::Connection(_)), "{:?}", failure(&report));
}

#[test]
fn heads_that_never_end() {
    let (report, _) =
        run(|_| Answer::bytes(b"HTTP/1.1 200 OK\r\n").repeat(b"X-More: and more\r\n"));
    assert!(matches!(failure(&report), FileError::Connection(_)), "{:?}", failure(&report));

    let server = Server::start(|_| Answer::bytes(b"HTTP/1.1 200 OK\r\nX-More: ").hold());
    let mut bench = Bench::new(&server);
    bench.options.head_timeout = Duration::from_millis(50);
    let report = bench.run_one();
    assert!(failure(&report).to_string().contains("head of the answer did not come"));
    assert_eq!(server.requests().len(), 3);
}

#[test]
fn servers_that_are_not_there() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let mut bench = Bench::new(&Server::start(|_| Answer::status(500, "")));
    bench.options.base_url = Some(format!("http://{address}").parse().unwrap());
    let report = bench.run_one();
    assert!(matches!(failure(&report), FileError::Connection(_)));
}
