//! What is answered beside the endpoints.

use std::io::Write;
use std::num::NonZeroU32;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use hyper::{Method, Request, StatusCode};
use serde_json::{Value, json};
use tracing_appender::non_blocking::NonBlockingBuilder;

use super::fixture::{FIXTURE, Service};
use crate::http::interface::api_error::{ApiError, Refusal};
use crate::http::interface::route::{ENDPOINTS, EXPORTS, SUBMISSIONS};
use crate::http::interface::validation_error::ParameterLocation;
use crate::http::server::app::Trust;
use crate::http::{Newest, Options};
use crate::snapshot::FORMAT;

#[test]
fn version_names_program_snapshot_and_sources() {
    let version = Service::new().json("/version");
    let manifest = &FIXTURE.snapshot.manifest;
    assert_eq!(version["snapshot"], manifest.snapshot);
    assert_eq!((&version["format"], &version["model"]), (&json!(FORMAT), &json!(manifest.model)));
    assert_eq!(version["sources"][0]["sha256"], manifest.sources[0].sha256);
    assert_eq!(version["sources"][0]["modified"], "1970-01-01T00:00:00Z");
    assert_eq!(version["sources"][0]["kind"], json!(manifest.sources[0].kind));
}

#[test]
fn telemetry_is_prometheus_text() {
    let service = Service::new();
    let search = "/beta/nonprofits/search";
    let meaning = format!("{search}?q=food");
    for target in ["/typeahead/nonprofits?q=ab", "/typeahead/nonprofits?q=a", "/nope", search] {
        service.get(target);
    }
    service.get(&meaning);
    let session = ("x-session-id", "8c6a3b1e-4f0e-4c3f-9a55-0d6a3e0e7f11");
    service.ask(Method::GET, &meaning, &[("x-api-key", service.key.as_str()), session]);
    let reply = service.ask(Method::GET, "/metrics", &[]);
    assert!(reply.header("content-type").starts_with("text/plain; version=0.0.4"));
    let text = String::from_utf8(reply.body).unwrap();
    for line in [
        "almoner_requests_total{endpoint=\"/typeahead/nonprofits\",status=\"200\"} 1",
        "almoner_requests_total{endpoint=\"/typeahead/nonprofits\",status=\"422\"} 1",
        "almoner_requests_total{endpoint=\"unknown\",status=\"404\"} 1",
        "almoner_request_duration_seconds_count{endpoint=\"/typeahead/nonprofits\",status=\"422\"} 1",
        "almoner_plans_total{plan=\"columns\"} 1",
        "almoner_plans_total{plan=\"words\"} 2",
        "almoner_source_modified_timestamp_seconds{kind=\"IRS master file extract\"} 0",
        "almoner_requests_in_flight 1",
        "almoner_organizations 2",
        "almoner_sessions 1",
        "almoner_keys 1",
    ] {
        assert!(text.lines().any(|one| one == line), "{line}\n{text}");
    }
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (name, value) = line.rsplit_once(' ').unwrap();
        let known = name.starts_with("almoner_") || name.starts_with("process_");
        assert!(known && value.parse::<f64>().is_ok(), "{line}");
    }
    // No sample twice: whoever scrapes refuses such a text.
    let samples = text.lines().filter_map(|line| line.rsplit_once(' '));
    let mut named: Vec<_> =
        samples.map(|(name, _)| name).filter(|one| !one.starts_with('#')).collect();
    let count = named.len();
    named.sort_unstable();
    named.dedup();
    assert_eq!(named.len(), count);
    // The samples of a name stand together, below its kind.
    let kinds: Vec<_> = text.lines().filter(|line| line.starts_with("# TYPE")).collect();
    let distinct: std::collections::BTreeSet<_> = kinds.iter().collect();
    assert_eq!(kinds.len(), distinct.len());
}

/// Whether `/metrics` has a line.
fn has_counted(service: &Service, line: &str) -> bool {
    let text = String::from_utf8(service.ask(Method::GET, "/metrics", &[]).body).unwrap();
    text.lines().any(|one| one == line)
}

