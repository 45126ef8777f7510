//! Who may ask without a key: nobody, the programs and the browser of this machine, or the page
//! that this server delivers, whoever looks at it.
//!
//! A foreign page that is open in that browser is not among them: it would send its own `Origin`,
//! be marked by `Sec-Fetch-Site`, or, where its name was made to resolve to this machine (DNS
//! rebinding), name its own host. What came through a proxy is from elsewhere. Below stand what is asked of
//! every request, one host and no page of a stranger's, and which key it shows.

use std::net::IpAddr;
use std::sync::Arc;

use hyper::header::{self, HOST, HeaderName, HeaderValue, ORIGIN};
use hyper::http::request::Parts;
use hyper::http::uri::Authority;
use hyper::{HeaderMap, Version};

use crate::http::interface::path_key::PathKey;
use crate::http::interface::route::Route;

/// Who may ask without a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Access {
    /// Nobody.
    #[default]
    WithKey,
    /// Whoever asks from this machine for an address of this machine.
    ThisMachine,
    /// Whoever looks at the page, each address so often. A program can pretend to be the page: the
    /// limit of its address is what holds it.
    Page,
}

/// What the page sends with each request. A page of another origin cannot, unless it is allowed to.
const PAGE: HeaderName = HeaderName::from_static("x-almoner-page");
/// Where a proxy says whose request it passes on.
const REAL_IP: HeaderName = HeaderName::from_static("x-real-ip");

/// The address that a connection comes from; `None` over a socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Peer(pub(crate) Option<IpAddr>);

/// How requests reach the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reached {
    /// From their clients, or from any proxy.
    #[default]
    Directly,
    /// Only through a proxy that names the client in `X-Real-IP`.
    ThroughProxy,
}

/// Whether the page makes a request without a key.
pub(crate) fn is_keyless_page(headers: &HeaderMap) -> bool {
    is_from_page(headers) && !has_key(headers, None)
}

/// Where a connection comes from, as that of a request is written.
pub(crate) fn address_of(Peer(peer): Peer) -> Arc<str> {
    client(peer, &HeaderMap::new(), Reached::Directly)
}

/// Where a request comes from.
pub(crate) fn address(parts: &Parts, reached: Reached) -> Arc<str> {
    let Peer(peer) = *parts.extensions.get().unwrap_or(&Peer(None));
    client(peer, &parts.headers, reached)
}

/// Whose requests count together: an IPv4 address, or the network of an IPv6 address, of which one
/// household or host has 2⁶⁴. Behind a proxy it is the address that the proxy names.
fn client(peer: Option<IpAddr>, headers: &HeaderMap, reached: Reached) -> Arc<str> {
    let named = headers.get(REAL_IP).filter(|_| reached == Reached::ThroughProxy);
    let named = named.and_then(|value| value.to_str().ok()?.trim().parse().ok());
    match named.or(peer).map(|address: IpAddr| address.to_canonical()) {
        Some(IpAddr::V4(address)) => address.to_string().into(),
        Some(IpAddr::V6(address)) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64").into()
        }
        None => "local".into(),
    }
}

/// Whether a request is one that the page makes, of the origin that it is sent to.
fn is_from_page(headers: &HeaderMap) -> bool {
    headers.contains_key(PAGE) && has_own_origin(headers, &["http", "https"])
}

/// Whether a request names no origin, or that of the host it is sent to, by one of these schemes.
fn has_own_origin(headers: &HeaderMap, schemes: &[&str]) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let origin = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    origin.zip(host).is_some_and(|((scheme, authority), host)| {
        schemes.contains(&scheme) && authority.eq_ignore_ascii_case(host)
    })
}

/// What browsers report about the page that makes a request: `same-origin` of one of this server.
pub(crate) const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// What proxies, balancers and delivery networks add, by the beginnings of the names: each has several.
const FORWARDED: [&str; 17] = [
    "forwarded",
    "via",
    "x-forwarded",
    "x-original",
    "x-real-ip",
    "x-client-ip",
    "x-cluster-client-ip",
    "x-envoy",
    "x-azure",
    "x-appengine",
    "true-client-ip",
    "client-ip",
    "cf-",
    "cdn-loop",
    "fastly-",
    "fly-",
    "akamai-",
];

/// Whether a request was made on this machine, for an address of it, by no page of another site. That
/// it came over the loopback interface is for who listens to see to.
pub(crate) fn is_from_this_machine(headers: &HeaderMap) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else { return false };
    let Ok(host) = host.to_str() else { return false };
    let is_own_page = match headers.get(FETCH_SITE) {
        None => true,
        Some(site) => ["same-origin", "none"].iter().any(|own| site == own),
    };
    names_loopback(host)
        && has_own_origin(headers, &["http"])
        && is_own_page
        && !is_forwarded(headers)
}

