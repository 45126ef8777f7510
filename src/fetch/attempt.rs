//! One attempt to get a file: asks for it, or for what is missing of it, reads what the server makes
//! of that, and writes what comes to the partial file. It never tries again.

use std::error::Error;
use std::io;
use std::time::{Duration, Instant};

use http_body_util::BodyExt;
use hyper::body::{Body, Bytes, Frame, Incoming};
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::{Response, StatusCode};

use super::client::Client;
use super::disk::DiskBudget;
use super::error::FileError;
use super::manifest::{Entry, Manifest};
use super::options::{Options, PACE_BYTES_MIN, Progress, Report};
use super::partial::{Description, Partial, PartialWriter, Version};
use super::plan::{Item, Plan};
use crate::record::Timestamp;

/// The longest file that is taken: four times the IRS's longest, the returns of 2021.
const FILE_BYTES_MAX: u64 = 16_000_000_000;

/// Everything that downloading works with.
pub(super) struct Run<'a> {
    pub(super) plan: &'a Plan,
    pub(super) options: &'a Options,
    pub(super) progress: &'a dyn Progress,
    pub(super) client: Client,
    pub(super) manifest: Manifest,
    pub(super) report: Report,
    pub(super) planned: u64,
}

impl Run<'_> {
    /// Fills the partial file, and says what it then is of; `None` when what is `known` to be in the
    /// folder is what the server has.
    pub(super) async fn receive(
        &self,
        item: &Item,
        partial: &Partial,
        known: Option<&Entry>,
    ) -> Result<Option<Description>, FileError> {
        let resume = partial.resume(&item.address);
        // An unfinished file is of a version later than the one in the folder, and goes on.
        let known = known.filter(|_| resume.is_none());
        let headers = request(resume.as_ref(), known);
        let answer = self.client.get(&item.address, &headers).await?;
        let part = match (answer.status(), resume) {
            (StatusCode::OK, _) => whole(&answer, item)?,
            (StatusCode::NOT_MODIFIED, None) if known.is_some() => return Ok(None),
            (StatusCode::PARTIAL_CONTENT, Some(resume)) => rest(&answer, resume)?,
            (StatusCode::RANGE_NOT_SATISFIABLE, Some(resume)) => {
                let found = format!("status {}", answer.status().as_u16());
                return Err(FileError::Range { expected: resume.synced, found });
            }
            _ => return Err(refusal(&answer)),
        };
        let needed = part.length.map(|length| length.saturating_sub(part.synced));
        let budget = DiskBudget::claim(self.options, self.plan, &item.name, part.synced, needed)?;
        let mut writer = partial.open(part.clone())?;
        self.progress.started(&item.name, part.length, part.synced);
        let received = self.pour(item, answer.into_body(), &part, budget, &mut writer).await;
        // However it ended, the next attempt resumes after everything received.
        let synced = writer.sync();
        let found = received?;
        synced?;
        match part.length {
            Some(length) if found != length => {
                Err(FileError::Truncated { expected: Some(length), found })
            }
            _ => Ok(Some(part)),
        }
    }

    /// Writes what comes, and says how many bytes the file then has.
    async fn pour(
        &self,
        item: &Item,
        mut body: Incoming,
        part: &Description,
        mut budget: DiskBudget<'_>,
        writer: &mut PartialWriter<'_>,
    ) -> Result<u64, FileError> {
        let mut at = part.synced;
        let mut timer = ThroughputTimer::new(self.options);
        while let Some(frame) = timer.frame(&mut body, part.length, at).await? {
            // Trailers say nothing that is needed.
            let Ok(data) = frame.into_data() else { continue };
            if at == 0 {
                refuse_web_page(&data)?;
            }
            budget.take(data.len() as u64)?;
            at += data.len() as u64;
            refuse_too_long(at)?;
            writer.write(&data)?;
            timer.count(data.len() as u64);
            self.progress.received(&item.name, at);
        }
        Ok(at)
    }
}

/// How quickly a file comes.
struct ThroughputTimer<'a> {
    options: &'a Options,
    /// When the bytes below began to come.
    since: Instant,
    /// Less than [`PACE_BYTES_MIN`].
    bytes: u64,
}

impl<'a> ThroughputTimer<'a> {
    fn new(options: &'a Options) -> Self {
        Self { options, since: Instant::now(), bytes: 0 }
    }

    fn count(&mut self, bytes: u64) {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes >= PACE_BYTES_MIN {
            *self = Self::new(self.options);
        }
    }

    /// How long to wait for the next piece; what did not come, and within what time, if that is over.
    fn patience(&self) -> (Duration, &'static str, Duration) {
        let (stall, pace) = (self.options.stall_timeout, self.options.pace_timeout);
        let left = pace.saturating_sub(self.since.elapsed());
        if left < stall {
            (left, "enough of the file to go on waiting", pace)
        } else {
            (stall, "the next piece of the file", stall)
        }
    }

    /// The next piece of a body, of which `found` bytes came; `None` at its end.
    async fn frame(
        &self,
        body: &mut Incoming,
        expected: Option<u64>,
        found: u64,
    ) -> Result<Option<Frame<Bytes>>, FileError> {
        let (wait, what, after) = self.patience();
        match tokio::time::timeout(wait, body.frame()).await {
            Ok(frame) => frame.transpose().map_err(|error| match ended_early(&error) {
                true => FileError::Truncated { expected, found },
                false => FileError::connection(error),
            }),
            Err(_) => Err(FileError::Timeout { what, after }),
        }
    }
}

