//! Whole lists on their way: how many there may be, whose and for how long.
//!
//! Each is written by a thread of its own, which yields to the threads of searches where the system knows priorities of
//! threads, waits while its client is behind, and ends with its client.

use std::collections::HashSet;
use std::io::{self, ErrorKind, Write};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use hyper::body::Bytes;

use crate::http::interface::answer_body::{self, AnswerBody, PartSender, Unwanted};
use crate::http::interface::api_error::{ApiError, Refusal};

/// Exports under way at once, one of each key: what they hold in memory, and the cores that they may take.
pub const EXPORTS_MAX: usize = 2;
/// How long one may take: the whole country as CSV in gzip is through at 300 kB/s, and what is cut off is continued
/// behind its last row.
pub const EXPORT_TIME_MAX: Duration = Duration::from_secs(600);
/// When to ask again who has one under way.
const RETRY_AFTER: Duration = Duration::from_secs(10);
/// Bytes that are sent together.
const PART_BYTES: usize = 64 * 1024;
/// How much later than others a thread gets its turn, of 19.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// The clients whose exports are under way.
#[derive(Debug, Default)]
pub(crate) struct Exports {
    clients: Mutex<HashSet<Arc<str>>>,
}

/// An export may be written; until this is dropped.
#[derive(Debug)]
pub(crate) struct ExportSlot {
    exports: Arc<Exports>,
    client: Arc<str>,
}

