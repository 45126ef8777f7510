//! The interface without a server: this process asks, and is answered as a client with a key would be.

use std::io;
use std::path::Path;
use std::sync::Arc;

use hyper::Request;
use hyper::body::Bytes;
use hyper::http::request::Parts;

use super::interface::answer_body::AnswerBody;
use super::server::app::App;
use super::server::exchange::request_of;
use super::server::keys::Keys;
use super::server::options::Options;
use crate::snapshot::{self, OpenError, Snapshot};

/// The interface over one snapshot.
pub struct LocalService {
    app: App,
}

/// What a request is answered with: an iterator over the parts of its body, of which most answers have one and whole
/// results many, made as they are taken.
#[derive(Debug)]
pub struct LocalAnswer {
    /// 200, or what went wrong as in HTTP: 404, 422, 500 and so on. The body of an error is JSON with `detail`.
    pub status: u16,
    body: AnswerBody,
}

impl LocalAnswer {
    /// Whether the body is in memory, not made as it is taken.
    pub(crate) fn is_whole(&self) -> bool {
        matches!(self.body, AnswerBody::Whole(_))
    }

    /// The body as a whole.
    ///
    /// # Errors
    /// When it broke off.
    pub fn whole(self) -> io::Result<Vec<u8>> {
        let mut whole = Vec::new();
        for part in self {
            whole.extend_from_slice(&part?);
        }
        Ok(whole)
    }
}

impl Iterator for LocalAnswer {
    type Item = io::Result<Bytes>;

    fn next(&mut self) -> Option<Self::Item> {
        self.body.wait()
    }
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
        LocalAnswer { status: answer.status().as_u16(), body: answer.into_body() }
    }
}
