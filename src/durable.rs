//! Files that last. A file is written under another name, flushed to disk and renamed, so that its own name
//! leads to all of the old bytes or to all of the new ones at any time, a power failure included.
//!
//! Also what disks have left: how much may be written, and whether that was too much.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Bytes that are written at once.
pub(crate) const BUFFER_BYTES: usize = 256 * 1024;

/// A file that has another name until it is whole. Dropped before it is published, it leaves nothing.
#[derive(Debug)]
pub(crate) struct NewFile {
    file: BufWriter<File>,
    staged: PathBuf,
    target: PathBuf,
}

impl NewFile {
    /// Begins a file under the name `staged`, in place of what a crash left there.
    pub(crate) fn create(target: &Path, staged: PathBuf) -> io::Result<Self> {
        Self::create_with(&mut File::options(), target, staged)
    }

    /// The same, opened with these options, such as who may read it.
    pub(crate) fn create_with(
        options: &mut OpenOptions,
        target: &Path,
        staged: PathBuf,
    ) -> io::Result<Self> {
        match fs::remove_file(&staged) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let file = options.write(true).create_new(true).open(&staged)?;
        let file = BufWriter::with_capacity(BUFFER_BYTES, file);
        Ok(Self { file, staged, target: target.to_owned() })
    }

    /// Flushes the file to disk and gives it its name, in place of one that has it.
    pub(crate) fn publish(mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        rename(&self.staged, &self.target)
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // Published, it has another name.
        let _ = fs::remove_file(&self.staged);
    }
}

/// Writes a whole file, by way of the name `staged`.
pub(crate) fn write(target: &Path, staged: PathBuf, bytes: &[u8]) -> io::Result<()> {
    let mut file = NewFile::create(target, staged)?;
    file.write_all(bytes)?;
    file.publish()
}

/// A name beside a target for what is not whole yet. Two programs that write the same target do not write into one
/// another's.
pub(crate) fn beside(target: &Path, ending: &str) -> PathBuf {
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.{ending}", std::process::id()));
    target.with_file_name(name)
}

/// Renames what is flushed already, and flushes the folder that it then is in.
pub(crate) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty());
    sync(folder.unwrap_or(Path::new(".")))
}

/// Flushes a file, or the entries of a folder, to disk.
pub(crate) fn sync(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

/// Makes a lock file and locks it until it is dropped; `None` while somebody else has it.
pub(crate) fn try_lock(path: &Path) -> io::Result<Option<File>> {
    let lock = File::create(path)?;
    match lock.try_lock() {
        Ok(()) => Ok(Some(lock)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Whether there was no room: on the disk, or in its user's share of it.
pub(crate) fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

/// What this user may still write to the file system; `None` where that cannot be asked.
pub(crate) fn free_bytes(folder: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(folder).ok()?;
    Some(found.f_bavail.saturating_mul(found.f_frsize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_crash_left_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let (target, staged) = (folder.path().join("a.csv"), folder.path().join("a.csv.tmp"));
        for text in ["ein\n1\n", "ein\n"] {
            fs::write(&staged, "half of another").unwrap();
            write(&target, staged.clone(), text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&target).unwrap(), text);
            assert!(!staged.exists());
        }
        fs::create_dir(&staged).unwrap();
        assert!(write(&target, staged, b"").is_err());
    }
}
