//! The log of requests: one line for each, preceded by another where it was slow or failed. None of
//! them includes the query, unless that is enabled for slow requests. What may recur is reported once, and then how
//! often it has, at intervals.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use hyper::StatusCode;
use hyper::http::request::Parts;

use crate::http::interface::api_error::{ApiError, Refusal};

/// What is known of a request that was answered.
pub(crate) struct RequestLog<'a> {
    pub(crate) parts: &'a Parts,
    /// What was asked, where a slow request may say it.
    pub(crate) query: Option<&'a str>,
    pub(crate) request_id: &'a str,
    /// Its key, if that is valid, and whether it has any.
    pub(crate) key: Option<&'a str>,
    pub(crate) has_key: bool,
    /// Who asks, where there is no key.
    pub(crate) client: Option<&'a str>,
    pub(crate) plan: Option<&'a str>,
    pub(crate) status: StatusCode,
    pub(crate) bytes: u64,
    pub(crate) took: Duration,
    pub(crate) failure: Option<Failure>,
}

/// Why a request was not answered, as far as its status does not say it.
pub(crate) enum Failure {
    /// It might be answered at another time.
    Refused(Refusal),
    /// An error of the server, with what only the log says.
    Fault(String),
}

impl Failure {
    pub(crate) fn of(error: &ApiError) -> Option<Self> {
        error.refusal().map(Self::Refused).or_else(|| error.cause().map(Self::Fault))
    }
}

impl RequestLog<'_> {
    /// The error of the server.
    pub(crate) fn write_fault(&self) {
        if let Some(Failure::Fault(cause)) = &self.failure {
            let (request_id, path) = (self.request_id, self.path());
            tracing::error!(
                request_id,
                path,
                cause,
                "request failed; `almoner verify` checks the snapshot"
            );
        }
    }

    /// That it was slow.
    pub(crate) fn write_slow(&self) {
        tracing::warn!(
            path = self.path(),
            query = self.query,
            status = self.status.as_u16(),
            ms = self.ms(),
            request_id = self.request_id,
            key = self.key,
            client = self.client,
            plan = self.plan,
            refused = self.refused(),
            "slow request"
        );
    }

    /// That keys are sent which are not valid.
    pub(crate) fn write_unknown_key(&self, unknown_keys: &Repeated) {
        if !self.has_unknown_key() {
            return;
        }
        if let Some(times) = unknown_keys.times(Instant::now()) {
            tracing::warn!(
                times,
                client = self.client,
                "requests with an API key that is not valid"
            );
        }
    }

    /// The line of the request.
    pub(crate) fn write(&self) {
        let no_key = if self.has_unknown_key() { "unknown" } else { "-" };
        tracing::info!(
            method = self.parts.method.as_str(),
            path = self.path(),
            status = self.status.as_u16(),
            ms = self.ms(),
            bytes = self.bytes,
            request_id = self.request_id,
            key = self.key.unwrap_or(no_key),
            client = self.client,
            plan = self.plan,
            refused = self.refused(),
            "request"
        );
    }

    /// Whether it was refused for the key that it has.
    fn has_unknown_key(&self) -> bool {
        self.has_key && self.key.is_none() && self.status == StatusCode::UNAUTHORIZED
    }

    /// Why it was refused, if it was.
    fn refused(&self) -> Option<&'static str> {
        match self.failure {
            Some(Failure::Refused(refusal)) => Some(refusal.name()),
            _ => None,
        }
    }

    fn path(&self) -> &str {
        self.parts.uri.path()
    }

    fn ms(&self) -> f64 {
        self.took.as_micros() as f64 / 1e3
    }
}

/// The interval between two reports.
const QUIET: Duration = Duration::from_secs(60);

/// An event that may recur, on any thread.
#[derive(Debug, Default)]
pub(crate) struct Repeated(Mutex<Occurrences>);

#[derive(Debug, Default)]
struct Occurrences {
    reported: Option<Instant>,
    since: u64,
}

impl Repeated {
    /// Counts an occurrence. If a report is due: how many occurred since the last one.
    pub(crate) fn times(&self, now: Instant) -> Option<u64> {
        let mut occurrences = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        occurrences.since += 1;
        let is_quiet = |reported| now.saturating_duration_since(reported) < QUIET;
        if occurrences.reported.is_some_and(is_quiet) {
            return None;
        }
        occurrences.reported = Some(now);
        Some(std::mem::take(&mut occurrences.since))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_time_at_once_then_counts() {
        let (repeated, start) = (Repeated::default(), Instant::now());
        assert_eq!(repeated.times(start), Some(1));
        for second in 1..QUIET.as_secs() {
            assert_eq!(repeated.times(start + Duration::from_secs(second)), None);
        }
        assert_eq!(repeated.times(start + QUIET), Some(QUIET.as_secs()));
        assert_eq!(repeated.times(start + 3 * QUIET), Some(1));
    }
}
