//! Requests that come from no socket.

use hyper::Request;
use hyper::http::request::Parts;

/// The head of a GET of a path and query; `None` unless it is one: it begins with `/` and has no
/// blanks or control characters.
pub fn request_of(path: &str) -> Option<Parts> {
    if !path.starts_with('/') {
        return None;
    }
    Request::get(path).body(()).ok().map(|request| request.into_parts().0)
}
