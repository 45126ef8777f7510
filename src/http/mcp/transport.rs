//! The protocol over HTTP: one POST, one answer in JSON. There are no sessions, since nothing is kept between requests,
//! and no streams, since the server says nothing unasked.

use std::sync::Arc;

use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::header::{self, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Request, Response, StatusCode};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::runtime::Builder;
use tokio::time::timeout;

use super::frame;
use super::handler::{Handler, Workplace};
use crate::http::interface::api_error::ApiError;
use crate::http::interface::response::{Answer, JSON, ok};
use crate::http::server::limits::{MCP_MESSAGE_BYTES_MAX, REQUEST_DEADLINE};
use crate::snapshot::Snapshot;

const TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");

/// Answers a POST of one message. It takes as long as what is asked, so it is run on the pool.
///
/// # Errors
/// When no snapshot is open, it takes longer than a request may, or the system gives no files.
pub(in crate::http) fn answer(
    snapshot: Option<Arc<Snapshot>>,
    parts: &Parts,
    body: Bytes,
) -> Result<Answer, ApiError> {
    let snapshot = snapshot.ok_or(ApiError::NotReady)?;
    if let Err(error) = frame::check(&body) {
        let mut answer = ok(JSON, error.body());
        *answer.status_mut() = StatusCode::BAD_REQUEST;
        return Ok(answer);
    }
    let service = StreamableHttpService::new(
        move || Ok(Handler::new(snapshot.clone(), Workplace::Here)),
        Arc::new(NeverSessionManager::default()),
        configuration(),
    );
    let request = Request::from_parts(parts.clone(), Full::new(body));
    // The protocol's library wants tasks: they run on this thread, and end with this request.
    let runtime = Builder::new_current_thread().enable_time().build();
    let runtime = runtime.map_err(|error| ApiError::Panic(error.to_string()))?;
    let answered = runtime.block_on(async {
        let answering = async {
            let (parts, body) = service.handle(request).await.into_parts();
            (parts, body.collect().await.map(|body| body.to_bytes()).unwrap_or_default())
        };
        timeout(REQUEST_DEADLINE, answering).await
    });
    let (parts, body) = answered.map_err(|_| ApiError::Late)?;
    let is_plain = !body.is_empty() && !parts.headers.contains_key(header::CONTENT_TYPE);
    let mut answer = Response::from_parts(parts, Full::new(body).into());
    if is_plain {
        answer.headers_mut().insert(header::CONTENT_TYPE, TEXT);
    }
    Ok(answer)
}

/// Origins and keys are checked before, with those of all requests; names of hosts tell nothing of a
/// server behind a proxy.
fn configuration() -> StreamableHttpServerConfig {
    StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(MCP_MESSAGE_BYTES_MAX)
        .disable_allowed_hosts()
        .disable_allowed_origins()
}
