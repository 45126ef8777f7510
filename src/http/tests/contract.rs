//! The contract that holds for every endpoint: keys, methods, paths, identifiers, validation,
//! schemas.

use hyper::header::HeaderValue;
use hyper::{Method, StatusCode};
use serde_json::json;

use super::fixture::{FIXTURE, FULL, Service};
use crate::http::Options;
use crate::http::interface::openapi;
use crate::http::interface::route::{ENDPOINTS, Route};
use crate::http::server::app::{Trust, guarded};
use crate::http::server::keys;
use crate::http::server::limits::{HEADER_BYTES_MAX, TARGET_BYTES_MAX};

/// A valid target of every endpoint.
const TARGETS: [&str; ENDPOINTS.len()] = [
    "/nonprofits/details/530196605",
    "/typeahead/nonprofits?q=food",
    "/impact/stories/530196605",
    "/impact/metrics/530196605",
    "/impact/stories",
    "/impact/metrics",
    "/beta/nonprofits/search",
    "/feed/posts",
    "/chat/search?q=food",
    "/chat?q=food",
    "/coverage",
    "/nonprofits/search",
    "/nonprofits/aggregate",
    "/nonprofits/details/530196605/financials",
    "/nonprofits/details/530196605/related",
    "/articles/search",
    "/changes",
    "/changes.atom",
    "/nonprofits/standing/530196605",
    "/nonprofits/provenance/530196605",
    "/nonprofits/reliance/530196605",
    "/nonprofits/filings/530196605",
    "/reconcile?queries=%7B%7D",
    "/reconcile/suggest/entity?prefix=red",
    "/reconcile/suggest/property?prefix=s",
    "/reconcile/suggest/type",
    "/reconcile/extend/properties",
    "/reconcile/preview/530196605",
    "/nonprofits/grants/530196605",
    "/grants/search",
    "/funders/search",
    "/nonprofits/people/530196605",
    "/people/search?q=jane",
    "/nonprofits/family/530196605",
    "/nonprofits/peers/530196605",
];

#[test]
fn every_endpoint_has_a_target() {
    let path = |target: &str| target.split('?').next().unwrap_or_default().to_owned();
    let named = |target: &&str| Route::label(Route::of(&path(target)).index());
    let mut named: Vec<_> = TARGETS.iter().map(named).collect();
    let mut all: Vec<_> = ENDPOINTS.iter().map(|endpoint| endpoint.path).collect();
    named.sort_unstable();
    all.sort_unstable();
    assert_eq!(named, all);
}

#[test]
fn a_key_comes_before_everything_else() {
    let service = Service::new();
    let (key, more) = (service.key.as_str(), format!("{},x", service.key));
    let swapped: String = key
        .chars()
        .map(|c| if c.is_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() })
        .collect();
    let bearer = format!("Bearer {key}");
    let wrong: [&[(&str, &str)]; 8] = [
        &[],
        &[("x-api-key", "")],
        &[("x-api-key", "wrong")],
        &[("x-api-key", &key[1..])],
        &[("x-api-key", &more)],
        &[("x-api-key", &swapped)],
        &[("authorization", &bearer)],
        &[("x-api-key", key), ("x-api-key", key)],
    ];
    let invalid = ["/nonprofits/details/1", "/typeahead/nonprofits?q=a", "/chat"];
    for target in TARGETS.into_iter().chain(invalid) {
        for headers in wrong {
            for method in [Method::GET, Method::HEAD, Method::POST] {
                let reply = service.ask(method.clone(), target, headers);
                assert_eq!(reply.status, StatusCode::UNAUTHORIZED, "{target} {headers:?}");
                assert_eq!(reply.header("www-authenticate"), "APIKey");
                if method != Method::HEAD {
                    assert_eq!(reply.json(), json!({ "detail": "Not authenticated" }));
                }
            }
        }
        assert_ne!(service.get(target).status, StatusCode::UNAUTHORIZED, "{target}");
    }
}

