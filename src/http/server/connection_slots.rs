//! A bounded number of slots for connections. When all are taken, the connection that has kept the
//! server waiting longest gives up its slot to a new one.
//!
//! Connections that have asked nothing yet and those that have are counted separately. Where the
//! first are half of all or more, one of them gives way, else one of the others. So a crowd that
//! never asks gets half of the slots from those who ask now and then, and no more; and a crowd that
//! asks and does not take the answers does not drive out a newcomer about to ask.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::Notify;
use tokio::sync::futures::Notified;

use super::access::Peer;

/// The server works on what the client asked.
const WORKING: u64 = u64::MAX;
/// The slot was given to another connection.
const EVICTED: u64 = u64::MAX - 1;
/// Added to the time of who has asked something.
const ASKED: u64 = 1 << 62;

/// The slots of a server.
#[derive(Debug)]
pub(crate) struct ConnectionSlots {
    max: usize,
    began: Instant,
    taken: Mutex<Occupied>,
    emptied: Notify,
}

#[derive(Debug, Default)]
struct Occupied {
    last: u64,
    clients: HashMap<u64, Arc<Client>>,
}

/// What is known of who holds a slot.
#[derive(Debug)]
struct Client {
    peer: Peer,
    /// [`WORKING`], [`EVICTED`], or since when the server waits for the client: for a request, or
    /// until it took the answer. Microseconds, and [`ASKED`] for who has asked.
    state: AtomicU64,
    evicted: Notify,
}

/// A slot, free again when dropped.
#[derive(Debug)]
pub(crate) struct Slot {
    slots: Arc<ConnectionSlots>,
    number: u64,
    client: Arc<Client>,
}

/// How a slot was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Admission {
    Free,
    /// The connection of this peer was evicted.
    Evicted(Peer),
}

impl ConnectionSlots {
    pub(crate) fn new(max: usize) -> Arc<Self> {
        let (taken, emptied) = (Mutex::default(), Notify::new());
        Arc::new(Self { max, began: Instant::now(), taken, emptied })
    }

    /// A slot for a connection that waits for its client; none when the server works on what
    /// every one of the others asked.
    pub(crate) fn take(self: &Arc<Self>, peer: Peer) -> Option<(Slot, Admission)> {
        let mut taken = self.lock();
        let found = if taken.clients.len() < self.max {
            Admission::Free
        } else {
            Admission::Evicted(taken.evict(self.max)?)
        };
        taken.last += 1;
        let (state, evicted) = (AtomicU64::new(self.now()), Notify::new());
        let client = Arc::new(Client { peer, state, evicted });
        let number = taken.last;
        taken.clients.insert(number, client.clone());
        drop(taken);
        Some((Slot { slots: self.clone(), number, client }, found))
    }

    /// Evicts the one that would give way to the next, and returns its peer; `None` where the server works for all of them.
    pub(crate) fn give_way(&self) -> Option<Peer> {
        self.lock().evict(self.max)
    }

    /// Waits until all slots are free.
    pub(crate) async fn emptied(&self) {
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

    fn lock(&self) -> MutexGuard<'_, Occupied> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Occupied {
    /// Takes the slot of who has kept the server waiting longest, of those who asked or of those
    /// who did not. Looks at all of them, which are few, and only when no slot is free.
    fn evict(&mut self, max: usize) -> Option<Peer> {
        loop {
            let states = self.clients.iter().map(|(&number, client)| {
                let state = client.state.load(Ordering::Acquire);
                (state, number)
            });
            let states: Vec<(u64, u64)> = states.collect();
            let silent = states.iter().filter(|(state, _)| *state < ASKED).count();
            let waiting = states.into_iter().filter(|(state, _)| *state < EVICTED);
            let is_of_few = |state: u64| (state < ASKED) != (2 * silent >= max);
            let (state, number) =
                waiting.min_by_key(|&(state, number)| (is_of_few(state), state, number))?;
            let client = &self.clients[&number];
            let evicted =
                client.state.compare_exchange(state, EVICTED, Ordering::AcqRel, Ordering::Acquire);
            // Else its request came at this moment.
            if evicted.is_ok() {
                client.evicted.notify_one();
                return self.clients.remove(&number).map(|client| client.peer);
            }
        }
    }
}

impl Slot {
    /// The client asked something; false when its slot was given away just before.
    pub(crate) fn work(&self) -> bool {
        let work = |state| (state != EVICTED).then_some(WORKING);
        self.client.state.fetch_update(Ordering::AcqRel, Ordering::Acquire, work).is_ok()
    }

