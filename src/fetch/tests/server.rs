//! A server that sends, to each request, the bytes that a function makes of it, whatever they are.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// The most that an endless answer sends, in case that nobody stops it.
const ENDLESS_BYTES_MAX: usize = 50_000_000;

/// How long a byte takes where they drip.
const DRIP_EVERY: Duration = Duration::from_millis(10);

/// A request.
#[derive(Debug, Clone)]
pub(super) struct Request {
    pub(super) method: String,
    /// Path, or for `CONNECT` the authority.
    pub(super) path: String,
    headers: Vec<(String, String)>,
    /// How many requests for this path came before.
    pub(super) earlier: usize,
}

impl Request {
    /// The value of a header, by its name in small letters.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The last part of the path.
    pub(super) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap()
    }
}

/// What is sent.
pub(super) struct Answer {
    bytes: Vec<u8>,
    then: Then,
}

/// What follows the bytes.
enum Then {
    Close,
    /// Nothing, until the client goes.
    Hold,
    /// These, without end.
    Repeat(&'static [u8]),
    /// These, a byte now and then.
    Drip(Vec<u8>),
}

impl Answer {
    /// A head and a body, with nothing added.
    pub(super) fn raw(head: &str, body: &[u8]) -> Self {
        let head = head.replace('\n', "\r\n");
        Self { bytes: [head.as_bytes(), b"\r\n\r\n", body].concat(), then: Then::Close }
    }

    /// Bytes that may be no answer at all.
    pub(super) fn bytes(bytes: &[u8]) -> Self {
        Self { bytes: bytes.to_vec(), then: Then::Close }
    }

    /// A status without a body.
    pub(super) fn status(status: u16, headers: &str) -> Self {
        Self::raw(
            &format!("HTTP/1.1 {status} x\nContent-Length: 0\nConnection: close{headers}"),
            b"",
        )
    }

    /// The first `bytes` of it, and then the connection ends.
    pub(super) fn cut_body(mut self, bytes: usize) -> Self {
        let head = self.bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap() + 4;
        self.bytes.truncate(head + bytes);
        self
    }

    /// With another byte somewhere, and an end.
    pub(super) fn damaged(mut self, at: usize, byte: u8, cut: Option<usize>) -> Self {
        if let Some(found) = self.bytes.get_mut(at) {
            *found = byte;
        }
        self.bytes.truncate(cut.unwrap_or(usize::MAX));
        self
    }

    /// After the bytes nothing comes any more.
    pub(super) fn hold(self) -> Self {
        Self { then: Then::Hold, ..self }
    }

    /// After `bytes` of its body the rest comes a byte at a time.
    pub(super) fn drip_body(self, bytes: usize) -> Self {
        let whole = self.bytes.clone();
        let first = self.cut_body(bytes);
        let rest = whole[first.bytes.len()..].to_vec();
        Self { then: Then::Drip(rest), ..first }
    }

    /// After the bytes these come without end.
    pub(super) fn repeat(self, bytes: &'static [u8]) -> Self {
        Self { then: Then::Repeat(bytes), ..self }
    }
}

/// A file at the server.
#[derive(Debug, Clone)]
pub(super) struct Resource {
    pub(super) body: Vec<u8>,
    pub(super) etag: &'static str,
    pub(super) modified: &'static str,
}

/// The date of resources: 2026-04-14, 12:00:00 UTC.
pub(super) const MODIFIED: &str = "Tue, 14 Apr 2026 12:00:00 GMT";
pub(super) const MODIFIED_SECONDS: u64 = 1_776_168_000;

impl Resource {
    pub(super) fn new(body: impl Into<Vec<u8>>) -> Self {
        Self { body: body.into(), etag: "\"v1\"", modified: MODIFIED }
    }

    /// As a good server answers, ranges and conditions included.
    pub(super) fn answer(&self, request: &Request) -> Answer {
        let version =
            format!("ETag: {}\nLast-Modified: {}\nConnection: close", self.etag, self.modified);
        if request.header("if-none-match") == Some(self.etag) {
            return Answer::raw(&format!("HTTP/1.1 304 Not Modified\n{version}"), b"");
        }
        let range =
            request.header("range").filter(|_| request.header("if-range") == Some(self.etag));
        let Some(range) = range else { return self.whole() };
        let from: usize =
            range.strip_prefix("bytes=").unwrap().strip_suffix('-').unwrap().parse().unwrap();
        let length = self.body.len();
        if from >= length {
            return Answer::status(416, &format!("\nContent-Range: bytes */{length}"));
        }
        let head = format!(
            "HTTP/1.1 206 Partial Content\nContent-Length: {}\nContent-Range: bytes {from}-{}/{length}\n{version}",
            length - from,
            length - 1
        );
        Answer::raw(&head, &self.body[from..])
    }

    /// All of it, whatever was asked.
    pub(super) fn whole(&self) -> Answer {
        let head = format!(
            "HTTP/1.1 200 OK\nContent-Length: {}\nETag: {}\nLast-Modified: {}\nConnection: close",
            self.body.len(),
            self.etag,
            self.modified
        );
        Answer::raw(&head, &self.body)
    }
}

type Respond = dyn Fn(&Request) -> Answer + Send + Sync;

/// The server; it ends with the test.
pub(super) struct Server {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    pub(super) fn start(respond: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let respond: Arc<Respond> = Arc::new(respond);
        let log = Arc::clone(&requests);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (log, respond) = (Arc::clone(&log), Arc::clone(&respond));
                thread::spawn(move || serve(stream, &log, &*respond));
            }
        });
        Self { address, requests }
    }

    /// One that has a single file, whatever is asked for.
    pub(super) fn of(resource: Resource) -> Self {
        Self::start(move |request| resource.answer(request))
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The requests since the last call.
    pub(super) fn requests(&self) -> Vec<Request> {
        std::mem::take(&mut *self.requests.lock().unwrap())
    }
}

fn serve(mut stream: TcpStream, log: &Mutex<Vec<Request>>, respond: &Respond) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let Some(mut request) = read(&mut reader) else { return };
    {
        let mut log = log.lock().unwrap();
        request.earlier = log.iter().filter(|earlier| earlier.path == request.path).count();
        log.push(request.clone());
    }
    let answer = respond(&request);
    // That the client goes before the end is what some tests are about.
    let _ = stream.write_all(&answer.bytes);
    match answer.then {
        Then::Close => {}
        Then::Hold => {
            let _ = reader.read(&mut [0]);
        }
        Then::Drip(bytes) => {
            stream.set_read_timeout(Some(DRIP_EVERY)).unwrap();
            for byte in bytes {
                // Waits for the client to go, and for that time alone.
                let gone = reader.read(&mut [0]).is_ok();
                if gone || stream.write_all(&[byte]).is_err() {
                    break;
                }
            }
        }
        Then::Repeat(bytes) => {
            let mut sent = 0;
            while sent < ENDLESS_BYTES_MAX && stream.write_all(bytes).is_ok() {
                sent += bytes.len();
            }
        }
    }
}

fn read(reader: &mut impl BufRead) -> Option<Request> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split(' ');
    let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.push((name.to_ascii_lowercase(), value.to_owned()));
    }
    Some(Request { method, path, headers, earlier: 0 })
}
