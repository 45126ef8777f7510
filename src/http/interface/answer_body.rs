//! The body of an answer: whole, or in parts that are sent as they are made.
//!
//! Who makes parts waits while a few of them are not taken: a client that reads slowly slows the work for it, and one that
//! goes away ends it. A body of parts that broke off ends in an error, so that nobody takes it for a whole one.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use http_body_util::Full;
use hyper::body::{Body, Bytes, Frame, SizeHint};
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Parts that wait to be taken.
const PARTS_WAITING: usize = 4;

/// A part of a body; `None` behind the last.
type Part = io::Result<Option<Bytes>>;

/// The body of an answer.
#[derive(Debug)]
pub enum AnswerBody {
    /// All of it.
    Whole(Full<Bytes>),
    /// In parts.
    Parts(Parts),
}

/// The parts to come of a body.
#[derive(Debug)]
pub struct Parts {
    /// `None` when there is nothing to come.
    coming: Option<Receiver<Part>>,
}

/// Makes the parts of a body.
#[derive(Debug, Clone)]
pub(crate) struct PartSender(Sender<Part>);

/// Nobody takes the parts any more.
#[derive(Debug)]
pub(crate) struct Unwanted;

/// A body of parts, and what makes them.
pub(crate) fn parts() -> (PartSender, AnswerBody) {
    let (sender, receiver) = channel(PARTS_WAITING);
    (PartSender(sender), AnswerBody::Parts(Parts { coming: Some(receiver) }))
}

impl PartSender {
    /// Adds a part, once there is room for it. Blocks, so it is for a thread of its own.
    pub(crate) fn send(&self, part: Bytes) -> Result<(), Unwanted> {
        self.0.blocking_send(Ok(Some(part))).map_err(|_| Unwanted)
    }

    /// Says that all parts were sent, or why no more will come.
    pub(crate) fn end(&self, ended: io::Result<()>) {
        // Nobody hears it who has gone.
        let _ = self.0.blocking_send(ended.map(|()| None));
    }

    /// Whether somebody still takes parts.
    pub(crate) fn is_wanted(&self) -> bool {
        !self.0.is_closed()
    }
}

impl AnswerBody {
    /// A body of unknown length that is not sent, as to a HEAD.
    pub(crate) fn unsent() -> Self {
        Self::Parts(Parts { coming: None })
    }
}

impl Default for AnswerBody {
    fn default() -> Self {
        Self::Whole(Full::default())
    }
}

impl From<Full<Bytes>> for AnswerBody {
    fn from(whole: Full<Bytes>) -> Self {
        Self::Whole(whole)
    }
}

impl Body for AnswerBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        match self.get_mut() {
            Self::Whole(whole) => {
                Pin::new(whole).poll_frame(context).map_err(|never| match never {})
            }
            Self::Parts(parts) => parts.poll(context),
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Self::Whole(whole) => whole.is_end_stream(),
            Self::Parts(parts) => parts.coming.is_none(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Whole(whole) => whole.size_hint(),
            Self::Parts(_) => SizeHint::default(),
        }
    }
}

impl AnswerBody {
    /// The next part, waited for on this thread; `None` behind the last.
    pub(crate) fn wait(&mut self) -> Option<io::Result<Bytes>> {
        match self {
            Self::Whole(whole) => std::mem::take(whole).into_inner().map(Ok),
            Self::Parts(parts) => {
                let part = parts.coming.as_mut()?.blocking_recv();
                parts.received(part)
            }
        }
    }
}

impl Parts {
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let Some(coming) = &mut self.coming else { return Poll::Ready(None) };
        coming.poll_recv(context).map(|part| Some(self.received(part)?.map(Frame::data)))
    }

    /// What came, or broke off, for whoever takes the parts.
    fn received(&mut self, part: Option<Part>) -> Option<io::Result<Bytes>> {
        let last = match part {
            Some(Ok(Some(bytes))) => return Some(Ok(bytes)),
            Some(Ok(None)) => None,
            Some(Err(error)) => Some(Err(error)),
            None => Some(Err(io::Error::other("the answer broke off"))),
        };
        self.coming = None;
        last
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt as _;

    use super::*;

    fn collected(body: AnswerBody) -> io::Result<Bytes> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(body.collect()).map(|whole| whole.to_bytes())
    }

    #[test]
    fn a_body_is_whole_only_if_that_was_said() {
        let send = |sender: &PartSender| sender.send(Bytes::from_static(b"ab")).unwrap();
        let (sender, body) = parts();
        send(&sender);
        sender.end(Ok(()));
        assert_eq!(collected(body).unwrap(), "ab");
        let (sender, body) = parts();
        send(&sender);
        sender.end(Err(io::Error::other("a reason")));
        assert_eq!(collected(body).unwrap_err().to_string(), "a reason");
        let (sender, body) = parts();
        send(&sender);
        drop(sender);
        assert!(collected(body).is_err());
        assert_eq!(collected(AnswerBody::from(Full::from("abc"))).unwrap(), "abc");
    }

    #[test]
    fn parts_can_be_waited_for() {
        let (sender, mut body) = parts();
        let maker = std::thread::spawn(move || {
            sender.send(Bytes::from_static(b"ab")).unwrap();
            sender.end(Ok(()));
        });
        assert_eq!(body.wait().unwrap().unwrap(), "ab");
        assert!(body.wait().is_none() && body.wait().is_none());
        maker.join().unwrap();
        let mut whole = AnswerBody::from(Full::from("abc"));
        assert_eq!(whole.wait().unwrap().unwrap(), "abc");
        assert!(whole.wait().is_none());
    }

    #[test]
    fn who_makes_parts_waits_until_they_are_taken_or_nobody_takes_them() {
        let (sender, body) = parts();
        let maker = std::thread::spawn(move || {
            let mut sent = 0;
            while sender.send(Bytes::from_static(b"part")).is_ok() {
                sent += 1;
            }
            assert!(!sender.is_wanted());
            sent
        });
        drop(body);
        assert!(maker.join().unwrap() <= PARTS_WAITING);
    }
}
