//! The listener: connections, their limits, and an orderly end.

pub(crate) mod access;
pub(crate) mod app;
pub(crate) mod bodies;
pub(crate) mod budget;
pub(crate) mod client_address;
pub(crate) mod connection_slots;
pub(crate) mod descriptors;
pub(crate) mod error_answer;
pub(crate) mod exchange;
pub(crate) mod exports;
pub mod keys;
pub(crate) mod limits;
pub(crate) mod listen;
pub(crate) mod options;
pub(crate) mod pool;
pub(crate) mod process;
pub(crate) mod rate;
pub(crate) mod request_log;
pub(crate) mod stream;
pub(crate) mod telemetry;

use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::thread::available_parallelism;
use std::time::Duration;

use hyper::Request;
use hyper::body::{Body, Incoming};
use hyper::header::{self, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{oneshot, watch};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep, timeout, timeout_at};

use crate::http::interface::api_error::{ApiError, Refusal};
use crate::http::interface::endpoint::Cost;
use crate::http::interface::response::{Answer, Content};
use access::Peer;
use app::{App, Trust};
use bodies::Bodies;
use budget::Wanted;
use connection_slots::{Admission, ConnectionSlots, Slot};
use exchange::Exchange;
use keys::REFRESH_INTERVAL;
use limits::REQUEST_DEADLINE;
use listen::{Accepted, Listen, Listener};
use pool::{JOBS_WAITING_MAX, Pool};
use request_log::Repeated;
use stream::{TimeoutStream, WRITE_TIMEOUT};
use telemetry::Newest;

/// Connections served at once; a further one takes the slot of a connection that keeps the server
/// waiting (`connection_slots.rs` chooses it). With the snapshot's files it stays below the 1,024
/// open files that systems commonly allow; where they allow fewer, there are fewer connections.
pub const CONNECTIONS_MAX: usize = 768;
// What waits for a search holds a slot that cannot be taken: there are always others.
const _: () = assert!(JOBS_WAITING_MAX < CONNECTIONS_MAX / 2);
/// How long a client may take to send a request's head. hyper starts this clock as soon as it
/// waits for a request, so it bounds the idle time between requests too: longer than load
/// balancers and browsers idle between bursts, short enough that silent clients cost little.
pub const HEAD_TIMEOUT: Duration = Duration::from_secs(15);
/// Buffer of a connection, and so the most bytes of a request's head: a longer target is answered
/// with 414, and all connections together cannot hold more than 57 MB. hyper itself takes at most
/// 100 headers.
pub const HEAD_BYTES_MAX: usize = 72 * 1024;
/// How long the requests under way may take to end when the server does: more than
/// [`REQUEST_DEADLINE`], less than the 30 s after which supervisors kill.
pub const DRAIN_MAX: Duration = Duration::from_secs(15);
/// How long reading the key file may take before it counts as behind: a file system that does not answer
/// would else end the revoking of keys without a word.
const KEYS_PATIENCE: Duration = Duration::from_secs(5);
/// How long to wait when the system accepts no connection (no more files): closing ones free some.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Why a server does not run.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    #[error("cannot listen on {listen}; free it or choose another with --listen")]
    Bind { listen: Listen, source: io::Error },
    #[error("the system starts no more threads")]
    Threads(#[source] io::Error),
}

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    app: Arc<App>,
    listener: Listener,
    listen: Listen,
    pool: Pool,
    bodies: Arc<Bodies>,
    limits: Limits,
    evictions: Repeated,
}

/// What tests set lower than the constants above.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) connections: usize,
    pub(crate) head_timeout: Duration,
    pub(crate) deadline: Duration,
    pub(crate) drain: Duration,
    pub(crate) keys_patience: Duration,
}

impl Server {
    /// Listens on an address or a socket; port 0 picks one.
    pub async fn bind(listen: &Listen, app: Arc<App>) -> Result<Self, ServerError> {
        let failed = |source| ServerError::Bind { listen: listen.clone(), source };
        let (listener, listen) = Listener::bind(listen).await.map_err(failed)?;
        let threads = available_parallelism().map_or(1, usize::from);
        let pool = Pool::new(threads, JOBS_WAITING_MAX).map_err(ServerError::Threads)?;
        let limits = Limits {
            connections: descriptors::connections_max(CONNECTIONS_MAX),
            head_timeout: HEAD_TIMEOUT,
            deadline: REQUEST_DEADLINE,
            drain: DRAIN_MAX,
            keys_patience: KEYS_PATIENCE,
        };
        if limits.connections < CONNECTIONS_MAX {
            let (connections, wanted) = (limits.connections, CONNECTIONS_MAX);
            tracing::warn!(connections, wanted, "few files may be open; raise ulimit -n");
        }
        let (bodies, evictions) = (Arc::default(), Repeated::default());
        Ok(Self { app, listener, listen, pool, bodies, limits, evictions })
    }

    /// Where it listens, with the port that was picked.
    pub fn listen(&self) -> &Listen {
        &self.listen
    }

