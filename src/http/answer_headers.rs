//! What every answer says unless it says otherwise: that nobody keeps it, what it varies by, and that a browser
//! runs and frames nothing of it.

use hyper::HeaderMap;
use hyper::header::{self, HeaderName, HeaderValue};

use super::access::Access;
use super::options::Options;
use super::route::Route;

/// Questions and answers are private, and errors pass: what may be kept says so itself.
const CACHING: HeaderValue = HeaderValue::from_static("no-store");
/// An answer is data, and no page, even where somebody makes a browser open it.
const POLICY: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");
const NO_SNIFFING: HeaderValue = HeaderValue::from_static("nosniff");

/// Adds to the headers of an answer what it does not say itself.
pub(super) fn complete(route: Route<'_>, options: &Options, headers: &mut HeaderMap) {
    let defaults: [(HeaderName, HeaderValue); 3] = [
        (header::CACHE_CONTROL, CACHING),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, NO_SNIFFING),
    ];
    for (name, value) in defaults {
        headers.entry(name).or_insert(value);
    }
    if let Some(names) = varies_by(route, options) {
        headers.append(header::VARY, HeaderValue::from_static(names));
    }
}

/// The request headers, besides the target, that an answer depends on: the key and the session. A
/// shared cache knows neither.
fn varies_by(route: Route<'_>, options: &Options) -> Option<&'static str> {
    match (route, options.access) {
        (Route::Mcp, _) => Some("X-API-Key, Authorization"),
        (Route::Endpoint(..), Access::Page) => Some("X-API-Key, X-Almoner-Page, x-session-id"),
        (Route::Endpoint(..), _) => Some("X-API-Key, x-session-id"),
        (Route::Submission(_), Access::Page) => Some("X-API-Key, X-Almoner-Page"),
        (Route::Submission(_), _) => Some("X-API-Key"),
        (Route::Page(_) | Route::Asset(_) | Route::Unknown, _) => {
            options.private.then_some("X-API-Key")
        }
    }
}