#[test]
fn the_description_says_what_is_answered_without_a_key() {
    let service = Service::new();
    let document = openapi::document();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let method = Method::from_bytes(method.to_ascii_uppercase().as_bytes()).unwrap();
            let target = path.replace("{ein}", FULL);
            let security = operation.get("security").unwrap_or(&document["security"]);
            let needs_none = security.as_array().unwrap();
            let needs_none = needs_none.is_empty() || needs_none.contains(&json!({}));
            let refused = service.ask(method.clone(), &target, &[]).status == 401;
            assert_eq!(refused, !needs_none, "{method} {path}: {security}");
        }
    }
}

#[test]
fn revoked_keys_are_refused() {
    let service = Service::new();
    let id = keys::list(service.directory.path()).unwrap()[0].id.clone();
    keys::revoke(service.directory.path(), &id).unwrap();
    assert!(service.app.keys().refresh().unwrap());
    assert_eq!(service.get(TARGETS[0]).status, StatusCode::UNAUTHORIZED);
}

#[test]
fn methods_and_paths() {
    let service = Service::new();
    let key = [("x-api-key", service.key.as_str())];
    for target in TARGETS.into_iter().chain(["/health", "/nope", "/", "/docs", "/openapi.json"]) {
        let (get, head) = (service.get(target), service.ask(Method::HEAD, target, &key));
        assert_eq!((get.status, head.body.len()), (head.status, 0), "{target}");
        assert_eq!(get.header("content-type"), head.header("content-type"));
        assert_eq!(head.header("content-length"), get.body.len().to_string());
    }
    for target in TARGETS.into_iter().chain(["/health"]) {
        let takes_form = target.starts_with("/reconcile?");
        for method in [Method::POST, Method::PUT, Method::DELETE, Method::PATCH, Method::OPTIONS] {
            if takes_form && method == Method::POST {
                continue;
            }
            let reply = service.ask(method, target, &key);
            assert_eq!(reply.status, StatusCode::METHOD_NOT_ALLOWED, "{target}");
            let allowed = if takes_form { "GET, HEAD, POST" } else { "GET, HEAD" };
            assert_eq!(reply.header("allow"), allowed);
            assert_eq!(reply.json(), json!({ "detail": "Method Not Allowed" }));
        }
    }
    for path in ["/nope", "/impact", "/Chat", "/nonprofits/details", "/..%2F..%2Fetc%2Fpasswd"] {
        let reply = service.get(path);
        assert_eq!(
            (reply.status, reply.json()),
            (StatusCode::NOT_FOUND, json!({"detail": "Not Found"}))
        );
    }
}

#[test]
fn request_identifiers() {
    let service = Service::new();
    let ask = |target: &str, sent: &str| {
        service
            .ask(Method::GET, target, &[("x-request-id", sent)])
            .header("x-request-id")
            .to_owned()
    };
    for target in [TARGETS[0], "/nope", "/health", "/chat"] {
        for sent in ["a", "a-b!~#", &"x".repeat(64)] {
            assert_eq!(ask(target, sent), sent);
        }
        for sent in ["", "é", &"y".repeat(65)] {
            assert!(ask(target, sent).len() == 16, "{sent}");
        }
    }
    let seen: std::collections::HashSet<_> = (0..100).map(|_| ask("/health", "")).collect();
    assert_eq!(seen.len(), 100);
}

#[test]
fn long_requests() {
    let service = Service::new();
    let target = format!("/health?{}", "x".repeat(TARGET_BYTES_MAX));
    assert_eq!(service.get(&target).status, StatusCode::URI_TOO_LONG);
    // A message of the greatest length in the longest script is no long target.
    let message = |characters| format!("/chat?q={}", "%F0%9D%95%8F".repeat(characters));
    assert_eq!(service.get(&message(2_000)).status, StatusCode::OK);
    assert_eq!(service.get(&message(2_001)).status, StatusCode::UNPROCESSABLE_ENTITY);
    let long = "x".repeat(HEADER_BYTES_MAX);
    let reply = service.ask(Method::GET, "/health", &[("cookie", &long)]);
    assert_eq!(reply.status, StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE);
}