    #[cfg(test)]
    pub(crate) fn limits_mut(&mut self) -> &mut Limits {
        &mut self.limits
    }

    /// Serves until `stop` is done, then answers what is under way. Returns whether all of it was
    /// answered within [`DRAIN_MAX`].
    pub async fn run(mut self, stop: impl Future<Output = ()>) -> bool {
        let refreshing = tokio::spawn(refresh_keys(self.app.clone(), self.limits.keys_patience));
        let (stopping, is_stopping) = watch::channel(false);
        let slots = ConnectionSlots::new(self.limits.connections);
        let (mut stop, failing) = (pin!(stop), Repeated::default());
        loop {
            let accepted = poll_fn(|context| {
                if stop.as_mut().poll(context).is_ready() {
                    return Poll::Ready(None);
                }
                self.listener.poll_accept(context).map(Some)
            });
            match accepted.await {
                None => break,
                Some(Ok(accepted)) => self.admit(accepted, &slots, Some(&is_stopping)),
                Some(Err(error)) => {
                    self.app.telemetry().accept_errors.count();
                    if descriptors::are_used_up(&error)
                        && let Some(evicted) = slots.give_way()
                    {
                        self.note_evicted(evicted);
                    }
                    if let Some(times) = failing.times(std::time::Instant::now()) {
                        tracing::warn!(%error, times, "cannot accept a connection");
                    }
                    sleep(ACCEPT_PAUSE).await;
                }
            }
        }
        self.listener.withdraw();
        // Clients whose connection the system already took for us get one answer each.
        while let Some(accepted) = poll_fn(|context| match self.listener.poll_accept(context) {
            Poll::Ready(Ok(accepted)) => Poll::Ready(Some(accepted)),
            Poll::Ready(Err(_)) | Poll::Pending => Poll::Ready(None),
        })
        .await
        {
            self.admit(accepted, &slots, None);
        }
        let Self { listener, limits, .. } = self;
        drop(listener);
        stopping.send_replace(true);
        let drained = timeout(limits.drain, slots.emptied()).await.is_ok();
        refreshing.abort();
        drained
    }

    /// Counts and logs that the connection of a peer gave way to another.
    fn note_evicted(&self, evicted: Peer) {
        self.app.telemetry().evicted.count();
        if let Some(times) = self.evictions.times(std::time::Instant::now()) {
            let client = self.app.client_name(access::address_of(evicted));
            let client = client.as_deref();
            let connections = self.limits.connections;
            tracing::warn!(
                times,
                connections,
                client,
                "waiting connections were closed for new ones"
            );
        }
    }

    /// Serves a connection. Only if every slot is worked for it is closed.
    fn admit(
        &self,
        accepted: Accepted,
        slots: &Arc<ConnectionSlots>,
        stopping: Option<&watch::Receiver<bool>>,
    ) {
        let peer = match &accepted {
            Accepted::Tcp(stream) => Peer(stream.peer_addr().ok().map(|address| address.ip())),
            Accepted::Unix(_) => Peer(None),
        };
        let Some((slot, found)) = slots.take(peer) else {
            self.app.telemetry().count_refused(Refusal::Slots);
            return;
        };
        if let Admission::Evicted(evicted) = found {
            self.note_evicted(evicted);
        }
        let connection = Connection {
            app: self.app.clone(),
            pool: self.pool.clone(),
            bodies: self.bodies.clone(),
            stopping: stopping.cloned(),
            limits: self.limits,
            peer,
            slot,
        };
        match accepted {
            Accepted::Tcp(stream) => tokio::spawn(connection.serve(stream)),
            Accepted::Unix(stream) => tokio::spawn(connection.serve(stream)),
        };
    }
}

/// What serves one connection.
struct Connection {
    app: Arc<App>,
    pool: Pool,
    bodies: Arc<Bodies>,
    /// Whether the server ends; `None` once it does.
    stopping: Option<watch::Receiver<bool>>,
    limits: Limits,
    peer: Peer,
    slot: Slot,
}

impl Connection {
    /// Serves it until either side ends it, its slot is given to another, or the server stops and
    /// the request under way is answered. Without `self.stopping` it answers one request only.
    async fn serve(self, stream: impl AsyncRead + AsyncWrite + Unpin) {
        let _held = self.app.telemetry().connection();
        let mut builder = http1::Builder::new();
        builder
            .timer(TokioTimer::new())
            .header_read_timeout(self.limits.head_timeout)
            .max_buf_size(HEAD_BYTES_MAX)
            .keep_alive(self.stopping.is_some());
        let stopping = self.stopping.clone();
        let service = service_fn(|request| self.answer(request));
        let stream = TokioIo::new(TimeoutStream::new(stream, WRITE_TIMEOUT));
        let mut connection = pin!(builder.serve_connection(stream, service));
        let mut stop: Pin<Box<dyn Future<Output = ()> + Send>> = Box::pin(async move {
            match stopping {
                Some(mut stopping) => drop(stopping.wait_for(|stopping| *stopping).await),
                None => std::future::pending().await,
            }
        });
        let mut evicted = pin!(self.slot.evicted());
        let mut is_ending = false;
        let ended = poll_fn(|context| {
            if evicted.as_mut().poll(context).is_ready() {
                return Poll::Ready(Ok(()));
            }
            if !is_ending && stop.as_mut().poll(context).is_ready() {
                is_ending = true;
                connection.as_mut().graceful_shutdown();
            }
            connection.as_mut().poll(context)
        })
        .await;
        if let Err(error) = ended {
            // Clients that go away, send what is no HTTP, or are too slow: not errors of ours.
            tracing::debug!(%error, "connection ended");
        }
    }

