//! Many clients of a kind that keep a server waiting, on one thread.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use almoner::http::{HEAD_TIMEOUT, PACE_TIME, WRITE_TIMEOUT};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::{oneshot, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, sleep_until, timeout};

use crate::client;
use crate::times::Times;

/// Connections a second while the crowd gathers, and later, when those that are cut come again.
const GATHERING_RATE: f64 = 1_000.0;
const RETURNING_RATE: f64 = 200.0;
/// What may pass until the clock of a limit starts and until a cut is noticed here.
pub const MARGIN: Duration = Duration::from_secs(3);
/// Between the bytes of a client that drips.
const DRIP: Duration = Duration::from_secs(1);
/// Length of a body that drips, as its head says it.
const BODY_BYTES: usize = 1_000;
/// Receive buffer of a client that does not read.
const BUFFER_BYTES: u32 = 4_096;
/// Requests that it sends at once, each answered by two hundred kilobytes; one more now and then,
/// since a connection that was cut is noticed by writing alone.
const PIPELINED: usize = 64;
const PROBE: Duration = Duration::from_millis(500);
/// How long a client stays that goes away without a word.
const STAY: Duration = Duration::from_secs(1);

/// What keeps the server waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Kind {
    /// Sends nothing.
    Silent,
    /// Sends a byte a second of a request's head.
    Dripping,
    /// Sends a byte a second of a body that is read.
    DrippingBody,
    /// Sends half a request line and no more.
    HalfLine,
    /// Asks for much and never reads.
    Unread,
    /// Says that it will send no more in the middle of a head, or after a request.
    HalfClosed,
    /// Goes away in the middle of a head, its connection reset.
    Vanishing,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Silent => "no byte",
            Self::Dripping => "a byte a second",
            Self::DrippingBody => "a byte a second of a body",
            Self::HalfLine => "half a request line",
            Self::Unread => "not reading",
            Self::HalfClosed => "half closed",
            Self::Vanishing => "vanishing",
        }
    }

    /// When the server cuts it off at the latest.
    pub fn limit(self) -> Duration {
        match self {
            Self::Unread => WRITE_TIMEOUT,
            Self::DrippingBody => PACE_TIME,
            _ => HEAD_TIMEOUT,
        }
    }
}

/// What became of them.
#[derive(Debug, Default)]
pub struct Cuts {
    pub connected: u64,
    pub refused: u64,
    /// How long each lived until it was cut.
    pub lives: Times,
    /// Went away by themselves.
    pub left: u64,
    /// Still there at the end.
    pub uncut: u64,
    pub most: u64,
    present: u64,
}

impl Cuts {
    fn enter(&mut self) {
        self.connected += 1;
        self.present += 1;
        self.most = self.most.max(self.present);
    }

    /// One is gone: cut after so long, or by itself.
    fn leave(&mut self, cut_after: Option<Duration>) {
        self.present -= 1;
        match cut_after {
            Some(life) => self.lives.add(life),
            None => self.left += 1,
        }
    }

    /// Adds those of a later crowd; uncut are those of the last.
    pub fn join(&mut self, other: Self) {
        self.connected += other.connected;
        self.refused += other.refused;
        self.lives.join(other.lives);
        self.left += other.left;
        self.uncut = other.uncut;
        self.most = self.most.max(other.most);
    }
}

/// A crowd that is there.
#[derive(Debug)]
pub struct Crowd {
    thread: JoinHandle<Cuts>,
    disperse: watch::Sender<Option<Instant>>,
}

/// What its clients share.
struct Shared {
    address: SocketAddr,
    kind: Kind,
    /// Whole requests, as many as are sent at once, and the length of one.
    requests: Vec<u8>,
    request_bytes: usize,
    cuts: Mutex<Cuts>,
    /// When the next may come again.
    next: Mutex<Instant>,
}

impl Crowd {
    /// Connects so many clients; returns once the last of them begins to.
    pub fn gather(address: SocketAddr, key: &str, kind: Kind, clients: usize) -> Self {
        let request = match kind {
            Kind::DrippingBody => client::submission("/match", key, BODY_BYTES),
            _ => client::request("/openapi.json", key, None),
        };
        let shared = Arc::new(Shared {
            address,
            kind,
            requests: request.repeat(PIPELINED),
            request_bytes: request.len(),
            cuts: Mutex::default(),
            next: Mutex::new(Instant::now()),
        });
        let (disperse, end) = watch::channel(None);
        let (gathered, is_gathered) = oneshot::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let crowd = keep(shared.clone(), clients, end, gathered);
            runtime.expect("tokio").block_on(crowd);
            std::mem::take(&mut *shared.cuts())
        });
        is_gathered.blocking_recv().expect("the crowd gathers");
        Self { thread, disperse }
    }

    /// Lets nobody come again, and waits so long for the last to be cut.
    pub fn disperse(self, wait: Duration) -> Cuts {
        self.disperse.send_replace(Some(Instant::now() + wait));
        self.thread.join().expect("the crowd")
    }
}