#[test]
fn refusals_are_counted_by_their_cause() {
    let service = Service::new();
    for refusal in Refusal::ALL {
        let line = |count| format!("almoner_refused_total{{cause=\"{}\"}} {count}", refusal.name());
        assert!(has_counted(&service, &line(0)), "{refusal:?}");
        let (parts, ()) = Request::get("/nope").body(()).unwrap().into_parts();
        let (exchange, _) = service.app.open_exchange(parts, Trust::Client);
        service.app.conclude(&exchange, Err(ApiError::Overloaded(refusal)));
        assert!(has_counted(&service, &line(1)), "{refusal:?}");
    }
    for (error, refusal) in [
        (ApiError::Late, Some(Refusal::Deadline)),
        (ApiError::LateBody, Some(Refusal::Body)),
        (ApiError::TooMany(Duration::ZERO), Some(Refusal::Rate)),
        (ApiError::NotFound, None),
    ] {
        assert_eq!(error.refusal(), refusal, "{error:?}");
    }
}

#[test]
fn statuses_are_counted_as_themselves() {
    let service = Service::new();
    let key = service.key.as_str();
    let tag = service.get("/nonprofits/search").header("etag").to_owned();
    service.ask(Method::GET, "/nonprofits/search", &[("x-api-key", key), ("if-none-match", &tag)]);
    service.post("/mcp", &[("x-api-key", key), ("origin", "https://stranger.example")], "{}");
    service.post("/reconcile", &[("x-api-key", key), ("content-type", "text/plain")], "queries={}");
    for (endpoint, status) in [("/nonprofits/search", 304), ("/mcp", 403), ("/reconcile", 415)] {
        let labels = format!("endpoint=\"{endpoint}\",status=\"{status}\"");
        assert!(
            has_counted(&service, &format!("almoner_requests_total{{{labels}}} 1")),
            "{labels}"
        );
    }
    let rate = Some(NonZeroU32::MIN);
    let service = Service::with(Options { rate, ..Options::default() });
    // The second at the latest, unless a second passes between the two.
    while service.get("/nonprofits/search").status != StatusCode::TOO_MANY_REQUESTS {}
    let labels = "endpoint=\"/nonprofits/search\",status=\"429\"";
    assert!(has_counted(&service, &format!("almoner_requests_total{{{labels}}} 1")));
    assert!(has_counted(&service, "almoner_refused_total{cause=\"rate\"} 1"));
}

#[test]
fn what_is_behind_is_told_by_its_own_clause() {
    let service = Service::new();
    let tell = |newest, why| service.app.tell_behind(newest, why);
    for (newest, why, behind, keys_behind) in [
        (Newest::Published, Some("a"), json!("a"), json!(null)),
        (Newest::Stored, Some("b"), json!("a"), json!(null)),
        (Newest::Published, None, json!("b"), json!(null)),
        (Newest::Keys, Some("c"), json!("b"), json!("c")),
        (Newest::Stored, None, json!(null), json!("c")),
        (Newest::Keys, None, json!(null), json!(null)),
    ] {
        tell(newest, why);
        let ready = service.json("/ready");
        assert_eq!((&ready["behind"], &ready["keys_behind"]), (&behind, &keys_behind));
        let gauge = |is_behind: bool| u8::from(is_behind);
        let line = format!("almoner_behind {}", gauge(!behind.is_null()));
        assert!(has_counted(&service, &line), "{line}");
        let line = format!("almoner_keys_behind {}", gauge(!keys_behind.is_null()));
        assert!(has_counted(&service, &line), "{line}");
    }
}

