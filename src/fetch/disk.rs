//! Room on the disk: what the files of the folder have together, against the bound on it, and what
//! the file system has left. A file that does not fit is refused before it comes, or while it does.

use std::fs;
use std::path::{Path, PathBuf};

use super::error::FileError;
use super::options::Options;
use super::partial;

/// How many bytes are written between two looks at what the file system has left, for others write
/// to it too.
const LOOK_EVERY_BYTES: u64 = 64 * 1024 * 1024;

/// How much may still be written of one file.
pub(super) struct Room {
    folder: PathBuf,
    bytes_max: u64,
    reserve: u64,
    /// Bytes of all files, what was written through this included.
    used: u64,
    /// Bytes written since the last look.
    unseen: u64,
}

impl Room {
    /// That of the folder, when a file of it goes on after `kept` of the `partial` bytes it has, and
    /// needs `needed` more, if that is known.
    ///
    /// # Errors
    /// When it does not fit.
    pub(super) fn claim(
        options: &Options,
        partial: u64,
        kept: u64,
        needed: Option<u64>,
    ) -> Result<Self, FileError> {
        let used = used(&options.folder).saturating_sub(partial).saturating_add(kept);
        let room = Self {
            folder: options.folder.clone(),
            bytes_max: options.disk_bytes_max,
            reserve: options.disk_reserve_bytes,
            used,
            unseen: 0,
        };
        room.fits(needed.unwrap_or(0))?;
        Ok(room)
    }

    /// Takes note of so many bytes about to be written.
    ///
    /// # Errors
    /// When they do not fit.
    pub(super) fn take(&mut self, bytes: u64) -> Result<(), FileError> {
        self.used = self.used.saturating_add(bytes);
        self.unseen = self.unseen.saturating_add(bytes);
        if self.used > self.bytes_max {
            return Err(FileError::DiskBound { bytes: self.used, bytes_max: self.bytes_max });
        }
        if self.unseen >= LOOK_EVERY_BYTES {
            self.unseen = 0;
            self.fits(0)?;
        }
        Ok(())
    }

    fn fits(&self, needed: u64) -> Result<(), FileError> {
        let bytes = self.used.saturating_add(needed);
        if bytes > self.bytes_max {
            return Err(FileError::DiskBound { bytes, bytes_max: self.bytes_max });
        }
        match free_bytes(&self.folder).map(|free| free.saturating_sub(needed)) {
            Some(free) if free < self.reserve => {
                Err(FileError::DiskReserve { free, reserve: self.reserve })
            }
            _ => Ok(()),
        }
    }
}

/// Bytes of the files in the folder and of the partial ones; not of folders that others made in it.
fn used(folder: &Path) -> u64 {
    [folder.to_owned(), folder.join(partial::FOLDER)]
        .iter()
        .filter_map(|folder| fs::read_dir(folder).ok())
        .flat_map(|entries| entries.filter_map(Result::ok))
        .filter_map(|entry| entry.metadata().ok())
        .filter(fs::Metadata::is_file)
        .fold(0, |sum, metadata| sum.saturating_add(metadata.len()))
}

/// What this user may still write to the file system; `None` where that cannot be asked.
#[cfg(unix)]
fn free_bytes(folder: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(folder).ok()?;
    Some(found.f_bavail.saturating_mul(found.f_frsize))
}

#[cfg(not(unix))]
fn free_bytes(_folder: &Path) -> Option<u64> {
    None
}
