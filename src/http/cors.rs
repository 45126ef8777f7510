//! What the pages of other origins may do, and the methods of each path.

use hyper::HeaderMap;
use hyper::header::{self, HeaderValue};

use super::route::Route;

/// How long a browser may remember a preflight's answer, in seconds.
const PREFLIGHT_MAX_AGE_SECONDS: HeaderValue = HeaderValue::from_static("600");

/// The methods of what takes no body.
pub(super) const METHODS: HeaderValue = HeaderValue::from_static("GET, HEAD");
const POST_ONLY: HeaderValue = HeaderValue::from_static("POST");
const WITH_FORM: HeaderValue = HeaderValue::from_static("GET, HEAD, POST");
/// Any origin.
static ANY: HeaderValue = HeaderValue::from_static("*");

/// The origin whose pages may read the answers of a path; `configured` is that of all others.
pub(super) fn allowed<'a>(
    route: Route<'_>,
    configured: Option<&'a HeaderValue>,
) -> Option<&'a HeaderValue> {
    if route.is_for_every_origin() { Some(&ANY) } else { configured }
}

/// Lets pages of the origin allowed read the answer to a request.
pub(super) fn allow_origin(
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
        "etag, ratelimit, ratelimit-policy, x-almoner-ignored, x-almoner-plan, x-request-id, \
         x-total-count",
    );
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
}

/// What a preflight asks: methods and headers that may be sent.
pub(super) fn allow_methods(route: Route<'_>, headers: &mut HeaderMap) {
    let sent = HeaderValue::from_static(match route {
        Route::Mcp => {
            "X-API-Key, Authorization, Content-Type, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, \
             x-request-id"
        }
        _ => "X-API-Key, x-session-id, x-request-id, Content-Type, If-None-Match",
    });
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, methods(route));
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, sent);
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, PREFLIGHT_MAX_AGE_SECONDS);
}

/// The methods that a path has.
pub(super) fn methods(route: Route<'_>) -> HeaderValue {
    match (route.takes_body(), route.takes_form()) {
        (true, _) => POST_ONLY,
        (false, true) => WITH_FORM,
        (false, false) => METHODS,
    }
}
