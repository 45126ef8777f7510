//! What sessions remember between their queries.
//!
//! In memory only; bounded in number, bytes and age. A session belongs to the key that asked: who
//! knows another's session identifier, but not its key, finds nothing.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::conversation::Conversation;

/// Sessions kept: the oldest go first.
pub const SESSIONS_MAX: usize = 20_000;
/// Bytes that they may hold together, by estimate.
pub const SESSION_BYTES_MAX: usize = 32 << 20;
/// How long a session is kept after its last query.
pub const SESSION_AGE_MAX: Duration = Duration::from_secs(30 * 60);

/// Bytes that keeping a session costs beside what it remembers: entries of a map and of a tree, and
/// what allocating takes, by estimate.
const OVERHEAD: usize = 256;

/// Who asks: the key's identifier, and the session's.
type Owner = (Option<Arc<str>>, u128);

#[derive(Debug)]
struct Entry {
    conversation: Conversation,
    bytes: usize,
    /// Its place in the order of use.
    turn: u64,
    used: Instant,
}

#[derive(Debug, Default)]
struct SessionEntry {
    entries: HashMap<Owner, Entry>,
    /// The sessions in the order of their last use.
    turns: BTreeMap<u64, Owner>,
    next_turn: u64,
    bytes: usize,
}

/// The sessions of a service.
#[derive(Debug, Default)]
pub struct Sessions {
    kept: Mutex<SessionEntry>,
}

impl Sessions {
    /// What the session remembers; nothing when it is unknown or too old.
    pub fn get(&self, key: Option<&Arc<str>>, session: u128, now: Instant) -> Conversation {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.forget_old(now);
        let owner = (key.cloned(), session);
        kept.entries.get(&owner).map(|entry| entry.conversation.clone()).unwrap_or_default()
    }

    /// Keeps what the session remembers now; nothing is kept of one that remembers nothing.
    pub fn put(
        &self,
        key: Option<&Arc<str>>,
        session: u128,
        conversation: &Conversation,
        now: Instant,
    ) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.forget_old(now);
        let owner = (key.cloned(), session);
        kept.forget(&owner);
        if *conversation == Conversation::default() {
            return;
        }
        let (bytes, turn) = (OVERHEAD + conversation.bytes(), kept.next_turn);
        kept.next_turn += 1;
        kept.bytes += bytes;
        kept.turns.insert(turn, owner.clone());
        let conversation = conversation.clone();
        kept.entries.insert(owner, Entry { conversation, bytes, turn, used: now });
        while kept.entries.len() > SESSIONS_MAX || kept.bytes > SESSION_BYTES_MAX {
            kept.forget_first();
        }
    }

    /// How many sessions are kept, and about how many bytes they hold.
    pub fn size(&self) -> (usize, usize) {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        (kept.entries.len(), kept.bytes)
    }
}

impl SessionEntry {
    fn forget(&mut self, owner: &Owner) {
        if let Some(entry) = self.entries.remove(owner) {
            self.bytes -= entry.bytes;
            self.turns.remove(&entry.turn);
        }
    }

    fn forget_first(&mut self) {
        if let Some((_, owner)) = self.turns.pop_first()
            && let Some(entry) = self.entries.remove(&owner)
        {
            self.bytes -= entry.bytes;
        }
    }

    fn forget_old(&mut self, now: Instant) {
        while let Some((_, owner)) = self.turns.first_key_value()
            && self
                .entries
                .get(owner)
                .is_none_or(|entry| now.duration_since(entry.used) > SESSION_AGE_MAX)
        {
            self.forget_first();
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

    fn key(name: &str) -> Arc<str> {
        Arc::from(name)
    }

    #[test]
    fn a_session_belongs_to_its_key() {
        let (sessions, now) = (Sessions::default(), Instant::now());
        let (one, two) = (key("one"), key("two"));
        sessions.put(Some(&one), 7, &asked("food"), now);
        assert_eq!(sessions.get(Some(&one), 7, now), asked("food"));
        for (key, session) in [(Some(&two), 7), (None, 7), (Some(&one), 8)] {
            assert_eq!(sessions.get(key, session, now), Conversation::default());
        }
        sessions.put(Some(&one), 7, &Conversation::default(), now);
        assert_eq!(sessions.size(), (0, 0));
    }

    #[test]
    fn old_sessions_are_forgotten() {
        let (sessions, now) = (Sessions::default(), Instant::now());
        sessions.put(None, 1, &asked("food"), now);
        let later = now + SESSION_AGE_MAX;
        sessions.put(None, 2, &asked("art"), later);
        let none = Conversation::default();
        assert_ne!(sessions.get(None, 1, later), none);
        let last = later + Duration::from_secs(1);
        assert_eq!(sessions.get(None, 1, last), none);
        assert_ne!(sessions.get(None, 2, last), none);
    }

    #[test]
    fn number_and_bytes_are_bounded_and_the_oldest_go_first() {
        let (sessions, now) = (Sessions::default(), Instant::now());
        let count = SESSIONS_MAX as u128 + 10;
        for session in 0..count {
            sessions.put(None, session, &asked("food"), now);
        }
        assert_eq!(sessions.size().0, SESSIONS_MAX);
        assert_eq!(sessions.get(None, 9, now), Conversation::default());
        assert_ne!(sessions.get(None, 10, now), Conversation::default());
        let long = asked(&"x".repeat(1 << 20));
        for session in 0..100 {
            sessions.put(None, count + session, &long, now);
        }
        let (left, bytes) = sessions.size();
        assert!(left < 33 && bytes <= SESSION_BYTES_MAX, "{left} {bytes}");
    }
}