impl Exports {
    /// A slot for an export of a client.
    ///
    /// # Errors
    /// When the client has one, or all are taken.
    pub(crate) fn take_slot(self: &Arc<Self>, client: &Arc<str>) -> Result<ExportSlot, ApiError> {
        let mut clients = self.lock();
        if clients.contains(client) {
            return Err(ApiError::Exporting(RETRY_AFTER));
        }
        if clients.len() >= EXPORTS_MAX {
            return Err(ApiError::Overloaded(Refusal::Exports));
        }
        clients.insert(client.clone());
        Ok(ExportSlot { exports: self.clone(), client: client.clone() })
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<Arc<str>>> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ExportSlot {
    fn drop(&mut self) {
        self.exports.lock().remove(&self.client);
    }
}

impl ExportSlot {
    /// Writes on a thread of its own what `write` makes, and gives the body that has it. `write` returns how many rows it
    /// wrote, and what it wrote to.
    pub(crate) fn start<Error: std::error::Error>(
        self,
        write: impl FnOnce(PartWriter) -> Result<(u64, PartWriter), Error> + Send + 'static,
    ) -> Result<AnswerBody, ApiError> {
        let (sender, body) = answer_body::parts();
        let thread = thread::Builder::new().name("export".to_owned()).spawn(move || {
            give_way();
            let began = Instant::now();
            let out = PartWriter::new(sender.clone(), began + EXPORT_TIME_MAX);
            let written = catch_unwind(AssertUnwindSafe(|| {
                let (rows, out) = write(out).map_err(|error| error.to_string())?;
                out.finish().map(|bytes| (rows, bytes)).map_err(|error| error.to_string())
            }));
            let written = written.unwrap_or_else(|_| Err("panic".to_owned()));
            // Free before the client knows that it has all.
            let client = self.client.clone();
            drop(self);
            let ms = began.elapsed().as_millis() as u64;
            match written {
                Ok((rows, bytes)) => {
                    tracing::info!(key = &*client, rows, bytes, ms, "export written");
                    sender.end(Ok(()));
                }
                Err(cause) => {
                    tracing::info!(key = &*client, cause, ms, "export broken off");
                    sender.end(Err(io::Error::other("the export broke off")));
                }
            }
        });
        thread.map(|_| body).map_err(|_| ApiError::Overloaded(Refusal::Exports))
    }
}

/// Lets other threads go first.
fn give_way() {
    #[cfg(target_os = "linux")]
    // Of a system that refuses it, the export is like any other thread.
    let _ = rustix::process::setpriority_process(None, NICENESS);
}

/// Gathers what is written to parts of a body. After an error it takes nothing more.
#[derive(Debug)]
pub(crate) struct PartWriter {
    /// `None` after an error.
    sender: Option<PartSender>,
    end: Instant,
    part: Vec<u8>,
    bytes: u64,
}

/// Tells whether an export is to go on where nothing is written for long.
#[derive(Debug)]
pub(crate) struct PartWatch {
    sender: PartSender,
    end: Instant,
}

impl PartWriter {
    fn new(sender: PartSender, end: Instant) -> Self {
        Self { sender: Some(sender), end, part: Vec::with_capacity(PART_BYTES), bytes: 0 }
    }

    /// What tells whether to go on.
    pub(crate) fn watch(&self) -> Option<PartWatch> {
        self.sender.clone().map(|sender| PartWatch { sender, end: self.end })
    }

    /// Sends what is left; gives the bytes of all.
    fn finish(mut self) -> io::Result<u64> {
        if !self.part.is_empty() {
            self.send()?;
        }
        self.sender.map(|_| self.bytes).ok_or_else(gone)
    }

    fn send(&mut self) -> io::Result<()> {
        let sender = self.sender.take().ok_or_else(gone)?;
        check_time(self.end)?;
        let part = mem::replace(&mut self.part, Vec::with_capacity(PART_BYTES));
        self.bytes += part.len() as u64;
        sender.send(Bytes::from(part)).map_err(|Unwanted| gone())?;
        self.sender = Some(sender);
        Ok(())
    }
}

impl Write for PartWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.sender.is_none() {
            return Err(gone());
        }
        self.part.extend_from_slice(bytes);
        if self.part.len() >= PART_BYTES {
            self.send()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl PartWatch {
    /// # Errors
    /// When nobody waits for more, or the time is over.
    pub(crate) fn check(&self) -> io::Result<()> {
        if !self.sender.is_wanted() {
            return Err(gone());
        }
        check_time(self.end)
    }
}

fn check_time(end: Instant) -> io::Result<()> {
    if Instant::now() < end {
        return Ok(());
    }
    Err(io::Error::new(ErrorKind::TimedOut, "it took longer than an export may"))
}

fn gone() -> io::Error {
    io::Error::new(ErrorKind::BrokenPipe, "the client is gone")
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt as _;

    use super::*;

    fn client(name: &str) -> Arc<str> {
        name.into()
    }

    /// Waits until nobody has a slot.
    fn wait_for_end(exports: &Exports) {
        while !exports.lock().is_empty() {
            thread::yield_now();
        }
    }

    #[test]
    fn a_client_has_one_slot_and_all_have_few() {
        let exports = Arc::new(Exports::default());
        let slots: Vec<_> = (0..EXPORTS_MAX)
            .map(|number| exports.take_slot(&client(&number.to_string())).unwrap())
            .collect();
        assert!(matches!(exports.take_slot(&client("0")), Err(ApiError::Exporting(_))));
        let full = exports.take_slot(&client("another"));
        assert!(matches!(full, Err(ApiError::Overloaded(Refusal::Exports))));
        drop(slots);
        assert!(exports.take_slot(&client("0")).is_ok());
    }

    #[test]
    fn what_is_written_is_the_body() {
        let exports = Arc::new(Exports::default());
        let line = b"0123456789abcdef\n";
        let body = exports.take_slot(&client("a")).unwrap().start(move |mut out| {
            (0..100_000).try_for_each(|_| out.write_all(line))?;
            Ok::<_, io::Error>((100_000, out))
        });
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let whole = runtime.block_on(body.unwrap().collect()).unwrap().to_bytes();
        assert_eq!(whole, line.repeat(100_000));
        wait_for_end(&exports);
    }

    #[test]
    fn work_ends_with_its_client_with_its_time_and_with_a_panic() {
        let exports = Arc::new(Exports::default());
        let endless = |mut out: PartWriter| -> io::Result<(u64, PartWriter)> {
            loop {
                out.write_all(&[0; 1024])?;
            }
        };
        drop(exports.take_slot(&client("a")).unwrap().start(endless).unwrap());
        wait_for_end(&exports);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let panics = |_| -> io::Result<(u64, PartWriter)> { panic!("a defect") };
        let body = exports.take_slot(&client("a")).unwrap().start(panics).unwrap();
        assert!(runtime.block_on(body.collect()).is_err());
        wait_for_end(&exports);
        let (sender, _body) = answer_body::parts();
        let mut late = PartWriter::new(sender, Instant::now());
        let error = late.write_all(&[0; PART_BYTES]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut);
        assert_eq!(late.write_all(b"more").unwrap_err().kind(), ErrorKind::BrokenPipe);
    }
}
