//! Places for connections: a bounded number. When none is free, the connection that has kept the
//! server waiting longest gives up its place to a new one.
//!
//! Those that have not asked anything yet and those that have are told apart. Where the first are
//! half of all or more, one of them gives way, else one of the others. So a crowd that never asks
//! gets half of the places from those who ask now and then, and no more; and a crowd that asks and
//! does not take the answers does not drive out who has just come and is about to ask.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::Notify;
use tokio::sync::futures::Notified;

/// The server works on what the client asked.
const WORKING: u64 = u64::MAX;
/// The place was given to another connection.
const OUSTED: u64 = u64::MAX - 1;
/// Added to the time of who has asked something.
const ASKED: u64 = 1 << 62;

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
    /// until it took the answer. Microseconds, and [`ASKED`] for who has asked.
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
            taken.oust(self.max)?;
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
    /// Takes the place of who has kept the server waiting longest, of those who asked or of those
    /// who did not. Looks at all of them, which are few, and only when no place is free.
    fn oust(&mut self, max: usize) -> Option<()> {
        loop {
            let states = self.clients.iter().map(|(&number, client)| {
                let state = client.state.load(Ordering::Acquire);
                (state, number)
            });
            let states: Vec<(u64, u64)> = states.collect();
            let silent = states.iter().filter(|(state, _)| *state < ASKED).count();
            let waiting = states.into_iter().filter(|(state, _)| *state < OUSTED);
            let is_of_few = |state: u64| (state < ASKED) != (2 * silent >= max);
            let (state, number) =
                waiting.min_by_key(|&(state, number)| (is_of_few(state), state, number))?;
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
        let since = self.places.now();
        let wait = |state| (state != OUSTED).then_some(ASKED | since);
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

    /// So many places, all taken in order.
    fn full(max: usize) -> (Arc<Places>, Vec<Place>) {
        let places = Places::new(max);
        let taken = (0..max).map(|_| {
            let (place, found) = places.take().unwrap();
            assert_eq!(found, Found::Free);
            place
        });
        let taken = taken.collect();
        (places, taken)
    }

    /// Lets a client ask something, and waits for it again.
    fn ask(place: &Place) {
        assert!(place.work());
        place.wait();
    }

    /// Which of some were ousted.
    fn ousted(taken: &[Place]) -> Vec<usize> {
        let is_ousted = |at: &usize| {
            let mut context = Context::from_waker(Waker::noop());
            let was_told = pin!(taken[*at].ousted()).poll(&mut context).is_ready();
            let is_ousted = taken[*at].client.state.load(Ordering::Acquire) == OUSTED;
            assert!(!was_told || is_ousted);
            is_ousted
        };
        (0..taken.len()).filter(is_ousted).collect()
    }

    #[test]
    fn who_never_asks_drives_out_his_like() {
        let (places, mut taken) = full(6);
        taken[..2].iter().for_each(ask);
        for _ in 0..3 {
            let (new, found) = places.take().unwrap();
            assert_eq!(found, Found::Taken);
            taken.push(new);
        }
        assert_eq!(ousted(&taken), [2, 3, 4]);
        assert!(!taken[2].work() && taken[0].work());
    }

    #[test]
    fn who_asks_and_waits_drives_out_his_like() {
        let (places, mut taken) = full(6);
        for (at, place) in taken[1..5].iter().enumerate() {
            // The first of them asked last.
            let since = u64::from(at == 0);
            place.client.state.store(ASKED | since, Ordering::Release);
        }
        for _ in 0..3 {
            let (new, found) = places.take().unwrap();
            assert_eq!(found, Found::Taken);
            ask(&new);
            taken.push(new);
        }
        // Not the first, who has not asked yet and has waited longest.
        assert_eq!(ousted(&taken), [2, 3, 4]);
    }

    #[test]
    fn the_silent_get_half_of_the_places_and_no_more() {
        let (places, mut taken) = full(6);
        taken.iter().for_each(ask);
        let come = (0..6).map(|_| places.take().unwrap().0);
        taken.extend(come);
        // Three of those who asked; then the silent among themselves.
        assert_eq!(ousted(&taken), [0, 1, 2, 6, 7, 8]);
    }

    #[test]
    fn the_few_give_way_where_the_server_works_for_all_the_others() {
        let (places, taken) = full(4);
        assert!(taken[..3].iter().all(Place::work));
        let _new = places.take().unwrap();
        assert_eq!(ousted(&taken), [3]);
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
