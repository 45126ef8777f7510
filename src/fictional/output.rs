//! A file being written, with the path for its errors.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::options::GenerateError;

/// Bytes that each file gathers before it writes: few system calls, little memory.
const BUFFER_BYTES: usize = 256 * 1024;

/// A file that did not exist before.
pub(super) struct Output {
    path: PathBuf,
    file: BufWriter<File>,
}

impl Output {
    pub(super) fn create(folder: &Path, name: &str) -> Result<Self, GenerateError> {
        let path = folder.join(name);
        let file = OpenOptions::new().write(true).create_new(true).open(&path);
        let file = BufWriter::with_capacity(BUFFER_BYTES, file.map_err(GenerateError::io(&path))?);
        Ok(Self { path, file })
    }

    /// Appends a text.
    pub(super) fn put(&mut self, text: &str) -> Result<(), GenerateError> {
        self.write(|file| file.write_all(text.as_bytes()))
    }

    /// Appends a line of JSON.
    pub(super) fn put_line(&mut self, value: &impl Serialize) -> Result<(), GenerateError> {
        self.write(|file| {
            serde_json::to_writer(&mut *file, value)?;
            file.write_all(b"\n")
        })
    }

    /// Writes what is still gathered.
    pub(super) fn flush(&mut self) -> Result<(), GenerateError> {
        self.write(BufWriter::flush)
    }

    fn write(
        &mut self,
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Result<(), GenerateError> {
        write(&mut self.file).map_err(GenerateError::io(&self.path))
    }
}
