//! A folder as a store: `file:///…`, on this machine's disk or one that several machines mount.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use rustix::fs::OFlags;

use super::address::{Address, CURRENT, CURRENT_BYTES_MAX, OBJECTS};
use super::error::{Fault, ObjectsError, StoreError};
use super::store::{Listed, NextPart, Store, Swap, Versioned};
use crate::durable::{NewFile, is_full};

/// Locked by who replaces `CURRENT`.
const LOCK: &str = "CURRENT.lock";

/// What ends the names of files that are being written.
const UNFINISHED: &str = ".tmp";

pub(super) struct Folder {
    address: Address,
    path: PathBuf,
    /// Names files that are being written, together with the process.
    next: AtomicU64,
}

impl Folder {
    pub(super) fn new(address: &Address) -> Self {
        Self { address: address.clone(), path: address.folder(), next: AtomicU64::new(0) }
    }

    fn object(&self, object: &str) -> PathBuf {
        self.path.join(OBJECTS).join(object)
    }

    /// Opens a file to be read. A pipe or a device might never end, or never begin.
    fn open(&self, path: &Path, name: &str) -> Result<File, StoreError> {
        let opened = || {
            if !fs::metadata(path)?.is_file() {
                return Ok(None);
            }
            // It may be another by now: a pipe is opened without waiting for who writes to it.
            let not_waiting = OFlags::NONBLOCK.bits().cast_signed();
            let file = File::options().read(true).custom_flags(not_waiting).open(path)?;
            Ok(file.metadata()?.is_file().then_some(file))
        };
        let opened = opened().map_err(self.error(name))?;
        let name = path.strip_prefix(&self.path).unwrap_or(path).display().to_string();
        opened.ok_or_else(|| StoreError::new(&self.address, Fault::NotAFile(name), ""))
    }

    fn error<'a>(&'a self, name: &'a str) -> impl Fn(io::Error) -> StoreError + 'a {
        move |error| {
            let fault = match error.kind() {
                io::ErrorKind::NotFound if !self.path.is_dir() => Fault::NoBucket,
                io::ErrorKind::NotFound => Fault::NoObject(format!("{OBJECTS}/{name}")),
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                    Fault::Denied
                }
                _ if is_full(&error) => Fault::Full,
                _ => Fault::Other,
            };
            StoreError::new(&self.address, fault, &error)
        }
    }

    /// A file that takes its name when it is whole.
    fn new_file(&self, named: &Path) -> io::Result<NewFile> {
        let objects = self.path.join(OBJECTS);
        if !self.path.is_dir() {
            return Err(io::ErrorKind::NotFound.into());
        }
        fs::create_dir_all(&objects)?;
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        NewFile::create(named, objects.join(format!("{}-{number}{UNFINISHED}", process::id())))
    }

    fn put(&self, named: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = self.new_file(named)?;
        file.write_all(bytes)?;
        file.publish()
    }
}

impl Store for Folder {
    fn read(&self, object: &str, range: Range<u64>) -> Result<(Vec<u8>, u64), StoreError> {
        let mut file = self.open(&self.object(object), object)?;
        let read = || {
            let length = file.metadata()?.len();
            file.seek(SeekFrom::Start(range.start))?;
            let mut bytes = Vec::new();
            file.take(range.end.saturating_sub(range.start)).read_to_end(&mut bytes)?;
            Ok((bytes, length))
        };
        read().map_err(self.error(object))
    }

    fn current(&self) -> Result<Option<Versioned>, StoreError> {
        let file = match self.open(&self.path.join(CURRENT), CURRENT) {
            Err(error) if matches!(error.fault, Fault::NoObject(_)) => return Ok(None),
            opened => opened?,
        };
        let mut bytes = Vec::new();
        let read = file.take(CURRENT_BYTES_MAX + 1).read_to_end(&mut bytes);
        read.map_err(self.error(CURRENT))?;
        if bytes.len() as u64 > CURRENT_BYTES_MAX {
            return Err(StoreError::new(&self.address, Fault::TooLong, ""));
        }
        Ok(Some(Versioned { bytes, tag: None, generation: None }))
    }

    fn swap(&self, bytes: Vec<u8>, read: Option<&Versioned>) -> Result<Swap, StoreError> {
        let lock = File::create(self.path.join(LOCK)).and_then(|file| {
            file.lock()?;
            Ok(file)
        });
        let lock = lock.map_err(self.error(CURRENT))?;
        if self.current()?.as_ref() != read {
            return Ok(Swap::Refused);
        }
        self.put(&self.path.join(CURRENT), &bytes).map_err(self.error(CURRENT))?;
        drop(lock);
        Ok(Swap::Done)
    }

    fn list(&self) -> Result<Vec<Listed>, StoreError> {
        let entries = match fs::read_dir(self.path.join(OBJECTS)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && self.path.is_dir() => {
                return Ok(Vec::new());
            }
            entries => entries.map_err(self.error(""))?,
        };
        let listed = |entry: fs::DirEntry| {
            // Who wrote it may have ended, or just given it its name.
            let found = entry.metadata().ok()?;
            let object = entry.file_name().to_string_lossy().into_owned();
            let modified = found.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            Some(Listed { object, bytes: found.len(), modified })
        };
        let listed = entries.filter_map(|entry| entry.map(listed).transpose());
        listed.collect::<io::Result<_>>().map_err(self.error(""))
    }

    fn write(&self, object: &str, bytes: Vec<u8>) -> Result<(), StoreError> {
        self.put(&self.object(object), &bytes).map_err(self.error(object))
    }

    fn create(&self, object: &str, bytes: Vec<u8>) -> Result<Swap, StoreError> {
        if self.object(object).exists() {
            return Ok(Swap::Refused);
        }
        self.write(object, bytes)?;
        Ok(Swap::Done)
    }

    fn upload(&self, object: &str, next_part: &mut NextPart<'_>) -> Result<(), ObjectsError> {
        let mut file = self.new_file(&self.object(object)).map_err(self.error(object))?;
        while let Some(bytes) = next_part()? {
            file.write_all(&bytes).map_err(self.error(OBJECTS))?;
        }
        Ok(file.publish().map_err(self.error(OBJECTS))?)
    }

    fn remove(&self, object: &str) -> Result<(), StoreError> {
        match fs::remove_file(self.object(object)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(self.error(object)(error)),
            _ => Ok(()),
        }
    }
}
