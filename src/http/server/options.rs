//! How the service behaves.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use hyper::header::HeaderValue;
use tracing_appender::non_blocking::ErrorCounter;

use super::access::{Access, Reached};
use super::client_address::LoggedAddress;
use crate::language_model::LanguageModel;

/// How the service behaves.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Who may ask without a key.
    pub access: Access,
    /// Whether everything but `/health` needs a key.
    pub private: bool,
    /// The origin whose pages may read answers; `*` for any.
    pub cors_origin: Option<HeaderValue>,
    /// Requests of each key in a second, or any number; so of addresses under [`Access::Page`], or 40.
    pub rate: Option<NonZeroU32>,
    /// How requests reach the server.
    pub reached: Reached,
    /// Requests that take longer are logged once more, as slow; `None` turns this off.
    pub slow: Option<Duration>,
    /// Whether the log of requests includes their queries.
    pub log_queries: bool,
    /// How the log records the address of a client without a key.
    pub log_addresses: LoggedAddress,
    /// The counter of dropped log lines, where they are counted.
    pub dropped_lines: Option<ErrorCounter>,
    /// The language model that helps the chat.
    pub language_model: Option<Arc<LanguageModel>>,
}
