//! The answer to what is refused or failed: its status, its body, and the headers that go with them.

use hyper::StatusCode;
use hyper::header::{self, HeaderValue};

use super::rate;
use crate::http::interface::answer_headers;
use crate::http::interface::api_error::ApiError;
use crate::http::interface::response::{self, Answer, JSON};

/// How long a client should wait after 503, in seconds: overload passes within moments.
const RETRY_AFTER_SECONDS: HeaderValue = HeaderValue::from_static("1");

/// The answer that tells an error.
pub(crate) fn error_answer(error: &ApiError) -> Answer {
    let mut answer = response::ok(JSON, error.body().to_string());
    *answer.status_mut() = error.status();
    let headers = answer.headers_mut();
    match error.status() {
        StatusCode::UNAUTHORIZED => {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("APIKey"));
        }
        StatusCode::METHOD_NOT_ALLOWED => {
            headers.insert(header::ALLOW, answer_headers::METHODS);
        }
        StatusCode::SERVICE_UNAVAILABLE => {
            headers.insert(header::RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
        StatusCode::TOO_MANY_REQUESTS => {
            if let ApiError::TooMany(wait) | ApiError::Exporting(wait) = error {
                headers.insert(header::RETRY_AFTER, HeaderValue::from(rate::seconds(*wait)));
            }
        }
        StatusCode::PAYLOAD_TOO_LARGE | StatusCode::BAD_REQUEST | StatusCode::REQUEST_TIMEOUT => {
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        _ => {}
    }
    answer
}
