//! Who may send what to the tools: limits, origins, preflights, and a server without data.

use super::*;

#[test]
fn the_door_is_as_narrow_as_the_others() {
    let client = Client::new();
    let message = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let ask = |method: Method, extra: &[(&str, &str)]| {
        let mut headers = client.headers();
        headers.extend(extra);
        client.service.ask(method, "/mcp", &headers)
    };
    for method in [Method::GET, Method::HEAD, Method::DELETE, Method::PUT] {
        let reply = ask(method, &[]);
        assert_eq!(reply.status, StatusCode::METHOD_NOT_ALLOWED);
        assert_eq!(reply.header("allow"), "POST");
    }
    let key = client.service.key.clone();
    let (bearer, wrong) = (format!("Bearer {key}"), format!("Bearer {}", &key[1..]));
    let accept = [
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
        ("host", HOST),
    ];
    for (header, value, status) in [
        ("x-api-key", key.as_str(), 200),
        ("authorization", bearer.as_str(), 200),
        ("authorization", &bearer.replace("Bearer", "bearer"), 200),
        ("authorization", wrong.as_str(), 401),
        ("authorization", key.as_str(), 401),
        ("authorization", "Bearer ", 401),
        ("authorization", "", 401),
        ("x-api-key", "", 401),
        ("x-request-id", "none", 401),
    ] {
        let headers: Vec<_> = accept.into_iter().chain([(header, value)]).collect();
        let reply = client.service.post("/mcp", &headers, message);
        assert_eq!(reply.status.as_u16(), status, "{header} {value}");
    }
    let two = [("authorization", bearer.as_str()), ("x-api-key", key.as_str())];
    let reply = client.service.post("/mcp", &[accept.as_slice(), &two].concat(), message);
    assert_eq!(reply.status, StatusCode::UNAUTHORIZED, "two keys");
    for (headers, status) in [
        (vec![accept[2], ("accept", "text/html")], StatusCode::NOT_ACCEPTABLE),
        (
            vec![accept[1], accept[2], ("content-type", "text/plain")],
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
        ),
        (
            vec![accept[0], accept[1], accept[2], ("mcp-protocol-version", "1999-01-01")],
            StatusCode::BAD_REQUEST,
        ),
    ] {
        let headers: Vec<_> = headers.into_iter().chain([("x-api-key", key.as_str())]).collect();
        assert_eq!(client.service.post("/mcp", &headers, message).status, status, "{headers:?}");
    }
}

#[test]
fn pages_of_strangers_are_refused() {
    let message = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let open =
        Options { cors_origin: Some("https://a.example".parse().unwrap()), ..Default::default() };
    for (options, origin, host, status) in [
        (Options::default(), "https://evil.example", "127.0.0.1:8080", 403),
        (Options::default(), "null", "127.0.0.1:8080", 403),
        (Options::default(), "http://evil.example:8080", "evil.example:8080", 403),
        (Options::default(), "http://127.0.0.1:8080", "127.0.0.1:8080", 200),
        (open.clone(), "https://a.example", "b.example", 200),
        (open, "https://evil.example", "b.example", 403),
    ] {
        let client = Client { service: Service::with(options) };
        let mut headers = client.headers();
        headers.retain(|(name, _)| *name != "host");
        headers.extend([("origin", origin), ("host", host)]);
        let reply = client.service.post("/mcp", &headers, message);
        assert_eq!(reply.status.as_u16(), status, "{origin}");
        if status == 403 {
            assert!(reply.json()["detail"].as_str().unwrap().starts_with("Forbidden"));
        }
    }
}

#[test]
fn a_preflight_says_what_may_be_sent() {
    let origin = "https://a.example";
    let options = Options { cors_origin: Some(origin.parse().unwrap()), ..Default::default() };
    let headers = [("origin", origin), ("access-control-request-method", "POST")];
    let reply = Service::with(options).ask(Method::OPTIONS, "/mcp", &headers);
    assert_eq!(reply.status, StatusCode::NO_CONTENT);
    assert_eq!(reply.header("access-control-allow-methods"), "POST");
    assert!(reply.header("access-control-allow-headers").contains("Mcp-Protocol-Version"));
}

#[test]
fn nothing_is_open_yet() {
    let service = Service::unready(Options::default());
    let client = Client { service };
    let reply = client.post(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#);
    assert_eq!(reply.status, StatusCode::SERVICE_UNAVAILABLE);
}
