//! `/mcp` and `almoner mcp`: the Model Context Protocol, by which hosts of language models call tools and
//! read resources. rmcp, which speaks the protocol, is named here only.
//!
//! `tools` is the table of the tools; most are an endpoint: the same parameters, the same answer, with a cursor
//! where there are pages.

mod arguments;
mod cursor;
mod frame;
mod handler;
mod tool;
mod tools;
mod transport;

pub use handler::Source;
pub(super) use transport::answer;
pub use transport::{StdioError, serve_stdio};
