//! The listener and its limits, routes, parameters, errors and keys; one file per endpoint.
//!
//! [`App`] answers requests without a socket; [`Server`] puts it on one. A parameter is declared
//! once (`parameter`, with its `kind`), and from that come reading, 422 errors (`validation_error`) and
//! OpenAPI. An endpoint is one file here (parameters and answer) over one file in
//! [`search`](crate::search) (the question). hyper is named here, and as a client in `fetch`.

mod access;
mod answer_headers;
mod api_error;
mod app;
mod articles;
mod assets;
mod batch;
mod beta;
mod bodies;
mod body;
mod budget;
mod changes;
mod chat;
mod client_address;
mod compression;
mod connection_slots;
mod coverage;
mod declared;
mod descriptors;
mod endpoint;
mod exchange;
mod family;
mod feed;
mod filters;
mod form;
mod funders;
mod grants;
mod impact;
mod input;
mod interpretation;
mod jsonp;
pub mod keys;
mod limits;
mod listen;
mod markup;
mod r#match;
pub mod mcp;
mod negotiation;
mod nonprofit;
mod openapi;
mod options;
mod page;
mod parameter;
mod parameter_type;
mod path_key;
mod peers;
mod people;
mod pool;
mod process;
mod provenance;
mod rate;
mod reconcile;
mod reliance;
mod representation;
mod request_log;
mod response;
mod route;
mod rows;
mod search;
mod server;
mod stream;
mod telemetry;
#[cfg(test)]
mod tests;
mod typeahead;
mod validation_error;

pub use access::{Access, Reached};
pub use app::App;
pub use bodies::{BODIES_BYTES_MAX, BODIES_OF_CLIENT_BYTES_MAX, PACE_TIME};
pub use budget::{KEYED_CPU_MAX, KEYLESS_CPU_MAX};
pub use client_address::LoggedAddress;
pub use exchange::request_of;
pub use form::{PART_HEAD_BYTES_MAX, PARTS_MAX};
pub use jsonp::CALLBACK_CHARACTERS_MAX;
pub use keys::Keys;
pub use limits::{
    BODY_BYTES_MAX, HEADER_BYTES_MAX, MCP_MESSAGE_BYTES_MAX, REQUEST_DEADLINE,
    SUBMISSION_BYTES_MAX, TARGET_BYTES_MAX,
};
pub use listen::{
    Listen, ListenError, PROBE_TIMEOUT, ProbeError, SEND_BUFFER_BYTES, SOCKET_PATH_BYTES_MAX, probe,
};
pub use r#match::QUERIES_MAX;
pub use openapi::text as openapi;
pub use options::Options;
pub use pool::{JOBS_OF_CLIENT_MAX, JOBS_WAITING_MAX, WAIT_MAX};
pub use rate::COUNTED_CPU;
pub use response::Answer;
pub use server::{CONNECTIONS_MAX, DRAIN_MAX, HEAD_BYTES_MAX, HEAD_TIMEOUT, Server, ServerError};
pub use stream::WRITE_TIMEOUT;
pub use telemetry::Newest;
