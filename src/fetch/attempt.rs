//! One attempt to get a file: asks for it, or for what is missing of it, reads what the server makes
//! of that, and writes what comes to the partial file. It never tries again.

use std::error::Error;
use std::io;
use std::time::{Duration, Instant};

use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};

use super::backoff;
use super::client::Client;
use super::disk::DiskBudget;
use super::error::FileError;
use super::manifest::Entry;
use super::options::{Options, PACE_BYTES_MIN, Timeouts};
use super::partial::{Description, Partial, PartialWriter, Resume, Version};
use super::plan::{Item, Plan};
use super::progress::Progress;

/// The longest file that is taken: four times the IRS's longest, the returns of 2021.
const FILE_BYTES_MAX: u64 = 16_000_000_000;

/// What an attempt works with.
pub(super) struct Attempt<'a> {
    pub(super) client: &'a Client,
    pub(super) options: &'a Options,
    pub(super) progress: &'a dyn Progress,
    pub(super) plan: &'a Plan,
    pub(super) item: &'a Item,
    pub(super) partial: &'a Partial,
    /// What is in the folder already, as it was downloaded.
    pub(super) known: Option<&'a Entry>,
}

/// What came of it.
#[derive(Debug)]
pub(super) enum Outcome {
    /// All bytes are in the partial file.
    Whole { version: Version, resumed: bool },
    /// What is in the folder is what the server has.
    Unchanged,
}

/// The part of a file that a response carries.
struct FilePart {
    /// Position of its first byte.
    from: u64,
    /// Length of the whole file, if it is known.
    length: Option<u64>,
    version: Version,
}

impl Attempt<'_> {
    /// Runs it.
    pub(super) async fn run(&self) -> Result<Outcome, FileError> {
        let resume = self.partial.resume(&self.item.address);
        // An unfinished file is of a version later than the one in the folder, and goes on.
        let known = self.known.filter(|_| resume.is_none());
        let headers = request(resume.as_ref(), known);
        let answer = self.client.get(&self.item.address, &headers).await?;
        let part = match (answer.status(), &resume) {
            (StatusCode::OK, _) => whole(&answer)?,
            (StatusCode::NOT_MODIFIED, None) if known.is_some() => return Ok(Outcome::Unchanged),
            (StatusCode::PARTIAL_CONTENT, Some(resume)) => rest(&answer, resume)?,
            (StatusCode::RANGE_NOT_SATISFIABLE, Some(resume)) => {
                let found = format!("status {}", answer.status().as_u16());
                return Err(FileError::Range { expected: resume.bytes, found });
            }
            _ => return Err(refusal(&answer)),
        };
        self.receive(answer.into_body(), &part).await?;
        Ok(Outcome::Whole { version: part.version, resumed: part.from > 0 })
    }

    async fn receive(&self, mut body: Incoming, part: &FilePart) -> Result<(), FileError> {
        let needed = part.length.map(|length| length.saturating_sub(part.from));
        let mut budget = DiskBudget::claim(self.options, self.plan, self.item, part.from, needed)?;
        let mut writer = self.partial.open(Description {
            address: self.item.address.to_string(),
            version: part.version.clone(),
            length: part.length,
            synced: part.from,
        })?;
        self.progress.started(&self.item.name, part.length, part.from);
        let received = self.pour(&mut body, part, &mut budget, &mut writer).await;
        // However it ended, the next attempt resumes after everything received.
        let synced = writer.sync();
        let found = received?;
        synced?;
        match part.length {
            Some(length) if found != length => {
                Err(FileError::Truncated { expected: Some(length), found })
            }
            _ => Ok(()),
        }
    }

    /// Writes what comes, and says how many bytes the file then has.
    async fn pour(
        &self,
        body: &mut Incoming,
        part: &FilePart,
        budget: &mut DiskBudget<'_>,
        writer: &mut PartialWriter<'_>,
    ) -> Result<u64, FileError> {
        let mut at = part.from;
        let mut timer = ThroughputTimer::new(self.options.timeouts);
        while let Some(frame) = self.frame(body, &timer, part, at).await? {
            // Trailers say nothing that is needed.
            let Ok(data) = frame.into_data() else { continue };
            if at == 0 {
                refuse_web_page(&data)?;
            }
            budget.take(data.len() as u64)?;
            if at + data.len() as u64 > FILE_BYTES_MAX {
                return Err(too_long(at + data.len() as u64));
            }
            writer.write(&data)?;
            timer.count(data.len() as u64);
            at += data.len() as u64;
            self.progress.received(&self.item.name, at);
        }
        Ok(at)
    }

    /// The next piece of the body; `None` at its end.
    async fn frame(
        &self,
        body: &mut Incoming,
        timer: &ThroughputTimer,
        part: &FilePart,
        at: u64,
    ) -> Result<Option<hyper::body::Frame<hyper::body::Bytes>>, FileError> {
        let (wait, what, after) = timer.patience();
        match tokio::time::timeout(wait, body.frame()).await {
            Ok(frame) => frame.transpose().map_err(|error| match ended_early(&error) {
                true => FileError::Truncated { expected: part.length, found: at },
                false => FileError::connection(error),
            }),
            Err(_) => Err(FileError::Timeout { what, after }),
        }
    }
}

