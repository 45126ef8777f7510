//! What every answer says unless it says otherwise: that nobody keeps it, what it varies by, and that a browser
//! runs and frames nothing of it; what the pages of other origins may do, and the methods of each path.

use hyper::HeaderMap;
use hyper::header::{self, HeaderName, HeaderValue};

use super::route::Route;
use crate::http::server::access::Access;
use crate::http::server::options::Options;

/// Questions and answers are private, and errors pass: what may be kept says so itself.
const CACHING: HeaderValue = HeaderValue::from_static("no-store");
/// An answer is data, and no page, even where somebody makes a browser open it.
const POLICY: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");
const NO_SNIFFING: HeaderValue = HeaderValue::from_static("nosniff");

/// Adds to the headers of an answer what it does not say itself.
pub(crate) fn complete(route: Route<'_>, options: &Options, headers: &mut HeaderMap) {
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
        (Route::Export(_), _) => Some("X-API-Key"),
        (Route::Submission(_), Access::Page) => Some("X-API-Key, X-Almoner-Page"),
        (Route::Submission(_), _) => Some("X-API-Key"),
        (Route::Page(_) | Route::Asset(_) | Route::Unknown, _) => {
            options.private.then_some("X-API-Key")
        }
    }
}

/// How long a browser may remember a preflight's answer, in seconds.
const PREFLIGHT_MAX_AGE_SECONDS: HeaderValue = HeaderValue::from_static("600");

/// The methods of what takes no body.
pub(crate) const METHODS: HeaderValue = HeaderValue::from_static("GET, HEAD");
const POST_ONLY: HeaderValue = HeaderValue::from_static("POST");
const WITH_FORM: HeaderValue = HeaderValue::from_static("GET, HEAD, POST");
static ANY: HeaderValue = HeaderValue::from_static("*");

/// The origin whose pages may read the answers of a path; `configured` is that of all others.
pub(crate) fn allowed<'a>(
    route: Route<'_>,
    configured: Option<&'a HeaderValue>,
) -> Option<&'a HeaderValue> {
    if route.is_for_every_origin() { Some(&ANY) } else { configured }
}

/// Lets pages of the origin allowed read the answer to a request.
pub(crate) fn allow_origin(
    allowed: Option<&HeaderValue>,
    asked: &HeaderMap,
    headers: &mut HeaderMap,
) {
    let Some(allowed) = allowed else { return };
    if allowed != "*" {
        headers.append(header::VARY, HeaderValue::from_static("Origin"));
        if asked.get(header::ORIGIN) != Some(allowed) {
            return;
        }
    }
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, allowed.clone());
    let exposed = HeaderValue::from_static(
        "content-disposition, etag, link, ratelimit, ratelimit-policy, x-almoner-ignored, \
         x-almoner-plan, x-request-id, x-total-count",
    );
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
}

/// What a preflight asks: methods and headers that may be sent.
pub(crate) fn allow_methods(route: Route<'_>, headers: &mut HeaderMap) {
    let sent = HeaderValue::from_static(match route {
        Route::Mcp => {
            "X-API-Key, Authorization, Content-Type, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, \
             x-request-id"
        }
        _ => "X-API-Key, x-session-id, x-request-id, Content-Type, If-Match, If-None-Match",
    });
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, methods(route));
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, sent);
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, PREFLIGHT_MAX_AGE_SECONDS);
}

/// The methods that a path has.
pub(crate) fn methods(route: Route<'_>) -> HeaderValue {
    match (route.takes_body(), route.takes_form()) {
        (true, _) => POST_ONLY,
        (false, true) => WITH_FORM,
        (false, false) => METHODS,
    }
}
