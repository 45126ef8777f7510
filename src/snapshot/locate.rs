//! Finds the snapshot that `CURRENT` names, and keeps it from being removed.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::directory::{Current, Directory};
use super::manifest::{self, FORMAT, Manifest};
use super::open_error::{ATTEMPTS, OpenError, damaged, io_error};

/// What `CURRENT` names now. Cheap: one small file is read.
pub fn current(data_dir: &Path) -> Result<Current, OpenError> {
    read_current(&Directory::new(data_dir))
}

/// The current snapshot's folder, kept from being removed.
pub(crate) struct CurrentFolder {
    pub(crate) current: Current,
    pub(crate) folder: PathBuf,
    pub(crate) lock: File,
}

impl CurrentFolder {
    pub(crate) fn manifest_bytes(&self) -> Result<Vec<u8>, OpenError> {
        let path = self.folder.join(manifest::FILE);
        let found = fs::metadata(&path).map_err(io_error(&path))?.len();
        if found > manifest::BYTES_MAX {
            return Err(damaged(&path, "is longer than any manifest"));
        }
        fs::read(&path).map_err(io_error(&path))
    }
}

/// Finds the current snapshot and locks its manifest.
pub(crate) fn locate(directory: &Directory) -> Result<CurrentFolder, OpenError> {
    let mut current = read_current(directory)?;
    for _ in 0..ATTEMPTS {
        let folder = directory.snapshot(&current.snapshot);
        let path = folder.join(manifest::FILE);
        // Waits for whoever is removing this snapshot, or looking whether it may be removed.
        let lock = File::open(&path).and_then(|file| {
            file.lock_shared()?;
            Ok(file)
        });
        let now = read_current(directory)?;
        if now == current {
            return match lock {
                Ok(lock) => Ok(CurrentFolder { current, folder, lock }),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    Err(damaged(&path, "is missing"))
                }
                Err(error) => Err(io_error(&path)(error)),
            };
        }
        current = now;
    }
    Err(OpenError::Replaced { path: directory.path().to_owned() })
}

/// The manifest of the published snapshot, whatever its format, even if other files of it are
/// damaged; `None` if it cannot be read.
pub(crate) fn published_manifest(directory: &Directory) -> Option<Manifest> {
    let current = Current::parse(&fs::read(directory.current()).ok()?)?;
    let path = directory.snapshot(&current.snapshot).join(manifest::FILE);
    let bytes = fs::read(path).ok()?;
    serde_json::from_slice(&bytes).ok()
}

pub(crate) fn read_current(directory: &Directory) -> Result<Current, OpenError> {
    let path = directory.path().to_owned();
    let bytes = match fs::read(directory.current()) {
        Ok(bytes) => bytes,
        Err(error) => {
            return Err(match fs::metadata(&path) {
                Err(_) => OpenError::Missing { path },
                Ok(found) if !found.is_dir() => OpenError::NotADataDirectory { path },
                Ok(_) if error.kind() != io::ErrorKind::NotFound => {
                    OpenError::Io { path: directory.current(), source: error }
                }
                Ok(_) => match directory.is_one() {
                    Ok(true) => OpenError::NoSnapshot { path },
                    Ok(false) => OpenError::NotADataDirectory { path },
                    Err(source) => OpenError::Io { path, source },
                },
            });
        }
    };
    let current = Current::parse(&bytes)
        .ok_or_else(|| damaged(&directory.current(), "is not as a build writes it"))?;
    match current.format {
        FORMAT => Ok(current),
        found @ ..FORMAT => Err(OpenError::Older { path, found }),
        found => Err(OpenError::Newer { path, found }),
    }
}