/// How quickly a file comes.
struct ThroughputTimer {
    timeouts: Timeouts,
    /// When the bytes below began to come.
    since: Instant,
    /// Less than [`PACE_BYTES_MIN`].
    bytes: u64,
}

impl ThroughputTimer {
    fn new(timeouts: Timeouts) -> Self {
        Self { timeouts, since: Instant::now(), bytes: 0 }
    }

    fn count(&mut self, bytes: u64) {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes >= PACE_BYTES_MIN {
            *self = Self::new(self.timeouts);
        }
    }

    /// How long to wait for the next piece; what did not come, and within what time, if that is over.
    fn patience(&self) -> (Duration, &'static str, Duration) {
        let Timeouts { stall, pace, .. } = self.timeouts;
        let left = pace.saturating_sub(self.since.elapsed());
        if left < stall {
            (left, "enough of the file to go on waiting", pace)
        } else {
            (stall, "the next piece of the file", stall)
        }
    }
}

/// What to ask besides the address.
fn request(resume: Option<&Resume>, known: Option<&Entry>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let mut put = |name: HeaderName, value: &str| {
        // What the server wrote in a header fits in a header.
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    };
    if let Some(resume) = resume
        && let Some(validator) = resume.described.version.strong()
    {
        put(header::RANGE, &format!("bytes={}-", resume.bytes));
        put(header::IF_RANGE, validator);
    } else if let Some(known) = known {
        if let Some(etag) = &known.version.etag {
            put(header::IF_NONE_MATCH, etag);
        }
        if let Some(date) = &known.version.last_modified {
            put(header::IF_MODIFIED_SINCE, date);
        }
    }
    headers
}

/// An answer with the whole file.
fn whole(answer: &Response<Incoming>) -> Result<FilePart, FileError> {
    let headers = answer.headers();
    refuse_other_forms(headers)?;
    let length = answer.body().size_hint().exact();
    if length.is_none() && !headers.contains_key(header::TRANSFER_ENCODING) {
        return Err(FileError::EndUnknown);
    }
    if length.is_some_and(|length| length > FILE_BYTES_MAX) {
        return Err(too_long(length.unwrap_or(u64::MAX)));
    }
    Ok(FilePart { from: 0, length, version: Version::of(headers) })
}

