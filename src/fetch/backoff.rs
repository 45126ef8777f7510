//! How long to wait before a file is tried again.

use std::time::Duration;

use hyper::header::{self, HeaderMap};

use super::error::FileError;
use super::options::Backoff;
use crate::record::Timestamp;

/// Doublings after which any first wait is above any longest: shifting further would overflow.
const DOUBLINGS_MAX: u32 = 20;

/// How long to wait after `failed` attempts in a row, 1 or more.
///
/// # Errors
/// When the server asks for more than is waited.
pub(super) fn wait(
    backoff: &Backoff,
    failed: u32,
    error: &FileError,
) -> Result<Duration, FileError> {
    let doublings = failed.saturating_sub(1).min(DOUBLINGS_MAX);
    let whole = backoff.first.saturating_mul(1 << doublings).min(backoff.longest);
    // Without a source of chance all of it is waited.
    let chance = getrandom::u32().unwrap_or(u32::MAX);
    let own = whole.mul_f64(0.5 + 0.5 * f64::from(chance) / f64::from(u32::MAX));
    match error {
        FileError::Status { status, retry_after: Some(asked) } if *asked > backoff.asked_max => {
            Err(FileError::WaitTooLong {
                status: *status,
                asked: *asked,
                longest: backoff.asked_max,
            })
        }
        FileError::Status { retry_after: Some(asked), .. } => Ok(own.max(*asked)),
        _ => Ok(own),
    }
}

/// What `Retry-After` says, in seconds or as a date; a date that is over is no time.
pub(super) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let left = Timestamp::parse_header(text)?.seconds() - Timestamp::now().seconds();
    Some(Duration::from_secs(u64::try_from(left).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BACKOFF: Backoff = Backoff {
        first: Duration::from_millis(100),
        longest: Duration::from_millis(1_000),
        asked_max: Duration::from_secs(10),
    };

    #[test]
    fn waits_double_up_to_the_longest() {
        for (failed, at_most_ms) in [(1, 100), (2, 200), (4, 800), (5, 1_000), (u32::MAX, 1_000)] {
            let error = FileError::EndUnknown;
            let waited = wait(&BACKOFF, failed, &error).unwrap().as_millis();
            assert!((at_most_ms / 2..=at_most_ms).contains(&waited), "{failed}: {waited}");
        }
    }

    #[test]
    fn servers_are_heeded_within_bounds() {
        for (asked, expected) in [(0, Some(0)), (7, Some(7)), (10, Some(10)), (11, None)] {
            let retry_after = Some(Duration::from_secs(asked));
            let error = FileError::Status { status: 503, retry_after };
            let waited = wait(&BACKOFF, 1, &error).ok().map(|wait| wait.as_secs());
            assert_eq!(waited, expected, "{asked}");
        }
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
