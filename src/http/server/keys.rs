//! API keys: created, listed and revoked in a file, and recognised by the server.
//!
//! Only a key's SHA-256 is kept. `keys.json` is written in one exact form with a checksum over it,
//! so any changed byte is found. Writers hold an exclusive lock and replace the file whole; a
//! running server sees the change within [`REFRESH_INTERVAL`].

mod file;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

pub use file::{KEY_FILE_BYTES_MAX, Key, KeysError, NewKey, create, list, revoke};
pub(crate) use file::{NAME, PREFIX};
use file::{Stamp, read, secret, stamp};

/// How often a server looks whether the file changed: a new or revoked key takes effect well
/// within a second, and one `stat` four times a second costs nothing.
pub const REFRESH_INTERVAL: Duration = Duration::from_millis(250);

/// SHA-256 of a key.
type Sum = [u8; 32];

/// Keys that are valid, found by the first bytes of their SHA-256.
#[derive(Debug, Default)]
struct Valid {
    by_prefix: HashMap<[u8; 8], Vec<(Sum, Arc<str>)>>,
}

impl Valid {
    fn of(keys: Vec<Key>) -> Self {
        let mut valid = Self::default();
        for key in keys.into_iter().filter(|key| key.revoked_at.is_none()) {
            valid
                .by_prefix
                .entry(prefix(&key.sha256))
                .or_default()
                .push((key.sha256, key.id.into()));
        }
        valid
    }

    /// The identifier of a key. Only sums are compared, in constant time: what the time of the
    /// lookup tells about a stored sum's first bytes does not help to find a key of that sum.
    fn find(&self, presented: &[u8]) -> Option<Arc<str>> {
        let sum: Sum = Sha256::digest(presented).into();
        let candidates = self.by_prefix.get(&prefix(&sum))?;
        candidates.iter().find(|(known, _)| known.ct_eq(&sum).into()).map(|(_, id)| id.clone())
    }
}

fn prefix(sum: &Sum) -> [u8; 8] {
    let mut prefix = [0; 8];
    prefix.copy_from_slice(&sum[..8]);
    prefix
}

/// The keys of a folder, as a server holds them.
#[derive(Debug)]
pub struct Keys {
    path: PathBuf,
    valid: RwLock<Arc<Valid>>,
    seen: Mutex<Seen>,
    /// A key that is in no file and ends with the process.
    own: Option<Sum>,
}

/// What is known of the file.
#[derive(Debug, Default)]
struct Seen {
    stamp: Option<Stamp>,
    /// Why the keys in it are not taken; `None` where they are.
    refused: Option<&'static str>,
}

/// What the process's own key is called in counts and limits.
const OWN: &str = "own";

impl Keys {
    /// No keys at all, for a service that is asked by its own process only.
    pub fn none() -> Self {
        Self { path: PathBuf::new(), valid: RwLock::default(), seen: Mutex::default(), own: None }
    }

    /// Reads the keys of a folder, the data directory or another; none when it has no key file.
    pub fn open(folder: &Path) -> Result<Self, KeysError> {
        let path = folder.join(file::NAME);
        // Before reading: a change in between is then seen by the next refresh.
        let seen = Seen { stamp: stamp(&path)?, refused: None };
        let valid = RwLock::new(Arc::new(Valid::of(read(&path)?)));
        Ok(Self { path, valid, seen: Mutex::new(seen), own: None })
    }

    /// These keys and one more, which no file has and which ends with the process: for a link that
    /// whoever starts a server can open.
    ///
    /// # Errors
    /// When the system gives no random bytes.
    pub fn with_own(self) -> Result<(Self, String), KeysError> {
        let secret = secret()?;
        let own = Some(Sha256::digest(secret.as_bytes()).into());
        Ok((Self { own, ..self }, secret))
    }

    /// The identifier of a key as a client presents it; `None` unless it is valid.
    pub fn find(&self, presented: &[u8]) -> Option<Arc<str>> {
        let valid = self.valid.read().unwrap_or_else(PoisonError::into_inner).clone();
        valid.find(presented).or_else(|| {
            let sum: Sum = Sha256::digest(presented).into();
            self.own.filter(|own| own.ct_eq(&sum).into()).map(|_| OWN.into())
        })
    }

    /// How many keys of the file are valid.
    pub fn count(&self) -> usize {
        let valid = self.valid.read().unwrap_or_else(PoisonError::into_inner).clone();
        valid.by_prefix.values().map(Vec::len).sum()
    }

