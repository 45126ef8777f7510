//! What sessions remember between their queries.
//!
//! In memory only; bounded in number, bytes and age. Where there are too many, those go first whose key or
//! address has more than its share. A session belongs to the key that asked: who knows another's session
//! identifier, but not its key, finds nothing.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::conversation::Conversation;

/// Sessions kept. Beyond, the oldest goes first, of those who have more than their share where there are any.
pub const SESSIONS_MAX: usize = 20_000;
/// Bytes that they may hold together, by estimate.
pub const SESSION_BYTES_MAX: usize = 32 << 20;
/// The share of one key, or of one address without a key, in the number and the bytes: the whole divided by this.
const CLIENTS_AT_SHARE: usize = 8;
/// How long a session is kept after its last query.
pub const SESSION_AGE_MAX: Duration = Duration::from_secs(30 * 60);

/// Bytes that keeping a session costs beside what it remembers: entries of a map and of a tree, and
/// what allocating takes, by estimate.
const OVERHEAD: usize = 256;

/// Whose a session is: the key's identifier, and the session's.
type Owner = (Option<Arc<str>>, u128);

/// Who asks.
#[derive(Debug, Clone, Copy)]
pub struct Asker<'a> {
    /// The identifier of the key, to which sessions belong.
    pub key: Option<&'a Arc<str>>,
    /// The key or the address whose share is used.
    pub client: &'a Arc<str>,
}

#[derive(Debug)]
struct Entry {
    conversation: Conversation,
    client: Arc<str>,
    bytes: usize,
    /// Its place in the order of use.
    turn: u64,
    used: Instant,
}

/// Sessions in the order of their last use, and what they take.
#[derive(Debug, Default)]
struct Turns {
    owners: BTreeMap<u64, Owner>,
    bytes: usize,
}

#[derive(Debug, Default)]
struct SessionTable {
    entries: HashMap<Owner, Entry>,
    all: Turns,
    by_client: HashMap<Arc<str>, Turns>,
    /// Clients with more than their share: fewer than twice [`CLIENTS_AT_SHARE`].
    beyond_share: HashSet<Arc<str>>,
    next_turn: u64,
}

/// The sessions of a service.
#[derive(Debug, Default)]
pub struct Sessions {
    table: Mutex<SessionTable>,
}

impl Sessions {
    /// What the session remembers; `None` when it is unknown or too old.
    pub fn get(&self, asker: Asker<'_>, session: u128, now: Instant) -> Option<Conversation> {
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        table.forget_old(now);
        let owner = (asker.key.cloned(), session);
        table.entries.get(&owner).map(|entry| entry.conversation.clone())
    }

    /// Keeps what the session remembers now; nothing is kept of one that remembers nothing.
    pub fn put(&self, asker: Asker<'_>, session: u128, conversation: &Conversation, now: Instant) {
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        table.forget_old(now);
        let owner = (asker.key.cloned(), session);
        table.forget(&owner);
        if *conversation == Conversation::default() {
            return;
        }
        let (client, turn) = (asker.client.clone(), table.next_turn);
        let bytes = OVERHEAD + conversation.bytes();
        table.next_turn += 1;
        let conversation = conversation.clone();
        table.add(owner, Entry { conversation, client, bytes, turn, used: now });
        while table.all.are_more_than(1) {
            table.forget_first();
        }
    }

    /// How many sessions are kept, and about how many bytes they hold.
    pub fn size(&self) -> (usize, usize) {
        let table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        (table.entries.len(), table.all.bytes)
    }
}

impl Turns {
    /// Whether they exceed the `parts`-th part of what may be kept.
    fn are_more_than(&self, parts: usize) -> bool {
        self.owners.len() > SESSIONS_MAX / parts || self.bytes > SESSION_BYTES_MAX / parts
    }
}

impl SessionTable {
    fn add(&mut self, owner: Owner, entry: Entry) {
        let own = self.by_client.entry(entry.client.clone()).or_default();
        for turns in [&mut self.all, own] {
            turns.owners.insert(entry.turn, owner.clone());
            turns.bytes += entry.bytes;
        }
        self.weigh(&entry.client);
        self.entries.insert(owner, entry);
    }

    fn forget(&mut self, owner: &Owner) {
        let Some(entry) = self.entries.remove(owner) else { return };
        let own = self.by_client.entry(entry.client.clone()).or_default();
        for turns in [&mut self.all, own] {
            turns.owners.remove(&entry.turn);
            turns.bytes -= entry.bytes;
        }
        self.weigh(&entry.client);
    }

    /// Notes whether a client has more than its share, or nothing.
    fn weigh(&mut self, client: &Arc<str>) {
        let Some(own) = self.by_client.get(client) else { return };
        if own.are_more_than(CLIENTS_AT_SHARE) {
            self.beyond_share.insert(client.clone());
        } else {
            self.beyond_share.remove(client);
        }
        if own.owners.is_empty() {
            self.by_client.remove(client);
        }
    }

