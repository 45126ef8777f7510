//! A request that was looked at: who asks for what, and what the work on it may take.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use hyper::body::Bytes;
use hyper::header::HeaderValue;
use hyper::http::request::Parts;
use hyper::http::uri::PathAndQuery;
use hyper::{Method, Request};

use super::access;
use super::limits::{BODY_BYTES_MAX, SEARCH_TARGET_BYTES_MAX};
use super::pool::Lane;
use super::rate::Grant;
use crate::http::interface::endpoint::Cost;
use crate::http::interface::path_key::PathKey;
use crate::http::interface::route::Route;
use crate::understand::Asker;

/// A request that was looked at.
pub(crate) struct Exchange {
    pub(crate) parts: Parts,
    pub(crate) started: Instant,
    pub(crate) id: HeaderValue,
    pub(crate) key: Option<Arc<str>>,
    pub(crate) path_key: Option<PathKey>,
    /// Where it comes from.
    pub(crate) address: Arc<str>,
    /// What became of it by the rate of its key, or else of its address.
    pub(crate) grant: Option<Grant>,
    pub(crate) preflight: bool,
    pub(crate) body: Bytes,
    /// CPU time that the work on it may take.
    pub(crate) cpu_max: Duration,
    /// CPU time that it took, in microseconds.
    pub(crate) cpu_us: AtomicU64,
}

impl Exchange {
    pub(crate) fn route(&self) -> Route<'_> {
        Route::of(self.parts.uri.path())
    }

    /// Whether the body is read to be worked on, not to be dropped.
    pub(crate) fn takes_body(&self) -> bool {
        let route = self.route();
        let has_form = route.takes_form() && self.parts.method == Method::POST;
        !self.preflight && (route.takes_body() || has_form)
    }

    /// The longest body that is read.
    pub(crate) fn body_bytes_max(&self) -> usize {
        if self.takes_body() { self.route().body_bytes_max() } else { BODY_BYTES_MAX }
    }

    pub(crate) fn with_body(self, body: Bytes) -> Self {
        Self { body, ..self }
    }

    /// Who asks: a key, or else an address.
    pub(crate) fn client(&self) -> &Arc<str> {
        self.key.as_ref().unwrap_or(&self.address)
    }

    /// Whose sessions it may have.
    pub(crate) fn asker(&self) -> Asker<'_> {
        Asker { key: self.key.as_ref(), client: self.client() }
    }

    pub(crate) fn cpu(&self) -> Duration {
        Duration::from_micros(self.cpu_us.load(Ordering::Relaxed))
    }

    pub(crate) fn set_cpu(&self, cpu: Duration) {
        let cpu_us = u64::try_from(cpu.as_micros()).unwrap_or(u64::MAX);
        self.cpu_us.store(cpu_us, Ordering::Relaxed);
    }

    /// The address that is counted for it, where one is.
    pub(crate) fn counted_address(&self) -> Option<&Arc<str>> {
        access::is_keyless_page(&self.parts.headers).then_some(&self.address)
    }

    /// Where it waits to be worked on.
    pub(crate) fn lane(&self) -> Lane {
        let target = self.parts.uri.path_and_query().map_or("", PathAndQuery::as_str);
        let is_long = target.len() > SEARCH_TARGET_BYTES_MAX;
        if self.takes_body() || is_long { Lane::Submissions } else { Lane::Searches }
    }

    pub(crate) fn cost(&self) -> Cost {
        if self.takes_body() || matches!(self.route(), Route::Export(_)) {
            return Cost::Heavy;
        }
        self.route().endpoint().map_or(Cost::Micro, |endpoint| endpoint.cost)
    }
}

/// The head of a GET of a path and query; `None` unless it is one: it begins with `/` and has no
/// blanks or control characters.
pub fn request_of(path: &str) -> Option<Parts> {
    if !path.starts_with('/') {
        return None;
    }
    Request::get(path).body(()).ok().map(|request| request.into_parts().0)
}