impl Shared {
    fn cuts(&self) -> std::sync::MutexGuard<'_, Cuts> {
        self.cuts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// When a client that was cut may come again.
    fn turn(&self) -> Instant {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let turn = (*next).max(Instant::now());
        *next = turn + Duration::from_secs_f64(1.0 / RETURNING_RATE);
        turn
    }

    async fn connect(&self) -> std::io::Result<TcpStream> {
        let socket = TcpSocket::new_v4()?;
        if self.kind == Kind::Unread {
            socket.set_recv_buffer_size(BUFFER_BYTES)?;
        }
        socket.connect(self.address).await
    }
}

/// Keeps the clients there until the crowd disperses and the last is cut, or its time is over.
async fn keep(
    shared: Arc<Shared>,
    clients: usize,
    mut end: watch::Receiver<Option<Instant>>,
    gathered: oneshot::Sender<()>,
) {
    let mut all = JoinSet::new();
    let begun = Instant::now();
    for number in 0..clients {
        let after = Duration::from_secs_f64(number as f64 / GATHERING_RATE);
        sleep_until((begun + after).into()).await;
        all.spawn(client(shared.clone(), end.clone()));
    }
    // Nobody waits any longer only if that thread ended.
    let _ = gathered.send(());
    let at = end.wait_for(Option::is_some).await.map(|at| *at).ok().flatten();
    let rest = async { while all.join_next().await.is_some() {} };
    let left = at.map_or(Duration::ZERO, |at| at.saturating_duration_since(Instant::now()));
    if timeout(left, rest).await.is_err() {
        let mut cuts = shared.cuts();
        cuts.uncut = cuts.present;
    }
}

/// One client: connects, is slow until it is cut, and comes again until the crowd disperses.
async fn client(shared: Arc<Shared>, end: watch::Receiver<Option<Instant>>) {
    while end.borrow().is_none() {
        let Ok(stream) = shared.connect().await else {
            shared.cuts().refused += 1;
            sleep_until(shared.turn().into()).await;
            continue;
        };
        let begun = Instant::now();
        shared.cuts().enter();
        let was_cut = live(&shared, stream).await;
        shared.cuts().leave(was_cut.then(|| begun.elapsed()));
        if end.borrow().is_none() {
            sleep_until(shared.turn().into()).await;
        }
    }
}

/// A connection's life; whether the server ended it.
async fn live(shared: &Shared, stream: TcpStream) -> bool {
    let request = &shared.requests[..shared.request_bytes];
    let half_line = &request[..request.len().min(12)];
    match shared.kind {
        Kind::Silent => {}
        Kind::HalfLine => send(&stream, half_line).await,
        Kind::Dripping if drip(&stream, request).await => return true,
        Kind::Dripping => {}
        Kind::DrippingBody => {
            send(&stream, request).await;
            if drip(&stream, &[b' '; BODY_BYTES]).await {
                return true;
            }
        }
        Kind::Unread => {
            ask_for_more(shared, &stream).await;
            return true;
        }
        Kind::HalfClosed => {
            // After half a head or after a whole one, by turns: the port tells whose turn it is.
            let turn = stream.local_addr().map_or(0, |address| address.port());
            send(&stream, if turn.is_multiple_of(2) { half_line } else { request }).await;
            let (reading, writing) = stream.into_split();
            // Shuts down its direction.
            drop(writing);
            end_of(reading.as_ref()).await;
            return true;
        }
        Kind::Vanishing => {
            send(&stream, half_line).await;
            sleep(STAY).await;
            // Closing then resets the connection.
            let _ = stream.set_zero_linger();
            return false;
        }
    }
    end_of(&stream).await;
    true
}

/// Sends byte after byte; whether the server ended the connection meanwhile.
async fn drip(stream: &TcpStream, bytes: &[u8]) -> bool {
    for byte in bytes {
        send(stream, &[*byte]).await;
        if timeout(DRIP, end_of(stream)).await.is_ok() {
            return true;
        }
    }
    false
}

/// Sends what fits at once; a connection that is cut already is noticed when reading.
async fn send(stream: &TcpStream, bytes: &[u8]) {
    if stream.writable().await.is_ok() {
        let _ = stream.try_write(bytes);
    }
}

/// Sends requests and never reads; returns once writing fails for good.
async fn ask_for_more(shared: &Shared, stream: &TcpStream) {
    let mut bytes = &shared.requests[..];
    loop {
        match stream.try_write(bytes) {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(_) => return,
        }
        bytes = &shared.requests[..shared.request_bytes];
        sleep(PROBE).await;
    }
}

/// Waits until the server ends the connection, reading what it says before.
async fn end_of(stream: &TcpStream) {
    let mut bytes = [0; 4_096];
    while stream.readable().await.is_ok() {
        match stream.try_read(&mut bytes) {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(_) => return,
        }
    }
}
