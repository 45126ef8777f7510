//! The reconciliation service: who is answered, what, and how what is wrong is told.

use hyper::{Method, StatusCode};
use serde_json::{Value, json};

use super::fixture::{BARE, FULL, Reply, Service};
use crate::http::Options;
use crate::http::endpoints::r#match::QUERIES_MAX;
use crate::http::interface::path_key;

const FORM: &str = "application/x-www-form-urlencoded";

/// A form with one field.
fn form(name: &str, value: &Value) -> String {
    form_urlencoded::Serializer::new(String::new()).append_pair(name, &value.to_string()).finish()
}

/// A POST of a form, with the key in the path.
fn post(service: &Service, body: &str) -> Reply {
    let target = format!("/reconcile/{}", service.key);
    service.post(&target, &[("content-type", FORM), ("host", "a.example")], body)
}

fn results(service: &Service, queries: &Value) -> Value {
    let reply = post(service, &form("queries", queries));
    assert_eq!(reply.status, StatusCode::OK, "{reply:?}");
    reply.json()
}

#[test]
fn queries_by_form_and_by_query_string() {
    let service = Service::new();
    let queries = json!({
        "q0": { "query": "American Nat'l Red Cross", "type": "nonprofit", "limit": 2, "properties": [
            { "pid": "street", "v": "430 17th Street NW" },
            { "pid": "City", "v": { "id": "x", "name": "Washington" } },
            { "pid": "state", "v": ["DC"] },
            { "pid": "postal_code", "v": 20006 },
        ] },
        "q1": { "query": "53-0196605" },
        "q2": { "properties": [{ "pid": "ein", "v": 3154 }] },
        "q3": { "query": "Red Cross", "type": ["foundation"], "type_strict": "any" },
    });
    let found = results(&service, &queries);
    let first = &found["q0"]["result"][0];
    assert_eq!(
        (&first["id"], &first["name"]),
        (&json!(FULL), &json!("American National Red Cross"))
    );
    assert_eq!(first["type"], json!([{ "id": "nonprofit", "name": "Nonprofit" }]));
    assert!(first["description"].as_str().unwrap().starts_with("Washington, DC"), "{first}");
    let features = first["features"].as_array().unwrap();
    let street = features.iter().find(|one| one["id"] == "street").unwrap();
    assert_eq!(street["value"], 1.0);
    let score = first["score"].as_f64().unwrap();
    assert!((1.0..=100.0).contains(&score), "{score}");
    for (id, ein) in [("q1", FULL), ("q2", BARE)] {
        let only = &found[id]["result"];
        assert_eq!((only[0]["id"].as_str(), only.as_array().unwrap().len()), (Some(ein), 1));
        assert_eq!((&only[0]["score"], &only[0]["match"]), (&json!(100.0), &json!(true)));
    }
    // Its foundation code is another one.
    assert_eq!(found["q3"], json!({ "result": [] }));
    let target = format!("/reconcile?{}", form("queries", &queries));
    assert_eq!(service.json(&target), found);
}

#[test]
fn one_bad_query_loses_no_other() {
    let service = Service::new();
    let good = json!({ "query": "American National Red Cross" });
    for (bad, expected) in [
        (
            json!({ "query": "Red Cross", "limit": 0 }),
            "limit: Value error, expected a number from 1",
        ),
        (json!({ "query": {} }), "query: Value error, expected a text, a number"),
        (json!({ "limit": 3 }), "query: Value error, expected a name, or an EIN"),
        (json!({ "query": "a", "type": "person" }), "type: Value error, expected nonprofit or"),
        (json!({ "query": "a", "properties": [{ "v": 1 }] }), "properties.0.pid: Field required"),
        (
            json!({ "query": "a", "properties": [{ "pid": "city", "v": [null] }] }),
            "properties.0.v: Value error, expected a text, a number",
        ),
        (json!("Red Cross"), "Input should be a valid dictionary"),
    ] {
        let found = results(&service, &json!({ "bad": bad, "good": good }));
        let error = found["bad"]["error"].as_str().unwrap();
        assert!(error.starts_with(expected), "{error}");
        assert_eq!(found["bad"]["result"], json!([]));
        assert_eq!(found["good"]["result"][0]["id"], FULL);
    }
    let odd =
        json!({ "a": { "query": "Red Cross", "properties": [{ "pid": "phone", "v": "1" }] } });
    assert_eq!(results(&service, &odd)["a"]["ignored"], json!(["phone"]));
}

