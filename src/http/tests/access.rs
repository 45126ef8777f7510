//! What is answered without a key, and to whom.

use hyper::Method;

use super::fixture::Service;
use crate::http::{Access, Options, Reached};

const TARGET: &str = "/typeahead/nonprofits?q=am";

#[test]
fn an_open_service_answers_this_machine_and_asks_others_for_a_key() {
    let open = Service::with(Options { access: Access::ThisMachine, ..Options::default() });
    let status = |service: &Service, headers: &[(&str, &str)]| {
        service.ask(Method::GET, TARGET, headers).status.as_u16()
    };
    for (headers, expected) in [
        (&[("host", "127.0.0.1:8080")][..], 200),
        (&[("host", "localhost:8080"), ("origin", "http://localhost:8080")], 200),
        (&[("host", "rebound.example:8080")], 401),
        (&[("host", "localhost:8080"), ("origin", "https://example.org")], 401),
        (&[("host", "localhost:8080"), ("sec-fetch-site", "cross-site")], 401),
        (&[], 401),
        (&[("host", "rebound.example"), ("x-api-key", &open.key)], 200),
    ] {
        assert_eq!(status(&open, headers), expected, "{headers:?}");
    }
    assert_eq!(status(&Service::new(), &[("host", "127.0.0.1:8080")]), 401);
}

#[test]
fn a_public_page_is_answered_at_the_rate_of_its_address() {
    let rate = std::num::NonZeroU32::new(1);
    let public = Service::with(Options {
        access: Access::Page,
        rate,
        reached: Reached::ThroughProxy,
        ..Options::default()
    });
    let ask = |target: &str, headers: &[(&str, &str)]| public.ask(Method::GET, target, headers);
    let page = |address| [("x-almoner-page", "1"), ("x-real-ip", address)];
    let first = ask(TARGET, &page("192.0.2.1"));
    assert_eq!((first.status.as_u16(), first.header("ratelimit")), (200, r#""address";r=0;t=1"#));
    let mut replies = (0..100).map(|_| ask(TARGET, &page("192.0.2.1")));
    assert!(replies.any(|reply| reply.status == 429));
    assert_eq!(ask(TARGET, &page("192.0.2.2")).status, 200);
    // Whoever is not the page shows a key, whose own rate holds then.
    assert_eq!(ask(TARGET, &[("x-real-ip", "192.0.2.3")]).status, 401);
    let stranger =
        [("x-almoner-page", "1"), ("host", "a.example"), ("origin", "https://b.example")];
    assert_eq!(ask(TARGET, &stranger).status, 401);
    let with_key = ask(TARGET, &[("x-almoner-page", "1"), ("x-api-key", &public.key)]);
    assert_eq!(with_key.header("ratelimit-policy"), r#""key";q=1;w=1"#);
    assert_eq!(ask(TARGET, &[("x-almoner-page", "1"), ("x-api-key", "wrong")]).status, 401);
    let mcp = public.ask(Method::POST, "/mcp", &page("192.0.2.4"));
    assert_eq!(mcp.status, 401);
}

#[test]
fn a_key_is_granted_its_rate_and_no_more() {
    let rate = std::num::NonZeroU32::new(1);
    let limited = Service::with(Options { rate, ..Options::default() });
    let first = limited.get(TARGET);
    assert_eq!((first.status.as_u16(), first.header("ratelimit")), (200, r#""key";r=0;t=1"#));
    // On a machine that is busy for a second between two requests, the next one is granted too.
    let mut replies = (0..100).map(|_| limited.get(TARGET));
    let refused = replies.find(|reply| reply.status == 429).unwrap();
    assert_eq!(
        (refused.header("retry-after"), refused.header("ratelimit-policy")),
        ("1", r#""key";q=1;w=1"#)
    );
    assert!(refused.json()["detail"].as_str().unwrap().contains("Retry-After"));
    // Another key has a rate of its own, and without a limit nothing is said.
    let other = limited.another_key();
    assert_eq!(limited.ask(Method::GET, TARGET, &[("x-api-key", &other)]).status, 200);
    assert_eq!(Service::new().get(TARGET).header("ratelimit"), "");
}
