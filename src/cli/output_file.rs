//! A file that is there whole or not at all: written under another name beside its own, and renamed.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Bytes that are written at once.
const BUFFER_BYTES: usize = 256 * 1024;

/// A file on its way. Dropped before it is published, it leaves nothing.
#[derive(Debug)]
pub(super) struct OutputFile {
    target: PathBuf,
    temporary: PathBuf,
    file: Counted<BufWriter<File>>,
}

impl OutputFile {
    /// Begins a file. Its folder must exist.
    pub(super) fn create(target: &Path) -> io::Result<Self> {
        let temporary = beside(target, "tmp");
        let file = Counted::create(&temporary)?;
        Ok(Self { target: target.to_owned(), temporary, file })
    }

    /// How many bytes were written.
    pub(super) fn bytes(&self) -> u64 {
        self.file.bytes()
    }

    /// Syncs the file and gives it its name, in place of one that has it.
    pub(super) fn publish(mut self) -> io::Result<()> {
        self.file.sync()?;
        rename(&self.temporary, &self.target)
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        // Published, it has another name.
        let _ = fs::remove_file(&self.temporary);
    }
}

/// Counts the bytes that are written through it.
#[derive(Debug)]
pub(super) struct Counted<W> {
    out: W,
    bytes: u64,
}

impl<W> Counted<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out, bytes: 0 }
    }

    /// How many bytes were written.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl Counted<BufWriter<File>> {
    /// Begins a file that is not there yet.
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        let file = File::options().write(true).create_new(true).open(path)?;
        Ok(Self::new(BufWriter::with_capacity(BUFFER_BYTES, file)))
    }

    /// Writes what is buffered, and syncs the file.
    pub(super) fn sync(&mut self) -> io::Result<()> {
        self.out.flush()?;
        self.out.get_ref().sync_all()
    }
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The name beside a target under which it is written until it is whole. Two programs that write the same target do
/// not write into one another's.
pub(super) fn beside(target: &Path, ending: &str) -> PathBuf {
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.{ending}", std::process::id()));
    target.with_file_name(name)
}

/// Gives what is whole its name, and syncs the folder that it is in.
pub(super) fn rename(whole: &Path, target: &Path) -> io::Result<()> {
    fs::rename(whole, target)?;
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_there_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let names = || {
            let entries = fs::read_dir(folder.path()).unwrap();
            entries.map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>()
        };
        let target = folder.path().join("a.csv");
        let mut file = OutputFile::create(&target).unwrap();
        file.write_all(b"ein\n").unwrap();
        assert!(!target.exists());
        drop(file);
        assert!(names().is_empty());
        for text in ["ein\n1\n", "ein\n"] {
            let mut file = OutputFile::create(&target).unwrap();
            file.write_all(text.as_bytes()).unwrap();
            assert_eq!(file.bytes(), text.len() as u64);
            file.publish().unwrap();
            assert_eq!(fs::read_to_string(&target).unwrap(), text);
            assert_eq!(names(), ["a.csv"]);
        }
        assert!(OutputFile::create(&folder.path().join("absent/a.csv")).is_err());
    }
}