#[test]
fn dropped_log_lines_are_counted() {
    /// Takes nothing until the other end is dropped.
    struct Blocked(Receiver<()>);
    impl Write for Blocked {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            let _ = self.0.recv();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let (release, blocked) = channel();
    let log = NonBlockingBuilder::default().buffered_lines_limit(1).lossy(true);
    let (mut log, _worker) = log.finish(Blocked(blocked));
    let counter = log.error_counter();
    while counter.dropped_lines() < 3 {
        log.write_all(b"line\n").unwrap();
    }
    let dropped_lines = Some(counter);
    let service = Service::with(Options { dropped_lines, ..Options::default() });
    assert!(has_counted(&service, "almoner_log_lines_dropped_total 3"));
    assert!(has_counted(&Service::new(), "almoner_log_lines_dropped_total 0"));
    drop(release);
}

#[test]
fn processor_time_is_counted_by_endpoint() {
    let service = Service::new();
    service.get("/beta/nonprofits/search?q=food");
    service.submit("/match", r#"{"queries":[{"name":"American National Red Cross"}]}"#);
    let text = String::from_utf8(service.ask(Method::GET, "/metrics", &[]).body).unwrap();
    let seconds = |endpoint: &str| -> Option<f64> {
        let name = format!("almoner_request_cpu_seconds_total{{endpoint=\"{endpoint}\"}} ");
        text.lines().find_map(|line| line.strip_prefix(&name)?.parse().ok())
    };
    for endpoint in ["/beta/nonprofits/search", "/match"] {
        assert!(seconds(endpoint).is_some_and(|seconds| seconds > 0.0), "{endpoint}: {text}");
    }
    assert_eq!(seconds("/nonprofits/search"), None);
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
    let paths = spec["paths"].as_object().unwrap();
    assert_eq!(paths.len(), ENDPOINTS.len() + SUBMISSIONS.len() + EXPORTS.len() + 4);
    for (path, schema) in [("/health", "Health"), ("/ready", "Ready"), ("/version", "Version")] {
        let described = &paths[path]["get"]["responses"]["200"]["content"]["application/json"];
        assert_eq!(described["schema"]["$ref"], format!("#/components/schemas/{schema}"));
    }
    let tags: Vec<&Value> =
        spec["tags"].as_array().unwrap().iter().map(|tag| &tag["name"]).collect();
    let operations = paths.values().flat_map(|path| path.as_object().unwrap().values());
    for tag in operations.flat_map(|operation| operation["tags"].as_array().unwrap()) {
        assert!(tags.contains(&tag), "{tag}");
    }
    for endpoint in ENDPOINTS {
        let operation = &spec["paths"][endpoint.path]["get"];
        assert!(
            operation["responses"]["200"].is_object() && operation["responses"]["422"].is_object()
        );
        let places: Vec<_> = endpoint
            .parameters
            .iter()
            .flat_map(|one| one.names())
            .map(|(_, place)| place as u8)
            .collect();
        let listed = operation["parameters"].as_array().unwrap();
        assert_eq!(listed.len(), places.len());
        assert!(places.is_sorted(), "{}: path, query, header", endpoint.path);
        let in_path = places.contains(&(ParameterLocation::Path as u8));
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

/// What a page or a file of it refers to, in attributes of HTML.
fn references(html: &str) -> Vec<&str> {
    let after = |name| html.split(name).skip(1).filter_map(|rest| rest.split('"').next());
    after(" src=\"").chain(after(" href=\"")).collect()
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
        assert!(!html.contains("{{") && !html.contains("<style"), "{target}");
        let files: Vec<_> =
            references(&html).into_iter().filter(|one| one.starts_with("/assets/")).collect();
        assert!(files.len() >= 2, "{target}: a style and a script");
        for one in references(&html) {
            let here = ["/", "#", "data:"].iter().any(|start| one.starts_with(start));
            assert!(here && !one.starts_with("//"), "{target} refers to {one}");
        }
        for file in files {
            let reply = service.ask(Method::GET, file, &[]);
            assert_eq!(reply.status, 200, "{file}");
            let media = match file.rsplit_once('.').unwrap().1 {
                "css" => "text/css",
                "svg" => "image/svg+xml",
                "woff2" => "font/woff2",
                _ => "text/javascript",
            };
            assert!(reply.header("content-type").starts_with(media), "{file}");
            assert!(reply.header("cache-control").contains("immutable"), "{file}");
            let other = file.replace("/assets/", "/assets/0");
            assert_eq!(service.ask(Method::GET, &other, &[]).status, 404, "another version");
        }
    }
}

#[test]
fn the_picker_is_for_pages_of_others() {
    let reply = Service::new().ask(Method::GET, "/picker.js", &[]);
    assert_eq!(reply.status, 200);
    for (name, expected) in [
        ("content-type", "text/javascript; charset=utf-8"),
        ("x-content-type-options", "nosniff"),
        ("cross-origin-resource-policy", "cross-origin"),
        ("cache-control", "public, max-age=3600"),
    ] {
        assert_eq!(reply.header(name), expected);
    }
    let script = String::from_utf8(reply.body).unwrap();
    // A strict policy of the page that loads it, and one of trusted types, refuse these.
    for refused in
        ["innerHTML", "outerHTML", "insertAdjacentHTML", "setAttribute(\"style", "eval(", "import"]
    {
        assert!(!script.contains(refused), "{refused}");
    }
    let private = Service::with(Options { private: true, ..Options::default() });
    assert_eq!(private.ask(Method::GET, "/picker.js", &[]).status, 401);
}

#[test]
fn slow_requests_are_counted() {
    for (slow, counted) in
        [(Some(Duration::ZERO), 1), (Some(Duration::from_secs(60)), 0), (None, 0)]
    {
        let service = Service::with(Options { slow, ..Options::default() });
        service.get("/typeahead/nonprofits?q=ab");
        let line = format!("almoner_slow_requests_total {counted}");
        assert!(has_counted(&service, &line), "{slow:?}");
    }
}