#[test]
fn what_is_refused() {
    let service = Service::new();
    let target = format!("/reconcile/{}", service.key);
    let told = |reply: Reply| (reply.status.as_u16(), reply.json());
    let (status, body) = told(post(&service, "queries=%7B%22a%22%3A%7B%7D%2C%7D"));
    assert_eq!((status, &body["detail"][0]["type"]), (422, &json!("json_invalid")));
    assert!(
        body["detail"][0]["ctx"]["error"].as_str().unwrap().contains("line 1 column 9"),
        "{body}"
    );
    assert_eq!(body["detail"][0]["loc"], json!(["query", "queries"]));
    for (sent, place) in [
        ("", r#"["query","queries"]"#),
        ("queries=%7B%7D&extend=%7B%7D", r#"["query","extend"]"#),
        ("queries=%5B%5D", r#"["query","queries"]"#),
        ("extend=%7B%7D", r#"["query","extend","ids"]"#),
    ] {
        let (status, body) = told(post(&service, sent));
        assert_eq!(
            (status, body["detail"][0]["loc"].to_string()),
            (422, place.to_owned()),
            "{sent}"
        );
    }
    let many: serde_json::Map<String, Value> =
        (0..=QUERIES_MAX).map(|at| (format!("q{at}"), json!({ "query": "a" }))).collect();
    let (status, body) = told(post(&service, &form("queries", &json!(many))));
    assert_eq!((status, body["detail"].to_string().contains("at most 500")), (413, true), "{body}");
    let ids = vec![FULL; QUERIES_MAX + 1];
    let sent = form("extend", &json!({ "ids": ids, "properties": [] }));
    assert_eq!(post(&service, &sent).status, StatusCode::PAYLOAD_TOO_LARGE);
    let reply = service.post(&target, &[("content-type", "application/json")], "{}");
    assert_eq!(reply.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert!(reply.json()["detail"].as_str().unwrap().contains(FORM));
    let unready = Service::unready(Options::default());
    assert_eq!(post(&unready, "queries=%7B%7D").status, StatusCode::SERVICE_UNAVAILABLE);
}

#[test]
fn keys_in_the_path_and_the_manifest() {
    let service = Service::new();
    let ask = |service: &Service, target: &str, headers: &[(&str, &str)]| {
        service.ask(Method::GET, target, headers)
    };
    let host = [("host", "a.example:8080"), ("x-forwarded-proto", "https")];
    let open = ask(&service, "/reconcile", &host).json();
    assert_eq!(open["suggest"]["entity"]["service_url"], "https://a.example:8080/reconcile");
    assert_eq!(open["authentication"]["name"], "X-API-Key");
    assert_eq!(
        (&open["versions"], &open["batchSize"]),
        (&json!(["0.1", "0.2"]), &json!(QUERIES_MAX))
    );
    assert_eq!(open["view"]["url"], "https://a.example:8080/#/nonprofit/{{id}}");
    let keyed = format!("/reconcile/{}", service.key);
    let own = ask(&service, &keyed, &host[..1]).json();
    let base = format!("http://a.example:8080{keyed}");
    assert_eq!(own["preview"]["url"], format!("{base}/preview/{{{{id}}}}"));
    assert_eq!(own["extend"]["propose_properties"]["service_url"], base);
    assert!(own.get("authentication").is_none(), "{own}");
    let strange = ask(&service, "/reconcile", &[("host", "a\"b")]).json();
    assert_eq!(strange["documentation"], "/docs");
    let key = service.key.as_str();
    for (target, headers, status) in [
        ("/reconcile?queries=%7B%7D".to_owned(), &[][..], 401),
        ("/reconcile/wrong".to_owned(), &[], 401),
        ("/reconcile".to_owned(), &[("x-api-key", "wrong")], 401),
        (format!("/reconcile/{key}"), &[("x-api-key", key)], 401),
        ("/reconcile/wrong/suggest/type".to_owned(), &[], 401),
        (format!("/reconcile/{key}/suggest/type"), &[], 200),
        (format!("/reconcile/{key}/preview/{FULL}"), &[], 200),
        (format!("/reconcile/{key}/nope"), &[], 404),
        // Elsewhere a key in the path is none.
        (format!("/coverage/{key}"), &[("x-api-key", key)], 404),
    ] {
        assert_eq!(ask(&service, &target, headers).status, status, "{target}");
    }
    let private = Service::with(Options { private: true, ..Options::default() });
    assert_eq!(ask(&private, "/reconcile", &[]).status, StatusCode::UNAUTHORIZED);
}

#[test]
fn keys_in_the_path_are_not_seen_again() {
    let service = Service::new();
    let target = format!("/reconcile/{}/suggest/type", service.key);
    let (parts, ()) = hyper::Request::get(&target).body(()).unwrap().into_parts();
    let (parts, key) = path_key::without_key(parts);
    assert!(key.is_some() && !format!("{parts:?}").contains(&service.key));
    service.ask(Method::GET, &target, &[]);
    let counted = service.get("/metrics").body;
    let counted = String::from_utf8(counted).unwrap();
    assert!(counted.contains("endpoint=\"/reconcile/suggest/type\",status=\"200\""), "{counted}");
    assert!(!counted.contains(&service.key));
}

#[test]
fn pages_of_other_origins() {
    let service = Service::with(Options {
        cors_origin: Some(hyper::header::HeaderValue::from_static("https://own.example")),
        ..Options::default()
    });
    let origin = [("origin", "https://refine.example"), ("access-control-request-method", "POST")];
    let reply = service.ask(Method::OPTIONS, "/reconcile", &origin);
    assert_eq!(reply.status, StatusCode::NO_CONTENT);
    assert_eq!(reply.header("access-control-allow-methods"), "GET, HEAD, POST");
    for (target, status) in [("/reconcile", 200), ("/reconcile?queries=%7B%7D", 401)] {
        let reply = service.ask(Method::GET, target, &origin[..1]);
        assert_eq!(reply.status, status);
        assert_eq!(reply.header("access-control-allow-origin"), "*", "{target}");
        assert_eq!(reply.header("access-control-allow-credentials"), "");
    }
    // Nothing else is opened by this.
    let reply = service.ask(Method::GET, "/coverage", &origin[..1]);
    assert_eq!(reply.header("access-control-allow-origin"), "");
    // An open service does not answer a stranger's page without a key.
    let open =
        Service::with(Options { access: crate::http::Access::ThisMachine, ..Options::default() });
    let target = "/reconcile?queries=%7B%7D";
    let host = ("host", "127.0.0.1:8080");
    assert_eq!(open.ask(Method::GET, target, &[host]).status, StatusCode::OK);
    assert_eq!(open.ask(Method::GET, target, &[host, origin[0]]).status, StatusCode::UNAUTHORIZED);
}

#[test]
fn values_suggestions_and_previews() {
    let service = Service::new();
    let asked = json!({
        "ids": [FULL, "nobody"],
        "properties": [{ "id": "name", "settings": {} }, { "id": "irsRulingDate" }, { "id": "sdgs" }],
    });
    let found = post(&service, &form("extend", &asked)).json();
    assert_eq!(found["meta"][1], json!({ "id": "irsRulingDate", "name": "IRS ruling date" }));
    let row = &found["rows"][FULL];
    assert_eq!(row["name"], json!([{ "str": "American National Red Cross" }]));
    assert_eq!(row["irsRulingDate"], json!([{ "date": "1938-12-01T00:00:00Z" }]));
    assert!(row["sdgs"].as_array().unwrap().iter().all(|one| one["int"].is_i64()), "{row}");
    assert_eq!(found["rows"]["nobody"], json!({ "name": [], "irsRulingDate": [], "sdgs": [] }));
    let wrong = json!({ "ids": [], "properties": [{ "id": "nmae" }] });
    let refused = post(&service, &form("extend", &wrong)).json();
    assert_eq!(refused["detail"][0]["loc"], json!(["query", "extend", "properties", 0, "id"]));

    let ids = |target: &str| {
        let found = service.json(target)["result"].clone();
        let ids =
            found.as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap().to_owned());
        ids.collect::<Vec<_>>()
    };
    assert_eq!(ids("/reconcile/suggest/entity?prefix=american+nat"), [FULL]);
    assert_eq!(ids("/reconcile/suggest/entity?prefix=53-0196605"), [FULL]);
    assert_eq!(ids("/reconcile/suggest/entity?prefix=american+nat&cursor=1"), [] as [&str; 0]);
    assert_eq!(ids("/reconcile/suggest/entity?prefix=a"), [] as [&str; 0]);
    assert_eq!(ids("/reconcile/suggest/type?prefix=priv"), ["foundation"]);
    assert_eq!(ids("/reconcile/suggest/property?prefix=street")[..2], ["street", "street2"]);
    let all = |cursor: usize| ids(&format!("/reconcile/suggest/property?prefix=s&cursor={cursor}"));
    assert_eq!(all(1)[..], all(0)[1..]);
    let proposed = service.json("/reconcile/extend/properties?type=nonprofit&limit=2");
    assert_eq!((&proposed["type"], &proposed["limit"]), (&json!("nonprofit"), &json!(2)));
    assert_eq!(proposed["properties"][0]["id"], "ein");

    let card = service.get(&format!("/reconcile/preview/{FULL}"));
    assert_eq!(card.header("content-type"), "text/html; charset=utf-8");
    let policy = card.header("content-security-policy");
    assert!(
        policy.contains("frame-ancestors *") && policy.contains("default-src 'none'"),
        "{policy}"
    );
    assert!(policy.contains("sandbox ") && !policy.contains("allow-scripts"), "{policy}");
    assert_eq!(card.header("referrer-policy"), "no-referrer");
    let page = service.get("/");
    assert!(page.header("content-security-policy").contains("frame-ancestors 'none'"));
    assert_eq!(service.get("/reconcile/preview/999999999").status, StatusCode::NOT_FOUND);
}
