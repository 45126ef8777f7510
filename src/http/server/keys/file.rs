//! The key file: its exact form, and the changes made to it under a lock.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::durable::NewFile;
use crate::record::Timestamp;

/// The key file's name in the data directory.
pub(crate) const NAME: &str = "keys.json";
/// Held exclusively by whoever changes the key file.
const LOCK_NAME: &str = "keys.lock";
/// What the next key file is written as, before it takes the place of the old one.
const STAGED_NAME: &str = "keys.json.new";
/// Version of the file's form.
const FORMAT: u32 = 1;
/// The longest key file that is read or written, revoked keys included: some 500,000 keys, ten times what
/// anybody was seen to hand out.
pub const KEY_FILE_BYTES_MAX: u64 = 128 << 20;
/// What every key starts with, so that a leaked one is recognised by those who look for secrets.
pub(crate) const PREFIX: &str = "alm_";
/// Random bytes of a key: 256 bits, which are 43 characters of base64url.
const SECRET_BYTES: usize = 32;
/// Random bytes of an identifier: 48 bits, so that thousands hardly ever collide; one that does is drawn again.
const ID_BYTES: usize = 6;
/// Characters of a name, so that listings stay readable.
const NAME_MAX: usize = 200;

/// A key on file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// What it is revoked by, and what the log says.
    pub id: String,
    /// Whose it is.
    pub name: String,
    /// SHA-256 of the key, in hexadecimal on file.
    #[serde(with = "hexadecimal")]
    pub sha256: [u8; 32],
    /// RFC 3339, UTC.
    pub created_at: String,
    /// RFC 3339, UTC; `None` while the key is valid.
    pub revoked_at: Option<String>,
}

/// A key just made: the only time that it is seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewKey {
    pub id: String,
    /// What clients send in `X-API-Key`.
    pub secret: String,
}

/// Why keys cannot be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum KeysError {
    #[error("cannot {action} {}", path.display())]
    Io { action: &'static str, path: PathBuf, source: io::Error },
    #[error(
        "the key file {} is damaged ({why}): restore it from a backup, or remove it and create \
         new keys",
        path.display()
    )]
    Damaged { path: PathBuf, why: &'static str },
    #[error("the key file {} has format {found}, expected {FORMAT}: use the program that wrote it",
        path.display())]
    Format { path: PathBuf, found: u32 },
    #[error(
        "a key file has at most {} MiB, found more in {}: restore it from a backup, or remove it and create new \
         keys",
        KEY_FILE_BYTES_MAX >> 20,
        path.display()
    )]
    TooLong { path: PathBuf },
    #[error("no key has the identifier {id:?}: list the keys to see which there are")]
    Unknown { id: String },
    #[error(
        "a key's name is 1 to {NAME_MAX} characters without control characters, found {name:?}"
    )]
    Name { name: String },
    #[error("the system gave no random bytes: {0}")]
    Random(getrandom::Error),
}

impl KeysError {
    /// The same in a clause that names no place, for those who may ask whether a server is ready.
    pub(crate) fn clause(&self) -> &'static str {
        match self {
            Self::Damaged { .. } => "the key file is damaged",
            Self::Format { .. } => "the key file is of another format",
            Self::TooLong { .. } => "the key file is too long",
            _ => "the key file cannot be read",
        }
    }
}

/// The file, but for its checksum.
#[derive(Debug, Serialize, Deserialize)]
struct Contents {
    format: u32,
    keys: Vec<Key>,
}

/// The file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyFile {
    format: u32,
    keys: Vec<Key>,
    /// SHA-256 of the compact JSON of the rest, in hexadecimal.
    #[serde(with = "hexadecimal")]
    checksum: [u8; 32],
}

/// What tells one state of a file from another without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    modified: Option<SystemTime>,
    bytes: u64,
    inode: u64,
}

