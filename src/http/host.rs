//! Which host a request is sent to: exactly one, or it is refused (RFC 9112 3.2). Two parties that read a
//! request with none or two may each take another.

use hyper::Version;
use hyper::header::{HOST, HeaderValue};
use hyper::http::request::Parts;
use hyper::http::uri::Authority;

/// Whether a request says where it is sent, once and readably; before HTTP/1.1 it need not.
pub(super) fn is_told(parts: &Parts) -> bool {
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

#[cfg(test)]
mod tests {
    use hyper::Request;

    use super::*;

    #[test]
    fn one_host_is_told() {
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
            assert_eq!(is_told(&parts), expected, "{version:?} {hosts:?}");
        }
    }
}
