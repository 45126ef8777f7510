//! A request that was looked at: who asks for what, and what the work on it may take.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use hyper::body::Bytes;
use hyper::header::HeaderValue;
use hyper::http::request::Parts;
use hyper::{Method, Request};

use super::access;
use super::endpoint::Cost;
use super::limits::BODY_BYTES_MAX;
use super::path_key::PathKey;
use super::pool::Lane;
use super::rate::Grant;
use super::route::Route;
use crate::understand::Asker;

/// A request that was looked at.
pub(super) struct Exchange {
    pub(super) parts: Parts,
    pub(super) started: Instant,
    pub(super) id: HeaderValue,
    pub(super) key: Option<Arc<str>>,
    pub(super) path_key: Option<PathKey>,
    /// Where it comes from.
    pub(super) address: Arc<str>,
    /// What became of it by the rate of its key, or else of its address.
    pub(super) grant: Option<Grant>,
    pub(super) preflight: bool,
    pub(super) body: Bytes,
    /// CPU time that the work on it may take.
    pub(super) cpu_max: Duration,
    /// CPU time that it took, in microseconds.
    pub(super) cpu_us: AtomicU64,
}

impl Exchange {
    pub(super) fn route(&self) -> Route<'_> {
        Route::of(self.parts.uri.path())
    }

    /// Whether the body is read to be worked on, not to be dropped.
    pub(super) fn takes_body(&self) -> bool {
        let route = self.route();
        let has_form = route.takes_form() && self.parts.method == Method::POST;
        !self.preflight && (route.takes_body() || has_form)
    }

    /// The longest body that is read.
    pub(super) fn body_bytes_max(&self) -> usize {
        if self.takes_body() { self.route().body_bytes_max() } else { BODY_BYTES_MAX }
    }

    pub(super) fn with_body(self, body: Bytes) -> Self {
        Self { body, ..self }
    }

    /// Who asks: a key, or else an address.
    pub(super) fn client(&self) -> &Arc<str> {
        self.key.as_ref().unwrap_or(&self.address)
    }

    /// Whose sessions it may have.
    pub(super) fn asker(&self) -> Asker<'_> {
        Asker { key: self.key.as_ref(), client: self.client() }
    }

    pub(super) fn cpu(&self) -> Duration {
        Duration::from_micros(self.cpu_us.load(Ordering::Relaxed))
    }

    pub(super) fn set_cpu(&self, cpu: Duration) {
        let cpu_us = u64::try_from(cpu.as_micros()).unwrap_or(u64::MAX);
        self.cpu_us.store(cpu_us, Ordering::Relaxed);
    }

    /// The address that is counted for it, where one is.
    pub(super) fn counted_address(&self) -> Option<&Arc<str>> {
        access::is_keyless_page(&self.parts.headers).then_some(&self.address)
    }

    /// Where it waits to be worked on.
    pub(super) fn lane(&self) -> Lane {
        if self.takes_body() { Lane::Submissions } else { Lane::Searches }
    }

    pub(super) fn cost(&self) -> Cost {
        if self.takes_body() {
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
