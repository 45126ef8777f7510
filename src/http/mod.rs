//! The listener and its limits, routes, parameters, errors and keys, and the endpoints.
//!
//! [`App`] answers requests without a socket; [`Server`] puts it on one (`server`). A parameter is declared once, and
//! from that come reading, 422 errors and OpenAPI (`interface`). An endpoint is parameters and an answer (`endpoints`)
//! over a question of [`search`](crate::search). `local` is the interface for this process itself. hyper is named here, and as a client in `fetch`.

mod assets;
mod chat;
mod endpoints;
mod interface;
mod local;
pub mod mcp;
mod reconcile;
mod server;
#[cfg(test)]
mod tests;
mod tools;

pub use endpoints::r#match::QUERIES_MAX;
pub use interface::answer_body::AnswerBody;
pub use interface::form::{PART_HEAD_BYTES_MAX, PARTS_MAX};
pub use interface::jsonp::CALLBACK_CHARACTERS_MAX;
pub(crate) use interface::markup::escaped;
pub use interface::openapi::text as openapi;
pub use interface::response::Answer;
pub use local::{LocalAnswer, LocalService};
pub use server::access::{Access, Reached};
pub use server::app::App;
pub use server::bodies::{BODIES_BYTES_MAX, BODIES_OF_CLIENT_BYTES_MAX, PACE_TIME};
pub use server::budget::{KEYED_CPU_MAX, KEYLESS_CPU_MAX};
pub use server::client_address::LoggedAddress;
pub use server::exchange::request_of;
pub use server::exports::{EXPORT_TIME_MAX, EXPORTS_MAX};
pub use server::keys::{self, Keys};
pub use server::limits::{
    BODY_BYTES_MAX, HEADER_BYTES_MAX, MCP_MESSAGE_BYTES_MAX, REQUEST_DEADLINE,
    SEARCH_TARGET_BYTES_MAX, SUBMISSION_BYTES_MAX, TARGET_BYTES_MAX,
};
pub use server::listen::{
    Listen, ListenError, PROBE_TIMEOUT, ProbeError, SEND_BUFFER_BYTES, SOCKET_PATH_BYTES_MAX, probe,
};
pub use server::options::Options;
pub use server::pool::{JOBS_OF_CLIENT_MAX, JOBS_WAITING_MAX, WAIT_MAX};
pub use server::rate::COUNTED_CPU;
pub use server::stream::WRITE_TIMEOUT;
pub use server::telemetry::Newest;
pub use server::{CONNECTIONS_MAX, DRAIN_MAX, HEAD_BYTES_MAX, HEAD_TIMEOUT, Server, ServerError};
