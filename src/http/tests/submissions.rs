//! Endpoints that take a body: keys, methods, what is refused and what is answered.

use hyper::{Method, Request, StatusCode};
use serde_json::{Value, json};

use super::fixture::{BARE, FIXTURE, FULL, Service};
use crate::http::Options;
use crate::http::server::app::Trust;
use crate::http::server::limits::SEARCH_TARGET_BYTES_MAX;
use crate::http::server::pool::Lane;
use crate::matching::{self, Decision, Query, YesMin};

/// Valid bodies of every endpoint.
pub(super) const SENT: [(&str, &str); 4] = [
    (
        "/match",
        r#"{"queries": [{"id": "a", "name": "American Nat'l Red Cross", "other_names": ["Red Cross"],
            "street": "430 17th Street NW", "city": "Washington", "state": "DC", "zip": "20006",
            "ein": null}], "limit": 2}"#,
    ),
    ("/nonprofits/batch", r#"{"eins": ["530196605", "99-9999999", "000003154"]}"#),
    ("/nonprofits/batch", r#"{"eins": ["530196605"], "fields": ["name", "ein"]}"#),
    (
        "/reconcile/match",
        r#"{"queries": [
            {"type": "nonprofit", "limit": 5, "conditions": [
                {"matchType": "name", "propertyValue": "American Nat'l Red Cross"},
                {"matchType": "property", "propertyId": "state", "propertyValue": ["DC"], "required": true,
                    "matchQuantifier": "any"},
                {"matchType": "property", "propertyId": "phone", "propertyValue": 1}]},
            {"conditions": [{"matchType": "id", "propertyValue": "x"}]}]}"#,
    ),
];

#[test]
fn no_search_waits_behind_lists_and_long_texts() {
    let service = Service::new();
    let lane = |method: Method, target: &str| {
        let request = Request::builder().method(method).uri(target).body(()).unwrap();
        service.app.open_exchange(request.into_parts().0, Trust::Own).0.lane()
    };
    let text = |bytes: usize| format!("/chat?q={}", "a".repeat(bytes - "/chat?q=".len()));
    assert_eq!(lane(Method::GET, &text(SEARCH_TARGET_BYTES_MAX)), Lane::Searches);
    assert_eq!(lane(Method::GET, &text(SEARCH_TARGET_BYTES_MAX + 1)), Lane::Submissions);
    assert_eq!(lane(Method::POST, "/match"), Lane::Submissions);
}

#[test]
fn keys_and_methods() {
    let service = Service::new();
    let key = [("x-api-key", service.key.as_str())];
    for (target, sent) in SENT {
        assert_eq!(service.ask(Method::POST, target, &[]).status, StatusCode::UNAUTHORIZED);
        assert_eq!(service.submit(target, sent).status, StatusCode::OK, "{target}");
        for method in [Method::GET, Method::HEAD, Method::PUT, Method::DELETE, Method::OPTIONS] {
            let reply = service.ask(method, target, &key);
            assert_eq!(reply.status, StatusCode::METHOD_NOT_ALLOWED, "{target}");
            assert_eq!(reply.header("allow"), "POST");
        }
    }
    let unready = Service::unready(Options::default());
    assert_eq!(unready.submit(SENT[0].0, SENT[0].1).status, StatusCode::SERVICE_UNAVAILABLE);
}

#[test]
fn matches() {
    let reply = Service::new().submit("/match", SENT[0].1).json();
    let found = &reply["results"][0];
    assert_eq!((&found["id"], &found["candidates"][0]["ein"]), (&json!("a"), &json!(FULL)));
    assert_ne!(found["decision"], "no");
    assert_eq!(found["candidates"][0]["features"]["street"], 1.0);
    assert!(!found["candidates"][0]["reasons"].as_array().unwrap().is_empty());
    let queries = vec![json!({ "name": "" }); 500];
    let reply = Service::new().submit("/match", &json!({ "queries": queries }).to_string()).json();
    assert_eq!(reply["results"].as_array().unwrap().len(), 500);
    let reason = "the row has neither a name nor an EIN";
    assert_eq!(
        reply["results"][499],
        json!({ "id": null, "decision": "no", "ein": null, "candidates": [], "reason": reason })
    );
}

