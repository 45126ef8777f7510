//! Returns of a year: index, batches, what batches go on in, and years without any.

use super::files::{index, returns};
use super::server::Resource;
use super::*;

/// A server of a year's index and of these ZIP files, by their names.
fn server(year: &str, listed: &[(u64, &str)], zips: Vec<(&'static str, Vec<u8>)>) -> Server {
    let (index, listed) = (format!("index_{year}.csv"), files::index(listed));
    Server::start(move |request| {
        if request.name() == index {
            return Resource::new(listed.clone()).answer(request);
        }
        match zips.iter().find(|(name, _)| *name == request.name()) {
            Some((_, body)) => Resource::new(body.clone()).answer(request),
            None => Answer::status(404, ""),
        }
    })
}

fn names(report: &Report) -> Vec<&str> {
    report.files.iter().map(|file| file.name.as_str()).collect()
}

#[test]
fn batches_of_an_index_and_what_they_go_on_in() {
    let listed = [
        (1, "2025_TEOS_XML_01A"),
        (2, "2025_TEOS_XML_05a"),
        (3, "2025_TEOS_XML_05a"),
        (4, "2025_TEOS_XML_05a"),
        (5, "2025_TEOS_XML_11A"),
        (6, "2025_TEOS_XML_11B"),
    ];
    let server = server(
        "2025",
        &listed,
        vec![
            ("2025_TEOS_XML_01A.zip", returns(1..2)),
            ("2025_TEOS_XML_05A.zip", returns(2..3)),
            ("2025_TEOS_XML_05B.zip", returns(3..5)),
            ("2025_TEOS_XML_11A.zip", returns(5..6)),
            ("2025_TEOS_XML_11B.zip", returns(6..7)),
        ],
    );
    let bench = Bench::new(&server);
    let report = bench.run(&years(&["2025"]));
    assert!(report.is_complete(), "{:?}", report.failures);
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
    assert_eq!(
        names(&report),
        [
            "index_2025.csv",
            "2025_TEOS_XML_01A.zip",
            "2025_TEOS_XML_05A.zip",
            "2025_TEOS_XML_05B.zip",
            "2025_TEOS_XML_11A.zip",
            "2025_TEOS_XML_11B.zip"
        ]
    );
    assert_eq!(server.requests().len(), 6);
    let again = bench.run(&years(&["2025"]));
    assert!(again.files.iter().all(|file| !file.is_new));
    assert_eq!(again.files.len(), 6);
}

#[test]
fn batches_that_are_short_are_told() {
    let listed = [(1, "2024_TEOS_XML_01A"), (2, "2024_TEOS_XML_01A")];
    let server = server("2024", &listed, vec![("2024_TEOS_XML_01A.zip", returns(1..2))]);
    let bench = Bench::new(&server);
    let report = bench.run(&years(&["2024"]));
    assert!(report.is_complete());
    assert!(report.warnings[0].contains("have 1 returns, and its index lists 2"));
    assert!(bench.told.take().contains(&"absent 2024_TEOS_XML_01B.zip".to_owned()));
}

#[test]
fn files_that_are_spelled_as_the_index_does() {
    let server =
        server("2024", &[(1, "2024_TEOS_XML_05a")], vec![("2024_TEOS_XML_05a.zip", returns(1..2))]);
    let report = Bench::new(&server).run(&years(&["2024"]));
    assert_eq!(names(&report), ["index_2024.csv", "2024_TEOS_XML_05a.zip"]);
}

#[test]
fn a_batch_that_is_not_there_is_a_failure_and_others_go_on() {
    let listed = [(1, "2024_TEOS_XML_01A"), (2, "2024_TEOS_XML_02a"), (3, "2024_TEOS_XML_03A")];
    let server = server("2024", &listed, vec![("2024_TEOS_XML_03A.zip", returns(3..4))]);
    let report = Bench::new(&server).run(&years(&["2024"]));
    let failed: Vec<&str> = report.failures.iter().map(|failure| failure.name.as_str()).collect();
    assert_eq!(failed, ["2024_TEOS_XML_01A.zip", "2024_TEOS_XML_02a.zip"]);
    assert_eq!(names(&report), ["index_2024.csv", "2024_TEOS_XML_03A.zip"]);
    assert!(report.warnings.is_empty());
}

#[test]
fn years_of_the_table() {
    let server = server(
        "2022",
        &[(1, ""), (2, "")],
        vec![("2022_TEOS_XML_01A.zip", returns(1..2)), ("2022_TEOS_XML_02A.zip", returns(2..3))],
    );
    let report = Bench::new(&server).run(&years(&["2022"]));
    assert!(report.is_complete() && report.warnings.is_empty(), "{report:?}");
    assert_eq!(
        names(&report),
        ["index_2022.csv", "2022_TEOS_XML_01A.zip", "2022_TEOS_XML_02A.zip"]
    );
}

#[test]
fn years_of_the_table_need_no_index() {
    let server = Server::start(|request| match request.name() {
        "2021_TEOS_XML_01A.zip" => Resource::new(returns(1..2)).answer(request),
        // As the IRS's server answers: a page that says that there is nothing.
        _ => Answer::raw("HTTP/1.1 200 OK\nContent-Length: 6\nContent-Type: text/html", b"<html>"),
    });
    let report = Bench::new(&server).run(&years(&["2021"]));
    assert_eq!(report.failures[0].name, "index_2021.csv");
    assert_eq!(names(&report), ["2021_TEOS_XML_01A.zip"]);
}

#[test]
fn years_of_which_nothing_is_known() {
    let server = server("2030", &[(1, "")], Vec::new());
    let report = Bench::new(&server).run(&years(&["2030"]));
    assert_eq!(report.failures[0].name, "the returns of 2030");
    assert!(failure(&report).to_string().contains("expected XML_BATCH_ID in the index"));
    // Without an index that is the one thing that is wrong.
    let nothing = Server::start(|_| Answer::status(404, ""));
    let report = Bench::new(&nothing).run(&years(&["2030"]));
    assert_eq!(report.failures.len(), 1);
    assert_eq!(report.failures[0].name, "index_2030.csv");
}

#[test]
fn indexes_that_are_none() {
    for (text, says) in [
        (Vec::new(), "empty"),
        (b"EIN,NAME\r\n".to_vec(), "none of the known layouts"),
        (files::publication_78(), "expected index of e-filed returns, found Publication 78 data"),
    ] {
        let server = Server::of(Resource::new(text));
        let report = Bench::new(&server).run(&years(&["2030"]));
        let found = failure(&report).to_string();
        assert!(found.contains(says), "{found}");
    }
    assert!(index(&[(1, "")]).starts_with(b"RETURN_ID"));
}
