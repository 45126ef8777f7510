//! A connection that is kept open and asks one thing after another, with little work for each
//! answer: the bench must not be what is slow.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitCode};
use std::time::Duration;

/// After so long without a byte, an answer is missing.
pub const ANSWER_MAX: Duration = Duration::from_secs(30);
/// Connections are tried for so long.
const CONNECT_MAX: Duration = Duration::from_secs(10);
/// Bytes that are read at once.
const CHUNK_BYTES: usize = 32 * 1024;
/// Open files that the bench itself may need.
const FILES_NEEDED: u64 = 4_096;
/// Set once the limit of open files was raised.
const RAISED: &str = "ALMONER_BENCH_FILES_RAISED";

/// The bytes of a request; `session` is the value of `x-session-id`.
pub fn request(path: &str, key: &str, session: Option<&str>) -> Vec<u8> {
    let session = session.map(|id| format!("X-Session-Id: {id}\r\n")).unwrap_or_default();
    let head = format!("GET {path} HTTP/1.1\r\nHost: bench\r\nX-API-Key: {key}\r\n{session}\r\n");
    head.into_bytes()
}

/// A connection.
#[derive(Debug)]
pub struct Client {
    stream: TcpStream,
    /// Head and body of the last answer.
    bytes: Vec<u8>,
    chunk: Box<[u8]>,
}

/// An answer, as long as nothing else is asked.
#[derive(Debug, Clone, Copy)]
pub struct Answer<'a> {
    pub status: u16,
    pub body: &'a [u8],
}

impl Client {
    pub fn connect(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect_timeout(&address, CONNECT_MAX)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(ANSWER_MAX))?;
        stream.set_write_timeout(Some(ANSWER_MAX))?;
        Ok(Self { stream, bytes: Vec::new(), chunk: vec![0; CHUNK_BYTES].into() })
    }

    /// Asks, and waits for the whole answer.
    ///
    /// # Errors
    /// When the connection ends or nothing comes for [`ANSWER_MAX`].
    pub fn ask(&mut self, request: &[u8]) -> io::Result<Answer<'_>> {
        self.stream.write_all(request)?;
        self.bytes.clear();
        loop {
            let read = self.stream.read(&mut self.chunk)?;
            if read == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            self.bytes.extend_from_slice(&self.chunk[..read]);
            let Some((head, body)) = lengths(&self.bytes) else { continue };
            if self.bytes.len() > head + body {
                return Err(io::Error::new(ErrorKind::InvalidData, "more than one answer"));
            }
            if self.bytes.len() == head + body {
                let (head, body) = self.bytes.split_at(head);
                return Ok(Answer { status: status(head), body });
            }
        }
    }
}

/// The body of a path that must be answered 200.
pub fn body(address: SocketAddr, request: &[u8]) -> String {
    let mut client = Client::connect(address).expect("a connection");
    let answer = client.ask(request).expect("an answer");
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(request));
    String::from_utf8(answer.body.to_vec()).expect("UTF-8")
}

/// The number of a status line; 0 if it is none.
fn status(head: &[u8]) -> u16 {
    let digits = head.strip_prefix(b"HTTP/1.1 ").and_then(|rest| rest.get(..3));
    digits.and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok()).unwrap_or(0)
}

/// Lengths of head and body once the head is there.
fn lengths(bytes: &[u8]) -> Option<(usize, usize)> {
    const FIELD: &[u8] = b"\r\ncontent-length: ";
    let head = bytes.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let at = bytes[..head].windows(FIELD.len()).position(|part| part.eq_ignore_ascii_case(FIELD));
    let digits = at.map_or(&[][..], |at| &bytes[at + FIELD.len()..head]);
    let digits = digits.iter().take_while(|byte| byte.is_ascii_digit());
    Some((head, digits.fold(0, |sum, digit| sum * 10 + usize::from(digit - b'0'))))
}

/// Starts this program again with more open files where it may have too few; `None` goes on.
pub fn raise_files_max() -> Option<ExitCode> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    let allowed: u64 = line.split_whitespace().next()?.parse().ok()?;
    if allowed >= FILES_NEEDED || std::env::var_os(RAISED).is_some() {
        return None;
    }
    let script = format!("ulimit -n {FILES_NEEDED} && exec \"$0\" \"$@\"");
    let itself = std::env::current_exe().ok()?;
    let mut again = Command::new("sh");
    again.args(["-c", &script]).arg(itself).args(std::env::args_os().skip(1)).env(RAISED, "1");
    let error = again.exec();
    println!("cannot start with {FILES_NEEDED} open files: {error}");
    Some(ExitCode::FAILURE)
}