/// Whether a request passed a proxy that says so.
fn is_forwarded(headers: &HeaderMap) -> bool {
    let says_so =
        |name: &HeaderName| FORWARDED.iter().any(|start| name.as_str().starts_with(start));
    headers.keys().any(says_so)
}

/// Whether `host`, or `host:port`, is this machine whatever a resolver says.
fn names_loopback(host: &str) -> bool {
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let name = match host.rsplit_once(':') {
        Some((name, port)) if is_port(port) => name,
        _ => host,
    };
    let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    name.eq_ignore_ascii_case("localhost")
        || address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Whether a request says where it is sent, once and readably; before HTTP/1.1 it need not.
pub(crate) fn has_one_host(parts: &Parts) -> bool {
    let mut sent = parts.headers.get_all(HOST).iter();
    match (sent.next(), sent.next()) {
        (None, _) => parts.version < Version::HTTP_11,
        (Some(host), None) => is_host(host),
        (Some(_), Some(_)) => false,
    }
}

/// A host with or without a port; nothing, where the target has none.
fn is_host(value: &HeaderValue) -> bool {
    let bytes = value.as_bytes();
    bytes.is_empty() || !bytes.contains(&b'@') && Authority::try_from(bytes).is_ok()
}

/// Hosts by which a server is reached on its own machine: no name that a stranger can point there.
const OWN_NAMES: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Whether a request comes from a page that may not send it: of another origin than the one `allowed`,
/// and not of this server itself on the loopback.
pub(crate) fn is_foreign(headers: &HeaderMap, allowed: Option<&HeaderValue>) -> bool {
    let mut sent = headers.get_all(ORIGIN).iter();
    let (Some(origin), more) = (sent.next(), sent.next()) else { return false };
    if more.is_some() {
        return true;
    }
    let is_allowed = allowed.is_some_and(|allowed| allowed == "*" || allowed == origin);
    !is_allowed && !is_own_origin(origin, headers.get(HOST))
}

/// Whether an origin is this server, reached on the loopback.
fn is_own_origin(origin: &HeaderValue, host: Option<&HeaderValue>) -> bool {
    let text = |value: &HeaderValue| value.to_str().ok().map(str::to_ascii_lowercase);
    let (Some(origin), Some(host)) = (text(origin), host.and_then(text)) else { return false };
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => &host,
    };
    OWN_NAMES.contains(&name) && origin.strip_prefix("http://") == Some(&host)
}

const API_KEY: HeaderName = HeaderName::from_static("x-api-key");
/// What stands before a key in `Authorization`.
const BEARER: &[u8] = b"bearer ";

/// Whether a request shows a key at all, valid or not.
pub(crate) fn has_key(headers: &HeaderMap, path_key: Option<&PathKey>) -> bool {
    path_key.is_some() || headers.contains_key(API_KEY)
}

/// The one key that a request shows.
pub(crate) fn key<'a>(
    route: Route<'_>,
    headers: &'a HeaderMap,
    path_key: Option<&'a PathKey>,
) -> Option<&'a [u8]> {
    let bearer = headers.get_all(header::AUTHORIZATION).iter();
    let bearer = bearer.filter(|_| matches!(route, Route::Mcp)).map(bearer_token);
    let keys = headers.get_all(API_KEY).iter().map(|key| Some(key.as_bytes()));
    let in_path = path_key.into_iter().map(|key| Some(key.as_str().as_bytes()));
    let mut sent = keys.chain(bearer).chain(in_path);
    let (key, more) = (sent.next()??, sent.next());
    if more.is_some() { None } else { Some(key) }
}

/// The token of an `Authorization` that has one.
fn bearer_token(value: &HeaderValue) -> Option<&[u8]> {
    let (scheme, token) = value.as_bytes().split_at_checked(BEARER.len())?;
    scheme.eq_ignore_ascii_case(BEARER).then(|| token.trim_ascii())
}

#[cfg(test)]
mod tests {
    use hyper::Request;

    use super::*;

    #[test]
    fn the_page_is_told_from_pages_of_others() {
        for (headers, is_page) in [
            (&[("host", "almoner.example"), ("x-almoner-page", "1")][..], true),
            (&[("host", "almoner.example")], false),
            (
                &[("host", "a.example"), ("origin", "https://a.example"), ("x-almoner-page", "1")],
                true,
            ),
            (
                &[("host", "a.example"), ("origin", "https://b.example"), ("x-almoner-page", "1")],
                false,
            ),
            (&[("host", "a.example"), ("origin", "null"), ("x-almoner-page", "1")], false),
        ] {
            let mut map = HeaderMap::new();
            for (name, value) in headers {
                map.append(*name, value.parse().unwrap());
            }
            assert_eq!(is_from_page(&map), is_page, "{headers:?}");
        }
    }

