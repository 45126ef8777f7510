//! Whether answers are those of the requests that were sent.

use std::io::{self, ErrorKind};

use super::bodies::MCP;
use super::framing;
use super::request::Request;
use super::requests::asked_ein;
use crate::client::{Answer, first_answer};

/// Bytes of what failed that are printed; the seed and the batch tell the rest.
const SHOWN_BYTES_MAX: usize = 8 * 1024;

/// What a connection came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Closed,
    /// Reset, as happens where the server closes before it has read all.
    Reset,
    /// Neither in time.
    Hangs,
}

impl End {
    /// What an error of reading says of the connection.
    pub fn of(error: &io::Error) -> Self {
        match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut => Self::Hangs,
            _ => Self::Reset,
        }
    }
}

/// Bytes as `printf '%b'` takes them.
pub fn shown(bytes: &[u8]) -> String {
    let cut = &bytes[..bytes.len().min(SHOWN_BYTES_MAX)];
    let rest = bytes.len() - cut.len();
    let more = if rest > 0 { format!(" and {rest} bytes more") } else { String::new() };
    format!("{}{more}", cut.escape_ascii())
}

/// What is wrong with the answer to a request.
pub fn answer(request: &Request, answer: &Answer) -> Result<(), String> {
    // Too much at once is counted apart.
    if answer.status == 503 {
        return Ok(());
    }
    if !request.expected.allows(answer.status) && !refuses_export(request, answer) {
        return Err(format!("answered {}, expected {:?}", answer.status, request.expected));
    }
    if let Some(id) = &request.id
        && answer.id.as_deref() != Some(id.as_bytes())
    {
        return Err(format!("the answer is that of {:?}, not of {id}", text(answer.id.as_deref())));
    }
    if request.id.is_none() && answer.id.as_ref().is_none_or(|id| id.len() != 16) {
        return Err(format!("the identifier {:?} was taken over", text(answer.id.as_deref())));
    }
    if request.method == "HEAD" { Ok(()) } else { body(&request.target, answer) }
}

/// Whether an export is refused in a way of its own: it goes on from a snapshot that is not named or not in
/// use any more, the key has another under way, or the program was built without Parquet.
fn refuses_export(request: &Request, answer: &Answer) -> bool {
    request.target.starts_with("/export.") && matches!(answer.status, 412 | 428 | 429 | 501)
}

/// What is wrong with a body.
fn body(target: &str, answer: &Answer) -> Result<(), String> {
    let begins = |with: &[u8]| answer.body.starts_with(with);
    let fits = match answer.status {
        422 => begins(b"{\"detail\":[{\"type\":\""),
        // Errors of the protocol are told in its own words.
        400.. if target == MCP => true,
        400.. => answer.body.is_empty() || begins(b"{\"detail\":\""),
        _ => true,
    };
    if !fits {
        return Err(format!("the body of a {} is {}", answer.status, shown(&answer.body)));
    }
    match asked_ein(target).filter(|_| answer.status == 200) {
        Some(ein) => of_one(&ein, &answer.body),
        None => Ok(()),
    }
}

/// Whether every EIN that an answer names is the one that was asked for.
fn of_one(ein: &str, body: &[u8]) -> Result<(), String> {
    const MEMBER: &[u8] = b"\"ein\":\"";
    let starts = body.windows(MEMBER.len()).enumerate().filter(|(_, part)| *part == MEMBER);
    for (at, _) in starts {
        let rest = &body[at + MEMBER.len()..];
        if !rest.starts_with(ein.as_bytes()) || rest.get(ein.len()) != Some(&b'"') {
            let named = &rest[..rest.len().min(12)];
            return Err(format!("{ein} was asked for, the answer is of {}", shown(named)));
        }
    }
    Ok(())
}

/// The statuses that the bytes of a connection were answered with, or what is wrong.
pub fn case(sent: &[u8], received: &[u8], end: End) -> Result<Vec<u16>, String> {
    if end == End::Hangs {
        return Err("neither answered nor closed".to_owned());
    }
    let requests = framing::requests(sent);
    let (mut at, mut statuses, mut closes) = (0, Vec::new(), false);
    while at < received.len() {
        let Some(request) = requests.get(statuses.len()) else {
            let (there, rest) = (requests.len(), shown(&received[at..]));
            return Err(format!("{there} requests are there, and more is answered: {rest}"));
        };
        let Some((found, length)) = first_answer(&received[at..], request.is_head)? else {
            // What is reset may be cut off.
            return if end == End::Reset { Ok(statuses) } else { Err("half an answer".to_owned()) };
        };
        of_request(request, &found)?;
        at += length;
        closes = found.closes;
        statuses.push(found.status);
    }
    let missing = requests.get(statuses.len()).is_some_and(|next| next.is_whole);
    if missing && !closes && end == End::Closed {
        let (there, answered) = (requests.len(), statuses.len());
        return Err(format!("of {there} requests {answered} are answered"));
    }
    Ok(statuses)
}

/// What is wrong with the answer to a request that stands in bytes.
fn of_request(request: &framing::Framed, answer: &Answer) -> Result<(), String> {
    if !matches!(answer.status, 200 | 400 | 401 | 404 | 405 | 408 | 413 | 414 | 422 | 431 | 503) {
        return Err(format!("answered {}", answer.status));
    }
    // hyper itself refuses what is no HTTP, and names nothing.
    let (Some(asked), Some(told)) = (&request.id, &answer.id) else { return Ok(()) };
    let is_one =
        (1..=64).contains(&asked.len()) && asked.iter().all(|byte| (b' '..=b'~').contains(byte));
    if is_one && asked != told {
        return Err(format!("the answer to {} is that of {}", shown(asked), shown(told)));
    }
    match std::str::from_utf8(&request.target) {
        Ok(target) if !request.is_head && request.is_whole => body(target, answer),
        _ => Ok(()),
    }
}

fn text(id: Option<&[u8]>) -> String {
    id.map(shown).unwrap_or_default()
}
