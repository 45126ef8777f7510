//! `/mcp` and `almoner mcp`: the Model Context Protocol, by which hosts of language models call tools and
//! read resources. rmcp, which speaks the protocol, is named here only.
//!
//! A tool (`tool`) is one file over an endpoint: the same parameters, the same answer, with a cursor
//! where there are pages. `handler` lists the tools; a new one is entered in its `TOOLS`.

mod changes;
mod compare;
mod cursor;
mod find_funders;
mod frame;
mod handler;
mod matching;
mod names;
mod nonprofit;
mod paged;
mod people;
mod schema;
mod search;
mod stdio;
mod streamable;
mod tool;
mod who_funds;

pub use handler::Source;
pub use stdio::{StdioError, serve_stdio};
pub(super) use streamable::answer;
