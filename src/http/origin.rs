//! Which web pages may send requests that a browser would not ask about first.
//!
//! A page of a stranger can have a visitor's browser send requests to a server on the visitor's own
//! machine, and with DNS rebinding even read the answers. Browsers say in `Origin` whose page it is; other
//! clients send none.

use hyper::HeaderMap;
use hyper::header::{HOST, HeaderValue, ORIGIN};

/// Hosts by which a server is reached on its own machine: no name that a stranger can point there.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Whether a request comes from a page that may not send it: of another origin than the one `allowed`,
/// and not of this server itself on the loopback.
pub(super) fn is_foreign(headers: &HeaderMap, allowed: Option<&HeaderValue>) -> bool {
    let mut sent = headers.get_all(ORIGIN).iter();
    let (Some(origin), more) = (sent.next(), sent.next()) else { return false };
    if more.is_some() {
        return true;
    }
    let is_allowed = allowed.is_some_and(|allowed| allowed == "*" || allowed == origin);
    !is_allowed && !is_own(origin, headers.get(HOST))
}

/// Whether an origin is this server, reached on the loopback.
fn is_own(origin: &HeaderValue, host: Option<&HeaderValue>) -> bool {
    let text = |value: &HeaderValue| value.to_str().ok().map(str::to_ascii_lowercase);
    let (Some(origin), Some(host)) = (text(origin), host.and_then(text)) else { return false };
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => &host,
    };
    LOOPBACK.contains(&name) && origin.strip_prefix("http://") == Some(&host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins() {
        for (origin, host, allowed, foreign) in [
            ("", "example.org", "", false),
            ("https://example.org", "example.org", "", true),
            ("https://example.org", "example.org", "https://example.org", false),
            ("https://evil.example", "example.org", "https://example.org", true),
            ("https://evil.example", "example.org", "*", false),
            ("null", "127.0.0.1:8080", "", true),
            ("http://localhost:8080", "localhost:8080", "", false),
            ("http://LOCALHOST:8080", "localhost:8080", "", false),
            ("http://127.0.0.1:8080", "127.0.0.1:8080", "", false),
            ("http://[::1]:8080", "[::1]:8080", "", false),
            ("http://[::1]", "[::1]", "", false),
            ("http://localhost:3000", "localhost:8080", "", true),
            ("https://localhost:8080", "localhost:8080", "", true),
            // A stranger's name that was pointed to this machine.
            ("http://evil.example:8080", "evil.example:8080", "", true),
            ("http://localhost.evil.example", "localhost.evil.example", "", true),
            ("http://localhost:8080", "", "", true),
        ] {
            let mut headers = HeaderMap::new();
            for (name, value) in [(ORIGIN, origin), (HOST, host)] {
                if !value.is_empty() {
                    headers.insert(name, value.parse().unwrap());
                }
            }
            let allowed: Option<HeaderValue> =
                (!allowed.is_empty()).then(|| allowed.parse().unwrap());
            assert_eq!(is_foreign(&headers, allowed.as_ref()), foreign, "{origin} {host}");
        }
        let mut twice = HeaderMap::new();
        twice.append(ORIGIN, "http://localhost".parse().unwrap());
        twice.append(ORIGIN, "http://localhost".parse().unwrap());
        twice.append(HOST, "localhost".parse().unwrap());
        assert!(is_foreign(&twice, None));
    }
}
