//! `/mcp` and `almoner mcp`: the Model Context Protocol, by which hosts of language models call tools and
//! read resources. rmcp, which speaks the protocol, is named here only.
//!
//! What is called is in `http::tools`.

mod frame;
mod handler;
mod lines;
mod prompts;
mod resources;
mod transport;

pub use handler::Source;
pub use lines::{StdioError, serve_stdio};
pub(super) use transport::answer;