/// An answer with what was missing, which must be of the same version and all there is of it.
fn rest(answer: &Response<Incoming>, resume: &Resume) -> Result<FilePart, FileError> {
    let headers = answer.headers();
    refuse_other_forms(headers)?;
    let version = Version::of(headers);
    let described = &resume.described;
    let range = headers.get(header::CONTENT_RANGE).and_then(|range| range.to_str().ok());
    let fits = range.and_then(content_range).filter(|(first, last, length)| {
        *first == resume.bytes
            && last.checked_add(1) == Some(*length)
            && first <= last
            && described.length.is_none_or(|known| known == *length)
            && answer.body().size_hint().exact().is_none_or(|bytes| bytes == *length - *first)
    });
    let Some((from, _, length)) = fits.filter(|_| described.version.agrees(&version)) else {
        let found = match range {
            Some(range) if fits.is_some() => format!("{range:?} of another version"),
            Some(range) => format!("{:?}", range.chars().take(100).collect::<String>()),
            None => "no range".to_owned(),
        };
        return Err(FileError::Range { expected: resume.bytes, found });
    };
    if length > FILE_BYTES_MAX {
        return Err(too_long(length));
    }
    Ok(FilePart { from, length: Some(length), version: described.version.clone() })
}

/// The error for a response with an unexpected status.
fn refusal(answer: &Response<Incoming>) -> FileError {
    match answer.status().as_u16() {
        status @ (404 | 410) => FileError::Absent { status },
        status @ (401 | 403) => FileError::Refused { status },
        status => FileError::Status { status, retry_after: backoff::retry_after(answer.headers()) },
    }
}

/// First and last byte and the length of the whole, of `bytes 0-9/100`.
fn content_range(text: &str) -> Option<(u64, u64, u64)> {
    let (range, length) = text.strip_prefix("bytes ")?.split_once('/')?;
    let (first, last) = range.split_once('-')?;
    Some((first.parse().ok()?, last.parse().ok()?, length.parse().ok()?))
}

fn refuse_other_forms(headers: &HeaderMap) -> Result<(), FileError> {
    let text = |name| headers.get(name).map(|value: &HeaderValue| value.as_bytes());
    let kind = text(header::CONTENT_TYPE).unwrap_or_default();
    if kind.len() >= 9 && kind[..9].eq_ignore_ascii_case(b"text/html") {
        return Err(FileError::WebPage);
    }
    match text(header::CONTENT_ENCODING) {
        None => Ok(()),
        Some(encoding) if encoding.eq_ignore_ascii_case(b"identity") => Ok(()),
        Some(encoding) => {
            let encoding = String::from_utf8_lossy(encoding).chars().take(40).collect();
            Err(FileError::Encoded { encoding })
        }
    }
}

/// Whether the connection ended before the body did.
fn ended_early(error: &hyper::Error) -> bool {
    let cause = error.source().and_then(|cause| cause.downcast_ref::<io::Error>());
    let kind = cause.map(io::Error::kind);
    error.is_incomplete_message() || kind == Some(io::ErrorKind::UnexpectedEof)
}

/// None of the files begins with a mark-up sign, and a web page does whatever its type says.
fn refuse_web_page(first: &[u8]) -> Result<(), FileError> {
    let text = first.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(first).trim_ascii_start();
    if text.starts_with(b"<") { Err(FileError::WebPage) } else { Ok(()) }
}

fn too_long(bytes: u64) -> FileError {
    FileError::TooLong { bytes, bytes_max: FILE_BYTES_MAX }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_patience(stall: u64, pace: u64, expected: &str) {
        let (stall, pace) = (Duration::from_secs(stall), Duration::from_secs(pace));
        let (_, what, _) =
            ThroughputTimer::new(Timeouts { stall, pace, ..Timeouts::default() }).patience();
        assert!(what.starts_with(expected), "{stall:?} {pace:?}: {what}");
    }

    #[test]
    fn what_is_waited_for() {
        check_patience(60, 300, "the next piece");
        check_patience(60, 30, "enough");
        check_patience(60, 0, "enough");
    }

    #[test]
    fn enough_bytes_restart_the_timer() {
        let mut timer = ThroughputTimer::new(Timeouts::default());
        let begun = timer.since;
        timer.count(PACE_BYTES_MIN - 1);
        assert_eq!((timer.bytes, timer.since), (PACE_BYTES_MIN - 1, begun));
        timer.count(1);
        assert_eq!(timer.bytes, 0);
        assert!(timer.since > begun);
    }
}
