//! Why a request is not answered with 200: what the client sees, and what only the log says.

use std::error::Error as _;
use std::time::Duration;

use hyper::StatusCode;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::body::BodyErrors;
use super::form::FormError;
use super::validation_error::ValidationErrors;
use crate::search::SearchError;

/// Why a request is refused.
#[derive(Debug)]
pub(super) enum ApiError {
    /// No host, or several.
    Host,
    /// No key, or none that is valid.
    Unauthenticated,
    /// A request of a web page of another origin.
    ForeignOrigin,
    /// No such path.
    NotFound,
    /// No nonprofit of that EIN.
    UnknownNonprofit,
    /// Another method than the path has.
    Method,
    /// The target is longer than allowed.
    LongTarget,
    /// The headers are longer than allowed.
    LongHeaders,
    /// The body is longer than allowed.
    LongBody,
    /// More items than this in what is asked at once.
    LongBatch(usize),
    /// The body is no form, or a broken one.
    Form(FormError),
    /// The body did not come through.
    BrokenBody,
    /// The body did not come in time.
    LateBody,
    /// Parameters that are not what they should be.
    Invalid(ValidationErrors),
    /// A body that is not what it should be.
    InvalidBody(BodyErrors),
    /// No snapshot is open.
    NotReady,
    /// As much is being done as may be.
    Overloaded(Refusal),
    /// The key asked more often than it may.
    TooMany(Duration),
    /// It took longer than it may.
    Late,
    /// The snapshot is damaged.
    Search(SearchError),
    /// An answer could not be written as JSON.
    Unwritable(serde_json::Error),
    /// A defect of this program, with the panic's message.
    Panic(String),
}

/// What keeps a request from being answered that could be answered at another time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// As many bodies are held as may be.
    Permits,
    /// It would wait too long, or too many wait.
    Wait,
    /// It took longer than it may.
    Deadline,
    /// Its body did not come in time.
    Body,
    /// The key or the address asked more often than it may.
    Rate,
    /// As many connections are worked for as may be.
    Slots,
}

impl Refusal {
    pub(super) const ALL: [Self; 6] =
        [Self::Permits, Self::Wait, Self::Deadline, Self::Body, Self::Rate, Self::Slots];

    /// What counts and the log call it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Permits => "permits",
            Self::Wait => "wait",
            Self::Deadline => "deadline",
            Self::Body => "body",
            Self::Rate => "rate",
            Self::Slots => "slots",
        }
    }
}

/// The body of an error: what went wrong, in one sentence.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Error")]
pub(super) struct Body {
    /// What went wrong.
    detail: &'static str,
}

impl ApiError {
    pub(super) fn status(&self) -> StatusCode {
        match self {
            Self::Unauthenticated => StatusCode::UNAUTHORIZED,
            Self::ForeignOrigin => StatusCode::FORBIDDEN,
            Self::NotFound | Self::UnknownNonprofit => StatusCode::NOT_FOUND,
            Self::Method => StatusCode::METHOD_NOT_ALLOWED,
            Self::LongTarget => StatusCode::URI_TOO_LONG,
            Self::LongHeaders => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            Self::LongBody | Self::LongBatch(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Form(FormError::Media { .. }) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::Host | Self::BrokenBody | Self::Form(_) => StatusCode::BAD_REQUEST,
            Self::LateBody => StatusCode::REQUEST_TIMEOUT,
            Self::Invalid(_) | Self::InvalidBody(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::TooMany(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::NotReady | Self::Overloaded(_) | Self::Late => StatusCode::SERVICE_UNAVAILABLE,
            Self::Search(_) | Self::Unwritable(_) | Self::Panic(_) => {
                StatusCode::INTERNAL_SERVER_ERROR
            }
        }
    }

    /// What the client sees.
    pub(super) fn body(&self) -> Value {
        let detail = match self {
            Self::Invalid(errors) => return json!(errors.body()),
            Self::InvalidBody(errors) => return errors.body(),
            Self::LongBatch(most) => {
                let detail = format!("Content Too Large: at most {most} at once");
                return json!({ "detail": detail });
            }
            Self::Form(error) => {
                let status = self.status();
                let reason = status.canonical_reason().unwrap_or_default();
                return json!({ "detail": format!("{reason}: {error}") });
            }
            Self::Host => {
                "Bad Request: expected one Host header that names a host, with or without a port"
            }
            Self::Unauthenticated => "Not authenticated",
            Self::ForeignOrigin => "Forbidden: requests of web pages of another origin",
            Self::NotFound => "Not Found",
            Self::UnknownNonprofit => "Nonprofit not found",
            Self::Method => "Method Not Allowed",
            Self::LongTarget => "URI Too Long",
            Self::LongHeaders => "Request Header Fields Too Large",
            Self::LongBody => "Content Too Large",
            Self::BrokenBody => "Bad Request",
            Self::LateBody => "Request Timeout",
            Self::NotReady => "Service Unavailable: no data is open yet",
            Self::TooMany(_) => {
                "Too Many Requests: this key may ask again after the time in Retry-After"
            }
            Self::Overloaded(_) => "Service Unavailable: overloaded, try again",
            Self::Late => "Service Unavailable: the request took too long",
            Self::Search(_) | Self::Unwritable(_) | Self::Panic(_) => "Internal Server Error",
        };
        json!(Body { detail })
    }

    /// What refuses it, if it could be answered at another time.
    pub(super) fn refusal(&self) -> Option<Refusal> {
        match self {
            Self::Overloaded(refusal) => Some(*refusal),
            Self::Late => Some(Refusal::Deadline),
            Self::LateBody => Some(Refusal::Body),
            Self::TooMany(_) => Some(Refusal::Rate),
            _ => None,
        }
    }

    /// The text that the log has of a server error; `None` where the client already sees the whole cause.
    pub(super) fn cause(&self) -> Option<String> {
        match self {
            Self::Search(error) => {
                let mut text = error.to_string();
                let mut source = error.source();
                while let Some(inner) = source {
                    text.push_str(": ");
                    text.push_str(&inner.to_string());
                    source = inner.source();
                }
                Some(text)
            }
            Self::Unwritable(error) => Some(error.to_string()),
            Self::Panic(message) => Some(format!("panic: {message}")),
            _ => None,
        }
    }
}

impl From<ValidationErrors> for ApiError {
    fn from(errors: ValidationErrors) -> Self {
        Self::Invalid(errors)
    }
}

impl From<BodyErrors> for ApiError {
    fn from(errors: BodyErrors) -> Self {
        Self::InvalidBody(errors)
    }
}

impl From<FormError> for ApiError {
    fn from(error: FormError) -> Self {
        Self::Form(error)
    }
}

impl From<SearchError> for ApiError {
    fn from(error: SearchError) -> Self {
        Self::Search(error)
    }
}
