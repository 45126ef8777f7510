//! Makes a sealed staging folder the current snapshot, and removes those that are not used.
//!
//! Whoever reads a snapshot holds a shared lock on its manifest; who removes one must have the
//! exclusive lock, and must find, having it, that `CURRENT` names another. The build holds the
//! shared lock from before the folder is renamed until `CURRENT` names it.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use super::directory::{Current, Directory};
use super::locate::read_current;
use super::manifest;
use super::open_error::OpenError;
use crate::durable;

/// Publishes the staging folder of `current.snapshot`.
pub(crate) fn publish(directory: &Directory, current: &Current) -> io::Result<()> {
    let staging = directory.staging(&current.snapshot);
    let lock = File::open(staging.join(manifest::FILE))?;
    lock.lock_shared()?;
    fs::create_dir_all(directory.snapshots())?;
    durable::sync(directory.path())?;
    let published = directory.snapshot(&current.snapshot);
    fs::rename(&staging, &published)?;
    let name =
        || durable::sync(&directory.snapshots()).and_then(|()| directory.write_current(current));
    name().inspect_err(|_| {
        // Unless CURRENT names it all the same, it is nobody's.
        if read_current(directory).ok().as_ref() != Some(current) {
            let _ = fs::remove_dir_all(&published);
        }
    })
}

/// Removes every snapshot that neither is current nor is read by anyone; says how many.
///
/// # Errors
/// When the data directory cannot be read, has no readable `CURRENT`, or a folder cannot be
/// removed.
pub fn remove_unused(data_dir: &Path) -> io::Result<usize> {
    remove_unused_but(data_dir, &[])
}

/// The same, but those of some identifiers stay too.
pub(crate) fn remove_unused_but(data_dir: &Path, kept: &[&str]) -> io::Result<usize> {
    let directory = Directory::new(data_dir);
    let mut removed = 0;
    let entries = match fs::read_dir(directory.snapshots()) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(error),
    };
    for entry in entries {
        let path = entry?.path();
        if path.file_name().is_some_and(|name| kept.iter().any(|kept| name == *kept)) {
            continue;
        }
        let lock = match File::open(path.join(manifest::FILE)) {
            Ok(file) => match file.try_lock() {
                Ok(()) => Some(file),
                Err(fs::TryLockError::WouldBlock) => continue,
                Err(fs::TryLockError::Error(error)) => return Err(error),
            },
            // Without a manifest it is no snapshot: a removal that did not end.
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let current = match read_current(&directory) {
            Ok(current) => Some(current.snapshot),
            // Nothing was ever published: what lies there is of a build that did not end.
            Err(OpenError::NoSnapshot { .. }) => None,
            Err(error) => return Err(io::Error::other(error)),
        };
        if path.file_name().map(|name| name.to_string_lossy()) != current.map(Into::into) {
            fs::remove_dir_all(&path)?;
            removed += 1;
        }
        drop(lock);
    }
    Ok(removed)
}
