//! The bytes of a return, counted: lines for messages, and limits on the whole and on one token.
//!
//! A limit looks like the end of the input to the XML reader, which then stops; who called it asks
//! [`Source::exceeded`] for the true cause.

use std::io::{self, BufRead, Read};

/// The most bytes of a return: the largest ever published are a tenth of this.
const RETURN_BYTES_MAX: u64 = 512 << 20;

/// The most bytes of one tag, text or comment, which the XML reader holds at once. Schedules hold
/// texts of some hundred KiB at most.
const TOKEN_BYTES_MAX: u64 = 8 << 20;

/// An input that counts what is taken from it.
pub(super) struct Source<R> {
    input: R,
    newlines: u64,
    left: u64,
    token_left: u64,
    exceeded: Option<&'static str>,
}

impl<R: BufRead> Source<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input,
            newlines: 0,
            left: RETURN_BYTES_MAX,
            token_left: TOKEN_BYTES_MAX,
            exceeded: None,
        }
    }

    /// To be called before each token is read.
    pub(super) fn begin_token(&mut self) {
        self.token_left = TOKEN_BYTES_MAX;
    }

    /// The line that was reached, from 1.
    pub(super) fn line(&self) -> u64 {
        self.newlines + 1
    }

    /// What would have been within the limit, if one was reached.
    pub(super) fn exceeded(&self) -> Option<&'static str> {
        self.exceeded
    }
}

impl<R: BufRead> Read for Source<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let count = available.len().min(into.len());
        into[..count].copy_from_slice(&available[..count]);
        self.consume(count);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Source<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let available = self.input.fill_buf()?;
        let left = self.left.min(self.token_left);
        if left == 0 && !available.is_empty() {
            self.exceeded = Some(match self.left {
                0 => "a return of at most 512 MiB",
                _ => "a tag, text or comment of at most 8 MiB",
            });
        }
        let count = usize::try_from(left).map_or(available.len(), |left| left.min(available.len()));
        Ok(&available[..count])
    }

    fn consume(&mut self, count: usize) {
        // What was filled stays filled until it is consumed: this is no second read.
        if let Ok(available) = self.input.fill_buf() {
            let taken = &available[..count.min(available.len())];
            self.newlines += memchr::memchr_iter(b'\n', taken).count() as u64;
        }
        self.left = self.left.saturating_sub(count as u64);
        self.token_left = self.token_left.saturating_sub(count as u64);
        self.input.consume(count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_limits() {
        let mut source = Source::new(&b"one\r\ntwo\nthree"[..]);
        source.consume(6);
        assert_eq!(source.line(), 2);
        source.token_left = 2;
        assert_eq!(source.fill_buf().unwrap(), b"wo");
        source.consume(2);
        assert_eq!(source.fill_buf().unwrap(), b"");
        assert!(source.exceeded().is_some());
        source.begin_token();
        source.left = 6;
        let mut rest = String::new();
        source.read_to_string(&mut rest).unwrap();
        assert_eq!((rest.as_str(), source.line()), ("\nthree", 3));

        let mut whole = Source::new(&b"12"[..]);
        whole.left = 2;
        whole.consume(2);
        assert_eq!(whole.fill_buf().unwrap(), b"");
        assert_eq!(whole.exceeded(), None);
        let mut over = Source::new(&b"123"[..]);
        over.left = 2;
        over.consume(2);
        assert_eq!(over.fill_buf().unwrap(), b"");
        assert_eq!(over.exceeded(), Some("a return of at most 512 MiB"));
    }
}