/// What to ask besides the address.
fn request(resume: Option<&Description>, known: Option<&Entry>) -> HeaderMap {
    let fields = match (resume, known.map(|known| known.version.clone())) {
        (Some(resume), _) => [
            (header::RANGE, Some(format!("bytes={}-", resume.synced))),
            (header::IF_RANGE, resume.version.strong().map(str::to_owned)),
        ],
        (None, version) => {
            let Version { etag, last_modified, .. } = version.unwrap_or_default();
            [(header::IF_NONE_MATCH, etag), (header::IF_MODIFIED_SINCE, last_modified)]
        }
    };
    // What the server wrote in a header fits in a header.
    let fields = fields
        .into_iter()
        .filter_map(|(name, value)| Some((name, HeaderValue::try_from(value?).ok()?)));
    fields.collect()
}

/// An answer with the whole file.
fn whole(answer: &Response<Incoming>, item: &Item) -> Result<Description, FileError> {
    let headers = answer.headers();
    refuse_other_forms(headers)?;
    let length = answer.body().size_hint().exact();
    if length.is_none() && !headers.contains_key(header::TRANSFER_ENCODING) {
        let why = "the answer has no length, so its end cannot be recognised: use another server";
        return Err(FileError::Answer(why.to_owned()));
    }
    refuse_too_long(length.unwrap_or(0))?;
    let address = item.address.to_string();
    Ok(Description { address, version: Version::of(headers), length, synced: 0 })
}

/// An answer with what was missing, which must be of the same version and all there is of it.
fn rest(answer: &Response<Incoming>, resume: Description) -> Result<Description, FileError> {
    let headers = answer.headers();
    refuse_other_forms(headers)?;
    let range = headers.get(header::CONTENT_RANGE).and_then(|range| range.to_str().ok());
    let fits = range.and_then(content_range).filter(|(first, last, length)| {
        *first == resume.synced
            && last.checked_add(1) == Some(*length)
            && first <= last
            && resume.length.is_none_or(|known| known == *length)
            && answer.body().size_hint().exact().is_none_or(|bytes| bytes == *length - *first)
    });
    let agrees = resume.version.agrees(&Version::of(headers));
    let Some((_, _, length)) = fits.filter(|_| agrees) else {
        let found = match range {
            Some(range) if fits.is_some() => format!("{range:?} of another version"),
            Some(range) => format!("{:?}", range.chars().take(100).collect::<String>()),
            None => "no range".to_owned(),
        };
        return Err(FileError::Range { expected: resume.synced, found });
    };
    refuse_too_long(length)?;
    Ok(Description { length: Some(length), ..resume })
}

/// The error for a response with an unexpected status.
fn refusal(answer: &Response<Incoming>) -> FileError {
    match answer.status().as_u16() {
        status @ (404 | 410) => FileError::Absent { status },
        status @ (401 | 403) => FileError::Refused { status },
        status => FileError::Status { status, retry_after: retry_after(answer.headers()) },
    }
}

/// What `Retry-After` says, in seconds or as a date; a date that is over is no time.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let left = Timestamp::parse_header(text)?.seconds() - Timestamp::now().seconds();
    Some(Duration::from_secs(u64::try_from(left).unwrap_or(0)))
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
        Some(encoding) if !encoding.eq_ignore_ascii_case(b"identity") => {
            let encoding: String = String::from_utf8_lossy(encoding).chars().take(40).collect();
            Err(FileError::Answer(format!(
                "expected the file as it is, found it encoded as {encoding:?}: use another server"
            )))
        }
        _ => Ok(()),
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

fn refuse_too_long(bytes: u64) -> Result<(), FileError> {
    if bytes <= FILE_BYTES_MAX {
        return Ok(());
    }
    Err(FileError::Answer(format!(
        "expected at most {FILE_BYTES_MAX} bytes, found {bytes}: this is none of the IRS's files"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_patience(stall: u64, pace: u64, expected: &str) {
        let options = Options {
            stall_timeout: Duration::from_secs(stall),
            pace_timeout: Duration::from_secs(pace),
            ..Options::new("")
        };
        let (_, what, _) = ThroughputTimer::new(&options).patience();
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
        let options = Options::new("");
        let mut timer = ThroughputTimer::new(&options);
        let begun = timer.since;
        timer.count(PACE_BYTES_MIN - 1);
        assert_eq!((timer.bytes, timer.since), (PACE_BYTES_MIN - 1, begun));
        timer.count(1);
        assert_eq!(timer.bytes, 0);
        assert!(timer.since > begun);
    }

    #[test]
    fn retry_after_is_read() {
        for (text, expected) in [
            ("120", Some(120)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(0)),
            ("soon", None),
            ("-1", None),
            ("99999999999999999999", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::RETRY_AFTER, text.parse().unwrap());
            assert_eq!(retry_after(&headers).map(|wait| wait.as_secs()), expected, "{text:?}");
        }
    }
}