    fn forget_first(&mut self) {
        let beyond = self.beyond_share.iter().filter_map(|client| self.by_client.get(client));
        let oldest = beyond.filter_map(|own| own.owners.first_key_value()).min();
        let first = oldest.or_else(|| self.all.owners.first_key_value());
        if let Some(owner) = first.map(|(_, owner)| owner.clone()) {
            self.forget(&owner);
        }
    }

    fn forget_old(&mut self, now: Instant) {
        while let Some(owner) = self.all.owners.first_key_value().map(|(_, owner)| owner.clone())
            && self
                .entries
                .get(&owner)
                .is_some_and(|entry| now.duration_since(entry.used) > SESSION_AGE_MAX)
        {
            self.forget(&owner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::understand::Frame;

    fn asked(cause: &str) -> Conversation {
        let frame = Frame { cause: Some(cause.to_owned()), ..Frame::default() };
        Conversation { frame, ..Conversation::default() }
    }

    /// One who asks with a key of this name, or from this address.
    fn asks<T>(key: bool, client: &str, ask: impl FnOnce(Asker<'_>) -> T) -> T {
        let client = Arc::from(client);
        ask(Asker { key: key.then_some(&client), client: &client })
    }

    impl Sessions {
        fn of(&self, key: bool, client: &str, session: u128, now: Instant) -> Option<Conversation> {
            asks(key, client, |asker| self.get(asker, session, now))
        }

        fn keep(&self, client: &str, session: u128, conversation: &Conversation, now: Instant) {
            asks(true, client, |asker| self.put(asker, session, conversation, now));
        }
    }

    #[test]
    fn a_session_belongs_to_its_key() {
        let (sessions, now) = (Sessions::default(), Instant::now());
        sessions.keep("one", 7, &asked("food"), now);
        assert_eq!(sessions.of(true, "one", 7, now), Some(asked("food")));
        for (key, client, session) in [(true, "two", 7), (false, "one", 7), (true, "one", 8)] {
            assert_eq!(sessions.of(key, client, session, now), None);
        }
        sessions.keep("one", 7, &Conversation::default(), now);
        assert_eq!(sessions.size(), (0, 0));
        assert!(sessions.table.lock().unwrap().by_client.is_empty());
    }

    #[test]
    fn old_sessions_are_forgotten() {
        let (sessions, now) = (Sessions::default(), Instant::now());
        sessions.keep("one", 1, &asked("food"), now);
        let later = now + SESSION_AGE_MAX;
        sessions.keep("one", 2, &asked("art"), later);
        assert!(sessions.of(true, "one", 1, later).is_some());
        let last = later + Duration::from_secs(1);
        assert_eq!(sessions.of(true, "one", 1, last), None);
        assert!(sessions.of(true, "one", 2, last).is_some());
    }

    #[test]
    fn number_and_bytes_are_bounded_and_the_oldest_go_first() {
        let (sessions, now) = (Sessions::default(), Instant::now());
        let client = |session: u128| format!("client {}", session % 20);
        let count = SESSIONS_MAX as u128 + 10;
        for session in 0..count {
            sessions.keep(&client(session), session, &asked("food"), now);
        }
        assert_eq!(sessions.size().0, SESSIONS_MAX);
        assert_eq!(sessions.of(true, &client(9), 9, now), None);
        assert!(sessions.of(true, &client(10), 10, now).is_some());
        let long = asked(&"x".repeat(1 << 20));
        for session in 0..100 {
            sessions.keep(&client(session), count + session, &long, now);
        }
        let (left, bytes) = sessions.size();
        assert!(left < 33 && bytes <= SESSION_BYTES_MAX, "{left} {bytes}");
    }

    #[test]
    fn who_begins_many_sessions_loses_their_own() {
        let (sessions, now) = (Sessions::default(), Instant::now());
        sessions.keep("quiet", 1, &asked("food"), now);
        for session in 0..2 * SESSIONS_MAX as u128 {
            sessions.keep("busy", session, &asked("art"), now);
        }
        // Of what nobody else needs one may have all.
        assert_eq!(sessions.size().0, SESSIONS_MAX);
        assert!(sessions.of(true, "quiet", 1, now).is_some());
        let long = asked(&"x".repeat(1 << 20));
        (0..100).for_each(|session| sessions.keep("busy", session, &long, now));
        assert!(sessions.of(true, "quiet", 1, now).is_some());
        for session in 0..SESSIONS_MAX as u128 {
            let one = Conversation::default();
            sessions.keep("busy", session, &one, now);
        }
        (0..100).for_each(|session| sessions.keep("busy", session, &Conversation::default(), now));
        let table = sessions.table.lock().unwrap();
        assert_eq!(
            (table.entries.len(), table.by_client.len(), table.beyond_share.len()),
            (1, 1, 0)
        );
    }
}
