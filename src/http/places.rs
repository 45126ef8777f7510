//! Places for connections: a bounded number. When none is free, the connection that has kept the
//! server waiting longest gives up its place to a new one.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;
use tokio::sync::futures::Notified;

/// The server works on what the client asked.
const WORKING: u64 = u64::MAX;
/// The place was given to another connection.
const OUSTED: u64 = u64::MAX - 1;
/// By how much longer a client may keep the server waiting that has asked something: a crowd that
/// never does does not drive out who asks now and then. Not for long, or a crowd that asked once
/// would drive out who has just come and is about to ask.
const HEAD_START: Duration = Duration::from_secs(1);

/// The places of a server.
#[derive(Debug)]
pub(super) struct Places {
    max: usize,
    began: Instant,
    taken: Mutex<Taken>,
    emptied: Notify,
}

#[derive(Debug, Default)]
struct Taken {
    last: u64,
    clients: HashMap<u64, Arc<Client>>,
}

/// What is known of who holds a place.
#[derive(Debug)]
struct Client {
    /// [`WORKING`], [`OUSTED`], or since when the server waits for the client: for a request, or
    /// until it took the answer. Microseconds, and [`HEAD_START`] for who has asked.
    state: AtomicU64,
    ousted: Notify,
}

/// A place, free again when dropped.
#[derive(Debug)]
pub(super) struct Place {
    places: Arc<Places>,
    number: u64,
    client: Arc<Client>,
}

/// How a place was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    Free,
    /// Another connection was ousted.
    Taken,
}

impl Places {
    pub(super) fn new(max: usize) -> Arc<Self> {
        let (taken, emptied) = (Mutex::default(), Notify::new());
        Arc::new(Self { max, began: Instant::now(), taken, emptied })
    }

    /// A place for a connection that waits for its client; none when the server works on what
    /// every one of the others asked.
    pub(super) fn take(self: &Arc<Self>) -> Option<(Place, Found)> {
        let mut taken = self.lock();
        let found = if taken.clients.len() < self.max {
            Found::Free
        } else {
            taken.oust()?;
            Found::Taken
        };
        taken.last += 1;
        let (state, ousted) = (AtomicU64::new(self.now()), Notify::new());
        let client = Arc::new(Client { state, ousted });
        let number = taken.last;
        taken.clients.insert(number, client.clone());
        drop(taken);
        Some((Place { places: self.clone(), number, client }, found))
    }

    /// Waits until all places are free.
    pub(super) async fn emptied(&self) {
        loop {
            // Listens before it looks, so that no change between is missed.
            let emptied = self.emptied.notified();
            if self.lock().clients.is_empty() {
                return;
            }
            emptied.await;
        }
    }

    /// Microseconds since the server began.
    fn now(&self) -> u64 {
        self.began.elapsed().as_micros() as u64
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Taken {
    /// Takes the place of who has kept the server waiting longest. Looks at all of them, which are
    /// few, and only when no place is free.
    fn oust(&mut self) -> Option<()> {
        loop {
            let waiting = |(&number, client): (&u64, &Arc<Client>)| {
                let state = client.state.load(Ordering::Acquire);
                (state < OUSTED).then_some((state, number))
            };
            let (state, number) = self.clients.iter().filter_map(waiting).min()?;
            let client = &self.clients[&number];
            let ousted =
                client.state.compare_exchange(state, OUSTED, Ordering::AcqRel, Ordering::Acquire);
            // Else its request came at this moment.
            if ousted.is_ok() {
                client.ousted.notify_one();
                self.clients.remove(&number);
                return Some(());
            }
        }
    }
}

impl Place {
    /// The client asked something; false when its place was given away just before.
    pub(super) fn work(&self) -> bool {
        let work = |state| (state != OUSTED).then_some(WORKING);
        self.client.state.fetch_update(Ordering::AcqRel, Ordering::Acquire, work).is_ok()
    }

    /// It is the client's turn: to take the answer, to send the rest, to ask again.
    pub(super) fn wait(&self) {
        let since = self.places.now() + HEAD_START.as_micros() as u64;
        let wait = |state| (state != OUSTED).then_some(since);
        // Else the connection ends anyway.
        let _ = self.client.state.fetch_update(Ordering::AcqRel, Ordering::Acquire, wait);
    }

    /// Done when the place was given away.
    pub(super) fn ousted(&self) -> Notified<'_> {
        self.client.ousted.notified()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.lock();
        taken.clients.remove(&self.number);
        if taken.clients.is_empty() {
            self.places.emptied.notify_waiters();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Waker};

    use super::*;

    /// So many places, all taken in order, at different times.
    fn full(max: usize) -> (Arc<Places>, Vec<Place>) {
        let places = Places::new(max);
        let taken = (0..max).map(|_| {
            std::thread::sleep(Duration::from_micros(10));
            let (place, found) = places.take().unwrap();
            assert_eq!(found, Found::Free);
            place
        });
        let taken = taken.collect();
        (places, taken)
    }

    fn is_ousted(place: &Place) -> bool {
        let mut context = Context::from_waker(Waker::noop());
        let was_told = pin!(place.ousted()).poll(&mut context).is_ready();
        let is_ousted = !place.work();
        assert_eq!(was_told, is_ousted);
        if !is_ousted {
            place.wait();
        }
        is_ousted
    }

    #[test]
    fn who_never_asked_and_waits_longest_gives_up_the_place() {
        let (places, taken) = full(3);
        assert!(taken[0].work());
        taken[0].wait();
        let (new, found) = places.take().unwrap();
        assert_eq!(found, Found::Taken);
        let ousted: Vec<bool> = taken.iter().map(is_ousted).collect();
        assert_eq!(ousted, [false, true, false]);
        assert!(!is_ousted(&new));
        // All have asked now: the longest ago, which was the first of the list above.
        let newer = places.take().unwrap();
        assert!(is_ousted(&taken[0]) && !is_ousted(&taken[2]) && !is_ousted(&new));
        // Who asked longer ago than the head start does not outlast who has just come.
        new.client.state.store(0, Ordering::Release);
        let _newest = places.take().unwrap();
        assert!(is_ousted(&new) && !is_ousted(&newer.0));
    }

    #[test]
    fn none_is_taken_from_whom_the_server_works_for() {
        let (places, mut taken) = full(2);
        assert!(taken.iter().all(Place::work));
        assert!(places.take().is_none());
        taken.pop();
        assert_eq!(places.take().map(|(_, found)| found), Some(Found::Free));
    }

    #[test]
    fn the_end_waits_for_all_but_the_ousted() {
        let (places, mut taken) = full(2);
        let mut context = Context::from_waker(Waker::noop());
        let mut emptied = pin!(places.emptied());
        assert!(emptied.as_mut().poll(&mut context).is_pending());
        let newer = places.take().unwrap();
        drop(taken.pop());
        assert!(emptied.as_mut().poll(&mut context).is_pending());
        drop(newer);
        assert!(emptied.as_mut().poll(&mut context).is_ready());
    }
}
