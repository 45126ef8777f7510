//! Responses of the service, and their media types.

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};

use super::answer_body::AnswerBody;
use super::compression::{self, Encoding, SharedBody};
use super::endpoint::{Media, Reply};

/// A response of the service.
pub type Answer = Response<AnswerBody>;

/// Says how an answer was found.
pub(crate) const PLAN: HeaderName = HeaderName::from_static("x-almoner-plan");

/// The total over all pages, for a list as CSV, which has no place for it.
pub(crate) const TOTAL: HeaderName = HeaderName::from_static("x-total-count");

pub(crate) const JSON: HeaderValue = HeaderValue::from_static("application/json");
pub(crate) const PROMETHEUS: HeaderValue =
    HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
pub(crate) const CSV: HeaderValue =
    HeaderValue::from_static("text/csv; charset=utf-8; header=present");
pub(crate) const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");
/// The media type of JSONP; without the charset, pages in another encoding would read it as theirs.
const SCRIPT: HeaderValue = HeaderValue::from_static("application/javascript; charset=utf-8");
const ATOM: HeaderValue = HeaderValue::from_static("application/atom+xml; charset=utf-8");

/// What a request that is not refused is answered with.
#[derive(Debug)]
pub(crate) enum Content {
    /// Of an endpoint.
    Reply(Reply),
    /// Of a page or a file of one, or to a preflight.
    Answer(Answer),
}

impl Content {
    pub(crate) fn into_answer(self) -> Answer {
        let Reply { body, media, plan, headers, position: _ } = match self {
            Self::Answer(answer) => return answer,
            Self::Reply(reply) => reply,
        };
        let media = match media {
            Media::Json => JSON,
            Media::Atom => ATOM,
            Media::Html => HTML,
            Media::Csv => CSV,
            Media::Script => SCRIPT,
        };
        let mut answer = ok(media, body);
        let plan = plan.and_then(|plan| HeaderValue::try_from(plan.to_string()).ok());
        answer.headers_mut().extend(plan.map(|plan| (PLAN, plan)));
        answer.headers_mut().extend(headers);
        answer
    }
}

pub(crate) fn ok(media: HeaderValue, body: impl Into<Bytes>) -> Answer {
    let mut answer = Response::new(Full::new(body.into()).into());
    answer.headers_mut().insert(header::CONTENT_TYPE, media);
    answer
}

/// A 200 with what is the same for everybody, in the encoding that a client takes.
pub(crate) fn shared(media: HeaderValue, body: &SharedBody, accepted: Option<Encoding>) -> Answer {
    let (body, encoding) = body.encoded(accepted);
    let mut answer = ok(media, body);
    answer.headers_mut().extend(compression::headers(encoding));
    answer
}

pub(crate) fn no_content() -> Answer {
    let mut answer = Response::new(AnswerBody::default());
    *answer.status_mut() = StatusCode::NO_CONTENT;
    answer
}
