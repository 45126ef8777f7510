//! Random targets and headers: whatever is asked, an answer of the contract comes back.

use hyper::{Method, StatusCode};
use percent_encoding::{NON_ALPHANUMERIC, percent_encode};
use proptest::prelude::*;

use super::fixture::{FULL, Service};

/// Statuses that a request alone can bring about; the server's own errors are not among them.
const STATUSES: [StatusCode; 9] = [
    StatusCode::OK,
    StatusCode::UNAUTHORIZED,
    StatusCode::NOT_FOUND,
    StatusCode::METHOD_NOT_ALLOWED,
    StatusCode::URI_TOO_LONG,
    StatusCode::UNPROCESSABLE_ENTITY,
    StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
    StatusCode::NOT_IMPLEMENTED,
    StatusCode::NO_CONTENT,
];

fn path() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(format!("/nonprofits/details/{FULL}")),
        Just("/typeahead/nonprofits".to_owned()),
        Just("/beta/nonprofits/search".to_owned()),
        Just(format!("/impact/stories/{FULL}")),
        Just(format!("/impact/metrics/{FULL}")),
        Just("/impact/stories".to_owned()),
        Just("/impact/metrics".to_owned()),
        Just("/feed/posts".to_owned()),
        Just("/chat".to_owned()),
        Just("/chat/search".to_owned()),
        "/(nonprofits/details|impact/stories|[a-z]{0,6})/[!-\"$->@-~]{0,30}",
    ]
}

fn name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "q",
        "limit",
        "state",
        "page",
        "size",
        "eins",
        "metric_ids",
        "metric_type",
        "min_power_score",
        "subsection_codes",
        "foundation",
        "latitude",
        "longitude",
        "location_range",
        "city",
        "county",
        "zip_code",
        "min_revenue",
        "max_revenue",
        "min_employees",
        "max_rating",
        "sdgs",
        "ntee_codes",
        "org_size",
        "sort",
        "max_vector_distance",
        "model",
        "view",
        "sdg",
        "gc_vetted",
    ])
}

/// A value that is nearly right, or bytes of any kind, percent-encoded.
fn value() -> impl Strategy<Value = String> {
    let encoded = |bytes: Vec<u8>| percent_encode(&bytes, NON_ALPHANUMERIC).to_string();
    prop_oneof![
        "[0-9]{1,20}",
        "[+-]?[0-9]{0,4}(\\.[0-9]{0,4})?(e[0-9]{1,3})?",
        prop::sample::select(vec![
            "true",
            "VT",
            "05401",
            "NaN",
            "inf",
            "name,-revenue",
            "Small",
            "%"
        ])
        .prop_map(str::to_owned),
        "[!-\"$-%'-~]{0,40}",
        prop::collection::vec(any::<u8>(), 0..60).prop_map(encoded),
        ".{0,40}".prop_map(move |text: String| encoded(text.into_bytes())),
    ]
}

proptest! {
    #[test]
    fn any_target_is_answered(
        path in path(),
        pairs in prop::collection::vec((name(), value()), 0..6),
        session in prop::option::of("[ -~]{0,40}"),
        request_id in prop::option::of("[ -~]{0,80}"),
        method in prop::sample::select(vec![Method::GET, Method::HEAD, Method::POST]),
    ) {
        let service = Service::new();
        let query: Vec<String> = pairs.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let target = format!("{path}?{}", query.join("&"));
        let mut headers = vec![("x-api-key", service.key.as_str())];
        headers.extend(session.as_deref().map(|value| ("x-session-id", value)));
        headers.extend(request_id.as_deref().map(|value| ("x-request-id", value)));
        // What is no URI does not reach the service.
        prop_assume!(target.parse::<hyper::Uri>().is_ok());
        let reply = service.ask(method.clone(), &target, &headers);
        prop_assert!(STATUSES.contains(&reply.status), "{} {}: {:?}", method, target, reply);
        prop_assert!(!reply.header("x-request-id").is_empty());
        if method == Method::HEAD {
            prop_assert!(reply.body.is_empty());
        } else if reply.header("content-type") == "application/json" {
            let body: serde_json::Value = serde_json::from_slice(&reply.body).unwrap();
            if reply.status == StatusCode::UNPROCESSABLE_ENTITY {
                for error in body["detail"].as_array().unwrap() {
                    prop_assert!(error["loc"].is_array() && error["msg"].is_string(), "{}", error);
                }
            }
        }
    }
}
