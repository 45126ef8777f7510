//! The interface without a server: this process asks, and is answered as a client with a key would be.

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;

use http_body_util::BodyExt as _;
use hyper::Request;
use hyper::body::Bytes;
use hyper::http::request::Parts;

use super::server::app::App;
use super::server::exchange::request_of;
use super::server::keys::Keys;
use super::server::options::Options;
use crate::snapshot::{self, OpenError, Snapshot};

/// The interface over one snapshot.
pub struct LocalService {
    app: App,
}

/// What a request is answered with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalAnswer {
    /// 200, or what went wrong as in HTTP: 404, 422, 500 and so on.
    pub status: u16,
    /// JSON, or what else the path answers; of an error JSON with `detail`.
    pub body: Bytes,
}

impl LocalService {
    /// Over the snapshot that is published in a data directory.
    ///
    /// # Errors
    /// When there is none, it is of another format version, or as far as opening looks damaged.
    pub fn open(data_dir: &Path) -> Result<Self, OpenError> {
        snapshot::open(data_dir).map(Self::new)
    }

    /// Over a snapshot, without keys and without limits of a client.
    pub fn new(snapshot: Snapshot) -> Self {
        let app = App::new(Keys::none(), Options::default());
        app.swap(Arc::new(snapshot));
        Self { app }
    }

    /// Answers a GET of a path and query, percent-encoded; `None` where it is no path: it begins with `/` and has
    /// no blanks or control characters.
    pub fn get(&self, target: &str) -> Option<LocalAnswer> {
        Some(self.answer(request_of(target)?, Bytes::new()))
    }

    /// Answers a POST of a JSON body to a path; `None` where it is no path.
    pub fn post(&self, path: &str, body: impl Into<Bytes>) -> Option<LocalAnswer> {
        request_of(path)?;
        let request = Request::post(path).body(()).ok()?;
        Some(self.answer(request.into_parts().0, body.into()))
    }

    fn answer(&self, parts: Parts, body: Bytes) -> LocalAnswer {
        let answer = self.app.answer_trusted(parts, body);
        let status = answer.status().as_u16();
        LocalAnswer { status, body: whole(answer.into_body()) }
    }
}

/// The bytes of a body that is in memory already.
fn whole(body: http_body_util::Full<Bytes>) -> Bytes {
    use std::future::Future as _;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    let collected = pin!(body.collect());
    let ready: Poll<Result<_, Infallible>> =
        collected.poll(&mut Context::from_waker(Waker::noop()));
    match ready {
        Poll::Ready(Ok(body)) => body.to_bytes(),
        Poll::Pending => Bytes::new(),
    }
}