#[test]
fn faults_of_the_server_say_nothing() {
    let service = Service::new();
    let (_folder, damaged) = FIXTURE.damaged();
    service.app.swap(damaged);
    let reply = service.get("/typeahead/nonprofits?q=american");
    assert_eq!(reply.status, StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(reply.json(), json!({ "detail": "Internal Server Error" }));
    assert!(!reply.header("x-request-id").is_empty());
    assert_eq!(service.get(TARGETS[0]).status, StatusCode::OK);
}

#[test]
fn a_panic_is_a_fault_of_the_server() {
    let service = Service::new();
    let request = hyper::Request::builder().uri(TARGETS[0]).body(()).unwrap();
    let (exchange, verdict) = service.app.open_exchange(request.into_parts().0, Trust::Own);
    assert!(verdict.is_ok());
    let answer = service.app.conclude(&exchange, guarded(|| panic!("a defect")));
    assert_eq!(answer.status(), StatusCode::INTERNAL_SERVER_ERROR);
    assert!(!answer.headers()["x-request-id"].is_empty());
    let Err(error) = guarded(|| panic!("a defect")) else { unreachable!("it panics") };
    assert_eq!(error.body(), json!({ "detail": "Internal Server Error" }));
    assert_eq!(error.cause().as_deref(), Some("panic: a defect"));
}

#[test]
fn without_a_snapshot() {
    let service = Service::unready(Options::default());
    for target in [TARGETS[0], TARGETS[4], "/ready"] {
        let reply = service.get(target);
        assert_eq!(reply.status, StatusCode::SERVICE_UNAVAILABLE, "{target}");
        assert_eq!(reply.header("retry-after"), "1");
    }
    assert_eq!(service.get("/nonprofits/details/1").status, StatusCode::UNPROCESSABLE_ENTITY);
    for target in ["/health", "/version", "/metrics", "/"] {
        assert_eq!(service.get(target).status, StatusCode::OK, "{target}");
    }
}

#[test]
fn private_services_show_nothing_but_health() {
    let options = Options { private: true, ..Options::default() };
    let service = Service::with(options);
    for target in ["/", "/docs", "/version", "/metrics", "/openapi.json", "/ready", "/nope"] {
        let status = service.ask(Method::GET, target, &[]).status;
        assert_eq!(status, StatusCode::UNAUTHORIZED, "{target}");
        assert_ne!(service.get(target).status, StatusCode::UNAUTHORIZED, "{target}");
    }
    assert_eq!(service.ask(Method::GET, "/health", &[]).status, StatusCode::OK);
}

#[test]
fn other_origins() {
    let origin = HeaderValue::from_static("https://example.org");
    let options = Options { cors_origin: Some(origin), ..Options::default() };
    let service = Service::with(options);
    let asked = [("origin", "https://example.org"), ("access-control-request-method", "GET")];
    let reply = service.ask(Method::OPTIONS, TARGETS[1], &asked);
    assert_eq!(reply.status, StatusCode::NO_CONTENT);
    assert_eq!(reply.header("access-control-allow-methods"), "GET, HEAD");
    assert!(reply.header("access-control-allow-headers").contains("X-API-Key"));
    let reply = service.ask(Method::GET, "/health", &asked[..1]);
    assert_eq!(reply.header("access-control-allow-origin"), "https://example.org");
    let reply = service.ask(Method::GET, "/health", &[("origin", "https://evil.example")]);
    assert_eq!(reply.header("access-control-allow-origin"), "");
    let closed = Service::new().ask(Method::GET, "/health", &asked[..1]);
    assert!(closed.headers.keys().all(|name| !name.as_str().starts_with("access-control")));
}

#[test]
fn own_requests_need_no_key() {
    let service = Service::new();
    let request = hyper::Request::builder().uri(TARGETS[0]).body(()).unwrap();
    let answer = service.app.answer_trusted(request.into_parts().0, hyper::body::Bytes::new());
    assert_eq!(answer.status(), StatusCode::OK);
}

#[test]
fn every_fault_is_told() {
    let service = Service::new();
    let check = |target: &str, errors: &str| {
        let expected: Vec<_> = errors.split("; ").collect();
        assert_eq!(service.refused(target), expected, "{target}");
    };
    check("/typeahead/nonprofits?limit=x", "query.q missing; query.limit int_parsing");
    check(
        "/typeahead/nonprofits?state=VTX&limit=26&q=a",
        "query.q string_too_short; query.limit less_than_equal; query.state string_too_long",
    );
    check(
        "/impact/stories/12345678x?size=101&page=0&min_power_score=11",
        "path.ein string_pattern_mismatch; query.min_power_score less_than_equal; \
         query.page greater_than_equal; query.size less_than_equal",
    );
    check(
        "/impact/metrics?page=0&eins=123456789,abcdefghi",
        "query.eins.1 string_pattern_mismatch; query.page greater_than_equal",
    );
    check("/nonprofits/details/53-0196605", "path.ein string_too_long");
    check("/nonprofits/details/12345678%0A", "path.ein string_pattern_mismatch");
    check(
        "/feed/posts?size=x&page=&zip_code=x&state=1&city=x&view=all&classification=Event",
        "query.classification literal_error; query.view literal_error; \
         query.city string_too_short; query.state string_too_short; \
         query.zip_code string_pattern_mismatch; query.page int_parsing; query.size int_parsing",
    );
    check(
        "/chat?sdg=0&gc_vetted=si&max_total_revenue=1.5&zip=1234a&city=x",
        "query.q missing; query.city string_too_short; query.zip string_pattern_mismatch; \
         query.max_total_revenue int_parsing; query.gc_vetted bool_parsing; \
         query.sdg.0 greater_than_equal",
    );
    check(
        "/chat/search?q=food&min_total_revenue=2&max_total_revenue=1",
        "query.max_total_revenue value_error",
    );
    let reply = service.get("/typeahead/nonprofits?q=a");
    let expected = json!({ "detail": [{
        "type": "string_too_short",
        "loc": ["query", "q"],
        "msg": "String should have at least 2 characters",
        "input": "a",
        "ctx": { "min_length": 2 },
    }] });
    assert_eq!(reply.json(), expected);
}

#[test]
fn strange_input_is_answered() {
    let service = Service::new();
    for raw in [
        "%00",
        "%FF%FE",
        "%F0%9F%8C%BB",
        "%25%25",
        "%5Cd%2B%24",
        "..%2F..",
        "%27%3B--",
        "%E2%80%AE",
        "%",
        "%%",
        "&&&",
        "=",
        "%C0%AF",
        "+",
        "++",
        "a;b",
        "é",
    ] {
        for target in [
            format!("/typeahead/nonprofits?q={raw}"),
            format!("/beta/nonprofits/search?q=&city={raw}&ntee_codes={raw}&sort={raw}"),
            format!("/nonprofits/details/{}", raw.replace('é', "%C3%A9")),
        ] {
            let status = service.get(&target).status.as_u16();
            assert!([200, 422].contains(&status), "{target} {status}");
        }
    }
}

#[test]
fn unknown_nonprofits_have_neither_financials_nor_related() {
    let service = Service::new();
    for path in ["financials", "related"] {
        let unknown = service.get(&format!("/nonprofits/details/999999999/{path}"));
        assert_eq!(unknown.status, StatusCode::NOT_FOUND, "{path}");
    }
}
