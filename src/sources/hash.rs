//! The hash of a source, its size, and when it was modified.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;
use std::time::UNIX_EPOCH;

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::error::ReadError;

/// Size, hash and time of a file; all 0 of a ZIP file's member.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    pub(crate) bytes: u64,
    /// SHA-256.
    pub(super) sha256: [u8; 32],
    /// Seconds since 1970.
    pub(crate) modified_seconds: u64,
}

impl Stamp {
    /// The SHA-256 in lower case.
    pub(crate) fn sha256(&self) -> String {
        HEXLOWER.encode(&self.sha256)
    }
}

/// Opens a file that is going to be read at random, and hashes it.
pub(super) fn open_hashed(path: &Path) -> Result<(File, Stamp), ReadError> {
    let io_error = ReadError::io(path);
    let mut file = File::open(path).map_err(&io_error)?;
    let stamp = hash(&mut file).map_err(&io_error)?;
    Ok((file, stamp))
}

/// Hashes a file from where it stands, and goes back to its beginning.
pub(crate) fn hash(file: &mut File) -> io::Result<Stamp> {
    let modified_seconds = modified(file)?;
    let mut hashing = Hashing::new(&*file);
    io::copy(&mut hashing, &mut io::sink())?;
    let stamp = hashing.done(modified_seconds);
    file.rewind()?;
    Ok(stamp)
}

/// When a file was last modified, in seconds since 1970.
pub(crate) fn modified(file: &File) -> io::Result<u64> {
    let modified = file.metadata()?.modified()?;
    Ok(modified.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()))
}

/// Hashes and counts what passes through.
pub(super) struct Hashing<R> {
    input: R,
    sha256: Sha256,
    bytes: u64,
}

impl<R> Hashing<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, sha256: Sha256::new(), bytes: 0 }
    }

    pub(super) fn done(self, modified_seconds: u64) -> Stamp {
        Stamp { bytes: self.bytes, sha256: self.sha256.finalize().into(), modified_seconds }
    }
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.sha256.update(&buffer[..read]);
        self.bytes += read as u64;
        Ok(read)
    }
}