    /// It is the client's turn: to take the answer, to send the rest, to ask again.
    pub(crate) fn wait(&self) {
        let since = self.slots.now();
        let wait = |state| (state != EVICTED).then_some(ASKED | since);
        // Else the connection ends anyway.
        let _ = self.client.state.fetch_update(Ordering::AcqRel, Ordering::Acquire, wait);
    }

    /// Done when the slot was given away.
    pub(crate) fn evicted(&self) -> Notified<'_> {
        self.client.evicted.notified()
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut taken = self.slots.lock();
        taken.clients.remove(&self.number);
        if taken.clients.is_empty() {
            self.slots.emptied.notify_waiters();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Waker};

    use super::*;

    /// A set of `max` slots, all taken in order.
    fn full(max: usize) -> (Arc<ConnectionSlots>, Vec<Slot>) {
        let slots = ConnectionSlots::new(max);
        let taken = (0..max).map(|_| {
            let (slot, found) = slots.take(Peer(None)).unwrap();
            assert_eq!(found, Admission::Free);
            slot
        });
        let taken = taken.collect();
        (slots, taken)
    }

    /// Lets a client ask something, and waits for it again.
    fn ask(slot: &Slot) {
        assert!(slot.work());
        slot.wait();
    }

    /// Which of some were evicted.
    fn evicted(taken: &[Slot]) -> Vec<usize> {
        let is_evicted = |at: &usize| {
            let mut context = Context::from_waker(Waker::noop());
            let was_told = pin!(taken[*at].evicted()).poll(&mut context).is_ready();
            let is_evicted = taken[*at].client.state.load(Ordering::Acquire) == EVICTED;
            assert!(!was_told || is_evicted);
            is_evicted
        };
        (0..taken.len()).filter(is_evicted).collect()
    }

    #[test]
    fn who_never_asks_drives_out_his_like() {
        let (slots, mut taken) = full(6);
        taken[..2].iter().for_each(ask);
        for _ in 0..3 {
            let (new, found) = slots.take(Peer(None)).unwrap();
            assert_eq!(found, Admission::Evicted(Peer(None)));
            taken.push(new);
        }
        assert_eq!(evicted(&taken), [2, 3, 4]);
        assert!(!taken[2].work() && taken[0].work());
    }

    #[test]
    fn who_asks_and_waits_drives_out_his_like() {
        let (slots, mut taken) = full(6);
        for (at, slot) in taken[1..5].iter().enumerate() {
            // The first of them asked last.
            let since = u64::from(at == 0);
            slot.client.state.store(ASKED | since, Ordering::Release);
        }
        for _ in 0..3 {
            let (new, found) = slots.take(Peer(None)).unwrap();
            assert_eq!(found, Admission::Evicted(Peer(None)));
            ask(&new);
            taken.push(new);
        }
        // Not the first, who has not asked yet and has waited longest.
        assert_eq!(evicted(&taken), [2, 3, 4]);
    }

    #[test]
    fn the_silent_get_half_of_the_slots_and_no_more() {
        let (slots, mut taken) = full(6);
        taken.iter().for_each(ask);
        let come = (0..6).map(|_| slots.take(Peer(None)).unwrap().0);
        taken.extend(come);
        // Three of those who asked; then the silent among themselves.
        assert_eq!(evicted(&taken), [0, 1, 2, 6, 7, 8]);
    }

    #[test]
    fn the_few_give_way_where_the_server_works_for_all_the_others() {
        let (slots, taken) = full(4);
        assert!(taken[..3].iter().all(Slot::work));
        let _new = slots.take(Peer(None)).unwrap();
        assert_eq!(evicted(&taken), [3]);
    }

    #[test]
    fn none_is_taken_from_whom_the_server_works_for() {
        let (slots, mut taken) = full(2);
        assert!(taken.iter().all(Slot::work));
        assert!(slots.take(Peer(None)).is_none());
        taken.pop();
        assert_eq!(slots.take(Peer(None)).map(|(_, found)| found), Some(Admission::Free));
    }

    #[test]
    fn the_end_waits_for_all_but_the_evicted() {
        let (slots, mut taken) = full(2);
        let mut context = Context::from_waker(Waker::noop());
        let mut emptied = pin!(slots.emptied());
        assert!(emptied.as_mut().poll(&mut context).is_pending());
        let newer = slots.take(Peer(None)).unwrap();
        drop(taken.pop());
        assert!(emptied.as_mut().poll(&mut context).is_pending());
        drop(newer);
        assert!(emptied.as_mut().poll(&mut context).is_ready());
    }
}
