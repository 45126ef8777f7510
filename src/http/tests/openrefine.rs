//! What OpenRefine 3.5 to 3.9 sends, to the byte, and what it needs of the answers: its Java part posts forms, its
//! pages ask by CORS, or by JSONP where a service was added so.

use hyper::{Method, StatusCode};
use serde_json::{Value, json};

use super::fixture::{BARE, FULL, Reply, Service};

/// What its Java part says of a form.
const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded; charset=UTF-8");
/// `StandardReconConfig`: a batch of rows with a type, with columns beside the name, and with a number of candidates.
const QUERIES: &str = "queries=%7B%22q0%22%3A%7B%22query%22%3A%22American+Nat%27l+Red+Cross%22%2C%22type%22%3A%22\
    nonprofit%22%2C%22properties%22%3A%5B%7B%22pid%22%3A%22street%22%2C%22v%22%3A%22430+17th+Street+NW%22%7D%2C%7B%22\
    pid%22%3A%22city%22%2C%22v%22%3A%7B%22name%22%3A%22Washington%22%2C%22id%22%3A%22Q61%22%7D%7D%2C%7B%22pid%22%3A%22\
    zip%22%2C%22v%22%3A20006%7D%5D%2C%22limit%22%3A5%2C%22type_strict%22%3A%22should%22%7D%2C%22q1%22%3A%7B%22query\
    %22%3A%2253-0196605%22%2C%22type%22%3A%22nonprofit%22%2C%22type_strict%22%3A%22should%22%7D%2C%22q2%22%3A%7B%22\
    query%22%3A%22Nobody+of+That+Name%22%2C%22type%22%3A%22nonprofit%22%2C%22type_strict%22%3A%22should%22%7D%7D";
/// `GuessTypesOfColumnCommand`: the first names of a column, of which types are guessed.
const GUESS: &str = "queries=%7B%22q1%22%3A%7B%22query%22%3A%22Red+Cross%22%2C%22limit%22%3A3%7D%2C%22q0%22%3A%7B%22\
    query%22%3A%22American+National+Red+Cross%22%2C%22limit%22%3A3%7D%7D";
/// `ReconciledDataExtensionJob`: one property as it is, another with settings.
const EXTEND: &str = "extend=%7B%22ids%22%3A%5B%22530196605%22%2C%22000003154%22%5D%2C%22properties%22%3A%5B%7B%22id\
    %22%3A%22name%22%7D%2C%7B%22id%22%3A%22revenueGrandTotal%22%2C%22settings%22%3A%7B%22count%22%3A%22on%22%2C%22rank\
    %22%3A%22any%22%7D%7D%5D%7D";
/// The name that jQuery 1.12.4 (OpenRefine 3.5) gives a function; 3.7.1 (OpenRefine 3.9) gives its own in the same way.
const CALLBACK: &str = "jQuery112404923875029384756_1638000000000";

fn post(service: &Service, body: &str) -> Value {
    let target = format!("/reconcile/{}", service.key);
    let agent = ("user-agent", "OpenRefine/3.9.5");
    let reply = service.post(&target, &[FORM, agent, ("host", "127.0.0.1:8080")], body);
    assert_eq!(reply.status, StatusCode::OK, "{reply:?}");
    reply.json()
}

/// A GET of a page of OpenRefine, by CORS.
fn by_cors(service: &Service, target: &str) -> Reply {
    let target = format!("/reconcile/{}{target}", service.key);
    let headers = [
        ("host", "127.0.0.1:8080"),
        ("origin", "http://127.0.0.1:3333"),
        ("accept", "application/json, text/javascript, */*; q=0.01"),
        ("sec-fetch-site", "same-site"),
        ("sec-fetch-mode", "cors"),
    ];
    let reply = service.ask(Method::GET, &target, &headers);
    assert_eq!(reply.header("access-control-allow-origin"), "*", "{target}");
    reply
}

/// The same as a script of the page.
fn by_script(service: &Service, target: &str) -> Value {
    let target = format!("/reconcile/{}{target}", service.key);
    let headers = [
        ("host", "127.0.0.1:8080"),
        ("accept", "*/*"),
        ("sec-fetch-site", "same-site"),
        ("sec-fetch-mode", "no-cors"),
        ("sec-fetch-dest", "script"),
    ];
    let reply = service.ask(Method::GET, &target, &headers);
    assert_eq!(reply.header("content-type"), "application/javascript; charset=utf-8", "{target}");
    assert_eq!(reply.header("x-content-type-options"), "nosniff");
    let script = String::from_utf8(reply.body).unwrap();
    let called = script.strip_prefix(&format!("/**/{CALLBACK}(")).unwrap();
    serde_json::from_str(called.strip_suffix(");").unwrap()).unwrap()
}

fn ids(suggestions: &Value) -> Vec<&str> {
    let result = suggestions["result"].as_array().unwrap().iter();
    result.map(|one| one["id"].as_str().unwrap()).collect()
}

