//! What every answer says of keeping, framing and running it.

use hyper::Method;

use super::fixture::{FIXTURE, Reply, Service};
use super::submissions::SENT;
use crate::http::{Access, Options};

const DETAILS: &str = "/nonprofits/details/530196605";
const SESSION: (&str, &str) = ("x-session-id", "6f1f1b52-92ab-4b8b-9a5a-0b2c3d4e5f60");

fn varies(reply: &Reply) -> Vec<&str> {
    let values = reply.headers.get_all("vary").iter();
    values.flat_map(|value| value.to_str().unwrap().split(", ")).collect()
}

#[test]
fn every_answer_refuses_frames_scripts_and_guesses() {
    let service = Service::new();
    let key = [("x-api-key", service.key.as_str())];
    for (method, target) in [
        (Method::GET, DETAILS),
        (Method::HEAD, DETAILS),
        (Method::GET, "/nonprofits/search.csv"),
        (Method::GET, "/changes.atom"),
        (Method::GET, "/metrics"),
        (Method::GET, "/health"),
        (Method::GET, "/openapi.json"),
        (Method::GET, "/nope"),
        (Method::GET, "/chat"),
        (Method::POST, DETAILS),
        (Method::GET, "/picker.js"),
        (Method::GET, "/"),
        (Method::GET, "/docs"),
        (Method::GET, "/reconcile/preview/530196605"),
    ] {
        let reply = service.ask(method.clone(), target, &key);
        assert_eq!(reply.header("x-content-type-options"), "nosniff", "{method} {target}");
        let policy = reply.header("content-security-policy");
        let framed = if target.starts_with("/reconcile") { "*" } else { "'none'" };
        assert!(policy.starts_with("default-src 'none'"), "{method} {target}: {policy}");
        assert!(
            policy.contains(&format!("frame-ancestors {framed}")),
            "{method} {target}: {policy}"
        );
        assert_eq!(reply.headers.get_all("content-security-policy").iter().count(), 1, "{target}");
    }
}

#[test]
fn what_is_private_or_passes_is_not_kept() {
    let service = Service::new();
    let key = ("x-api-key", service.key.as_str());
    let kept = "private, no-cache";
    let check = |reply: &Reply, expected: &str, what: &str| {
        assert_eq!(reply.header("cache-control"), expected, "{what}: {reply:?}");
    };
    check(&service.get(DETAILS), kept, "details");
    check(&service.get("/chat?q=food+banks"), kept, "a message without a session");
    let spoken = service.ask(Method::GET, "/chat?q=food+banks", &[key, SESSION]);
    check(&spoken, "no-store", "a message of a session");
    check(&service.get("/nonprofits/reliance/530196605"), "no-store", "a moment");
    check(&service.submit(SENT[0].0, SENT[0].1), "no-store", "a list");
    for target in ["/nope", "/chat", "/nonprofits/details/000000009", "/health", "/metrics"] {
        check(&service.get(target), "no-store", target);
    }
    check(&service.ask(Method::GET, DETAILS, &[]), "no-store", "no key");
    check(&service.ask(Method::DELETE, DETAILS, &[key]), "no-store", "another method");
    let unready = Service::unready(Options::default());
    check(&unready.get(DETAILS), "no-store", "no snapshot");
    unready.app.swap(FIXTURE.awaiting());
    check(&unready.get(DETAILS), "no-store", "vectors are awaited");
}

#[test]
fn answers_vary_by_what_decides_over_them() {
    let service = Service::new();
    let reply = service.get(DETAILS);
    assert_eq!(varies(&reply), ["Accept", "Accept-Encoding", "X-API-Key", "x-session-id"]);
    let tag = reply.header("etag");
    let key = ("x-api-key", service.key.as_str());
    let known = service.ask(Method::GET, DETAILS, &[key, ("if-none-match", tag)]);
    assert_eq!((known.status.as_u16(), varies(&known)), (304, varies(&reply)));
    let refused = service.ask(Method::GET, DETAILS, &[]);
    assert_eq!(varies(&refused), ["X-API-Key", "x-session-id"]);
    let submitted = service.submit(SENT[0].0, SENT[0].1);
    assert_eq!(varies(&submitted), ["Accept-Encoding", "X-API-Key"]);
    assert_eq!(varies(&service.submit("/mcp", "{}")), ["X-API-Key", "Authorization"]);
    assert!(varies(&service.get("/health")).is_empty());
    let private = Service::with(Options { private: true, ..Options::default() });
    assert_eq!(varies(&private.get("/version")), ["X-API-Key"]);
    let public = Service::with(Options { access: Access::Page, ..Options::default() });
    assert!(varies(&public.get(DETAILS)).contains(&"X-Almoner-Page"));
}
