//! Which key a request shows: in a header; of the Model Context Protocol also as a bearer token, since many
//! clients can send it so only; of the reconciliation service also in the path, since its clients take
//! an address and nothing else.

use hyper::HeaderMap;
use hyper::header::{self, HeaderName, HeaderValue};

use super::path_key::PathKey;
use super::route::Route;

const API_KEY: HeaderName = HeaderName::from_static("x-api-key");
/// What stands before a key in `Authorization`.
const BEARER: &[u8] = b"bearer ";

/// Whether a request shows a key at all, valid or not.
pub(super) fn has_key(headers: &HeaderMap, path_key: Option<&PathKey>) -> bool {
    path_key.is_some() || headers.contains_key(API_KEY)
}

/// The one key that a request shows.
pub(super) fn key<'a>(
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
