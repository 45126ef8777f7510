//! Keys in paths, `/reconcile/{key}`: for clients that take an address and nothing else.
//!
//! The key is taken out of a request before anything else looks at it, so that neither routes, logs nor
//! telemetry see it.

use std::fmt;

use hyper::http::request::Parts;
use hyper::http::uri::PathAndQuery;

/// Below it a key may stand.
pub(crate) const BEFORE: &str = "/reconcile";
/// What stands there otherwise.
const FOLDERS: [&str; 4] = ["suggest", "extend", "preview", "match"];

/// A key that stood in a path.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct PathKey(String);

impl PathKey {
    /// The key itself, for links in answers to the client that presented it.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PathKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PathKey(…)")
    }
}

/// A request without the key in its path: `/reconcile/{key}/preview/1` is `/reconcile/preview/1`.
pub(crate) fn without_key(mut parts: Parts) -> (Parts, Option<PathKey>) {
    let Some((key, rest)) = split(parts.uri.path()) else { return (parts, None) };
    let key = PathKey(key.to_owned());
    let query = parts.uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    let target = PathAndQuery::try_from(format!("{}{rest}{query}", BEFORE));
    let mut uri = std::mem::take(&mut parts.uri).into_parts();
    // What is left of a valid target is one; if it were none, the key would still not be kept.
    uri.path_and_query = target.ok();
    parts.uri = hyper::Uri::from_parts(uri).unwrap_or_default();
    (parts, Some(key))
}

/// The key of a path and what follows it.
fn split(path: &str) -> Option<(&str, &str)> {
    let below = path.strip_prefix(BEFORE)?.strip_prefix('/')?;
    let (segment, rest) = below.split_at(below.find('/').unwrap_or(below.len()));
    let is_own = segment.is_empty() || FOLDERS.contains(&segment);
    let rest = if rest == "/" { "" } else { rest };
    (!is_own).then_some((segment, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_in_paths_are_taken_out() {
        for (target, expected, key) in [
            ("/reconcile", "/reconcile", None),
            ("/reconcile/", "/reconcile/", None),
            ("/reconcile?queries=%7B%7D", "/reconcile?queries=%7B%7D", None),
            ("/reconcile/alm_x", "/reconcile", Some("alm_x")),
            ("/reconcile/alm_x/", "/reconcile", Some("alm_x")),
            ("/reconcile/alm_x?queries=1", "/reconcile?queries=1", Some("alm_x")),
            ("/reconcile/suggest/type", "/reconcile/suggest/type", None),
            ("/reconcile/x/suggest/type?prefix=n", "/reconcile/suggest/type?prefix=n", Some("x")),
            ("/reconcile/x/preview/1", "/reconcile/preview/1", Some("x")),
            ("/reconcile/x/y", "/reconcile/y", Some("x")),
            ("/reconcile/match", "/reconcile/match", None),
            ("/reconcile/x/match", "/reconcile/match", Some("x")),
            ("/reconcilement/x", "/reconcilement/x", None),
            ("http://a.example/reconcile/x?a", "http://a.example/reconcile?a", Some("x")),
        ] {
            let (parts, ()) = hyper::Request::get(target).body(()).unwrap().into_parts();
            let (parts, found) = without_key(parts);
            assert_eq!(parts.uri.to_string(), expected);
            assert_eq!(found.as_ref().map(PathKey::as_str), key, "{target}");
            assert!(!format!("{found:?}").contains("alm_x"));
        }
    }
}
