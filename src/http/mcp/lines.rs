//! The protocol over standard input and output, one message a line. Whatever a line is, it is answered: one that is
//! no message, or a longer one than is read, with an error of JSON-RPC.

use std::io;
use std::sync::Arc;

use rmcp::service::{RunningService, RxJsonRpcMessage, ServerInitializeError, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::io::stdio_pipes;
use rmcp::{RoleServer, serve_server};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::sync::Mutex;

use super::frame::{self, FrameError};
use super::handler::{Handler, Source, Workplace};
use crate::http::server::limits::MCP_MESSAGE_BYTES_MAX;

/// Bytes of either end of a line that is too long, in which its id is looked for.
const END_BYTES: usize = 256;

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

/// Serves one client until its input ends.
///
/// # Errors
/// When the client does not begin as the protocol does.
pub async fn serve_stdio(source: impl Source) -> Result<(), StdioError> {
    let (input, output) = stdio_pipes();
    let lines = LineTransport::new(input, output);
    let running: RunningService<RoleServer, _> =
        match serve_server(Handler::new(source, Workplace::Apart), lines).await {
            Ok(running) => running,
            // Nobody asked anything.
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(error) => return Err(StdioError::Begin(Box::new(error))),
        };
    running.waiting().await?;
    Ok(())
}

/// Messages as lines.
struct LineTransport<R, W> {
    read: BufReader<R>,
    /// What has come of a line; kept between calls of `receive`, which may be dropped half-way. Of one that is too
    /// long its beginning and its end.
    line: Vec<u8>,
    is_too_long: bool,
    write: Arc<Mutex<W>>,
}

impl<R: AsyncRead + Send + Unpin, W: AsyncWrite + Send + Unpin + 'static> LineTransport<R, W> {
    fn new(read: R, write: W) -> Self {
        let write = Arc::new(Mutex::new(write));
        Self { read: BufReader::new(read), line: Vec::new(), is_too_long: false, write }
    }

    /// Reads to the end of a line; `None` at the end of the input, whatever of a line stands there.
    async fn read_line(&mut self) -> Option<()> {
        loop {
            let available = self.read.fill_buf().await.ok().filter(|bytes| !bytes.is_empty())?;
            let end = available.iter().position(|byte| *byte == b'\n');
            self.line.extend_from_slice(&available[..end.unwrap_or(available.len())]);
            let taken = end.map_or(available.len(), |end| end + 1);
            self.read.consume(taken);
            if self.is_too_long || self.line.len() > MCP_MESSAGE_BYTES_MAX {
                self.is_too_long = true;
                let from = self.line.len().saturating_sub(END_BYTES).max(END_BYTES);
                self.line.drain(END_BYTES..from);
            }
            if end.is_some() {
                return Some(());
            }
        }
    }

    /// Takes the line: a message, nothing, or what is wrong with it.
    fn message(&mut self) -> Result<Option<RxJsonRpcMessage<RoleServer>>, FrameError> {
        let line = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.is_too_long) {
            return Err(FrameError::too_long(&line, MCP_MESSAGE_BYTES_MAX));
        }
        if line.trim_ascii().is_empty() {
            return Ok(None);
        }
        frame::check(&line)?;
        match serde_json::from_slice(&line) {
            Ok(message) => Ok(Some(message)),
            // A notification is not answered.
            Err(_) => match serde_json::from_slice::<Value>(&line)
                .ok()
                .and_then(|mut line| line.get_mut("id").map(Value::take))
            {
                Some(id) => Err(FrameError::unfit(id)),
                None => Ok(None),
            },
        }
    }
}

async fn write_line(write: &Mutex<impl AsyncWrite + Unpin>, mut line: Vec<u8>) -> io::Result<()> {
    line.push(b'\n');
    let mut write = write.lock().await;
    write.write_all(&line).await?;
    write.flush().await
}

impl<R, W> Transport<RoleServer> for LineTransport<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let write = self.write.clone();
        async move { write_line(&write, serde_json::to_vec(&message)?).await }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            self.read_line().await?;
            match self.message() {
                Ok(Some(message)) => return Some(message),
                Ok(None) => {}
                Err(error) => {
                    // In a task, so that a line is never written half.
                    let (write, body) = (self.write.clone(), error.body().into_bytes());
                    tokio::spawn(async move { write_line(&write, body).await });
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}
