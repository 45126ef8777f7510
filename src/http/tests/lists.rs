//! What the lists of stories, metrics and posts make of their parameters, and what they show.

use hyper::StatusCode;
use serde_json::{Value, json};

use super::fixture::{FULL, Service, read};
use crate::http::endpoints::{changes as changes_of, feed as posts, impact};
use crate::http::interface::declared::ListOfNonprofit;
use crate::query::{Area, Filters};
use crate::record::{ChangeKind, Classification, Ein};
use crate::search::changes::{self, Since};
use crate::search::listing::Paging;
use crate::search::{feed, metrics, stories};

fn eins(eins: &[&str]) -> Vec<Ein> {
    eins.iter().map(|ein| ein.parse().unwrap()).collect()
}

#[test]
fn stories_are_asked_for_and_shown() {
    let service = Service::new();
    let all = || stories::Query {
        eins: Vec::new(),
        min_power_score: None,
        about: None,
        paging: Paging { page: 1, size: 20 },
    };
    let of_one = |min_power_score, page, size| stories::Query {
        eins: eins(&["000000000"]),
        min_power_score,
        paging: Paging { page, size },
        ..all()
    };
    for (target, expected) in [
        ("/impact/stories", all()),
        (
            "/impact/stories?q=homes&eins=123456789,000000001&min_power_score=2.5&page=7&size=3",
            stories::Query {
                eins: eins(&["123456789", "000000001"]),
                min_power_score: Some(2.5),
                about: Some("homes".into()),
                paging: Paging { page: 7, size: 3 },
            },
        ),
        ("/impact/stories/000000000", of_one(None, 1, 20)),
        (
            "/impact/stories/000000000?min_power_score=10&size=100&page=9223372036854775807",
            of_one(Some(10.0), i64::MAX.unsigned_abs(), 100),
        ),
    ] {
        let asked =
            read(target, |input| match target.contains("000000000") && !target.contains("eins") {
                true => impact::StoriesOf::read(input).unwrap().query(),
                false => impact::Stories::read(input).unwrap().query(),
            });
        assert_eq!(asked, expected, "{target}");
    }
    let answer = service.json("/impact/stories?page=1&size=1");
    assert_eq!(
        (&answer["total"], &answer["page"], &answer["size"]),
        (&json!(1), &json!(1), &json!(1))
    );
    let item = &answer["items"][0];
    for (key, value) in [
        ("ein", json!("000003154")),
        ("organization_name", json!("Bare")),
        ("obstacles_overcome", json!(["rain"])),
        ("power_score", json!(7.5)),
        ("date_extracted", json!("1970-01-01T00:00:00Z")),
        ("report_year", json!(null)),
    ] {
        assert_eq!(item[key], value, "{key}");
    }
    assert_eq!(item["metrics"][0]["metric_value"], json!(1.0));
}

#[test]
fn metrics_are_asked_for_and_shown() {
    let service = Service::new();
    let all = || metrics::Query {
        eins: Vec::new(),
        metric_ids: Vec::new(),
        metric_type: None,
        paging: Paging { page: 1, size: 20 },
    };
    for (target, expected) in [
        ("/impact/metrics?metric_type=&eins=,", all()),
        (
            "/impact/metrics?metric_ids=a,b&metric_ids=c&metric_type=Meals&eins=000000001",
            metrics::Query {
                eins: eins(&["000000001"]),
                metric_ids: ["a", "b", "c"].map(String::from).to_vec(),
                metric_type: Some("Meals".into()),
                ..all()
            },
        ),
        (
            "/impact/metrics/000000000?size=100",
            metrics::Query {
                eins: eins(&["000000000"]),
                paging: Paging { page: 1, size: 100 },
                ..all()
            },
        ),
    ] {
        let asked =
            read(target, |input| match target.contains("000000000") && !target.contains("eins") {
                true => impact::metrics_of(ListOfNonprofit::read(input).unwrap()),
                false => impact::Metrics::read(input).unwrap().query(),
            });
        assert_eq!(asked, expected, "{target}");
    }
    let answer = service.json("/impact/metrics?metric_ids=m1");
    assert_eq!(answer["items"][0]["date_added"], "1970-01-02T00:00:00Z");
    assert_eq!(answer["items"][0]["unit"], Value::Null);
}