    #[test]
    fn clients_are_told_apart_by_their_network() {
        let peer = |text: &str| Some(text.parse().unwrap());
        let mut headers = HeaderMap::new();
        assert_eq!(&*client(peer("192.0.2.7"), &headers, Reached::ThroughProxy), "192.0.2.7");
        assert_eq!(&*client(peer("::ffff:192.0.2.7"), &headers, Reached::Directly), "192.0.2.7");
        assert_eq!(
            &*client(peer("2001:db8:1:2:3:4:5:6"), &headers, Reached::Directly),
            "2001:db8:1:2::/64"
        );
        assert_eq!(&*client(None, &headers, Reached::Directly), "local");
        headers.insert(REAL_IP, "198.51.100.1".parse().unwrap());
        assert_eq!(&*client(peer("127.0.0.1"), &headers, Reached::ThroughProxy), "198.51.100.1");
        assert_eq!(&*client(peer("192.0.2.7"), &headers, Reached::Directly), "192.0.2.7");
        headers.insert(REAL_IP, "nobody".parse().unwrap());
        assert_eq!(&*client(peer("192.0.2.7"), &headers, Reached::ThroughProxy), "192.0.2.7");
    }

    #[test]
    fn requests_of_this_machine_are_told_from_others() {
        for (headers, is_local) in [
            (&[("host", "127.0.0.1:8080")][..], true),
            (&[("host", "localhost")], true),
            (&[("host", "LOCALHOST:80")], true),
            (&[("host", "[::1]:8080")], true),
            (&[("host", "localhost:8080"), ("origin", "http://localhost:8080")], true),
            (&[("host", "localhost:8080"), ("sec-fetch-site", "same-origin")], true),
            (&[("host", "localhost:8080"), ("sec-fetch-site", "none")], true),
            (&[], false),
            (&[("host", "localhost"), ("host", "localhost")], false),
            (&[("host", "example.org")], false),
            (&[("host", "localhost.example.org")], false),
            (&[("host", "example.org:8080"), ("origin", "http://example.org:8080")], false),
            (&[("host", "192.168.0.2:8080")], false),
            (&[("host", "localhost:")], false),
            (&[("host", "localhost:8080"), ("origin", "http://example.org")], false),
            (&[("host", "localhost:8080"), ("origin", "http://localhost:9090")], false),
            (&[("host", "localhost:8080"), ("origin", "null")], false),
            (&[("host", "localhost:8080"), ("sec-fetch-site", "cross-site")], false),
            (&[("host", "localhost:8080"), ("sec-fetch-site", "same-site")], false),
            (&[("host", "localhost:8080"), ("x-forwarded-for", "192.0.2.1")], false),
            (&[("host", "localhost:8080"), ("via", "1.1 proxy")], false),
            (&[("host", "localhost:8080"), ("forwarded", "for=192.0.2.1")], false),
            (&[("host", "localhost:8080"), ("x-forwarded-proto", "https")], false),
            (&[("host", "localhost:8080"), ("X-Forwarded-Server", "a")], false),
            (&[("host", "localhost:8080"), ("x-forwarded", "a")], false),
            (&[("host", "localhost:8080"), ("cf-connecting-ip", "192.0.2.1")], false),
            (&[("host", "localhost:8080"), ("true-client-ip", "192.0.2.1")], false),
            (&[("host", "localhost:8080"), ("x-envoy-external-address", "192.0.2.1")], false),
            (&[("host", "localhost:8080"), ("x-session-id", "1"), ("x-request-id", "1")], true),
        ] {
            let mut map = HeaderMap::new();
            for (name, value) in headers {
                map.append(*name, value.parse().unwrap());
            }
            assert_eq!(is_from_this_machine(&map), is_local, "{headers:?}");
        }
    }

    #[test]
    fn one_host_has_one_host() {
        for (version, hosts, expected) in [
            (Version::HTTP_11, &["example.org"][..], true),
            (Version::HTTP_11, &["example.org:8080"], true),
            (Version::HTTP_11, &["[::1]:8080"], true),
            (Version::HTTP_11, &["127.0.0.1"], true),
            (Version::HTTP_11, &[""], true),
            (Version::HTTP_10, &[], true),
            (Version::HTTP_11, &[], false),
            (Version::HTTP_11, &["a.example", "a.example"], false),
            (Version::HTTP_10, &["a.example", "b.example"], false),
            (Version::HTTP_11, &["a.example, b.example"], false),
            (Version::HTTP_11, &["a.example/path"], false),
            (Version::HTTP_11, &["user@a.example"], false),
            (Version::HTTP_11, &["a b"], false),
        ] {
            let mut request = Request::builder().version(version);
            for host in hosts {
                request = request.header(HOST, *host);
            }
            let (parts, ()) = request.body(()).unwrap().into_parts();
            assert_eq!(has_one_host(&parts), expected, "{version:?} {hosts:?}");
        }
    }

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
