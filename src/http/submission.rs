//! Endpoints that take a body: POST with JSON in, JSON out. What they read of the body and how faults are
//! told is in `body.rs`.

use std::fmt;

use super::api_error::ApiError;
use super::endpoint::Reply;
use super::schema::SchemaOf;
use crate::snapshot::Snapshot;

/// One path that takes a body. Answering takes milliseconds: it runs on the bounded pool.
pub(super) struct Submission {
    pub(super) path: &'static str,
    /// Group in the documentation.
    pub(super) tag: &'static str,
    /// One line for the documentation.
    pub(super) summary: &'static str,
    /// What the body of the request is.
    pub(super) request: SchemaOf,
    /// What the body of a 200 answer is.
    pub(super) body: SchemaOf,
    /// The body of a 200 answer, from the bytes of the request's.
    pub(super) answer: fn(Option<&Snapshot>, &[u8]) -> Result<Reply, ApiError>,
}

impl fmt::Debug for Submission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.path)
    }
}