#[test]
fn rows_are_reconciled() {
    let service = Service::new();
    let found = post(&service, QUERIES);
    let result = |query: &str| found[query]["result"].as_array().unwrap().clone();
    assert_eq!(result("q0")[0]["id"], FULL);
    assert_eq!(result("q2"), Vec::<Value>::new());
    let one = &result("q1")[0];
    assert_eq!(
        (&one["id"], &one["match"], &one["score"]),
        (&json!(FULL), &json!(true), &json!(100.0))
    );
    // `ReconResult` reads no other members, and types only as objects.
    assert!(one["name"].is_string() && one["type"][0]["id"].is_string(), "{one}");
}

#[test]
fn types_are_guessed_of_names() {
    let found = post(&Service::new(), GUESS);
    let types = |query: &str| &found[query]["result"][0]["type"];
    for query in ["q0", "q1"] {
        assert_eq!(types(query), &json!([{ "id": "nonprofit", "name": "Nonprofit" }]));
    }
}

#[test]
fn columns_are_added_from_reconciled_values() {
    let found = post(&Service::new(), EXTEND);
    // Columns are named after `meta`, and rows are looked up by the identifiers that were sent.
    assert_eq!(
        (&found["meta"][0]["id"], &found["meta"][1]["id"]),
        (&json!("name"), &json!("revenueGrandTotal"))
    );
    assert_eq!(found["rows"][FULL]["name"], json!([{ "str": "American National Red Cross" }]));
    assert!(found["rows"][FULL]["revenueGrandTotal"][0]["int"].is_i64(), "{found}");
    assert_eq!(found["rows"][BARE]["revenueGrandTotal"], json!([{ "int": 1200 }]));
}

#[test]
fn a_service_is_added() {
    let service = Service::new();
    let manifest = by_cors(&service, "").json();
    assert_eq!(manifest["batchSize"], 500);
    // The dialog goes on with what stands in the manifest.
    let base = format!("http://127.0.0.1:8080/reconcile/{}", service.key);
    for kind in ["entity", "property", "type"] {
        assert_eq!(manifest["suggest"][kind]["service_url"], base);
    }
    assert_eq!(manifest["extend"]["propose_properties"]["service_path"], "/extend/properties");
    assert_eq!(manifest["defaultTypes"][0]["id"], "nonprofit");
    // Where that fails it asks for a script.
    let target = format!("?callback={CALLBACK}&_=1638000000001");
    assert_eq!(by_script(&service, &target), manifest);
}

#[test]
fn dialogs_suggest() {
    let service = Service::new();
    // 3.5 (jQuery 1.12.4) writes a blank as a plus, 3.9 (jQuery 3.7.1) as %20; up to 3.7 the type stands beside properties.
    for (target, expected) in [
        (
            "/suggest/type?prefix=priv&spell=always&exact=false&scoring=schema&prefixed=true",
            "foundation",
        ),
        (
            "/suggest/property?prefix=stre&spell=always&exact=false&scoring=schema&prefixed=true&type=nonprofit",
            "street",
        ),
        (
            "/suggest/property?prefix=stre&spell=always&exact=false&scoring=schema&prefixed=true",
            "street",
        ),
        ("/suggest/entity?prefix=american+nat&spell=always&exact=false&prefixed=true", FULL),
        ("/suggest/entity?prefix=american%20nat&spell=always&exact=false&prefixed=true", FULL),
    ] {
        let suggested = by_cors(&service, target).json();
        assert_eq!(ids(&suggested)[0], expected, "{target}");
        let (path, query) = target.split_once('?').unwrap();
        let target = format!("{path}?callback={CALLBACK}&{query}");
        assert_eq!(by_script(&service, &target), suggested, "{target}");
    }
    // Up to 3.7 a card is asked for where Freebase had it; the dialog does without.
    let card = format!(
        "/search?filter=(all%20mid:{FULL})&output=(notable:/client/summary%20(description%20citation%20provenance)%20type)\
         &key=null"
    );
    let target = format!("/reconcile/{}{card}", service.key);
    assert_eq!(service.ask(Method::GET, &target, &[]).status, StatusCode::NOT_FOUND);
}

#[test]
fn properties_are_proposed_and_previews_are_shown() {
    let service = Service::new();
    // The type is empty where the column was reconciled without one.
    for target in ["/extend/properties?type=nonprofit", "/extend/properties?type="] {
        let proposed = by_cors(&service, target).json();
        let properties = proposed["properties"].as_array().unwrap();
        assert!(properties.iter().all(|one| one["name"].is_string()), "{proposed}");
        let target = format!("{target}&callback={CALLBACK}&_=1638000000002");
        assert_eq!(by_script(&service, &target), proposed);
    }
    let target = format!("/reconcile/{}/preview/{FULL}", service.key);
    let headers = [("sec-fetch-dest", "iframe"), ("sec-fetch-mode", "navigate")];
    let card = service.ask(Method::GET, &target, &headers);
    assert!(card.header("content-security-policy").contains("frame-ancestors *"));
}
