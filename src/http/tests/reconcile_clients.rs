//! The reconciliation service as others than OpenRefine ask it: one query at a time, as a script, with multipart forms,
//! and by the conditions of draft 1.0.

use hyper::{Method, StatusCode};
use serde_json::{Value, json};

use super::fixture::{BARE, FULL, Reply, Service};
use crate::http::endpoints::r#match::QUERIES_MAX;
use crate::http::{Access, Options};
use crate::record::Ein;

fn encoded(name: &str, value: &str) -> String {
    form_urlencoded::Serializer::new(String::new()).append_pair(name, value).finish()
}

fn post(service: &Service, content_type: &str, body: &str) -> Reply {
    service.post("/reconcile", &[("x-api-key", &service.key), ("content-type", content_type)], body)
}

#[test]
fn one_query_is_answered_with_its_result() {
    let service = Service::new();
    for query in [
        "American National Red Cross",
        "53-0196605",
        r#"{"query": "American National Red Cross", "limit": "3", "type": {"id": "nonprofit"}}"#,
        r#" {"properties": [{"p": "ein", "v": 530196605}]}"#,
    ] {
        let form = encoded("query", query);
        let by_get = service.json(&format!("/reconcile?{form}"));
        assert_eq!(by_get["result"][0]["id"], FULL, "{query}");
        assert_eq!(by_get.as_object().unwrap().len(), 1, "{by_get}");
        assert_eq!(post(&service, "application/x-www-form-urlencoded", &form).json(), by_get);
        // A form may be empty where the address says everything.
        let target = format!("/reconcile?{form}");
        assert_eq!(service.submit(&target, "").json(), by_get);
    }
    let nobody = service.json("/reconcile?query=nobody+of+that+name");
    assert_eq!(nobody, json!({ "result": [] }));
}

#[test]
fn eins_are_read_as_people_type_them() {
    let service = Service::new();
    let forms =
        [FULL, "53-0196605", "53\u{2013}0196605", " 53 0196605 ", "US-EIN-530196605", "530196"];
    for form in forms {
        let expected = Ein::from_typed(form).map(|ein| ein.to_string());
        let (query, property) = (
            json!({ "query": form }),
            json!({ "properties": [{ "pid": "EIN", "v": { "id": form } }] }),
        );
        for query in [query, property] {
            let target = format!("/reconcile?{}", encoded("query", &query.to_string()));
            let found = service.json(&target)["result"][0]["id"].clone();
            assert_eq!(found.as_str(), expected.as_deref(), "{query}");
        }
        let asked = json!({ "ids": [form], "properties": [{ "id": "ein" }] }).to_string();
        let found = service.json(&format!("/reconcile?{}", encoded("extend", &asked)));
        // The row has the identifier as it was sent.
        let value = found["rows"][form]["ein"][0]["str"].as_str();
        assert_eq!(value, expected.as_deref(), "{found}");
    }
}