    /// Reads the file again if it changed; whether it did. One `stat` when it did not.
    ///
    /// # Errors
    /// When the file cannot be read or is damaged: the keys read before stay valid. A damaged file
    /// is not read again until it changes.
    pub fn refresh(&self) -> Result<bool, KeysError> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let now = stamp(&self.path)?;
        if seen.stamp == now {
            return Ok(false);
        }
        let keys = match read(&self.path) {
            // The next call tries again.
            Err(error @ KeysError::Io { .. }) => return Err(error),
            read => {
                let refused = read.as_ref().err().map(KeysError::clause);
                *seen = Seen { stamp: now, refused };
                read?
            }
        };
        *self.valid.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(Valid::of(keys));
        Ok(true)
    }

    /// Why the file, as it was read last, is not taken.
    pub(crate) fn refused(&self) -> Option<&'static str> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).refused
    }

    /// Lets no refresh end until this is dropped.
    #[cfg(test)]
    pub(crate) fn hold(&self) -> impl Sized + '_ {
        self.seen.lock().unwrap()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn created_and_revoked_while_serving() {
        let directory = tempfile::tempdir().unwrap();
        let keys = Keys::open(directory.path()).unwrap();
        assert!(!keys.refresh().unwrap());
        let new = create(directory.path(), "test").unwrap();
        assert_eq!(keys.find(new.secret.as_bytes()), None);
        assert!(keys.refresh().unwrap());
        assert_eq!(keys.find(new.secret.as_bytes()).as_deref(), Some(&*new.id));
        for wrong in ["", "alm_", &new.secret[1..], &format!("{}0", new.secret)] {
            assert_eq!(keys.find(wrong.as_bytes()), None, "{wrong}");
        }
        revoke(directory.path(), &new.id).unwrap();
        assert!(keys.refresh().unwrap());
        assert_eq!(keys.find(new.secret.as_bytes()), None);
        assert!(!keys.refresh().unwrap());
    }

    /// As Kubernetes mounts a secret: `keys.json` is a link through `..data`, which is swapped for another.
    #[cfg(unix)]
    #[test]
    fn keys_follow_a_link_that_is_swapped() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["..1", "..2"] {
            fs::create_dir(at(name)).unwrap();
        }
        let (old, kept) = (create(&at("..1"), "old").unwrap(), create(&at("..1"), "kept").unwrap());
        fs::copy(at("..1/keys.json"), at("..2/keys.json")).unwrap();
        revoke(&at("..2"), &old.id).unwrap();
        symlink("..1", at("..data")).unwrap();
        symlink("..data/keys.json", at("keys.json")).unwrap();
        let keys = Keys::open(folder.path()).unwrap();
        assert!(keys.find(old.secret.as_bytes()).is_some() && !keys.refresh().unwrap());
        symlink("..2", at("..data_tmp")).unwrap();
        fs::rename(at("..data_tmp"), at("..data")).unwrap();
        fs::remove_dir_all(at("..1")).unwrap();
        assert!(keys.refresh().unwrap());
        assert_eq!(keys.find(old.secret.as_bytes()), None);
        assert!(keys.find(kept.secret.as_bytes()).is_some() && !keys.refresh().unwrap());
    }

    #[test]
    fn the_own_key_is_in_no_file() {
        let directory = tempfile::tempdir().unwrap();
        let (keys, secret) = Keys::open(directory.path()).unwrap().with_own().unwrap();
        assert_eq!(keys.find(secret.as_bytes()).as_deref(), Some(OWN));
        assert_eq!(keys.find(&secret.as_bytes()[1..]), None);
        assert!(keys.count() == 0 && !directory.path().join(file::NAME).exists());
        create(directory.path(), "other").unwrap();
        assert!(keys.refresh().unwrap() && keys.find(secret.as_bytes()).is_some());
        assert_eq!(Keys::open(directory.path()).unwrap().find(secret.as_bytes()), None);
    }

    #[test]
    fn damage_keeps_the_last_good_keys() {
        let directory = tempfile::tempdir().unwrap();
        let new = create(directory.path(), "test").unwrap();
        let keys = Keys::open(directory.path()).unwrap();
        let path = directory.path().join(file::NAME);
        fs::write(&path, "{").unwrap();
        assert!(keys.refresh().is_err());
        assert!(!keys.refresh().unwrap() && keys.refused() == Some("the key file is damaged"));
        assert!(keys.find(new.secret.as_bytes()).is_some());
        assert!(Keys::open(directory.path()).is_err());
        fs::remove_file(&path).unwrap();
        assert!(keys.refresh().unwrap() && keys.refused().is_none());
        assert_eq!(keys.find(new.secret.as_bytes()), None);
    }
}
