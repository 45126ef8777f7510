//! Bodies of requests while they are read and worked on: how much memory all of them take, and at what pace they come.
//!
//! What a client sends slowly takes no more than it has sent. One that stalls is not waited for to the deadline.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http_body_util::BodyExt as _;
use hyper::body::{Body as _, Bytes, Incoming};
use tokio::time::{Instant, timeout_at};

use crate::http::interface::api_error::{ApiError, Refusal};

/// Bytes of bodies that are held at once, from their first to the answer.
pub const BODIES_BYTES_MAX: usize = 64 << 20;
/// Of those, how many may be of one client.
pub const BODIES_OF_CLIENT_BYTES_MAX: usize = BODIES_BYTES_MAX / 4;
/// How long a client may take for a part of a body.
pub const PACE_TIME: Duration = Duration::from_secs(2);
/// Bytes of such a part: half a kilobyte a second at the least.
const PACE_BYTES: usize = 1024;

/// The bodies that a server holds.
#[derive(Debug, Default)]
pub(crate) struct Bodies {
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    all: usize,
    by_client: HashMap<Arc<str>, usize>,
}

/// What is held of a body; until this is dropped.
#[derive(Debug)]
pub(crate) struct HeldBody {
    bodies: Arc<Bodies>,
    client: Arc<str>,
    bytes: usize,
}

impl Bodies {
    /// A body of a client, of which nothing has come.
    pub(crate) fn of(self: &Arc<Self>, client: &Arc<str>) -> HeldBody {
        HeldBody { bodies: self.clone(), client: client.clone(), bytes: 0 }
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HeldBody {
    /// Reads a body of at most the given length.
    ///
    /// # Errors
    /// If the body is longer, breaks off or stalls, or if there is no memory for it.
    pub(crate) async fn receive(
        &mut self,
        mut body: Incoming,
        most: usize,
    ) -> Result<Bytes, ApiError> {
        if body.size_hint().lower() > most as u64 {
            return Err(ApiError::LongBody);
        }
        let mut received = Vec::new();
        let mut part = Part::begins(0);
        while let Some(frame) = timeout_at(part.end, body.frame()).await.transpose() {
            let frame = frame.map_err(|_| ApiError::LateBody)?;
            let Ok(bytes) = frame.map_err(|_| ApiError::BrokenBody)?.into_data() else { continue };
            if received.len() + bytes.len() > most {
                return Err(ApiError::LongBody);
            }
            self.hold(bytes.len())?;
            received.extend_from_slice(&bytes);
            if received.len() >= part.bytes {
                part = Part::begins(received.len());
            }
        }
        Ok(received.into())
    }

    fn hold(&mut self, bytes: usize) -> Result<(), ApiError> {
        let mut held = self.bodies.lock();
        let own = held.by_client.get(&self.client).copied().unwrap_or(0);
        if held.all + bytes > BODIES_BYTES_MAX || own + bytes > BODIES_OF_CLIENT_BYTES_MAX {
            return Err(ApiError::Overloaded(Refusal::Permits));
        }
        held.all += bytes;
        held.by_client.insert(self.client.clone(), own + bytes);
        self.bytes += bytes;
        Ok(())
    }
}

/// What has to come in time.
struct Part {
    /// Bytes of the body up to its end.
    bytes: usize,
    end: Instant,
}

impl Part {
    fn begins(at: usize) -> Self {
        Self { bytes: at + PACE_BYTES, end: Instant::now() + PACE_TIME }
    }
}

impl Drop for HeldBody {
    fn drop(&mut self) {
        if self.bytes == 0 {
            return;
        }
        let mut held = self.bodies.lock();
        held.all -= self.bytes;
        let left = held.by_client.get(&self.client).map_or(0, |own| own - self.bytes);
        if left == 0 {
            held.by_client.remove(&self.client);
        } else {
            held.by_client.insert(self.client.clone(), left);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_bounded_and_shared() {
        let bodies = Arc::<Bodies>::default();
        let of = |client: &str| bodies.of(&client.into());
        let mut one = of("one");
        assert!(one.hold(BODIES_OF_CLIENT_BYTES_MAX).is_ok());
        assert!(matches!(one.hold(1), Err(ApiError::Overloaded(Refusal::Permits))));
        assert!(matches!(of("one").hold(1), Err(ApiError::Overloaded(Refusal::Permits))));
        let mut others = ["a", "b", "c"].map(of);
        for other in &mut others {
            assert!(other.hold(BODIES_OF_CLIENT_BYTES_MAX).is_ok());
        }
        assert!(matches!(of("d").hold(1), Err(ApiError::Overloaded(Refusal::Permits))));
        drop(one);
        assert!(of("d").hold(1).is_ok());
        drop(others);
        let held = bodies.lock();
        assert_eq!((held.all, held.by_client.len()), (0, 0));
    }
}
