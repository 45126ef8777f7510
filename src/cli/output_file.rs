//! Files whose bytes are counted as they are written.

use std::io::{self, Write};
use std::path::Path;

use crate::durable::{NewFile, beside};

/// A file that is there whole or not at all. Dropped before it is published, it leaves nothing.
pub(super) type OutputFile = Counted<NewFile>;

/// Counts the bytes that are written through it.
#[derive(Debug)]
pub(super) struct Counted<W> {
    pub(super) out: W,
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

impl OutputFile {
    /// Begins a file. Its folder must exist.
    pub(super) fn create(target: &Path) -> io::Result<Self> {
        NewFile::create(target, beside(target, "tmp")).map(Self::new)
    }

    /// Flushes the file to disk and gives it its name, in place of one that has it.
    pub(super) fn publish(self) -> io::Result<()> {
        self.out.publish()
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

#[cfg(test)]
mod tests {
    use std::fs;

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
