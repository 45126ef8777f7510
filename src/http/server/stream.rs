//! A socket whose reader may not stall the writer for ever.

use std::future::Future;
use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// How long a client may take to make room for what is being sent. The clock starts when the
/// socket is full and stops when all that waits is taken: the largest answer of a page, a few hundred
/// kilobytes, is through in that time at 10 kB/s.
pub const WRITE_TIMEOUT: Duration = Duration::from_secs(30);
/// The clock of a long answer is reset whenever this many bytes were taken, so that it is read at 10 kB/s at least.
const PACE_BYTES: usize = 300 * 1024;

/// The socket.
pub(crate) struct TimeoutStream<Stream> {
    stream: Stream,
    timeout: Duration,
    /// Runs while the client is behind.
    stalled: Option<Pin<Box<Sleep>>>,
    /// Bytes that were taken since the clock started.
    taken: usize,
}

impl<Stream> TimeoutStream<Stream> {
    pub(crate) fn new(stream: Stream, timeout: Duration) -> Self {
        Self { stream, timeout, stalled: None, taken: 0 }
    }

    /// Starts, stops or looks at the clock after a write of `asked` bytes.
    fn watch(
        &mut self,
        context: &mut Context<'_>,
        asked: usize,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        match &written {
            Poll::Ready(Ok(count)) if *count < asked => {
                self.taken += count;
                if self.taken >= PACE_BYTES {
                    (self.stalled, self.taken) = (None, 0);
                }
            }
            Poll::Ready(_) => self.stalled = None,
            Poll::Pending => {
                let timeout = self.timeout;
                let taken = &mut self.taken;
                let clock = self.stalled.get_or_insert_with(|| {
                    *taken = 0;
                    Box::pin(sleep(timeout))
                });
                if clock.as_mut().poll(context).is_ready() {
                    let text = "the client does not read what is sent to it";
                    return Poll::Ready(Err(io::Error::new(ErrorKind::TimedOut, text)));
                }
            }
        }
        written
    }
}

impl<Stream: AsyncRead + Unpin> AsyncRead for TimeoutStream<Stream> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_read(context, buffer)
    }
}

impl<Stream: AsyncWrite + Unpin> AsyncWrite for TimeoutStream<Stream> {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.watch(context, bytes.len(), written)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let asked = slices.iter().map(|slice| slice.len()).sum();
        let written = Pin::new(&mut this.stream).poll_write_vectored(context, slices);
        this.watch(context, asked, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::net::{Ipv4Addr, TcpStream as Peer};

    use tokio::net::TcpListener;

    use super::*;

    #[test]
    fn a_client_that_does_not_read_is_given_up() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
            let _peer = Peer::connect(listener.local_addr().unwrap()).unwrap();
            let (stream, _) = listener.accept().await.unwrap();
            let mut guarded = TimeoutStream::new(stream, Duration::from_millis(50));
            let bytes = vec![0; 1 << 20];
            let error = loop {
                // Until the system's buffers are full, writing goes on.
                let write = poll_fn(|context| Pin::new(&mut guarded).poll_write(context, &bytes));
                if let Err(error) = write.await {
                    break error;
                }
            };
            assert_eq!(error.kind(), ErrorKind::TimedOut);
        });
    }

    #[test]
    fn a_client_that_reads_on_is_waited_for() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let checked = poll_fn(|context| {
            let mut guarded = TimeoutStream::new((), WRITE_TIMEOUT);
            let asked = 2 * PACE_BYTES;
            for (written, is_behind) in [
                (Poll::Pending, true),
                (Poll::Ready(Ok(PACE_BYTES - 1)), true),
                (Poll::Pending, true),
                (Poll::Ready(Ok(1)), false),
                (Poll::Pending, true),
                (Poll::Ready(Ok(PACE_BYTES - 1)), true),
                (Poll::Ready(Ok(asked)), false),
            ] {
                let _ = guarded.watch(context, asked, written);
                assert_eq!(guarded.stalled.is_some(), is_behind);
            }
            Poll::Ready(())
        });
        runtime.block_on(checked);
    }
}
