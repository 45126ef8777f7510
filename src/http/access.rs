//! Who may ask without a key: nobody, the programs and the browser of this machine, or the page
//! that this server delivers, whoever looks at it.
//!
//! A foreign page that is open in that browser is not among them: it would send its own `Origin`,
//! be marked by `Sec-Fetch-Site`, or, where its name was made to resolve to this machine (DNS
//! rebinding), name its own host. What came through a proxy is from elsewhere.

use std::net::IpAddr;
use std::sync::Arc;

use hyper::HeaderMap;
use hyper::header::{self, HeaderName};
use hyper::http::request::Parts;

use super::credentials;

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
pub(super) struct Peer(pub(super) Option<IpAddr>);

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
pub(super) fn is_keyless_page(headers: &HeaderMap) -> bool {
    is_from_page(headers) && !credentials::has_key(headers, None)
}

/// Where a connection comes from, as that of a request is written.
pub(super) fn address_of(Peer(peer): Peer) -> Arc<str> {
    client(peer, &HeaderMap::new(), Reached::Directly)
}

/// Where a request comes from.
pub(super) fn address(parts: &Parts, reached: Reached) -> Arc<str> {
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

/// What browsers say of the page that makes a request: `same-origin` of one of this server.
pub(super) const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

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
pub(super) fn is_from_this_machine(headers: &HeaderMap) -> bool {
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

#[cfg(test)]
mod tests {
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
}
