//! A folder as a store: `file:///…`, on this machine's disk or one that several machines mount.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use data_encoding::HEXLOWER;
use rustix::fs::OFlags;
use sha2::{Digest as _, Sha256};

use super::address::Address;
use super::store::{
    CURRENT, CURRENT_BYTES_MAX, Fault, Listed, OBJECTS, Part, Store, StoreError, Swap, Upload,
    Version, Versioned,
};
use crate::snapshot::directory;

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
        let fault = move |kind| match kind {
            io::ErrorKind::NotFound if !self.path.is_dir() => Fault::NoBucket,
            io::ErrorKind::NotFound => Fault::NoObject(format!("{OBJECTS}/{name}")),
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Fault::Denied,
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Fault::Full,
            _ => Fault::Other,
        };
        move |error| StoreError::new(&self.address, fault(error.kind()), &error)
    }

    /// A file that takes its name when it is whole.
    fn unfinished(&self, named: &Path) -> io::Result<Unfinished<'_>> {
        if !self.path.is_dir() {
            return Err(io::ErrorKind::NotFound.into());
        }
        fs::create_dir_all(self.path.join(OBJECTS))?;
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}-{number}{UNFINISHED}", process::id());
        let path = self.path.join(OBJECTS).join(name);
        Ok(Unfinished { folder: self, file: File::create(&path)?, path, named: named.to_owned() })
    }

    fn put(&self, named: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = self.unfinished(named)?;
        let written = file.file.write_all(bytes).and_then(|()| file.take_name());
        written.inspect_err(|_| directory::remove(&file.path))
    }
}

impl Store for Folder {
    fn read(&self, object: &str, range: Range<u64>) -> Result<Part, StoreError> {
        let mut file = self.open(&self.object(object), object)?;
        let read = || {
            let of = file.metadata()?.len();
            file.seek(SeekFrom::Start(range.start))?;
            let mut bytes = Vec::new();
            file.take(range.end.saturating_sub(range.start)).read_to_end(&mut bytes)?;
            Ok(Part { bytes, of })
        };
        read().map_err(self.error(object))
    }

    fn current(&self) -> Result<Option<Versioned>, StoreError> {
        let file = match self.open(&self.path.join(CURRENT), CURRENT) {
            Err(error) if matches!(error.fault(), Fault::NoObject(_)) => return Ok(None),
            opened => opened?,
        };
        let mut bytes = Vec::new();
        let read = file.take(CURRENT_BYTES_MAX + 1).read_to_end(&mut bytes);
        read.map_err(self.error(CURRENT))?;
        if bytes.len() as u64 > CURRENT_BYTES_MAX {
            return Err(StoreError::new(&self.address, Fault::TooLong, ""));
        }
        let tag = Some(HEXLOWER.encode(&Sha256::digest(&bytes)));
        Ok(Some(Versioned { bytes, version: Version { tag, generation: None } }))
    }

    fn swap(&self, bytes: Vec<u8>, read: Option<&Version>) -> Result<Swap, StoreError> {
        let lock = File::create(self.path.join(LOCK)).and_then(|file| {
            file.lock()?;
            Ok(file)
        });
        let lock = lock.map_err(self.error(CURRENT))?;
        let now = self.current()?;
        if now.as_ref().map(|now| &now.version) != read {
            return Ok(Swap::Refused);
        }
        self.put(&self.path.join(CURRENT), &bytes).map_err(self.error(CURRENT))?;
        drop(lock);
        Ok(Swap::Done)
    }

    fn list(&self) -> Result<Vec<Listed>, StoreError> {
        let list = || {
            let mut listed = Vec::new();
            let entries = match fs::read_dir(self.path.join(OBJECTS)) {
                Err(error) if error.kind() == io::ErrorKind::NotFound && self.path.is_dir() => {
                    return Ok(listed);
                }
                entries => entries?,
            };
            for entry in entries {
                let entry = entry?;
                // Who wrote it may have ended, or just given it its name.
                let Ok(found) = entry.metadata() else { continue };
                let object = entry.file_name().to_string_lossy().into_owned();
                let modified = found.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                listed.push(Listed { object, bytes: found.len(), modified });
            }
            Ok(listed)
        };
        list().map_err(self.error(""))
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

    fn start_upload<'a>(&'a self, object: &str) -> Result<Box<dyn Upload + 'a>, StoreError> {
        let file = self.unfinished(&self.object(object)).map_err(self.error(object))?;
        Ok(Box::new(file))
    }

    fn remove(&self, object: &str) -> Result<(), StoreError> {
        match fs::remove_file(self.object(object)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(self.error(object)(error)),
            _ => Ok(()),
        }
    }
}

/// A file that is being written beside those that are whole.
struct Unfinished<'a> {
    folder: &'a Folder,
    file: File,
    path: PathBuf,
    named: PathBuf,
}

impl Unfinished<'_> {
    fn take_name(&self) -> io::Result<()> {
        self.file.sync_all()?;
        fs::rename(&self.path, &self.named)?;
        directory::sync(self.named.parent().unwrap_or(&self.folder.path))
    }
}

impl Upload for Unfinished<'_> {
    fn push(&mut self, bytes: Vec<u8>) -> Result<(), StoreError> {
        self.file.write_all(&bytes).map_err(self.folder.error(OBJECTS))
    }

    fn finish(&mut self) -> Result<(), StoreError> {
        self.take_name().map_err(self.folder.error(OBJECTS))
    }

    fn abandon(&mut self) {
        directory::remove(&self.path);
    }
}
