//! The one HTTP client of this bench: a blocking connection that sends bytes as they are, and reads
//! one answer after another with little work for each: the bench must not be what is slow.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

use almoner::http::REQUEST_DEADLINE;

/// After so long without a byte, an answer is missing: no request takes the server longer than its
/// deadline, and some room.
pub const ANSWER_MAX: Duration = Duration::from_secs(REQUEST_DEADLINE.as_secs() + 3);
/// Bytes that are read at once.
const CHUNK_BYTES: usize = 32 * 1024;

/// The bytes of a request; `session` is the value of `x-session-id`.
pub fn request(path: &str, key: &str, session: Option<&str>) -> Vec<u8> {
    let session = session.map(|id| format!("X-Session-Id: {id}\r\n")).unwrap_or_default();
    let head = format!("GET {path} HTTP/1.1\r\nHost: bench\r\nX-API-Key: {key}\r\n{session}\r\n");
    head.into_bytes()
}

/// The head of a POST with a body of so many bytes.
pub fn submission(path: &str, key: &str, body_bytes: usize) -> Vec<u8> {
    let head = format!("POST {path} HTTP/1.1\r\nHost: bench\r\nX-API-Key: {key}\r\n");
    format!("{head}Content-Length: {body_bytes}\r\n\r\n").into_bytes()
}

/// An answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    /// Its `x-request-id`.
    pub id: Option<Vec<u8>>,
    /// The server ends the connection after it.
    pub closes: bool,
    pub body: Vec<u8>,
}

/// The first answer in these bytes and their length, interim ones left out; `None` where it is not
/// all there yet. That to a HEAD request has no body.
///
/// # Errors
/// With what they are, if they are no answer.
pub fn first_answer(bytes: &[u8], is_head: bool) -> Result<Option<(Answer, usize)>, String> {
    let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else {
        return Ok(None);
    };
    let head = &bytes[..end];
    let mut lines = head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let status = lines
        .next()
        .and_then(status)
        .ok_or_else(|| format!("no answer: {}", head[..head.len().min(200)].escape_ascii()))?;
    let begin = end + 4;
    if status / 100 == 1 {
        let next = first_answer(&bytes[begin..], is_head)?;
        return Ok(next.map(|(answer, length)| (answer, begin + length)));
    }
    let mut answer = Answer { status, ..Answer::default() };
    let mut length = 0;
    let mut is_chunked = false;
    for line in lines {
        let Some(colon) = line.iter().position(|byte| *byte == b':') else { continue };
        let (name, value) = (&line[..colon], line[colon + 1..].trim_ascii());
        if name.eq_ignore_ascii_case(b"content-length") {
            let digits = std::str::from_utf8(value).ok().and_then(|text| text.parse().ok());
            length = digits.ok_or("a content-length that is no number")?;
        } else if name.eq_ignore_ascii_case(b"transfer-encoding") {
            is_chunked = value.eq_ignore_ascii_case(b"chunked");
        } else if name.eq_ignore_ascii_case(b"connection") {
            answer.closes = value.eq_ignore_ascii_case(b"close");
        } else if name.eq_ignore_ascii_case(b"x-request-id") {
            answer.id = Some(value.to_vec());
        }
    }
    if is_chunked && !is_head {
        let Some((body, end)) = unchunked(bytes, begin)? else { return Ok(None) };
        answer.body = body;
        return Ok(Some((answer, end)));
    }
    let end = if is_head { begin } else { begin + length };
    let Some(body) = bytes.get(begin..end) else { return Ok(None) };
    answer.body = body.to_vec();
    Ok(Some((answer, end)))
}

/// A body in chunks that begins at `begin`, put together, and where it ends; `None` where it is not
/// all there yet. Trailers are not expected.
///
/// # Errors
/// If a chunk does not begin with its length, or does not end with its line.
fn unchunked(bytes: &[u8], begin: usize) -> Result<Option<(Vec<u8>, usize)>, String> {
    let mut parts = Vec::new();
    let mut at = begin;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let Some(line) = rest.windows(2).position(|two| two == b"\r\n") else { return Ok(None) };
        let digits = std::str::from_utf8(&rest[..line]).ok();
        let length = digits.and_then(|digits| usize::from_str_radix(digits, 16).ok());
        let length = length.ok_or("a chunk that does not begin with its length")?;
        let first = at + line + 2;
        let end = first + length + 2;
        let Some(chunk) = bytes.get(first..end) else { return Ok(None) };
        if !chunk.ends_with(b"\r\n") {
            return Err("a chunk that is longer than its length".to_owned());
        }
        if length == 0 {
            return Ok(Some((parts.concat(), end)));
        }
        parts.push(&chunk[..length]);
        at = end;
    }
}

/// The number of a status line.
fn status(line: &[u8]) -> Option<u16> {
    let rest = line.strip_prefix(b"HTTP/1.1 ").or_else(|| line.strip_prefix(b"HTTP/1.0 "))?;
    std::str::from_utf8(rest.get(..3)?).ok()?.parse().ok()
}

/// A connection that is kept open.
#[derive(Debug)]
pub struct Client {
    stream: TcpStream,
    /// What came and was not taken as an answer yet.
    bytes: Vec<u8>,
}

impl Client {
    pub fn connect(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect_timeout(&address, ANSWER_MAX)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(ANSWER_MAX))?;
        stream.set_write_timeout(Some(ANSWER_MAX))?;
        Ok(Self { stream, bytes: Vec::new() })
    }

    /// Asks, and waits for the whole answer.
    ///
    /// # Errors
    /// When the connection ends, nothing comes for [`ANSWER_MAX`], or more than one answer comes.
    pub fn ask(&mut self, request: &[u8]) -> io::Result<Answer> {
        self.send(request)?;
        let answer = self.answer(false)?;
        if !self.bytes.is_empty() {
            return Err(io::Error::new(ErrorKind::InvalidData, "more than one answer"));
        }
        Ok(answer)
    }

    pub fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes)
    }

    /// The next answer.
    ///
    /// # Errors
    /// When the connection ends first, nothing comes in time, or it is no answer.
    pub fn answer(&mut self, is_head: bool) -> io::Result<Answer> {
        loop {
            let found = first_answer(&self.bytes, is_head)
                .map_err(|text| io::Error::new(ErrorKind::InvalidData, text))?;
            if let Some((answer, length)) = found {
                self.bytes.drain(..length);
                return Ok(answer);
            }
            if self.read()? == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
        }
    }

    /// Reads what comes next; 0 at the end of the connection.
    ///
    /// # Errors
    /// When the connection breaks, or nothing comes in time.
    pub fn read(&mut self) -> io::Result<usize> {
        let before = self.bytes.len();
        self.bytes.resize(before + CHUNK_BYTES, 0);
        let read = self.stream.read(&mut self.bytes[before..]);
        self.bytes.truncate(before + *read.as_ref().unwrap_or(&0));
        read
    }

    /// Bytes that came beyond the answers that were taken.
    pub fn received(&self) -> &[u8] {
        &self.bytes
    }

    /// Says that nothing more is sent. Where the server closed first there is nothing to say.
    pub fn finish(&self) {
        let _ = self.stream.shutdown(Shutdown::Write);
    }

    /// Makes reading return at once where nothing came.
    pub fn set_nonblocking(&self) {
        self.stream.set_nonblocking(true).expect("a socket");
    }
}
