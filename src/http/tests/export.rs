//! Whole results: what is sent, what continues it, and who is refused. `tests/it/whole_results.rs` compares the rows with those
//! of the command.

use hyper::{Method, StatusCode};
use serde_json::Value;

use super::fixture::{BARE, FIXTURE, FULL, Reply, Service};
use crate::http::{Access, Options};

fn ask(service: &Service, target: &str, headers: &[(&str, &str)]) -> Reply {
    let key = ("x-api-key", service.key.as_str());
    service.ask(Method::GET, target, &[&[key], headers].concat())
}

fn text(reply: &Reply) -> String {
    String::from_utf8(reply.body.clone()).unwrap()
}

/// The EINs of lines of JSON.
fn eins(reply: &Reply) -> Vec<String> {
    let ein = |line: &str| {
        let row: Value = serde_json::from_str(line).unwrap();
        row["ein"].as_str().unwrap().to_owned()
    };
    text(reply).lines().map(ein).collect()
}

#[test]
fn rows_are_those_of_the_search_with_the_same_filters() {
    let service = Service::new();
    for query in
        ["", "?state=DC", "?state=OH", "?q=red+cross", "?min_revenue=1", "?impact_url=true"]
    {
        let reply = service.get(&format!("/export.ndjson{query}"));
        assert_eq!(reply.status, StatusCode::OK, "{query} {reply:?}");
        let found = service.json(&format!("/nonprofits/search{query}"));
        let mut expected: Vec<_> = found["items"].as_array().unwrap().iter().collect();
        expected.sort_by_key(|row| row["ein"].as_str().unwrap().to_owned());
        let mut exported = eins(&reply);
        exported.sort();
        let expected: Vec<_> = expected.iter().map(|row| row["ein"].as_str().unwrap()).collect();
        assert_eq!(exported, expected, "{query}");
        assert_eq!(reply.header("x-total-count"), found["total"].to_string(), "{query}");
    }
    let csv = service.get("/export.csv?fields=name,ein&state=DC");
    assert_eq!(text(&csv), format!("name,ein\nAmerican National Red Cross,{FULL}\n"));
    assert_eq!(csv.header("content-type"), "text/csv; charset=utf-8; header=present");
    let snapshot = &FIXTURE.snapshot.manifest.snapshot;
    let named = format!("attachment; filename=\"nonprofits-{snapshot}.csv\"");
    assert_eq!(csv.header("content-disposition"), named);
    let ignored = service.get("/export.csv?page=2");
    assert_eq!(ignored.header("x-almoner-ignored"), "page");
    assert_eq!(
        service.refused("/export.csv?fields=nmae&state=DC"),
        ["query.fields.0 literal_error"]
    );
    assert_eq!(service.refused("/export.csv?latitude=1"), ["query.longitude missing"]);
}

#[test]
fn what_was_cut_off_is_continued_in_the_same_snapshot_only() {
    let service = Service::new();
    let whole = service.get("/export.ndjson");
    let tag = whole.header("etag").to_owned();
    let all = eins(&whole);
    assert_eq!(all.len(), 2);
    let rest = format!("/export.ndjson?after={}", all[0]);
    assert_eq!(eins(&ask(&service, &rest, &[("if-match", &tag)])), all[1..]);
    let last = format!("/export.ndjson?after={}", all[1]);
    assert_eq!(eins(&ask(&service, &last, &[("if-match", &tag)])), Vec::<String>::new());
    // The tag of another encoding names the same rows.
    let packed = ask(&service, "/export.ndjson", &[("accept-encoding", "gzip")]);
    assert_ne!(packed.header("etag"), tag);
    assert_eq!(packed.header("content-encoding"), "gzip");
    let tag_of_packed = packed.header("etag").to_owned();
    assert_eq!(eins(&ask(&service, &rest, &[("if-match", &tag_of_packed)])), all[1..]);
    assert_eq!(service.get(&rest).status, StatusCode::PRECONDITION_REQUIRED);
    let known = ask(&service, "/export.ndjson", &[("if-none-match", &tag)]);
    assert_eq!(known.status, StatusCode::NOT_MODIFIED);
    let unknown = ask(&service, "/export.csv?after=999999999", &[("if-match", &tag)]);
    assert_eq!(unknown.status, StatusCode::UNPROCESSABLE_ENTITY);
    service.app.swap(FIXTURE.before.clone());
    let other = ask(&service, &rest, &[("if-match", &tag)]);
    assert_eq!(other.status, StatusCode::PRECONDITION_FAILED, "{other:?}");
    assert!(other.json()["detail"].as_str().unwrap().contains("begin again"), "{other:?}");
}

#[test]
fn a_key_has_one_export_at_a_time() {
    let service = Service::new();
    let key: std::sync::Arc<str> = {
        let found = service.app.keys().find(service.key.as_bytes());
        found.unwrap()
    };
    let slot = service.app.exports().take_slot(&key).unwrap();
    let second = service.get("/export.csv");
    assert_eq!(second.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(second.header("retry-after"), "10");
    // Who only looks takes no slot.
    let head = service.ask(Method::HEAD, "/export.csv", &[("x-api-key", &service.key)]);
    assert_eq!((head.status, head.body.len()), (StatusCode::OK, 0));
    assert!(head.headers.get("content-length").is_none(), "{head:?}");
    let another = service.another_key();
    let reply = service.ask(Method::GET, "/export.csv", &[("x-api-key", &another)]);
    assert!(text(&reply).contains(BARE), "{reply:?}");
    drop(slot);
    assert_eq!(service.get("/export.csv").status, StatusCode::OK);
}

#[test]
fn whole_results_need_a_key_on_a_page_for_everybody() {
    let service = Service::with(Options { access: Access::Page, ..Options::default() });
    let page = [("x-almoner-page", "1")];
    let search = service.ask(Method::GET, "/nonprofits/search", &page);
    assert_eq!(search.status, StatusCode::OK);
    let export = service.ask(Method::GET, "/export.csv", &page);
    assert_eq!(export.status, StatusCode::UNAUTHORIZED);
}

#[test]
fn parquet_is_written_by_programs_that_can() {
    let service = Service::new();
    let reply = service.get("/export.parquet?fields=ein,name");
    if cfg!(feature = "tables") {
        assert!(reply.body.starts_with(b"PAR1") && reply.body.ends_with(b"PAR1"), "{reply:?}");
        assert_eq!(reply.header("content-type"), "application/vnd.apache.parquet");
    } else {
        assert_eq!(reply.status, StatusCode::NOT_IMPLEMENTED);
        assert!(reply.json()["detail"].as_str().unwrap().contains("/export.csv"), "{reply:?}");
    }
}
