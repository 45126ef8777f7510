//! The protocol over standard input and output: one message a line, until the input ends.

use rmcp::service::{RunningService, ServerInitializeError};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::io::stdio_pipes;
use rmcp::{RoleServer, serve_server};

use super::handler::{Handler, Source};
use crate::http::limits::MCP_MESSAGE_BYTES_MAX;

/// Why the protocol ended before its input did.
#[derive(Debug, thiserror::Error)]
pub enum StdioError {
    #[error(
        "expected a client of the Model Context Protocol on standard input, which begins with initialize \
         or server/discover"
    )]
    Begin(#[source] Box<ServerInitializeError>),
    #[error("the protocol ended early")]
    Serve(#[from] tokio::task::JoinError),
}

/// Serves one client until its input ends. Lines longer than a message may be are dropped and logged.
///
/// # Errors
/// When the client does not begin as the protocol does.
pub async fn serve_stdio(source: impl Source) -> Result<(), StdioError> {
    let (input, output) = stdio_pipes();
    let transport =
        AsyncRwTransport::new_server(input, output).with_max_line_length(MCP_MESSAGE_BYTES_MAX);
    let running: RunningService<RoleServer, _> =
        match serve_server(Handler::new(source), transport).await {
            Ok(running) => running,
            // Nobody asked anything.
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(error) => return Err(StdioError::Begin(Box::new(error))),
        };
    running.waiting().await?;
    Ok(())
}
