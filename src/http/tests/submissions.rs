//! Endpoints that take a body: keys, methods, what is refused and what is answered.

use hyper::{Method, StatusCode};
use serde_json::{Value, json};

use super::fixture::{BARE, FULL, Service};
use crate::http::app::Options;

/// Valid bodies of every endpoint.
pub(super) const SENT: [(&str, &str); 3] = [
    (
        "/match",
        r#"{"queries": [{"id": "a", "name": "American Nat'l Red Cross", "other_names": ["Red Cross"],
            "street": "430 17th Street NW", "city": "Washington", "state": "DC", "zip": "20006",
            "ein": null}], "limit": 2}"#,
    ),
    ("/nonprofits/batch", r#"{"eins": ["530196605", "99-9999999", "000003154"]}"#),
    ("/nonprofits/batch", r#"{"eins": ["530196605"], "fields": ["name", "ein"]}"#),
];

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
    assert_eq!(
        reply["results"][499],
        json!({ "id": null, "decision": "no", "ein": null, "candidates": [] })
    );
}

#[test]
fn batches() {
    let service = Service::new();
    let all = service.submit("/nonprofits/batch", SENT[1].1).json();
    assert_eq!(all[0], service.json(&format!("/nonprofits/details/{FULL}")));
    assert_eq!((&all[1], &all[2]["ein"]), (&Value::Null, &json!(BARE)));
    let some = service.submit("/nonprofits/batch", SENT[2].1).json();
    assert_eq!(some[0].as_object().unwrap().len(), 2);
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
        (
            "/match",
            json!({ "queries": [{ "name": "x".repeat(257) }] }),
            r#"["body","queries",0,"name"] "string_too_long""#,
        ),
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
