//! Why a request is not answered with 200: what the client sees, and what only the log says.

use std::error::Error as _;
use std::iter::successors;
use std::time::Duration;

use hyper::StatusCode;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::body::BodyErrors;
use super::form::FormError;
use super::validation_error::ValidationErrors;
use crate::record::named;
use crate::search::SearchError;

/// Why a request is refused, in the words that the client sees.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ApiError {
    #[error("Bad Request: expected one Host header that names a host, with or without a port")]
    Host,
    /// No key, or none that is valid.
    #[error("Not authenticated")]
    Unauthenticated,
    #[error("Forbidden: requests of web pages of another origin")]
    ForeignOrigin,
    #[error("Not Found")]
    NotFound,
    #[error("Nonprofit not found")]
    UnknownNonprofit,
    /// Another method than the path has.
    #[error("Method Not Allowed")]
    Method,
    #[error("URI Too Long")]
    LongTarget,
    #[error("Request Header Fields Too Large")]
    LongHeaders,
    #[error("Content Too Large")]
    LongBody,
    #[error("Content Too Large: at most {0} at once")]
    LongBatch(usize),
    /// The body is no form, or a broken one.
    #[error("{title}: {0}", title = .0.title())]
    Form(#[from] FormError),
    /// The body did not come through.
    #[error("Bad Request")]
    BrokenBody,
    /// The body did not come in time.
    #[error("Request Timeout")]
    LateBody,
    #[error(transparent)]
    Invalid(#[from] ValidationErrors),
    #[error(transparent)]
    InvalidBody(#[from] BodyErrors),
    /// No snapshot is open.
    #[error("Service Unavailable: no data is open yet")]
    NotReady,
    /// As much is being done as may be.
    #[error("Service Unavailable: overloaded, try again")]
    Overloaded(Refusal),
    #[error("Too Many Requests: this key may ask again after the time in Retry-After")]
    TooMany(Duration),
    /// The key has an export under way.
    #[error("Too Many Requests: an export of this key is under way; ask again when it has ended")]
    Exporting(Duration),
    #[error(
        "Precondition Failed: the data served is not what If-Match names; begin again without `after`"
    )]
    OtherSnapshot,
    #[error(
        "Precondition Required: `after` continues an export; send the ETag of its first part as If-Match"
    )]
    NoSnapshotNamed,
    #[error(
        "Not Implemented: this server's program writes no Parquet, as it was built without the feature `tables`; ask \
         for /export.csv or /export.ndjson"
    )]
    NoParquet,
    #[error("Service Unavailable: the request took too long")]
    Late,
    /// The snapshot is damaged.
    #[error("Internal Server Error")]
    Search(#[from] SearchError),
    /// An answer could not be written as JSON.
    #[error("Internal Server Error")]
    Unwritable(serde_json::Error),
    /// A defect of this program, with the panic's message.
    #[error("Internal Server Error")]
    Panic(String),
}

named! {
    /// What keeps a request from being answered that could be answered at another time.
    Refusal {
        /// As many bodies are held as may be.
        Permits = "permits",
        /// It would wait too long, or too many wait.
        Wait = "wait",
        /// It took longer than it may.
        Deadline = "deadline",
        /// Its body did not come in time.
        Body = "body",
        /// The key or the address asked more often than it may.
        Rate = "rate",
        /// As many connections are worked for as may be.
        Slots = "slots",
        /// The key has an export under way, or as many are as may be.
        Exports = "exports",
    }
}

/// The body of an error: what went wrong, in one sentence.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Error")]
pub(crate) struct Body {
    /// What went wrong.
    detail: String,
}

impl ApiError {
    pub(crate) fn status(&self) -> StatusCode {
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
            Self::TooMany(_) | Self::Exporting(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::OtherSnapshot => StatusCode::PRECONDITION_FAILED,
            Self::NoSnapshotNamed => StatusCode::PRECONDITION_REQUIRED,
            Self::NoParquet => StatusCode::NOT_IMPLEMENTED,
            Self::NotReady | Self::Overloaded(_) | Self::Late => StatusCode::SERVICE_UNAVAILABLE,
            Self::Search(_) | Self::Unwritable(_) | Self::Panic(_) => {
                StatusCode::INTERNAL_SERVER_ERROR
            }
        }
    }

    /// What the client sees.
    pub(crate) fn body(&self) -> Value {
        match self {
            Self::Invalid(errors) => json!(errors.body()),
            Self::InvalidBody(errors) => json!(errors.body()),
            other => json!(Body { detail: other.to_string() }),
        }
    }

    /// What refuses it, if it could be answered at another time.
    pub(crate) fn refusal(&self) -> Option<Refusal> {
        match self {
            Self::Overloaded(refusal) => Some(*refusal),
            Self::Late => Some(Refusal::Deadline),
            Self::LateBody => Some(Refusal::Body),
            Self::TooMany(_) => Some(Refusal::Rate),
            Self::Exporting(_) => Some(Refusal::Exports),
            _ => None,
        }
    }

    /// The text that the log has of a server error; `None` where the client already sees the whole cause.
    pub(crate) fn cause(&self) -> Option<String> {
        match self {
            Self::Search(error) => {
                let causes = successors(error.source(), |inner| (*inner).source());
                Some(causes.fold(error.to_string(), |text, inner| format!("{text}: {inner}")))
            }
            Self::Unwritable(error) => Some(error.to_string()),
            Self::Panic(message) => Some(format!("panic: {message}")),
            _ => None,
        }
    }
}
