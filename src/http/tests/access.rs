//! What is answered without a key, and to whom.

use hyper::Method;

use super::fixture::Service;
use crate::http::{Access, Options};

const TARGET: &str = "/typeahead/nonprofits?q=a";

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