#[test]
fn what_is_wrong_with_one_query_is_wrong_with_the_request() {
    let service = Service::new();
    for (query, place, message) in [
        (r#"{"query": "a","#, json!(["query", "query"]), "JSON decode error"),
        (r#"{"query": "a", "limit": "x"}"#, json!(["query", "query", "limit"]), "found \"x\""),
        ("{}", json!(["query", "query", "query"]), "expected a name, or an EIN"),
    ] {
        let reply = service.get(&format!("/reconcile?{}", encoded("query", query)));
        assert_eq!(reply.status, StatusCode::UNPROCESSABLE_ENTITY, "{query}");
        let error = &reply.json()["detail"][0];
        assert_eq!(error["loc"], place);
        assert!(error["msg"].as_str().unwrap().contains(message), "{error}");
    }
    for (target, place) in [
        ("/reconcile?query=a&queries=%7B%7D", "query.query value_error"),
        ("/reconcile?query=a&extend=%7B%7D", "query.extend value_error"),
    ] {
        assert_eq!(service.refused(target), [place]);
    }
    // No key, no query.
    let open = service.ask(Method::GET, "/reconcile?query=red+cross", &[]);
    assert_eq!(open.status, StatusCode::UNAUTHORIZED);
}

#[test]
fn scripts_call_a_function_with_the_answer() {
    let service = Service::new();
    let queries = encoded("queries", r#"{"a": {"query": "53-0196605"}}"#);
    let extend = encoded("extend", r#"{"ids": ["53-0196605"], "properties": [{"id": "name"}]}"#);
    for target in [
        "/reconcile?a=b".to_owned(),
        format!("/reconcile?{queries}"),
        format!("/reconcile?{extend}"),
        "/reconcile?query=red+cross".to_owned(),
        "/reconcile/suggest/entity?prefix=american".to_owned(),
        "/reconcile/suggest/entity?prefix=american&fields=id".to_owned(),
        "/reconcile/extend/properties?limit=2".to_owned(),
    ] {
        let plain = service.get(&target);
        let script = service.get(&format!("{target}&callback=page.f_1"));
        assert_eq!(script.header("content-type"), "application/javascript; charset=utf-8");
        assert_eq!(script.header("x-content-type-options"), "nosniff");
        assert_eq!(script.header("x-almoner-ignored"), plain.header("x-almoner-ignored"));
        assert_ne!(script.header("etag"), plain.header("etag"));
        let expected = format!("/**/page.f_1({});", String::from_utf8(plain.body).unwrap());
        assert_eq!(String::from_utf8(script.body).unwrap(), expected, "{target}");
    }
    for name in ["f(", "a-b", "1", "%E2%80%A8", &"f".repeat(129)] {
        let refused = service.refused(&format!("/reconcile?query=a&callback={name}"));
        assert_eq!(refused, ["query.callback value_error"], "{name}");
    }
}

#[test]
fn scripts_are_for_gets_of_other_pages() {
    let service = Service::new();
    let key = ("x-api-key", service.key.as_str());
    let form = ("content-type", "application/x-www-form-urlencoded");
    let json = |reply: &Reply| {
        assert_eq!(reply.status, StatusCode::OK);
        assert_eq!(reply.header("content-type"), "application/json");
        assert_eq!(reply.header("x-almoner-ignored"), "callback");
    };
    json(&service.post("/reconcile?callback=f", &[key, form], "query=a"));
    json(&service.post("/reconcile", &[key, form], "query=a&callback=f"));
    // The policy of this server's own pages lets scripts of its origin run, and they need none of these.
    let own = [key, ("sec-fetch-site", "same-origin")];
    json(&service.ask(Method::GET, "/reconcile?query=a&callback=f", &own));
    let preview = service.get(&format!("/reconcile/preview/{FULL}?callback=f"));
    assert_eq!(preview.header("content-type"), "text/html; charset=utf-8");
    json(&service.get("/coverage?callback=f"));
    let csv = service.get("/reconcile/suggest/entity.csv?prefix=american&callback=f");
    assert!(csv.header("content-type").starts_with("text/csv"));
}

#[test]
fn scripts_need_a_key_wherever_the_service_is_open() {
    let open = Service::with(Options { access: Access::ThisMachine, ..Options::default() });
    let host = ("host", "127.0.0.1:8080");
    let status = |target: &str, headers: &[(&str, &str)]| {
        open.ask(Method::GET, target, headers).status.as_u16()
    };
    // The page of a stranger sends nothing else with a script, in browsers without fetch metadata.
    for target in ["/reconcile?query=a", "/reconcile/suggest/entity?prefix=red"] {
        assert_eq!(status(target, &[host]), 200);
        assert_eq!(status(&format!("{target}&callback=f"), &[host]), 401);
        let key = ("x-api-key", open.key.as_str());
        assert_eq!(status(&format!("{target}&callback=f"), &[host, key]), 200);
    }
    assert_eq!(status("/reconcile?callback=f", &[host]), 200);
    let private = Service::with(Options { private: true, ..Options::default() });
    let reply = private.ask(Method::GET, "/reconcile?callback=f", &[]);
    assert_eq!(reply.status, StatusCode::UNAUTHORIZED);
}

#[test]
fn multipart_forms_are_read() {
    let service = Service::new();
    let queries = r#"{"a": {"query": "53-0196605"}}"#;
    // As curl sends it, and as Python's requests does.
    for (content_type, body) in [
        (
            "multipart/form-data; boundary=------------------------d74496d66958873e",
            format!(
                "--------------------------d74496d66958873e\r\nContent-Disposition: form-data; name=\"queries\"\r\n\r\n\
                 {queries}\r\n--------------------------d74496d66958873e--\r\n"
            ),
        ),
        (
            "multipart/form-data; boundary=0b4c1a",
            format!(
                "--0b4c1a\r\nContent-Disposition: form-data; name=\"queries\"; filename=\"queries\"\r\n\
                 Content-Type: application/json\r\n\r\n{queries}\r\n--0b4c1a--\r\n"
            ),
        ),
    ] {
        assert_eq!(post(&service, content_type, &body).json()["a"]["result"][0]["id"], FULL);
    }
    for (content_type, body, status, detail) in [
        ("multipart/form-data", "", 400, "expected a boundary"),
        ("multipart/form-data; boundary=b", "--b\r\n", 400, "part 1: expected a head"),
        ("text/plain", "query=a", 415, "expected a body of application/x-www-form-urlencoded or"),
    ] {
        let reply = post(&service, content_type, body);
        assert_eq!(reply.status, status);
        let told = reply.json()["detail"].as_str().unwrap().to_owned();
        assert!(told.contains(detail), "{told}");
    }
    let empty = post(&service, "multipart/form-data; boundary=b", "--b--");
    assert_eq!(empty.json()["detail"][0]["loc"], json!(["query", "queries"]));
}

fn matched(service: &Service, queries: &Value) -> Vec<Value> {
    let reply = service.submit("/reconcile/match", &json!({ "queries": queries }).to_string());
    assert_eq!(reply.status, StatusCode::OK, "{reply:?}");
    reply.json()["results"].as_array().unwrap().clone()
}

#[test]
fn conditions_of_draft_1_0() {
    let service = Service::new();
    let named = json!({ "matchType": "name", "propertyValue": "American National Red Cross" });
    let property = |id: &str, value: Value, required: bool| json!({ "matchType": "property", "propertyId": id, "propertyValue": value, "required": required });
    for (conditions, expected) in [
        (json!([named]), Some(FULL)),
        (
            json!([{ "matchType": "name", "v": ["Nobody", "American National Red Cross"] }]),
            Some(FULL),
        ),
        (json!([{ "matchType": "id", "propertyValue": "53-0196605" }]), Some(FULL)),
        (json!([{ "matchType": "id", "propertyValue": { "id": "000003154" } }]), Some(BARE)),
        (json!([{ "matchType": "property", "pid": "ein", "v": 3154 }]), Some(BARE)),
        (json!([named, property("state", json!("DC"), true)]), Some(FULL)),
        (json!([named, property("state", json!("VT"), true)]), None),
        // The EIN beside a name is looked up, too.
        (json!([named, property("ein", json!("000003154"), true)]), Some(BARE)),
    ] {
        let found = matched(
            &service,
            &json!([{ "type": "nonprofit", "limit": 5, "conditions": conditions }]),
        );
        assert_eq!(found[0]["candidates"][0]["id"].as_str(), expected, "{conditions}");
        assert!(found[0].get("error").is_none(), "{found:?}");
    }
    let both = json!([{ "conditions": [{ "matchType": "id", "propertyValue": [FULL, BARE] }] }]);
    let both = matched(&service, &both)[0]["candidates"].clone();
    assert_eq!((both.as_array().unwrap().len(), &both[0]["match"]), (2, &json!(false)));
    let odd =
        matched(&service, &json!([{ "conditions": [named, property("phone", json!(1), false)] }]));
    assert_eq!(odd[0]["ignored"], json!(["phone"]));
    assert_eq!(odd[0]["candidates"][0]["features"][0]["name"], "Name");
}

#[test]
fn one_bad_query_of_conditions_loses_no_other() {
    let service = Service::new();
    let good = json!({ "conditions": [{ "matchType": "id", "propertyValue": FULL }] });
    let one = |condition: Value| json!({ "conditions": [condition] });
    for (bad, expected) in [
        (json!("a"), "Input should be a valid dictionary"),
        (json!({}), "conditions: Value error, expected a list of conditions"),
        (json!({ "conditions": "a" }), "conditions: Input should be a valid list"),
        (one(json!({ "propertyValue": "a" })), "conditions.0.matchType: Field required"),
        (one(json!({ "matchType": "name" })), "conditions.0.propertyValue: Field required"),
        (one(json!({ "matchType": "x", "v": 1 })), "expected name, id or property, found \"x\""),
        (
            one(json!({ "matchType": "id", "v": "x" })),
            "conditions.0.v: Value error, expected an EIN",
        ),
        (
            one(json!({ "matchType": "property", "v": "x" })),
            "conditions.0.propertyId: Field required",
        ),
        (
            one(json!({ "matchType": "name", "v": "x", "matchQuantifier": "none" })),
            "expected any or all, found \"none\"",
        ),
        (
            one(json!({ "matchType": "property", "pid": "city", "v": "x", "required": "yes" })),
            "expected true or false, found \"yes\"",
        ),
        (
            json!({ "type": "person", "conditions": [{ "matchType": "name", "v": "x" }] }),
            "type: Value error, expected nonprofit or foundation, found \"person\"",
        ),
    ] {
        let found = matched(&service, &json!([bad, good]));
        let error = found[0]["error"].as_str().unwrap();
        assert!(error.contains(expected), "{error}");
        assert_eq!(found[0]["candidates"], json!([]));
        assert_eq!(found[1]["candidates"][0]["id"], FULL);
    }
    let many = json!({ "queries": vec![good; QUERIES_MAX + 1] }).to_string();
    assert_eq!(service.submit("/reconcile/match", &many).status, StatusCode::PAYLOAD_TOO_LARGE);
}

#[test]
fn conditions_take_keys_in_the_path_and_pages_of_other_origins() {
    let service = Service::new();
    let body = json!({ "queries": [] }).to_string();
    let origin = ("origin", "https://refine.example");
    let target = format!("/reconcile/{}/match", service.key);
    let reply = service.post(&target, &[origin, ("content-type", "application/json")], &body);
    assert_eq!((reply.status, reply.json()), (StatusCode::OK, json!({ "results": [] })));
    assert_eq!(reply.header("access-control-allow-origin"), "*");
    let asked = [origin, ("access-control-request-method", "POST")];
    let preflight = service.ask(Method::OPTIONS, &target, &asked);
    assert_eq!(preflight.status, StatusCode::NO_CONTENT);
    assert_eq!(preflight.header("access-control-allow-methods"), "POST");
    assert!(preflight.header("access-control-allow-headers").contains("Content-Type"));
    assert_eq!(service.post("/reconcile/match", &[], &body).status, StatusCode::UNAUTHORIZED);
}
