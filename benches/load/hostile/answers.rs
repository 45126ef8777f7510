//! Answers, read one after another off a connection.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use super::framing::Framed;

/// A connection on which nothing comes for so long hangs: no request takes the server longer than
/// its deadline of 10 s.
pub const ANSWER_MAX: Duration = Duration::from_secs(13);
/// Bytes that are read at once.
const CHUNK_BYTES: usize = 64 * 1024;

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
/// all there yet.
///
/// # Errors
/// With what they are, if they are no answer.
pub fn first(bytes: &[u8], is_head: bool) -> Result<Option<(Answer, usize)>, String> {
    let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else {
        return Ok(None);
    };
    let head = &bytes[..end];
    let mut lines = head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let status = lines
        .next()
        .and_then(status)
        .ok_or_else(|| format!("no answer: {}", head[..head.len().min(200)].escape_ascii()))?;
    if status / 100 == 1 {
        let skipped = end + 4;
        let next = first(&bytes[skipped..], is_head)?;
        return Ok(next.map(|(answer, length)| (answer, skipped + length)));
    }
    let mut answer = Answer { status, ..Answer::default() };
    let mut length = 0;
    for line in lines {
        let Some(colon) = line.iter().position(|byte| *byte == b':') else { continue };
        let (name, value) = (&line[..colon], line[colon + 1..].trim_ascii());
        if name.eq_ignore_ascii_case(b"content-length") {
            let digits = std::str::from_utf8(value).ok().and_then(|text| text.parse().ok());
            length = digits.ok_or("a content-length that is no number")?;
        } else if name.eq_ignore_ascii_case(b"connection") {
            answer.closes = value.eq_ignore_ascii_case(b"close");
        } else if name.eq_ignore_ascii_case(b"x-request-id") {
            answer.id = Some(value.to_vec());
        }
    }
    if is_head {
        length = 0;
    }
    let Some(body) = bytes.get(end + 4..end + 4 + length) else { return Ok(None) };
    answer.body = body.to_vec();
    Ok(Some((answer, end + 4 + length)))
}

/// The number of a status line.
fn status(line: &[u8]) -> Option<u16> {
    let rest = line.strip_prefix(b"HTTP/1.1 ").or_else(|| line.strip_prefix(b"HTTP/1.0 "))?;
    std::str::from_utf8(rest.get(..3)?).ok()?.parse().ok()
}

/// What a connection came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Closed,
    /// Reset, as happens where the server closes before it has read all.
    Reset,
    /// Neither within [`ANSWER_MAX`].
    Hangs,
}

/// A connection.
#[derive(Debug)]
pub struct Wire {
    stream: TcpStream,
    bytes: Vec<u8>,
    /// Where the bytes begin that were not looked at.
    at: usize,
    pub used: Instant,
}

impl Wire {
    pub fn connect(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect_timeout(&address, ANSWER_MAX)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(ANSWER_MAX))?;
        stream.set_write_timeout(Some(ANSWER_MAX))?;
        Ok(Self { stream, bytes: Vec::new(), at: 0, used: Instant::now() })
    }

    pub fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.used = Instant::now();
        self.stream.write_all(bytes)
    }

    /// Says that nothing more is sent.
    fn finish(&self) {
        // Where the server closed first there is nothing to say.
        let _ = self.stream.shutdown(Shutdown::Write);
    }

    pub fn into_stream(self) -> TcpStream {
        self.stream
    }

    /// The next answer.
    ///
    /// # Errors
    /// When the connection ends first, nothing comes in time, or it is no answer.
    pub fn answer(&mut self, is_head: bool) -> io::Result<Answer> {
        loop {
            let found = first(&self.bytes[self.at..], is_head)
                .map_err(|text| io::Error::new(ErrorKind::InvalidData, text))?;
            if let Some((answer, length)) = found {
                self.at += length;
                if self.at == self.bytes.len() {
                    self.bytes.clear();
                    self.at = 0;
                }
                return Ok(answer);
            }
            if self.read()? == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
        }
    }

    /// Bytes that came beyond the answers that were read.
    pub fn left(&self) -> &[u8] {
        &self.bytes[self.at..]
    }

    /// All that comes until the connection ends. Only once as many answers are there as requests are
    /// whole does it say that nothing more is sent: a server may take that for the client's leaving.
    pub fn rest(mut self, requests: &[Framed]) -> (Vec<u8>, End) {
        let mut whole = requests.iter().take_while(|request| request.is_whole);
        let (mut next, mut at) = (whole.next(), 0);
        let end = loop {
            while let Some(request) = next
                && let Ok(Some((_, length))) = first(&self.bytes[at..], request.is_head)
            {
                at += length;
                next = whole.next();
            }
            if next.is_none() {
                self.finish();
            }
            match self.read() {
                Ok(0) => break End::Closed,
                Ok(_) => {}
                Err(error) => break end_of(&error),
            }
        };
        (self.bytes, end)
    }

    fn read(&mut self) -> io::Result<usize> {
        let before = self.bytes.len();
        self.bytes.resize(before + CHUNK_BYTES, 0);
        let read = self.stream.read(&mut self.bytes[before..]);
        self.bytes.truncate(before + *read.as_ref().unwrap_or(&0));
        read.map_err(|error| match error.kind() {
            ErrorKind::WouldBlock => io::Error::new(ErrorKind::TimedOut, "nothing comes"),
            _ => error,
        })
    }
}

/// What an error of reading says of the connection.
pub fn end_of(error: &io::Error) -> End {
    match error.kind() {
        ErrorKind::WouldBlock | ErrorKind::TimedOut => End::Hangs,
        _ => End::Reset,
    }
}
