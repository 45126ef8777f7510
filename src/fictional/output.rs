//! A file being written, with the path for its errors.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use super::options::GenerateError;

/// Bytes that each file gathers before it writes: few system calls, little memory.
const BUFFER_BYTES: usize = 256 * 1024;

/// A file that did not exist before.
pub(super) struct Output {
    path: PathBuf,
    file: BufWriter<File>,
}

impl Output {
    /// Makes the file.
    ///
    /// # Errors
    /// When it exists or cannot be made.
    pub(super) fn create(folder: &Path, name: &str) -> Result<Self, GenerateError> {
        let path = folder.join(name);
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => Ok(Self { path, file: BufWriter::with_capacity(BUFFER_BYTES, file) }),
            Err(source) => Err(GenerateError::Io { path, source }),
        }
    }

    /// Lets `write` append to it.
    pub(super) fn put<T>(
        &mut self,
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<T>,
    ) -> Result<T, GenerateError> {
        write(&mut self.file)
            .map_err(|source| GenerateError::Io { path: self.path.clone(), source })
    }
}
