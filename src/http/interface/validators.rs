//! The headers by which a client learns whether the answer that it has is still the same: entity tags and dates.

use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{HeaderMap, StatusCode};

use super::response::Answer;
use crate::record::Timestamp;
use crate::snapshot::{Manifest, Snapshot};

/// What an answer is cached by: it must be asked for again, which costs little.
const CACHING: HeaderValue = HeaderValue::from_static("private, no-cache");

/// A 304 to a request whose client has the answer of a tag.
pub(crate) fn not_modified(tag: HeaderValue, snapshot: Option<&Snapshot>) -> Answer {
    let modified = snapshot.and_then(|snapshot| modified(&snapshot.manifest));
    let mut answer = Answer::default();
    *answer.status_mut() = StatusCode::NOT_MODIFIED;
    answer.headers_mut().extend(validators(tag, modified));
    answer.headers_mut().insert(header::VARY, HeaderValue::from_static("Accept, Accept-Encoding"));
    answer
}

/// The headers by which a client tells whether what it has is still so.
pub(crate) fn validators(
    tag: HeaderValue,
    modified: Option<HeaderValue>,
) -> impl Iterator<Item = (HeaderName, HeaderValue)> {
    let fixed = [(header::ETAG, tag), (header::CACHE_CONTROL, CACHING)];
    fixed.into_iter().chain(modified.map(|modified| (header::LAST_MODIFIED, modified)))
}

/// When a snapshot was built, as HTTP writes dates.
pub(crate) fn modified(manifest: &Manifest) -> Option<HeaderValue> {
    HeaderValue::try_from(Timestamp::parse(&manifest.built_at).ok()?.http_date()).ok()
}

/// Whether a client has the answer of a tag already. Tags are compared weakly, RFC 9110 13.1.2.
pub(crate) fn has(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let Ok(known) = tag.to_str().map(opaque) else { return false };
    let sent = headers.get_all(header::IF_NONE_MATCH).iter();
    sent.filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|one| known == opaque(one))
}
