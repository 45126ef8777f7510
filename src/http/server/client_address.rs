//! How the log names whoever asks without a key: by address, by a hash of it that changes with the day, or
//! not at all.

use std::sync::{Arc, Mutex, PoisonError};

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use crate::record::Timestamp;

/// How the log records the address of a client without a valid key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LoggedAddress {
    /// Nothing.
    Off,
    /// The address; of IPv6 the network.
    #[default]
    Plain,
    /// A hash that is the same all day, UTC, and as long as the process runs.
    Hashed,
}

const DAY_SECONDS: i64 = 86_400;
/// Bytes of a hash that are logged: among a million addresses no two are likely to have the same.
const HASH_BYTES: usize = 8;

/// What the hashes of a day are made with. It is kept nowhere, and forgotten with the day: there are few
/// enough addresses to try them all.
#[derive(Debug, Clone, Copy)]
struct Salt {
    day: i64,
    bytes: [u8; 32],
}

/// Names clients for the log.
#[derive(Debug)]
pub(crate) struct ClientNames {
    logged: LoggedAddress,
    salt: Mutex<Option<Salt>>,
}

impl ClientNames {
    pub(crate) fn new(logged: LoggedAddress) -> Self {
        Self { logged, salt: Mutex::default() }
    }

    /// What the log calls a client.
    pub(crate) fn name(&self, client: Arc<str>) -> Option<Arc<str>> {
        self.name_on(client, Timestamp::now().seconds().div_euclid(DAY_SECONDS))
    }

    fn name_on(&self, client: Arc<str>, day: i64) -> Option<Arc<str>> {
        match self.logged {
            LoggedAddress::Off => None,
            LoggedAddress::Plain => Some(client),
            LoggedAddress::Hashed => {
                let hash = Sha256::new().chain_update(self.salt(day)?).chain_update(&*client);
                Some(HEXLOWER.encode(&hash.finalize()[..HASH_BYTES]).into())
            }
        }
    }

    /// The salt of a day; none where the system gives no random bytes.
    fn salt(&self, day: i64) -> Option<[u8; 32]> {
        let mut salt = self.salt.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(salt) = salt.filter(|salt| salt.day == day) {
            return Some(salt.bytes);
        }
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).ok()?;
        *salt = Some(Salt { day, bytes });
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_are_named_as_asked() {
        let client: Arc<str> = "192.0.2.7".into();
        let name = |names: &ClientNames, day| names.name_on(client.clone(), day);
        assert_eq!(name(&ClientNames::new(LoggedAddress::Off), 1), None);
        assert_eq!(name(&ClientNames::new(LoggedAddress::Plain), 1), Some(client.clone()));
        let names = ClientNames::new(LoggedAddress::Hashed);
        let today = name(&names, 1).unwrap();
        assert_eq!((today.len(), today.contains(&*client)), (2 * HASH_BYTES, false));
        assert_eq!(name(&names, 1), Some(today.clone()));
        assert_ne!(names.name_on("192.0.2.8".into(), 1), Some(today.clone()));
        // Neither the next day, nor once more of that day, nor another process makes the same.
        assert_ne!(name(&names, 2), Some(today.clone()));
        assert_ne!(name(&names, 1), Some(today.clone()));
        assert_ne!(name(&ClientNames::new(LoggedAddress::Hashed), 1), Some(today));
    }
}