#[test]
fn posts_are_asked_for_and_shown() {
    let service = Service::new();
    let all = || feed::Query {
        classification: None,
        words: None,
        followed: None,
        filters: Filters::default(),
        paging: Paging { page: 1, size: 10 },
    };
    let area = Area {
        state: "OH".parse().ok(),
        county: Some("Franklin".into()),
        city: Some("Columbus".into()),
        zip: "43215".parse().ok(),
        near: None,
    };
    for (target, expected) in [
        ("/feed/posts?search=&view=latest&eins=123456789", all()),
        ("/feed/posts?view=following", feed::Query { followed: Some(Vec::new()), ..all() }),
        (
            "/feed/posts?view=following&eins=123456789",
            feed::Query { followed: Some(eins(&["123456789"])), ..all() },
        ),
        (
            "/feed/posts?classification=volunteer_opportunity&search=help+out",
            feed::Query {
                classification: Some(Classification::VolunteerOpportunity),
                words: Some("help out".into()),
                ..all()
            },
        ),
        (
            "/feed/posts?state=oh&county=Franklin&city=Columbus&zip_code=43215&ntee_codes=a,B20",
            feed::Query {
                filters: Filters {
                    areas: vec![area],
                    ntee_prefixes: vec!["a".into(), "B20".into()],
                    ..Filters::default()
                },
                ..all()
            },
        ),
    ] {
        let asked = read(target, |input| posts::Params::read(input).unwrap().query());
        assert_eq!(asked, expected, "{target}");
    }
    let item = &service.json("/feed/posts")["items"][0];
    for (key, value) in [
        ("organization_ein", json!(FULL)),
        ("organization_name", json!("American National Red Cross")),
        ("organization_city", json!("Washington")),
        ("organization_state", json!("DC")),
        ("post_classification", json!("job_posting")),
        ("post_published_date", json!("1970-01-02T00:00:00Z")),
        ("post_tags", json!(["a"])),
    ] {
        assert_eq!(item[key], value, "{key}");
    }
}

#[test]
fn changes_are_asked_for_and_shown() {
    let service = Service::new();
    let all = || changes::Query {
        since: Since::First,
        eins: Vec::new(),
        state: None,
        kinds: Vec::new(),
        paging: Paging { page: 1, size: 20 },
    };
    for (target, expected) in [
        ("/changes", all()),
        (
            "/changes?since=2026-01-02&eins=123456789&state=oh&kind=moved,revoked&page=3&size=2",
            changes::Query {
                since: Since::Day("2026-01-02".parse().unwrap()),
                eins: eins(&["123456789"]),
                state: "OH".parse().ok(),
                kinds: vec![ChangeKind::Moved, ChangeKind::Revoked],
                paging: Paging { page: 3, size: 2 },
            },
        ),
        (
            "/changes?since=0001-01-01",
            changes::Query { since: Since::Day("1800-01-01".parse().unwrap()), ..all() },
        ),
        (
            "/changes?since=20260102T030405Z-06070809",
            changes::Query { since: Since::Snapshot("20260102T030405Z-06070809".into()), ..all() },
        ),
    ] {
        let asked = read(target, |input| changes_of::Params::read(input).unwrap().query());
        assert_eq!(asked, expected, "{target}");
    }
    let gone = service.get("/changes?since=20240102T030405Z-06070809");
    assert_eq!(gone.status, StatusCode::UNPROCESSABLE_ENTITY);
    let said = String::from_utf8(gone.body).unwrap();
    assert!(said.contains("since should be a day, or a snapshot that is remembered"), "{said}");
    for refused in [
        "since=gone",
        "since=2026-02-30",
        "since=-200-01-01",
        "since=20260102T030405Z-0607080",
        "kind=x",
        "size=101",
        "size=1000000",
    ] {
        let answer = service.get(&format!("/changes?{refused}"));
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{refused}");
    }
    let feed = service.get("/changes.atom");
    assert_eq!(feed.headers["content-type"], "application/atom+xml; charset=utf-8");
    let feed = String::from_utf8(feed.body).unwrap();
    for part in [
        "<feed xmlns=\"http://www.w3.org/2005/Atom\">",
        "<title>American National Red Cross (EIN 530196605): moved</title>",
        "<category term=\"moved\"/>",
        "<summary>moved: 1 M &amp; &lt;N&gt; St, Washington, DC 20006 → 430 17th St NW,",
    ] {
        assert!(feed.contains(part), "{part}: {feed}");
    }
}
