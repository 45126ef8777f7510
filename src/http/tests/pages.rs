//! What is answered beside the endpoints.

use hyper::Method;
use serde_json::{Value, json};

use super::fixture::Service;
use crate::http::fault::Place;
use crate::http::route::ENDPOINTS;

#[test]
fn version_names_program_snapshot_and_sources() {
    let version = Service::new().json("/version");
    assert_eq!(version["snapshot"], "2026-01-01");
    assert_eq!((&version["format"], &version["model"]), (&json!(1), &json!(null)));
    assert_eq!(version["sources"][0]["sha256"], "ab".repeat(32));
    assert_eq!(version["sources"][0]["modified"], "1970-01-01T00:00:00Z");
    assert_eq!(version["sources"][0]["kind"], "master_file");
}

#[test]
fn telemetry_is_prometheus_text() {
    let service = Service::new();
    for target in ["/typeahead/nonprofits?q=ab", "/typeahead/nonprofits?q=a", "/nope"] {
        service.get(target);
    }
    let reply = service.ask(Method::GET, "/metrics", &[]);
    assert!(reply.header("content-type").starts_with("text/plain; version=0.0.4"));
    let text = String::from_utf8(reply.body).unwrap();
    for line in [
        "almoner_requests_total{endpoint=\"/typeahead/nonprofits\",status=\"200\"} 1",
        "almoner_requests_total{endpoint=\"/typeahead/nonprofits\",status=\"422\"} 1",
        "almoner_requests_total{endpoint=\"unknown\",status=\"404\"} 1",
        "almoner_request_duration_seconds_count{endpoint=\"/typeahead/nonprofits\"} 2",
        "almoner_requests_in_flight 1",
        "almoner_organizations 2",
    ] {
        assert!(text.lines().any(|one| one == line), "{line}\n{text}");
    }
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (name, value) = line.rsplit_once(' ').unwrap();
        assert!(name.starts_with("almoner_") && value.parse::<f64>().is_ok(), "{line}");
    }
}

#[test]
fn openapi_names_every_endpoint_and_parameter() {
    let spec = Service::new().json("/openapi.json");
    assert_eq!((&spec["openapi"], &spec["info"]["version"]), (&json!("3.1.0"), &json!("1.0.0")));
    let scheme = &spec["components"]["securitySchemes"]["ApiKey"];
    assert_eq!(scheme, &json!({ "type": "apiKey", "in": "header", "name": "X-API-Key" }));
    let mut references = Vec::new();
    collect_references(&spec, &mut references);
    for reference in references {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(spec.pointer(pointer).is_some(), "{reference}");
    }
    for endpoint in ENDPOINTS {
        let operation = &spec["paths"][endpoint.path]["get"];
        assert!(
            operation["responses"]["200"].is_object() && operation["responses"]["422"].is_object()
        );
        let listed = operation["parameters"].as_array().unwrap();
        assert_eq!(listed.len(), endpoint.parameters.len());
        let places: Vec<_> = endpoint.parameters.iter().map(|one| one.place() as u8).collect();
        assert!(places.is_sorted(), "{}: path, query, header", endpoint.path);
        let in_path = endpoint.parameters.iter().any(|one| one.place() == Place::Path);
        assert_eq!(in_path, endpoint.path.contains('{'));
    }
}

fn collect_references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::Object(members) => {
            found.extend(members.get("$ref").and_then(Value::as_str));
            members.values().for_each(|member| collect_references(member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_references(item, found)),
        _ => {}
    }
}

#[test]
fn pages_load_nothing_from_elsewhere() {
    let service = Service::new();
    for target in ["/", "/docs"] {
        let reply = service.ask(Method::GET, target, &[]);
        assert_eq!(reply.header("content-type"), "text/html; charset=utf-8");
        let policy = reply.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        assert!(!policy.contains("http"), "{policy}");
        let html = String::from_utf8(reply.body).unwrap();
        assert!(!html.contains("{{") && !html.contains("src=") && !html.contains("//cdn"));
        assert_eq!(html.matches("<script").count(), html.matches("</script>").count());
    }
}