/// The state of a file; `None` when there is none.
pub(super) fn stamp(path: &Path) -> Result<Option<Stamp>, KeysError> {
    match fs::metadata(path) {
        Ok(about) => {
            let inode = std::os::unix::fs::MetadataExt::ino(&about);
            Ok(Some(Stamp { modified: about.modified().ok(), bytes: about.len(), inode }))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(KeysError::Io { action: "read", path: path.to_owned(), source }),
    }
}

/// The keys of a file; none when there is no file.
pub(super) fn read(path: &Path) -> Result<Vec<Key>, KeysError> {
    let damaged = |why| KeysError::Damaged { path: path.to_owned(), why };
    let Some(bytes) = bytes(path)? else { return Ok(Vec::new()) };
    #[derive(Deserialize)]
    struct Versioned {
        format: u32,
    }
    let Versioned { format } =
        serde_json::from_slice(&bytes).map_err(|_| damaged("it is not JSON with a format"))?;
    if format != FORMAT {
        return Err(KeysError::Format { path: path.to_owned(), found: format });
    }
    let sealed: KeyFile =
        serde_json::from_slice(&bytes).map_err(|_| damaged("it is not a list of keys"))?;
    // The one exact form: whatever else means the same was not written by this program.
    if render(sealed.keys.clone()) != bytes {
        return Err(damaged("its checksum does not fit its contents"));
    }
    Ok(sealed.keys)
}

/// The bytes of a file, at most [`KEY_FILE_BYTES_MAX`]; `None` when there is none. What is no file is not
/// opened: a pipe would be waited for, and a device may have no end.
fn bytes(path: &Path) -> Result<Option<Vec<u8>>, KeysError> {
    let mut bytes = Vec::new();
    let read = fs::metadata(path).and_then(|about| {
        let is_file = about.is_file();
        if is_file {
            // One byte more tells a longer file, also one that grows.
            File::open(path)?.take(KEY_FILE_BYTES_MAX + 1).read_to_end(&mut bytes)?;
        }
        Ok(is_file)
    });
    match read {
        Ok(true) if bytes.len() as u64 > KEY_FILE_BYTES_MAX => {
            Err(KeysError::TooLong { path: path.to_owned() })
        }
        Ok(true) => Ok(Some(bytes)),
        Ok(false) => {
            Err(KeysError::Damaged { path: path.to_owned(), why: "it is not a regular file" })
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(KeysError::Io { action: "read", path: path.to_owned(), source }),
    }
}

/// The bytes of the file that holds these keys.
fn render(keys: Vec<Key>) -> Vec<u8> {
    const PLAIN: &str = "keys are strings and numbers only, which JSON can hold";
    let contents = Contents { format: FORMAT, keys };
    let checksum = Sha256::digest(serde_json::to_vec(&contents).expect(PLAIN)).into();
    let sealed = KeyFile { format: contents.format, keys: contents.keys, checksum };
    let mut bytes = serde_json::to_vec_pretty(&sealed).expect(PLAIN);
    bytes.push(b'\n');
    bytes
}

/// Every key of a data directory, valid or revoked, oldest first.
pub fn list(data_directory: &Path) -> Result<Vec<Key>, KeysError> {
    read(&data_directory.join(NAME))
}

/// Makes a key.
///
/// # Errors
/// When the name is not one, or the key file cannot be read or replaced.
pub fn create(data_directory: &Path, name: &str) -> Result<NewKey, KeysError> {
    let fits =
        (1..=NAME_MAX).contains(&name.chars().count()) && !name.chars().any(char::is_control);
    if !fits {
        return Err(KeysError::Name { name: name.to_owned() });
    }
    let secret = secret()?;
    change(data_directory, |keys| {
        let id = loop {
            let id = format!("key_{}", HEXLOWER.encode(&random::<ID_BYTES>()?));
            if keys.iter().all(|key| key.id != id) {
                break id;
            }
        };
        keys.push(Key {
            id: id.clone(),
            name: name.to_owned(),
            sha256: Sha256::digest(secret.as_bytes()).into(),
            created_at: Timestamp::now().to_string(),
            revoked_at: None,
        });
        Ok(NewKey { id, secret: secret.clone() })
    })
}

/// A new key, which nothing knows yet.
pub(super) fn secret() -> Result<String, KeysError> {
    Ok(format!("{PREFIX}{}", BASE64URL_NOPAD.encode(&random::<SECRET_BYTES>()?)))
}

/// Revokes a key for good; one revoked before keeps its time. Returns it.
///
/// # Errors
/// When no key has that identifier, or the key file cannot be read or replaced.
pub fn revoke(data_directory: &Path, id: &str) -> Result<Key, KeysError> {
    change(data_directory, |keys| {
        let key = keys.iter_mut().find(|key| key.id == id);
        let key = key.ok_or_else(|| KeysError::Unknown { id: id.to_owned() })?;
        key.revoked_at.get_or_insert_with(|| Timestamp::now().to_string());
        Ok(key.clone())
    })
}

/// Changes the keys under the lock, and replaces the file whole.
fn change<T>(
    data_directory: &Path,
    edit: impl FnOnce(&mut Vec<Key>) -> Result<T, KeysError>,
) -> Result<T, KeysError> {
    let failed = |action, path: &Path| {
        let path = path.to_owned();
        move |source| KeysError::Io { action, path, source }
    };
    let lock_path = data_directory.join(LOCK_NAME);
    let lock = private().truncate(false).open(&lock_path).map_err(failed("open", &lock_path))?;
    lock.lock().map_err(failed("lock", &lock_path))?;

    let path = data_directory.join(NAME);
    let mut keys = read(&path)?;
    let made = edit(&mut keys)?;
    let bytes = render(keys);
    if bytes.len() as u64 > KEY_FILE_BYTES_MAX {
        return Err(KeysError::TooLong { path });
    }

    let replace = || {
        let staged = data_directory.join(STAGED_NAME);
        let mut file = NewFile::create_with(&mut private(), &path, staged)?;
        file.write_all(&bytes)?;
        file.publish()
    };
    replace().map_err(failed("replace", &path))?;
    Ok(made)
}

/// Opens for writing a file that only its owner may read.
fn private() -> OpenOptions {
    let mut options = File::options();
    options.write(true).create(true);
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

fn random<const BYTES: usize>() -> Result<[u8; BYTES], KeysError> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).map_err(KeysError::Random)?;
    Ok(bytes)
}

/// 32 bytes as 64 lower-case hexadecimal digits.
mod hexadecimal {
    use std::borrow::Cow;

    use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub(super) fn serialize<S: Serializer>(
        bytes: &[u8; 32],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&HEXLOWER.encode(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<[u8; 32], D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        let bytes = HEXLOWER_PERMISSIVE.decode(text.as_bytes()).ok();
        bytes
            .and_then(|bytes| bytes.try_into().ok())
            .ok_or_else(|| de::Error::custom("expected 64 hexadecimal digits"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn created_listed_revoked() {
        let directory = tempfile::tempdir().unwrap();
        let at = directory.path();
        assert_eq!(list(at).unwrap(), []);
        let (one, two) = (create(at, "one").unwrap(), create(at, "two").unwrap());
        assert_eq!((one.secret.len(), &one.secret[..4]), (47, "alm_"));
        assert_ne!(one.secret, two.secret);
        let stored = fs::read_to_string(at.join(NAME)).unwrap();
        assert!(!stored.contains(&one.secret));
        revoke(at, &one.id).unwrap();
        let names: Vec<_> =
            list(at).unwrap().into_iter().map(|key| (key.name, key.revoked_at.is_some())).collect();
        assert_eq!(names, [("one".to_owned(), true), ("two".to_owned(), false)]);
        assert!(matches!(revoke(at, "key_0"), Err(KeysError::Unknown { .. })));
        assert!(matches!(create(at, ""), Err(KeysError::Name { .. })));
        assert!(matches!(create(at, "a\nb"), Err(KeysError::Name { .. })));
        assert!(!at.join(STAGED_NAME).exists());
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_may_read() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().unwrap();
        create(directory.path(), "one").unwrap();
        let about = fs::metadata(directory.path().join(NAME)).unwrap();
        assert_eq!(about.permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn every_changed_byte_is_found() {
        let directory = tempfile::tempdir().unwrap();
        create(directory.path(), "one").unwrap();
        let path = directory.path().join(NAME);
        let good = fs::read(&path).unwrap();
        for at in 0..good.len() {
            for flip in [1, 0x20, 0x80] {
                let mut bad = good.clone();
                bad[at] ^= flip;
                fs::write(&path, &bad).unwrap();
                assert!(read(&path).is_err(), "byte {at} ^ {flip}");
            }
        }
        fs::write(&path, &good[..good.len() - 1]).unwrap();
        assert!(read(&path).is_err());
        fs::write(&path, &good).unwrap();
        assert_eq!(read(&path).unwrap().len(), 1);
    }

    #[test]
    fn what_is_no_file_or_too_long_is_refused_before_it_is_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(NAME);
        File::create(&path).unwrap().set_len(KEY_FILE_BYTES_MAX + 1).unwrap();
        let refused = read(&path).unwrap_err();
        assert!(matches!(refused, KeysError::TooLong { .. }), "{refused}");
        assert!(refused.to_string().contains("128 MiB"), "{refused}");
        fs::remove_file(&path).unwrap();
        #[cfg(unix)]
        for place in ["/dev/zero", "."] {
            std::os::unix::fs::symlink(place, &path).unwrap();
            let refused = read(&path).unwrap_err();
            assert!(refused.to_string().contains("not a regular file"), "{refused}");
            assert!(create(directory.path(), "one").is_err());
            fs::remove_file(&path).unwrap();
        }
    }

    #[test]
    fn writers_do_not_lose_each_others_keys() {
        let directory = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for number in 0..8 {
                let at = directory.path();
                scope.spawn(move || create(at, &number.to_string()).unwrap());
            }
        });
        assert_eq!(list(directory.path()).unwrap().len(), 8);
    }
}