#[test]
fn decisions_alone_are_those_of_all_candidates() {
    let snapshot = &*FIXTURE.snapshot;
    let row = |name: &str, zip: &str| Query {
        name: name.to_owned(),
        city: "Washington".to_owned(),
        state: "DC".to_owned(),
        zip: zip.to_owned(),
        ..Query::default()
    };
    let mut decisions = Vec::new();
    for query in [
        row("American National Red Cross", "20006"),
        row("American National Red Cross", ""),
        row("Amercian Red Cross", "20006"),
        row("Nobody of That Name", "20006"),
        Query::default(),
    ] {
        let found = matching::find(snapshot.into(), &query, YesMin::default()).unwrap();
        let likeliest = found.candidates.first().filter(|_| found.decision == Decision::Yes);
        let certain = matching::find_certain(snapshot.into(), &query, YesMin::default()).unwrap();
        assert_eq!(certain.map(|one| one.0), likeliest.map(|one| one.org), "{query:?}");
        decisions.push(certain.is_some());
    }
    assert!(decisions.contains(&true) && decisions.contains(&false), "{decisions:?}");
}

#[test]
fn a_text_that_is_too_long_costs_its_own_row_only() {
    let long = "x".repeat(257);
    let rows = [
        (json!({ "id": "1", "name": long }), "name: String should have at most 256 characters"),
        (
            json!({ "id": "2", "name": "a", "zip": long, "other_names": ["b", long] }),
            "zip: String should have at most 256 characters; \
             other_names.1: String should have at most 256 characters",
        ),
        (json!({ "id": long, "name": "a" }), "id: String should have at most 64 characters"),
    ];
    let sent: Vec<&Value> = rows.iter().map(|(row, _)| row).collect();
    let mut sent = json!({ "queries": sent });
    let mut found: Value = serde_json::from_str(SENT[0].1).unwrap();
    sent["queries"].as_array_mut().unwrap().push(found["queries"][0].take());
    let reply = Service::new().submit("/match", &sent.to_string()).json();
    for (at, (_, reason)) in rows.iter().enumerate() {
        let result = &reply["results"][at];
        assert_eq!((&result["decision"], &result["reason"]), (&json!("no"), &json!(reason)));
    }
    assert_eq!(reply["results"][1]["id"], "2");
    assert_eq!(reply["results"][3]["candidates"][0]["ein"], FULL);
    // What no list holds is refused as before.
    let wrong = json!({ "queries": [{ "name": "x".repeat(257) }, { "name": 1 }] });
    let body = Service::new().submit("/match", &wrong.to_string()).json();
    assert_eq!(body["detail"].as_array().unwrap().len(), 1);
    assert_eq!(body["detail"][0]["loc"], json!(["body", "queries", 1, "name"]));
}

#[test]
fn batches() {
    let service = Service::new();
    let all = service.submit("/nonprofits/batch", SENT[1].1).json();
    assert_eq!(all[0], service.json(&format!("/nonprofits/details/{FULL}")));
    assert_eq!((&all[1], &all[2]["ein"]), (&Value::Null, &json!(BARE)));
    let some = service.submit("/nonprofits/batch", SENT[2].1).json();
    assert_eq!(some[0].as_object().unwrap().len(), 2);
    let names = ["ein", "exemption", "deductible", "assets", "county", "gross_receipts"];
    let asked = json!({ "eins": ["530196605"], "fields": names }).to_string();
    let shown = service.submit("/nonprofits/batch", &asked).json();
    let standing = service.json(&format!("/nonprofits/standing/{FULL}"));
    for name in names {
        assert_eq!(shown[0][name], standing[name], "{name}");
    }
    assert_eq!(shown[0].as_object().unwrap().len(), names.len());
    let none = r#"{"eins": ["530196605"], "fields": []}"#;
    assert_eq!(service.submit("/nonprofits/batch", none).json()[0], all[0]);
}

#[test]
fn what_is_refused() {
    let service = Service::new();
    let refused = |target: &str, sent: &Value| {
        let reply = service.submit(target, &sent.to_string());
        assert_eq!(reply.status, StatusCode::UNPROCESSABLE_ENTITY, "{reply:?}");
        let body = reply.json();
        format!("{} {}", body["detail"][0]["loc"], body["detail"][0]["type"])
    };
    let many = vec![json!({ "name": "a" }); 501];
    for (target, sent, expected) in [
        ("/match", json!([]), r#"["body"] "dict_type""#),
        ("/match", json!({}), r#"["body","queries"] "missing""#),
        ("/match", json!({ "queries": many }), r#"["body","queries"] "too_long""#),
        ("/match", json!({ "queries": [{}] }), r#"["body","queries",0,"name"] "missing""#),
        ("/match", json!({ "queries": [], "limit": 0 }), r#"["body","limit"] "value_error""#),
        ("/nonprofits/batch", json!({ "eins": ["1"] }), r#"["body","eins",0] "value_error""#),
        (
            "/nonprofits/batch",
            json!({ "eins": [FULL], "fields": ["nmae"] }),
            r#"["body","fields",0] "value_error""#,
        ),
    ] {
        assert_eq!(refused(target, &sent), expected);
    }
    let reply = service.submit("/match", "no JSON");
    assert_eq!(reply.json()["detail"][0]["type"], "json_invalid");
}
