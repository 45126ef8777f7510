//! The hash of a source, its size, and when it was modified.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::time::UNIX_EPOCH;

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

/// What was hashed of a source.
pub(crate) struct HashedSource {
    pub(crate) bytes: u64,
    pub(crate) sha256: String,
    pub(crate) modified_seconds: u64,
}

/// Hashes a file that is going to be read at random, and goes back to its beginning.
pub(crate) fn hash(file: &mut File) -> io::Result<HashedSource> {
    let modified_seconds = modified(file)?;
    let mut hashing = Hashing::new(&*file);
    io::copy(&mut hashing, &mut io::sink())?;
    let hashed = hashing.done(modified_seconds);
    file.rewind()?;
    Ok(hashed)
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

    pub(super) fn done(self, modified_seconds: u64) -> HashedSource {
        let sha256 = HEXLOWER.encode(&self.sha256.finalize());
        HashedSource { bytes: self.bytes, sha256, modified_seconds }
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