    async fn answer(&self, request: Request<Incoming>) -> Result<Answer, Infallible> {
        let deadline = Instant::now() + self.limits.deadline;
        let (mut parts, body) = request.into_parts();
        parts.extensions.insert(self.peer);
        let has_host = access::has_one_host(&parts);
        let (mut exchange, mut verdict) = self.app.open_exchange(parts, Trust::Client);
        if !has_host {
            verdict = Err(ApiError::Host);
        }
        // Held until there is an answer.
        let mut held = self.bodies.of(exchange.client());
        if verdict.is_ok() && !body.is_end_stream() {
            self.slot.wait();
            let most = exchange.body_bytes_max();
            match timeout_at(deadline, held.receive(body, most)).await {
                Ok(Ok(bytes)) if exchange.takes_body() => exchange = exchange.with_body(bytes),
                Ok(Ok(_)) => {}
                Ok(Err(error)) => verdict = Err(error),
                Err(_) => verdict = Err(ApiError::LateBody),
            }
        }
        if !self.slot.work() {
            verdict = Err(ApiError::Overloaded(Refusal::Slots));
        }
        let mut answer = match verdict {
            Ok(()) if exchange.cost() == Cost::Heavy => {
                self.work_elsewhere(exchange, deadline).await
            }
            Ok(()) => {
                let outcome = self.app.work(&exchange, &Wanted::default());
                self.app.conclude(&exchange, outcome)
            }
            Err(error) => self.app.conclude(&exchange, Err(error)),
        };
        drop(held);
        // hyper says so itself once this connection has heard of the end, which may be later.
        if self.is_stopping() {
            let close = HeaderValue::from_static("close");
            answer.headers_mut().insert(header::CONNECTION, close);
        }
        self.slot.wait();
        Ok(answer)
    }

    fn is_stopping(&self) -> bool {
        self.stopping.as_ref().is_none_or(|stopping| *stopping.borrow())
    }

    /// Works on the pool, within the deadline.
    async fn work_elsewhere(&self, exchange: Exchange, deadline: Instant) -> Answer {
        let exchange = Arc::new(exchange);
        let (sender, receiver) = oneshot::channel::<Result<Content, ApiError>>();
        let (app, worked) = (self.app.clone(), exchange.clone());
        // Dropped when the deadline passes or the client leaves.
        let (wanted, _waiting) = Wanted::until(deadline.into_std());
        let queued = self.pool.submit(exchange.lane(), exchange.client(), move || {
            if wanted.holds() {
                let _ = sender.send(app.work(&worked, &wanted));
            }
        });
        let outcome = match queued {
            Err(_) => Err(ApiError::Overloaded(Refusal::Wait)),
            // What was not begun in time is dropped.
            Ok(()) => match timeout_at(deadline, receiver).await {
                Ok(Ok(outcome)) => outcome,
                Ok(Err(_)) | Err(_) => Err(ApiError::Late),
            },
        };
        self.app.conclude(&exchange, outcome)
    }
}

/// Looks for created and revoked keys, until it is aborted.
async fn refresh_keys(app: Arc<App>, patience: Duration) {
    let mut told = String::new();
    loop {
        sleep(REFRESH_INTERVAL).await;
        let reader = app.clone();
        let mut reading = spawn_blocking(move || reader.keys().refresh());
        let in_time = timeout(patience, &mut reading).await;
        let refreshed = match in_time {
            Ok(refreshed) => refreshed,
            Err(_) => {
                let clause = "the key file does not answer";
                tracing::error!("{clause}; the keys read before stay valid");
                app.tell_behind(Newest::Keys, Some(clause));
                reading.await
            }
        };
        let behind = match &refreshed {
            Ok(Err(error)) => Some(error.clause()),
            // A file that was refused stays so until it changes.
            Ok(Ok(_)) | Err(_) => app.keys().refused(),
        };
        app.tell_behind(Newest::Keys, behind);
        match refreshed {
            Ok(Ok(true)) => tracing::info!("keys were read again"),
            Ok(Err(error)) => {
                let text = error.to_string();
                if text != told {
                    let cause = std::error::Error::source(&error).map(ToString::to_string);
                    tracing::error!(%error, cause, "keys.json cannot be read; the keys read before stay valid");
                    told = text;
                }
            }
            Ok(Ok(false)) | Err(_) => {}
        }
        if behind.is_none() {
            told.clear();
        }
    }
}
